"""Redirect pages at old URLs of a site."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from html import escape
from pathlib import Path
from posixpath import join, normpath
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import quote, unquote

from tutorial_tool import data
from tutorial_tool.core.grouping import group_pairs
from tutorial_tool.site import Page, Site
from tutorial_tool.site.front import FORMER

if TYPE_CHECKING:  # slow to load, and most sites have no redirects
    from tutorial_tool.links import Addresses, Redirect, Target, Tree


class Move(NamedTuple):
    """An old URL, as a file path in the built site, and its redirect target."""

    file: str
    target: Target


def find_moves(site: Site, published: Iterable[str] = ()) -> list[Move]:
    """Return the redirects that MkDocs builds: from front matter and this tool's configuration only.

    Each old URL is returned once; those whose target is not found are left out, as a rule reports them. A pattern in
    the configuration redirects only the `published` URLs that it matches: a page has only one URL.
    """
    if not site.redirects and not any(map(_may_have_old_url, site.pages)):
        return []
    result = {file: group[0][0] for file, group in _group_by_file(site).items()}
    for move in _find_pattern_moves(site, published):
        result.setdefault(move.file, move)
    return list(result.values())


def _may_have_old_url(page: Page) -> bool:
    front = data.find_front_matter(page.text)
    return FORMER.search(page.text, *(front[:2] if front else ())) is not None


def _find_pattern_moves(site: Site, published: Iterable[str]) -> Iterator[Move]:
    """Yield the redirects from patterns in the configuration."""
    from tutorial_tool.links import resolver

    addresses = resolver.get_addresses(site)
    has_patterns = any({"*", ":"} & set(_extract_path(old)) for old, _ in site.redirects)
    for tree in addresses.pages.trees if has_patterns else ():
        for url in published if tree.is_exact else ():
            redirect, new = addresses.tables.get(tree, url) or (None, "")
            if redirect is not None and (redirect.old, redirect.new) in site.redirects and url.startswith(tree.base):
                target = addresses.redirects.resolve_destination(tree, new, own=True)
                file = _get_output_path(url.removeprefix(tree.base).strip("/"), url)
                if file and _is_safe(target):
                    yield Move(file, target)


def find_claimed_urls(site: Site) -> list[list[Redirect]]:
    """Return the old URLs that several pages claim, with their redirects, the published one first."""
    of_pages = ([redirect for _, redirect in group if redirect.page] for group in _group_by_file(site).values())
    return [redirects for redirects in of_pages if len({redirect.page for redirect in redirects}) > 1]


def _group_by_file(site: Site) -> dict[str, list[tuple[Move, Redirect]]]:
    """Return the redirects of each old URL by the path of its file; the first is the one built."""
    from tutorial_tool.links import resolver

    addresses = resolver.get_addresses(site)
    return group_pairs(
        (move.file, (move, redirect))
        for tree, redirect in addresses.tables.all_redirects
        if tree.is_exact and _needs_redirect_page(redirect)
        for move in _build_moves(addresses, tree, redirect)
    )


def _needs_redirect_page(redirect: Redirect) -> bool:
    """Return whether a redirect needs a page: other plugins and hosts read their own files.

    A name without a slash is an alias as in note-taking programs, and a pattern is not one page.
    """
    is_reported = redirect.page is not None or redirect.span is None
    return (
        is_reported
        and ("/" in redirect.old or redirect.old.endswith(".md"))
        and not {"*", ":"} & set(_extract_path(redirect.old))
    )


def _extract_path(address: str) -> str:
    """Return the path of a URL without its host."""
    from tutorial_tool.links.references import has_scheme

    return "/" + address.split("/", 3)[-1] if has_scheme(address) else address


def _build_moves(addresses: Addresses, tree: Tree, redirect: Redirect) -> Iterator[Move]:
    from tutorial_tool.links.target import Target

    page = redirect.page
    if page is not None and not redirect.new:
        target = Target("page", page, page.path)
    else:
        target = addresses.redirects.resolve_destination(tree, redirect.new)
    file = _get_output_path(list(addresses.tables.iter_keys(tree, redirect))[-1], redirect.old)
    if file and _is_safe(target):
        yield Move(file, target)


def _is_safe(target: Target) -> bool:
    if target.kind == "external":
        return target.path.startswith(("https://", "http://"))
    return target.kind in ("page", "file") and bool(target.path)


def _get_output_path(key: str, old: str) -> str:
    """Return the file that a host serves at an old URL; "" if it is outside the site."""
    path = normpath(unquote(key)) if key else "."
    if path.startswith(("..", "/")) or "\\" in path or not path.isprintable():
        return ""
    return f"{path}.html" if old.partition("#")[0].endswith((".html", ".htm")) else normpath(join(path, "index.html"))


def render_page(
    target: Target, url: Callable[[str], str], title: str, canonical: str, words: Mapping[str, str], lang: str
) -> str:
    """Return the redirect page at an old URL as HTML. `url` returns a file's URL as seen from there.

    It works without JavaScript; with it, the requested anchor is kept.
    """
    href = target.path if target.kind == "external" else url(target.path)
    anchor = f"#{quote(target.fragment)}" if target.fragment else ""
    return _load_page().format(
        lang=escape(lang),
        title=escape(title or href),
        canonical=escape(canonical or href),
        href=escape(href + anchor),
        script=_encode_script(href),
        anchor=_encode_script(anchor),
        moved=escape(words["moved"]),
    )


@cache
def _load_page() -> str:
    return Path(__file__).with_name("redirect.html").read_text(encoding="utf-8")


def _encode_script(text: str) -> str:
    """Encode a text as a JavaScript string inside HTML."""
    import json  # slow to load, and the linter needs URLs only

    return json.dumps(text).replace("<", "\\u003c").replace("&", "\\u0026")
