"""The slips that the rule `grammar` looks for: a word too many, one that is missing, a form that does not fit."""

from __future__ import annotations

from collections.abc import Iterator

from tutorial_tool.core import lazy_re
from tutorial_tool.rules.text._agreements import agreements
from tutorial_tool.rules.text._likenesses import likenesses
from tutorial_tool.rules.text._patterns import MODALS, listed
from tutorial_tool.rules.text._phrases import (
    DETERMINER,
    FORM,
    PARTICIPLE,
    SHOULD,
    TO,
    WISH,
    Slip,
    continuous,
    nouns,
    pairs,
    plurals,
    third_persons,
    verbs,
)

_MODAL = "|".join(MODALS)
NOUN_VERBS = {
    "login": "log in", "logout": "log out", "setup": "set up", "lookup": "look up", "signup": "sign up",
    "checkout": "check out", "backup": "back up", "rollback": "roll back", "cleanup": "clean up",
    "shutdown": "shut down", "startup": "start up", "popup": "pop up", "opt-in": "opt in", "opt-out": "opt out",
    "log-in": "log in", "sign-in": "sign in", "sign-up": "sign up", "set-up": "set up",
}  # fmt: skip
"""Nouns that are two words as a verb."""
_NOUN_VERB = "`{2}` is a noun; the verb is `{1}`"
_NOT_PARTICIPLE = (
    r"need|feed|seed|speed|exceed|proceed|succeed|embed|bleed|breed|heed|weed|shed|shred|sled|wed|bed|red|led|indeed"
)
_NO_CLAUSE = "".join(
    f"(?<!{one}{who})"
    for one in ("what ", "all ", "that ", "everything ", "as ")
    for who in ("", "you ", "we ", "they ")
)
"""Behind what a modal verb may end its clause: `do what we must to stay`."""
_BEFORE_NEED = "then|may|will|might|also|should|must|still|now|only"
_THIRD = (
    "accepts|appears|becomes|begins|belongs|depends|detects|emits|exists|expects|exposes|fetches|gets|gives|goes|happens"
    "|keeps|knows|listens|makes|means|occurs|prevents|produces|refers|renders|resolves|takes|tells|throws|tries|wants"
)
"""More verbs as they stand after `it`, and no words for several things."""
_THIRD_TOO = (
    "adds|affects|allows|asks|breaks|calls|changes|checks|closes|contains|costs|creates|does|drops|ends|expires"
    "|finds|follows|fits|helps|includes|is|leaves|lets|loads|looks|loses|matches|matters|moves|opens|passes|plays"
    "|reads|removes|requires|returns|runs|says|sends|sets|shows|starts|stays|stops|stores|supports|uses|waits"
    "|writes"
)
"""More, of which some are nouns, too: none stands behind `does not`."""
_PLAIN = (
    "activate|add|apply|allow|build|choose|configure|connect|convert|create|define|delete|deploy|deprecate|describe|disable|enable"
    "|execute|extend|fix|generate|give|identify|implement|improve|include|initialize|install|introduce|make|migrate"
    "|modify|perform|provide|publish|receive|register|remove|rename|replace|resolve|retrieve|send|show|store"
    "|submit|take|validate|verify|write"
)
"""Verbs whose plain form is no participle."""
_NOT_OBJECT = (
    "is|are|was|were|or|page|script|method|process|endpoint|screen|hook|flow|function|request|command|code|files?|action"
    "|callback|button|form|handler|mode|phase|step|time|timeout|wizard|url|URL|view"
)
"""What stands behind `setup` and `login` as nouns."""
_OF_TEXTS = "docs?|documentation|guide|manual|page|section|table|tutorial|link"
_PLAIN_TOO = (
    r"find|move(?! (?:assign|construct))|call(?! (?:backs?|centers?|graphs?|sites?|to|trees?)\b)"
    r"|use(?! (?:cases?|of)\b)"
)
"""More of them, which are nouns, too, or stand behind `has been` as such."""
_ASKING = "see|refer|check|read|consult|visit|note|try"
"""Verbs with which the next clause may begin: `For the names that are used see the list.`"""
_NO_RELATIVE = "".join(f"(?<!{one} )" for one in ("which", "that", "which can", "that can", "which may", "that may"))
_GOOD = (
    "an?|one|another|best|better|easiest|easier|easy|fastest|good|great|only|other|possible|preferred|quick|quickest"
    "|recommended|right|simple|simplest|usual"
)
"""What stands before `way` that is no road: `all the way to using it`."""
_BETTER = "easier|better|bigger|cheaper|cleaner|faster|larger|newer|older|safer|simpler|slower|smaller"
_MANY = r"(?:few|(?:couple|number|lot|handful|variety|bunch|range|series) of)"
_AS_PARTICIPLE = f"{_PLAIN}|lend|bind|spend"
"""Verbs whose plain form stands behind `is` and `are` by a slip only, before what goes on as a participle does."""
_GOES_ON = (
    "after|again|as|at|automatically|before|by|every|for|from|in|into|on|once|over|through|to|via|when|while|with"
)
_ADVERB = r" not| also| only| always| now| then"
_COMMON = r"the|a|an|your|this|these|it|them|their|some"


def _slips() -> Iterator[Slip]:
    yield from _too_many()
    yield from _missing()
    yield from _forms()
    yield from _others()
    yield from _passive()
    yield from agreements()
    yield from _nouns_for_verbs()
    yield from likenesses()
    yield from listed()


def _too_many() -> Iterator[Slip]:
    two = "`{0}`: delete one of the two words"
    yield Slip(
        lazy_re.compile(
            r"\b([Tt]he|[Aa]n?|[Yy]our|[Oo]ur|[Tt]heir) (?!(?i:\1)\b)(the|your|our|their|this|these|those"
            r"|an?(?! (?:and|attribute|element|key|link|or|priori|record|tag)\b))\b(?![-.'’/])"
        ),
        two,
        needs=pairs("the|your|our|their|a|an", "the |your|our|their|this|these|those|a |an "),
        unmarked=True,
    )
    yield Slip(
        lazy_re.compile(
            r"\b(?:are|is) be\b|(?<!it )\bis ha(?:s|ve)\b|\b(?:can|could)(?: not| also)? able to\b"
            r"|\binto to(?= (?:the|your|an?|our|this)\b)"
        ),
        two,
        needs=("is be ", "are be ", "is ha", "able to ", "into to "),
    )
    before = "also|already|always|often|still|now|not"
    yield Slip(
        lazy_re.compile(rf"\b(is|are|was|were|be|has|have|had) (?:an?|the) ({before}) (an?|the)\b(?!-)"),
        SHOULD,
        r"\1 \2 \3",
        pairs("a|an|the", "|".join(f"{adverb} " for adverb in before.split("|"))),
    )
    adverbs = "only|also|always|never|easily|automatically|directly|simply|manually"
    yield Slip(
        lazy_re.compile(rf"\b({_MODAL}|to) be ({adverbs}) be\b"),
        SHOULD,
        r"\1 \2 be",
        tuple(f"be {adverb} be" for adverb in adverbs.split("|")),
    )
    yield Slip(
        lazy_re.compile(
            rf"\b(?:is|are|be|much|runs?) more (?:{_BETTER})\b(?!-)"
            rf"|\b(?<!or )(?<!no )(?<!any )[Mm]ore (?:{_BETTER})(?= than\b|[.,;:!?)](?!\w)|$)"
        ),
        two,
        needs=pairs("more", _BETTER),
    )
    for modals, better in (("must|should", r"\1 \2"), ("may|might", None)):  # `may to see`: `may want to see`, too
        yield Slip(
            lazy_re.compile(rf"\b(?<!a ){_NO_CLAUSE}({modals}) to ({verbs()}|be)\b(?! (?:of|in|on)\b)"),
            two if better else "`{0}`: a word is missing, or one of the two is too many",
            better,
            pairs(modals, "to "),
        )


def _missing() -> Iterator[Slip]:
    yield Slip(
        lazy_re.compile(
            r"\b((?:allow|enabl|permit)(?:e?s|e?d|ing|e)? (?:you|us|users|them|customers|developers|teams|clients"
            rf"|people)) (?!to\b)((?:quickly |easily |also )?(?:{verbs()}))\b(?! to\b)"
        ),
        TO,
        r"\1 to \2",
        ("allow", "enabl", "permit"),
    )
    yield Slip(
        lazy_re.compile(rf"(Remember) ({verbs()})(?= (?:the|your|an?)\b)"), TO, r"\1 to \2", ("remember",), first=True
    )
    yield Slip(
        lazy_re.compile(rf"\b((?:[Cc]hooses?|[Cc]hose|[Dd]ecide[sd]?) not) ({verbs()}|consent)\b"),
        TO,
        r"\1 to \2",
        ("choose", "chose ", "decide"),
    )
    yield Slip(
        lazy_re.compile(rf"\b((?:un)?able(?= \w+ (?:{_COMMON})\b)|[Ii]n order) ({verbs()})\b"),
        TO,
        r"\1 to \2",
        ("able ", "unable ", "order "),
    )
    yield Slip(
        lazy_re.compile(rf"\b((?:[Yy]ou|[Ww]e|[Tt]hey) (?:need|want)) ({verbs()})(?= (?:{_COMMON})\b)"),
        TO,
        r"\1 to \2",
        pairs("you|we|they", "need|want"),
    )
    yield Slip(
        lazy_re.compile(
            rf"\b({_NO_RELATIVE}(?:is|are|be|been|was|were) used|(?:{_BEFORE_NEED}) need|"
            rf"(?:n['’]t|not|['’]ll) (?:need|want))"
            rf" (?!(?:{_ASKING})\b)({verbs()})(?= (?:{_COMMON})\b)"
        ),
        TO,
        r"\1 to \2",
        ("used ", "need ", "want "),
        main=True,
    )
    yield Slip(
        lazy_re.compile(
            r"\b(how) (create|add|configure|install|enable|get|implement|define|build|deploy|integrate|migrate"
            rf"|use)(?= (?:{_COMMON}|with|from|in)\b| \ufffc)"
        ),
        TO,
        r"\1 to \2",
        ("how ",),
    )
    is_missing = "`{0}`: `is` is missing"
    has_a_verb = r"[^.!?\n]*\b(?:is|are|was|were|has|have|had|does|do|can|could|may|must|will|would|should)\b"
    yield Slip(
        lazy_re.compile(rf"(This|There) (an?)(?= [a-z])(?! {_MANY})(?!{has_a_verb})"),
        is_missing,
        r"\1 is \2",
        ("this a", "there a"),
        first=True,
    )
    yield Slip(
        lazy_re.compile(rf"(There) (a {_MANY})\b(?!{has_a_verb})"),
        "`{0}`: `are` is missing",
        r"\1 are \2",
        ("there a ",),
        first=True,
    )


def _forms() -> Iterator[Slip]:
    yield Slip(
        lazy_re.compile(
            rf"\b({_MODAL})(?:{_ADVERB})? (?!(?:{_NOT_PARTICIPLE})\b)"
            rf"({PARTICIPLE}|[a-z]{{2,}}[a-z]ed|{third_persons()}|{_THIRD})\b(?!-)"
            r"(?!(?: \w+){1,3} be\b)"
        ),
        "`{0}`: missing `be` or `have`, or wrong verb form",
        needs=tuple(f"{word} " for word in MODALS),
    )
    yield Slip(
        lazy_re.compile(
            rf"\b(?<![Ww]hy )(?i:does|do|did)(?:n['’]t| not) (?!(?:{_NOT_PARTICIPLE})\b)"
            rf"(?:{third_persons()}|[a-z]{{2,}}[a-z]ed|has|works|needs|wants|exists|means|makes|takes|{_THIRD}|{_THIRD_TOO})"
            r"\b(?!-)"
        ),
        FORM,
        needs=("doesn", "don't", "don’t", "didn", "does not ", "do not ", "did not "),
    )
    yield Slip(
        lazy_re.compile(
            rf"\b((?!(?:used|way)\b)(?:{WISH}|order|sure|(?:{_GOOD}) way"
            r"|(?:allow|enabl|permit)(?:e?s|e?d|ing|e)? (?:you|users|them|developers|people)) to)"
            rf" ({continuous()})\b(?! (?:is|are)\b)"
        ),
        FORM,
        needs=(*pairs(f"{WISH}|order|sure", "to "), "allow", "enabl", "permit"),
    )


def _others() -> Iterator[Slip]:
    """A word where another one belongs."""
    yield Slip(
        lazy_re.compile(
            rf"\b([Tt]he same (?:{nouns()}|{plurals()}|way|place|time|amount|size|value)) than"
            r"(?= (?:the|an?|your|this|that|those|these|it|in|for|on|with|before|what|when)\b)"
        ),
        SHOULD,
        r"\1 as",
        ("the same ",),
    )
    yield Slip(
        lazy_re.compile(r"\b([Ii]n favou?r)(?= (?:the|your|an|new)\b)(?! the (?:next|same|first|last)\b)"),
        "`{0}`: `of` is missing",
        r"\1 of",
        ("in favor ", "in favour "),
    )
    yield Slip(
        lazy_re.compile(rf"\b([Pp]lease refer)(?= (?:the|our|this) (?:[\w-]+ )?(?:{_OF_TEXTS})\b(?! to\b))"),
        TO,
        r"\1 to",
        ("please refer ",),
    )
    yield Slip(lazy_re.compile(r"\b([Pp])ayed\b(?! (?:out|away)\b)"), SHOULD, r"\1aid", ("payed",))


def _passive() -> Iterator[Slip]:
    """A participle is missing behind a form of `be`, or that form before it."""
    yield Slip(
        lazy_re.compile(
            r"\b(?<!do )(?<!does )(?<!we )(?<!We )(is|are|was|were|be|been|[Ii]t[’']s)( \w+ly| also)? recommend\b(?!-)"
        ),
        SHOULD,
        r"\1\2 recommended",
        (" recommend",),
    )
    yield Slip(
        lazy_re.compile(
            r"\b(?<!do )(?<!does )(is|are|was|were|be|been|[Ii]t[’']s) (allow|expect|intend|suppos)e? to\b"
        ),
        SHOULD,
        r"\1 \2ed to",
        pairs("allow|expect|intend|suppose", "to "),
    )
    yield Slip(lazy_re.compile(r"\b[Ww]e are(?: \w+ly| also)? recommend\b(?!-)"), FORM, needs=("we are ",))
    yield Slip(
        lazy_re.compile(r"\b(?:(are)|is) been(?= [a-z]+ed\b)"),
        "`{0}`: `been` follows `has` or `have`",
        needs=("are been ", "is been "),
    )
    yield Slip(
        lazy_re.compile(r"\b(?:have|has|had) (?:did|went|took|gave|wrote|came)\b"),
        FORM,
        needs=pairs("have|has|had", "did |went |took |gave |wrote |came "),
    )
    yield Slip(
        lazy_re.compile(r"It (advised|recommended|required|suggested|supposed) to\b"),
        "`{0}`: `is` is missing",
        r"It is \1 to",
        pairs("it", "advised|recommended|required|suggested|supposed"),
        first=True,
    )
    yield Slip(
        lazy_re.compile(rf"(?<!there )\b(?:has|have|had)(?: not| also| already| now)? been (?:{_PLAIN})\b(?!-)"),
        FORM,
        needs=("been ",),
    )
    yield Slip(
        lazy_re.compile(r"\b(should|will|would|must|may|might)( not)? (able|unable) to\b"),
        "`{0}`: `be` is missing",
        r"\1\2 be \3 to",
        ("able to ", "unable to "),
    )
    yield Slip(
        lazy_re.compile(
            rf"\b(?:can|will|must|should|may|might|to|could|would|cannot|not) be (?:{_PLAIN}|{_PLAIN_TOO})\b(?!-)"
            r"(?!(?<=\bbuild) \w+[a-rt-z]s\b(?<! this))"
            rf"|\b(?:is|are|was|were) (?:{_PLAIN}|load) by default\b"
        ),
        FORM,
        needs=(*pairs("can|will|must|should|may|might|to|could|would|cannot|not", "be "), " default"),
    )
    subject = r"(?<!\bdo )(?<!\bdoes )(?<!\bdid )(?<!\bcan )(?<!\bcould )(?<!\bstep )(?<!\boption )(?<!\bgoal )\b"
    participle = rf"{subject}((?:is|are|was|were|being)(?:{_ADVERB}| \w+ly)?)"
    goes_on = rf"(?= (?:{_GOES_ON})\b)"
    for plain, better in (("send", "sent"), ("build", "built")):
        yield Slip(lazy_re.compile(rf"{participle} {plain}{goes_on}"), SHOULD, rf"\1 {better}", (f" {plain}",))
    yield Slip(
        lazy_re.compile(rf"{participle} (?!send\b|build\b)(?:{_AS_PARTICIPLE}){goes_on}(?! by default\b)"),
        FORM,
        needs=tuple(f" {verb}" for verb in _AS_PARTICIPLE.split("|") if verb not in ("send", "build")),
    )


def _nouns_for_verbs() -> Iterator[Slip]:
    nouns_, needs = "|".join(NOUN_VERBS), (*NOUN_VERBS,)
    follows = r"(?= (?:to|into|with|as|using|from|in|on|for|and|again|via|multiple|new)\b|[.,;](?!\w))"
    object_ = rf"(?= (?:{DETERMINER}|everything|anything|something)\b)"
    yield Slip(lazy_re.compile(rf"\b([Tt]o|{_MODAL}|[Pp]lease) ({nouns_}){object_}"), _NOUN_VERB, "", needs)
    yield Slip(lazy_re.compile(rf"\b(and|then) ({nouns_})(?= an?\b)"), _NOUN_VERB, "", needs)
    before = "and|then|also|just|simply|easily|we|they|users|[Dd]on['’]t"
    yield Slip(
        lazy_re.compile(rf"\b({before}) (setup|shutdown)(?= (?:the|your|our|an?)\b)"),
        _NOUN_VERB,
        "",
        ("setup", "shutdown"),
    )
    wishes = rf"{_MODAL}|[Pp]lease|(?:{WISH}|order) to"
    yield Slip(lazy_re.compile(rf"\b({wishes}) ({nouns_}){follows}"), _NOUN_VERB, "", needs)
    yield Slip(lazy_re.compile(rf"(To) ({nouns_}){follows}"), _NOUN_VERB, "", needs, first=True)
    simple = "setup|lookup|rollback|cleanup|shutdown|login|logout"
    is_object = rf"(?= (?!(?:{_OF_TEXTS}|{_NOT_OBJECT})\b)[\w\ufffc])"
    yield Slip(lazy_re.compile(rf"\b({wishes}) ({simple}){is_object}"), _NOUN_VERB, "", needs)
    yield Slip(lazy_re.compile(rf"(To) (setup){is_object}"), _NOUN_VERB, "", ("to setup",), first=True)
    yield Slip(
        lazy_re.compile(rf"\b([Tt]o|[Uu]sers|[Yy]ou) (opt-in|opt-out)(?:{follows}|(?= of\b))"),
        _NOUN_VERB,
        "",
        ("opt-",),
    )
    yield Slip(lazy_re.compile(rf"\b([Yy]ou(?: also)?) (setup){object_}"), _NOUN_VERB, "", ("you ",))
    yield Slip(lazy_re.compile(rf"\b((?:here|button|icon) to) ({nouns_})(?=[.,;!](?!\w)|$)"), _NOUN_VERB, "", needs)
    done = r"to|in|on|for|with|as|using|via|by|and|correctly|properly|so|before|when|if|from"
    yield Slip(
        lazy_re.compile(
            r"\b(are|were|been|be|being|getting|got|(?:is|was)(?= setup (?:to|using|via|by|correctly|properly|so)\b))"
            rf" (setup)(?= (?:{done})\b|[.,;:)](?!\w)|$)"
        ),
        _NOUN_VERB,
        "",
        ("setup",),
    )
    clause = r"(?i:if|when|whenever|once|before|after|until|unless|because|while) (?:you|we|they)"
    yield Slip(lazy_re.compile(rf"\b({clause}) ({nouns_})(?![\w-])"), _NOUN_VERB, "", needs)
    capital = "|".join(map(str.capitalize, NOUN_VERBS))
    yield Slip(
        lazy_re.compile(rf"()({capital})(?= (?:[Yy]our|[Oo]ur|[Tt]he|[Aa]n?|[Tt]his|[Tt]hese)\b)"),
        _NOUN_VERB,
        "",
        needs,
        first=True,
    )


SLIPS = tuple(_slips())


def _needs() -> Iterator[tuple[str, str, tuple[int, ...]]]:
    slips: dict[str, dict[int, None]] = {}
    for at, slip in enumerate(SLIPS):
        for need in slip.needs:
            slips.setdefault(need, {})[at] = None
    for need, numbers in slips.items():
        words = need.split()
        word = words[-1 if need.startswith(" ") else 0]
        is_whole = need.startswith(" ") or " " in need
        yield need, word if is_whole else "", tuple(numbers)


NEEDS = tuple(_needs())
"""What slips need, a word of it that is whole, and the numbers of these slips."""
