"""Find changes of images, and of other files that are published or configure the site."""

from __future__ import annotations

import hashlib
import html
import posixpath
import re
from collections.abc import Iterator
from itertools import starmap
from pathlib import Path
from urllib.parse import unquote, urlsplit

from tutorial_tool.core import lazy_re
from tutorial_tool.core.diagnostics import format_count, join_names
from tutorial_tool.diff import PageChange
from tutorial_tool.diff.sides import Side, SidePage, get_project_folder, get_target_folder, join_folder
from tutorial_tool.fs import files
from tutorial_tool.site import Page

_POINTER = re.compile(rb"version https://git-lfs\.github\.com/spec/v1\n(?:.*\n)*?oid sha256:([0-9a-f]{64})\n")
_TAG = lazy_re.compile(r"<(?:style|script)\b.*?</(?:style|script)>|<[^>]*>", re.DOTALL)
_DESCRIPTION = lazy_re.compile(r"<desc\b[^>]*>[^<]*</desc>")
_CONFIGURATIONS = (
    *("mkdocs.yml", "mkdocs.yaml", "properdocs.yml", "zensical.toml"),
    *("docusaurus.config.js", "docusaurus.config.ts", "hugo.toml", "hugo.yaml", "config.toml", "astro.config.mjs"),
)
_PAGES = (".md", ".markdown", ".mdx")


def find_figure_changes(old: Page, new: Page) -> Iterator[PageChange]:
    """Yield the changed figures, with the words that differ in them, if any."""
    was = {figure.name: figure for figure in old.figures}
    for figure in new.figures:
        before = was.get(figure.name)
        if before is not None and before.svg != figure.svg:
            matches = [_DESCRIPTION.search(item.svg) for item in (before, figure)]
            removed, added = ("\n".join(_get_words(match[0])) if match else "" for match in matches)
            if removed == added:
                words = [[word for word in _get_words(item.svg) if word != item.alt] for item in (before, figure)]
                removed, added = ("\n".join(w for w in words[i] if w not in words[1 - i]) for i in (0, 1))
            yield PageChange("figure", "changed", removed, added, about=figure.name, source=figure.call)


def _get_words(svg: str) -> list[str]:
    """Return the texts of a drawing, without duplicates."""
    matches = (html.unescape(" ".join(text.split())) for text in _TAG.split(svg))
    return list(dict.fromkeys(text for text in matches if text))


def find_image_changes(old: SidePage, new: SidePage) -> Iterator[PageChange]:
    """Yield the images of both pages whose files differ."""
    if "![" not in new.page.text and "<img" not in new.page.text:
        return  # finding images requires parsing the whole page
    if old.page.text == new.page.text and old.page.dialect is new.page.dialect:
        new.page.__dict__["document"] = old.page.document
    unseen = {image.src for image in old.page.document.images}
    for image in new.page.document.images:
        was, is_ = _find_file(old, image.src), _find_file(new, image.src)
        if image.src in unseen and was is not None and is_ is not None and _digest_file(was) != _digest_file(is_):
            unseen.discard(image.src)
            place = new.page.get_source_span(image.start, image.end)[0]
            yield PageChange("picture", "changed", about=image.src, source=place)


def _find_file(side_page: SidePage, src: str) -> Path | None:
    """Return the file of an image, if it is below the docs folder."""
    url = urlsplit(src)
    if url.scheme or url.netloc or not url.path:
        return None
    target, page = side_page.target, side_page.page
    docs = target.root / target.layout.docs if target.layout is not None else target.root
    path = unquote(url.path)
    joined = path.lstrip("/") if path.startswith("/") else posixpath.join(posixpath.dirname(page.path), path)
    return files.resolve_existing(docs, posixpath.normpath(joined))


def _digest_file(path: Path) -> str:
    """Return a digest of a file, following pointers of Git LFS; a large file is identified by its size."""
    try:
        if path.stat().st_size > files.LIMIT:
            return f"{path.stat().st_size} bytes"
        content = path.read_bytes()
    except OSError:
        return "unreadable"
    pointer = _POINTER.match(content)
    return pointer[1].decode() if pointer else hashlib.sha256(content).hexdigest()


def describe_other_changes(old: Side, new: Side) -> Iterator[str]:
    """Yield notes on changes outside of pages: the configuration, and other files of the docs folder."""
    yield from _describe_configurations(old, new)
    before, after = _list_other_files(old, new), _list_other_files(new, old)
    both = {name for name in before.keys() & after.keys() if not _is_different(before[name], after[name])}
    differing = sorted((before.keys() | after.keys()) - both)
    if differing:
        count = format_count(len(differing), "other file")
        yield f"{count} of the docs folder changed: {join_names(differing, limit=5)}"


def _describe_configurations(old: Side, new: Side) -> Iterator[str]:
    projects = ((side, target) for side in (old, new) for target, _ in side.sites if target.layout)
    folders = dict.fromkeys(starmap(get_target_folder, projects))
    configurations = [join_folder(folder, name) for folder in {"": None, **folders} for name in _CONFIGURATIONS]
    for name in configurations:
        if _is_different(old.folder / name, new.folder / name):
            yield f"{name} has changed: navigation and look may differ"


def _is_different(path: Path, other: Path) -> bool:
    if not path.is_file() and not other.is_file():
        return False
    return path.is_file() != other.is_file() or _digest_file(path) != _digest_file(other)


def _list_other_files(side: Side, other: Side) -> dict[str, Path]:
    """Return the files of the docs folders that are not pages.

    For a project that exists only on the other side, the docs folder of that one is used.
    """
    out = {}
    for project, name in {**_list_docs_folders(other), **_list_docs_folders(side)}.items():
        docs = side.folder / name
        for path in files.find(docs, [""]) if docs.is_dir() else ():
            if path.suffix.lower() not in _PAGES:
                out[join_folder(project, files.format_path(path, docs))] = path
    return out


def _list_docs_folders(side: Side) -> dict[str, str]:
    """Return the docs folders of the projects, relative to the compared folder, by project folder."""
    return {
        get_project_folder(side, target): files.format_path(target.root / target.layout.docs, side.folder)
        for target, _ in side.sites
        if target.layout is not None
    }
