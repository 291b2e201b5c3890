"""Platform names with the wrong case or separators, where copies of the sentence write theirs correctly."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from tutorial_tool.core import lazy_re
from tutorial_tool.core.diagnostics import Finding
from tutorial_tool.core.scripts import Expression
from tutorial_tool.markdown.document import Prose
from tutorial_tool.site import Page
from tutorial_tool.variants import Step
from tutorial_tool.variants.persistence import register_persistent

_WORD = lazy_re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+|[^\W_a-zA-Z\d]+")
"""The words in a name: `Node` and `js`, `Git` and `Hub`."""
_SIGN = lazy_re.compile(r"[ .-]")


class InconsistentName(NamedTuple):
    """A name as typed and its span, and the same sentence of a copy: its page and the span of its name."""

    page: Page
    place: tuple[int, int]
    typed: str
    name: str
    other: Page
    other_place: tuple[int, int]


@register_persistent
def report_inconsistent_names(step: Step) -> tuple[Finding, ...]:
    """Report the inconsistent names of a step. The result is cached while its pages do not change."""
    return tuple(
        item.page.flag(
            item.place,
            f"write `{item.name}`: other copies use the platform's name here",
            related=[(item.other, item.other_place, "another copy")],
        )
        for item in find_inconsistent_names(step)
    )


def find_inconsistent_names(step: Step) -> Iterator[InconsistentName]:
    """Find the inconsistent names of a step, in texts that equal a copy's except for the name."""
    requested = [id_ for id_, page in step.pages.items() if _may_be_inconsistent(step.variants[id_].name, page.plain)]
    pages = step.pages.items() if requested else ()
    texts = {id_: {str(prose): prose for prose in page.document.get_prose()} for id_, page in pages}
    for id_ in requested:
        yield from _find_in_page(step, id_, texts)


def _find_in_page(step: Step, id_: str, texts: dict[str, dict[str, Prose]]) -> Iterator[InconsistentName]:
    name, page = step.variants[id_].name, step.pages[id_]
    for text, prose in texts[id_].items():
        for match in _compile_name_pattern(name).finditer(text):
            if match[0] not in (name, name.upper()) and (sample := _find_sample(step, id_, texts, match)):
                other, value, (start, end) = sample
                other_span = texts[other][value].locate(start, end)
                yield InconsistentName(page, prose.locate(match), match[0], name, step.pages[other], other_span)


def _may_be_inconsistent(name: str, text: str) -> bool:
    """Return whether a page, code included, writes a name differently: most do not and need no parsing."""
    if name == name.lower() or (name.istitle() and name not in text):  # `your web app` everywhere on a page is a noun
        return False
    return any(match[0] not in (name, name.upper()) for match in _compile_name_pattern(name).finditer(text))


@cache
def _compile_name_pattern(name: str) -> Expression:
    """Compile a pattern for a name in any case, with or without separators: `NodeJS`, `Git Hub`."""
    words = _WORD.findall(name)
    is_whole = "".join(words) == _SIGN.sub("", name)
    spelling = "[ .-]?".join(map(re.escape, words)) if is_whole else re.escape(name)
    return Expression(rf"(?<![\w.-])(?i:{spelling})(?![\w-]|\.\w)")


def _normalize_name(name: str) -> str:
    return _SIGN.sub("", name).lower()


def _find_sample(
    step: Step, variant_id: str, texts: dict[str, dict[str, Prose]], match: re.Match[str]
) -> tuple[str, str, tuple[int, int]] | None:
    """Find a copy that writes its name correctly in the same text.

    Return the copy, its text and the span of the name there; None if there is no such copy, or if one of them writes
    its name differently, too.
    """
    before, after = match.string[: match.start()], match.string[match.end() :]
    sample = None
    for id_, passages in texts.items():
        name = step.variants[id_].name
        if id_ == variant_id or name == name.lower():
            continue
        for text in passages:
            name_text = _cut_middle(text, before, after)
            if name_text == name:
                sample = sample or (id_, text, (len(before), len(before) + len(name)))
            elif name_text and _normalize_name(name_text) == _normalize_name(name):
                return None
    return sample


def _cut_middle(text: str, before: str, after: str) -> str:
    """Return the part of a text between two others, if it starts and ends with them; else ""."""
    is_around = len(text) > len(before) + len(after) and text.startswith(before) and text.endswith(after)
    return text[len(before) : len(text) - len(after)] if is_around else ""
