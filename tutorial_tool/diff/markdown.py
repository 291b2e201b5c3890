"""Render a difference as Markdown for a pull request comment: a summary and collapsible details.

Texts of pages are only in fenced code, and names in `<code>`: there, GitHub and GitLab interpret no mentions,
references, Markdown, or HTML, and a fence that is longer than any in the text ends where we end it.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator

from tutorial_tool.core.diagnostics import MAX_LISTED, MAX_TEXT, format_count, shorten_text
from tutorial_tool.diff import Difference, PageChange, StepDifference
from tutorial_tool.diff.descriptions import describe_change, describe_platforms, format_locations, list_texts, summarize
from tutorial_tool.reporters.markdown import MAX_COMMENT_SIZE
from tutorial_tool.reporters.safe_text import make_visible

MARK = "<!-- tutorial-tool diff -->"  # Marker by which a script finds the comment to replace


def render(difference: Difference) -> str:
    """Render the comment. Whatever does not fit is omitted, and the end says how much that is."""
    revisions = f"{_render_code(difference.old)} → {_render_code(difference.new)}"
    lines = [MARK, f"**{_escape_text(summarize(difference))}**", "", revisions, ""]
    problems = list(difference.problems)
    remarks = [f"- :warning: {_render_code(problem)}" for problem in problems[:MAX_LISTED]]
    remarks += [f"- :warning: and {len(problems) - MAX_LISTED} more"] if len(problems) > MAX_LISTED else []
    remarks += [f"- {_render_code(note)}" for note in difference.notes]
    lines += [*remarks, ""] if remarks else []
    steps, used = difference.changed_steps, _measure_size(lines)
    for index, step in enumerate(steps):
        step_lines = list(_render_step(difference, step))
        if used + _measure_size(step_lines) > MAX_COMMENT_SIZE:
            omitted = steps[index:]
            places = format_count(sum(len(step_difference.changes) for step_difference in omitted), "change")
            where = format_count(len(omitted), "more step")
            lines.append(f"…and {places} in {where}, which do not fit into a comment.")
            break
        lines += step_lines
        used += _measure_size(step_lines)
    return "\n".join([*lines, ""])


def _measure_size(lines: list[str]) -> int:
    return sum(len(line.encode("utf-8", "replace")) + 1 for line in lines)


def _render_step(difference: Difference, step: StepDifference) -> Iterator[str]:
    """Render a step's changes; as many as fit into a third of a comment."""
    changes = format_count(len(step.changes), "change")
    yield f"<details><summary>{_render_code(step.name)}: {changes}</summary>"
    yield ""
    used = 0
    for index, group in enumerate(step.changes):
        change_lines = [
            f"- {_render_code(describe_change(group.change))}"
            + (f": {_escape_text(describe_platforms(step, group))}" if describe_platforms(step, group) else ""),
            *_render_fence(group.change),
            *(
                [f"  <sub>{_render_code(format_locations(difference, group))}</sub>"]
                if format_locations(difference, group)
                else []
            ),
            "",
        ]
        used += _measure_size(change_lines)
        if used > MAX_COMMENT_SIZE // 3:
            yield f"- …and {format_count(len(step.changes) - index, 'more change')}"
            yield ""
            break
        yield from change_lines
    yield "</details>"
    yield ""


def _render_fence(change: PageChange) -> Iterator[str]:
    """Render the texts of a change as lines of a diff, in a fence that nothing in them can close."""
    lines = []
    for label, old, new in list_texts(change):
        head = f"{label}: " if label else ""
        lines += [f"- {head}{line}" for line in _select_lines(old, new)]
        lines += [f"+ {head}{line}" for line in _select_lines(new, old)]
    if lines:
        longest = max(map(len, re.findall(r"`+", "\n".join(lines))), default=0)
        fence = "`" * max(3, longest + 1)
        yield ""
        yield f"  {fence}diff"
        yield from (f"  {line}" for line in lines)
        yield f"  {fence}"
        yield ""


def _select_lines(text: str, other: str) -> list[str]:
    """Return the lines of a text; if there are several, only those that the other lacks."""
    lines = [make_visible(line) for line in shorten_text(text, MAX_TEXT).split("\n") if line.strip()]
    other_lines = {make_visible(line) for line in other.split("\n")} if len(lines) > 1 else set()
    return [line for line in lines if line not in other_lines]


def _render_code(text: str) -> str:
    """Render a text as HTML code, without Markdown, mentions, or tags in it."""
    escaped = html.escape(" ".join(make_visible(text).split()), quote=False)
    return f"<code>{_escape_markdown(escaped)}</code>"


def _escape_text(text: str) -> str:
    return _escape_markdown(html.escape(" ".join(make_visible(text).split()), quote=False))


def _escape_markdown(text: str) -> str:
    """Escape Markdown in HTML text with character references."""
    return re.sub(r"[`*_\[\]()@#~|\\!$:]", lambda match: f"&#{ord(match[0])};", text)
