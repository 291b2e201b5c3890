"""Render figures in a sandbox: escape all that a template prints, and check the output."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any, NamedTuple
from xml.parsers import expat

from jinja2 import nodes

from tutorial_tool.core import lazy_re, traced
from tutorial_tool.core.source import Source, Span
from tutorial_tool.core.traced import Run, Traced
from tutorial_tool.templating import template_limits
from tutorial_tool.templating.environment import TemplateCallError, TemplateEnvironment, render_value

FOLDER, SUFFIX = "figures", ".svg.j2"
_ESCAPES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;"})
_UNPRINTABLE = lazy_re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_MARKUP_FILTERS = ("e", "escape", "forceescape", "safe", "urlize", "xmlattr")
"""Jinja filters that mark text as markup: not needed here, and they must not bypass escaping."""
_FORBIDDEN = frozenset({"script", "foreignObject", "iframe", "object", "embed", "handler", "listener", "set"})
_LOADS = lazy_re.compile(r"@import|url\(\s*['\"]?(?!#)", re.IGNORECASE)
_SCHEME = lazy_re.compile(r"\s*(?:https?://|mailto:|[^:]*$)", re.IGNORECASE)


class Markup(Traced):
    """The output of a macro or block, which is escaped already."""

    __slots__ = ()


class Problem(NamedTuple):
    """A problem in a drawn figure, and the offset where it begins."""

    message: str
    offset: int


def escape_xml(text: str) -> str:
    """Escape text for an element or attribute, and remove the characters that XML does not allow."""
    return _UNPRINTABLE.sub("", traced.strip_origins(text)).translate(_ESCAPES)


class FigureEnvironment(TemplateEnvironment):
    """The environment of figure templates, which escapes output.

    Errors in a built-in template are reported where it is used. The text has origins only while `tracing` is set: they
    are needed only for findings, and drawing without them takes a third of the time.
    """

    def __init__(self, load: Callable[[str], Source | None], names: Callable[[], Iterable[str]]) -> None:
        super().__init__(_add_shipped_fallback(load), lambda: sorted({*names(), *load_shipped()}))
        self.tracing = False
        self.concat = self._join_markup  # type: ignore[method-assign]
        for name in _MARKUP_FILTERS:
            self.filters.pop(name)
        self.filters["wrap"] = lambda text, wide, size=14: list(
            wrap_text(traced.strip_origins(render_value(text)), wide, size)
        )
        self.filters["width"] = lambda text, size=14: round(
            measure_width(traced.strip_origins(render_value(text)), size)
        )

    def update_sources(
        self, changed: Iterable[str], load: Callable[[str], Source | None], names: Callable[[], Iterable[str]]
    ) -> None:
        super().update_sources(changed, _add_shipped_fallback(load), lambda: sorted({*names(), *load_shipped()}))

    def _join_markup(self, parts: Iterable[str]) -> Markup:
        """Join the output of a macro or block."""
        if self.tracing:
            joined = traced.concatenate(list(parts))
            return Markup(joined, joined.runs)
        text = "".join(parts)
        template_limits.check_limit(len(text) <= template_limits.MAX_TEXT)
        return Markup(text, (Run(len(text), None),))

    def emit(self, index: int, compute: Callable[[], Any]) -> Traced:
        printed = self.outputs[index]
        if (literal := printed.literal) is not None:
            self.spend_steps(1 + len(literal) // 100)
            is_tag_literal = not literal or literal.runs[0].span == printed.tag
            return literal if is_tag_literal else traced.trace_to_span(escape_xml(literal), printed.tag)
        try:
            value = compute()
            text = render_value(value)
            self.spend_steps(1 + len(text) // 100)
        except Exception as error:
            raise self._locate_error(error, printed.tag, exact=False) from error
        return value if isinstance(value, Markup) else traced.trace_to_span(escape_xml(text), printed.tag)

    def register_output(self, name: str | None, node: nodes.Node, *, whole: bool = False) -> int:
        index = super().register_output(name, node, whole=whole)
        self.outputs[index] = self.outputs[index]._replace(indentation="")  # no output here is a block of lines
        return index

    def _locate_error(self, error: Exception, span: Span, *, exact: bool = True) -> Exception:
        is_call_error = isinstance(error, TemplateCallError)  # it reports the call's arguments itself
        return super()._locate_error(error, span, exact=exact) if is_call_error or not is_shipped(span) else error


def _add_shipped_fallback(load: Callable[[str], Source | None]) -> Callable[[str], Source | None]:
    return lambda name: load(name) or load_shipped().get(name)


def is_shipped(span: Span) -> bool:
    shipped = load_shipped().get(span.source.path)
    return shipped is not None and shipped.text == span.source.text


@cache
def load_shipped() -> dict[str, Source]:
    """Return the tool's own templates, by the names that templates import them by."""
    folder = files("tutorial_tool.site.figures")
    names = sorted(entry.name for entry in folder.iterdir() if entry.name.endswith(".j2"))
    texts = {f"{FOLDER}/{name}": (folder / name).read_text(encoding="utf-8") for name in names}
    return {path: Source(path, text) for path, text in texts.items()}


def find_problem(text: str) -> Problem | None:
    """Return why a drawing is not an image: it is not SVG, or it runs or fetches something."""
    body = traced.strip_origins(text).lstrip()
    result = _DrawingChecker(body).run() if body else Problem("the figure's template prints nothing", 0)
    return result._replace(offset=result.offset + len(text) - len(body)) if result else None


_BAD_TOKEN = expat.errors.codes[expat.errors.XML_ERROR_INVALID_TOKEN]


class _DrawingChecker:
    def __init__(self, text: str) -> None:
        self.text, self.depth, self.in_style = text, 0, False
        self.parser = expat.ParserCreate()
        self.problem: Problem | None = None
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.CharacterDataHandler = self._check_characters
        self.parser.StartDoctypeDeclHandler = lambda *_: self._flag("a figure must not declare a document type")
        message = "a figure must not contain processing instructions"
        self.parser.ProcessingInstructionHandler = lambda *_: self._flag(message)

    def run(self) -> Problem | None:
        try:
            self.parser.Parse(self.text.encode("utf-8", "surrogatepass"), True)
        except expat.ExpatError as error:
            reason = expat.errors.messages[error.code]
            offset = self._compute_offset(error.lineno, error.offset)
            if error.code == _BAD_TOKEN and "&" in (self.text[offset : offset + 1], self.text[offset - 1 : offset]):
                reason = "an `&` is written `&amp;`"
            return self.problem or Problem(f"the figure is not well-formed XML: {reason}", offset)
        return self.problem

    def _compute_offset(self, line: int, column: int) -> int:
        start = 0
        for _ in range(line - 1):
            start = self.text.find("\n", start) + 1
        return min(start + column, len(self.text))

    def _flag(self, message: str) -> None:
        if self.problem is None:
            before = self.text.encode("utf-8", "surrogatepass")[: self.parser.CurrentByteIndex]
            self.problem = Problem(message, len(before.decode(errors="ignore")))

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        if not self.depth:
            self._check_root(name, attributes)
        self.depth += 1
        self.in_style = name == "style"
        if name.rpartition(":")[2] in _FORBIDDEN or (name.startswith("animate") and "href" in str(attributes)):
            self._flag(f"a figure must not contain `{name}`: it could run code")
        for key, value in attributes.items():
            self._check_attribute(name, key, value)

    def _check_root(self, name: str, attributes: dict[str, str]) -> None:
        if name != "svg":
            self._flag(f"the figure's outermost element is `{name}`; it must be `svg`")
        elif missing := [key for key in ("xmlns", "viewBox") if key not in attributes]:
            self._flag(f"the figure's `svg` element lacks `{missing[0]}`")

    def _check_attribute(self, name: str, key: str, value: str) -> None:
        if key.lower().startswith("on"):
            self._flag(f"a figure must not contain `{key}`: it could run code")
        elif key.rpartition(":")[2] in ("href", "src"):
            is_embedded = value.startswith(("#", "data:image/png", "data:image/jpeg", "data:image/webp"))
            if not is_embedded and (name != "a" or not _SCHEME.match(value)):
                self._flag(f"a figure must not load `{value}`; it must contain what it shows")
        elif _LOADS.search(value):
            self._flag(f"a figure must not load `{value}`; it must contain what it shows")

    def _end(self, name: str) -> None:
        self.depth -= 1
        self.in_style = False

    def _check_characters(self, text: str) -> None:
        if self.in_style and _LOADS.search(text):
            self._flag("a figure's style may not load anything")


# Estimate the width of text and break lines: SVG does not wrap text.


_THIN = frozenset("ijlI.,:;'’|!·` ")
_NARROW = frozenset('frt()[]{}/\\-"')
_BROAD = frozenset("mwMW@%—…→")
_PIECE = lazy_re.compile(r"\S+?(?:[-/](?=\w)|(?=\s)|$)|\s+")


def measure_width(text: str, size: float = 14) -> float:
    """Measure text in a sans-serif system font, in pixels: slightly more than most fonts take."""
    return sum(map(_measure_character, text)) * size


def _measure_character(character: str) -> float:
    if character in _THIN:
        return 0.36
    if character in _NARROW:
        return 0.45
    if character in _BROAD:
        return 0.95
    if unicodedata.east_asian_width(character) in "WF":
        return 1.02
    if unicodedata.combining(character):
        return 0.0
    return 0.7 if character.isupper() else 0.58


@lru_cache(maxsize=10_000)
def wrap_text(text: str, wide: float, size: float = 14) -> tuple[str, ...]:
    """Wrap the text in lines of at most `wide` pixels, at spaces, after - and /, or within a long word."""
    lines = [""]
    for piece in _split_pieces(text, wide, size):
        if lines[-1] and measure_width(lines[-1] + piece.rstrip(), size) > wide:
            lines.append("")
        lines[-1] += piece if lines[-1] else piece.lstrip()
    return tuple(line.rstrip() for line in lines)


def _split_pieces(text: str, wide: float, size: float) -> Iterator[str]:
    """Yield the pieces that fit a line: words, parts of hyphenated words, parts of overlong words."""
    for piece in _PIECE.findall(text):
        start = 0
        for end in range(1, len(piece) + 1):
            if end - start > 1 and measure_width(piece[start:end], size) > wide:
                yield piece[start : end - 1]
                start = end - 1
        yield piece[start:]
