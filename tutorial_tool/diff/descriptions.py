"""Describe a difference in words: changes, their platforms, and what the other platforms have."""

from __future__ import annotations

from tutorial_tool.core.diagnostics import MAX_NAMED, format_count, join_names
from tutorial_tool.core.grouping import group_pairs
from tutorial_tool.core.source import Span
from tutorial_tool.diff import Difference, GroupedChange, PageChange, StepDifference

NOTHING = "Nothing changed for readers."
_KINDS = {
    "alt": "alt text",
    "columns": "columns of a table",
    "meta": "front matter",
    "name": "name of the platform",
    "reason": "why a platform lacks the step",
}
_HOW = {"added": "new", "removed": "gone", "moved": "moved"}


def summarize(difference: Difference) -> str:
    """Return a summary in one sentence."""
    changed = difference.changed_steps
    if not changed:
        if not difference.pages:
            return "There are no pages to compare."
        return "Nothing has changed on the pages that could be rendered." if difference.problems else NOTHING
    pages, changes = difference.count_changed_pages(), sum(len(step.changes) for step in changed)
    verb = "changes" if pages == 1 else "change"
    return f"{pages} of {format_count(difference.pages, 'page')} {verb}, in {format_count(changes, 'place')}."


def describe_change(change: PageChange) -> str:
    """Describe the subject of a change, without its texts."""
    kind, how = _KINDS.get(change.kind, change.kind), _HOW.get(change.how, "")
    about = f" “{change.about}”" if change.about else ""
    within = f" in “{change.section}”" if change.section else ""
    match change.kind:
        case "page":
            return f"page {how}: {change.about}"
        case "address":
            return f"URL changed; {change.about}"
        case "references" if change.about == "1":
            return "reference follows a new number"
        case "references":
            return f"{change.about} references follow new numbers"
        case "number":
            return "step number"
        case "order":
            return "order of the steps"
        case "anchor":
            return f"anchor gone: {change.old}{about}; links from elsewhere go to the top of the page"
        case "picture":
            return f"different image at {change.about}"
        case "markup":
            return "markup: same words, different structure"
    if change.how == "moved":
        return _describe_move(change, kind, about, within)
    return " ".join(filter(None, [how, kind])) + about + within


def _describe_move(change: PageChange, kind: str, about: str, within: str) -> str:
    if change.kind == "table":
        return f"rows reordered{within}"
    if change.kind == "section":
        return f"section{about} moved: was {change.old}, is {change.new}"
    return f"{kind} moved{within}" + (f", from{about}" if change.about else "")


def describe_platforms(step: StepDifference, folded: GroupedChange) -> str:
    """Describe the platforms of a change, and what the others have; empty for a standalone page."""
    if step.is_standalone:
        return ""
    having, total = folded.platforms, len(step.pairs)
    if len(having) == total:
        return step.names[having[0]] if total == 1 else "both platforms" if total == 2 else f"all {total} platforms"
    alone = set(folded.instead.values()) <= {"does not have it", "does not get it"}
    if alone and len(having) <= max(MAX_NAMED, total // 2):
        return f"only {join_names((step.names[id_] for id_ in having), ' and ')}"
    others = "; ".join(
        f"{join_names((step.names[id_] for id_ in ids), ' and ', limit=MAX_NAMED)} {_make_plural(message, len(ids))}"
        for message, ids in group_pairs((message, id_) for id_, message in folded.instead.items()).items()
    )
    if len(having) == 1:
        return f"{step.names[having[0]]}; {others}"
    return f"{len(having)} of {total} platforms change alike; {others}"


def _make_plural(message: str, number: int) -> str:
    if number == 1:
        return message
    verbs = {"does": "do", "stays": "stay", "changes": "change", "is": "are"}
    first, _, remainder = message.partition(" ")
    return f"{verbs.get(first, first)} {remainder}".replace("as it is", "as they are")


def format_locations(difference: Difference, folded: GroupedChange) -> str:
    """Format the locations that cause a change, without duplicates; removed text is at the old revision."""
    gone = folded.change.source is None
    places = dict.fromkeys(str(span) for span in folded.sources.values() if isinstance(span, Span))
    message = join_names(places, limit=3)
    return f"{message} at {difference.old}" if gone and message else message


def list_texts(change: PageChange) -> list[tuple[str, str, str]]:
    """Return the texts of a change as (label, old, new): one for a text, several for the cells of a row."""
    if change.cells:
        return list(change.cells)
    if change.kind in ("picture", "anchor"):
        return []
    if change.how == "moved" and change.kind != "table":
        return [] if change.kind == "section" else [("", "", change.new)]
    return [("", change.old, change.new)] if change.old or change.new else []
