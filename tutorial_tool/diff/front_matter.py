"""Find changes before the text of a page: title, description, number, and other front matter."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from tutorial_tool.core.source import Source, Span
from tutorial_tool.core.traced import strip_origins
from tutorial_tool.data import Scalar, forms, get_entries
from tutorial_tool.diff import PageChange
from tutorial_tool.site import Page

_VISIBLE_KEYS = ("title", "description")  # Front matter keys that readers see


def _get_entry(page: Page, other: Page, kind: str, entries: Mapping[str, str]) -> str:
    if page.generated and other.generated:  # then a step's number is separate from its title
        return strip_origins(getattr(page, kind))
    return entries.get(kind) or _get_shown_value(page, kind)


def find_changes(old: Page, new: Page) -> Iterator[PageChange]:
    """Yield the changes of a page's metadata."""
    before, after = _read_entries(old), _read_entries(new)
    yield from _find_name_changes(old, new, before, after)
    yield from _find_number_change(old, new)
    for key in dict.fromkeys([*before, *after]):
        was, is_ = before.get(key, ""), after.get(key, "")
        if was != is_ and key not in _VISIBLE_KEYS:
            yield PageChange("meta", _classify_change(was, is_), was, is_, about=key, source=_locate(new, is_))


def _find_number_change(old: Page, new: Page) -> Iterator[PageChange]:
    if old.place and new.place and old.number != new.number:
        was, is_ = (f"{number or 'no number'}" for number in (old.number, new.number))
        yield PageChange("number", "changed", was, is_, source=new.place.step.key)


def _find_name_changes(
    old: Page, new: Page, before: Mapping[str, str], after: Mapping[str, str]
) -> Iterator[PageChange]:
    for kind in _VISIBLE_KEYS:
        was, is_ = _get_entry(old, new, kind, before), _get_entry(new, old, kind, after)
        if kind == "title" and bool(was) != bool(is_):
            was, is_ = was or old.document.title, is_ or new.document.title  # step pages get their titles this way
        if was != is_:
            yield PageChange(kind, _classify_change(was, is_), was, is_, source=_locate(new, is_) or new.source.span(0))


def _get_shown_value(page: Page, kind: str) -> str:
    """Return a value that is not in the front matter, such as the title with its number from the heading."""
    heading = page.document.title if kind == "title" and page.generated else ""
    return heading or strip_origins(getattr(page, kind))


def _read_entries(page: Page) -> dict[str, str]:
    """Return the front matter of a page, by key."""
    front = page.document.front_matter
    if front is None:
        return {}
    node = forms.load_front_matter(Source(page.source.path, page.plain), front)
    return {
        key.plain: value.plain if isinstance(value, Scalar) else " ".join(value.span.text.split())
        for key, value in get_entries(node)
    }


def _locate(page: Page, text: str) -> Span | None:
    if not text:
        return None
    front = page.document.front_matter
    end = front.end if front is not None else len(page.text)
    offset = page.plain.find(text, 0, end)
    return page.get_source_span(offset, offset + len(text))[0] if offset >= 0 else None


def _classify_change(old: str, new: str) -> str:
    return "changed" if old and new else "added" if new else "removed"
