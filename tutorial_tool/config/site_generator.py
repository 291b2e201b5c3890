"""Detect the site generator of a file from the nearest configuration: its dialect and docs folder."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from fnmatch import fnmatch
from functools import cache, lru_cache
from pathlib import Path
from typing import NamedTuple

from tutorial_tool import data
from tutorial_tool.core import language, lazy_re
from tutorial_tool.core.source import Source
from tutorial_tool.data.forms import get_section, parse_toml
from tutorial_tool.fs import files
from tutorial_tool.markdown.parser import Dialect

_MKDOCS = r"(?:mkdocs|properdocs)\.ya?ml"
_DIALECTS = (
    (_MKDOCS, Dialect.PYTHON_MARKDOWN),
    (r"zensical\.toml", Dialect.PYTHON_MARKDOWN),
    (r"docusaurus\.config\.\w+", Dialect.DOCUSAURUS),
    (r"(?:hugo|config)\.(?:toml|ya?ml|json)|config", Dialect.HUGO),
    (r"astro\.config\.\w+", Dialect.COMMONMARK),
    (r"\.vitepress|\.vuepress", Dialect.COMMONMARK),
    (r"book\.toml|retype\.ya?ml", Dialect.COMMONMARK),
    (r"\.eleventy\.c?js|eleventy\.config\.[cm]?[jt]s", Dialect.COMMONMARK),
    (r"conf\.py|_toc\.yml|myst\.ya?ml", Dialect.MYST),
    (r"_config\.ya?ml", Dialect.KRAMDOWN),
    (r"book\.json", Dialect.KRAMED),
)
_CONFIGURATION = lazy_re.compile("|".join(name for name, _ in _DIALECTS))
_HUGO = lazy_re.compile(
    r"^[ \t{]*[\"']?(?:baseurl|languagecode|defaultcontentlanguage)[\"']?[ \t]*[:=]", re.MULTILINE | re.IGNORECASE
)
"""Keys in Hugo's `config.toml` that are rare elsewhere."""
_CONTENT = lazy_re.compile(r"[\"']?\bcontentdir[\"']?[ \t]*[:=][ \t]*[\"']?([^\s\"',]+)", re.IGNORECASE)
_MYST = lazy_re.compile(r"\b(?:myst_parser|myst_nb|recommonmark)\b")
_SOURCE = lazy_re.compile(
    r"\bsrcDir\s*:\s*[\"']([^\"']+)[\"']|^[ \t]*src[ \t]*=[ \t]*[\"']([^\"']+)[\"']", re.MULTILINE
)
"""The folder of pages in the configuration of VitePress or mdBook."""
_OTHERS_MARKDOWN = lazy_re.compile(r"(?im)^[ \t]*markdown[ \t]*:[ \t]*[\"']?(?!kramdown\b)\w")
_HEXO = lazy_re.compile(r"(?m)^[ \t]*(?:new_post_name|\"hexo\")[ \t]*:")
_WITHOUT_MD = lazy_re.compile(r"^markdown_ext[ \t]*:(?!.*\bmd\b)", re.MULTILINE)
_ONLY_THEME = lazy_re.compile(r"\s*(?:remote_)?theme[ \t]*:[^\n]*\s*")


class SiteGenerator(NamedTuple):
    """A site generator: its dialect, the folder of its pages, if configured, and its excluded paths.

    `excluded` are patterns of paths below the folder `root`.
    """

    dialect: Dialect
    docs: Path | None
    root: Path = Path()
    excluded: tuple[str, ...] = ()


class Finder:
    """A finder for the site generators of many files; results for folders are cached."""

    def __init__(self) -> None:
        self.engine_at = cache(self._find_engine_at)
        self._look = cache(lambda folder: (_find_engine_in(folder), (folder / ".git").exists()))
        self._find_translated = cache(self._find_engine_of_translation)

    def find_dialect(self, path: Path) -> Dialect | None:
        """Return the dialect of a file by its site generator and suffix; None if neither determines it."""
        engine = self.engine_at(path.absolute().parent)
        if path.suffix.lower() == ".mdx":
            return Dialect.DOCUSAURUS if engine and engine.dialect is Dialect.DOCUSAURUS else Dialect.MDX
        if engine is None or (engine.docs and not path.absolute().is_relative_to(engine.docs)):
            return None
        is_left_out = engine.excluded and is_excluded(str(path.absolute().relative_to(engine.root)), engine.excluded)
        return None if is_left_out else engine.dialect

    def _find_engine_at(self, folder: Path) -> SiteGenerator | None:
        """Return the site generator of the nearest folder with one, up to the repository's root."""
        for around in (folder, *folder.parents):
            engine, is_top = self._look(around)
            engine = engine or self._find_translated(around)
            if engine or is_top:
                return engine
        return None

    def _find_engine_of_translation(self, folder: Path) -> SiteGenerator | None:
        """Return the generator of a language's folder, if the sibling folder of another language has one."""
        if language.find_language_folder(folder.name) != folder.name:
            return None
        for other in sorted(folder.parent.glob("*/")):
            is_language = other != folder and language.find_language_folder(other.name) == other.name
            engine = self._look(other)[0] if is_language else None
            if engine and (engine.docs is None or engine.docs.is_relative_to(other)):
                return engine._replace(docs=engine.docs and folder / engine.docs.relative_to(other))
        return None


def _find_engine_in(folder: Path) -> SiteGenerator | None:
    try:
        names = sorted(filter(_CONFIGURATION.fullmatch, os.listdir(folder)))  # noqa: PTH208 - of many, few are asked for
    except OSError:
        return None
    for pattern, dialect in _DIALECTS:
        for name in names:
            if re.fullmatch(pattern, name) and (engine := _read_engine(folder, name, dialect)):
                return engine
    return None


def _find_source_folder(configurations: Sequence[Path]) -> str:
    """Return the folder of pages that the first of the configurations names; "" if none does."""
    match = _SOURCE.search(_read_text(configurations[0])) if configurations else None
    return (match[1] or match[2]) if match else ""


def _read_engine(folder: Path, name: str, dialect: Dialect) -> SiteGenerator | None:
    """Return the generator of a configuration file; None if a common file name belongs to another program."""
    if dialect in _READERS:
        return _READERS[dialect](folder, name)
    docs = _find_docs(folder, name)
    is_left = dialect is Dialect.PYTHON_MARKDOWN and (not docs or has_sections_of_hugo(folder / docs))
    if is_left or (name == "conf.py" and not _MYST.search(_read_text(folder / name))):
        return None
    return SiteGenerator(dialect, Path(os.path.normpath(folder / docs)) if docs else None)


def _find_docs(folder: Path, name: str) -> str:
    """Return the folder of pages that a configuration names or implies; "" if it is not known."""
    if name.startswith("astro"):
        return "src"
    if name == "book.toml":
        return _find_source_folder([folder / name]) or "src"
    if name.startswith(".v"):
        return _find_source_folder(sorted((folder / name).glob("config.*"))) or "."
    if name == "zensical.toml":
        return str(get_section(parse_toml(_read_text(folder / name)), "project").get("docs_dir", "docs"))
    return (find_docs_dir(folder) or "") if re.fullmatch(_MKDOCS, name) else ""


def _read_jekyll(folder: Path, name: str) -> SiteGenerator | None:
    """Return Jekyll, or Hexo; None for a theme alone in a folder that GitHub does not publish."""
    text = _read_text(folder / name)
    is_outside = folder.name != "docs" and not (folder / ".git").exists()
    if not reads_md(text) or (is_outside and _ONLY_THEME.fullmatch(text)):
        return None
    is_other = _OTHERS_MARKDOWN.search(text) or is_hexo(folder, text)
    dialect = Dialect.COMMONMARK if is_other else Dialect.KRAMDOWN
    return SiteGenerator(dialect, None, folder, find_excluded(text))


def _read_old_gitbook(folder: Path, name: str) -> SiteGenerator | None:
    """Return GitBook's old program, or its successor HonKit, which parse Markdown with kramed."""
    is_old = re.search(r"\"(?:gitbook|structure|plugins|pluginsConfig)\"\s*:", _read_text(folder / name))
    return SiteGenerator(Dialect.KRAMED, None) if is_old and not (folder / ".gitbook.yaml").exists() else None


def reads_md(configuration: str) -> bool:
    """Return whether Jekyll renders pages with the suffix `.md`, which is so unless it is configured otherwise."""
    return _WITHOUT_MD.search(configuration) is None


def is_hexo(folder: Path, configuration: str) -> bool:
    """Return whether a `_config.yml` is Hexo's: its keys say so, or the `package.json` beside it."""
    return _HEXO.search(f"{configuration}\n{_read_text(folder / 'package.json')}") is not None


def has_sections_of_hugo(docs: Path) -> bool:
    """Return whether a folder has section pages of Hugo: then a configuration of MkDocs is left from before."""
    return any(next(docs.glob(pattern), None) for pattern in ("_index.md", "*/_index.md"))


def find_excluded(configuration: str) -> tuple[str, ...]:
    """Return what Jekyll excludes from a site: patterns of paths relative to the configuration."""
    node = read_node("", configuration) if "exclude:" in configuration else None
    items = data.get_items(data.get_node(node, "exclude"))
    return tuple(filter(None, (data.get_text(item).strip("/") for item in items)))


def is_excluded(path: str, patterns: Sequence[str]) -> bool:
    """Return whether a site excludes a file or a folder around it."""
    parts = path.split("/")
    around = ("/".join(parts[:end]) for end in range(1, len(parts) + 1))
    return any(fnmatch(folder, pattern) for folder in around for pattern in patterns)


def _read_hugo(folder: Path, name: str) -> SiteGenerator | None:
    """Return Hugo, with the folder of the content of all languages, if the configuration is Hugo's."""
    paths = [folder / name] if name != "config" else sorted((folder / name / "_default").glob("*.*"))
    text = "\n".join(map(_read_text, paths))
    if not name.startswith("hugo.") and not _HUGO.search(text):
        return None
    named = (os.path.normpath(folder / result) for result in _CONTENT.findall(text))
    contents = [path for path in named if Path(path).is_relative_to(folder)]
    docs = Path(os.path.commonpath(contents)) if contents else folder / "content"
    return SiteGenerator(Dialect.HUGO, docs) if docs.is_dir() else None


_READERS = {Dialect.HUGO: _read_hugo, Dialect.KRAMDOWN: _read_jekyll, Dialect.KRAMED: _read_old_gitbook}


def _read_text(path: Path) -> str:
    read = files.read(path, root=path.parent) if path.is_file() else None
    return read.text if isinstance(read, Source) else ""


_DOCS_DIR = lazy_re.compile(r"^docs_dir[ \t]*:[ \t]*[\"']?([^\s\"'#]+)", re.MULTILINE)


def find_typed_docs_dir(source: Source) -> str | None:
    """Return the folder of pages from a line of a configuration that is otherwise invalid YAML."""
    line = _DOCS_DIR.search(source.text)
    return line[1] if line else None


def find_docs_dir(folder: Path) -> str | None:
    """Return the folder of pages for MkDocs or ProperDocs; None without a whole configuration in `folder`."""
    for name in ("mkdocs.yml", "properdocs.yml", "mkdocs.yaml"):
        source = files.read(folder / name, root=folder) if (folder / name).is_file() else None
        if isinstance(source, Source):
            node = read_node(source.path, source.raw)
            docs = data.get_text(node, "docs_dir") or (node is None and find_typed_docs_dir(source)) or "docs"
            return None if isinstance(node, data.Sequence) else docs  # a list is the navigation of another site
    return None


@lru_cache(4)
def read_node(path: str, raw: str) -> data.Node | None:
    """Parse a configuration that several callers need; cached. Its spans belong to no source of a site."""
    return data.load_yaml(Source(path, raw)).node
