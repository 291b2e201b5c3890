"""List words that templates often use: Jinja's tags, filters and tests, and the tool's call arguments."""

import tomllib
from pathlib import Path

_WORDS = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
TAGS: dict[str, str] = _WORDS["tags"]
FILTERS: dict[str, str] = _WORDS["filters"]
TESTS: dict[str, str] = _WORDS["tests"]
ARGUMENTS: dict[str, dict[str, str]] = _WORDS["arguments"]
