"""What one of several copies has otherwise than all others in code or in a label: for `drifted-code` and
`drifted-wording`."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from rapidfuzz.distance import OSA

from tutorial_tool import variants, variation
from tutorial_tool.core import lazy_re, scripts
from tutorial_tool.markdown.document import Range
from tutorial_tool.rules._shared._copies import lone
from tutorial_tool.rules._shared._odd_releases import is_another_release, release_apart
from tutorial_tool.site import Page
from tutorial_tool.spelling import lists
from tutorial_tool.variants import Step
from tutorial_tool.variation import Unit, masked, slots
from tutorial_tool.variation.copied_values import is_value
from tutorial_tool.variation.slots import Difference, Said, Slot
from tutorial_tool.variation.tables import cell_rows, groups
from tutorial_tool.variation.wording import plain_words

_TOKEN = lazy_re.compile(r"[^\W_]+")
_VERSION = lazy_re.compile(r"[vV]?\d{1,2}")
_PLAIN = lazy_re.compile(r"[A-Z]?[a-z]+|[A-Z]+|\d+")
"""A word or a number, and no name such as `ttyUSB0`."""
_COPYRIGHT = lazy_re.compile(r"\bcopyright\b|\(c\)|©", re.IGNORECASE)
_KEY = lazy_re.compile(r"[\w.\"'-]+\s*[:=]")
"""How a line of code begins that gives a value to a name."""
_SCHEME = lazy_re.compile(r"[a-z][\w+.-]*://\S+$")
_NUMBER = lazy_re.compile(r"\d+")
_IDENTIFIER = lazy_re.compile(r"[\w$]+(?:[.-][\w$]+)*")
_JOINED = lazy_re.compile(r"[^\W_][._-][^\W\d_]|[a-z\d][A-Z]")
"""What stands between two words of a name: `APP_TOKEN`, `appToken`, `app.token`."""
_NAME_PART = lazy_re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
_ERROR = lazy_re.compile(r"(?P<letters>[A-Z]{1,4}-?)\d{2,}")
"""A code of few letters and a number: `E34`, `PC-437`."""
_PREFIX = lazy_re.compile(r"[a-z]{2,}[_-]")
_LISTED = lazy_re.compile(r"[a-z]{3,}(?:[:_-][a-z]+)*")
_AND_BEFORE = lazy_re.compile(r"`(?:,|[ \n]?/|,?[ \n][^\W\d_]{1,3})[ \n]?`$")
_AND_AFTER = lazy_re.compile(r"`(?:,|[ \n]?/|,?[ \n][^\W\d_]{1,3})[ \n]?`")
"""What stands between two of a list: a comma, or a short word such as `or`."""
_WORDS = 4
"""Words of a cell that holds no value, but a description."""
_LONG = 4
"""Letters of code that stands for one thing, at least."""
_CODE = 6
"""Signs of a code with digits in it that is told from another one by one of them."""
_AGREE = 3
"""Copies that agree, at least, where nothing else tells that a difference is no platform's own."""
_LABEL = lazy_re.compile(r"(?<!\*)\*\*(?P<label>[^*\n]+)\*\*(?!\*)")
_SHORTEST = 3
"""Letters of the name of a variant that stands in a literal by no chance."""


class Odd(NamedTuple):
    """What the copy `name` has in a place, and what all `others` have there instead, but for the names of each.

    `shapes` are both with the names of their variants masked, `words` those in which they differ.
    """

    name: str
    others: tuple[str, ...]
    said: Said
    usual: Said
    shapes: tuple[str, str]
    words: tuple[Difference, ...]

    @property
    def difference(self) -> Difference:
        """Of a line of code the word in which it differs, else all of it; and what stands there on the others."""
        if self.said.kind == "line" and len(self.words) == 1 and not self.release:
            return self.words[0]
        if self.said.kind == "line" and (part := self.release or self.name_of_several_words):
            return part
        return Difference(self.said.text, 0, self.usual.text)

    @property
    def release(self) -> Difference | None:
        """The only version in which both differ."""
        return release_apart(self.said.text, self.usual.text)

    @property
    def name_of_several_words(self) -> Difference | None:
        """The only name in which both differ, where it has several words on each: `APP_TOKEN`, `APP_KEY`."""
        mine, theirs = (list(_IDENTIFIER.finditer(said.text)) for said in (self.said, self.usual))
        pairs = [(one, two[0]) for one, two in zip(mine, theirs, strict=False) if one[0] != two[0]]
        if len(mine) != len(theirs) or len(pairs) != 1:
            return None
        ((one, two),) = pairs
        return Difference(one[0], one.start(), two) if _JOINED.search(one[0]) and _JOINED.search(two) else None


def odd_code(step: Step) -> tuple[Odd, ...]:
    """The code of single copies that differs in one word or number from that of all others."""
    return variants.kept(step, _all_code)


def _all_code(step: Step) -> tuple[Odd, ...]:
    return tuple(_of_code(step))


def _of_code(step: Step) -> Iterator[Odd]:
    for row in (*variation.of(step).rows("sentence", "code"), *descriptions(step)):
        if len(row) < 3:
            continue
        is_block = next(iter(row.values())).kind == "code"
        found = list(_of_block(step, row) if is_block else _of_sentence(step, row))
        odds = [odd for slot in found if (odd := _odd(step, slot))]
        for odd in odds:
            if not is_block and _are_called_otherwise(odd.name, odds):
                continue
            if _is_off(step, odd) or (not is_block and len(found) == 1 and _is_listed(step, odd)):
                yield odd


def _are_called_otherwise(name: str, odds: Sequence[Odd]) -> bool:
    """Whether a copy calls several things of a sentence otherwise than all others do: `verticalAlign` for `vAlign`, and
    `horizontalAlign` for `hAlign`."""
    names = [odd for odd in odds if odd.name == name and odd.said.kind == "code"]
    return len(names) > 1 and all(_JOINED.search(odd.said.text) and _JOINED.search(odd.usual.text) for odd in names)


def descriptions(step: Step) -> Iterator[Mapping[str, Unit]]:
    """The cells of tables that answer to each other, and describe."""
    rows = (row for copies in groups(step) for row in cell_rows(copies))
    return (row for row in rows if not any(map(_is_brief, row.values())))


def _is_brief(unit: Unit) -> bool:
    """Whether a cell is no description: other rules compare values."""
    return scripts.count(unit.text) < _WORDS


def _of_sentence(step: Step, row: Mapping[str, Unit]) -> Iterator[Slot]:
    """The code of a sentence that says the same else."""
    if len({plain_words(unit.masked) for unit in row.values()}) == 1:
        for slot in slots.of_sentence(step, row):
            if all(said.kind == "code" for said in slot.values()):
                yield slot


def _of_block(step: Step, row: Mapping[str, Unit]) -> Iterator[Slot]:
    """The lines of blocks in one language, of which one is not as all others are, and the values of all blocks."""
    lines = _without_odd_one({name: list(slots.lines(step.pages[name], unit)) for name, unit in row.items()})
    languages = {line.language for found in lines.values() for line in found}
    blocks = Counter(tuple(slots.shape(step, name, line.text) for line in found) for name, found in lines.items())
    is_lone = sorted(blocks.values()) == [1, len(lines) - 1]
    if len(languages) == 1 and (is_lone or _are_built_alike(step, lines)):
        yield from slots.answering(lines)
    else:
        values = {name: list(slots.values(step.pages[name], unit)) for name, unit in row.items()}
        if len({len(found) for found in values.values()}) == 1:
            yield from slots.answering(values)
        else:
            yield from _addresses(values)


def _without_odd_one(blocks: Mapping[str, list[Said]]) -> Mapping[str, list[Said]]:
    """Blocks without the only one of several that has more or fewer lines: it tells nothing of the others."""
    name, others = lone({name: len(lines) for name, lines in blocks.items()})
    return {other: blocks[other] for other in others} if name and len(others) > _AGREE else blocks


def _addresses(values: Mapping[str, list[Said]]) -> Iterator[Slot]:
    """The addresses that stand once in each block, but for their digits and `https`, whatever is around them."""
    shapes = {name: Counter(_address(said.text) for said in found) for name, found in values.items()}
    for shape in dict.fromkeys(shape for counts in shapes.values() for shape in counts if shape):
        if all(counts[shape] == 1 for counts in shapes.values()):
            yield {name: next(said for said in found if _address(said.text) == shape) for name, found in values.items()}


def _address(text: str) -> str:
    """An address as it is compared with others; "" for another literal."""
    return _NUMBER.sub("#", text.replace("https://", "http://")) if _SCHEME.match(text) else ""


def _are_built_alike(step: Step, blocks: Mapping[str, list[Said]]) -> bool:
    """Whether several blocks have the same lines, but for one on one copy, and for values behind the same key."""
    if len(blocks) <= _AGREE or len({len(lines) for lines in blocks.values()}) > 1:
        return False
    for lines in zip(*blocks.values(), strict=True):
        counts = Counter(slots.shape(step, name, line.text) for name, line in zip(blocks, lines, strict=True))
        keys = {found[0] if (found := _KEY.match(line.text)) else line.text for line in lines}
        if sorted(counts.values()) not in ([len(lines)], [1, len(lines) - 1]) and len(keys) > 1:
            return False
    return True


def _odd(step: Step, slot: Slot) -> Odd | None:
    """The only copy that says another thing than all others."""
    shapes = {id_: slots.shape(step, id_, said.text) for id_, said in slot.items()}
    name, others = lone(shapes)
    if not name:
        return None
    words = slots.differences(step, slot, name, others[0], _TOKEN)
    return Odd(name, others, slot[name], slot[others[0]], (shapes[name], shapes[others[0]]), words)


def _is_off(step: Step, odd: Odd) -> bool:
    """Whether two pieces of code differ in one word that no platform needs."""
    mine, theirs = odd.said.text, odd.usual.text
    page = step.pages[odd.name]
    if _COPYRIGHT.search(mine):
        return False  # the year is each file's own
    is_case = mine.casefold() == theirs.casefold() and not (_are_hyphenated(odd) and len(odd.others) >= _AGREE)
    if page.generated or any(names_one(step, text) for text in odd.shapes) or is_case:
        return False
    if _are_known_to_all(step, odd):
        return True
    if page.plain.count(mine) > 1 or _is_said_elsewhere(step, odd):
        return False
    pair = _one_word(odd)
    if pair is None:
        if _is_another_name(step, odd) or _is_another_code(odd):
            return True
        if is_another_release((mine, odd.shapes[0]), odd.shapes[1], page.plain, many=len(odd.others) >= _AGREE):
            return True
        return len(odd.others) >= _AGREE and (_is_a_letter_off(odd) or _is_a_blank_off(odd))
    if len(odd.others) >= _AGREE:
        return True
    return _word_count(page.plain, pair[0]) == 1 and _word_count(page.plain, pair[1]) > 0


def _is_listed(step: Step, odd: Odd) -> bool:
    """Whether a word of code is one of several that a sentence lists, all others of which three copies or more have,
    too: ``celsius` or `kelvin``."""
    page, place = step.pages[odd.name], odd.said.place
    if page.generated or len(odd.others) < _AGREE or not all(map(_LISTED.fullmatch, (odd.said.text, odd.usual.text))):
        return False
    is_beside = _AND_BEFORE.search(page.plain, 0, place.start) or _AND_AFTER.match(page.plain, place.end)
    is_own = page.plain.count(odd.said.text) > 1 or _is_said_elsewhere(step, odd)
    return bool(is_beside) and not is_own and not any(names_one(step, text) for text in odd.shapes)


def _is_another_code(odd: Odd) -> bool:
    """Whether the code of a sentence is another error's, or the like, than the one that all others say: `E43` for
    `E34`; what begins a key or an id: `lmn_` for `lum_`. Of three copies, the figures must be turned round."""
    mine, theirs = odd.said.text, odd.usual.text
    if odd.said.kind != "code":
        return False
    codes = [_ERROR.fullmatch(text) for text in (mine, theirs)]
    if codes[0] and codes[1]:
        is_turned = sorted(mine) == sorted(theirs)
        return codes[0]["letters"] == codes[1]["letters"] and (is_turned or len(odd.others) >= _AGREE)
    return len(odd.others) >= _AGREE and all(map(_PREFIX.fullmatch, (mine, theirs)))


def _is_a_letter_off(odd: Odd) -> bool:
    """Whether a code such as `4F2A 91C7` has one sign otherwise than three copies or more, which is no number."""
    mine, theirs = odd.said.text, odd.usual.text
    signs = [pair for pair in zip(mine, theirs, strict=False) if pair[0] != pair[1]]
    is_one = len(mine) == len(theirs) >= _CODE and len(signs) == 1
    return is_one and any(map(str.isdigit, theirs)) and not all(map(str.isdigit, signs[0]))


def _is_a_blank_off(odd: Odd) -> bool:
    """Whether two pieces of code differ in a blank that one of them has, and the other has not: `64 MB`, `64MB`."""
    mine, theirs = odd.said.text.split(), odd.usual.text.split()
    return len(mine) != len(theirs) and "".join(mine) == "".join(theirs)


def _is_another_name(step: Step, odd: Odd) -> bool:
    """Whether code has another name of several words, where its page knows the one that all others have."""
    name = odd.name_of_several_words
    if name is None or (odd.said.kind == "code" and not _parts(name.word) & _parts(name.usual)):
        return False
    return is_unknown_name(name.word, name.usual, *(step.pages[id_].plain for id_ in (odd.name, *odd.others)))


def _parts(name: str) -> set[str]:
    """The words of a name of several words: `app` and `token` of `APP_TOKEN` and of `appToken`."""
    return {part.lower() for part in _NAME_PART.findall(name)}


def is_unknown_name(mine: str, theirs: str, page: str, *others: str) -> bool:
    """Whether a name of several words stands once on a page and on no other one, and another name is known to all."""
    if not (_JOINED.search(mine) and _JOINED.search(theirs)) or mine.casefold() == theirs.casefold():
        return False
    return (
        _name_count(page, mine) == 1
        and _name_count(page, theirs) > 0
        and not any(_name_count(text, mine) for text in others)
    )


def _name_count(text: str, name: str) -> int:
    return len(re.findall(rf"(?<![\w$.-]){re.escape(name)}(?![\w$-]|\.\w)", text)) if name in text else 0


def _one_word(odd: Odd) -> tuple[str, str] | None:
    """The only words in which two pieces of code differ, where each is one of several, and not the first."""
    if len(odd.words) != 1:
        return None
    mine, start, theirs = odd.words[0]
    if any(map(_VERSION.fullmatch, (mine, theirs))) or not all(map(_PLAIN.fullmatch, (mine, theirs))):
        return None
    first, *more = _TOKEN.finditer(odd.said.text)
    is_number = mine.isdigit() and theirs.isdigit()
    is_first = start == first.start() and " " in odd.said.text  # another program
    return (mine, theirs) if is_number or (more and not is_first) else None


def _are_hyphenated(odd: Odd) -> bool:
    """Whether all words in which two pieces of code differ are parts of names with hyphens: `X-Acme-signature`."""
    text = odd.said.text
    ends = ((slip.start, slip.start + len(slip.word)) for slip in odd.words)
    return bool(odd.words) and all("-" in (text[max(start - 1, 0) : start], text[end : end + 1]) for start, end in ends)


def _are_known_to_all(step: Step, odd: Odd) -> bool:
    """Whether all copies have both pieces of code elsewhere, too: then neither is a platform's own."""
    if odd.said.kind != "code" or min(len(odd.said.text), len(odd.usual.text)) < _LONG or is_value(odd.usual.text):
        return False
    texts = [f"`{odd.said.text}`", f"`{odd.usual.text}`"]
    counts = {name: [step.pages[name].plain.count(text) for text in texts] for name in (odd.name, *odd.others)}
    return all(found[0] > (name == odd.name) and found[1] > (name != odd.name) for name, found in counts.items())


def _word_count(text: str, word: str) -> int:
    return len(re.findall(rf"(?<![^\W_]){re.escape(word)}(?![^\W_])", text))


def _is_said_elsewhere(step: Step, odd: Odd) -> bool:
    """Whether a variant says so in another step, too."""
    pages = (each.pages.get(odd.name) for each in variants.of_these(step) if each.first is not step.first)
    return any(page is not None and odd.said.text in page.plain for page in pages)


def names_one(step: Step, text: str) -> bool:
    """Whether a piece of code or a label has the name of a variant in it, perhaps within a word."""
    bare = _bare(text)
    names = {_bare(word) for variant in step.variants.values() for word in (variant.id, variant.name, *variant.words)}
    return any(name in bare for name in names if len(name) >= _SHORTEST)


def _bare(text: str) -> str:
    return "".join(filter(str.isalnum, text.lower()))


def odd_labels(step: Step, row: Mapping[str, Unit]) -> Iterator[Odd]:
    """The labels in bold of a sentence, the same else, that all other copies have otherwise: three of them at least; or
    one, where the page has its label elsewhere, too."""
    found = {name: list(_labels(step.pages[name], unit)) for name, unit in row.items()}
    if not all(found.values()) or len(_without_labels(step, row)) != 1:
        return
    for slot in slots.answering(found):
        odd = _odd(step, slot) if len(row) > _AGREE else None
        odd = odd if odd and _is_other_label(step, odd) else _retyped_label(step, slot)
        if odd:
            yield odd


def _retyped_label(step: Step, slot: Slot) -> Odd | None:
    """A label that stands once on its page and on no other one, a letter or two off that of all others, which its page
    has elsewhere as a label or cell: `Completed` for `Complete`."""
    for name, said in slot.items():
        others = tuple(other for other in slot if other != name)
        usual = {slot[other].text for other in others}
        if len(usual) != 1 or step.pages[name].generated:
            continue
        mine, theirs = said.text, slot[others[0]].text
        is_near = OSA.distance(mine.casefold(), theirs.casefold()) in (1, 2) and min(map(len, (mine, theirs))) > _LONG
        is_known = re.search(rf"(?:\*\*|\| *){re.escape(theirs)}(?:\*\*| *\|)", step.pages[name].plain) is not None
        pages = (page.plain for page in step.pages.values())
        if is_near and is_known and sum(_word_count(text, mine) for text in pages) == 1:
            return Odd(name, others, said, slot[others[0]], (mine, theirs), ())
    return None


def _without_labels(step: Step, row: Mapping[str, Unit]) -> set[str]:
    """The words around the labels of a sentence, as the copies have them: each with its own name left out."""
    typed = {name: step.pages[name].plain[unit.place.start : unit.place.end + 2] for name, unit in row.items()}
    return {
        plain_words(masked(_LABEL.sub("**", text).split("\n")[0], step.variants[name])) for name, text in typed.items()
    }


def _labels(page: Page, unit: Unit) -> Iterator[Said]:
    for match in _LABEL.finditer(page.plain, max(unit.place.start - 2, 0), unit.place.end + 2):
        yield Said("label", match["label"].strip(), Range(*match.span("label")))


def _is_other_label(step: Step, odd: Odd) -> bool:
    """Whether a label of plain words stands in one place only of all that the variant's pages say."""
    mine, theirs = odd.said.text, odd.usual.text
    words = [word.lower() for text in (mine, theirs) for word in _TOKEN.findall(text)]
    is_plain = all(lists.known(word) for word in words) and mine.casefold() != theirs.casefold()
    page = step.pages[odd.name]
    if page.generated or not is_plain or names_one(step, mine) or names_one(step, theirs):
        return False
    return page.plain.count(mine) == 1 and not _is_said_elsewhere(step, odd)
