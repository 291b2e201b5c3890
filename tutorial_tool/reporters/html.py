"""Findings as one self-contained page: filters by severity, rule, folder, owner and text; links to the places.

Everything is in the table as it is written, so the page reads without a script, too; the script only hides rows.
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

from tutorial_tool.core.diagnostics import Finding
from tutorial_tool.reporters.full import last_line, platforms, summary
from tutorial_tool.reporters.markdown import CODE
from tutorial_tool.reporters.ranking import by_severity, folder
from tutorial_tool.reporters.visible import visible

MAX_ROWS = 20_000  # Findings that the page has at most: a browser takes a second for so many rows
_NOBODY = "no owner"
Owners = Callable[[str], Sequence[str]]  # Who owns the file of a path


def render(findings: Sequence[Finding], *, files_at: str = "", owners: Owners | None = None) -> str:
    """`files_at` is the URL of the files' folder: of a repository's web page, or `vscode://file/` and a path."""
    rows = by_severity(findings)[:MAX_ROWS]
    script = _asset("html.js")
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'"
    lines = [
        '<!doctype html><html lang="en"><meta charset="utf-8">',
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>Findings</title><style>{_asset('html.css')}</style>",
        "<h1>Findings</h1>",
        *(f"<p>{escape(line)}</p>" for line in summary(findings).splitlines()),
        *([f"<p>The {MAX_ROWS:,} most severe are listed.</p>"] if len(findings) > MAX_ROWS else []),
        *_filters(rows, owners),
        *_table(rows, files_at, owners),
        f"<script>{script}</script></html>",
    ]
    return "".join(f"{line}\n" for line in lines)


@cache
def _asset(name: str) -> str:
    return (files(__package__) / name).read_text(encoding="utf-8").rstrip("\n")


def _filters(findings: Sequence[Finding], owners: Owners | None) -> Iterator[str]:
    yield '<form id="filters">'
    yield _menu("severity", "Severity", (str(finding.severity) for finding in findings), by_count=False)
    yield _menu("rule", "Rule", (finding.rule for finding in findings))
    yield _menu("folder", "Folder", (folder(finding.span.path) for finding in findings))
    if owners:
        yield _menu("owner", "Owner", (owner for finding in findings for owner in _owned(finding, owners)))
    yield '<label>Text <input type="search" name="text"></label>'
    yield '<output id="count"></output>'
    yield "</form>"


def _menu(name: str, label: str, values: Iterable[str], *, by_count: bool = True) -> str:
    counts = Counter(values)
    rows = counts.most_common() if by_count else list(counts.items())
    options = "".join(
        f'<option value="{escape(visible(value))}">{escape(visible(value))} ({count:,})</option>'
        for value, count in rows
    )
    return f'<label>{label} <select name="{name}"><option value="">all</option>{options}</select></label>'


def _table(findings: Sequence[Finding], files_at: str, owners: Owners | None) -> Iterator[str]:
    headings = ("Severity", "Place", "Message", "Rule", *(("Owner",) if owners else ()))
    yield f"<table><thead><tr>{''.join(f'<th>{heading}</th>' for heading in headings)}</tr></thead><tbody>"
    for finding in findings:
        yield _row(finding, files_at, owners)
    yield "</tbody></table>"


def _row(finding: Finding, files_at: str, owners: Owners | None) -> str:
    owned = " ".join(_owned(finding, owners)) if owners else ""
    data = {"severity": str(finding.severity), "rule": finding.rule, "folder": folder(finding.span.path)}
    data |= {"owner": owned} if owners else {}
    attributes = "".join(f' data-{name}="{escape(visible(value))}"' for name, value in data.items())
    cells = [
        f'<td class="{finding.severity}">{finding.severity}</td>',
        f"<td>{_place(finding, files_at)}</td>",
        f"<td>{_message(finding)}</td>",
        f"<td>{escape(visible(finding.rule))}</td>",
        *([f"<td>{escape(visible(owned))}</td>"] if owners else []),
    ]
    return f"<tr{attributes}>{''.join(cells)}</tr>"


def _owned(finding: Finding, owners: Owners) -> Sequence[str]:
    return owners(finding.span.path) or (_NOBODY,)


def _place(finding: Finding, files_at: str) -> str:
    line, column = finding.span.position
    name = escape(visible(f"{finding.span.path}:{line}:{column}")).replace("/", "/<wbr>")
    if not files_at:
        return name
    path = f"{files_at.rstrip('/')}/{quote(finding.span.path.encode('utf-8', 'surrogatepass'), safe='/')}"
    lines = f"L{line}-L{last}" if (last := last_line(finding.span)) > line else f"L{line}"
    place = f"#{lines}" if files_at.startswith("http") else f":{line}:{column}"
    return f'<a href="{escape(path + place)}">{name}</a>'


def _message(finding: Finding) -> str:
    """The message, and the title of the fix."""
    text = _mark_code(finding.message + platforms(finding))
    if finding.fix:
        text += f"<small>--{'fix' if finding.fix.safe else 'unsafe-fixes'}: {_mark_code(finding.fix.title)}</small>"
    return text


def _mark_code(text: str) -> str:
    """Return HTML of a text, with what it has in backticks as code."""
    parts = CODE.split(visible(text))
    return "".join(f"<code>{escape(part)}</code>" if number % 2 else escape(part) for number, part in enumerate(parts))
