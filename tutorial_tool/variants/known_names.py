"""Well-known platforms, languages and products, and how paths spell them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, lru_cache
from pathlib import Path

from tutorial_tool.variants import paths

_AGENTS = "AGENTS"  # `AGENTS.md` next to `CLAUDE.md` and `GEMINI.md`: in lower case, an ordinary word


@cache
def get_names() -> Mapping[str, str]:
    """Return the display name of each slug: `{"ios": "iOS", "cpp": "C++"}`."""
    lines = (Path(__file__).parent / "known_names.txt").read_text(encoding="utf-8").splitlines()
    rows = (line.rpartition(": ") for line in lines if not line.startswith("# "))
    return {slug: name for name, _, slugs in rows for slug in slugs.split()}


def is_known_name(slug: str) -> bool:
    """Return whether a slug is a known name, or two joined ones: `nodeexpress`, `reactnativeios`."""
    return bool(get_name(slug)) or slug == _AGENTS


@lru_cache(1 << 14)
def get_name(slug: str) -> str:
    """Return the display name of a slug, or the names of two joined ones: `Android Java`; "" for an unknown one."""
    names, joined = get_names(), "".join(paths.get_tokens(slug))
    halves = ((joined[:i], joined[i:]) for i in range(2, len(joined) - 1))
    pair = next((f"{names[left]} {names[right]}" for left, right in halves if left in names and right in names), "")
    return names.get(slug.lower()) or names.get(joined) or pair
