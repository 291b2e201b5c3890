"""Pages that a reader cannot tell apart: one title, one platform, one section."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from posixpath import basename, dirname
from typing import NamedTuple

from tutorial_tool import variants
from tutorial_tool.config.settings import Config
from tutorial_tool.core import lazy_re
from tutorial_tool.core.diagnostics import Finding, Related, Severity
from tutorial_tool.markdown.document import MASK
from tutorial_tool.rules import rule
from tutorial_tool.site import Page, Site, page_facts
from tutorial_tool.site.having import having
from tutorial_tool.variants import ordering
from tutorial_tool.variants.ordering import Title, titles
from tutorial_tool.variants.ordering.sequences import is_hidden

_MANY, _MOST = 5, 20  # Pages of a section that are told one by one, and places that a finding names
_SENT_ON = lazy_re.compile(r"^redirect(?:_to|To|-to)?[ \t]*:", re.MULTILINE)


@rule("navigation", Severity.HINT, needs="pages")
def check(site: Site, config: Config) -> Iterator[Finding]:
    known = ordering.of(site, config.variants)
    alike: dict[tuple[str, object, str], list[tuple[Page, Title]]] = {}
    for page, called in having(site, _called).items():
        assert called is not None
        entry = known.entries.get(page)
        words = _folded(entry.title) if entry and entry.title else called.words
        where = entry.sections if entry else called.folder
        alike.setdefault((words, where, page.lang or "en"), []).append((page, called.title))
    groups = [(section, group) for (_, section, _), group in alike.items() if len(group) > 1]
    folders: dict[str, set[str]] = {}
    for page in site.pages if groups else ():
        folders.setdefault(basename(page.path), set()).add(dirname(page.path))
    groups = [(section, group) for section, group in groups if not _are_distinct(group, folders)]
    answering = _answering(site, config) if groups else {}
    matches: dict[object, list[Finding]] = {}
    for section, group in groups:
        matches.setdefault(section, []).extend(_flagged(group, answering))
    for findings in matches.values():
        yield from findings if len(findings) <= _MANY else (_of_many(findings),)


def _of_many(findings: list[Finding]) -> Finding:
    """One finding for a section of which a program may have written the pages."""
    first, *others = findings
    more = f" ({len(findings)} pages in this section share a title)"
    related = tuple(Related(finding.span, "another one") for finding in others[:_MOST])
    return replace(first, message=first.message + more, related=(*first.related, *related))


class _Called(NamedTuple):
    """A page's title, the words of it as they are compared, and the folder that the page stands in."""

    title: Title
    words: str
    folder: str


@page_facts.of_each
def _called(page: Page) -> _Called | None:
    shown = page.kept(titles.title)
    return _Called(shown, _folded(_typed(page, shown)), dirname(page.path)) if shown and not _is_no_page(page) else None


def _folded(text: str) -> str:
    return " ".join(text.casefold().split())


def _is_no_page(page: Page) -> bool:
    """Whether a file is a part of pages, sends its reader on, or is kept out of the navigation."""
    if any(part.startswith("_") for part in page.path.split("/")) and not basename(page.path).startswith("_index"):
        return True
    front = page.document.front_matter
    sent = front and _SENT_ON.search(page.document.front_text, front.start, front.end)
    return bool(sent) or is_hidden(page)


_SUFFIX = lazy_re.compile(r"(?:\.[a-z]{2}(?:[-_][A-Za-z]{2})?)?\.\w+$")
_FIRST = frozenset(("readme", "index"))


def _are_distinct(group: list[tuple[Page, Title]], folders: dict[str, set[str]]) -> bool:
    """Whether the names of the files are those of something that stands in many folders (`ios`, `web`).

    Or one is a translation (`page.de.md`), or the `README` for who reads the folder itself.
    """
    stems = {_SUFFIX.sub("", basename(page.path)).lower() for page, _ in group}
    if len(stems) == 1 or stems <= _FIRST:
        return True
    return all(len(folders[basename(page.path)]) > 1 for page, _ in group)


def _answering(site: Site, config: Config) -> dict[Page, tuple[int, str]]:
    """Which pages are copies of one step, and of which platform each is."""
    steps = variants.of(site, config.variants)
    return {page: (number, id_) for number, step in enumerate(steps) for id_, page in step.pages.items()}


def _typed(page: Page, title: Title) -> str:
    """A title as it is compared: one that holds code, as it is typed, since two names in code differ."""
    return page.plain[title.place.start : title.place.end] if MASK in title.text else title.text


def _flagged(group: list[tuple[Page, Title]], answering: dict[Page, tuple[int, str]]) -> Iterator[Finding]:
    titles: dict[str | None, tuple[Page, Title]] = {}
    for page, title in group:
        platform = page.platform or (answering[page][1] if page in answering else None)
        first = titles.setdefault(platform, (page, title))
        if first[0] is not page:
            message = f"ambiguous title `{_typed(page, title).strip('`')}`: {first[0].path} in this section has it, too"
            yield page.flag(title.place, message, related=[(first[0], first[1].place, "the other page")])
