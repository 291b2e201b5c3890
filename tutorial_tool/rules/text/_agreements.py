"""Words that do not agree: one for one thing beside one for several, a subject and another's verb."""

from __future__ import annotations

from collections.abc import Iterator

from tutorial_tool.core import lazy_re
from tutorial_tool.rules.text._phrases import (
    AFTER_NOUN,
    SHOULD,
    Slip,
    nouns,
    pairs,
    plurals,
    third_persons,
    verbs,
)

_ONE_OR_SEVERAL = "`{0}`: singular and plural do not agree"
_SEVERAL = r"two|three|four|five|six|several|multiple|various|many(?! an?\b)"
_NO_PLURAL = r"\w*(?:us|is|as)|series|species|news|means|always|does|towards|perhaps|sometimes|indices"
"""Words that end as those for several things do."""
_WISHES = "wants|needs|prefers|likes|wishes|makes|takes|gives|knows|works"
"""More verbs as they stand after `it`."""


def agreements() -> Iterator[Slip]:
    """What `grammar` looks for."""
    yield from _numbers()
    yield from _subjects()


def _numbers() -> Iterator[Slip]:
    """One thing, and a word for several; the other way round."""
    several = dict.fromkeys(("this", "each", "every", "another"), plurals())
    several |= dict.fromkeys(("these", "many", "several", "multiple", "two", "three", "four", "five"), nouns())
    for first, second in several.items():
        yield Slip(
            lazy_re.compile(
                rf"(?<![\w-])(?<!to )(?i:{first}) (?:{second}){AFTER_NOUN}(?!(?:, [\w-]+){{0,4}},? (?:and|or)\b)"
            ),
            _ONE_OR_SEVERAL,
            needs=(f"{first} ",),
        )
    yield Slip(
        lazy_re.compile(
            rf"\b([Ii]n|of|for|with|from|between) this (two|three|four|five) ({plurals()}|cases){AFTER_NOUN}"
        ),
        _ONE_OR_SEVERAL,
        r"\1 these \2 \3",
        pairs("this", "two |three |four |five "),
    )
    yield Slip(
        lazy_re.compile(rf"(This|That) (?!(?:{_NO_PLURAL})\b)[a-z]{{3,}}[a-rt-z]s (?:are|were|have)\b"),
        _ONE_OR_SEVERAL,
        needs=("this ", "that "),
        first=True,
    )
    yield Slip(
        lazy_re.compile(rf"(This) (?:{plurals()}) (?:{verbs()})\b"),
        _ONE_OR_SEVERAL,
        needs=("this ",),
        first=True,
    )
    yield Slip(
        lazy_re.compile(rf"(?<![\w-])(?i:an?) (?:{plurals()}){AFTER_NOUN}(?! (?:and|or)\b)"),
        _ONE_OR_SEVERAL,
        needs=(*pairs(" a", plurals()), *pairs(" an", plurals())),
    )
    yield Slip(
        lazy_re.compile(
            rf"\bone of (?:the|these|those|your|our|their|its)(?: following| available| supported)? (?:{nouns()})"
            rf"{AFTER_NOUN}(?! (?:and|or)\b)"
        ),
        _ONE_OR_SEVERAL,
        needs=pairs("one of", "the|your|our|its"),
    )


def _subjects() -> Iterator[Slip]:
    """A verb for one thing, and a subject of several; the other way round."""
    subject = "`{0}`: the verb does not agree with its subject"
    wrong = "is|has|was|does"
    persons = pairs("you|we|they", wrong)
    yield Slip(lazy_re.compile(rf"(?:You|We|They) (?:{wrong})\b"), subject, needs=persons, first=True)
    yield Slip(
        lazy_re.compile(rf"\b(?i:if|when|once|unless|because|whether) (?:you|we|they) (?:{wrong})\b"),
        subject,
        needs=persons,
    )
    yield Slip(
        lazy_re.compile(
            rf"(?:It|This(?: (?:{nouns()}))?) (?:are|have|do not|don['’]t)\b|Th[eo]se(?: [a-z]+s)? (?:is|has|does)\b"
        ),
        subject,
        needs=("it are", "it have", "it do", "this ", "these ", "those "),
        first=True,
    )
    yield Slip(
        lazy_re.compile(rf"\b(?i:if|when|once) (?:you|we|they) (?:{third_persons()}|{_WISHES})\b(?![-/])"),
        subject,
        needs=pairs("if|when|once", "you |we |they "),
    )
    yield Slip(
        lazy_re.compile(rf"\b(?i:before|after|until|that) you (?:has|leaves|{_WISHES})\b(?![-/])"),
        subject,
        needs=pairs("before|after|until|that", "you "),
    )
    yield Slip(
        lazy_re.compile(r"(?:It|This) (?:allow|enable|let|permit|require) (?:you|us|users|developers|them|the)\b"),
        subject,
        needs=pairs("it|this", "allow |enable |let |permit |require "),
        first=True,
    )
    yield Slip(
        lazy_re.compile(rf"(?:The|All|Your)(?: following)? (?:{plurals()}) (?:is|has)\b"),
        subject,
        needs=pairs(plurals(), "is|has"),
        first=True,
    )
    yield Slip(
        lazy_re.compile(
            rf"\b([Tt])here is ({_SEVERAL})(?= (?:[a-z]+ )?(?:{plurals()}|cases|kinds|places|reasons|things|ways)\b)"
        ),
        SHOULD,
        r"\1here are \2",
        ("there is ",),
    )
    yield Slip(
        lazy_re.compile(rf"(?:The|Your|Each|Every) (?:{nouns()}) (?:do not|don['’]t|are|have)\b"),
        subject,
        needs=pairs(nouns(), "do|are|have"),
        first=True,
    )
