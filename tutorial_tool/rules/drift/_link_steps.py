"""Links of a sentence that lead to another step or section than the same links of all other copies: for
`drifted-code`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from tutorial_tool import links, variants
from tutorial_tool.core import lazy_re
from tutorial_tool.markdown.document import Range
from tutorial_tool.rules._shared._copies import lone
from tutorial_tool.rules.drift._linked_sentences import Lead, Linked, lead_of, linked_sentences, steps_of
from tutorial_tool.site import Page
from tutorial_tool.variants import Step
from tutorial_tool.variation import OWN

_COUNTED = lazy_re.compile(r"[-_]\d+$")
"""What stands behind the anchor of a heading whose text is that of another one before it."""


class StrayLink(NamedTuple):
    """A link on the page of `name` that leads to the page `target`, where those of all `others` lead to their own pages
    of the step that has the page `usual` on this variant; or to another section of one page.

    `section` is that of the others, "" where the pages differ. `is_rewritten`: its text is another one, too.
    """

    name: str
    others: tuple[str, ...]
    place: Range
    target: Page
    usual: Page
    there: Range
    section: str = ""
    is_rewritten: bool = False


def stray_links(step: Step) -> Iterator[StrayLink]:
    """The links that lead to a variant's own page of another step, or to another section of it. Of two copies, only one
    to the very page itself."""
    found = linked_sentences(step)
    known = steps_of(step) if found else {}  # the pages of other steps are looked at only where there are links
    for linked in found if known else ():
        leads = {name: lead_of(step, name, link, known) for name, link in linked.links.items()}
        told = {name: lead for name, lead in leads.items() if lead is not None}
        if len(told) == len(leads):
            yield from _to_another_step(step, linked, told, known)
            yield from _to_another_section(step, linked, told)


# Another step


def _to_another_step(
    step: Step, linked: Linked, leads: Mapping[str, Lead], known: Mapping[Page, tuple[str, Step]]
) -> Iterator[StrayLink]:
    if any(lead.step is None or (lead.page is step.pages[name] and lead.fragment) for name, lead in leads.items()):
        return  # a link within its own page names a section
    steps = {name: lead.step for name, lead in leads.items() if lead.step is not None}
    for name, others in _odd(step, {name: each.first.path for name, each in steps.items()}):
        mine, theirs, usual = steps[name], steps[others[0]], steps[others[0]].pages.get(name)
        place, there = linked.links[name].place, linked.links[others[0]].place
        if usual and place and there:
            is_meant = not linked.is_one_text and not _is_slip(step, linked, name, mine, theirs, known)
            if not is_meant:
                is_rewritten = not linked.is_one_text
                yield StrayLink(name, others, place, mine.pages[name], usual, there, is_rewritten=is_rewritten)


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


def _is_slip(
    step: Step, linked: Linked, name: str, mine: Step, theirs: Step, known: Mapping[Page, tuple[str, Step]]
) -> bool:
    """Whether a link with another text and another target is none that the variant needs: all have both pages, and no
    other page of the variant leads to where this one should, as it would in another order of steps."""
    texts = {linked.texts[other] for other in step.pages if other != name}
    if len(texts) > 1 or not step.pages.keys() <= mine.pages.keys() & theirs.pages.keys():
        return False
    return not any(
        _leads_to(each, name, theirs, known) and not any(_leads_to(each, other, theirs, known) for other in others)
        for each in variants.others(step)
        if each is not theirs and name in each.pages and (others := each.pages.keys() & step.pages.keys() - {name})
    )


def _leads_to(step: Step, name: str, target: Step, known: Mapping[Page, tuple[str, Step]]) -> bool:
    """Whether the page of a variant has a link to its page of another step."""
    found = (lead_of(step, name, link, known) for link in step.pages[name].document.links)
    return any(lead is not None and lead.page is target.pages.get(name) for lead in found)


# Another section


def _to_another_section(step: Step, linked: Linked, leads: Mapping[str, Lead]) -> Iterator[StrayLink]:
    """A link to another section of the page to which all lead, where that has both sections on each of them."""
    pages = {lead.step.first if lead.step else lead.page for lead in leads.values()}
    if len(pages) > 1 or not linked.is_one_text or not all(lead.section for lead in leads.values()):
        return
    name, others = lone({each: lead.fragment for each, lead in leads.items()})
    place = linked.links[name].place if name else None
    there = linked.links[others[0]].place if name else None
    if not place or not there:
        return
    mine, usual = leads[name], leads[others[0]]
    if OWN in mine.fragment + usual.fragment or _bare(mine.section) == _bare(usual.section):
        return
    site = links.of(step.site)
    if all(site.has_anchor(lead.page, each.section) for lead in leads.values() for each in (mine, usual)):
        yield StrayLink(name, others, place, mine.page, mine.page, there, usual.section)


def _bare(fragment: str) -> str:
    return re.sub(_COUNTED.pattern, "", fragment)
