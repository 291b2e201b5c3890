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


@lru_cache(1 << 14)
def is_known_name(slug: str) -> bool:
    """Return whether a slug is a known name, or two joined ones: `nodeexpress`, `reactnativeios`."""
    names, joined = get_names(), "".join(paths.get_tokens(slug))
    if slug.lower() in names or joined in names or slug == _AGENTS:
        return True
    return any(joined[:i] in names and joined[i:] in names for i in range(2, len(joined) - 1))


def get_name(slug: str) -> str:
    """Return the display name of a slug; "" for an unknown one."""
    return get_names().get(slug.lower()) or get_names().get("".join(paths.get_tokens(slug)), "")
