"""A page whose text and table disagree about a capability: the one asks for it, the other does not."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from tutorial_tool.core import lazy_re
from tutorial_tool.core.diagnostics import Finding, Related, Severity
from tutorial_tool.core.source import Span
from tutorial_tool.core.traced import plain
from tutorial_tool.data.model.parts import Platform, Row, Table
from tutorial_tool.rules import rule
from tutorial_tool.site import Page, Site, page_facts

_WORD = lazy_re.compile(r"[^\W\d_]{4,}")  # Words of four letters or more: shorter ones say nothing of a row


class _Asked(NamedTuple):
    """A capability that a step's template asks for, the pages that have it, and those that do not."""

    name: str
    span: Span | None
    having: list[Page]
    lacking: list[Page]

    @property
    def words(self) -> frozenset[str]:
        """The words that all pages with the capability say in their text, and no page without it."""
        intersection = frozenset.intersection(*(page.kept(_words_of_text) for page in self.having))
        return intersection.difference(*(page.kept(_words_of_text) for page in self.lacking))


@rule("project", Severity.WARNING, needs="project")
def check(site: Site) -> Iterator[Finding]:
    result: dict[tuple[Row, bool], list[tuple[Platform, _Asked]]] = {}
    for pages in site.steps.values():
        generated = [page for page in pages.values() if page.generated]
        for asked in _asked(generated):
            words = asked.words
            for id_ in sorted({id_ for page in generated for id_, _ in page.tables}) if words else ():
                for row, platform, is_shown in _disagreeing(site.model.tables[id_], asked, words):
                    result.setdefault((row, is_shown), []).append((platform, asked))
    for (row, is_shown), value in result.items():
        yield _finding(row, value, is_shown=is_shown)


@page_facts.of_each
def _words_of_text(page: Page) -> frozenset[str]:
    """The words of a page's text, its tables aside."""
    texts = (text for text in page.document.prose() if text.kind not in ("cell", "alt"))
    return frozenset(word.lower() for text in texts for word in _WORD.findall(text))


def _asked(pages: Sequence[Page]) -> Iterator[_Asked]:
    """The capabilities in which the pages of a step differ."""
    spans = {ask.key: ask.span for page in pages for ask in page.asks if ask.kind == "can"}
    for name in sorted(spans):
        having = [page for page in pages if page.place and name in page.place.platform.can]
        lacking = [page for page in pages if page not in having]
        if having and lacking:
            yield _Asked(name, spans[name], having, lacking)


def _disagreeing(table: Table, asked: _Asked, words: frozenset[str]) -> Iterator[tuple[Row, Platform, bool]]:
    """The rows that a page shows though its text says nothing of them, or the other way round."""
    having, lacking = ([page.place.platform for page in side if page.place] for side in (asked.having, asked.lacking))
    in_name = frozenset(_WORD.findall(asked.name.lower()))
    for row in table.rows.values():
        about = _words_of_row(table, row) & words
        if not about or asked.name in row.needs:
            continue
        if all(map(row.omitted, having)):
            continue
        excess = [platform for platform in lacking if not row.omitted(platform) and not _is_explained(row, platform)]
        if len(excess) < len(lacking) or about & in_name:  # else nothing says that the row has to do with it
            yield from ((row, platform, True) for platform in excess)
        missing = [platform for platform in having if row.omitted(platform) and not _is_explained(row, platform)]
        yield from ((row, platform, False) for platform in missing if about & in_name)


def _words_of_row(table: Table, row: Row) -> frozenset[str]:
    """The words of a row's first cell, by which readers know it."""
    cell = row.cells.get(next(iter(table.columns), ""))
    return frozenset(word.lower() for word in _WORD.findall(plain(cell.text))) if cell else frozenset()


def _is_explained(row: Row, platform: Platform) -> bool:
    """Whether the row says for this very platform why it is, or is not, there."""
    override = row.on.get(platform.id)
    return override is not None and (override.omit or override.because) is not None


def _finding(row: Row, reported: Sequence[tuple[Platform, _Asked]], *, is_shown: bool) -> Finding:
    names: Mapping[str, Platform] = {platform.id: platform for platform, _ in reported}
    asked = reported[0][1]
    where = ", ".join(plain(platform.name) for platform in names.values())
    if is_shown:
        message = f"row `{row.id}` is shown on {where}, whose text lacks it: `{asked.name}` is not in `can`"
    else:
        message = f"row `{row.id}` is missing on {where}, whose text mentions it: `{asked.name}` is in `can`"
    condition = [Related(asked.span, "the text uses it here")] if asked.span else []
    related = (*condition, *(Related(platform.key, "the platform") for platform in names.values()))
    hint = f"; write `needs: [{asked.name}]` in the row"
    return Finding("", Severity.OFF, message + hint, row.key, tuple(names), related)
