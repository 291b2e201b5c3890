"""Rename what adopting named: write the names to a file, the worst first, and read it back."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain

from tutorial_tool import data
from tutorial_tool.adopt.data import format_scalar
from tutorial_tool.adopt.names.naming import build_slug
from tutorial_tool.core import lazy_re
from tutorial_tool.core.diagnostics import format_suggestion, shorten_text
from tutorial_tool.core.errors import TutorialToolError
from tutorial_tool.core.source import Source

_USES = {
    "values": lazy_re.compile(r"platform\.values\.([\w-]+)"),
    "labels": lazy_re.compile(r"platform\.label\('([\w-]+)'\)"),
    "features": lazy_re.compile(r"platform\.can\('([\w-]+)'\)"),
    "tables": lazy_re.compile(r"table\('([\w-]+)'"),
    "files": lazy_re.compile(r"(?:part|code)\('([\w-]+)'"),
}
"""Patterns of names in templates, by the section of the file that lists them."""
_VAGUE = frozenset("text value code path info extra data input output client part settings page name file".split())
"""Words that are too vague to be a whole name."""
_FALLBACK = lazy_re.compile(r".*(?:[-_](?:\d+|only|value|others)|lacking-\w+|_text)")
"""A fallback name, used because no other was found."""
_HEAD = "# Names that adopt gave, the worst first. Write a better one behind the colon, and run adopt again.\n"


class NamesError(TutorialToolError):
    """An invalid file of names."""


@dataclass
class Renames:
    """New names by section and old name; `used` are those that were looked up, as (section, name)."""

    names: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    used: set[tuple[str, str]] = field(default_factory=set)

    def get_new_name(self, section: str, name: str) -> str:
        """Return the requested new name, or the name itself."""
        new = self.names.get(section, {}).get(name)
        if new:
            self.used.add((section, name))
        return new or name

    def check(self, templates: Mapping[str, str]) -> None:
        """Raise NamesError if an old name does not exist, or a new one is not used by the templates."""
        existing = list_names(templates)
        for section, names in self.names.items():
            for name, new in names.items():
                if (section, name) not in self.used:
                    suggestion = format_suggestion(name, existing.get(section, ()))
                    raise NamesError(f"`{name}` in `{section}` is the name of nothing{suggestion}")
                if new not in existing.get(section, ()):
                    raise NamesError(f"`{new}` in `{section}` cannot be used: a platform or the project has that name")


def read_renames(source: Source) -> Renames:
    """Read the names from a file. Raises NamesError, with the location, for invalid ones."""
    loaded = data.load_yaml(source)
    if loaded.findings:
        raise NamesError(str(loaded.findings[0]))
    names: dict[str, dict[str, str]] = {}
    for key, node in data.get_entries(loaded.node):
        section = key.plain
        if section not in _USES:
            raise NamesError(f"{key.span}: unknown section `{section}`: use {', '.join(_USES)}")
        scalars = ((name, value) for name, value in data.get_entries(node) if isinstance(value, data.Scalar))
        names[section] = {name.plain: _check_name(section, value) for name, value in scalars if value.text}
        new = list(names[section].values())
        if duplicate := next((name for name in new if new.count(name) > 1), None):
            raise NamesError(f"{key.span}: two names in `{section}` would be `{duplicate}`")
    return Renames(names)


def _check_name(section: str, value: data.Scalar) -> str:
    name = value.plain
    slug = build_slug(name, "_" if section == "values" else "-")
    if name != slug:
        raise NamesError(f"{value.span}: `{name}` is no name for {section}: write `{slug or 'a word'}`")
    return name


def list_names(templates: Mapping[str, str]) -> dict[str, dict[str, tuple[str, str]]]:
    """Return the names in templates by section, the worst first, with the location and line of first use."""
    out: dict[str, dict[str, tuple[str, str]]] = {}
    for path, text in templates.items():
        for number, line in enumerate(text.split("\n"), 1):
            for section, pattern in _USES.items():
                for name in pattern.findall(line):
                    out.setdefault(section, {}).setdefault(name, (f"{path}:{number}", line.strip()))
    return {
        section: dict(sorted(out[section].items(), key=lambda item: (-score_vagueness(item[0]), item[0])))
        for section in sorted(out, key=lambda section: -max(map(score_vagueness, out[section])))
    }


def score_vagueness(name: str) -> int:
    """Return how vague a name is: 2 for a fallback, 1 for a vague or short word, else 0."""
    if _FALLBACK.fullmatch(name):
        return 2
    return int(name in _VAGUE or len(re.sub(r"[-_]", "", name)) <= 2)


def format_names(templates: Mapping[str, str]) -> str:
    """Format the file that lists the names in templates."""
    sections = (_format_section(section, names) for section, names in list_names(templates).items())
    return _HEAD + "".join(chain.from_iterable(sections))


def _format_section(section: str, names: Mapping[str, tuple[str, str]]) -> Iterator[str]:
    yield f"{section}:\n"
    for name, (place, line) in names.items():
        yield f"  {format_scalar(name)}:  # {place}: {shorten_text(line)}\n"
