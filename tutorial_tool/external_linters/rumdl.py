"""rumdl: Markdown style."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from tutorial_tool.external_linters.tool import MARKDOWN, LintedFiles, Remark, Tool, parse_severity, require_list
from tutorial_tool.markdown.parser import Dialect

SAME = {
    "MD001": ("heading-order",),
    "MD009": ("trailing-space",),
    "MD011": ("broken-link",),
    "MD029": ("broken-list-numbering",),
    "MD033": ("raw-html", "unescaped-angle"),
    "MD042": ("broken-link", "vague-link-text"),
    "MD045": ("missing-alt",),
    "MD051": ("broken-anchor",),
    "MD055": ("malformed-table",),
    "MD056": ("malformed-table",),
    "MD057": ("broken-link", "missing-image", "foreign-image"),
    "MD059": ("vague-link-text",),
}
"""Rules of the markdownlint family that report the same defect as one of ours."""
OF_LINES = frozenset(("MD013",))  # Rules whose column is the maximum line length, which differs on each platform


def _parse_output(out: str, texts: LintedFiles) -> Iterator[Remark]:
    for value in require_list(json.loads(out or "[]"), subject="its output"):
        yield texts.build_remark(
            value["file"],
            value["line"],
            None if value["rule"] in OF_LINES else value["column"],
            value["rule"],
            value["message"],
            severity=parse_severity(value["severity"]),
        )


_FLAVORS = {Dialect.PYTHON_MARKDOWN: "mkdocs", Dialect.MDX: "mdx", Dialect.HUGO: "hugo"}
_SETTINGS = (".rumdl.toml", "rumdl.toml", ".config/rumdl.toml", "pyproject.toml")


def _get_flavor_options(dialect: Dialect, root: Path) -> tuple[str, ...]:
    """Return the option for the pages' dialect, unless the project's own settings have it.

    Otherwise, rumdl reports the four spaces that Python-Markdown requires in lists.
    """
    files = [folder / name for folder in (root, *root.parents) for name in _SETTINGS]
    stated = any(b"flavor" in file.read_bytes() for file in files if file.is_file())
    return ("--flavor", _FLAVORS[dialect]) if dialect in _FLAVORS and not stated else ()


TOOL = Tool(
    "rumdl",
    "checks the style of Markdown",
    install="pip install rumdl",
    tested="0.2 to 0.3",
    options=("check", "--no-cache", "--color", "never", "--output-format", "json"),
    read=_parse_output,
    docs="https://rumdl.dev/{lower}/",
    suffixes=MARKDOWN,
    for_dialect=_get_flavor_options,
    equivalents=SAME,
)
