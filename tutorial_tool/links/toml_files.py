"""Configurations in TOML, which may be wrong: what publishes a site says so."""

from __future__ import annotations

from typing import Any


def parse_toml(text: str) -> dict[str, Any]:
    """What a text in TOML says; nothing where it cannot be read."""
    import tomllib

    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError):  # wrong TOML, or a number of 5,000 digits
        return {}
