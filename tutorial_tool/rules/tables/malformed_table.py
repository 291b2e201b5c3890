"""Tables whose rows do not fit their header, or that name one setting twice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import chain
from operator import itemgetter

from tutorial_tool import links
from tutorial_tool.core import lazy_re, merge_markers
from tutorial_tool.core.diagnostics import Finding, Severity
from tutorial_tool.core.source import find_line_end, find_line_start
from tutorial_tool.data.toggle_words import normalize_text
from tutorial_tool.markdown.document import Range, Table, TableCell, is_delimiter
from tutorial_tool.markdown.parser import Dialect, split_row
from tutorial_tool.rules import rule
from tutorial_tool.rules._shared._tables import get_source_text, is_settings, iter_column
from tutorial_tool.site import Page, PageFix, Site, page_facts
from tutorial_tool.site.fact_index import collect_facts

_NO_ROW = lazy_re.compile(r"[ :=]*+|[ ]*\{(?::|[\w-]+=)[^{}]*\}[ ]*")
"""The end of a container, or attributes of the table, as Writerside and kramdown write them."""
_UNNAMED = lazy_re.compile(r"[&<↳└]|[*_](?![*_])")  # A first cell below one that names the setting, or *reserved*
_CODE = lazy_re.compile(r"(?<![`\\])(`+)(?!`)[^\n]*?(?<!`)\1(?!`)")
_PIPE = lazy_re.compile(r"(?<!\\)\|")
_EXPRESSION = lazy_re.compile(r"\{\{[^{}\n]*\}\}|\{%[^%\n]*%\}|\[!\w+ [^\[\]\n]*\]")  # The last is Retype's component
_COMMENT = lazy_re.compile(r"<!--.*?-->|(?<=\|) *\{[.#][^{}\n]*\}[ \t]*$")  # Or an attribute list behind a row
_DOCUMENTED = lazy_re.compile(r"[`*\[]|[^\W\d_] \w+ \w")  # Markup, or three words


@rule("tables", Severity.ERROR)
def check(site: Site) -> Iterator[Finding]:
    for findings in collect_facts(site, _find_malformed).values():
        yield from findings
    addresses = links.get_addresses(site)
    for page, findings in collect_facts(site, _find_split).items():
        yield from findings if not addresses.get_tree(page).has_loose_tables else ()


@page_facts.register
def _find_malformed(page: Page) -> tuple[Finding, ...]:
    return tuple(_report_page(page)) if "|" in page.plain else ()


@page_facts.register
def _find_split(page: Page) -> tuple[Finding, ...]:
    """Find what is wrong only where each pipe ends a cell."""
    return tuple(_report_split(page)) if "|" in page.plain else ()


def _report_split(page: Page) -> Iterator[Finding]:
    document, text = page.document, page.plain
    if page.dialect is not Dialect.KRAMDOWN:  # in kramdown, any row of hyphens is a delimiter, or none
        for place in document.broken_tables:
            yield from _report_unparsed(page, text, place)
    for table in document.tables:
        for row in _find_uneven_rows(page, text, table):
            if _is_split_in_code(text, row, len(table.header)):
                yield from _report_uneven_row(page, text, row, len(table.header))


def _report_page(page: Page) -> Iterator[Finding]:
    document, text = page.document, page.plain
    is_read = page.publishing_dialect is Dialect.PYTHON_MARKDOWN and document.tables
    ends = {block.end for block, _ in document.walk() if block.kind == "paragraph"} if is_read else ()
    for table in document.tables:
        if table.start - 1 in ends:
            yield _report_in_paragraph(page, table)
        yield from _report_uneven(page, text, table)
        yield from (_report_repeated_keys if is_settings(table) else _report_repeated_rows)(page, text, table)


def _report_unparsed(page: Page, text: str, place: Range) -> Iterator[Finding]:
    """Report a delimiter row whose cell count differs from the header's: a paragraph is rendered instead."""
    at = place.start
    above = ""
    for line in text[place.start : place.end].split("\n"):
        if "|" in above and "|" in line and is_delimiter(line):
            spans = page.dialect is Dialect.PYTHON_MARKDOWN
            cells, wanted = (len(split_row(typed, 0, len(typed), spans=spans)) for typed in (line, above))
            if cells < wanted or (cells > wanted and page.dialect is not Dialect.HUGO):  # Hugo adds cells to the header
                start = at + len(line) - len(line.lstrip())
                message = f"not a table: the delimiter row has {_format_cell_count(cells)}, but the header has {wanted}"
                yield page.flag((start, at + len(line.rstrip())), message)
            return
        above, at = _COMMENT.sub("", line), at + len(line) + 1


def _report_in_paragraph(page: Page, table: Table) -> Finding:
    """Report a table directly below a line of text: Python-Markdown renders both as one paragraph."""
    start = table.header[0].start if table.header else table.start
    end = table.header[-1].end if table.header else table.start
    fix = PageFix("add a blank line", ((table.start, table.start, "\n"),))
    return page.flag((start, end), "missing blank line before the table: it is published as text", fix=fix)


def _report_uneven(page: Page, text: str, table: Table) -> Iterator[Finding]:
    expected = len(table.header)
    rows = [row for row in _find_uneven_rows(page, text, table) if not _is_split_in_code(text, row, expected)]
    if len(rows) > 2 and len(rows) > len(table.rows) / 2:
        counts = sorted({len(row) for row in rows})
        message = f"the header has {_format_cell_count(expected)}, but its rows have {' or '.join(map(str, counts))}"
        related = [(page, _get_row_span(row), _format_cell_count(len(row))) for row in rows]
        lost = Severity.WARNING if counts[-1] < expected else None  # only an empty cell: nothing is lost
        yield page.flag(_get_row_span(table.header), message, related=related, severity=lost)
        return
    for row in rows:
        yield from _report_uneven_row(page, text, row, expected)


def _find_uneven_rows(page: Page, text: str, table: Table) -> list[list[TableCell]]:
    """Return the filled rows that have more or fewer cells than the header."""
    expected = len(table.header)
    rows = [row for row in table.rows if len(row) != expected and _get_filled_cells(text, row)]
    rows = [row for row in rows if not _is_generated(page, text, row, expected)]
    if _ends_with_pipe(text, table.header):
        return rows
    # `a | b |` below `Name | Type | Note` has a third, empty cell
    return [row for row in rows if len(row) + 1 != expected or not _ends_with_pipe(text, row)]


def _is_generated(page: Page, text: str, row: list[TableCell], expected: int) -> bool:
    """Return whether a pipe is part of `{{ names|join }}` or of a shortcode, in code if the page is a template."""
    line = text[slice(*_get_line_span(text, row))]
    is_template = "{%" in text or page.dialect in (Dialect.KRAMDOWN, Dialect.HUGO)
    code = () if is_template else tuple(match.span() for match in _CODE.finditer(line))
    outside = (match for match in _EXPRESSION.finditer(line) if not any(a <= match.start() < b for a, b in code))
    for match in outside:  # a tag becomes blank, and in an expression, pipes do
        blank = " " * len(match[0]) if match[0][1] == "%" else match[0].replace("|", " ")
        line = line[: match.start()] + blank + line[match.end() :]
    return len(split_row(line, 0, len(line))) == expected


def _ends_with_pipe(text: str, row: list[TableCell]) -> bool:
    return text[row[-1].end : _get_line_span(text, row).end].strip().startswith("|")


def _report_uneven_row(page: Page, text: str, row: list[TableCell], expected: int) -> Iterator[Finding]:
    line_start, line_end = _get_line_span(text, row)
    extra = _get_filled_cells(text, row[expected:])
    if merge_markers.LINE.match(text[line_start:line_end]) or _NO_ROW.fullmatch(text, line_start, line_end):
        return  # another rule reports it
    message = f"the row has {_format_cell_count(len(row))}, but the header has {expected}"
    if "|" not in text[line_start:line_end]:
        fix = PageFix("add a blank line", ((line_start, line_start, "\n"),))
        yield page.flag(_get_row_span(row), "missing blank line after the table: this is published as a row", fix=fix)
    elif extra:
        escaped = _build_escape_edits(text, line_start, line_end, expected)
        why = "; a `|` ends the cell even in code; write `\\|`" if escaped else ""
        mended = PageFix("write `\\|` in code", escaped, safe=False) if escaped else None
        yield page.flag((extra[0].start, extra[-1].end), f"{message}: extra cells are not published{why}", fix=mended)
    elif len(row) < expected:
        yield page.flag(_get_row_span(row), message, severity=Severity.WARNING)


def _get_line_span(text: str, row: list[TableCell]) -> Range:
    return Range(find_line_start(text, row[0].start), find_line_end(text, row[-1].end))


def _is_split_in_code(text: str, row: list[TableCell], expected: int) -> bool:
    return bool(_build_escape_edits(text, *_get_line_span(text, row), expected))


def _build_escape_edits(text: str, start: int, end: int, expected: int) -> tuple[tuple[int, int, str], ...]:
    """Build the edit that escapes each pipe in a row's code with a backslash, if the cell count then fits.

    It covers the whole row, since the other cells are rendered differently, too.
    """
    line = text[start:end]
    spans = list(_CODE.finditer(line))
    pipes = {match.start() for span in spans for match in _PIPE.finditer(line, *span.span())}
    mended = "".join(f"\\{sign}" if at in pipes else sign for at, sign in enumerate(line))
    if not pipes or len(split_row(mended, 0, len(mended))) != expected:
        return ()
    margin = len(line) - len(line.lstrip(" >\t"))
    return ((start + margin, end, mended[margin:]),)


def _get_filled_cells(text: str, row: list[TableCell]) -> list[TableCell]:
    return [cell for cell in row if _COMMENT.sub("", text[cell.start : cell.end]).strip()]


def _get_row_span(row: list[TableCell]) -> tuple[int, int]:
    return row[0].start, row[-1].end


def _report_repeated_keys(page: Page, text: str, table: Table) -> Iterator[Finding]:
    """Report settings that have two rows."""
    first: dict[str, tuple[int, TableCell]] = {}
    keys = [(number, cell, normalize_text(get_source_text(text, cell))) for number, cell in iter_column(table, 0)]
    times = Counter(map(itemgetter(2), keys))
    is_record = _has_records(table, times)
    for number, cell, key in keys:
        if _UNNAMED.match(text, cell.start) or not any(map(str.isalpha, key)) or times[key] > 2:
            continue  # measured, not set: `Key size | 64`; three rows share a group
        before, named = first.setdefault(key, (number, cell))
        if before != number:
            related = [(page, (named.start, named.end), "the first row")]
            is_doubtful = is_record or _may_be_two_settings(text, table.rows[before], table.rows[number])
            doubt = Severity.HINT if is_doubtful else None
            message = f"{_format_key(text, cell)} has two rows"
            yield page.flag((cell.start, cell.end), message, related=related, severity=doubt)


def _has_records(table: Table, times: Mapping[str, int]) -> bool:
    """Return whether a row is no setting: an event, a row of a query's output, or a value of one setting."""
    is_output = any("_" in cell.text for cell in table.header)
    return is_output or len(times) == 1 or sum(count > 1 for count in times.values()) > 1


def _may_be_two_settings(text: str, row: list[TableCell], other: list[TableCell]) -> bool:
    """Return whether two rows of a key may be for two objects, as their descriptions or several cells differ."""
    cells = zip(row[1:], other[1:], strict=False)
    pairs = ((get_source_text(text, left), get_source_text(text, right)) for left, right in cells)
    differing = [pair for pair in pairs if normalize_text(pair[0]) != normalize_text(pair[1])]
    return len(differing) > 1 or any(map(_DOCUMENTED.search, chain.from_iterable(differing)))


def _report_repeated_rows(page: Page, text: str, table: Table) -> Iterator[Finding]:
    """Report a row that is repeated cell by cell, if it has markup or a description: rows of data may be equal.

    A row indented with entities, or with an empty first cell, belongs to a row above it.
    """
    first: dict[str, list[TableCell]] = {}
    above = ""
    for row in table.rows:
        if not row:
            continue
        above = text[row[0].start : row[0].end].strip() or above
        written = " ".join((above, *text[row[0].end : row[-1].end].split()))
        # repeated one-row tables are samples of tables
        if written in first and len(first) > 1 and _is_documentation([get_source_text(text, cell) for cell in row]):
            related = [(page, _get_row_span(first[written]), "the first time")]
            yield page.flag(_get_row_span(row), "repeated row", related=related, severity=Severity.WARNING)
        first.setdefault(written, row)


def _is_documentation(cells: list[str]) -> bool:
    """Return whether a row has several texts, one of them with markup or a description."""
    is_filled = sum(any(map(str.isalnum, text)) for text in cells) > 1
    return is_filled and any(map(_DOCUMENTED.search, cells)) and not cells[0].startswith("&")


def _format_key(text: str, cell: TableCell) -> str:
    """Format a key as typed: one in code has backticks already."""
    key = get_source_text(text, cell)
    return key if key.startswith("`") else f"`{cell.text.strip()}`"


def _format_cell_count(count: int) -> str:
    return f"{count} cell" + ("s" if count != 1 else "")
