"""Redirect files of generators and hosts: mkdocs.yml, `_redirects`, JSON, TOML, YAML, programs."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from posixpath import basename, dirname, join, normpath
from typing import Any

from tutorial_tool import data
from tutorial_tool.core import lazy_re
from tutorial_tool.core.source import Source, Span
from tutorial_tool.data.forms import parse_toml
from tutorial_tool.fs import files
from tutorial_tool.links.disk import PUBLISHED, Disk
from tutorial_tool.links.references import has_scheme
from tutorial_tool.links.target import Redirect
from tutorial_tool.links.tree import Tree

_FOLDERS = (
    "",
    *(f"{above}{name}" for above in ("", "src/") for name in ("config", "configs", "data", "redirects")),
    "src",
)
"""Folders of a site that are searched in addition to those of its pages and files."""
_NAMED = lazy_re.compile(
    r"_redirects|(?!.*\b(?:test|spec)\b)(?:\w+[.-])?redirects?(?:[.-]\w+)*\.(?:json|[cm]?[jt]s|ya?ml|toml)|vercel\.json|netlify\.toml|firebase\.json"
    r"|staticwebapp\.config\.json|mint\.json|docs\.json|(?:astro|docusaurus|next|nuxt|gatsby)[.-](?:config|node)\.[cm]?[jt]s|\.htaccess"
    r"|\.gitbook\.ya?ml"
)
_PROGRAM = lazy_re.compile(r".*redirect.*|.+\.(?:json|[cm]?[jt]s)")  # A file in a folder of redirects
_OLD = ("source", "from", "old", "route", "fromPath")
_NEW = ("destination", "to", "new", "target", "redirect", "toPath")  # Keys of the old and the new URL in entries
_NO_REDIRECTS = ("rewrites", "headers", "routes")
"""Entries of hosts that are not redirects but contain URLs: other content at a URL, headers."""
_PATH = lazy_re.compile(r"/.*|[\w-]+(?:/[\w.#-]+)+/?")  # The path of a URL, which may lack its first slash
_CHOICE = lazy_re.compile(r"\{([^{}]*,[^{}]*)\}")  # A list of alternatives, as in Firebase
_OPTION = lazy_re.compile(r"\(([\w/.-]+)\)\?")  # In path-to-regexp, of Vercel and Next.js
_MOST_CHOICES = 20  # Maximum number of URLs that an entry with alternatives may expand to


def read_from_tree(tree: Tree, disk: Disk, root: str) -> Iterator[Redirect]:
    """Yield the redirects in a tree's files. Findings name paths relative to `root`."""
    yield from tree.generator.read_redirects(tree, root)
    usual = _FOLDERS if tree.recognized else (*_FOLDERS, *PUBLISHED)
    folders = (
        *(join(tree.root, name).rstrip("/") for name in usual),
        tree.docs,
        join(tree.docs, "_data"),
        *tree.static,
    )
    inner = [dirname(file) for above in (tree.root, join(tree.root, "src")) for file in disk.walk(above, 2)]
    inner = [folder for folder in inner if basename(folder) == "redirects"]
    for folder in dict.fromkeys((*folders, *inner)):
        for name, is_folder in sorted(disk.list_entries(folder).items()):
            if not is_folder and (_PROGRAM if folder in inner else _NAMED).fullmatch(name):
                read = files.read(join(folder, name), root=root)
                yield from _get_reader(name)(read) if isinstance(read, Source) else ()


def _get_reader(name: str) -> Callable[[Source], Iterator[Redirect]]:
    if name.startswith(".gitbook"):
        return _read_gitbook
    readers = {
        "json": _read_json,
        "yml": _read_yaml,
        "yaml": _read_yaml,
        "htaccess": _read_apache,
        "_redirects": _read_lines,
        "toml": lambda source: _find_redirects(source, parse_toml(source.text)),
    }
    return readers.get(name.rpartition(".")[2], _read_program)


def _read_gitbook(source: Source) -> Iterator[Redirect]:
    """Yield the redirects of `.gitbook.yaml`: old URLs without a leading slash to page files below `root`."""
    node = data.load_yaml(source).node
    home = normpath(data.get_text(node, "root") or ".").lstrip("/")
    result = node.get("redirects") if isinstance(node, data.Mapping) else None
    for key, value in result.items if isinstance(result, data.Mapping) and home[:2] != ".." else ():
        if isinstance(value, data.Scalar) and (new := value.plain) and not has_scheme(new):
            old, file = "/" + key.plain.strip("/"), normpath(join(home, new.lstrip("/")))
            yield Redirect(old, file, value.span, is_file=True)


def _read_lines(source: Source) -> Iterator[Redirect]:
    """Yield the redirects of `_redirects` (Netlify, Cloudflare Pages): from, to, optional status.

    With 200, the old URL shows what is at the new one; for all URLs, that is the page of an application.
    """
    at = 0
    for line in source.text.split("\n"):
        words = line.split() if line.startswith("/") else []
        targets = [word for word in words[1:] if word.startswith(("/", "http"))]
        is_rewrite = bool(targets) and words[-1].startswith("200")
        if targets and not (is_rewrite and words[0] == "/*"):
            start = at + line.index(targets[0], len(words[0]))
            span = source.span(start, start + len(targets[0]))
            yield Redirect(words[0], targets[0], span, is_rewrite=is_rewrite, is_forced=line.rstrip().endswith("!"))
        at += len(line) + 1


_APACHE = lazy_re.compile(
    r"^[ \t]*Redirect(?:Permanent)?[ \t]+(?:30\d[ \t]+|permanent[ \t]+)?(/\S*)[ \t]+(\S+)", re.MULTILINE
)


def _read_apache(source: Source) -> Iterator[Redirect]:
    for match in _APACHE.finditer(source.text):
        yield Redirect(match[1], match[2], source.span(*match.span(2)))


# Data


def _read_json(source: Source) -> Iterator[Redirect]:
    import json

    try:
        read: Any = json.loads(source.text)
    except (ValueError, RecursionError):
        return
    yield from _find_redirects(source, read)


def _read_yaml(source: Source) -> Iterator[Redirect]:
    yield from _find_redirects(source, data.convert_to_plain(data.load_yaml(source).node))


def _find_redirects(source: Source, read: Any) -> Iterator[Redirect]:
    """Yield the redirects in nested data: entries that name two URLs, mappings between URLs, and lists of pairs."""
    todo, span = [read], source.span(0, 0)
    while todo:
        value = todo.pop()
        if isinstance(value, list):
            for old, new in filter(_is_pair, value):
                span = find_target(source, old, new, span.end)
                yield Redirect(old, new, span)
            todo += reversed(value)
        elif isinstance(value, dict):
            pair = _get_pair(value)
            if pair is not None:
                span = find_target(source, *pair, span.end)
                yield from (Redirect(old, pair[1], span) for old in _expand_choices(f"/{pair[0].lstrip('/')}"))
            else:
                texts = {k: v for k, v in value.items() if k.startswith("/") and isinstance(v, str) and is_address(v)}
                for old, new in texts.items():
                    span = find_target(source, old, new, span.end)
                    yield Redirect(old, new, span)
                inner = (item for key, item in value.items() if key not in _NO_REDIRECTS)
                todo += [item for item in inner if isinstance(item, list | dict)]


def _is_pair(value: object) -> bool:
    return isinstance(value, list) and [str(url)[:1] for url in value] == ["/", "/"]


def _expand_choices(old: str) -> list[str]:
    """Expand the choices in a URL: `/a{,/**}` to `/a` and `/a/**`, `/a(/)?` to `/a` and `/a/`."""
    out, done = [_OPTION.sub(r"{,\1}", old)], list[str]()
    while out and len(out) + len(done) <= _MOST_CHOICES:
        first = out.pop()
        if match := _CHOICE.search(first):
            out += [first[: match.start()] + part + first[match.end() :] for part in reversed(match[1].split(","))]
        else:
            done.append(first)
    return done


def _get_pair(entry: Mapping[str, Any]) -> tuple[str, str] | None:
    """Return the URLs of an entry that redirects everybody: no condition, and no rewrite; else None."""
    old = next((entry[key] for key in _OLD if isinstance(entry.get(key), str)), "")
    new = next((entry[key] for key in _NEW if isinstance(entry.get(key), str)), "")
    sends = str(entry.get("status", entry.get("statusCode", 301))) != "200" and not entry.get("has")
    return (old, new) if sends and _PATH.fullmatch(old) and (is_address(new) or _PATH.fullmatch(new)) else None


def is_address(text: str) -> bool:
    return text.startswith(("/", "http:", "https:"))


def find_target(source: Source, old: str, new: str, start: int = 0) -> Span:
    """Return the span of a target after the URL that redirects to it, else an empty span at that URL.

    The text is searched from `start` first, where the entry before ended: files have many thousands of redirects.
    """
    first = next((at for begin in (start, 0) if (at := _find_url(source.text, old, begin)) >= 0), 0)
    at = source.text.find(new, first + len(old))
    return source.span(at, at + len(new)) if at >= 0 else source.span(first, first)


def _find_url(text: str, url: str, start: int) -> int:
    """Return the offset of a URL between white space or quotes, or before a colon or comma; -1 if there is none."""
    at = text.find(url, start)
    while at >= 0:
        before, after = text[max(at - 1, 0) : at], text[at + len(url) : at + len(url) + 1]
        if not (before + after.rstrip(":,")).strip(" \t\n\"'`"):
            break
        at = text.find(url, at + 1)
    return at


# Programs


_TO = r"""["'`]?(?:to|toPath|destination)["'`]?\s*:\s*(["'`])(?P<new>(?:/|https?:)[^"'`\s]*)\{}"""
_FROM = r"""["'`]?(?:from|fromPath|source)["'`]?\s*:\s*(?:(["'`])(?P<one>/[^"'`\s]*)\{}|\[(?P<many>[^\[\]]*)\])"""
_PAIR = lazy_re.compile(
    r"""(["'`])(/[^"'`\s]*)\1\s*:\s*(?:\{[^{}]*?\bdestination\s*:\s*)?(["'`])((?:/|https?:)[^"'`\s]*)\3"""
)
_ENTRIES = (
    lazy_re.compile(_FROM.format(1) + r"\s*,\s*" + _TO.format(4)),
    lazy_re.compile(_TO.format(1) + r"\s*,\s*" + _FROM.format(3)),
)
_COMMENT = lazy_re.compile(r"^[ \t]*//.*", re.MULTILINE)
_TEXT = lazy_re.compile(r"[\"'`](/[^\"'`\s]*)[\"'`]")


def _read_program(source: Source) -> Iterator[Redirect]:
    """Yield the redirects that are literals in a program."""
    text = _COMMENT.sub(lambda match: " " * len(match[0]), source.text)
    begin = 0 if "redirect" in source.path else text.lower().find("redirect")
    if begin < 0:
        return
    yield from (Redirect(pair[2], pair[4], source.span(*pair.span(4))) for pair in _PAIR.finditer(text, begin))
    for pattern in _ENTRIES:
        for match in pattern.finditer(text, begin):
            for old in [match["one"]] if match["one"] else _TEXT.findall(match["many"]):
                yield Redirect(old, match["new"], source.span(*match.span("new")))
