"""The options of the plugin in `mkdocs.yml`: the single table, without importing MkDocs."""

from __future__ import annotations

import re
from typing import NamedTuple

from tutorial_tool.core import lazy_re
from tutorial_tool.core.diagnostics import format_suggestion


class PluginOption(NamedTuple):
    """An option: key, type of its value (`str` or `bool`), default, description, and a YAML example."""

    key: str
    type: type
    default: str | bool | None
    doc: str
    example: str


NAV_MARK = "tutorial:"  # In the `nav` of MkDocs, `tutorial:ID` or `tutorial: ID` inserts the pages of a tutorial
_MARKED = lazy_re.compile(r"tutorials?:\s*(.*?)\s*")  # `tutorials:` is accepted, too: it can mean nothing else
_ID = lazy_re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]*")
EDITOR = "vscode://file/{path}:{line}:{column}"
EXTENSIONS: dict[str, dict[str, bool]] = {
    "attr_list": {},
    "tables": {},
    "admonition": {},
    "pymdownx.superfences": {},
    "pymdownx.tabbed": {"alternate_style": True},
}
"""The Markdown extensions that tutorial pages need, with their options; the plugin enables them."""
OPTIONS = {
    option.key: option
    for option in (
        PluginOption("project", str, ".", "The folder of platforms.yaml, relative to mkdocs.yml.", "tutorial"),
        PluginOption(
            "templates", str, "site_templates", "The folder of templates, relative to the project.", "templates"
        ),
        PluginOption("lang", str, None, "Publish the tutorial in the language of translations/LANG.po.", "de"),
        PluginOption("lint", bool, True, "Whether the build logs the linter's findings as warnings.", "false"),
        PluginOption(
            "rules",
            str,
            None,
            "A folder of the site for the rule documentation; `rules:` in the navigation lists it.",
            "guide/rules",
        ),
        PluginOption("readers", bool, True, "Whether a build includes each page as Markdown, and llms.txt.", "false"),
        PluginOption(
            "sharing", bool, True, "Whether pages have social metadata, and the platform in window titles.", "false"
        ),
        PluginOption(
            "dates",
            bool,
            False,
            "Whether steps and the sitemap show when the source lines of a page last changed in git.",
            "true",
        ),
        PluginOption(
            "untrusted",
            bool,
            False,
            "Whether templates are first rendered in a process with limits on time and memory.",
            "true",
        ),
        PluginOption(
            "prune",
            bool,
            True,
            "Whether pages of a large site leave out closed sections of Material's navigation.",
            "false",
        ),
        PluginOption("parallel", bool, True, "Whether a large build uses several processes, if that is safe.", "false"),
        PluginOption(
            "editor",
            str,
            EDITOR,
            "While serving: the URL that opens your editor, with {path}, {line} and {column}.",
            '"idea://open?file=/{path}&line={line}&column={column}"',
        ),
    )
}
"""All options, by key."""
_TYPES = {str: "text", bool: "true or false"}


class TutorialInNav(NamedTuple):
    """An entry of a `nav` that is replaced by a tutorial: its ID, and its title, if given."""

    id: str
    title: str | None


def parse_nav_entry(title: str | None, value: str) -> TutorialInNav | None:
    """Return the tutorial of an entry; None if it is another entry.

    With a space after the colon, YAML parses the marker as a title, and the ID as its target: no path of a page is
    without a suffix.
    """
    if marked := _MARKED.fullmatch(value):
        return TutorialInNav(marked[1], title)
    is_marked = title == NAV_MARK.removesuffix(":") and _ID.fullmatch(value) is not None
    return TutorialInNav(value, None) if is_marked else None


def describe_type(option: PluginOption) -> str:
    """Return the type of an option's value, in words."""
    return _TYPES[option.type]


def describe_unknown(key: str) -> str:
    """Return the message on a key that is not an option."""
    start = f"{near} The" if (near := format_suggestion(key, OPTIONS)) else "; the"
    return f"unknown option `{key}`{start} options are {', '.join(OPTIONS)}"


def describe_wrong_value(option: PluginOption, value: object) -> str:
    """Return the message on a value of the wrong type."""
    if isinstance(value, bool):
        shown = str(value).lower()
    else:
        shown = f"`{value}`" if isinstance(value, str) else f"a {type(value).__name__}"
    return f"should be {describe_type(option)}, not {shown}; such as `{option.key}: {option.example}`"


def describe_wrong_folder(key: str, value: str, file: str, text: str, message: str) -> str:
    """Return the message on an option whose folder lacks what it should have.

    It includes the location in `mkdocs.yml`.
    """
    return f"{_format_location(key, value, file, text)}: the option `{key}`: {message}"


def _format_location(key: str, value: str, file: str, text: str) -> str:
    """Return the location of an option's value; only the file if it is not found there as plain text."""
    match = re.search(rf"(?<![\w-]){key}:[ \t]*['\"]?({re.escape(value)})(?![\w./-])", text)
    if match is None:
        return file
    line, start = text.count("\n", 0, match.start(1)) + 1, text.rfind("\n", 0, match.start(1))
    return f"{file}:{line}:{match.start(1) - start}"
