"""What was published last time, as the inventory tells that the configuration names."""

from __future__ import annotations

from functools import lru_cache

from tutorial_tool.config.settings import Config, ConfigError
from tutorial_tool.core.source import Source
from tutorial_tool.fs import files
from tutorial_tool.publishing import inventory
from tutorial_tool.publishing.inventory import Entry


def published(config: Config) -> tuple[Entry, ...]:
    """The pages of the inventory; none where the configuration names none. Raises ConfigError."""
    if config.inventory is None:
        return ()
    read = files.read(config.root / config.inventory, root=config.root)
    if not isinstance(read, Source):
        raise ConfigError([f"{read.span.path}: inventory: {read.message}"])
    return _entries(read.path, read.raw)


@lru_cache(maxsize=2)
def _entries(path: str, text: str) -> tuple[Entry, ...]:
    """Read once for both rules."""
    try:
        return tuple(inventory.read(Source(path, text)))
    except inventory.Unreadable as wrong:
        raise ConfigError([f"{path}: inventory: {wrong}"]) from wrong
