"""A table whose columns are not those of the other copies."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from rapidfuzz import fuzz

from tutorial_tool.core import lazy_re
from tutorial_tool.core.diagnostics import Finding, Severity
from tutorial_tool.core.similarity import ALIKE
from tutorial_tool.markdown.document import Table
from tutorial_tool.rules import rule
from tutorial_tool.rules._shared._copies import Verdict, decide_outliers, format_variant_names
from tutorial_tool.variants import Step
from tutorial_tool.variation import OWN
from tutorial_tool.variation.model.intentions import is_intended
from tutorial_tool.variation.model.substitutions import learn_substitutions, record_answers
from tutorial_tool.variation.tables import TableCopy, find_copy_groups, find_in_place

_MAX_TITLE_WORDS = 2  # Maximum words for one column if one is a mistake; with more, platforms use their own
_MIN_TEXTS = 2  # Minimum texts of a variant with a word that no other variant has
_WORD = lazy_re.compile(r"[^\W\d_]+|\ue000")


@rule("tables", Severity.WARNING)
def check(step: Step) -> Iterator[Finding]:
    for copies in find_copy_groups(step):
        titles = {name: " | ".join(copy.titles) for name, copy in copies.items()}
        if len(set(titles.values())) > 1:
            places = {name: copy.header_span for name, copy in copies.items()}
            verdict = decide_outliers(step, titles, places)
            if finding := _build_finding(step, copies, verdict):
                yield finding


def _build_finding(step: Step, copies: Mapping[str, TableCopy], verdict: Verdict) -> Finding | None:
    outliers, majority = verdict.outliers, verdict.majority
    copy, others = copies[outliers[0]], [copies[name] for name in majority]
    other = others[0]
    if _has_distinct_words(find_in_place(step, copies)) or _are_both_used(copy, others):
        return None
    if _is_platform_specific(step, outliers[0], copy, other) or is_intended(step, copy.page, copy.header_span):
        return None
    header = " | ".join(cell.text.strip() for cell in other.table.header)
    why = " (no majority)" if verdict.tie else ""
    verb = "has" if len(majority) == 1 else "have"
    message = f"columns differ from {format_variant_names(step, majority)}, which {verb} `{header}`{why}"
    related = [(other.page, other.header_span, f"the columns on {other.variant.name}")]
    again = [(copies[name].page, copies[name].header_span, "differs, too") for name in outliers[1:]]
    is_doubted = _is_known_column(copy, others) if _is_column_missing(copy, other) else verdict.tie
    severity = Severity.HINT if is_doubted or _are_alike(copy, other) else None
    return copy.page.flag(_get_title_span(copy, other), message, related=related, again=again, severity=severity)


def _has_distinct_words(copies: Mapping[str, TableCopy]) -> bool:
    """Return whether only one column differs, and the copies have at least three words for it.

    `Input`, `Parameter` and `Variable` are what each platform calls it.
    """
    if len({len(copy.titles) for copy in copies.values()}) > 1:
        return False
    values = [set(titles) for titles in zip(*(copy.titles for copy in copies.values()), strict=True)]
    return sorted(map(len, values))[:-1] == [1] * (len(values) - 1) and max(map(len, values)) > _MAX_TITLE_WORDS


def _are_both_used(copy: TableCopy, others: Sequence[TableCopy]) -> bool:
    """Return whether other tables of the pages have the other copies' columns: generators omit empty ones.

    If missing columns are the only difference, such tables on one of the pages are enough.
    """
    either = any if _is_column_missing(copy, others[0]) else all
    return either((_has_another(copy, others[0]), any(_has_another(other, copy) for other in others)))


def _is_column_missing(copy: TableCopy, other: TableCopy) -> bool:
    """Return whether the only difference is that one copy has more columns."""
    titles, other_titles = set(copy.titles), set(other.titles)
    return titles < other_titles or other_titles < titles


def _is_known_column(copy: TableCopy, others: Sequence[TableCopy]) -> bool:
    """Return whether other tables of the side without a column have it where they need it."""
    titles, other_titles = set(copy.titles), set(others[0].titles)
    sides = [copy] if titles < other_titles else others
    return any((titles ^ other_titles) <= set(header) for side in sides for header in _iter_other_headers(side))


def _has_another(copy: TableCopy, other: TableCopy) -> bool:
    """Return whether another table of a copy's page has the columns of the other copy."""
    return _get_header(other.table) in _iter_other_headers(copy)


def _iter_other_headers(copy: TableCopy) -> Iterator[list[str]]:
    return (_get_header(table) for table in copy.page.document.tables if table is not copy.table)


def _get_header(table: Table) -> list[str]:
    return [cell.text.strip().lower() for cell in table.header]


def _are_alike(copy: TableCopy, other: TableCopy) -> bool:
    """Return whether the columns are the same under similar names: `Behavior` and `Behaviour`."""
    pairs = zip(copy.titles, other.titles, strict=False)
    return len(copy.titles) == len(other.titles) and all(fuzz.partial_ratio(a, b) >= ALIKE for a, b in pairs)


def _is_platform_specific(step: Step, name: str, copy: TableCopy, other: TableCopy) -> bool:
    """Return whether a title has the platform's name or a platform-specific word of its texts."""
    learned = learn_substitutions(step)
    words, expected = (set(_WORD.findall(" ".join(item.titles))) for item in (copy, other))
    others = [id_ for id_ in step.pages if id_ != name]
    result = any(
        word == OWN
        or (learned.count_texts(name, word) >= _MIN_TEXTS and not any(learned.count_texts(o, word, 1) for o in others))
        for word in words - expected
    )
    record_answers(step, learned)
    return result


def _get_title_span(copy: TableCopy, other: TableCopy) -> tuple[int, int]:
    """Return the span of the only title that differs, or of the whole header."""
    if len(copy.titles) == len(other.titles):
        differing = [i for i, (a, b) in enumerate(zip(copy.titles, other.titles, strict=True)) if a != b]
        if len(differing) == 1:
            cell = copy.table.header[differing[0]]
            return cell.start, cell.end
    return copy.header_span
