"""What adopting did, or would do, in words: a summary, and which sets of copies are worth it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from tutorial_tool.adopt import Adoption, measure, template, unify
from tutorial_tool.adopt.copies import CopySet
from tutorial_tool.adopt.measure import Shares
from tutorial_tool.adopt.names import Names, learn
from tutorial_tool.adopt.unify import Variant
from tutorial_tool.finding import Finding, Severity

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
        f"{sum(shared.bytes for shared in shares):,} bytes before, {after:,} after; {_count(open_, 'choice')} open."
    )


def proof(adoption: Adoption, *, changed: bool) -> str:
    """What was proved before anything is written."""
    pages = sum(len(one.copies) for one in adoption.adopted)
    what = "as they were settled" if changed else "byte for byte"
    return f"Rendered and compared: all {_count(pages, 'page')} come back {what}."


MOST = 20
"""Findings that are told without being asked for."""
_COMPUTED = ("typed-navigation", "typed-number", "wrong-neighbour")
SHOWN = 5
"""Open choices that are told without being asked for."""


def mistakes(adoption: Adoption) -> Iterator[str]:
    """What rules find in the copies where a choice is open: told before anything is written."""
    wrong = _wrong(adoption)
    if wrong:
        yield "Mend these before you adopt:"
    yield from _listed(wrong)


def open_choices(adoption: Adoption) -> Iterator[str]:
    """The first choices that are open, a line each, and how to see the rest. What rules find is told elsewhere."""
    wrong = set(_wrong(adoption))
    untold = [choice for choice in adoption.choices if choice.winner is None and wrong.isdisjoint(choice.findings)]
    for choice in untold[:SHOWN]:
        said = [
            " / ".join(f"{_short(text)} ({', '.join(platforms)})" for text, platforms in variant.said.items())
            for variant in choice.variants
        ]
        yield f"open: {choice.places[0]}: {' or '.join(said)}"
    if untold:
        rest = len(untold) - SHOWN
        more = f"{_count(rest, 'more choice')} {'is' if rest == 1 else 'are'} open. " if rest > 0 else ""
        yield f"{more}`adopt PATHS --report FILE.md` writes all of them to a page; `--unify` settles drift."


def failing(findings: Sequence[Finding], *, written: bool, modern: bool) -> Iterator[str]:
    """What keeps a strict build of the project from passing."""
    if findings:
        yield f"`mkdocs build --strict` {'fails' if written else 'would fail'} on these:"
    yield from _listed(findings)
    if not modern and any(finding.rule in _COMPUTED for finding in findings):
        yield "`--modernise` takes out what is typed there, and the tool computes."


def _wrong(adoption: Adoption) -> list[Finding]:
    """What rules find in the texts of open choices."""
    found = [f for choice in adoption.choices if choice.winner is None for f in choice.findings]
    return list(dict.fromkeys(f for f in found if f.severity.reaches(Severity.WARNING)))


def _listed(findings: Sequence[Finding]) -> Iterator[str]:
    yield from (f"{finding.severity}: {finding}" for finding in findings[:MOST])
    if len(findings) > MOST:
        yield f"{len(findings) - MOST} more: `tutorial-tool lint` tells them."


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
    yield from (f"kept: {entry}" for entry in adoption.kept)
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
        lines += ["", f"Reason: {choice.reason}." if choice.reason else "Open: nothing was asked to settle it.", ""]
    if adoption.kept:
        lines += [
            "## Only some copies have it, and keep it",
            "",
            *(f"- {_quoted(str(entry))}" for entry in adoption.kept),
            "",
        ]
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
        fit = f"{_count(open_, 'choice')} open" if shared.share >= WORTH else "leave as copies"
        advice = "steps rather than platforms: their names are numbered" if is_numbered(one) else fit
        yield f"{one!s:<{width}}  {_count(len(one.copies), 'copy', 'copies'):<9}  {much:<11}  {advice}"


def poor(sets: Sequence[CopySet]) -> dict[CopySet, str]:
    """The sets that are better left as copies, and why; those that share next to nothing are told elsewhere."""
    out = {one: f"{_numbered(one)}; --step {one.step} adopts them all the same" for one in sets if is_numbered(one)}
    rest = [one for one in sets if len(one.copies) > 1 and one not in out]
    shares = {one: measure.shares(one, template.aligned(one)).share for one in rest}
    poor = {one: share for one, share in shares.items() if share < WORTH}
    return out | {
        one: f"they share {share:.0%} of their text; --step {one.step} adopts them all the same"
        for one, share in poor.items()
    }


def is_numbered(one: CopySet) -> bool:
    """Whether what tells the copies apart are numbers, each once: chapters have them, and platforms do not."""
    numbers = [found[0] for platform in one.platforms if (found := re.match(r"\d+(?!\.\d)", platform))]
    return len(numbers) == len(one.platforms) == len(set(numbers))


def _numbered(one: CopySet) -> str:
    first, second, *_ = one.platforms
    return f"{first}, {second} and so on are numbered, as steps are that follow each other, and platforms are not"


def _looked_at(one: CopySet) -> tuple[CopySet, Shares, int]:
    columns = template.aligned(one)
    names = learn(Names(()), one.platforms, template.differences(columns), one.names)
    return one, measure.shares(one, columns), len(list(unify.open_choices(one, columns, names)))


def _count(number: int, one: str, many: str = "") -> str:
    return f"{number:,} {one if number == 1 else many or one + 's'}"
