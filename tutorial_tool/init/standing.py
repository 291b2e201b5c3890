"""A site that stands already: what its configuration must say, spliced in, so that every comment stays."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from tutorial_tool import data, files
from tutorial_tool.adopt import merge
from tutorial_tool.source import Source

PLUGIN = "tutorial"
_MKDOCS = ("mkdocs.yml", "mkdocs.yaml", "properdocs.yml")
_OTHERS = ("zensical.toml", "hugo.toml", "hugo.yaml", "hugo.yml", "astro.config.mjs", "docusaurus.config.js")
_BY_HAND = "plugins:\n  - search\n  - tutorial"


@dataclass(frozen=True)
class Standing:
    """The configuration that a folder has: its name, its new text where it must change, and what people must do."""

    name: str
    edited: str | None = None
    to_do: tuple[str, ...] = ()

    @property
    def has_plugins(self) -> bool:
        """Whether the plugin can render the tutorial in a build of this site."""
        return self.name in _MKDOCS


def find(folder: Path) -> Standing | None:
    """The configuration of the site in a folder; None where there is none."""
    for name in _MKDOCS:
        if (folder / name).is_file():
            return _with_plugin(folder, name)
    for name in _OTHERS:
        if (folder / name).is_file():
            told = f"{name} takes no plugin of MkDocs: `tutorial-tool render DIR` writes the pages for it."
            return Standing(name, to_do=(told,))
    return None


def _with_plugin(folder: Path, name: str) -> Standing:
    source = files.read(folder / name, root=folder)
    by_hand = f"Add the plugin to {name}, beside those that are there:\n\n{_BY_HAND}\n"
    if not isinstance(source, Source):
        return Standing(name, to_do=(f"{source}", by_hand))
    before = _plugins(source)
    if before is not None and PLUGIN in before:
        return Standing(name)
    if before is None and _inherits(source):
        return Standing(name, to_do=(f"{name} inherits its plugins. {by_hand}",))
    try:
        edited = merge.with_entry(source, "plugins", PLUGIN, ["search", PLUGIN])
    except merge.Conflict:
        return Standing(name, to_do=(by_hand,))
    if _plugins(Source(name, edited)) != [*(before or ["search"]), PLUGIN]:
        return Standing(name, to_do=(by_hand,))  # the edit did not do what it should: nothing is guessed
    return Standing(name, edited)


def _plugins(source: Source) -> list[str] | None:
    """The plugins that a configuration names; None where it names none, and MkDocs takes its own."""
    read = data.to_plain(data.load_yaml(source).node)
    said = read.get("plugins") if isinstance(read, dict) else None
    if not said:
        return None
    entries = [name for entry in said for name in (entry if isinstance(entry, dict) else [entry])]
    return list(map(str, entries))


def _inherits(source: Source) -> bool:
    read = data.to_plain(data.load_yaml(source).node)
    return isinstance(read, dict) and "INHERIT" in read
