"""Redirects: old addresses of a site and where they lead, from all the places where generators and hosts keep them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tutorial_tool import data, files
from tutorial_tool.addresses import mkdocs_tree
from tutorial_tool.addresses.tree import Tree
from tutorial_tool.site import Page
from tutorial_tool.source import Source, Span
from tutorial_tool.traced import plain


@dataclass(frozen=True)
class Redirect:
    """From an address to another, both as written. `page` is the page whose front matter tells it, if one does."""

    old: str
    new: str
    span: Span | None = None
    page: Page | None = None


_OWN_KEYS = ("aliases", "redirect_from", "redirects", "redirectfrom", "old_urls")
"""Front matter that names a page's former addresses. A mapping of them names others', and is not read as such."""
_CANDIDATE = re.compile(rf"^(?:{'|'.join(_OWN_KEYS)})[ \t]*:", re.MULTILINE | re.IGNORECASE)


def of_page(page: Page) -> Iterator[Redirect]:
    """The former addresses that a page's front matter names."""
    front = page.document.front_matter
    text = plain(page.text)
    if front is None or not _CANDIDATE.search(text, front.start, front.end):
        return
    node = data.load_yaml(Source(page.path, text), front.start, front.end).node
    for key, value in node.items if isinstance(node, data.Mapping) else ():
        if plain(key.text).lower() not in _OWN_KEYS:
            continue
        items: Iterable[data.Node] = (value,) if isinstance(value, data.Scalar) else getattr(value, "items", ())
        for item in items:
            if isinstance(item, data.Scalar) and item.text:
                yield Redirect(plain(item.text), "", _source_span(page, item.span), page)


def _source_span(page: Page, span: Span) -> Span:
    return page.source_span(span.start, span.end)[0]


def of_tree(tree: Tree, root: str) -> Iterator[Redirect]:
    """The redirects that a tree's files name. `root` is the folder that findings name paths from."""
    yield from _mkdocs(tree)
    for folder in dict.fromkeys((tree.root, tree.docs, *tree.static)):
        for name, read in _READERS.items():
            if Path(folder, name).is_file():
                source = files.read(Path(folder, name), root=root)
                if isinstance(source, Source):
                    yield from read(source)


def _mkdocs(tree: Tree) -> Iterator[Redirect]:
    """`mkdocs-redirects`: paths of pages, relative to the docs folder."""
    options = mkdocs_tree.plugin(tree, "redirects")
    found = options.get("redirect_maps") if isinstance(options, data.Mapping) else None
    for key, value in found.items if isinstance(found, data.Mapping) else ():
        if isinstance(value, data.Scalar):
            yield Redirect(plain(key.text), plain(value.text), value.span)


def _lines(source: Source) -> Iterator[Redirect]:
    """`_redirects`, as Netlify and Cloudflare Pages read it: from, to, perhaps a status."""
    at = 0
    for line in source.text.split("\n"):
        words = line.partition("#")[0].split() if not line.lstrip().startswith("/") else line.split()
        targets = [word for word in words[1:] if word.startswith(("/", "http"))]
        if len(words) >= 2 and words[0].startswith("/") and targets and not words[-1].startswith("200"):
            start = at + line.index(targets[0], len(words[0]))
            yield Redirect(words[0], targets[0], source.span(start, start + len(targets[0])))
        at += len(line) + 1


def _vercel(source: Source) -> Iterator[Redirect]:
    try:
        read: Any = json.loads(source.text)
    except (ValueError, RecursionError):
        return
    listed = read.get("redirects") if isinstance(read, dict) else None
    yield from _listed(source, listed, "source", "destination")


def _netlify(source: Source) -> Iterator[Redirect]:
    told = mkdocs_tree.toml(source.text).get("redirects")
    kept = [one for one in told if isinstance(one, dict) and one.get("status", 301) != 200] if told else ()
    yield from _listed(source, kept, "from", "to")


def _listed(source: Source, entries: Any, old: str, new: str) -> Iterator[Redirect]:
    for entry in entries if isinstance(entries, list) else ():
        if isinstance(entry, dict) and not entry.get("has"):
            one, other = entry.get(old), entry.get(new)
            if isinstance(one, str) and isinstance(other, str):
                yield Redirect(one, other, _find(source, one, other))


def _find(source: Source, old: str, new: str) -> Span:
    """Where a target stands: behind the address that leads to it."""
    first = max(source.text.find(f'"{old}"'), 0)
    at = source.text.find(new, first + len(old))
    return source.span(at, at + len(new)) if at >= 0 else source.span(first, first)


_PAIR = re.compile(r"""(["'])(/[^"'\s]*)\1\s*:\s*(?:\{[^{}]*?\bdestination\s*:\s*)?(["'])((?:/|https?:)[^"'\s]*)\3""")
_FROM_TO = re.compile(
    r"""\b(?:from|source)["']?\s*:\s*(?:(["'])(?P<one>/[^"'\s]*)\1|\[(?P<many>[^\[\]]*)\])\s*,\s*"""
    r"""["']?(?:to|destination)["']?\s*:\s*(["'])(?P<new>(?:/|https?:)[^"'\s]*)\4"""
)
_TO_FROM = re.compile(
    r"""\bto["']?\s*:\s*(["'])(?P<new>(?:/|https?:)[^"'\s]*)\1\s*,\s*"""
    r"""["']?from["']?\s*:\s*(?:(["'])(?P<one>/[^"'\s]*)\3|\[(?P<many>[^\[\]]*)\])"""
)
_TEXT = re.compile(r"[\"'](/[^\"'\s]*)[\"']")


def _program(source: Source) -> Iterator[Redirect]:
    """What is plain to see of redirects in a configuration that is a program, or in JSON beside it."""
    begin = source.text.find("redirect")
    if begin < 0 and "redirect" not in source.path:
        return
    for match in _PAIR.finditer(source.text, max(begin, 0)):
        yield Redirect(match[2], match[4], source.span(*match.span(4)))
    for pattern in (_FROM_TO, _TO_FROM):
        for match in pattern.finditer(source.text, max(begin, 0)):
            for old in [match["one"]] if match["one"] else _TEXT.findall(match["many"] or ""):
                yield Redirect(old, match["new"], source.span(*match.span("new")))


_READERS: Mapping[str, Any] = {
    "_redirects": _lines,
    "vercel.json": _vercel,
    "netlify.toml": _netlify,
    **{f"redirects.{end}": _program for end in ("json", "js", "mjs", "cjs", "ts")},
    **{f"{name}.config.{end}": _program for name in ("astro", "docusaurus", "next") for end in ("js", "mjs", "ts")},
}
"""Files that hold redirects, and how to read them."""


class Table:
    """Where old addresses lead. Keys are addresses without host, base and slashes around them."""

    def __init__(self) -> None:
        self._exact: dict[str, Redirect] = {}
        self._patterns: list[tuple[re.Pattern[str], Redirect]] = []

    def add(self, key: str, redirect: Redirect) -> None:
        if "*" in key or re.search(r"(?:^|/):\w", key):
            if key.strip("*/") and key.count("*") <= _SPLATS:
                self._patterns.append((_pattern(key), redirect))
        else:
            self._exact.setdefault(key, redirect)

    def get(self, key: str) -> tuple[Redirect, str] | None:
        """The redirect of an address, and where it leads."""
        if found := self._exact.get(key):
            return found, found.new
        for pattern, redirect in self._patterns:
            if match := pattern.fullmatch(key):
                return redirect, _filled(redirect.new, match)
        return None

    @property
    def keys(self) -> list[str]:
        return list(self._exact)


_SPLATS = 2
"""How many `*` an address may have: more would take long to match, and nobody writes them."""


def _pattern(key: str) -> re.Pattern[str]:
    """`*` stands for anything (`:splat` in the target), `:name` for one part of the path, `:name*` for several."""
    out = ""
    for part in re.split(r"(/?\*|:\w+[*+]?)", key):
        if part.endswith("*") and not part.startswith(":"):
            out += "(?:/?(?P<splat>.*))" if "<splat>" not in out else ".*"
        elif re.fullmatch(r":[A-Za-z]\w*[*+]?", part):
            name = part[1:].rstrip("*+")
            what = ".*" if part[-1] in "*+" else "[^/]+"
            out += f"(?P<{name}>{what})" if f"<{name}>" not in out else what
        else:
            out += re.escape(part)
    return re.compile(out)


def _filled(new: str, match: re.Match[str]) -> str:
    found = match.groupdict()
    return re.sub(r":(\w+)[*+]?", lambda name: found.get(name[1]) or ("" if name[1] in found else name[0]), new)
