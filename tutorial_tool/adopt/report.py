"""What adopting did, or would do, in words: a summary, and which sets of copies are worth it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from tutorial_tool.adopt import Adoption, measure, template, unify
from tutorial_tool.adopt.copies import CopySet
from tutorial_tool.adopt.measure import Shares
from tutorial_tool.adopt.names import Names, learn
from tutorial_tool.adopt.unify import Variant
from tutorial_tool.finding import Severity

WORTH = 0.5
"""The part of their text that copies must share for one template to be less work than copies."""


def summary(adoption: Adoption) -> Iterator[str]:
    """What was adopted, and how much it is before and after."""
    assert adoption.project is not None
    for one in adoption.adopted:
        shared = adoption.shares[str(one)]
        number = _count(len(one.copies), "copy", "copies")
        yield f"{one}: {number}, {shared.share:.0%} shared ({', '.join(one.platforms)})"
    pages = sum(len(one.copies) for one in adoption.adopted)
    platforms = {platform for one in adoption.adopted for platform in one.platforms}
    shares = [adoption.shares[str(one)] for one in adoption.adopted]
    after = sum(len(text.encode()) for text in adoption.project.files.values())
    open_ = sum(choice.winner is None for choice in adoption.choices)
    yield ""
    yield (
        f"{_count(pages, 'page')} of {_count(len(adoption.adopted), 'step')} on {_count(len(platforms), 'platform')}: "
        f"{sum(shared.bytes for shared in shares):,} bytes before, {after:,} after; "
        f"{_once(shares):.0%} of the text stood in all copies and is written once; {_count(open_, 'choice')} open."
    )


def proof(adoption: Adoption, *, changed: bool) -> str:
    """What was proved before anything is written."""
    pages = sum(len(one.copies) for one in adoption.adopted)
    what = "as they were settled" if changed else "byte for byte"
    return f"Rendered and compared: all {_count(pages, 'page')} come back {what}."


MOST = 20
"""Findings that are told without being asked for."""
SHOWN = 5
"""Open choices that are told without being asked for."""


def open_choices(adoption: Adoption) -> Iterator[str]:
    """What rules find where a choice is open, the first of those choices, a line each, and how to see the rest."""
    left = [choice for choice in adoption.choices if choice.winner is None]
    wrong = dict.fromkeys(f for choice in left for f in choice.findings if f.severity.reaches(Severity.WARNING))
    if wrong:
        yield "Mend these before you adopt:"
    yield from (f"{finding.severity}: {finding}" for finding in list(wrong)[:MOST])
    if len(wrong) > MOST:
        yield f"{len(wrong) - MOST} more: `tutorial-tool lint PATHS` tells them."
    untold = [choice for choice in left if wrong.keys().isdisjoint(choice.findings)]
    for choice in untold[:SHOWN]:
        said = [
            " / ".join(f"{_short(text)} ({', '.join(platforms)})" for text, platforms in variant.said.items())
            for variant in choice.variants
        ]
        yield f"open: {choice.places[0]}: {' or '.join(said)}"
    if untold:
        more = f"{len(untold) - SHOWN} more choices are open. " if len(untold) > SHOWN else ""
        yield f"{more}See all: `adopt --dry-run --report FILE.md`; `--unify` settles them."


def _short(text: str) -> str:
    line = " ".join(text.split())
    return repr(line if len(line) <= 40 else line[:39].rstrip() + "…")


def choices(adoption: Adoption) -> Iterator[str]:
    """What was chosen, and what not, one paragraph each."""
    for choice in adoption.choices:
        yield f"{choice.copies}: {choice.around or 'a whole line'}" + (
            f" ({choice.times} times)" if choice.times > 1 else ""
        )
        for at, (variant, place) in enumerate(zip(choice.variants, choice.places, strict=True)):
            mark = "keeps" if choice.winner is None else "takes" if at == choice.winner else "drops"
            yield f"  {mark} {told(variant, place)}"
        yield f"  because: {choice.reason}"
    yield from (f"kept: {text}" for text in adoption.kept)
    yield from adoption.notes


def told(variant: Variant, place: str) -> str:
    """A text that may be chosen, as each copy has it, and where it stands first."""
    first, *others = [f"{text!r} ({', '.join(platforms)}" for text, platforms in variant.said.items()]
    return ", ".join([f"{first}; {place})", *(f"{text})" for text in others)])


def markdown(adoption: Adoption) -> str:
    """The choices as a Markdown page, for whoever reviews them."""
    lines = ["# What adopting chose", ""]
    for choice in adoption.choices:
        times = f" ({choice.times} times)" if choice.times > 1 else ""
        lines += [f"## {choice.copies}{times}", ""]
        lines += [f"In: {_quoted(choice.around)}", ""] if choice.around else []
        lines += ["| Text | Platforms | Place | |", "| --- | --- | --- | --- |"]
        for at, (variant, place) in enumerate(zip(choice.variants, choice.places, strict=True)):
            mark = "kept" if choice.winner is None else "**taken**" if at == choice.winner else "dropped"
            for text, platforms in variant.said.items():
                shown = f"`{place}` | {mark}" if text == variant.first else " | "
                lines.append(f"| {_quoted(text)} | {', '.join(platforms)} | {shown} |")
        lines += ["", f"Reason: {choice.reason}.", ""]
    if adoption.kept:
        lines += ["## Only some copies have it, and keep it", "", *(f"- {_quoted(text)}" for text in adoption.kept), ""]
    if adoption.notes:
        lines += ["## Changed besides", "", *(f"- {text}" for text in adoption.notes), ""]
    return "\n".join(lines)


def _quoted(text: str) -> str:
    """A text as code in a table of Markdown."""
    ticks = "`" * (max((len(run) for run in re.findall("`+", text)), default=0) + 1)
    space = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{ticks}{space}{text}{space}{ticks}".replace("|", "\\|").replace("\n", " ")


def left(adoption: Adoption) -> Iterator[str]:
    for one, reason in adoption.left.items():
        yield f"{one}: left alone: {reason}"


def worth(sets: Sequence[CopySet]) -> Iterator[str]:
    """The sets, the best first: what they share, and how many choices their drift leaves open."""
    told = sorted(map(_looked_at, sets), key=lambda item: (-item[1].share, -item[1].total, str(item[0])))
    width = max((len(str(one)) for one, _, _ in told), default=0)
    for one, shared, open_ in told:
        much = "identical" if not shared.differing else f"{shared.share:.0%} shared"
        advice = f"{_count(open_, 'choice')} open" if shared.share >= WORTH else "leave as copies"
        yield f"{one!s:<{width}}  {_count(len(one.copies), 'copy', 'copies'):<9}  {much:<11}  {advice}"


def poor(sets: Sequence[CopySet]) -> dict[CopySet, str]:
    """The sets that are better left as copies, and why; those that share next to nothing are told elsewhere."""
    shares = {one: measure.shares(one, template.aligned(one)).share for one in sets if len(one.copies) > 1}
    return {
        one: f"they share {share:.0%} of their text; --step {one.step} adopts them all the same"
        for one, share in shares.items()
        if share < WORTH
    }


def _looked_at(one: CopySet) -> tuple[CopySet, Shares, int]:
    columns = template.aligned(one)
    names = learn(Names(()), one.platforms, template.differences(columns), one.names)
    return one, measure.shares(one, columns), len(list(unify.open_choices(one, columns, names)))


def _once(shares: Sequence[Shares]) -> float:
    """The part of the text of all copies that all of a step's have, and that stands once now."""
    total = sum(shared.total for shared in shares)
    return sum(shared.common * shared.copies for shared in shares) / total if total else 0.0


def _count(number: int, one: str, many: str = "") -> str:
    return f"{number:,} {one if number == 1 else many or one + 's'}"
