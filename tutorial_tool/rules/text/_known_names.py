"""Names of products that everybody writes in one way, written in another: `Github`, `Typescript`, `Nuget`."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator

from tutorial_tool.core.diagnostics import Finding, Severity
from tutorial_tool.rules.text._corpus import NOT_AFTER, NOT_BEFORE, Corpus, Place, is_history
from tutorial_tool.site import Page, PageFix
from tutorial_tool.spelling.proper import one_spelling


def is_known(form: str) -> bool:
    """Whether a form is that of a name which is right in one spelling only, or wrong by that."""
    return form.lower() in one_spelling() and not (form.islower() or form.isupper())


def known_names(corpus: Corpus, allowed: Container[str]) -> Iterator[Finding]:
    """A finding for each page and wrong form of a name; forms of a vocabulary are allowed."""
    usage = corpus.usage
    wrong = {
        form: name
        for lower, name in one_spelling().items()
        for form in usage.lowered.get(lower, ())
        if form != name and form not in allowed and is_known(form)
    }
    for form, passages in usage.having(wrong).items() if wrong else ():
        pattern = re.compile(NOT_BEFORE + form + NOT_AFTER)
        by_page: dict[Page, list[Place]] = {}
        for place in corpus.find(pattern, passages):
            if not (is_history(place.page) or _is_marked(place) or _may_be_meant(place, wrong[form])):
                by_page.setdefault(place.page, []).append(place)
        for places in by_page.values():
            yield _finding(places, wrong[form])


def _is_marked(place: Place) -> bool:
    """Whether the form is quoted, as a name of somebody's own or as a value is."""
    start, end = place.at
    text = place.page.document.text
    return text[max(start - 1, 0) : start] in ('"', "“", "'") and text[end : end + 1] in ('"', "”", "'")


def _may_be_meant(place: Place, name: str) -> bool:
    """Whether a sentence begins with the name, so that it has a capital, or code of the page is called so."""
    form = place.text
    if form[1:] == name[1:] and place.starts_sentence:
        return True
    return any(form in place.page.plain[start:end] for start, end in place.page.document.code_spans)


def _finding(places: list[Place], name: str) -> Finding:
    first, *others = places
    edits = tuple(edit for place in places if (edit := place.edit(name)))
    fix = PageFix(f"write `{name}`", edits, safe=False) if edits else None
    related = [(place.page, place.at, f"also `{place.text}`") for place in others]
    message = f"`{first.text}` should read `{name}`"
    return first.page.flag(first.at, message, related=related, severity=Severity.WARNING, fix=fix)
