"""Sets of copies to adopt. Each copy is a page of a step on a platform."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from tutorial_tool import data
from tutorial_tool.core import lazy_re
from tutorial_tool.core.source import Source
from tutorial_tool.data.forms import parse_toml
from tutorial_tool.markdown.document import Document
from tutorial_tool.markdown.parser import Dialect

TOML = "+++"  # Delimiter of TOML front matter
REFERENCE = lazy_re.compile("\ue0f0([^\ue0f1]*)\ue0f1([^\ue0f2]*)\ue0f2")
"""A reference in a copy that becomes a `link()` call: its target and its original text."""


@dataclass(frozen=True)
class Copy:
    """A page that is kept by hand.

    `path` is its path below its docs folder, and `pattern` that path without the suffix, in the form used in a
    tutorial's data: `guides/{platform}/{step}`.
    """

    platform: str
    path: str
    source: Source
    pattern: str

    @cached_property
    def text(self) -> str:
        r"""Its text with `\n` line ends, including the last line."""
        text = self.source.text
        return text if text.endswith("\n") else text + "\n"

    @property
    def expected(self) -> bytes:
        """The file's content, with the original words of its references."""
        return REFERENCE.sub(r"\2", self.source.raw).encode()

    @cached_property
    def fallback_title(self) -> str | None:
        """The title for a page that states none: its first heading, or ""; None for a page with a title.

        Site generators in Python do not read front matter in TOML: for a page with that, it is the title there.
        """
        if self.text.startswith(TOML):
            front = self.text.removeprefix(TOML).partition(f"\n{TOML}")[0]
            return str(parse_toml(front).get("title", ""))
        if str(data.parse_metadata(self.text).get("title", "")):
            return None
        headings = Document(self.text, Dialect.PYTHON_MARKDOWN).headings
        if any(heading.level == 1 for heading in headings):
            return None
        return next((str(heading.text) for heading in headings), "")

    @property
    def lacks_final_newline(self) -> bool:
        return not self.source.text.endswith("\n")


@dataclass(frozen=True)
class CopySet:
    """The copies of one step, by platform ID; `names` are the known display names of platforms.

    `place` orders the steps of a tutorial.
    """

    tutorial: str
    step: str
    copies: Mapping[str, Copy] = field(hash=False)
    names: Mapping[str, str] = field(default_factory=dict, hash=False)
    place: tuple[float, str] = (0.0, "")

    @property
    def platforms(self) -> tuple[str, ...]:
        return tuple(self.copies)

    @property
    def pattern(self) -> str:
        """The path pattern of most copies."""
        patterns = [copy.pattern for copy in self.copies.values()]
        return max(dict.fromkeys(patterns), key=patterns.count)

    def __str__(self) -> str:
        return f"{self.tutorial}/{self.step}"
