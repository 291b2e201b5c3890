"""Configurations in TOML. Their errors are ignored: the program that publishes the site reports them."""

from __future__ import annotations

from typing import Any


def parse_toml(text: str) -> dict[str, Any]:
    """Return the data in a TOML text; empty if it cannot be parsed."""
    import tomllib

    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError):  # invalid TOML, or a number of 5,000 digits
        return {}
