"""Pictures of one copy that are of another place than those which all other copies show there: for `foreign-image`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from posixpath import dirname, join
from typing import NamedTuple

from tutorial_tool import links, variation
from tutorial_tool.fs import files
from tutorial_tool.markdown.document import Range
from tutorial_tool.rules._shared._copies import lone
from tutorial_tool.variants import Step
from tutorial_tool.variation import OWN, Unit, masked, own_paths


class StrayPicture(NamedTuple):
    """A picture on the page of `name`, and the file of its own picture that answers to those of all `others`."""

    name: str
    others: tuple[str, ...]
    place: Range
    usual: str
    there: Range
    is_sure: bool
    """Whether it is described as theirs are."""
    is_own: bool
    """Whether it is named after its own variant, not after another one."""


def stray_pictures(step: Step) -> Iterator[StrayPicture]:
    """The pictures of single copies that are another one of theirs than all others show: of another place."""
    return (each for each in replaced_pictures(step) if each.is_own)


def replaced_pictures(step: Step) -> Iterator[StrayPicture]:
    """The pictures of single copies, named after one of the variants, that are another one than all others show, where
    theirs is there for this copy, too, and its page does not show it."""
    for row in variation.of(step).rows("image"):
        units = {name: unit for name, unit in row.items() if unit.image and unit.image.place}
        sources = {own_paths(step)[name].masked(unit.text) for name, unit in units.items()}
        if len(units) < len(step.pages) or len(sources) == 1 or any(page.generated for page in step.pages.values()):
            continue
        paths = {name: _path(step, name, unit) for name, unit in units.items()}
        name, others = lone({id_: own_paths(step)[id_].masked(path) for id_, path in paths.items()})
        if name and all(paths.values()) and (usual := _own(step, name, paths, others[0])):
            site, place, there = links.of(step.site), units[name].place, units[others[0]].place
            shown = files.shown(join(site.docs, usual), site.root)
            is_own = OWN in own_paths(step)[name].masked(paths[name])
            if is_own or any(OWN in own_paths(step)[id_].masked(paths[name]) for id_ in others):  # else one for all
                yield StrayPicture(name, others, place, shown, there, _are_described_alike(step, units), is_own)


def _path(step: Step, name: str, unit: Unit) -> str:
    """Where a picture stands below the docs folder; "" where it is no file there."""
    site, page = links.of(step.site), step.pages[name]
    place = unit.image.place if unit.image else None
    shown = (target for reference, target in site.links(page) if reference.is_image and reference.place == place)
    target = next(shown, None)
    return target.path if target is not None and target.kind == "file" else ""


def _own(step: Step, name: str, paths: Mapping[str, str], other: str) -> str:
    """The path of the picture beside that of a copy which answers to that of another one, if its page has it not."""
    site, words = links.of(step.site), own_paths(step)
    shape = words[other].masked(paths[other])
    if OWN not in shape:
        return ""  # a picture for all may be meant
    folder = dirname(paths[name])
    beside = (join(folder, file) for file in site.disk.entries(join(site.docs, folder)))
    found = next((path for path in beside if words[name].masked(path) == shape), "")
    shown = {target.path for reference, target in site.links(step.pages[name]) if reference.is_image}
    return "" if found in shown else found


def _are_described_alike(step: Step, units: Mapping[str, Unit]) -> bool:
    alts = {masked(unit.image.alt or "", step.variants[name]) for name, unit in units.items() if unit.image}
    return len(alts) == 1
