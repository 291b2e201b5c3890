"""Links of a sentence that lead to another step than the same links of all other copies: for `drifted-code`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import NamedTuple

from tutorial_tool import addresses, align, variants
from tutorial_tool.align import Unit
from tutorial_tool.align.wording import plain_words
from tutorial_tool.document import Link, Range
from tutorial_tool.rules._copies import lone
from tutorial_tool.site import Page
from tutorial_tool.variants import Step


class StrayLink(NamedTuple):
    """A link on the page of `name` that leads to the page `target`, where those of all `others` lead to their own pages
    of the step that has the page `usual` on this variant."""

    name: str
    others: tuple[str, ...]
    place: Range
    target: Page
    usual: Page
    there: Range


def stray_links(step: Step) -> Iterator[StrayLink]:
    """The links that lead to a variant's own page of another step. Of two copies, only one to the very page itself."""
    rows = list(filter(partial(_is_asked, step), align.of(step).rows("sentence")))
    known = _steps_of(step) if rows else {}  # the pages of other steps are looked at only where there are links
    for row in rows if known else ():
        yield from _in_row(step, row, known)


def _is_asked(step: Step, row: Mapping[str, Unit]) -> bool:
    """Whether all copies have a sentence, which is one but for their own names, with as many links in each."""
    counts = {len(unit.links) for unit in row.values()}
    is_one = len({plain_words(unit.masked) for unit in row.values()}) == 1
    return len(row) == len(step.pages) and is_one and counts != {0} and len(counts) == 1


def _steps_of(step: Step) -> dict[Page, tuple[str, Step]]:
    """The variant and the step of each page that a variant of this step has."""
    if any(page.generated for page in step.pages.values()):
        return {}
    steps = variants.of_these(step)
    return {page: (name, each) for each in steps for name, page in each.pages.items() if name in step.pages}


def _in_row(step: Step, row: Mapping[str, Unit], known: Mapping[Page, tuple[str, Step]]) -> Iterator[StrayLink]:
    for number in range(len(next(iter(row.values())).links)):
        links = {name: unit.links[number] for name, unit in row.items()}
        targets = {name: _target(step, name, link, known) for name, link in links.items()}
        if not all(targets.values()):
            continue
        firsts = {name: each.first.path for name, each in targets.items() if each is not None}
        for name, others in _odd(step, firsts):
            mine, theirs = targets[name], targets[others[0]]
            place, there = links[name].place, links[others[0]].place
            usual = theirs.pages.get(name) if theirs else None
            if mine and usual and place and there:
                yield StrayLink(name, others, place, mine.pages[name], usual, there)


def _odd(step: Step, firsts: Mapping[str, str]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The variant whose link leads to another step than those of all others, by the first page of each step."""
    if len(firsts) > 2:
        name, others = lone(firsts)
        if name:
            yield name, others
    elif len(set(firsts.values())) == 2:
        for name, first in firsts.items():
            if first == step.first.path:
                yield name, tuple(firsts.keys() - {name})


def _target(step: Step, name: str, link: Link, known: Mapping[Page, tuple[str, Step]]) -> Step | None:
    """The step to whose page of the same variant a link leads; a link within its own page names a section."""
    found = addresses.of(step.site).of_link(step.pages[name], link)
    if found.page is None or found.page not in known or (found.page is step.pages[name] and found.fragment):
        return None
    whose, there = known[found.page]
    return there if whose == name else None
