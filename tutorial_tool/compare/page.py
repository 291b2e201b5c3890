"""Comparisons as one page of HTML that asks no host for anything: a matrix of all steps, and each side by side."""

from __future__ import annotations

import base64
import hashlib
import html
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from itertools import groupby
from typing import NamedTuple

from tutorial_tool.compare import Cell, Comparison, Kind, Row, choosing
from tutorial_tool.compare.choosing import Found
from tutorial_tool.compare.rows import BOLD, compared
from tutorial_tool.compare.terminal import percent, summarize
from tutorial_tool.core.diagnostics import Finding, Severity, counted
from tutorial_tool.core.traced import plain
from tutorial_tool.linter.targets import Target
from tutorial_tool.reporters.visible import visible
from tutorial_tool.rules.finding_index import of_page
from tutorial_tool.site import Page
from tutorial_tool.variants import Step

POLICY = "default-src 'none'; style-src 'unsafe-inline'"
"""What a browser may load: nothing, but for a script that stands on the page."""
_SAID = {
    Kind.SAME: "same",
    Kind.MASKED: "own",
    Kind.INTENDED: "intended",
    Kind.DIFFERENT: "differs",
    Kind.MISSING: "missing",
}


class _Shown(NamedTuple):
    """A step to show: its name, its anchor, and the findings on the page of each variant."""

    name: str
    anchor: str
    comparison: Comparison
    findings: Mapping[str, list[Finding]]


class Around(NamedTuple):
    """What stands around the comparisons: another title, HTML before and after them, and the links of each page."""

    title: str = ""
    before: str = ""
    after: str = ""
    links: Callable[[Page], Sequence[tuple[str, str]]] = lambda _page: ()
    """What links of a page say, and where they lead: the first to the page itself."""
    script: str = ""  # A script of ours, which may ask this host


NOTHING = Around()


def written(
    matches: Sequence[Found], lint: Callable[[Target, int], list[Finding]] | None = None, around: Around = NOTHING
) -> str:
    """The page. Findings are what `lint` gives, else those of a run of the linter on the project or tree."""
    found_in = lint or cache(_linted)
    shown = [
        _Shown(
            name,
            f"step-{number}",
            compared(item.step),
            {
                id_: list(of_page(page, found_in(item.target, id(item.step.whole))))
                for id_, page in item.step.pages.items()
            },
        )
        for number, (name, item) in enumerate(zip(choosing.names_of(matches), matches, strict=True), 1)
    ]
    return "".join(f"{line}\n" for line in _lines(shown, around))


def escaped(text: str) -> str:
    """A text from anywhere as HTML, what cannot be seen spelt out."""
    return html.escape("\n".join(map(visible, text.split("\n"))), quote=True)


def policy(script: str = "") -> str:
    """Return what a browser may do on the page: run that script, and no other."""
    if not script:
        return POLICY
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    return f"{POLICY}; connect-src 'self'; script-src 'sha256-{digest}'"


def head(title: str, allowed: str, skip: str, look: str = "") -> Iterator[str]:
    """The beginning of a page, up to its title, in the look of comparisons and what is added to that."""
    yield "<!doctype html>"
    yield '<html lang="en">'
    yield '<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">'
    yield f'<meta http-equiv="Content-Security-Policy" content="{allowed}">'
    yield f"<title>{escaped(title)}</title>"
    yield f"<style>\n{(files(__package__) / 'style.css').read_text(encoding='utf-8')}{look}</style></head>"
    yield f'<body><a class="skip" href="#steps">{skip}</a>'
    yield f"<header><h1>{escaped(title)}</h1>"


def _lines(shown: Sequence[_Shown], around: Around) -> Iterator[str]:
    title = f"Comparison of {shown[0].name}" if len(shown) == 1 else f"Comparison of {len(shown)} steps"
    yield from head(around.title or title, policy(around.script), "Skip to the steps")
    yield f"</header><main>{around.before}"
    if shown:
        yield from _matrices(shown, around)
        yield '<div id="steps"><p>'
        yield "Each row is one part of the step. <mark>Differences</mark> are highlighted."
        yield "<span class=own>What is the platforms' own</span> (names, code, paths, terms) doesn't count.</p>"
        yield '<label class="only"><input type="checkbox" id="only"> Show only what differs</label></div>'
    for item in shown:
        yield from _section(item, around)
    script = f"<script>{around.script}</script>" if around.script else ""
    yield f"{around.after}</main>{script}</body></html>"


# All steps


def _matrices(shown: Sequence[_Shown], around: Around) -> Iterator[str]:
    groups = _groups(shown)
    yield '<h2 id="all">All steps</h2>'
    for number, group in enumerate(groups, 1):
        names: dict[str, str] = {}
        for item in group:
            for id_, variant in item.comparison.step.variants.items():
                names.setdefault(id_, variant.name)
        label = "All steps" if len(groups) == 1 else f"Steps, part {number} of {len(groups)}"
        yield f'<div class="scroll" role="region" aria-label="{label}" tabindex="0"><table>'
        yield "<caption>Share of text that each variant has in common with the others, and its findings</caption>"
        heads = "".join(f'<th scope="col">{escaped(name)}</th>' for name in names.values())
        yield f'<thead><tr><th scope="col">Step</th>{heads}</tr></thead><tbody>'
        for item in group:
            cells = "".join(_matrix_cell(item, id_, around) for id_ in names)
            yield f'<tr><th scope="row"><a href="#{item.anchor}">{escaped(item.name)}</a></th>{cells}</tr>'
        yield "</tbody></table></div>"


def _groups(shown: Sequence[_Shown]) -> list[list[_Shown]]:
    """The steps that stand in one matrix: those that share a variant with another one of it."""
    groups: list[tuple[set[str], list[_Shown]]] = []
    for item in shown:
        ids = set(item.comparison.step.pages)
        near = [group for group in groups if group[0] & ids]
        groups = [group for group in groups if not group[0] & ids]
        groups.append((ids.union(*(group[0] for group in near)), [*(s for group in near for s in group[1]), item]))
    return [group for _, group in groups]


def _matrix_cell(shown: _Shown, id_: str, around: Around) -> str:
    if id_ not in shown.comparison.step.pages:
        reason = _absence(shown.comparison.step, id_)
        if reason is None:
            return '<td class="none">no page</td>'
        return f'<td class="note">{escaped(reason) or "not on this platform"}</td>'
    count, likeness = _counted(shown.findings[id_]), percent(shown.comparison.likeness[id_])
    for _, address in around.links(shown.comparison.step.pages[id_])[:1]:
        likeness = f'<a href="{escaped(address)}">{likeness}</a>'
    return f'<td>{likeness} <span class="note">{count}</span></td>'


def _absence(step: Step, id_: str) -> str | None:
    """Why the data says that a platform lacks a step; None where it does not."""
    place = next((page.place for page in step.pages.values() if page.place), None)
    platform = step.whole.model.platforms.get(id_)
    reason = place.tutorial.absence(place.step, platform) if place and platform else None
    return None if reason is None else plain(reason)


def _counted(findings: Sequence[Finding]) -> str:
    counts = Counter(finding.severity for finding in findings)
    return (
        ", ".join(counted(counts[severity], str(severity)) for severity in Severity if counts[severity])
        or "no findings"
    )


# One step


def _section(shown: _Shown, around: Around) -> Iterator[str]:
    comparison = shown.comparison
    step, name = comparison.step, escaped(shown.name)
    yield f'<section aria-labelledby="{shown.anchor}"><h2 id="{shown.anchor}">{name}</h2>'
    yield f"<p>{summarize(comparison)} "
    yield '<a class="back" href="#all">All steps</a></p>'
    yield from _findings(shown)
    yield f'<div class="scroll" role="region" aria-label="{name}, side by side" tabindex="0"><table class="sides">'
    yield f"<caption>{name}, side by side</caption>"
    heads = "".join(
        f'<th scope="col">{escaped(step.variants[id_].name)} <span class="path">{escaped(page.path)}</span>'
        f"{_links(around.links(page))}</th>"
        for id_, page in step.pages.items()
    )
    yield f'<thead><tr><th scope="col">Kind</th>{heads}</tr></thead><tbody>'
    for row in comparison.rows:
        yield _row(row, step.pages)
    yield "</tbody></table></div></section>"


def _links(links: Sequence[tuple[str, str]]) -> str:
    message = " ".join(f'<a href="{escaped(address)}">{escaped(words)}</a>' for words, address in links)
    return f'<span class="links">{message}</span>' if message else ""


def _findings(shown: _Shown) -> Iterator[str]:
    unique = dict.fromkeys(finding for findings in shown.findings.values() for finding in findings)
    if unique:
        yield f"<details><summary>{escaped(_counted(list(unique)))}</summary><ul class=findings>"
        for finding in unique:
            yield f"<li>{escaped(str(finding.severity))}: {escaped(str(finding))}</li>"
        yield "</ul></details>"


def _row(row: Row, pages: Mapping[str, Page]) -> str:
    cells = "".join(_cell(row.cells.get(id_), page) for id_, page in pages.items())
    reason = f' <span class="note">{escaped(row.reason)}</span>' if row.reason else ""
    return f'<tr class="{row.kind} {row.part}"><th scope="row">{_SAID[row.kind]}{reason}</th>{cells}</tr>'


def _cell(cell: Cell | None, page: Page) -> str:
    if cell is None:
        return '<td class="none">not here</td>'
    lang = f' lang="{escaped(page.lang)}"' if page.lang and page.lang != "en" else ""
    return f'<td{lang} title="line {cell.line}">{_text(cell)}</td>'


def _text(cell: Cell) -> str:
    """A text with its stretches; one that is marked lies over one that is the platform's own. Bold is shown as bold."""
    styles = [""] * len(cell.text)
    for kind, stretches in (("own", cell.own), ("mark", cell.marks)):
        for start, end in stretches:
            styles[start:end] = [kind] * (end - start)
    labels = [label for label in BOLD.finditer(cell.text) if not _is_within(label.span(), cell.own)]
    signs = {at for label in labels for place in _signs(label) for at in range(*place)}
    bold = {at for label in labels for at in range(*label.span(1))}
    runs = groupby((at for at in range(len(cell.text)) if at not in signs), lambda at: (styles[at], at in bold))
    return "".join(_run("".join(cell.text[at] for at in run), *look) for look, run in runs)


def _is_within(place: tuple[int, int], stretches: Sequence[tuple[int, int]]) -> bool:
    """Whether a place is part of code, where stars are stars."""
    return any(start <= place[0] and place[1] <= end for start, end in stretches)


def _signs(label: re.Match[str]) -> tuple[tuple[int, int], tuple[int, int]]:
    return (label.start(), label.start(1)), (label.end(1), label.end())


def _run(text: str, style: str, bold: bool) -> str:
    shown = f"<b>{escaped(text)}</b>" if bold else escaped(text)
    return {"mark": f"<mark>{shown}</mark>", "own": f'<span class="own">{shown}</span>'}.get(style, shown)


# Findings


def _linted(target: Target, _site: int) -> list[Finding]:
    return target.compared(target.lint().findings).new
