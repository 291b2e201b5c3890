"""Which site generator publishes a file, as the nearest configuration tells: its Markdown, and its docs folder."""

from __future__ import annotations

import os
import re
import tomllib
from functools import cache
from pathlib import Path
from typing import NamedTuple

from tutorial_tool import data, files
from tutorial_tool.parser import Dialect
from tutorial_tool.source import Source
from tutorial_tool.traced import plain

_MKDOCS = re.compile(r"(?:mkdocs|properdocs)\.ya?ml")
_DIALECTS = (
    (_MKDOCS, Dialect.PYTHON_MARKDOWN),
    (re.compile(r"zensical\.toml"), Dialect.PYTHON_MARKDOWN),
    (re.compile(r"docusaurus\.config\.\w+"), Dialect.DOCUSAURUS),
    (re.compile(r"hugo\.(?:toml|ya?ml|json)"), Dialect.HUGO),
    (re.compile(r"astro\.config\.\w+"), Dialect.GFM),
)


class Engine(NamedTuple):
    """A site generator: what it reads, and the folder of its pages, where its configuration tells one."""

    dialect: Dialect
    docs: Path | None


class Finder:
    """Finds the engines of many files; each folder is looked at once."""

    def __init__(self) -> None:
        self.engine_at = cache(self._engine_at)

    def dialect(self, path: Path) -> Dialect | None:
        """The dialect of a file as its engine and suffix tell it; None where neither does."""
        engine = self.engine_at(path.absolute().parent)
        if path.suffix.lower() == ".mdx":
            return Dialect.DOCUSAURUS if engine and engine.dialect is Dialect.DOCUSAURUS else Dialect.MDX
        if engine is None or (engine.docs and not path.absolute().is_relative_to(engine.docs)):
            return None
        return engine.dialect

    def _engine_at(self, folder: Path) -> Engine | None:
        return _engine_in(folder) or (None if _is_top(folder) else self.engine_at(folder.parent))


def _is_top(folder: Path) -> bool:
    return folder.parent == folder or (folder / ".git").exists()


def _engine_in(folder: Path) -> Engine | None:
    try:
        names = sorted(path.name for path in folder.iterdir())
    except OSError:
        return None
    for pattern, dialect in _DIALECTS:
        if name := next(filter(pattern.fullmatch, names), None):
            docs = docs_dir(folder) if _MKDOCS.fullmatch(name) else _zensical_docs(folder / name)
            return Engine(dialect, Path(os.path.normpath(folder / docs)) if docs else None)
    return None


def docs_dir(folder: Path) -> str | None:
    """The folder of pages that MkDocs or ProperDocs uses for a configuration in `folder`; None where there is none."""
    for name in ("mkdocs.yml", "properdocs.yml", "mkdocs.yaml"):
        source = files.read(folder / name, root=folder) if (folder / name).is_file() else None
        if isinstance(source, Source):
            node = data.load_yaml(source).node
            said = node.get("docs_dir") if isinstance(node, data.Mapping) else None
            return plain(said.text) if isinstance(said, data.Scalar) and said.text else "docs"
    return None


def _zensical_docs(file: Path) -> str | None:
    source = files.read(file, root=file.parent) if file.name == "zensical.toml" else None
    if not isinstance(source, Source):
        return None
    try:
        project = tomllib.loads(source.text).get("project")
    except (ValueError, RecursionError):  # wrong TOML, or a number of 5,000 digits
        return None
    docs = project.get("docs_dir") if isinstance(project, dict) else None
    return docs if isinstance(docs, str) and docs else "docs"
