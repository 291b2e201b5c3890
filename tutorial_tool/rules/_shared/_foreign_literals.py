"""Code, labels and values that are another platform's: for the rule `foreign-name`.

Where one copy has `/etc/app.conf` and the others a path of their own in two places, each path answers to the others. A
copy that has its own in one of the places, and that of another in the second, was pasted and not changed.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from tutorial_tool import variants
from tutorial_tool.core import lazy_re
from tutorial_tool.rules._shared._copies import lone
from tutorial_tool.rules._shared._foreign import Foreign
from tutorial_tool.rules._shared._pasted_numbers import pasted_numbers
from tutorial_tool.rules._shared._pasted_words import pasted
from tutorial_tool.variants import Step
from tutorial_tool.variation import OWN, slots
from tutorial_tool.variation.slots import Said, Slot, Slots
from tutorial_tool.variation.wording import distinct, names_a_platform

_SHORTEST = 4
"""Characters of a literal that stands for one thing."""
_STEM = 4
"""Letters of a name that stands in a word by no chance."""
_HARDLY = 2
"""How often a page has a name in it that it has no more to do with."""
_PATH = lazy_re.compile(r"^[~./]|[/\\]|[^\W\d][\w-]*\.(?=\d?[a-z])[a-z\d]{1,5}$|\w\.[a-z]{2,5}$")
"""What a path has, or the name of a file: two copies with one in a place hardly share another one by chance."""
_LOOKED_AT = 8
"""Places with one literal that are looked at in each step."""
_PLACES = 2
"""Places, at least, in which copies differ in just the same way, where no third one shows on this page who is right."""


def foreign_literals(step: Step) -> tuple[Foreign, ...]:
    """The literals of other variants, each once in a place."""
    return variants.kept(step, _all)


def _all(step: Step) -> tuple[Foreign, ...]:
    found = tuple(_found(step))
    more = (*pasted(step), *pasted_numbers(step))
    return (*found, *(each for each in more if not any(_touch(each, other) for other in found)))


def _touch(one: Foreign, other: Foreign) -> bool:
    return one.name == other.name and one.place.touches(*other.place)


def _found(step: Step) -> list[Foreign]:
    here = slots.of(step)
    told: list[Foreign] = []
    for slot in here.every:
        for name, said in slot.items():
            is_told = any(each.name == name and each.place.touches(*said.place) for each in told)
            if (
                not is_told
                and not step.pages[name].generated
                and _is_once(here, name, said)
                and _stands_for_one(step, said)
                and (
                    found := _owner(step, here, slot, name)
                    or _named(step, slot, name)
                    or _called(step, slot, name)
                    or _borrowed(step, here, slot, name)
                )
            ):
                told.append(found)
    return told


def _is_once(here: Slots, name: str, said: Said) -> bool:
    """Whether a copy says a thing in one place; the packages in a command tell nothing of what stands elsewhere."""
    found = (slot[name] for slot in here.of(name, said.text))
    return sum(each.kind != "package" or said.kind == "package" for each in found) == 1


def _stands_for_one(step: Step, said: Said) -> bool:
    """Whether a literal names a thing; the label of a platform is told as its name is."""
    if said.kind == "label" and names_a_platform(step, said.text):
        return False
    return (
        slots.tells(said.text) if said.kind in ("cell", "number", "value", "package") else len(said.text) >= _SHORTEST
    )


def _owner(step: Step, here: Slots, slot: Slot, name: str) -> Foreign | None:
    """Whose literal stands in a place of a page, what should stand there, and where it does."""
    text = slot[name].text
    others = [other for other in slot if other != name and slot[other].text == text]
    if len(others) != 1 or len(slot) == len(others) + 1 > 2:
        return None
    found = list(islice(_answers(step, here, slot, name, others[0]), _PLACES))
    if not found:
        return None
    there, is_here = found[0]
    own = there[name]
    are_paths = all(_is_path(one) for one in (slot[name], own))
    sure = (is_here and (len(slot) > 2 or are_paths)) or (are_paths and _is_of_each(slot, there, name))
    if len(found) < _PLACES and not sure:
        return None
    return Foreign(name, others[0], text, own.text, slot[name].place, own.place if is_here else None)


def _is_of_each(slot: Slot, there: Slot, name: str) -> bool:
    """Whether two places of two steps are of one thing: each of several other copies has its own, the same in both."""
    own = [slot[id_].text for id_ in slot if id_ != name]
    is_same = slot.keys() == there.keys() and all(
        said.text == there[id_].text for id_, said in slot.items() if id_ != name
    )
    return is_same and len(own) > 1 and len(set(own)) == len(own)


def _named(step: Step, slot: Slot, name: str) -> Foreign | None:
    """A literal with the name of its variant in it, as `swiftc` has, where a third one has its own name in its."""
    text = slot[name].text
    others = [other for other in slot if other != name and slot[other].text == text]
    if len(others) != 1 or not distinct(step.variants[name], step.variants[others[0]]):
        return None
    owners = [id_ for id_, said in slot.items() if _has_name(step, id_, said.text)]
    third = next((id_ for id_ in owners if slot[id_].text != text), "")
    if not third or name in owners or others[0] not in owners or _has_to_do_with(step, name, others[0]):
        return None
    return Foreign(name, others[0], text, slot[third].text, slot[name].place, None, third)


def _called(step: Step, slot: Slot, name: str) -> Foreign | None:
    """A literal that is one with those of all other copies, but that these have their own names in it, and it another
    one's: `--discover aws` on a page for Azure, or `from acme.azure import AwsClient`."""
    if len(slot) < 3 or slot[name].kind not in ("code", "line"):
        return None
    own = {slots.shape(step, id_, slot[id_].text) for id_ in slot if id_ != name}
    if len(own) != 1 or OWN not in (shape := own.pop()) or slots.shape(step, name, slot[name].text) == shape:
        return None
    for other in step.variants:
        is_other = other != name and distinct(step.variants[name], step.variants[other])
        both = slots.forms(step.variants[name], step.variants[other])
        if is_other and slots.without(slot[name].text, both) == shape and not _has_to_do_with(step, name, other):
            third = next(id_ for id_ in slot if id_ not in (name, other))
            return Foreign(name, other, slot[name].text, "", slot[name].place, None, third)
    return None


def _borrowed(step: Step, here: Slots, slot: Slot, name: str) -> Foreign | None:
    """Code that only one other copy says, in a place where this one says its own, and here all others say one thing, as
    this one does elsewhere: `the @acme/svelte package` for `the acme package`."""
    said = slot[name]
    odd, others = lone({id_: each.text for id_, each in slot.items()})
    if odd != name or said.kind != "code" or not slots.tells(said.text) or len(slot) < len(step.pages):
        return None
    usual = slot[others[0]].text
    saying = [id_ for id_ in others if said.text in step.pages[id_].plain]
    if len(saying) != 1 or f"`{usual}`" not in step.pages[name].plain:
        return None
    answers = (each[name] for each in here.of(saying[0], said.text) if name in each and _differ(each[name], said))
    own = next(answers, None)
    if own is None or usual in (own.text, said.text):
        return None
    return Foreign(name, saying[0], said.text, own.text, said.place, own.place, "", usual)


def _has_name(step: Step, name: str, text: str) -> bool:
    """Whether a literal has the name of a variant in it, perhaps within a word."""
    stem = _stem(step, name)
    return len(stem) >= _STEM and stem in text.lower()


def _has_to_do_with(step: Step, name: str, other: str) -> bool:
    """Whether a page names another variant more than hardly, apart from what a third copy says as often."""
    counts = variants.kept(step, _mentions)
    least = min((count[other] for id_, count in counts.items() if id_ not in (name, other)), default=0)
    return counts[name][other] - least > _HARDLY


def _mentions(step: Step) -> dict[str, dict[str, int]]:
    """How often each page has the names of all variants, within words and addresses, too."""
    texts = {name: "".join(filter(str.isalnum, page.plain.lower())) for name, page in step.pages.items()}
    return {name: {other: text.count(_stem(step, other)) for other in step.variants} for name, text in texts.items()}


def _stem(step: Step, name: str) -> str:
    return "".join(filter(str.isalnum, step.variants[name].name.lower()))


def _is_path(said: Said) -> bool:
    return said.kind == "code" and _PATH.search(said.text) is not None


def _answers(step: Step, here: Slots, slot: Slot, name: str, other: str) -> Iterator[tuple[Slot, bool]]:
    """The places where the other variant says the same, and this one something of its own; whether on this page.

    Of two copies, other steps are asked only where this one has such a place, too.
    """
    text = slot[name].text
    thirds = {id_: said.text for id_, said in slot.items() if said.text != text}
    met = False
    for found in slots.everywhere(step):
        if found is not here and (found.of(name, text) or not (thirds or met)):
            return  # this platform says that elsewhere, too
        for there in found.of(other, text)[:_LOOKED_AT]:
            agrees = not thirds or any(id_ in there and there[id_].text == said for id_, said in thirds.items())
            if there is not slot and name in there and agrees and _differ(there[name], slot[name]):
                met = True
                yield there, found is here


def _differ(mine: Said, theirs: Said) -> bool:
    """Whether two literals are two things of one kind, and not one with its long name: `Sandbox`, `Config.Sandbox`."""
    one, two = mine.text.casefold(), theirs.text.casefold()
    if (
        "line" in (mine.kind, theirs.kind)
        and mine.language != theirs.language
        and "code" not in (mine.kind, theirs.kind)
    ):
        return False
    kinds = {mine.kind, theirs.kind}
    is_one_kind = "label" not in kinds or kinds <= {"label", "value"}  # a setting's value is shown in bold, too
    return is_one_kind and one not in two and two not in one
