"""The text of a link that one copy calls otherwise than all others, which call its page by its title: for
`drifted-wording`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from tutorial_tool.core import lazy_re
from tutorial_tool.links.pages import first_heading
from tutorial_tool.markdown.document import Range
from tutorial_tool.rules._shared._copies import lone
from tutorial_tool.rules.drift._linked_sentences import Lead, lead_of, linked_sentences, steps_of
from tutorial_tool.site import Page
from tutorial_tool.variants import Step

_WORD = lazy_re.compile(r"[^\W_]+")


class OtherText(NamedTuple):
    """What the copy `name` calls a page in a link, where all `others` have the text `usual` at `there`."""

    name: str
    others: tuple[str, ...]
    text: str
    place: Range
    usual: str
    there: Range


def other_texts(step: Step) -> Iterator[OtherText]:
    """The links of sentences, one but for their texts, to pages that answer to each other."""
    found = [(linked, *lone(linked.texts)) for linked in linked_sentences(step) if not linked.is_one_text]
    odd = [(linked, name, others) for linked, name, others in found if name]
    known = steps_of(step) if odd else {}
    for linked, name, others in odd:
        leads = {id_: lead_of(step, id_, link, known) for id_, link in linked.links.items()}
        title = _words(_title(leads[name]))
        mine, theirs = linked.links[name].text, linked.links[others[0]].text
        if _lead_alike(leads) and _words(linked.texts[others[0]]) <= title and not _names(mine, leads[name]):
            yield OtherText(name, others, str(mine), mine.place, str(theirs), theirs.place)


def _lead_alike(leads: Mapping[str, Lead | None]) -> bool:
    """Whether all links lead to the pages of one step, or to one page, and to no part of it."""
    pages = {_first(lead) for lead in leads.values()}
    return len(pages) == 1 and None not in pages


def _first(lead: Lead | None) -> Page | None:
    if lead is None or lead.fragment:
        return None
    return lead.step.first if lead.step else lead.page


def _title(lead: Lead | None) -> str:
    return lead.page.kept(first_heading) if lead else ""


def _names(text: str, lead: Lead | None) -> bool:
    """Whether the text of a link is a part of the title of its page, of another heading there, or of its path."""
    if lead is None:
        return False
    called = (_title(lead), lead.page.path, *(heading.text for heading in lead.page.document.headings))
    return any(_words(text) <= _words(each) for each in called)


def _words(text: str) -> set[str]:
    return set(_WORD.findall(text.lower()))
