"""Comparisons as one self-contained HTML page: a matrix of all steps, then each step in columns."""

from __future__ import annotations

import base64
import hashlib
import html
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from itertools import groupby
from typing import NamedTuple

from tutorial_tool.compare import Cell, Comparison, Row, RowKind, selection
from tutorial_tool.compare.rows import BOLD, compare_variants
from tutorial_tool.compare.selection import FoundStep
from tutorial_tool.compare.terminal import format_percent, summarize_comparison
from tutorial_tool.core.diagnostics import Finding, Severity, format_count
from tutorial_tool.core.traced import strip_origins
from tutorial_tool.linter.targets import Target
from tutorial_tool.reporters.safe_text import make_visible
from tutorial_tool.rules.finding_index import filter_by_page
from tutorial_tool.site import Page
from tutorial_tool.variants import Step

POLICY = "default-src 'none'; style-src 'unsafe-inline'"
"""Content security policy: loads nothing, except for an inline script."""
_ROW_LABELS = {
    RowKind.SAME: "same",
    RowKind.MASKED: "own",
    RowKind.INTENDED: "intended",
    RowKind.DIFFERENT: "differs",
    RowKind.MISSING: "missing",
}


class _ShownStep(NamedTuple):
    """A step to show: its name, its anchor, and the findings on the page of each variant."""

    name: str
    anchor: str
    comparison: Comparison
    findings: Mapping[str, list[Finding]]


class PageFrame(NamedTuple):
    """The frame of the comparisons: another title, HTML before and after, and the links of each page."""

    title: str = ""
    before: str = ""
    after: str = ""
    links: Callable[[Page], Sequence[tuple[str, str]]] = lambda _page: ()
    """The text and URL of each link of a page: the first is to the page itself."""
    script: str = ""  # Our own script, which may send requests to this host


NOTHING = PageFrame()


def render_page(
    matches: Sequence[FoundStep], lint: Callable[[Target, int], list[Finding]] | None = None, frame: PageFrame = NOTHING
) -> str:
    """Render the page. Findings come from `lint`, else from a run of the linter on the project or tree."""
    lint_once = lint or cache(lambda target, _site: target.compare_with_baseline(target.lint().findings).new)
    shown = [
        _ShownStep(
            name,
            f"step-{number}",
            compare_variants(item.step),
            {
                id_: list(filter_by_page(page, lint_once(item.target, id(item.step.whole_site))))
                for id_, page in item.step.pages.items()
            },
        )
        for number, (name, item) in enumerate(zip(selection.get_names(matches), matches, strict=True), 1)
    ]
    return "".join(f"{line}\n" for line in _render_lines(shown, frame))


def escape_text(text: str) -> str:
    """Escape any text as HTML, with invisible characters spelled out."""
    return html.escape("\n".join(map(make_visible, text.split("\n"))), quote=True)


def build_policy(script: str) -> str:
    """Return the content security policy of the page: it may run that script, and no other."""
    if not script:
        return POLICY
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    return f"{POLICY}; connect-src 'self'; script-src 'sha256-{digest}'"


def render_head(title: str, allowed: str, skip: str, look: str = "") -> Iterator[str]:
    """Render the start of a page, up to its title, in the style of comparisons plus `look`."""
    yield "<!doctype html>"
    yield '<html lang="en">'
    yield '<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">'
    yield f'<meta http-equiv="Content-Security-Policy" content="{allowed}">'
    yield f"<title>{escape_text(title)}</title>"
    yield f"<style>\n{(files(__package__) / 'style.css').read_text(encoding='utf-8')}{look}</style></head>"
    yield f'<body><a class="skip" href="#steps">{skip}</a>'
    yield f"<header><h1>{escape_text(title)}</h1>"


def _render_lines(shown: Sequence[_ShownStep], frame: PageFrame) -> Iterator[str]:
    title = f"Comparison of {shown[0].name}" if len(shown) == 1 else f"Comparison of {len(shown)} steps"
    yield from render_head(frame.title or title, build_policy(frame.script), "Skip to the steps")
    yield f"</header><main>{frame.before}"
    if shown:
        yield from _render_matrices(shown, frame)
        yield '<div id="steps"><p>'
        yield "Each row is one part of the step. <mark>Differences</mark> are highlighted."
        yield "<span class=own>Platform-specific text</span> (names, code, paths, terms) doesn't count.</p>"
        yield '<label class="only"><input type="checkbox" id="only"> Show only what differs</label></div>'
    for item in shown:
        yield from _render_section(item, frame)
    script = f"<script>{frame.script}</script>" if frame.script else ""
    yield f"{frame.after}</main>{script}</body></html>"


# All steps


def _render_matrices(shown: Sequence[_ShownStep], frame: PageFrame) -> Iterator[str]:
    groups = _group_by_variants(shown)
    yield '<h2 id="all">All steps</h2>'
    for number, group in enumerate(groups, 1):
        names: dict[str, str] = {}
        for item in group:
            for id_, variant in item.comparison.step.variants.items():
                names.setdefault(id_, variant.name)
        label = "All steps" if len(groups) == 1 else f"Steps, part {number} of {len(groups)}"
        yield f'<div class="scroll" role="region" aria-label="{label}" tabindex="0"><table>'
        yield "<caption>Share of text that each variant has in common with the others, and its findings</caption>"
        heads = "".join(f'<th scope="col">{escape_text(name)}</th>' for name in names.values())
        yield f'<thead><tr><th scope="col">Step</th>{heads}</tr></thead><tbody>'
        for item in group:
            cells = "".join(_render_matrix_cell(item, id_, frame) for id_ in names)
            yield f'<tr><th scope="row"><a href="#{item.anchor}">{escape_text(item.name)}</a></th>{cells}</tr>'
        yield "</tbody></table></div>"


def _group_by_variants(shown: Sequence[_ShownStep]) -> list[list[_ShownStep]]:
    """Group the steps that are in one matrix: those that share a variant with another one of it."""
    groups: list[tuple[set[str], list[_ShownStep]]] = []
    for item in shown:
        ids = set(item.comparison.step.pages)
        overlapping = [group for group in groups if group[0] & ids]
        groups = [group for group in groups if not group[0] & ids]
        steps = [step for group in overlapping for step in group[1]]
        groups.append((ids.union(*(group[0] for group in overlapping)), [*steps, item]))
    return [group for _, group in groups]


def _render_matrix_cell(shown: _ShownStep, id_: str, frame: PageFrame) -> str:
    if id_ not in shown.comparison.step.pages:
        reason = _get_absence(shown.comparison.step, id_)
        if reason is None:
            is_loud = shown.comparison.step.whole_site.is_project  # else nothing says that there should be one
            return f'<td class="{"none" if is_loud else "note"}">no page</td>'
        return f'<td class="note">{escape_text(reason) or "not on this platform"}</td>'
    count, similarity = _format_counts(shown.findings[id_]), format_percent(shown.comparison.similarity[id_])
    for _, address in frame.links(shown.comparison.step.pages[id_])[:1]:
        similarity = f'<a href="{escape_text(address)}">{similarity}</a>'
    return f'<td>{similarity} <span class="note">{count}</span></td>'


def _get_absence(step: Step, id_: str) -> str | None:
    """Return the reason that the data gives for a platform's lack of a step; None if there is none."""
    place = next((page.place for page in step.pages.values() if page.place), None)
    platform = step.whole_site.model.platforms.get(id_)
    reason = place.tutorial.get_absence_reason(place.step, platform) if place and platform else None
    return None if reason is None else strip_origins(reason)


def _format_counts(findings: Sequence[Finding]) -> str:
    counts = Counter(finding.severity for finding in findings)
    shown = (format_count(counts[severity], str(severity)) for severity in Severity if counts[severity])
    return ", ".join(shown) or "no findings"


# One step


def _render_section(shown: _ShownStep, frame: PageFrame) -> Iterator[str]:
    comparison = shown.comparison
    step, name = comparison.step, escape_text(shown.name)
    yield f'<section aria-labelledby="{shown.anchor}"><h2 id="{shown.anchor}">{name}</h2>'
    yield f"<p>{summarize_comparison(comparison)} "
    yield '<a class="back" href="#all">All steps</a></p>'
    yield from _render_findings(shown)
    yield f'<div class="scroll" role="region" aria-label="{name}, side by side" tabindex="0"><table class="sides">'
    yield f"<caption>{name}, side by side</caption>"
    heads = "".join(
        f'<th scope="col">{escape_text(step.variants[id_].name)} <span class="path">{escape_text(page.path)}</span>'
        f"{_render_links(frame.links(page))}</th>"
        for id_, page in step.pages.items()
    )
    yield f'<thead><tr><th scope="col">Kind</th>{heads}</tr></thead><tbody>'
    for row in comparison.rows:
        yield _render_row(row, step.pages)
    yield "</tbody></table></div></section>"


def _render_links(links: Sequence[tuple[str, str]]) -> str:
    message = " ".join(f'<a href="{escape_text(address)}">{escape_text(words)}</a>' for words, address in links)
    return f'<span class="links">{message}</span>' if message else ""


def _render_findings(shown: _ShownStep) -> Iterator[str]:
    unique = dict.fromkeys(finding for findings in shown.findings.values() for finding in findings)
    if unique:
        yield f"<details><summary>{escape_text(_format_counts(list(unique)))}</summary><ul class=findings>"
        for finding in unique:
            yield f"<li>{escape_text(str(finding.severity))}: {escape_text(str(finding))}</li>"
        yield "</ul></details>"


def _render_row(row: Row, pages: Mapping[str, Page]) -> str:
    cells = "".join(_render_cell(row.cells.get(id_), page) for id_, page in pages.items())
    reason = f' <span class="note">{escape_text(row.reason)}</span>' if row.reason else ""
    return f'<tr class="{row.kind} {row.part}"><th scope="row">{_ROW_LABELS[row.kind]}{reason}</th>{cells}</tr>'


def _render_cell(cell: Cell | None, page: Page) -> str:
    if cell is None:
        return '<td class="none">not here</td>'
    lang = f' lang="{escape_text(page.lang)}"' if page.lang and page.lang != "en" else ""
    return f'<td{lang} title="line {cell.line}">{_render_text(cell)}</td>'


def _render_text(cell: Cell) -> str:
    """Render a text with its stretches; marks have priority over platform-specific ones. Bold stays bold."""
    styles = [""] * len(cell.text)
    for kind, stretches in (("own", cell.own_spans), ("mark", cell.marks)):
        for start, end in stretches:
            styles[start:end] = [kind] * (end - start)
    bold_texts = BOLD.finditer(cell.text)  # in platform-specific code, asterisks are literal
    labels = [b for b in bold_texts if not any(start <= b.start() and b.end() <= end for start, end in cell.own_spans)]
    bold = {i for label in labels for i in range(*label.span(1))}
    markers = {i for label in labels for i in range(*label.span())} - bold
    runs = groupby((i for i in range(len(cell.text)) if i not in markers), lambda i: (styles[i], i in bold))
    return "".join(_render_run("".join(cell.text[i] for i in run), *style) for style, run in runs)


def _render_run(text: str, style: str, bold: bool) -> str:
    shown = f"<b>{escape_text(text)}</b>" if bold else escape_text(text)
    return {"mark": f"<mark>{shown}</mark>", "own": f'<span class="own">{shown}</span>'}.get(style, shown)
