"""Render a difference as one self-contained HTML page, with both versions side by side."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from itertools import starmap
from pathlib import Path

from tutorial_tool.compare.page import escape_text, render_head
from tutorial_tool.core.diagnostics import join_names
from tutorial_tool.core.grouping import group_by
from tutorial_tool.diff import Difference, GroupedChange, StepDifference
from tutorial_tool.diff.descriptions import describe_change, describe_platforms, format_locations, list_texts, summarize
from tutorial_tool.diff.pages import align_parts
from tutorial_tool.diff.words import split_pieces

POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
"""Content Security Policy: load nothing but the images embedded in the page."""


def render(difference: Difference) -> str:
    """Render the page."""
    return "".join(f"{line}\n" for line in _render_lines(difference))


def _render_lines(difference: Difference) -> Iterator[str]:
    title = f"Changes: {difference.old} → {difference.new}"
    style = Path(__file__).with_name("style.css").read_text(encoding="utf-8")
    yield from render_head(title, POLICY, "Skip to the changes", style)
    yield f"<p>{escape_text(summarize(difference))}</p>"
    notes = [*(f"Problem: {problem}" for problem in difference.problems), *difference.notes]
    if notes:
        yield f"<ul class=findings>{''.join(f'<li>{escape_text(line)}</li>' for line in notes)}</ul>"
    yield "</header><main id=steps>"
    if len(difference.changed_steps) > 1:
        entries = "".join(
            f'<li><a href="#step-{number}">{escape_text(step.name)}</a> ({len(step.changes)})</li>'
            for number, step in enumerate(difference.changed_steps)
        )
        yield f'<nav aria-label="Steps"><ul>{entries}</ul></nav>'
    for number, step in enumerate(difference.changed_steps):
        yield from _render_step(difference, number, step)
    yield "</main></body></html>"


def _render_step(difference: Difference, number: int, step: StepDifference) -> Iterator[str]:
    name = escape_text(step.name)
    yield f'<section aria-labelledby="step-{number}"><h2 id="step-{number}">{name}</h2>'
    yield f'<div class="scroll" role="region" aria-label="Changes of {name}" tabindex="0"><table class="sides">'
    yield f"<caption>{escape_text(_format_paths(step))}</caption>"
    yield (
        f'<thead><tr><th scope="col">What, and where</th><th scope="col">{escape_text(difference.old)}</th>'
        f'<th scope="col">{escape_text(difference.new)}</th></tr></thead><tbody>'
    )
    for folded in step.changes:
        yield _render_row(difference, step, folded)
    yield "</tbody></table></div>"
    yield from _render_whole_pages(difference, step)
    yield "</section>"


def _render_whole_pages(difference: Difference, step: StepDifference) -> Iterator[str]:
    """Render both versions of the complete pages, collapsed: one page for all platforms that change alike."""
    complete = [id_ for id_, pair in step.pairs.items() if pair.old and pair.new]
    shown = group_by(complete, lambda id_: tuple(id_ in folded.platforms for folded in step.changes))
    for ids in (ids for changes, ids in shown.items() if any(changes)):
        pair = step.pairs[ids[0]]
        assert pair.old is not None
        assert pair.new is not None
        name = f" on {step.names[ids[0]]}" if ids[0] else ""
        alike = f" ({join_names((step.names[id_] for id_ in ids[1:]), ' and ')} change alike)" if len(ids) > 1 else ""
        label = escape_text(f"The whole page{name}{alike}")
        yield f"<details><summary>{label}</summary>"
        region = escape_text(f"{step.name}: the whole page{name}")
        yield f'<div class="scroll" role="region" aria-label="{region}" tabindex="0"><table class="sides">'
        yield (
            f'<thead><tr><th scope="col">Part</th><th scope="col">{escape_text(difference.old)}</th>'
            f'<th scope="col">{escape_text(difference.new)}</th></tr></thead><tbody>'
        )
        for kind, old, new in align_parts(pair.old, pair.new):
            state = "same" if old == new else "different"
            cells = "".join(_render_pair(old, new, difference))
            yield f'<tr class="{state} {kind}"><th scope="row">{kind}</th>{cells}</tr>'
        yield "</tbody></table></div></details>"


def _render_pair(old: str | None, new: str | None, difference: Difference) -> Iterator[str]:
    pieces = split_pieces(old, new) if old and new else []
    for side, text, kind in ((difference.old, old, "old"), (difference.new, new, "new")):
        marked = "".join(_mark_text(p.how, p.text) for p in pieces if p.how in ("same", kind))
        marked = marked or escape_text(text or "")
        cell = f'<td class="text" data-side="{escape_text(side)}">{marked}</td>'
        yield _render_missing(side) if text is None else cell


def _render_missing(side: str) -> str:
    return f'<td class="none" data-side="{escape_text(side)}">not here</td>'


def _format_paths(step: StepDifference) -> str:
    paths = [pair.path for pair in step.pairs.values() if pair.old or pair.new]
    return f"{', '.join(paths[:3])}{' …' if len(paths) > 3 else ''}"


def _render_row(difference: Difference, step: StepDifference, folded: GroupedChange) -> str:
    change = folded.change
    about = [describe_platforms(step, folded), format_locations(difference, folded)]
    notes = "".join(f'<span class="who note">{escape_text(line)}</span>' for line in about if line)
    old, new = _render_cells(difference, step, folded)
    title = escape_text(describe_change(change))
    return f'<tr class="different {change.kind}"><th scope="row">{title}{notes}</th>{old}{new}</tr>'


def _render_sides(label: str, old: str, new: str) -> tuple[str, str]:
    """Render the old and the new text as HTML, with their differences marked."""
    head = f"{escape_text(label)}: " if label else ""
    parts = split_pieces(old, new) if old and new else []
    if not parts:
        return head + escape_text(old), head + escape_text(new)
    old_html = "".join(_mark_text(part.how, part.text) for part in parts if part.how != "new")
    return head + old_html, head + "".join(_mark_text(part.how, part.text) for part in parts if part.how != "old")


def _render_cells(difference: Difference, step: StepDifference, folded: GroupedChange) -> tuple[str, str]:
    change = folded.change
    texts = list_texts(change)
    if change.kind == "section" and change.how == "moved":
        return f"<td>{escape_text(change.old)}</td>", f"<td>{escape_text(change.new)}</td>"
    if not texts:
        return "<td></td>", "<td></td>"
    old_texts, new_texts = zip(*starmap(_render_sides, texts), strict=True)
    drawings = _render_drawings(step, folded) if change.kind == "figure" else ("", "")
    old_cell, new_cell = (
        f'<td class="text" data-side="{escape_text(side)}">{"<br>".join(values)}{drawing}</td>'
        for side, values, drawing in zip(
            (difference.old, difference.new), (old_texts, new_texts), drawings, strict=True
        )
    )
    return (
        _render_missing(difference.old) if change.how == "added" else old_cell,
        _render_missing(difference.new) if change.how == "removed" else new_cell,
    )


def _mark_text(how: str, text: str) -> str:
    if how == "same" or not text.strip():
        return escape_text(text)
    inside = text.strip()
    before, _, after = text.partition(inside)
    tag = "del" if how == "old" else "ins"
    return f"{escape_text(before)}<{tag}>{escape_text(inside)}</{tag}>{escape_text(after)}"


def _render_drawings(step: StepDifference, folded: GroupedChange) -> tuple[str, str]:
    """Render the figure on both sides as images, in which no script can run."""
    pair = step.pairs[folded.platforms[0]]
    out = []
    for page in (pair.old, pair.new):
        figures = [figure for figure in page.figures if figure.name == folded.change.about] if page else []
        data = base64.b64encode(figures[0].svg.encode()).decode() if figures else ""
        alt = escape_text(figures[0].alt) if figures else ""
        out.append(f'<br><img alt="{alt}" src="data:image/svg+xml;base64,{data}">' if data else "")
    return out[0], out[1]
