"""Findings as one self-contained page: filters by severity, rule, folder, owner and text; links.

The table contains everything, so the page works without its script, which only hides rows.
"""

from __future__ import annotations

import base64
import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from html import escape
from importlib.resources import files
from urllib.parse import quote

from tutorial_tool.core.diagnostics import MAX_FINDINGS, Finding
from tutorial_tool.reporters.full import format_platforms, format_summary, get_last_line
from tutorial_tool.reporters.markdown import CODE
from tutorial_tool.reporters.ranking import get_folder, sort_by_severity
from tutorial_tool.reporters.safe_text import make_visible

_NOBODY = "no owner"
Owners = Callable[[str], Sequence[str]]  # Returns the owners of a file


def render(findings: Sequence[Finding], *, files_at: str = "", owners: Owners | None = None) -> str:
    """Render the page. `files_at` is a repository's web URL, or `vscode://file/` and a path."""
    rows = sort_by_severity(findings)[:MAX_FINDINGS]
    script = _read_asset("html.js")
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'"
    lines = [
        '<!doctype html><html lang="en"><meta charset="utf-8">',
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>Findings</title><style>{_read_asset('html.css')}</style>",
        "<h1>Findings</h1>",
        *(f"<p>{escape(line)}</p>" for line in format_summary(findings).splitlines()),
        *([f"<p>The {MAX_FINDINGS:,} most severe are listed.</p>"] if len(findings) > MAX_FINDINGS else []),
        *_render_filters(rows, owners),
        *_render_table(rows, files_at, owners),
        f"<script>{script}</script></html>",
    ]
    return "".join(f"{line}\n" for line in lines)


@cache
def _read_asset(name: str) -> str:
    return (files(__package__) / name).read_text(encoding="utf-8").rstrip("\n")


def _render_filters(findings: Sequence[Finding], owners: Owners | None) -> Iterator[str]:
    yield '<form id="filters">'
    yield _render_menu("severity", "Severity", (str(finding.severity) for finding in findings), by_count=False)
    yield _render_menu("rule", "Rule", (finding.rule for finding in findings))
    yield _render_menu("folder", "Folder", (get_folder(finding.span.path) for finding in findings))
    if owners:
        yield _render_menu("owner", "Owner", (owner for finding in findings for owner in _get_owners(finding, owners)))
    yield '<label>Text <input type="search" name="text"></label>'
    yield '<output id="count"></output>'
    yield "</form>"


def _render_menu(name: str, label: str, values: Iterable[str], *, by_count: bool = True) -> str:
    counts = Counter(values)
    rows = counts.most_common() if by_count else list(counts.items())
    options = "".join(
        f'<option value="{escape(make_visible(value))}">{escape(make_visible(value))} ({count:,})</option>'
        for value, count in rows
    )
    return f'<label>{label} <select name="{name}"><option value="">all</option>{options}</select></label>'


def _render_table(findings: Sequence[Finding], files_at: str, owners: Owners | None) -> Iterator[str]:
    headings = ("Severity", "Place", "Message", "Rule", *(("Owner",) if owners else ()))
    yield f"<table><thead><tr>{''.join(f'<th>{heading}</th>' for heading in headings)}</tr></thead><tbody>"
    yield from (_render_row(finding, files_at, owners) for finding in findings)
    yield "</tbody></table>"


def _render_row(finding: Finding, files_at: str, owners: Owners | None) -> str:
    owned = " ".join(_get_owners(finding, owners)) if owners else ""
    data = {"severity": str(finding.severity), "rule": finding.rule, "folder": get_folder(finding.span.path)}
    data |= {"owner": owned} if owners else {}
    attributes = "".join(f' data-{name}="{escape(make_visible(value))}"' for name, value in data.items())
    cells = [
        f'<td class="{finding.severity}">{finding.severity}</td>',
        f"<td>{_render_location(finding, files_at)}</td>",
        f"<td>{_render_message(finding)}</td>",
        f"<td>{escape(make_visible(finding.rule))}</td>",
        *([f"<td>{escape(make_visible(owned))}</td>"] if owners else []),
    ]
    return f"<tr{attributes}>{''.join(cells)}</tr>"


def _get_owners(finding: Finding, owners: Owners) -> Sequence[str]:
    return owners(finding.span.path) or (_NOBODY,)


def _render_location(finding: Finding, files_at: str) -> str:
    line, column = finding.span.position
    name = escape(make_visible(f"{finding.span.path}:{line}:{column}")).replace("/", "/<wbr>")
    if not files_at:
        return name
    path = f"{files_at.rstrip('/')}/{quote(finding.span.path.encode('utf-8', 'surrogatepass'), safe='/')}"
    lines = f"L{line}-L{last}" if (last := get_last_line(finding.span)) > line else f"L{line}"
    place = f"#{lines}" if files_at.startswith("http") else f":{line}:{column}"
    return f'<a href="{escape(path + place)}">{name}</a>'


def _render_message(finding: Finding) -> str:
    text = _render_code(finding.message + format_platforms(finding))
    if finding.fix:
        text += f"<small>--{'fix' if finding.fix.safe else 'unsafe-fixes'}: {_render_code(finding.fix.title)}</small>"
    return text


def _render_code(text: str) -> str:
    parts = CODE.split(make_visible(text))
    return "".join(f"<code>{escape(part)}</code>" if number % 2 else escape(part) for number, part in enumerate(parts))
