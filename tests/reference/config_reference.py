"""The reference of all options, as Markdown: the guide has it, and a test holds it there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from tutorial_tool.config import plugin_options, settings
from tutorial_tool.config.plugin_options import PluginOption
from tutorial_tool.config.settings import Option
from tutorial_tool.linter import effective_config

BEGIN, END = "<!-- options: begin -->", "<!-- options: end -->"
PLUGIN_BEGIN, PLUGIN_END = "<!-- plugin options: begin -->", "<!-- plugin options: end -->"


def options(forms: Mapping[str, str]) -> str:
    """The options of the configuration. `forms` gives the form that some have on the command line, by key."""
    return "\n".join("\n".join(_option(option, forms.get(option.key, ""))) for option in settings.OPTIONS.values())


def _option(option: Option, form: str) -> Iterator[str]:
    yield f"### `{option.key}` {{: #{option.key} }}\n"
    yield f"{_marked(option.doc)}\n"
    typed = f". Command line: `{form.partition(' [')[0]}`" if form else ""  # its choices are the values
    yield f"Value: {option.kind.what}{_default(option)}{typed}.\n\n```toml\n{option.key} = {option.example}\n```\n"


def _default(option: Option) -> str:
    value: Any = effective_config.get_plain_value(option.key, option.default)
    return "" if value is None or value in ([], {}) else f". Default: `{effective_config.format_toml(value)}`"


def _marked(text: str) -> str:
    """A sentence of the command line's help with what is code marked as such."""
    words = [f"`{word}`" if word.startswith("--") or "*" in word else word for word in text.split(" ")]
    return " ".join(words).replace("<", "&lt;")


def plugin() -> str:
    """The options of the plugin, as a table."""
    rows = [_row(option) for option in plugin_options.OPTIONS.values()]
    return "\n".join(["| Option | Value | Default | What it does |", "| --- | --- | --- | --- |", *rows])


def _row(option: PluginOption) -> str:
    value = option.default if isinstance(option.default, str) else str(option.default).lower()
    default = "none" if option.default is None else f"`{value}`"
    return f"| `{option.key}` | {plugin_options.describe_type(option)} | {default} | {option.doc} |"


def put(page: str, begin: str, end: str, text: str) -> str:
    """A page with a text between two marks."""
    before, after = page.partition(begin)[0], page.partition(end)[2]
    return f"{before}{begin}\n\n{text.strip()}\n\n{end}{after}"
