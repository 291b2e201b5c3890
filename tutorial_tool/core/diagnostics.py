"""What a rule reports: a finding with its span, severity and perhaps a fix."""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterable, Sequence, Sized
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from tutorial_tool.core import lazy_re
from tutorial_tool.core.errors import TutorialToolError
from tutorial_tool.core.source import Edit, Span


class Severity(enum.StrEnum):
    """How serious a finding is, the most serious first."""

    ERROR = "error"
    WARNING = "warning"
    HINT = "hint"
    OFF = "off"

    @property
    def rank(self) -> int:
        """0 for an error, 3 for off."""
        return list(Severity).index(self)

    def is_at_least(self, threshold: Severity) -> bool:
        """Return whether a finding of this severity counts if `threshold` is the minimum."""
        return self is not Severity.OFF and self.rank <= threshold.rank


class Related(NamedTuple):
    """Another span that explains a finding; `message` says how it is related.

    `again`: the same mistake is there once more. A baseline lists such a span as it does that of the finding.
    """

    span: Span
    message: str
    again: bool = False


class Fix(NamedTuple):
    """Edits of source files that resolve a finding.

    `title` says what they do. `edits` do not overlap, and apply together. `safe` fixes cannot change what the page
    means: `lint --fix` applies them; other fixes need `--unsafe-fixes`.
    """

    title: str
    edits: tuple[Edit, ...]
    safe: bool = True

    def drop_edits(self, spans: Iterable[Span]) -> Fix | None:
        """Return the fix without its edits in these spans; None if none is left."""
        edits = tuple(edit for edit in self.edits if not any(edit.span.overlaps(span) for span in spans))
        return self._replace(edits=edits) if edits else None


@dataclass(frozen=True, slots=True)
class Finding:
    """One defect at one place in a source file.

    `rule` is the name of the rule that reports it. `span` is its place: a template, a data file or a page, whichever
    has to be edited. `platforms` are the ids of the platforms that it concerns; none means that it does not depend on
    platforms. `related` are other places that explain it. `fix` is `None` where no edit is known to be right.
    `exact` is false where the place is only the enclosing tag, value or block. `why` is the evidence, line by line.
    """

    rule: str
    severity: Severity
    message: str
    span: Span
    platforms: tuple[str, ...] = ()
    related: tuple[Related, ...] = field(default=(), compare=False)
    fix: Fix | None = field(default=None, compare=False)
    exact: bool = field(default=True, compare=False)
    why: tuple[str, ...] = field(default=(), compare=False)

    def __str__(self) -> str:
        on = f" [{join_names(self.platforms)}]" if self.platforms else ""
        return f"{self.span}: {self.rule}: {self.message}{on}"


class InvalidInput(TutorialToolError):
    """Input that stops the work, raised in the shells: one or more findings."""

    def __init__(self, findings: Iterable[Finding]) -> None:
        self.findings = tuple(findings)
        super().__init__("\n".join(map(str, self.findings)))


def build_error(rule: str, message: str, span: Span, *, related: tuple[Related, ...] = ()) -> Finding:
    """Build a finding of severity error, as loading and rendering report them."""
    return Finding(rule, Severity.ERROR, message, span, related=related)


def format_count(number: int, noun: str, plural: str = "") -> str:
    """Return the number and the noun, in its plural if needed: `1,234 pages`."""
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def format_more(others: Sized) -> str:
    """Return how many more a page has, in parentheses after a space: ` (and 2 more on this page)`; "" for none."""
    return f" (and {len(others)} more on this page)" if others else ""


_MORE = lazy_re.compile(r" \(and \d+ more on this page\)")
_QUOTED = lazy_re.compile(r"`[^`]*`")


def describe_again(finding: Finding, place: Related, others: Sized = ()) -> str:
    """Return a finding's message for another place of the mistake, and how many others its page has.

    The place says what is wrong there, in quotes, or names what is there: ``also `b.png` ``.
    """
    message, named = finding.message, place.message.removeprefix("also ")
    if named != place.message and named[0] == "`":
        message = _QUOTED.sub(lambda _: named, message, count=1)
    elif not {"`", "“", ":"}.isdisjoint(named):
        return named
    return _MORE.sub(format_more(others), message)


def select_places(finding: Finding, is_kept: Callable[[Span], bool]) -> Finding | None:
    """Return a finding at those places of its mistake that are kept, the first of them its own; None for none."""
    places = [Related(finding.span, "", again=True), *(place for place in finding.related if place.again)]
    kept = [place for place in places if is_kept(place.span)]
    if not kept or len(kept) == len(places):
        return finding if kept else None
    first, *others = kept
    gone = {place.span for place in places} - {place.span for place in kept}
    related = tuple(item for item in finding.related if not item.again or item in others)
    fix, message = finding.fix and finding.fix.drop_edits(gone), describe_again(finding, first, others)
    return replace(finding, span=first.span, message=message, related=related, fix=fix)


def join_names(names: Iterable[str], last: str = ", ", limit: int = 20) -> str:
    """Join names with commas, `last` before the last; of more than `limit`, three and the number of others."""
    listed = list(names)
    listed, last = (listed, last) if len(listed) <= limit else ([*listed[:3], f"{len(listed) - 3:,} more"], " and ")
    return last.join(filter(None, (", ".join(listed[:-1]), *listed[-1:])))


def join_series(items: Sequence[str]) -> str:
    """Join items as a sentence does: `a and b`, `a, b, and c`."""
    return ", ".join((*items[:-1], f"and {items[-1]}")) if len(items) > 2 else " and ".join(items)


def format_suggestion(word: object, names: Iterable[object], like: float = 0.65) -> str:
    """Return `; did you mean 'name'?` if one of the names is close, else ""."""
    return suggest_name(find_nearest(word, names, like))


def suggest_name(name: str | None) -> str:
    """Return `; did you mean 'name'?`, or "" without a name."""
    return f"; did you mean `{name}`?" if name else ""


MAX_PLACES = 20  # Further places of a habit, and undefined names of a page: more are not needed to see it
MAX_FINDINGS = 10_000  # Findings of one rule in one file, or on one HTML page, and errors of a file that is read
MAX_DEPTH = 50  # Depth of lists and mappings, including aliases, of Markdown and folders; redirects in a row
MAX_QUOTED = 90  # Characters of an author's text that a message quotes
MAX_TEXT = 1_000  # Characters of a message, or of a text in a comment: a little below what GitHub shows
MAX_NAMED = 3  # Names in one sentence, and near names, before the number of the others
MAX_LISTED = 10  # Names, files, places or errors listed one by one, before the number of the others
CLEAR_TYPO = 0.8  # Similarity (0 to 1) of a name that is surely meant, whatever else the word could be


def shorten_text(text: str, most: int = MAX_QUOTED) -> str:
    """Return a text of at most `most` characters; a longer one ends with an ellipsis."""
    return text if len(text) <= most else text[: most - 1].rstrip() + "…"


def _measure_similarity(word: str, name: str) -> tuple[float, int]:
    """Return how similar a name is to a word, and how many letters both start with."""
    from difflib import SequenceMatcher

    common = next((index for index, (a, b) in enumerate(zip(word, name, strict=False)) if a != b), len(word))
    return round(SequenceMatcher(None, name, word).ratio(), 3), common


def find_nearest(word: object, names: Iterable[object], like: float = 0.65) -> str | None:
    """Return the name closest to a word, with a similarity of `like` or more, or in another folder."""
    from difflib import get_close_matches

    texts = ["".join((f"{name}",)) for name in names]
    if close_matches := [name for name in texts if name.lower() == f"{word}".lower()]:
        return close_matches[0]
    if close_matches := get_close_matches(f"{word}", texts, MAX_NAMED, like):
        return max(close_matches, key=lambda name: _measure_similarity(f"{word}", name))
    base = f"{word}".rpartition("/")[2]
    return next((name for name in texts if "." in base and name.endswith(f"/{base}")), None)
