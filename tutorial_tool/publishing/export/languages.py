"""Paths of translated pages, where the generator expects those of a language."""

from __future__ import annotations

import json
import posixpath
from collections.abc import Iterator, Mapping
from dataclasses import replace

from tutorial_tool.publishing.export.config_file import DOCS
from tutorial_tool.publishing.export.engines import Engine
from tutorial_tool.site import Site

_DOCUSAURUS = "i18n/{}/docusaurus-plugin-content-docs"


def select_language_pages(site: Site) -> Site:
    """Return the site with the language's own pages, `page.de.md`, replacing `page.md`, and no others."""
    ends = tuple(f".{language}.md" for language in site.catalogs)
    by_path = {page.path: page for page in site.pages}
    if not any(path.endswith(ends) for path in by_path):
        return site
    pages = []
    for path, page in by_path.items():
        other = by_path.get(f"{path.removesuffix('.md')}.{site.layout.lang}.md")
        pages += [] if path.endswith(ends) else [replace(other, path=path) if other else page]
    return replace(site, pages=pages, cache={})


def relocate_files(
    files: Mapping[str, bytes], source: Mapping[str, bytes], language: str, engine: Engine
) -> dict[str, bytes]:
    """Return the files of a translated site by their paths next to those of the `source`."""
    match engine.languages:
        case "site":  # its configuration is beside the other one, since Zensical publishes below its folder
            config = {"mkdocs.yml": f"mkdocs.{language}.yml"}
            return {config.get(path, f"{language}/{path}"): content for path, content in files.items()}
        case "docusaurus":
            folder = _DOCUSAURUS.format(language)
            labels = {
                f"sidebar.defaultSidebar.category.{old}": {"message": new} for old, new in _iter_labels(files, source)
            }
            pages = {f"{folder}/current/{path}": content for path, content in _iter_docs(files)}
            return {**pages, f"{folder}/current.json": json.dumps(labels, indent=2, ensure_ascii=False).encode()}
        case "hugo" | "i18n" as form:
            out = {}
            for path, content in _iter_docs(files):
                stem, suffix = posixpath.splitext(path)
                if suffix != ".md" and form == "hugo":
                    out[f"static/{language}/{path}"] = content
                elif suffix == ".md" or source.get(f"{DOCS}/{path}") != content:
                    out[f"{DOCS}/{stem}.{language}{suffix}"] = content
            return out
    return {f"{DOCS}/{language}/{path}": content for path, content in _iter_docs(files)}


def _iter_docs(files: Mapping[str, bytes]) -> Iterator[tuple[str, bytes]]:
    yield from (
        (path.removeprefix(f"{DOCS}/"), content) for path, content in files.items() if path.startswith(f"{DOCS}/")
    )


def _iter_labels(files: Mapping[str, bytes], source: Mapping[str, bytes]) -> Iterator[tuple[str, str]]:
    for path in source.keys() & files.keys():
        if posixpath.basename(path) == "_category_.json":
            yield json.loads(source[path])["label"], json.loads(files[path])["label"]
