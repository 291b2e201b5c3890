"""Helpful messages for common YAML mistakes, from the parser's message and the text around it."""

from __future__ import annotations

import re
from typing import NamedTuple

from tutorial_tool.core import lazy_re, merge_markers
from tutorial_tool.core.source import Source, Span, find_line_start

_ODD_SPACE = lazy_re.compile(r" *([\u00a0\u2000-\u200b\u202f\u3000])")
_COMMENT = lazy_re.compile(r"[ \t](#)[^\n]*[,}\]]")
_INDENTED_BY_TAB = lazy_re.compile(r" *(\t)")
_VALUE = lazy_re.compile(r"[ ]*(?:[-?][ ]+)*(?:(?:\"[^\"\n]*\"|'[^'\n]*'|[^\s\"'\[\]{}#&*!|>%@`][^\n]*?):[ \t]+)?")
_NO_SPACE = lazy_re.compile(r"[ ]*(?:- )*[\w.-]+(:)(?=[^\s:/])|[ ]*(-)(?=[^\s-])")
_QUOTED = lazy_re.compile(r"(?<=[\[{,:\s])(?:\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\n]|'')*')(?=\s*[,}\]:\n])")
_COLON_BEFORE = lazy_re.compile(r":[ \t]")
_CLOSED = {"[": "]", "{": "}"}
_MEANS = {"[": "a list", "{": "a mapping", "*": "a reference", "&": "an anchor", "!": "a tag"}


class YamlMistake(NamedTuple):
    message: str
    span: Span


_WITHOUT_COLON = lazy_re.compile(
    r"[ ]*(?:- +)?(?P<line>(?P<key>[a-z][\w-]*) +(?P<value>[^\s:#][^:\n#]*?))[ ]*(?:#[^\n]*)?\n"
)
"""A line that would be an entry with a colon."""


class ParserProblem(NamedTuple):
    """A parser error: its message, its position, what was being read and where that started."""

    source: Source
    at: int
    text: str
    context: str = ""
    context_at: int | None = None

    def build_span(self, start: int, end: int | None = None) -> Span:
        return Span(self.source, start, min(start + 1, len(self.source.text)) if end is None else end)

    @property
    def line(self) -> int:
        return self.source.get_position(self.at).line

    def find_value_start(self, at: int) -> int:
        """Return the start of the value on the line of an offset: after `key: ` and `- `."""
        match = _VALUE.match(self.source.text, find_line_start(self.source.text, at))
        return match.end() if match else at


def explain_problem(problem: ParserProblem) -> YamlMistake:
    """Return the mistake behind a syntax error, as far as the text around it shows."""
    for recognise in (
        _find_conflict,
        _find_tab,
        _find_odd_space,
        _find_quote_mistake,
        _find_bad_first_character,
        _find_colon_mistake,
        _find_missing_colon,
        _find_bracket_mistake,
        _find_indentation_mistake,
    ):
        if mistake := recognise(problem):
            return mistake
    if "expected node content" in problem.text:
        if (at := _find_unclosed_bracket(problem)) is not None:
            message = f"the `{problem.source.text[at]}` that opens here is never closed"
            return YamlMistake(message, problem.build_span(at))
        return YamlMistake("missing value, or extra comma", problem.build_span(problem.at))
    return YamlMistake(f"YAML does not parse: {problem.text}", problem.build_span(problem.at))


def explain_indicator(first: str, span: Span) -> YamlMistake:
    """Return the mistake of an unquoted value that starts with a YAML indicator."""
    return YamlMistake(f"a value that starts with `{first}` is {_MEANS[first[0]]} to YAML: put it in quotes", span)


def find_expression(source: Source, at: int) -> YamlMistake | None:
    """Return the mistake of an unquoted value that starts with a template's `{{` or `{%`."""
    text = source.text[at : at + 2]
    return explain_indicator(text, source.span(at, at + 2)) if text in ("{{", "{%") else None


def _find_conflict(problem: ParserProblem) -> YamlMistake | None:
    mark = next(merge_markers.find_markers(problem.source.text), None)
    if mark is None or mark.start > problem.at:
        return None
    return YamlMistake(mark.message, problem.build_span(mark.start, mark.end))


def _find_tab(problem: ParserProblem) -> YamlMistake | None:
    match = _INDENTED_BY_TAB.match(problem.source.text, find_line_start(problem.source.text, problem.at))
    if match is None or problem.at > match.end():
        return None
    return YamlMistake("tab in the indentation: YAML allows only spaces", problem.build_span(match.start(1)))


def _find_odd_space(problem: ParserProblem) -> YamlMistake | None:
    """Return the mistake of a special space in the indentation of this line or the one above."""
    line_start = find_line_start(problem.source.text, problem.at)
    for start in (find_line_start(problem.source.text, max(line_start - 1, 0)), line_start):
        if match := _ODD_SPACE.match(problem.source.text, start):
            code = f"U+{ord(match[1]):04X}"
            what = "a non-breaking space" if match[1] in "\u00a0\u202f" else "a space of another kind"
            message = f"{what} ({code}) is in the indentation: YAML allows only ordinary spaces"
            return YamlMistake(message, problem.build_span(match.start(1)))
    return None


def _find_quote_mistake(problem: ParserProblem) -> YamlMistake | None:
    text, at = problem.source.text, problem.at
    if "quoted scalar" not in problem.context or problem.context_at is None:
        return None
    if "escape" in problem.text or "hex" in problem.text:
        at = text.rfind("\\", problem.context_at, at + 1)
        message = f"`{text[at : at + 2]}` is not an escape: write `\\\\` for a backslash, or use single quotes"
        return YamlMistake(message, problem.build_span(at, at + 2))
    return YamlMistake("unclosed quote", problem.build_span(problem.context_at))


def _find_bad_first_character(problem: ParserProblem) -> YamlMistake | None:
    """Return the mistake of a value that starts with a YAML indicator."""
    text, start = problem.source.text, problem.find_value_start(problem.at)
    if "cannot start any token" in problem.text and text[problem.at : problem.at + 1] in ("@", "`", "%"):
        start = problem.at  # it may be in brackets
    if mistake := find_expression(problem.source, problem.find_value_start(problem.at)):
        return mistake
    first = text[start : start + 1]
    if not first or start > problem.at:
        return None
    if first in "*&" or text[start : problem.at].rstrip().endswith(_CLOSED.get(first, "\n")):
        return explain_indicator(first, problem.build_span(start))
    if first in "@`%,]}":
        name = "a backtick" if first == "`" else f"`{first}`"
        return YamlMistake(f"a value can't start with {name}: put it in quotes", problem.build_span(start))
    if first in "|>" and "block scalar" in problem.context:
        return YamlMistake(f"text after `{first}` belongs on the next line, indented", problem.build_span(problem.at))
    if text.startswith("- ", start) and start == problem.at and start > find_line_start(problem.source.text, start):
        return YamlMistake("a list starts on its own line, below its key", problem.build_span(start))
    return _find_text_after_quote(problem)


def _find_text_after_quote(problem: ParserProblem) -> YamlMistake | None:
    before = problem.source.text[find_line_start(problem.source.text, problem.at) : problem.at].rstrip(" ")
    quote = before[-1:]
    if quote not in ("'", '"') or "block" not in problem.context:
        return None
    if before.count(quote) % 2:
        closing = problem.at - (problem.at - find_line_start(problem.source.text, problem.at) - len(before)) - 1
        message = "this quote closes one from a line above: a quote is missing there"
        return YamlMistake(message, problem.build_span(closing))
    inside = "`''`" if quote == "'" else '`\\"`'
    message = f"text after the closing quote: put all of it in quotes, and write a quote inside as {inside}"
    return YamlMistake(message, problem.build_span(problem.at))


def _find_colon_mistake(problem: ParserProblem) -> YamlMistake | None:
    if "mapping values are not allowed" not in problem.text:
        return None
    source, start = problem.source, find_line_start(problem.source.text, problem.at)
    if (
        problem.find_value_start(problem.at) < problem.at
        and ":" in source.text[start : problem.find_value_start(problem.at)]
    ):
        return YamlMistake("`: ` inside a value: put the value in quotes", problem.build_span(problem.at))
    above = find_line_start(source.text, max(start - 1, 0))
    if mistake := _find_missing_space(source, above):
        return mistake
    key = source.text[start : problem.at].strip()
    match = _WITHOUT_COLON.match(source.text, above)
    if match and match.start("line") - above == source.text[start : problem.at].index(key):
        message = f"`{match['line']}` is missing a colon: write `{match['key']}: {match['value']}`"
        return YamlMistake(message, source.span(*match.span("line")))
    message = f"`{key}` is not allowed here: the line above already gives a value"
    return YamlMistake(message, source.span(problem.at - len(key), problem.at))


def _find_missing_space(source: Source, start: int) -> YamlMistake | None:
    if match := _NO_SPACE.match(source.text, start):
        message = f"a space is missing after `{match[1] or match[2]}`"
        return YamlMistake(message, source.span(match.end() - 1, match.end()))
    return None


def _find_missing_colon(problem: ParserProblem) -> YamlMistake | None:
    if "could not find expected ':'" not in problem.text or problem.context_at is None:
        return None
    source, start = problem.source, problem.context_at
    if mistake := _find_missing_space(source, start):
        return mistake
    end = source.get_line_end(source.get_position(start).line)
    return YamlMistake("this line is neither `key: value` nor `- item`", source.span(start, end))


def _find_bracket_mistake(problem: ParserProblem) -> YamlMistake | None:
    if "flow" not in problem.context or problem.context_at is None:
        return None
    opened = problem.source.text[problem.context_at : problem.context_at + 1]
    closed = _CLOSED.get(opened)
    if closed is None:
        return None
    if mistake := _find_unclosed_quote(problem, problem.context_at):
        return mistake
    before = problem.source.text[find_line_start(problem.source.text, problem.at) : problem.at]
    if problem.source.text.startswith(": ", problem.at) and _COLON_BEFORE.search(re.split(r"[,{\[]", before)[-1]):
        message = "`: ` inside a value: put the value in quotes, or a comma before the next key"
        return YamlMistake(message, problem.build_span(problem.at))
    return YamlMistake(
        f"the `{opened}` that opens here is never closed, or a comma is missing before "
        f"{_format_position(problem)}: text with brackets needs quotes",
        problem.build_span(problem.context_at),
    )


def _find_unclosed_quote(problem: ParserProblem, opened: int) -> YamlMistake | None:
    """Return an unclosed quote or a comment that hides the closing bracket on the opening bracket's line."""
    text, end = problem.source.text, problem.source.get_line_end(problem.source.get_position(opened).line)
    if problem.at < end:
        return None
    at = opened
    while at < end:
        if match := _QUOTED.match(text, at):
            at = match.end()
        elif text[at] in "\"'" and text[opened:at].rstrip()[-1:] in (":", ",", "[", "{"):
            return YamlMistake("unclosed quote", problem.build_span(at))
        elif match := _COMMENT.match(text, at):
            return YamlMistake("` #` starts a comment here: put the text in quotes", problem.build_span(match.start(1)))
        else:
            at += 1
    return None


def _find_unclosed_bracket(problem: ParserProblem) -> int | None:
    """Return the last bracket that is open at the end of the text; None if more text follows."""
    if problem.source.text[problem.at :].strip():
        return None
    closed: list[str] = []
    for at in range(problem.at - 1, -1, -1):
        char = problem.source.text[at]
        if char in _CLOSED.values():
            closed.append(char)
        elif char in _CLOSED and closed:
            closed.pop()
        elif char in _CLOSED:
            return at
    return None


def _format_position(problem: ParserProblem) -> str:
    line, column = problem.source.get_position(problem.at)
    return f"line {line}, column {column}"


def _find_indentation_mistake(problem: ParserProblem) -> YamlMistake | None:
    text, start = problem.source.text, find_line_start(problem.source.text, problem.at)
    width = problem.at - start
    expected = re.search(r"expected key|indicator|document start|block end", problem.text)
    if start == 0 or text[start : problem.at].strip(" ") or not expected:
        return None
    span = problem.build_span(problem.at, problem.source.get_line_end(problem.line))
    return YamlMistake(_describe_misplaced(problem, width), span)


def _describe_misplaced(problem: ParserProblem, width: int) -> str:
    source, at, above = problem.source, problem.at, problem.context_at
    if above is not None and source.get_position(above).column == width + 1:
        if source.text.startswith("- ", above) and not source.text.startswith("- ", at):
            return f"this is not a `- item`, but the list from line {source.get_position(above).line} on has not ended"
        if source.text.startswith("- ", at) and not source.text.startswith("- ", above):
            return f"this is a `- item` among the keys from line {source.get_position(above).line} on"
    if not width:
        return "this line is not indented, but the line above it is"
    return f"the indentation of {width} space{'s' * (width > 1)} matches no line above; align it"
