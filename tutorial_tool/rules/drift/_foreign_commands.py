"""Commands that install what another platform needs, and literals of another language: for the rule `foreign-name`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from tutorial_tool import variation
from tutorial_tool.core import lazy_re
from tutorial_tool.markdown.document import Range
from tutorial_tool.rules.drift._foreign_code import languages
from tutorial_tool.variants import Step, Variant
from tutorial_tool.variation import Unit, slots
from tutorial_tool.variation.slots import Said

_COPIES = 3
_PROMPT = lazy_re.compile(r"[$%>#] +")
_GLOBAL = frozenset(("-g", "--global", "global", "-D", "--save-dev"))
"""What installs a tool, which a page of any language may need."""
_NODE = (
    "node nodejs javascript js typescript ts react vue angular svelte nextjs nuxt express nestjs remix astro solid deno"
)
_ECOSYSTEMS: Mapping[str, tuple[str, str]] = {
    "npm": (_NODE, "install i add"),
    "pnpm": (_NODE, "add install i"),
    "yarn": (_NODE, "add"),
    "bun": (_NODE, "add install"),
    "pip": ("python django flask fastapi", "install"),
    "pip3": ("python django flask fastapi", "install"),
    "poetry": ("python django flask fastapi", "add"),
    "go": ("go golang", "get"),
    "cargo": ("rust", "add"),
    "gem": ("ruby rails rubyonrails", "install"),
    "bundle": ("ruby rails rubyonrails", "add"),
    "composer": ("php laravel symfony", "require"),
    "dotnet": ("net dotnet csharp c# fsharp aspnet aspnetcore", "add"),
    "dart": ("dart flutter", "pub"),
    "flutter": ("dart flutter", "pub"),
}
"""Package managers: the languages and frameworks whose packages they install, as letters and digits, and the commands
that do."""
_LANGUAGES = frozenset(" ".join(names for names, _ in _ECOSYSTEMS.values()).split()) | {
    "java",
    "kotlin",
    "swift",
    "elixir",
}
_OF_PYTHON = frozenset(("True", "False", "None"))
_PYTHON = frozenset(("python", "py", "python3", "pycon"))
_CODE = frozenset(
    "js javascript jsx ts typescript tsx node nodejs go golang java kotlin kt swift c cpp c++ csharp cs c# rust rs"
    " ruby rb php dart objc scala".split()
)
"""Languages, as fences and platforms are called, that write `true` for Python's `True`."""


class ForeignCommand(NamedTuple):
    """A text on the page of `name` that is that of `other`, where the `others` have their own."""

    name: str
    other: str
    others: tuple[str, ...]
    text: str
    place: Range


def foreign_commands(step: Step) -> Iterator[ForeignCommand]:
    """The commands and literals that a copy has as one other copy has them, where all others have their own."""
    if len(step.pages) < _COPIES:
        return
    for row in variation.of(step).rows("code"):
        if len(row) == len(step.pages):
            yield from _installed(step, row)
    for slot in slots.of(step).every:
        if len(slot) >= _COPIES and all(said.kind in ("code", "cell") for said in slot.values()):
            yield from _literal(step, slot)


def _installed(step: Step, row: Mapping[str, Unit]) -> Iterator[ForeignCommand]:
    """A block that installs a package of another language, word for word that of another copy."""
    lines = {name: list(slots.lines(step.pages[name], unit)) for name, unit in row.items()}
    said = {name: tuple(line.text for line in found) for name, found in lines.items()}
    if len(set(said.values())) != len(said) - 1:
        return
    for name, text in said.items():
        same = [other for other in said if other != name and said[other] == text]
        if not same or step.pages[name].generated:
            continue
        command = next((line for line in lines[name] if _manager(line.text)), None)
        if command is None:
            continue
        names = set(_ECOSYSTEMS[_manager(command.text)][0].split())
        own, theirs = (_calls(step.variants[id_]) for id_ in (name, same[0]))
        if own & _LANGUAGES and not own & names and theirs & names and not _is_elsewhere(step, name, command):
            others = tuple(id_ for id_ in said if id_ not in (name, same[0]))
            yield ForeignCommand(name, same[0], others, command.text, command.place)


def _manager(line: str) -> str:
    """The package manager that a command has install a package for a program; "" for another command."""
    first, *rest = _PROMPT.sub("", line, count=1).split() or [""]
    known = _ECOSYSTEMS.get(first)
    return first if known and len(rest) > 1 and rest[0] in known[1].split() and not _GLOBAL & {*rest} else ""


def _calls(variant: Variant) -> set[str]:
    """What a variant is called, without blanks and dots."""
    names = (variant.id, variant.name, *variant.words)
    return {"".join(sign for sign in name.lower() if sign.isalnum() or sign == "#") for name in names}


def _is_elsewhere(step: Step, name: str, command: Said) -> bool:
    """Whether a page has the package manager of a command at another place, too."""
    page = step.pages[name].plain
    word = f"{_manager(command.text)} "
    return word in page[: command.place.start] or word in page[command.place.end :]


def _literal(step: Step, slot: Mapping[str, Said]) -> Iterator[ForeignCommand]:
    """Python's `True` in a place where all other copies have that of their language, as a copy for Python has."""
    said = {name: each.text.strip("`") for name, each in slot.items()}
    found = {name: {*languages(step.pages[name]), *_calls(step.variants[name])} for name in slot}
    pythons = [name for name in slot if found[name] & _PYTHON]
    for name, text in said.items():
        if text not in _OF_PYTHON or name in pythons or not found[name] & _CODE or step.pages[name].generated:
            continue
        same = [other for other in pythons if said[other] == text]
        others = tuple(other for other in slot if other != name and other not in same)
        if same and others and all(said[other] == text.lower() for other in others):
            yield ForeignCommand(name, same[0], others, text, slot[name].place)
