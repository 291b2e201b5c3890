"""The URLs that a page names: links and images in Markdown, in raw HTML, components and front matter."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal, NamedTuple

from tutorial_tool.core import lazy_re
from tutorial_tool.markdown import shortcodes
from tutorial_tool.markdown.document import Attribute, Document, Link, Range, Tag
from tutorial_tool.markdown.parser import Dialect

Kind = Literal[
    "inline", "definition", "autolink", "html", "component", "front-matter", "ref", "liquid", "toctree", "doc",
    "prefixed",
]  # fmt: skip


class Reference(NamedTuple):
    """A URL on a page. `place` is its span; `text` is a link's text for readers.

    A `ref` is the path of a page in a Hugo shortcode, `liquid` in a Jekyll tag, `toctree` in an entry of Sphinx'
    directive, and `doc` in its role. The generator adds the base of the site to a `prefixed` one.
    """

    kind: Kind
    href: str
    place: Range
    is_image: bool = False
    text: str = ""
    fragment: str = ""  # The fragment after a Jekyll tag, separate from the path

    @property
    def path(self) -> str:
        """The URL without query and fragment."""
        return strip_query(self.href)

    @property
    def is_raw(self) -> bool:
        """Whether browsers get the URL unchanged: some generators rewrite those in Markdown."""
        return self.kind in ("html", "component")

    @property
    def is_prefixed(self) -> bool:
        """Whether the generator adds the base of the site."""
        return self.is_path or self.kind == "prefixed"

    @property
    def is_path(self) -> bool:
        """Whether it is no URL, but the path of a file, for which the generator writes one."""
        return self.kind in ("ref", "liquid", "toctree", "doc")


PATHS: dict[str, Kind] = {"ref": "ref", "liquid": "liquid"}
"""Kinds of links that name pages by path, with their kinds of reference."""
_CANDIDATE = lazy_re.compile(r"([^\s,](?:.*?\S)?)(?:\s+[\d.]+[wxh])*\s*(?:,(?=\s)|,(?=\S+\s)|$)", re.DOTALL)
_SOURCES = {"img": "src", "source": "src", "video": "src", "audio": "src", "track": "src", "embed": "src"}
_CODE = lazy_re.compile(r"\s*(?:(?:useBaseUrl|withBase)\(\s*)?([\"'`])([^\"'`${}]*)\1\s*\)?\s*")
"""A JSX attribute that is plain text, or text passed to a base URL function."""
_LOCAL = lazy_re.compile(r"(?:/(?!/)|\.\.?/|#)[^\s]*|[\w./-]+\.mdx?(?:#\S*)?")
_PAGE = lazy_re.compile(r"\.mdx?(?:#|$)")
_FRONT_LINKS = frozenset(
    """next prev previous link href to redirect redirect_to redirectto redirects related see_also seealso
    pagination_next pagination_prev""".split()
)
_FRONT_IMAGES = frozenset("image og_image cover thumbnail hero banner logo icon_image social_image".split())
_LIQUID = lazy_re.compile(
    r"\{\{-?\s*([\"'])([^\"'{}]+)\1\s*\|\s*(?:relative_url|absolute_url)\s*-?\}\}"
    r"|\{\{-?\s*site\.(?:baseurl|url)\s*-?\}\}(/[^{}]*)"
)
_ENTRY = lazy_re.compile(
    r"^[ \t]*(?![ \t:#])(?!(?:[^\n<>]*<)?self>?[ \t]*$)"
    r"(?:(?P<title>[^\n<>]*?)[ \t]*<(?P<named>[^<>\n]+)>|(?P<path>[^\s<>]+))[ \t]*$",
    re.MULTILINE,
)
"""A `toctree` entry: a page, perhaps after a title; `self` is the page itself. Options begin with a colon."""
_OPTIONS = lazy_re.compile(r"\s*^[ \t]*---[ \t]*\n(?:[^\n]*\n)*?[ \t]*---[ \t]*$", re.MULTILINE)
"""YAML options of a directive."""
_ROLE = lazy_re.compile(r"\{doc\}`(?:(?P<text>[^`<]*)<)?(?P<to>[^`<>~!]+)>?`")
"""A Sphinx role that names a page."""
_FRONT_LINE = lazy_re.compile(
    r"^(?P<indent>[ \t]*)(?:-[ \t]+)?(?:(?P<key>[\w.-]+)[ \t]*:[ \t]*)?"
    r"(?P<quote>[\"']?)(?P<value>[^\s\"'#\[\]{}][^\s\"'\[\]{}]*)?(?P=quote)[ \t]*(?:#[^\n]*)?$",
    re.MULTILINE,
)


_FRAGMENT = lazy_re.compile(r"[ \t]*-?%\}#([^\s()<>{}\"']+)")
"""The fragment after a Jekyll tag that names a page."""
_SCHEME = lazy_re.compile(r"[a-z][a-z0-9+.-]*:|//", re.IGNORECASE)
_COMPUTED = lazy_re.compile(
    r"\{\{|\{%|\$\{|<%|\{[A-Za-z_]\w*\}|^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$|^%[\w-]+%|%%|^[@~]{1,2}[\w-]*/|^pathname:|`|^\|\w+\||[\ufffc\x00]|\.\*$"
)


_QUOTED = lazy_re.compile(
    r"^\[block:[\w-]+\].*?^\[/block\]|\{%-?\s*set\s+\w+\s*-?%\}.*?\{%-?\s*endset\s*-?%\}", re.MULTILINE | re.DOTALL
)
"""Blocks of readme.io, which contain JSON, and raw blocks of Nunjucks, mostly code samples."""


_ESCAPED = lazy_re.compile(r"\\([!-/:-@\[-`{-~])")


def unescape_markdown(text: str) -> str:
    """Return a text without the backslashes that escape punctuation in Markdown."""
    return _ESCAPED.sub(r"\1", text) if "\\" in text else text


def strip_query(href: str) -> str:
    """Return a URL without query and fragment."""
    return href.partition("#")[0].partition("?")[0]


def has_scheme(href: str) -> bool:
    """Return whether a URL names a scheme or a host."""
    return _SCHEME.match(href) is not None


def is_computed(href: str) -> bool:
    """Return whether a macro or bundler fills in a part of a URL, or Sphinx the suffix of an image (`.*`)."""
    return _COMPUTED.search(href) is not None


def is_relative(href: str) -> bool:
    """Return whether a URL is relative to its page."""
    return bool(href) and href[0] not in "/#" and not has_scheme(href) and not is_computed(href)


def find_references(document: Document) -> tuple[Reference, ...]:
    """Return the references on a page, sorted by place; each place once."""
    references: dict[Range, Reference] = {}
    for reference in (
        *_find_in_front_matter(document),
        *_find_in_markdown(document),
        *_find_in_shortcodes(document),
        *(_find_in_directives(document) if document.dialect is Dialect.MYST else ()),
        *_find_in_tags(document),
    ):
        references.setdefault(reference.place, reference)
    has_quoted = "[/block]" in document.text or "endset" in document.text
    quoted = [match.span() for match in _QUOTED.finditer(document.text)] if has_quoted else []
    places = (place for place in sorted(references) if not any(start < place.start < end for start, end in quoted))
    return tuple(references[place] for place in places)


def _find_in_markdown(document: Document) -> Iterator[Reference]:
    for link in document.links:
        if link.place is not None and (reference := _build_from_link(document, link, link.place)):
            yield reference
    for image in document.images:
        if image.kind == "inline" and image.place is not None:
            yield _build_inline(document, image.src, image.place, image.alt or "", is_image=True)
    linked = {link.href for link in document.links if link.kind == "reference"}
    shown = {image.src for image in document.images if image.kind == "reference"}
    for definition in document.definitions if linked or shown else ():
        if definition.href in linked or definition.href in shown:
            yield _build_from_definition(document, definition.place, is_image=definition.href not in linked)


def _build_from_link(document: Document, link: Link, span: Range) -> Reference | None:
    if link.kind == "inline" and document.text.endswith("@", 0, link.start) and not {*"./#"} & {*link.href}:
        return None  # a video in VuePress, by its id
    if link.kind == "inline":
        return _build_inline(document, link.href, span, str(link.text))
    if kind := PATHS.get(link.kind):
        behind = _FRAGMENT.match(document.text, span.end) if kind == "liquid" else None
        return Reference(kind, link.href, span, False, str(link.text), behind[1] if behind else "")
    if link.kind == "autolink" and ":" in link.href:  # the others are email addresses
        return Reference("autolink", link.href, span, False, str(link.text))
    return None


def _build_from_definition(document: Document, span: Range, *, is_image: bool) -> Reference:
    if named := shortcodes.parse_page_reference(document.text, *span):
        return Reference(named.kind, named.path, Range(named.start, named.end))
    return Reference("definition", unescape_markdown(document.text[slice(*span)]), span, is_image)


def _build_inline(document: Document, href: str, span: Range, text: str, *, is_image: bool = False) -> Reference:
    """Build a reference; if Liquid adds the site's base to a plain URL, the reference is to that URL."""
    match = _LIQUID.fullmatch(href) if document.dialect is Dialect.KRAMDOWN and "{{" in href else None
    if match is None:
        return Reference("inline", unescape_markdown(href), span, is_image, text)
    start, end = match.span(2 if match[2] else 3)
    inner = Range(span.start + start, span.start + end)
    path = document.text[slice(*inner)]
    return _build_prefixed(path, inner, text, is_image=is_image)


def _build_prefixed(path: str, span: Range, text: str, *, is_image: bool) -> Reference:
    """Build a reference to which the base of the site is added, with or without a slash."""
    return Reference("prefixed", path if has_scheme(path) else f"/{path.lstrip('/')}", span, is_image, text)


def _find_in_shortcodes(document: Document) -> Iterator[Reference]:
    """Yield the pages that Hugo's shortcodes name, and the images of `figure`."""
    text = document.text
    for shortcode in document.shortcodes:
        if "<!--" in text and text.rfind("<!--", 0, shortcode.start) > text.rfind("-->", 0, shortcode.start):
            continue
        if stated := shortcodes.get_page_reference(shortcode):
            yield Reference("ref", stated.path, Range(stated.start, stated.end))
        elif shortcode.name == "figure" and (src := shortcode.get("src")):
            yield Reference("prefixed", src.value, Range(src.start, src.end), True)


def _find_in_directives(document: Document) -> Iterator[Reference]:
    """Yield the pages that MyST's `toctree` and `doc` name, and the images of its other directives."""
    for image in document.images:
        if image.kind == "directive" and image.place is not None:
            yield Reference("prefixed", image.src, image.place, True)
    for node, _ in document.get_inlines():
        if node.kind == "macro" and (stated := _ROLE.match(document.text, node.start, node.end)):
            text = (stated["text"] or "").strip()
            yield Reference("doc", stated["to"].strip(), Range(*stated.span("to")), False, text)
    for block in document.code_blocks:
        if block.info.startswith("{toctree}"):
            options = _OPTIONS.match(document.text, block.content_start, block.content_end)
            start = options.end() if options else block.content_start
            for entry in _ENTRY.finditer(document.text, start, block.content_end):
                group = "path" if entry["path"] else "named"
                yield Reference("toctree", entry[group], Range(*entry.span(group)), False, entry["title"] or "")


def _find_in_tags(document: Document) -> Iterator[Reference]:
    for tag in document.tags:
        if tag.closing:
            continue
        name = tag.name.lower()
        if source := _SOURCES.get(name):
            yield from _find_in_attribute(tag, source, is_image=name in ("img", "source"))
            yield from _find_in_srcset(tag)
            yield from _find_in_attribute(tag, "poster", is_image=True)
        elif name in ("a", "area"):
            yield from _find_in_attribute(tag, "href", text=_get_text_after(document, tag))
        elif tag.name[:1].isupper():
            for attribute in ("href", "to", "link", "src", "img", "image"):
                for reference in _find_in_attribute(
                    tag, attribute, kind="component", is_image=attribute in ("src", "img", "image")
                ):
                    is_text = reference.is_image and _PAGE.search(reference.href) is not None  # included by a component
                    if _LOCAL.fullmatch(reference.href) and not is_text:
                        yield reference


def _get_text_after(document: Document, tag: Tag) -> str:
    """Return the text of a link up to the next tag; "" if there is none within 300 characters."""
    end = document.text.find("<", tag.end, tag.end + 300)
    return document.text[tag.end : end if end >= 0 else tag.end].strip()


def _find_in_attribute(
    tag: Tag, name: str, *, kind: Kind = "html", is_image: bool = False, text: str = ""
) -> Iterator[Reference]:
    attribute = tag.attributes.get(name)
    if attribute is None:
        return
    value, start, end = _get_plain_value(attribute)
    code = attribute.value.lstrip() if attribute.code else ""
    if value is not None and code.startswith("useBaseUrl("):
        yield _build_prefixed(value, Range(start, end), text, is_image=is_image)
    elif value is not None:
        yield Reference("prefixed" if code.startswith("withBase(") else kind, value, Range(start, end), is_image, text)


def _get_plain_value(attribute: Attribute) -> tuple[str | None, int, int]:
    """Return an attribute's literal text and its span; None for most JSX, which is computed."""
    if attribute.code and (code := _CODE.fullmatch(attribute.value)):
        return code[2], attribute.start + code.start(2), attribute.start + code.end(2)
    if attribute.code:
        return None, 0, 0
    return attribute.value, attribute.start, attribute.end


def _find_in_srcset(tag: Tag) -> Iterator[Reference]:
    """Yield the images of a `srcset`: URLs, with spaces as GitBook writes them, and a width or density."""
    attribute = tag.attributes.get("srcset")
    if attribute is None or attribute.end - attribute.start != len(attribute.value):
        return
    for match in _CANDIDATE.finditer(attribute.value):
        start = attribute.start + match.start()
        yield Reference("html", match[1], Range(start, start + len(match[1])), True)


def _find_in_front_matter(document: Document) -> Iterator[Reference]:
    """Yield values in the front matter that are URLs, judging by their key and their form."""
    keys: list[tuple[int, str]] = []
    for line in document.find_in_front_matter(_FRONT_LINE):
        indent = len(line["indent"])
        keys = [(at, key) for at, key in keys if at < indent or (at == indent and not line["key"])]
        if line["key"]:
            keys.append((indent, line["key"].lower().replace("-", "_")))
        value = line["value"]
        if not value or not _LOCAL.fullmatch(value) or not keys:
            continue
        names = {key for _, key in keys}
        if names & _FRONT_LINKS and keys[-1][1] != "redirects":
            yield Reference("front-matter", value, Range(*line.span("value")))
        elif names & _FRONT_IMAGES and "." in value.rpartition("/")[2]:  # else a template adds the suffix
            yield Reference("front-matter", value, Range(*line.span("value")), True)
