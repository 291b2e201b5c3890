"""Translatable texts of templates and data: their locations, and how translations are written."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import partial
from itertools import pairwise, zip_longest
from typing import NamedTuple

from tutorial_tool import data
from tutorial_tool.core import lazy_re
from tutorial_tool.core.source import Edit, Source, Span
from tutorial_tool.markdown import headings
from tutorial_tool.markdown.document import Document
from tutorial_tool.markdown.parser import Dialect

_TAG = lazy_re.compile(r"\{\{.*?\}\}|\{%.*?%\}|\{#.*?#\}", re.DOTALL)
_PRINTS, _CONTROLS, _REST = "\ue000", "\ue001", "\ue002"  # Replace a tag while Markdown and YAML are parsed
_HIDDEN = lazy_re.compile(f"[{_PRINTS}{_CONTROLS}]{_REST}*")
_CONTROL_LINE = lazy_re.compile(rf"^[ \t]*{_CONTROLS}[{_CONTROLS}{_REST} \t]*(?:\n|\Z)", re.MULTILINE)
_TOKEN = lazy_re.compile(
    r"\{\{.*?\}\}|\{%.*?%\}|\{#.*?#\}|(?P<code>`+)(?:.|\n)*?(?P=code)|\]\((?:\{\{.*?\}\}|[^()\s]|\([^()\s]*\))*|"
    r"\{:[^{}\n]*\}|\{[a-z-]+\}|</?[a-zA-Z][^<>]*>|<?https?://[^\s<>)]+",
    re.DOTALL,
)
"""What is equal in every language: tags, code, URLs, attributes, placeholders, HTML."""
_CODE = lazy_re.compile(r"```.*?```|`[^`\n]*`|\]\([^)]*\)|<[^<>]*>", re.DOTALL)
_VALUE = lazy_re.compile(r"\bvalues(?:\.|\[['\"])([\w-]+)")  # A free value that a template prints
_WORD = lazy_re.compile(r"[^\W\d_]")
_OURS = lazy_re.compile(r"\{\{[-+]?\s*(?:(?P<texts>figure|link)|table|rows|part|code|platform\b[\w.]*|step\b[\w.]*)\(")
"""Calls of our functions. In two of them, keyword arguments are texts; in others, what looks like a text."""
_ARGUMENT = lazy_re.compile(
    r"""\b(?P<key>\w+)\s*=(?!=)|(?P<asks>\(\s*|\w\[\s*|[=!]=\s*|\bin\s+)?(?P<quote>["'])(?P<text>[^"'\\\n]*)(?P=quote)"""
)
_SET = lazy_re.compile(r"\{%[-+]?\s*set\b")
_IDS = frozenset(("", "kind", "table", "needs", "only", "columns"))  # Arguments of figures that are not texts
_LIKE_TEXT = lazy_re.compile(r"[^\W\d_a-z]|\S+ \S")
_CONTINUED = lazy_re.compile(r"[ \t]*(?:>[ \t]*)*")
_BREAK = lazy_re.compile(r"(?:[ ]{2,}|\\)\Z")
_STARTS_BLOCK = lazy_re.compile(r"\A(?:[-+*#>]|\d+(?=[.)]))(?=[.)]?\s)")
_NO_TEXT = frozenset(("only", "needs", "draft", "omit", "because", "on"))  # Keys of rows that are not columns


Key = tuple[str, str]  # A text, and its context


class Segment(NamedTuple):
    """A text, its span in the file, and a function that formats its translation for that span."""

    text: str
    start: int
    end: int
    format_translation: Callable[[str], str]
    context: str = ""


def collect_texts(
    sources: Mapping[str, Source], data_files: Collection[str], templates: Iterable[str], strings: Iterable[str]
) -> dict[Key, list[Span]]:
    """Return the texts of data files and templates, with their contexts, each with its places; fixed words of ours,
    which are the `strings`, have none.

    A free value is a text if a template prints it as one, and never in code or an address.
    """
    out: dict[Key, list[Span]] = {}
    shown, coded = set[str](), set[str]()
    for path in sorted({*data_files, *templates}, key=lambda path: (path in data_files, path)):
        for unit in _find_segments(path, sources[path]):
            out.setdefault((unit.text, unit.context), []).append(sources[path].span(unit.start, unit.end))
            shown.update(_VALUE.findall(_CODE.sub("", unit.text)))
        coded.update(name for code in _CODE.findall(sources[path].text) for name in _VALUE.findall(code))
    contexts = {"", *(f"values.{name}" for name in shown - coded)}
    printed = {key: places for key, places in out.items() if key[1] in contexts}
    return printed | {(text, ""): [] for text in strings}


def translate_source(path: str, source: Source, known: Mapping[Key, str]) -> str:
    """Return a project file with all available translations inserted."""
    pairs = ((unit, known.get((unit.text, unit.context))) for unit in _find_segments(path, source))
    return source.apply(
        Edit(source.span(unit.start, unit.end), unit.format_translation(new)) for unit, new in pairs if new
    )


def find_translation(source: Source, known: Mapping[Key, str], offset: int) -> tuple[Segment, Span] | None:
    """Return the text, and its span, whose translation is at an offset of the output of `translate_source`."""
    for unit in _find_segments(source.path, source):
        new = known.get((unit.text, unit.context))
        length = len(unit.format_translation(new)) if new else unit.end - unit.start
        if new and unit.start <= offset < unit.start + length:
            return unit, source.span(unit.start, unit.end)
        offset -= length - (unit.end - unit.start)
    return None


def _find_segments(path: str, source: Source) -> list[Segment]:
    if path.endswith((".yaml", ".yml")):
        return list(_find_data_segments(source))
    units = sorted(
        _find_template_segments(source.text) if path.endswith((".md.j2", ".md")) else (), key=lambda unit: unit.start
    )
    return [unit for unit, before in zip(units, [None, *units], strict=False) if not before or before.end <= unit.start]


def find_differing_tokens(text: str, other: str) -> list[str]:
    """Return tags, code, URLs and placeholders in only one of two texts; texts inside tags may differ."""
    here, there = (Counter(_map_tag_texts(m[0], lambda _: "") for m in _TOKEN.finditer(t)) for t in (text, other))
    return [token for token in ((here - there) + (there - here)).elements() if not token.startswith(("](http", "http"))]


def map_words(text: str, change: Callable[[str], str]) -> str:
    """Change the words of a text between its tokens, and those inside tags."""
    out, at = [], 0
    for match in _TOKEN.finditer(text):
        out += [change(text[at : match.start()]), _map_tag_texts(match[0], lambda text: map_words(text, change))]
        at = match.end()
    return "".join([*out, change(text[at:])])


def _map_tag_texts(tag: str, change: Callable[[str], str]) -> str:
    for start, end in reversed(_find_tag_texts(tag)):
        tag = tag[:start] + change(tag[start:end]) + tag[end:]
    return tag


def _find_tag_texts(tag: str) -> list[tuple[int, int]]:
    """Return the spans of reader-visible texts in a figure, link, macro, or variable tag."""
    ours, is_set = _OURS.match(tag), _SET.match(tag) is not None
    if not (tag.startswith("{{") or is_set) or (ours and not ours["texts"]):
        return []
    places = [
        place for key, place in _find_arguments(tag, is_strict=bool(ours or is_set)) if not (ours and key in _IDS)
    ]
    like_texts = [place for place in places if _LIKE_TEXT.match(tag, *place)]
    return places if ours or (is_set and like_texts) else like_texts


def _find_arguments(tag: str, *, is_strict: bool) -> Iterator[tuple[str, tuple[int, int]]]:
    """Yield quoted texts, each with the keyword before it. `is_strict` skips texts that are names."""
    key = ""
    for match in _ARGUMENT.finditer(tag):
        key = match["key"] or key
        if _WORD.search(match["text"] or "") and not (is_strict and match["asks"]):
            yield key, match.span("text")


# Templates


def _find_template_segments(text: str) -> Iterator[Segment]:
    """Yield the title, paragraphs, headings, cells, captions and so on of a Markdown template."""
    hidden = _TAG.sub(lambda tag: (_PRINTS if tag[0][1] == "{" else _CONTROLS) + _REST * (len(tag[0]) - 1), text)
    front = data.find_front_matter(hidden)
    begin = front.body if front else 0
    if front:
        yield from _find_front_segments(text, hidden, front)
    shown = Document(_CONTROL_LINE.sub("", hidden[begin:]), Dialect.PYTHON_MARKDOWN)
    shift, cuts = begin, [(0, begin)]  # Offsets in `shown` after each removed line, and how far the text moved
    for line in _CONTROL_LINE.finditer(hidden, begin):
        shift += len(line[0])
        cuts.append((line.end() - shift, shift))
    for tag in filter(lambda tag: _SET.match(tag[0]), _TAG.finditer(text, begin)):
        yield from _find_tag_segments(text, tag)
    for (low, shift), (high, _) in pairwise([*cuts, (len(shown.text), 0)]):
        for start, end, kind in _iter_ranges(shown):
            if low < end and start < high:
                yield from _find_range_segments(text, max(start, low) + shift, min(end, high) + shift, kind)


def _has_words(text: str) -> bool:
    return _WORD.search(_TOKEN.sub("", text)) is not None


def _iter_ranges(document: Document) -> Iterator[tuple[int, int, str]]:
    """Yield the spans of a page that are one text each, with kind: `paragraph`, `heading`, or "".

    The first characters of a `paragraph` could start another block; a `heading` has no id.
    """
    counts = Counter(heading.text for heading in document.headings)
    for heading in document.headings:
        kind = "heading" if heading.attrs is None and counts[heading.text] == 1 else ""
        yield heading.content_start, heading.content_end, kind
    for block, _ in document.walk():
        if block.kind in ("paragraph", "container") and block.content:
            yield (*block.content, block.kind)
        yield from ((cell.start, cell.end, "") for row in block.rows for cell in row)
    yield from ((*prose.place, "") for prose in document.get_prose() if prose.block.kind == "html")


def _find_range_segments(text: str, start: int, end: int, kind: str) -> Iterator[Segment]:
    begun = _CONTINUED.match(text, start, end)
    start = begun.end() if begun else start
    shown = text[start:end].rstrip()
    if not _has_words(shown):
        for tag in _TAG.finditer(text, start, start + len(shown)):
            yield from _find_tag_segments(text, tag)
    else:
        yield Segment(_unwrap_text(shown), start, start + len(shown), partial(_fit_translation, shown, kind))


def _find_tag_segments(text: str, tag: re.Match[str]) -> Iterator[Segment]:
    for start, end in _find_tag_texts(tag[0]):
        place = tag.start() + start, tag.start() + end
        yield Segment(text[slice(*place)], *place, _escape_literal)


def _escape_literal(new: str) -> str:
    return re.sub(r"[\\\n{}%]", " ", new).replace("'", "’").replace('"', "”")


def _unwrap_text(shown: str) -> str:
    """Join a text to one line, except at line breaks that readers see."""
    lines = [_CONTINUED.sub("", line, count=1) if at else line for at, line in enumerate(shown.split("\n"))]
    return "".join(line + ("\n" if _BREAK.search(line) else " ") for line in lines).rstrip()


def _fit_translation(shown: str, kind: str, new: str) -> str:
    """Fit a translation to its template: it stays one block or cell; a heading keeps its anchor."""
    _, line_end, second = shown.partition("\n")
    prefix = _CONTINUED.match(second)
    new = new.replace("\n", f"\n{prefix[0]}" if line_end and prefix else " ")
    if kind == "heading" and not _TOKEN.search(shown):
        new += f" {{: #{headings.build_slug(shown)} }}"
    if kind == "paragraph" and not _STARTS_BLOCK.match(shown):
        new = _STARTS_BLOCK.sub(lambda sign: f"{sign[0]}\\" if sign[0].isdigit() else f"\\{sign[0]}", new, count=1)
    return map_words(new, lambda part: part.replace("|", "&#124;")) if "|" in new and "|" not in shown else new


def _find_front_segments(text: str, hidden: str, front: data.FrontMatter) -> Iterator[Segment]:
    node = data.load_yaml(Source("", hidden), front.start, front.end).node
    for key in ("title", "description"):
        value = data.get_node(node, key)
        if isinstance(value, data.Scalar):
            start, end = value.span.start, value.span.end
            pieces = zip_longest(_HIDDEN.split(value.plain), _TAG.findall(text[start:end]), fillvalue="")
            shown = "".join(map("".join, pieces)).strip()
            if _has_words(shown):
                yield Segment(shown, start, end, _quote_yaml)


def _quote_yaml(new: str, before: str = "", after: str = "") -> str:
    """Quote a text for YAML; tags are kept, as they run before YAML is parsed."""
    parts = re.split(f"({_TAG.pattern})", before + new + after, flags=re.DOTALL)
    written = (part if at % 2 else json.dumps(part, ensure_ascii=False)[1:-1] for at, part in enumerate(parts))
    return f'"{"".join(written)}"'


# Data


def _find_data_segments(source: Source) -> Iterator[Segment]:
    """Yield the reader-visible texts of a data file; free values have their own context."""
    seen = set[int]()
    for path, scalar in _iter_scalars(data.load_yaml(source).node, ()):
        text = scalar.plain
        context = _get_context(path)
        if (
            context is not None and _has_words(text) and scalar.span.start not in seen
        ):  # an alias is the same text as its anchor
            seen.add(scalar.span.start)
            around = text.partition(text.strip())
            yield Segment(around[1], *scalar.span[1:], partial(_quote_yaml, before=around[0], after=around[2]), context)


def _iter_scalars(node: data.Node | None, path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], data.Scalar]]:
    if isinstance(node, data.Scalar):
        yield path, node
    elif isinstance(node, data.Mapping):
        for key, value in node.items:
            yield from _iter_scalars(value, (*path, key.plain))
    elif node is not None:
        for value in node.items:
            yield from _iter_scalars(value, (*path, ""))


def _get_context(path: tuple[str, ...]) -> str | None:
    """Return the context of a text in the data; None if no reader sees it."""
    match path:
        case ("platforms", _, "name" | "section") | ("platforms", _, "labels", _) | ("tutorials", _, "title"):
            return ""
        case ("tutorials", _, "steps", _, "not-on", _) | ("tutorials", _, "on", _, "titles", _):
            return ""
        case ("tables", _, "columns", _) | ("tables", _, "columns", _, "heading") | ("tables", _, "values", _, _):
            return ""
        case ("tables", _, "rows", _, key) | ("tables", _, "rows", _, "on", _, key) if key not in _NO_TEXT:
            return ""
        case ("platforms", _, "values", name, *_):
            return f"values.{name}"
    return None
