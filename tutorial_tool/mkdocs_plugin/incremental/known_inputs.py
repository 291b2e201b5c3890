"""Whether all parts of a build are known: only then the effect of a change is known."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any

import mkdocs.plugins
from mkdocs.config.defaults import MkDocsConfig

from tutorial_tool.core import lazy_re

MODULES = tuple(
    "commands/build.py livereload/__init__.py plugins.py structure/files.py structure/nav.py structure/pages.py".split()
)
DIGESTS = frozenset(("12c2fe8c300e27ecdc2c19269bc72fba04005fe8ee10dc65b93a6e0542096887",))
"""Digests of these modules in the known release of MkDocs, 1.6.1."""
THEMES = (None, "material", "mkdocs", "readthedocs")
PLUGINS = (
    ("tutorial_tool.mkdocs_plugin", "TutorialPlugin"),
    ("material.plugins.search.plugin", "SearchPlugin"),
    ("mkdocs.contrib.search", "SearchPlugin"),
)
_EXTENSIONS = lazy_re.compile(r"(?:markdown\.extensions\.)?[a-z_]+|pymdownx\.[a-z0-9_.]+")
_OF_MARKDOWN = frozenset(
    "abbr admonition attr_list codehilite def_list extra fenced_code footnotes legacy_attrs legacy_em md_in_html meta "
    "nl2br sane_lists smarty tables toc wikilinks".split()
)
_READING_FILES = ("pymdownx.snippets", "pymdownx.b64")  # Extensions whose pages depend on other files
_SHARED = lazy_re.compile(
    r"\b(?:nav|pages|files|children|homepage|previous_page|next_page|parent|siblings|ancestors|build_date_utc|random)\b"
)
"""Names in a theme's templates that depend on more than one page."""
_CHANGING = lazy_re.compile(
    r"\.(?:update|append|extend|insert|setdefault|pop|popitem|remove|clear|add)\b|\{%[-+]?\s*do\b"
)
"""Ways in which a template changes state beyond its page."""


def find_unknown(config: MkDocsConfig) -> str | None:
    """Return a description of a build part that may read other pages; None if there is none."""
    return next(_iter_unknown(config), None)


def find_parallel_risk(config: MkDocsConfig) -> str | None:
    """Return a description of what may break a parallel build; None if there is nothing."""
    return next(chain(_find_unknown_code(config), _find_in_templates(config, _SHARED, _CHANGING)), None)


def _iter_unknown(config: MkDocsConfig) -> Iterator[str]:
    yield from _find_unknown_code(config)
    if config.strict:
        yield "`strict`"
    if config.extra_templates:
        yield "`extra_templates`"
    if config.theme.name not in THEMES:
        yield f"theme `{config.theme.name}`"
    for name in _READING_FILES:
        if name in config.markdown_extensions:
            yield f"Markdown extension `{name}`"
    yield from _find_in_templates(config, _SHARED)


def _find_unknown_code(config: MkDocsConfig) -> Iterator[str]:
    if compute_digest() not in DIGESTS:
        yield f"MkDocs {mkdocs.__version__}"
    for name, plugin in config.plugins.items():
        if (type(plugin).__module__, type(plugin).__name__) not in PLUGINS:
            yield f"plugin `{name}`"
    if config.hooks:
        yield "`hooks`"
    for name in config.markdown_extensions:
        if not _is_known(name):
            yield f"Markdown extension `{name}`"
    yield from (f"function `{name}` of a Markdown extension" for name in _find_functions(config.mdx_configs))


@cache
def compute_digest() -> str:
    """Return the digest of the MkDocs code that this package builds upon."""
    root = Path(str(mkdocs.plugins.__file__)).parent  # a fork of MkDocs has its own files
    files = (file for module in MODULES if (file := root / module).is_file())
    return hashlib.sha256(b"".join(file.read_bytes().replace(b"\r\n", b"\n") for file in files)).hexdigest()


def _is_known(extension: str) -> bool:
    if not _EXTENSIONS.fullmatch(extension):
        return False
    return extension.startswith("pymdownx.") or extension.removeprefix("markdown.extensions.") in _OF_MARKDOWN


def _find_in_templates(config: MkDocsConfig, *patterns: re.Pattern[str]) -> Iterator[str]:
    """Yield descriptions of relevant code in templates of the theme's custom folder."""
    for path in _list_templates(config.theme.custom_dir):
        text = path.read_text(encoding="utf-8", errors="replace")
        for match in filter(None, (pattern.search(text) for pattern in patterns)):
            yield f"`{match[0]}` in {path.name} of the theme's custom_dir"


def _find_functions(value: Any) -> Iterator[str]:
    """Yield unknown functions in the options of extensions."""
    if isinstance(value, Mapping):
        value = list(value.values())
    if isinstance(value, Iterable) and not isinstance(value, str | bytes):
        for item in value:
            yield from _find_functions(item)
    elif callable(value):
        function = getattr(value, "func", value)  # of a partial
        module = getattr(function, "__module__", None) or type(function).__module__
        if module.split(".")[0] not in ("markdown", "material", "pymdownx"):
            yield getattr(function, "__qualname__", type(function).__name__)


def _list_templates(folder: str | None) -> list[Path]:
    return [path for path in sorted(Path(folder).rglob("*")) if path.suffix in (".html", ".xml")] if folder else []
