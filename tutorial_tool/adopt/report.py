"""Describe what adopting did, or would do: a summary, choices, and problems."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice, product
from typing import TYPE_CHECKING

from tutorial_tool.adopt import Adoption
from tutorial_tool.adopt.check.lost import MissingFinding
from tutorial_tool.adopt.resolve import Choice, ChoiceVariant
from tutorial_tool.adopt.resolve.decisions import Stake
from tutorial_tool.adopt.resolve.whitespace import HIDDEN
from tutorial_tool.core.diagnostics import (
    MAX_LISTED,
    MAX_QUOTED,
    Finding,
    Severity,
    format_count,
    join_series,
    shorten_text,
)

if TYPE_CHECKING:
    from tutorial_tool.adopt.plan import AdoptionPlan


def format_summary(adoption: Adoption) -> Iterator[str]:
    """Yield what was adopted, and its size before and after."""
    assert adoption.project is not None
    for copy_set in adoption.adopted:
        shared = adoption.overlaps[str(copy_set)]
        number = format_count(len(copy_set.copies), "copy", "copies")
        yield f"{copy_set}: {number}, {shared.ratio:.0%} shared ({', '.join(copy_set.platforms)})"
    pages = sum(len(item.copies) for item in adoption.adopted)
    platforms = set[str]().union(*(item.platforms for item in adoption.adopted))
    before = sum(adoption.overlaps[str(item)].bytes for item in adoption.adopted)
    after = sum(map(len, map(str.encode, adoption.project.files.values()))) - adoption.project.bytes_before
    open_ = sum(choice.is_open for choice in adoption.choices)
    steps = format_count(len(adoption.adopted), "step")
    yield ""
    yield (
        f"{format_count(pages, 'page')} of {steps} on {format_count(len(platforms), 'platform')}: "
        f"{before:,} bytes before, {after:,} after; {format_count(open_, 'choice')} open."
    )
    yield from adoption.degraded
    if after > before:
        yield f"The project is {after - before:,} bytes larger than the copies."


def describe_proof(adoption: Adoption, *, changed: bool, spaces_only: bool = False) -> str:
    """Describe what was verified before writing; `spaces_only` if only white space was changed."""
    pages = sum(len(copy_set.copies) for copy_set in adoption.adopted)
    hidden = (what for end, what in HIDDEN.items() if any(note.endswith(end) for note in adoption.notes))
    alike = f"identical except for {join_series(['whitespace', *hidden])}"
    what = "identical byte for byte" if not changed else alike if spaces_only else "identical to the resolved copies"
    return f"Rendered and compared: all {format_count(pages, 'page')} are {what}."


_COMPUTED = ("typed-navigation", "typed-number", "prev-next-mismatch")


def describe_mistakes(adoption: Adoption, lost: Sequence[MissingFinding]) -> Iterator[str]:
    """Yield the findings in copies where a choice is open, and those that only the copies have."""
    wrong = _find_mistakes(adoption, lost)
    if wrong:
        yield "Fix these before you adopt:"
    yield from _format_findings(wrong)


def _find_mistakes(adoption: Adoption, lost: Sequence[MissingFinding]) -> list[Finding]:
    severe = (item.before for item in _filter_severe(adoption, lost))
    return list(dict.fromkeys([*_find_choice_mistakes(adoption), *severe]))


def filter_unreported(findings: Sequence[Finding], adoption: Adoption, lost: Sequence[MissingFinding]) -> list[Finding]:
    """Return the project's findings without those that `describe_mistakes` reports in the copies."""
    reported = {(finding.rule, finding.message) for finding in _find_mistakes(adoption, lost)}
    return [finding for finding in findings if (finding.rule, finding.message) not in reported]


def sort_by_risk(choices: Iterable[Choice]) -> list[Choice]:
    """Sort choices: those that are likely mistakes first, resolved ones last."""
    return sorted(choices, key=lambda choice: (choice.winner is not None, choice.risk))


def describe_open_choices(adoption: Adoption, *, complete: bool = False) -> Iterator[str]:
    """Yield the first open choices, a line each, and how to list the rest.

    Those with lint findings are reported as findings, unless `complete` is set.
    """
    wrong = set(_find_choice_mistakes(adoption))
    open_choices = sort_by_risk(choice for choice in adoption.choices if choice.is_open)
    listed = [choice for choice in open_choices if complete or wrong.isdisjoint(choice.findings)]
    for choice in listed[:MAX_LISTED]:
        starts = choice.locate_differences()
        by_text = (variant.platforms_by_text.items() for variant in choice.variants)
        excerpts = (
            [f"{excerpt(text, starts[names[0]])} ({', '.join(names)})" for text, names in own] for own in by_text
        )
        values = map(" / ".join, excerpts)
        yield f"open: {choice.places[0]}: {' or '.join(values)}"
    if rest := len(listed[MAX_LISTED:]):
        yield f"{format_count(rest, 'more choice')} {'is' if rest == 1 else 'are'} open."
    if others := len(open_choices) - len(listed):
        yield f"{format_count(others, 'open choice')} {'is' if others == 1 else 'are'} among the linter's findings."
    if open_choices:
        all_ = {1: "it", 2: "both"}.get(len(open_choices), f"all {len(open_choices):,}")
        yield f"To list {all_} in a file, use `--report FILE.md`. To resolve differences, add `--resolve`."


def describe_missing_findings(adoption: Adoption, lost: Sequence[MissingFinding], *, written: bool) -> Iterator[str]:
    """Yield findings of copies that the project lacks; `describe_mistakes` reports them until it is `written`."""
    severe = _filter_severe(adoption, lost)
    if severe and written:
        yield "The linter reports these in the copies, but not in the project, where they count as intended:"
        yield from _format_findings([item.now for item in severe])
    if hints := _filter_unreported_hints(adoption, lost):
        rules = ", ".join(sorted({hint.before.rule for hint in hints}))
        what = f"{format_count(len(hints), 'hint')} about the copies ({rules})"
        count, it = ("counts", "it") if len(hints) == 1 else ("count", "them")
        yield f"{what} {count if written else 'would count'} as intended; `adopt PATHS --report FILE.md` lists {it}."


def _merge_findings(findings: Iterable[Finding]) -> list[Finding]:
    """Merge findings with the same location and message on several platforms."""
    out: dict[tuple[str, str, str], Finding] = {}
    for finding in findings:
        key = finding.rule, str(finding.span), finding.message
        known = out.get(key)
        platforms = tuple(dict.fromkeys((*(known.platforms if known else ()), *finding.platforms)))
        out[key] = replace(known or finding, platforms=platforms)
    return list(out.values())


def _filter_severe(adoption: Adoption, lost: Sequence[MissingFinding]) -> list[MissingFinding]:
    """Return the mistakes among the missing findings."""
    return [item for item in lost if item.is_severe and not (item.is_hint and _is_reported(adoption, item.before))]


def _filter_unreported_hints(adoption: Adoption, lost: Sequence[MissingFinding]) -> list[MissingFinding]:
    """Return the hints among the missing findings that nothing else reports."""
    return [item for item in lost if not item.is_severe and not _is_reported(adoption, item.before)]


def _is_reported(adoption: Adoption, hint: Finding) -> bool:
    """Return whether a choice covers a hint, or a mistake in the same text is reported."""
    wrong = set(_find_choice_mistakes(adoption))
    here = (finding.span for finding in wrong if finding.span.path == hint.span.path)
    if any(span.start < hint.span.end and hint.span.start < span.end for span in here):
        return True
    return any(choice.contains(hint) for choice in adoption.choices if wrong.isdisjoint(choice.findings))


def count_computed(findings: Sequence[Finding]) -> int:
    """Return how many findings are about typed text that the tool computes."""
    return sum(finding.rule in _COMPUTED for finding in findings)


def describe_typed_lines(findings: Sequence[Finding]) -> Iterator[str]:
    """Yield the first lines with typed text that the tool computes."""
    matches = (finding.span for finding in findings if finding.rule in _COMPUTED)
    lines = list(dict.fromkeys(f"typed: {span.source.get_line_text(span.position.line).strip()}" for span in matches))
    yield from lines[:MAX_LISTED]
    if len(lines) > MAX_LISTED:
        yield f"and on {format_count(len(lines) - MAX_LISTED, 'more line')}"


def explain_normalize(count: int, build: str) -> str:
    """Explain that a build fails on typed text that the tool computes, and what to do."""
    are, them = ("is", "it") if count == 1 else ("are", "them")
    return (
        f"{format_count(count, 'number or link', 'numbers and links')} {are} typed but can be generated, and `{build}` "
        f"would fail on {them} once the copies are deleted. Add --normalize to remove {them}, "
        "or --no-normalize to keep the pages byte for byte"
    )


def describe_failing(
    findings: Sequence[Finding], planned: AdoptionPlan, *, written: bool, modern: bool
) -> Iterator[str]:
    """Yield the findings that fail a strict build of the project; of other pages, only the first."""
    if findings:
        yield f"`{planned.build}` {'fails' if written else 'would fail'} on these:"
    yield from _format_findings([finding for finding in findings if planned.is_affected(finding.span.path)])
    others = sorted((f for f in findings if not planned.is_affected(f.span.path)), key=lambda f: f.severity.rank)
    yield from islice(_format_findings(others), 1)
    if len(others) > 1:
        yield f"{len(others) - 1:,} more in pages that were not adopted: `tutorial-tool lint` lists them."
    if not modern and count_computed(findings):
        yield "`--normalize` removes what is typed there and generated by the tool."


def _find_choice_mistakes(adoption: Adoption) -> list[Finding]:
    """Return the mistakes that rules find in the texts of open choices."""
    findings = [f for choice in adoption.choices if choice.winner is None for f in choice.findings]
    return list(dict.fromkeys(f for f in findings if f.severity.is_at_least(Severity.WARNING)))


def _format_findings(findings: Sequence[Finding]) -> Iterator[str]:
    lines = list(dict.fromkeys(f"{finding.severity}: {finding}" for finding in _merge_findings(findings)))
    yield from lines[:MAX_LISTED]
    if len(lines) > MAX_LISTED:
        yield f"{len(lines) - MAX_LISTED:,} more: `tutorial-tool lint` lists them; a baseline suppresses them."


_MAX_BESIDE = MAX_QUOTED // 2  # Maximum characters of a text on a line with another
_MAX_LEAD = _MAX_BESIDE // 3  # Characters to show of the common beginning of long texts


def excerpt(text: str, at: int) -> str:
    """Return a text on one line; a long one starts shortly before the offset of its difference."""
    line, before = " ".join(text.split()), len(" ".join(text[:at].split()))
    is_far = len(line) > _MAX_BESIDE and before > _MAX_BESIDE - _MAX_LEAD
    start = max(line.rfind(sign, 0, before - _MAX_LEAD) for sign in " /") + 1 if is_far else 0
    return quote_code(shorten_text(f"{'…' * (start > 0)}{line[start:]}", _MAX_BESIDE))


def describe_choices(adoption: Adoption) -> Iterator[str]:
    """Yield the resolved and the open choices, grouped by what readers would lose or gain."""
    decided = [choice for choice in adoption.choices if choice.reason]
    for is_open, stake in product((False, True), Stake):
        group = [item for item in decided if item.stake is stake and (item.winner is None) is is_open]
        if group:
            yield f"{'Stays open' if is_open else 'Resolved'}, {stake}: {format_count(len(group), 'choice')}"
        for choice in group:
            yield from _format_choice(choice)
    yield from adoption.notes


def _format_choice(choice: Choice) -> Iterator[str]:
    yield f"{choice.copy_set}: {choice.context or 'a whole line'}{choice.times}"
    for at, (variant, place) in enumerate(zip(choice.variants, choice.places, strict=True)):
        mark = "keeps" if choice.winner is None else "takes" if at == choice.winner else "drops"
        own = f", with {_OWN}:" if mark == "takes" and len(variant.platforms_by_text) > 1 else ""
        yield f"  {mark}{own} {format_variant(variant, place)}"
    yield f"  because: {choice.reason}"


_OWN = "each platform's own name"


def format_variant(variant: ChoiceVariant, place: str) -> str:
    """Format a variant of a choice: each copy's text, and the location of the first."""
    texts = [f"{quote_code(text)} ({', '.join(platforms)}" for text, platforms in variant.platforms_by_text.items()]
    return ", ".join([f"{texts[0]}; {place})", *(f"{text})" for text in texts[1:])])


def render_markdown(adoption: Adoption, lost: Sequence[MissingFinding] = ()) -> str:
    """Render the choices as a Markdown page for review."""
    lines = ["# What adopting chose", "", *_render_measures(adoption)]
    for choice in sort_by_risk(adoption.choices):
        lines += _render_section(choice)
    if losts := _filter_severe(adoption, lost) + _filter_unreported_hints(adoption, lost):
        lines += ["## Reported in the copies only: in the project, these differences count as intended", ""]
        lines += [*(f"- `{item.before.span}` {item.before.rule}: {item.before.message}" for item in losts), ""]
    if adoption.notes:
        lines += ["## Other changes", "", *(f"- {text}" for text in adoption.notes), ""]
    return "\n".join(lines)


def _render_section(choice: Choice) -> Iterator[str]:
    """Render a choice as a section with a table of its texts."""
    yield from (f"## {choice.copy_set}{choice.times}", "")
    if choice.context:
        yield from (f"In: {quote_code(choice.context)}", "")
    yield from ("| Text | Platforms | Place | |", "| --- | --- | --- | --- |")
    for at, (variant, place) in enumerate(zip(choice.variants, choice.places, strict=True)):
        mark = "kept" if choice.winner is None else "**taken**" if at == choice.winner else "dropped"
        mark += f", with {_OWN}" if mark == "**taken**" and len(variant.platforms_by_text) > 1 else ""
        for text, platforms in variant.platforms_by_text.items():
            shown = f"`{place}` | {mark}" if text == next(iter(variant.platforms_by_text)) else " | "
            cell = quote_code(text).replace("|", r"\|")
            yield f"| {cell} | {', '.join(platforms)} | {shown} |"
    yield from ("", f"Reason: {choice.reason}." if choice.reason else "Open: each copy keeps its text.", "")
    if choice.findings:
        yield from (f"- {finding.severity}: {finding.rule}: {finding.message}" for finding in choice.findings)
        yield ""


def _render_measures(adoption: Adoption) -> Iterator[str]:
    """Render a table of what the copies share and leave open, with explanations."""
    yield from ("| Step | Copies | Shared | Choices | Open |", "| --- | --- | --- | --- | --- |")
    for copy_set in adoption.adopted:
        own = [choice for choice in adoption.choices if str(choice.copy_set) == str(copy_set)]
        share, open_ = adoption.overlaps[str(copy_set)].ratio, sum(choice.is_open for choice in own)
        yield f"| `{copy_set}` | {len(copy_set.copies)} | {share:.0%} | {len(own)} | {open_} |"
    yield from ("", *MEASURES, "")


MEASURES = (
    "*Shared* is how much of a copy's text is in all the others as well, word by word, on average: that much is",
    "written once. A *choice* is a place where copies differ, and nothing shows that a platform needs it. Where it is",
    "*open*, each copy keeps its text, as a value or under a condition. The worst come first: those in which the",
    "linter finds something, then those where one copy says something else than the others.",
)
"""Explanation of the numbers in a report."""


def quote_code(text: str) -> str:
    """Quote a text as code, on one line."""
    if not text.strip():
        return "nothing"
    ticks = "`" * (max((len(run) for run in re.findall("`+", text)), default=0) + 1)
    space = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{ticks}{space}{text}{space}{ticks}".replace("\n", " ")
