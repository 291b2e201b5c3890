"""Converts tabs, admonitions and attributes of Python-Markdown to another generator's syntax."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from tutorial_tool import data
from tutorial_tool.core import lazy_re
from tutorial_tool.core.diagnostics import MAX_DEPTH
from tutorial_tool.core.source import find_line_start
from tutorial_tool.markdown import headings
from tutorial_tool.markdown.ast import Block
from tutorial_tool.markdown.document import Document
from tutorial_tool.markdown.html_tags import VOID
from tutorial_tool.markdown.parser import Dialect
from tutorial_tool.publishing import text_edits
from tutorial_tool.publishing.export.engines import Engine
from tutorial_tool.publishing.text_edits import Edit

IMPORTS = "import Tabs from '@theme/Tabs';\nimport TabItem from '@theme/TabItem';\n"
_OPENING = lazy_re.compile(
    r"(?P<before>[ \t]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*)"
    r"(?:(?P<sign>!!!|\?\?\?\+?)[ ]*(?P<word>[\w-]+)[\w -]*?(?:[ ]*\"(?P<title>.*)\")?"
    r"|===(?P<new>[+!]*)[ ]+\"(?P<tab>.*)\")[ ]*"
)
_KINDS = {
    "info": "abstract summary tldr info todo example",
    "tip": "tip hint important success check done question help faq",
    "warning": "warning caution attention",
    "danger": "danger error bug failure fail missing",
}
_KIND = {word: kind for kind, words in _KINDS.items() for word in words.split()}
"""The meaning of an admonition's word; `note` for any other."""
_WORDS: dict[str, dict[str, str]] = {
    "starlight": {"info": "note", "warning": "caution"},
    "vitepress": {"note": "info"},
    "alert": {"info": "note", "danger": "caution"},
}
"""The generators' words for them, if different."""
_ATTRIBUTES_AFTER = lazy_re.compile(
    r"\{:?[ ]*+(?:(?:[.#][\w-]++|[\w:-]++=(?:\"[^\"\n{}]*+\"|'[^'\n{}]*+'|[^\s\"'{}]++))[ ]*+)++\}"
)
"""Attributes after a link or image."""
_TITLE = lazy_re.compile(r"\btitle=\"[^\"\n]*\"")
_FENCE_INFO = lazy_re.compile(r"\{[^{}\n]*?\.([\w+#-]+)[^{}\n]*\}")


class _Container(NamedTuple):
    """An admonition or tab as typed: its span, and its body with the indentation of the first line."""

    block: Block
    start: int
    end: int
    prefix: str
    marker: str
    word: str
    title: str | None
    starts_group: bool
    body: tuple[str, ...]

    @property
    def is_tab(self) -> bool:
        return not self.marker


def build_edits(text: str, document: Document, engine: Engine) -> list[Edit]:
    """Return the inline edits: attributes, tags and code languages."""
    return [
        *_build_attribute_edits(text, document, engine),
        *_build_tag_edits(document, engine),
        *_build_fence_edits(text, document, engine),
    ]


def _build_attribute_edits(text: str, document: Document, engine: Engine) -> Iterator[Edit]:
    """Yield edits that convert or remove the attributes of links, images and text for the generator."""
    if engine.attributes == "all":
        return
    for start, end in sorted(_find_attributes(text, document)):
        value = text[start:end]
        if engine.attributes == "colon" and value.startswith("{:"):
            continue
        if engine.attributes == "braces" and text[start - 1 : start] == ")":
            yield start, end, f"{{{value.strip('{}').removeprefix(':').strip()}}}"
        else:
            yield *_expand_span(text, start, end), ""


def _find_attributes(text: str, document: Document) -> set[tuple[int, int]]:
    """Return the spans of attributes in text, and after links and images."""
    out = set()
    for node, block in document.get_inlines():
        if node.kind == "attrs" and block.kind != "heading":
            out.add((node.start, node.end))
        elif node.kind in ("link", "image") and (match := _ATTRIBUTES_AFTER.match(text, node.end)):
            out.add(match.span())
    return out


def _expand_span(text: str, start: int, end: int) -> tuple[int, int]:
    """Return a span extended by the white space before it, and by its line if that is otherwise empty."""
    before = text[:start].rstrip(" \t")
    is_whole = before.endswith("\n") and (text[end : end + 1] in ("", "\n"))
    return len(before) - is_whole, end


def _build_tag_edits(document: Document, engine: Engine) -> Iterator[Edit]:
    """Yield edits that close void tags for JSX, or replace line breaks by spaces where HTML is not read."""
    if engine.html and not engine.jsx:
        return
    for tag in document.tags:
        text = document.text
        is_ended = text[tag.end - 2] == "/" or text.startswith(f"</{tag.name}>", tag.end)  # as JSX requires
        if engine.jsx and tag.name.lower() in VOID and not tag.closing and not is_ended:
            yield tag.end - 1, tag.end, " />"
        elif not engine.html and tag.name.lower() == "br":
            yield tag.start, tag.end, " "


def _build_fence_edits(text: str, document: Document, engine: Engine) -> Iterator[Edit]:
    """Yield edits for fences that have the code language among attributes: "``` { .py title=… }"."""
    if engine.attributes == "all":
        return
    for block, _ in document.walk():
        if block.kind == "code" and block.fence and (match := _FENCE_INFO.fullmatch(block.info.strip())):
            info_start = text.find(block.info.strip(), block.start, block.end)
            start = len(text[:info_start].rstrip(" "))
            title = _TITLE.search(match[0]) if engine.tabs == "jsx" else None
            yield start, info_start + len(match[0]), match[1] + (f" {title[0]}" if title else "")


def convert_containers(text: str, engine: Engine) -> str:
    """Convert tabs and admonitions to the generator's syntax, inner ones first."""
    if engine.boxes == "mkdocs" or not any(marker in text for marker in ("!!!", "???", "===")):
        return text
    for _ in range(MAX_DEPTH):
        edits = list(_build_container_edits(text, engine))
        if not edits:
            break
        text = text_edits.apply_edits(text, edits)
    return text


def add_imports(text: str, engine: Engine) -> str:
    """Add the imports that a page's tabs need, at the start of its body."""
    if engine.tabs != "jsx" or "@theme/Tabs" in text or not _NEEDS_IMPORTS.search(text):
        return text
    body = data.find_body_start(text)
    head = text[:body].rstrip("\n")
    return f"{head}{chr(10) * 2 if head else ''}{IMPORTS}\n{text[body:].lstrip(chr(10))}"


_NEEDS_IMPORTS = lazy_re.compile(r"^[ ]*<Tabs>$", re.MULTILINE)


def _build_container_edits(text: str, engine: Engine) -> Iterator[Edit]:
    document = Document(text, Dialect.PYTHON_MARKDOWN)
    containers = {id(block): container for block, _ in document.walk() if (container := _parse_container(text, block))}
    outer = _find_outer_blocks(document.blocks, containers.keys())
    for siblings in (document.blocks, *(block.children for block, _ in document.walk())):
        for group in _group_containers(containers.get(id(block)) for block in siblings):
            if not any(id(item.block) in outer for item in group):
                yield group[0].start, group[-1].end, _render_group(group, engine)


def _find_outer_blocks(blocks: Iterable[Block], ids: Iterable[int]) -> set[int]:
    """Return those of the object ids whose blocks contain blocks with other ones."""
    containers, outer = set(ids), set[int]()
    pending: list[tuple[Block, tuple[int, ...]]] = [(block, ()) for block in blocks]
    while pending:
        block, ancestors = pending.pop()
        if id(block) in containers:
            outer.update(ancestors)
            ancestors = (*ancestors, id(block))
        pending += [(child, ancestors) for child in block.children]
    return outer


def _group_containers(containers: Iterable[_Container | None]) -> list[list[_Container]]:
    """Group siblings, of which None are no containers: each admonition alone, each tab with the tabs that follow."""
    groups: list[list[_Container]] = []
    is_open = False
    for container in containers:
        if container and is_open and container.is_tab and not container.starts_group:
            groups[-1].append(container)
        elif container:
            groups.append([container])
        is_open = container is not None and container.is_tab
    return groups


def _parse_container(text: str, block: Block) -> _Container | None:
    if block.kind != "container":
        return None
    start = find_line_start(text, block.start)
    first, *lines = text[start : block.end].rstrip().split("\n")
    match = _OPENING.fullmatch(first)
    if match is None:
        return None
    indent = len(match["before"].expandtabs(4))
    body = tuple(_dedent_line(line, indent) for line in lines)
    end = start + len(text[start : block.end].rstrip())
    is_tab = match["tab"] is not None
    word = "" if is_tab else match["word"].lower()
    title = match["tab"] if is_tab else match["title"]
    starts_group = "!" in (match["new"] or "")
    return _Container(
        block, start, end, match["before"], match["sign"] or "", word, title, starts_group, _trim_blank_lines(body)
    )


def _dedent_line(line: str, indent: int) -> str:
    """Return a body line without its container's indentation and the four columns of its body."""
    column = index = 0
    while column < indent + 4 and line[index : index + 1] in (" ", "\t"):
        column += 4 - column % 4 if line[index] == "\t" else 1
        index += 1
    content = line[index:]
    return " " * (column - indent - 4) + content if content.strip() else ""


def _trim_blank_lines(lines: Sequence[str]) -> tuple[str, ...]:
    filled = [number for number, line in enumerate(lines) if line]
    return tuple(lines[filled[0] : filled[-1] + 1]) if filled else ()


def _render_group(group: Sequence[_Container], engine: Engine) -> str:
    lines = _render_tabs(group, engine) if group[0].is_tab else _render_admonition(group[0], engine)
    before = group[0].prefix
    margin = " " * len(before.expandtabs(4))
    return "\n".join(f"{margin if number else before}{line}" if line else "" for number, line in enumerate(lines))


def _render_tabs(group: Sequence[_Container], engine: Engine) -> list[str]:
    titles = [container.title or "" for container in group]
    if engine.tabs == "jsx":
        return _render_tab_components(group, titles)
    if engine.tabs == "code-group" and all(map(_is_code, group)) and not any("]" in title for title in titles):
        inner = [
            line
            for container, title in zip(group, titles, strict=True)
            for line in (*_add_fence_title(container.body, title), "")
        ]
        colons = _build_longer_fence(inner)
        return [f"{colons} code-group", "", *inner, colons]
    out: list[str] = []
    for item, title in zip(group, titles, strict=True):
        out += [f"**{title}**", "", *item.body, ""]
    return out[:-1]


def _render_tab_components(group: Sequence[_Container], titles: Sequence[str]) -> list[str]:
    taken: set[str] = set()
    out = ["<Tabs>"]
    for container, title in zip(group, titles, strict=True):
        value = slug = headings.build_slug(title)
        while value in taken:
            value = f"{slug}-{len(taken)}"
        taken.add(value)
        label = title.replace("&", "&amp;").replace('"', "&quot;")
        out += [f'<TabItem value="{value}" label="{label}">', "", *container.body, "", "</TabItem>"]
    return [*out, "</Tabs>"]


def _is_code(tab: _Container) -> bool:
    """Return whether a tab has only one fenced code block."""
    children = tab.block.children
    return len(children) == 1 and children[0].kind == "code" and bool(children[0].fence) and children[0].closed


def _add_fence_title(body: Sequence[str], title: str) -> list[str]:
    first = body[0].rstrip()
    return [f"{first}{'' if first.strip('`~') else 'txt'} [{title}]", *body[1:]]


def _build_longer_fence(lines: Iterable[str]) -> str:
    runs = (re.match(r"[ ]*(:{3,})", line) for line in lines)
    return ":" * max((len(run[1]) + 1 for run in runs if run), default=3)


def _render_admonition(box: _Container, engine: Engine) -> list[str]:
    title = box.word.capitalize() if box.title is None else box.title
    if box.marker.startswith("???") and engine.details:
        opened = " open" if box.marker.endswith("+") else ""
        label = title.replace("<", "&lt;").replace("{", "&#123;")
        return [f"<details{opened}>", f"<summary>{label}</summary>", "", *box.body, "", "</details>"]
    kind = _KIND.get(box.word, "note")
    word = _WORDS.get(engine.boxes, {}).get(kind, kind)
    match engine.boxes:
        case "docusaurus" | "starlight":
            colons = _build_longer_fence(box.body)
            label = "" if title.lower() in ("", word) else "[" + title.replace("[", "\\[").replace("]", "\\]") + "]"
            return [f"{colons}{word}{label}", "", *box.body, "", colons]
        case "docusaurus 2" | "vitepress":
            colons = _build_longer_fence(box.body)
            space = "" if engine.boxes == "docusaurus 2" else " "
            return [f"{colons}{space}{word} {title}".rstrip(), "", *box.body, "", colons]
        case "alert":
            head = f"[!{word.upper()}]" + (f" {title}" if title.lower() not in ("", word) else "")
            return [f"> {head}", *_quote_lines(box.body)]
        case _:
            return [*([f"> **{title}**", ">"] if title else []), *_quote_lines(box.body)]


def _quote_lines(lines: Iterable[str]) -> Iterator[str]:
    return (f"> {line}" if line else ">" for line in lines)
