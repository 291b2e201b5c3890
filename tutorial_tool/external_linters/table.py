"""The supported linters, by name."""

from __future__ import annotations

from collections.abc import Mapping

from tutorial_tool.external_linters import codespell, cspell, markdownlint, rumdl, textlint, typos, vale
from tutorial_tool.external_linters.tool import Tool

TOOLS: Mapping[str, Tool] = {
    module.TOOL.name: module.TOOL for module in (rumdl, markdownlint, typos, codespell, cspell, vale, textlint)
}


def format_documentation(tool: Tool, code: str) -> str:
    """Return the documentation of a linter's rule, in the form of this tool's own."""
    name = f"{tool.name}/{code}"
    return f"""\
# {name}

A rule of {tool.name}, which {tool.about}.

It runs on the published pages if you set `--with {tool.name}` or `with = ["{tool.name}"]`, and is reported at their
sources. Its documentation: <{tool.build_rule_url(code)}>.

Its settings are in {tool.name}'s own configuration. `ignore = ["{name}"]` turns it off, `ignore =
["{tool.name}"]` all of them; `<!-- tutorial-tool: ignore[{name}] reason -->` suppresses it in one place.
"""
