"""A page that shows another picture than its copies do, each their own: by its path, or by its bytes."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

from tutorial_tool.core import lazy_re
from tutorial_tool.core.diagnostics import Finding, Related, Severity
from tutorial_tool.core.source import Source, Span
from tutorial_tool.core.traced import plain
from tutorial_tool.markdown.document import Image, Range
from tutorial_tool.rules import rule
from tutorial_tool.rules._shared._copies import intended, named
from tutorial_tool.rules._shared._foreign_paths import Address, foreign
from tutorial_tool.rules.images._stray_pictures import StrayPicture, stray_pictures
from tutorial_tool.site import Page
from tutorial_tool.variants import Step

_PICTURE = lazy_re.compile(r"\.(?:png|jpe?g|gif|svg|webp|avif)$", re.IGNORECASE)
_LARGEST = 20_000_000
"""Bytes of a picture that is still read."""


@rule("images", Severity.ERROR)
def check(step: Step) -> Iterator[Finding]:
    addresses = {
        name: [
            *(
                Address(image.src, image.place, image.alt or "", folder=posixpath.dirname(page.path))
                for image in page.document.images
                if image.place
            ),
            *_of_components(page),
        ]
        for name, page in step.pages.items()
    }
    told: set[tuple[str, Range]] = set()
    for found in foreign(step, addresses, files=True):
        page, place = step.pages[found.name], found.address.place
        told.add((found.name, place))
        if intended(step, page, place):
            continue
        there, here = {**step.kin, **step.variants}[found.other].name, step.variants[found.name].name
        show = "shows its own" if len(found.own) == 1 else "show their own"
        message = f"image of {there} on a page for {here}; {named(step, found.own)} {show} here"
        whole = page.text[place.start : place.end] == found.address.href
        at = (place.start + found.start, place.start + found.end) if whole else place
        yield page.flag(at, message, related=_same_place(step, found.own[0], found.address))
    strays = [stray for stray in stray_pictures(step) if (stray.name, stray.place) not in told]
    yield from (_stray(step, stray) for stray in strays)
    yield from _by_bytes(step, told | {(stray.name, stray.place) for stray in strays})
    if len(step.pages) > 1 and step.first.generated:
        yield from _shared(step)


def _stray(step: Step, stray: StrayPicture) -> Finding:
    other = stray.others[0]
    message = f"image differs from {named(step, stray.others)}, which show `{stray.usual}` here"
    related = [(step.pages[other], stray.there, f"the image on {step.variants[other].name}")]
    severity = Severity.WARNING if stray.is_sure else Severity.HINT
    finding = step.pages[stray.name].flag(stray.place, message, related=related, severity=severity)
    own = Related(Source(stray.usual, "").span(0), "the image that belongs here")
    return replace(finding, related=(*finding.related, own))


def _shared(step: Step) -> Iterator[Finding]:
    """The pictures of one platform that a template types for all of them."""
    shown: dict[Span, list[tuple[Page, Image, str]]] = {}
    for page in step.pages.values():
        for image in page.document.images if page.place and page.generated else ():
            span, exact = page.source_span(*image.place) if image.place else (None, False)
            if span and exact and span.text == image.src and (of := _platform_of(step, page, image)):
                shown.setdefault(span, []).append((page, image, of))
    for those in shown.values():
        if any(page.platform == of for page, _, of in those):
            yield from (_typed(step, *each) for each in those if each[0].platform != each[2])


def _platform_of(step: Step, page: Page, image: Image) -> str | None:
    """The platform in whose folder of pictures one stands, as the data says where these are; not one that a word near
    it names."""
    place = page.place
    if place is None:
        return None
    path = posixpath.normpath(posixpath.join(posixpath.dirname(page.path), image.src))
    text = page.plain
    line = text[text.rfind("\n", 0, image.start) + 1 : image.start] + (image.alt or "")
    for id_, platform in step.model.platforms.items():
        folder, mark, _ = plain(place.tutorial.images_on(platform)).partition("{platform}")
        folder = folder.replace("{tutorial}", place.tutorial.id).replace("{step}", place.step.id)
        if mark and path.startswith(posixpath.join(folder, id_, "")):
            return None if plain(platform.name).lower() in line.lower() else id_
    return None


def _typed(step: Step, page: Page, image: Image, of: str) -> Finding:
    name = plain(step.model.platforms[of].name)
    message = f"image of {name} on the pages of other platforms; write `{{{{ platform.id }}}}` in its path"
    return page.flag(image.place or (image.start, image.end), message)


def _of_components(page: Page) -> Iterator[Address]:
    """The pictures of components, such as `<Figure src="…" alt="…" />`."""
    for tag in page.document.tags:
        src = tag.attributes.get("src")
        if src is not None and tag.name != tag.name.lower() and _PICTURE.search(src.value):
            alt = tag.attributes.get("alt")
            yield Address(src.value, Range(src.start, src.end), alt.value if alt else "")


def _same_place(step: Step, name: str, address: Address) -> list[tuple[Page, Range, str]]:
    """The picture of another variant with the same file name."""
    base = posixpath.basename(address.href)
    page = step.pages[name]
    return [
        (page, image.place, f"the image on {step.variants[name].name}")
        for image in page.document.images
        if image.place and posixpath.basename(image.src) == base
    ][:1]


def _by_bytes(step: Step, told: set[tuple[str, Range]]) -> Iterator[Finding]:
    """Pictures of two variants under two names with the same bytes, where the other pictures differ."""
    by_hash: dict[str, dict[str, tuple[Page, Image]]] = {}
    for name, page in step.pages.items():
        for image in page.document.images:
            if image.place and (digest := _digest(step, page, image.src)):
                by_hash.setdefault(digest, {}).setdefault(name, (page, image))
    own = [found for found in by_hash.values() if len(found) == 1]
    for found in by_hash.values():
        paths = {posixpath.normpath(posixpath.join(posixpath.dirname(p.path), i.src)) for p, i in found.values()}
        if len(found) != 2 or len(paths) < 2 or len(own) < 2 * len(found):
            continue
        (first, (there, theirs)), (second, (page, image)) = found.items()
        assert image.place is not None
        assert theirs.place is not None
        if (second, image.place) not in told:
            names = step.variants[first].name, step.variants[second].name
            message = f"image is identical to the one on {names[0]}; one of the two shows the wrong platform"
            yield page.flag(image.place, message, related=[(there, theirs.place, f"the same image on {names[0]}")])


def _digest(step: Step, page: Page, src: str) -> str | None:
    """The hash of a picture's bytes, where it is a file of this site with anything in it."""
    if "://" in src or "{" in src:
        return None
    layout = step.site.layout
    docs = layout.root / layout.docs
    path = docs / src.lstrip("/") if src.startswith("/") else docs / posixpath.dirname(page.path) / src
    return _hash(path.resolve()) if path.resolve().is_relative_to(docs.resolve()) else None


def _hash(path: Path) -> str | None:
    try:
        size = path.stat().st_size if path.is_file() else 0
        return sha256(path.read_bytes()).hexdigest() if 0 < size <= _LARGEST else None
    except OSError:
        return None
