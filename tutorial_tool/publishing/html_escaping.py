"""Escaping: values from data or front matter cannot become markup or script in the published page.

`escape_markdown` replaces the characters that would start a tag or an attribute by marks: noncharacters of Unicode,
which Markdown takes for letters. `restore_html` turns them into text. What a template's author typed is unchanged.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from html import unescape
from itertools import pairwise

from tutorial_tool import data
from tutorial_tool.core import lazy_re
from tutorial_tool.core.source import Source
from tutorial_tool.core.traced import Run, Traced
from tutorial_tool.site import Page

_CHARACTERS = "<>{}\"'=` \t\n"
_FIRST = 0xFDD0  # Unicode reserves U+FDD0 to U+FDEF for internal use: no text has them
_MARK_OF = {character: chr(_FIRST + index) for index, character in enumerate(_CHARACTERS)}
_MARKS_TO_HTML = {_FIRST + index: f"&#{ord(character)};" for index, character in enumerate(_CHARACTERS)}
MARKS_TO_TEXT = {_FIRST + index: character for index, character in enumerate(_CHARACTERS)}
_MARKS = f"[{_MARK_OF[_CHARACTERS[0]]}-{_MARK_OF[_CHARACTERS[-1]]}]"
_UNKNOWN_CODE = lazy_re.compile(f'<span class="err">({_MARKS}+)</span>')  # Marks, after syntax highlighting
_HARMLESS = lazy_re.compile(
    r"</?(?:b|br|code|em|i|kbd|mark|s|strong|sub|sup|u|wbr)\s*/?>|<https?://[\w.~:/?#@!$&*+,;%()-]++>|<mailto:[\w.+-]+@[\w.-]+>",
    re.IGNORECASE,
)
"""Tags for words without attributes, and autolinks, which data may contain."""
_GENERATED_ID = lazy_re.compile(r"\{: #[\w.-]+ \}")  # An id as the tool writes it after a heading
_EDGE = lazy_re.compile(
    r"<(?=[a-z/])|>|\{|\}|\n\n|\n(?![ \t>]*(?:`{3}|~{3}))|^[ \t>]*(?:`{3}|~{3})", re.IGNORECASE | re.MULTILINE
)
_CLOSING_EDGES = {"<": (">", "\n\n"), "{": ("}", "\n", "\n\n")}
_TAG_START = lazy_re.compile(r"<[/!?]?\Z")
# As browsers parse them: a quote starts a value only after `=`.
_ATTRIBUTE = r"""(?P<name>=?+[^\s/>=]++|=)(?:\s*+=\s*+(?P<value>"[^"]*+"|'[^']*+'|[^\s>"'][^\s>]*+))?+"""
_ATTRIBUTES = lazy_re.compile(rf"\s*+{_ATTRIBUTE}")
_TAG = lazy_re.compile(
    rf"(<[a-z][^\s/>]*+)(?=[\s/])((?:[\s/]++|{re.sub(r'[?]P<[a-z]+>', '?:', _ATTRIBUTE)})*+)(>|\Z)", re.IGNORECASE
)
"""A tag with attributes; other tags have nothing to remove."""
_SUSPICIOUS = lazy_re.compile(r"script|data|on[a-z]+\s*=|&", re.IGNORECASE)
_ADDRESSES = frozenset(("href", "src", "action", "formaction", "data", "poster", "background", "xlink:href"))
_HANDLER = lazy_re.compile(r"\bon[a-z]+(?=\s*=)", re.IGNORECASE)
_HANDLER_ASSIGNMENT = lazy_re.compile(r"on[a-z]+\s*=", re.IGNORECASE)
_IMAGE_URLS = ("data:image/png", "data:image/jpeg", "data:image/gif", "data:image/webp")
_BLANK = lazy_re.compile(r"[\x00-\x20\x7f-\x9f\u200b-\u200f\u2028-\u202f\ufeff]")


def escape_markdown(page: Page, data_files: frozenset[str]) -> str:
    """Return a page's Markdown with marks for the site. `data_files` are the paths of the data."""
    text = page.plain
    body = data.find_body_start(text)  # MkDocs parses the front matter; its values are escaped after that
    if _has_no_markup(page.text, text, body):
        return text
    out, open_construct = [text[:body]], ""
    for start, end, run in _split_runs(page.text, body):
        if _is_typed(run, data_files) or _is_block_frame(run, text[start:end], data_files):
            out.append(text[start:end])
            open_construct = _find_open_construct(open_construct, text[start:end])
            continue
        opening = _TAG_START.search(out[-1], max(len(out[-1]) - 2, 0))
        if opening and not _HARMLESS.match(text, start - len(opening[0])):  # the data would determine the tag's name
            out[-1] = out[-1][: opening.start()] + opening[0].replace("<", _MARK_OF["<"])
            open_construct = ""
        out.append(_escape_piece(text, start, end, open_construct if run.span else ""))
    return "".join(out)


def _has_no_markup(text: Traced, plain: str, start: int) -> bool:
    """Return whether nothing from an offset on looks like markup except ids that the tool added."""
    if plain.find("<", start) >= 0:
        return False
    offset = plain.find("{", start)
    while offset >= 0:
        if text.find_run(offset)[0].span is not None or not _GENERATED_ID.match(plain, offset):
            return False
        offset = plain.find("{", offset + 1)
    return True


def _split_runs(text: Traced, start: int) -> Iterator[tuple[int, int, Run]]:
    """Yield the runs from an offset on, splitting those that extend from front matter into the body."""
    offset = 0
    for run in text.runs:
        end = offset + run.length
        body = offset + _find_body(run.span.source) - run.span.start if run.span is not None and run.aligned else offset
        if start <= offset and body <= offset < end:  # nearly all
            yield offset, end, run
        else:
            cuts = {max(offset, start), body, end}
            for a, b in pairwise(sorted(cut for cut in cuts if max(offset, start) <= cut <= end)):
                yield a, b, run.cut(a - offset, b - offset)
        offset = end


def _is_typed(run: Run, data_files: frozenset[str]) -> bool:
    """Return whether the characters were typed into the body of a template, part or code file."""
    if run.span is None or not run.aligned or run.span.source.path in data_files:
        return False
    return run.span.start >= _find_body(run.span.source)


def _is_block_frame(run: Run, text: str, data_files: frozenset[str]) -> bool:
    """Return whether the tool added these characters around a block: its indentation, and code fences."""
    is_generated = not run.aligned and (run.span is None or run.span.source.path not in data_files)
    return is_generated and not text.strip(" \n`")


@lru_cache(maxsize=256)
def _find_body(source: Source) -> int:
    return data.find_body_start(source.text)


def _find_open_construct(construct: str, part: str) -> str:
    """Return `<` if a tag is open after a text, `{` if an attribute list is, or "". A code fence ends both."""
    for edge in _EDGE.findall(part):
        if not construct and edge in "<{":
            construct = edge
        elif edge[-1] in "`~" or edge in _CLOSING_EDGES.get(construct, ()):
            construct = ""
    return construct


def _escape_piece(text: str, start: int, end: int, open_construct: str) -> str:
    if open_construct:
        return "".join(_MARK_OF.get(character, character) for character in text[start:end])
    out, copied_until = [], start
    for match in re.finditer("[<{]", text[start:end]):
        offset = start + match.start()
        is_allowed = (_HARMLESS if match[0] == "<" else _GENERATED_ID).match(text, offset)
        out += [text[copied_until:offset], match[0] if is_allowed else _MARK_OF[match[0]]]
        copied_until = offset + 1
    return "".join([*out, text[copied_until:end]])


def find_typed_handlers(page: Page, data_files: frozenset[str]) -> frozenset[str]:
    """Return the event handlers typed into a page's template: no others are published."""
    text = page.plain
    if not _HANDLER_ASSIGNMENT.search(text):
        return frozenset()
    typed = "\0".join(text[start:end] for start, end, run in _split_runs(page.text, 0) if _is_typed(run, data_files))
    return frozenset(name.lower() for name in _HANDLER.findall(typed))


def restore_html(text: str, handlers: frozenset[str] | None = None) -> str:
    """Return a page's HTML with marks restored as text, and without URLs that run scripts.

    `handlers` are the allowed event handlers: some Markdown extensions do not escape quotes, so data could start an
    attribute. None keeps all.
    """
    text = _UNKNOWN_CODE.sub(r"\1", text).translate(_MARKS_TO_HTML)

    def filter_attribute(attribute: re.Match[str]) -> str:
        name = attribute["name"].lower()
        runs = name in _ADDRESSES and _is_script_url(attribute["value"] or "")
        handles = handlers is not None and name.startswith("on") and name not in handlers
        if not (runs or handles):
            return attribute[0]
        following = attribute.string[attribute.end() : attribute.end() + 1]
        return " " if following.strip() else ""  # keeps the next attribute separate

    def clean_tag(tag: re.Match[str]) -> str:
        if not _SUSPICIOUS.search(tag[2]):
            return tag[0]
        return tag[1] + _ATTRIBUTES.sub(filter_attribute, tag[2]) + tag[3]

    return _TAG.sub(clean_tag, text)


def _is_script_url(value: str) -> bool:
    value = value[1:-1] if value[:1] in ("'", '"') else value
    value = _BLANK.sub("", unescape(value)).lower()
    return value.startswith(("javascript:", "vbscript:", "data:")) and not value.startswith(_IMAGE_URLS)
