"""Words that sound alike, where the words around tell that the other one is meant: `their is`, `rather then`."""

from __future__ import annotations

from collections.abc import Iterator

from tutorial_tool.core import lazy_re
from tutorial_tool.rules.text._phrases import (
    AFTER_NOUN,
    PARTICIPLE,
    SHOULD,
    Slip,
    continuous,
    nouns,
    pairs,
    plurals,
    third_persons,
    verbs,
)

_OF_READERS = (
    "own|account|apps?|applications?|api|code|data|projects?|files?|servers?|devices?|team|users|environment|browser"
    "|system|configuration|workspace|database|needs|machine|computer|organization|company|website|domain|package"
    "|settings|keys|tests"
)
"""What readers have."""
_OWN_THINGS = (
    "account|app|application|browser|code|computer|database|device|email|files?|key|machine|name|password|phone|project"
    "|server|site|system|team|website|workspace"
)
_OF_THINGS = (
    "values?|names?|contents?|parents?|child|children|propert(?:y|ies)|methods?|parameters?|arguments?|fields?"
    "|dependenc(?:y|ies)|settings?|documentation|purpose|constructor|path|size|length|usage|structure|users|members?"
    "|elements?|components?|owner|origin|position|width|height|body|attributes?|features?|respective|corresponding"
)
_JUDGED = (
    "time|possible|important|recommended|worth|better|easier|easy|likely|necessary|helpful|useful|best|hard|difficult"
    "|common"
)
_BEFORE_BEST = "|".join(
    rf"(?<=\b{word} )"
    for word in "that if so and but or think because since when where while although maybe usually often".split()
)
"""What stands before `its best to` where that is no object: nothing tries its best there."""
_COMPARED = "rather|other|greater|larger|smaller|bigger|better|faster|slower|higher|lower|longer|shorter|newer|older"
_PREPOSITION = (
    "of|in|from|to|for|with|by|into|within|under|via|through|inside|outside|between|at|onto|upon|without|throughout"
)
_BEFORE_ITS = "on|about|across|around|behind|depend|depends|send|sends|keep|keeps|know|knows|has|have|pass|passes"
"""What stands before `it's` that is followed by a thing, besides the verbs."""
_BEFORE_CLAUSE = frozenset(
    "ensure ensures find finds see sees test tests understand understands verify verifies".split()
)
"""Verbs that a clause may follow: `you see it's version 2`."""
_OWNED = "location|use|usage|title|state|status|scope|source|target|input|output|root|goal|effect|result"
_EXTENT = "late|large|big|small|early|complex|complicated|expensive|difficult|strict|much"
"""What only `too` stands before."""
_BEFORE_TO = "able|easy|easier|going|how|need|try|want"
"""What stands before `to` and a verb, and hardly before `too`: not `have`, as in `what others have too be told`."""
_ASKED = "(?:allow|enabl|permit|requir|ask|want|expect|invit|encourag|advis)(?:e?s|e?d|ing|e)?"
_TO_PLACES = (
    "add(?:s|ed|ing)?|attach(?:es|ed)?|belongs?|bind|bound|connect(?:s|ed|ing)?|deploy(?:s|ed)?|go|goes|links?|linked"
    "|mov(?:e|es|ed|ing)|navigate[sd]?|point(?:s|ed|ing)?|push(?:es|ed)?|redirect(?:s|ed)?|refer(?:s|red)?|sen[dt]"
    "|sends|switch(?:es|ed|ing)?|upload(?:s|ed)?|writ(?:e|es|ten)|according|related|similar"
)
"""What `to` and a place follow."""
_COUNTED = "number|amount|list|type|kind|couple|lots|variety|collection|because|instead|version|series|instance|subset"
"""What `of` follows."""
_NO_NOUN = (
    r"a|an|the|not|been|that|what|all|just|no|only|also|still|now|too|so|more|very|\w+ing|up|in|on|at|able|ready|done"
    r"|sure|new"
)
"""What stands after `it's` and `you're` where these are right."""
_AFTER_THEN = "again|check|click|copy|enter|go|once|paste|press|restart|save|select|start|tap|type|wait"
"""What follows `and then`, besides the verbs."""
_NTH = "first|last|next|previous|default|current|initial|original|underlying"
_PUT = (
    "put(?:s|ting)?|insert(?:s|ed|ing)?|cop(?:y|ies|ied|ying)|past(?:e|es|ed|ing)|plac(?:e|es|ed|ing)|convert(?:s|ed|ing)?"
    "|split(?:s|ting)?|import(?:s|ed|ing)?|load(?:s|ed|ing)?|inject(?:s|ed|ing)?|transform(?:s|ed|ing)?"
    "|translat(?:e|es|ed|ing)|divid(?:e|es|ed|ing)|compil(?:e|es|ed|ing)|drag(?:s|ged|ging)?"
)
"""What `into` follows, perhaps behind a few words."""
_IN = "log|logs|logged|logging|sign|signs|signed|signing|opt|tie|ties|check|plug|plugs|give|go|and|or|to|when|if|that"
"""What stands before `in to` where these are two words, and where a new clause begins."""
_BEFORE_OWN = "of|in|with|from|on|to|for|by|and|set|use|using|manage|all|change|update|have|get|enter|create"


def likenesses() -> Iterator[Slip]:
    """What `grammar` looks for."""
    yield from _its()
    yield from _your()
    yield from _their()
    yield from _then()
    yield from _too()
    yield from _into()
    yield from _self()
    yield from _you()
    yield from _event()
    yield Slip(
        lazy_re.compile(r"\b(to|simply|then|can|will|you|must|should) crate(?= (?:an?|the|your|new)\b)"),
        SHOULD,
        r"\1 create",
        (" crate",),
    )
    yield Slip(lazy_re.compile(r"\b([Yy])our['’](ll|re|ve)\b"), SHOULD, r"\1ou'\2", ("your'", "your’"))
    yield Slip(
        lazy_re.compile(
            rf"\b({_COUNTED}) off(?= (?:the|an?|your|all|this|these|those|each|[a-z]+s)\b)"
            r"|\b(outside|inside) off(?= (?:the|an?|your|its)\b)"
        ),
        SHOULD,
        r"\1\2 of",
        (" off ",),
    )
    lost = (
        "the|your|any|all|access|data|track|its|their|information|it|some|that|this|control|an?|focus|precision"
        "|connections?|money"
    )
    yield Slip(
        lazy_re.compile(rf"\b(to|will|can|may|might|would|could|\w+n[’']t|not|you|they|cannot) loose ({lost})\b"),
        SHOULD,
        r"\1 lose \2",
        (" loose ",),
    )
    yield Slip(lazy_re.compile(rf"\blo(o)s(es|ing) ({lost})\b"), SHOULD, r"los\2 \3", ("looses ", "loosing "))
    yield Slip(
        lazy_re.compile(
            r"\b((?:should|could|would|might|must)(?:n[’']t| not)?) of"
            rf"( (?:not |never |also )?(?:{PARTICIPLE}|had|gone|become|[a-z]{{3,}}ed))\b"
        ),
        SHOULD,
        r"\1 have\2",
        (" of ",),
    )
    yield Slip(
        lazy_re.compile(
            r"\b((?:described|defined|explained|found|given|listed|mentioned|outlined|provided|seen?|shown|stated|used"
            r"|code|diagram|examples?|image|links?|list|options?|section|snippet|steps|table)) bellow\b"
        ),
        SHOULD,
        r"\1 below",
        ("bellow",),
    )
    yield Slip(
        lazy_re.compile(r"\b([Aa])n other(?= [a-z]+)(?! (?:category|field|option|than|type|value)\b)"),
        SHOULD,
        r"\1nother",
        ("an other ",),
    )
    yield Slip(
        lazy_re.compile(r"(?<!the )(?<!The )\b([Dd]epend(?:s|ing)?) of(?= (?:the|your|which|how|what|this)\b)"),
        SHOULD,
        r"\1 on",
        ("depend of ", "depends of ", "depending of "),
    )


def _its() -> Iterator[Slip]:
    yield Slip(
        lazy_re.compile(rf"\b([Ii])t[’']s (own\b|(?:{_OF_THINGS})\b(?! (?:that|which|all)\b|['’]))"),
        SHOULD,
        r"\1ts \2",
        ("it's ", "it’s "),
    )
    yield Slip(
        lazy_re.compile(rf"\b({_PREPOSITION}) it[’']s(?= [a-z])(?! (?:{_NO_NOUN}|own|{_OF_THINGS})\b)"),
        SHOULD,
        r"\1 its",
        ("it's ", "it’s "),
    )
    before = "|".join(word for word in f"{verbs()}|{third_persons()}".split("|") if word not in _BEFORE_CLAUSE)
    yield Slip(
        lazy_re.compile(
            rf"\b({_BEFORE_ITS}|{before}|{continuous()}) it[’']s ({nouns()}|{_OWNED}){AFTER_NOUN}(?! (?:that|which)\b)"
        ),
        SHOULD,
        r"\1 its \2",
        ("it's ", "it’s "),
    )
    things = rf"{nouns()}|{_OWNED}|{_OF_THINGS}|argument|call|entry|item|line|release|run"
    yield Slip(
        lazy_re.compile(rf"\b({_BEFORE_ITS}|{before}|{continuous()}) it[’']s(?= (?:{_NTH}) (?:{things})\b)"),
        SHOULD,
        r"\1 its",
        ("it's ", "it’s "),
    )
    yield Slip(
        lazy_re.compile(r"\b([Ii])ts (been|not|going|also|because|up to|(?:a|the|an)(?![-/]| [A-Z]))\b(?![-/])"),
        SHOULD,
        r"\1t's \2",
        ("its ",),
    )
    judged = "|".join(word for word in _JUDGED.split("|") if word != "best")
    yield Slip(
        lazy_re.compile(rf"\b([Ii])ts ((?:{judged}) (?:to|that|for))\b(?![-/]| (?:live|first)\b)"),
        SHOULD,
        r"\1t's \2",
        pairs("its", judged),
    )
    yield Slip(
        lazy_re.compile(rf"(?:\A|(?<=[.!?:;,(] )|{_BEFORE_BEST})([Ii])ts best (to|that|for)\b(?![-/])"),
        SHOULD,
        r"\1t's best \2",
        ("its best",),
    )


def _your() -> Iterator[Slip]:
    yield Slip(
        lazy_re.compile(
            r"\b((?i:if|when|whenever|once|while|because|since|unless|that|where|ensure|(?:make|be) sure)) your"
            r" (are|have|want to|wish to|would like)\b"
        ),
        SHOULD,
        r"\1 you \2",
        pairs("your", "are |have |want to|wish to|would like"),
    )
    yield Slip(
        lazy_re.compile(rf"\b((?<!all )(?<!any )(?<!some )of|in|from|on) you ({_OWN_THINGS}){AFTER_NOUN}"),
        SHOULD,
        r"\1 your \2",
        pairs("you", _OWN_THINGS),
    )
    yield Slip(
        lazy_re.compile(rf"(Choose|Copy|Enter|Open|Provide|Save|Select|Type|Update|Use) you ({_OWN_THINGS})\b"),
        SHOULD,
        r"\1 your \2",
        pairs("you", _OWN_THINGS),
        first=True,
    )
    yield Slip(
        lazy_re.compile(
            rf"\b([Yy])ou[’']re ({_OF_READERS}|(?!setting\b)(?:{nouns()}))\b"
            r"(?! (?:developers|owners|people|[a-z]+ing)\b)"  # `you're component testing`
        ),
        SHOULD,
        r"\1our \2",
        ("you're ", "you’re "),
    )
    yield Slip(
        lazy_re.compile(rf"\b({_PREPOSITION}) you[’']re(?= [a-z])(?! (?:{_NO_NOUN}|{_OF_READERS})\b)"),
        SHOULD,
        r"\1 your",
        ("you're ", "you’re "),
    )
    yield Slip(
        lazy_re.compile(
            r"\b([Yy])our (using|trying to|going to|looking (?:to|for|at)|planning (?:on|to)"
            r"|not (?:sure|using|able|going)|unsure|welcome to)\b"
        ),
        SHOULD,
        r"\1ou're \2",
        pairs("your", "using|trying|going|looking|planning|not |unsure|welcome"),
    )

    follows = r"(?= (?:to|with|as|before|and|on|from|using)\b|[.,;:)]|$)"
    clause = "if|when|whenever|once|while|because|since|unless|until"
    yield Slip(
        lazy_re.compile(
            rf"\b((?i:(?:(?:make|be) sure|ensure)(?: that)?|{clause}) you)r"
            rf"( (?:signed|logged) (?:in|into|out)| done| finished| ready){follows}"
        ),
        SHOULD,
        r"\1're\2",
        pairs("your", "signed|logged|done|finished|ready"),
    )


def _too() -> Iterator[Slip]:
    yield Slip(
        lazy_re.compile(rf"\b({_BEFORE_TO}|order|(?:{_ASKED}) (?:you|users|them)) too ({verbs()}|be|have|do)\b"),
        SHOULD,
        r"\1 to \2",
        (" too ",),
    )
    yield Slip(
        lazy_re.compile(rf"\b(?i:({_TO_PLACES})) too(?= (?:the|an?|your|this|that|these|our|their|its)\b)"),
        SHOULD,
        r"\1 to",
        (" too ",),
    )
    # no subject of a plain verb, as plurals are: `the users too need a key`
    thing = rf"{nouns()}|app|it|them|information"
    yield Slip(
        lazy_re.compile(
            rf"\b({thing}|{plurals()}|data|apps) too(?= (?:the|your|an?|this|our)\b)"
            rf"|(?<!, )\b({thing}|us) too(?= (?:{verbs()}) (?:the|your|an?|this|our|data|all)\b)"
        ),
        SHOULD,
        r"\1\2 to",
        (" too ",),
    )
    yield Slip(lazy_re.compile(r"\b([Dd])ue too\b"), SHOULD, r"\1ue to", ("due too",))
    needs = pairs("to", _EXTENT)
    yield Slip(lazy_re.compile(rf"\b([Ii])ts to ({_EXTENT})\b(?!-)"), SHOULD, r"\1t's too \2", needs)
    yield Slip(
        lazy_re.compile(
            rf"\b([Ii]t[’']s|is|are|was|were|be|been) to ({_EXTENT})\b(?!-)(?=[.,;:)]|$| (?:to|for|and)\b)"
        ),
        SHOULD,
        r"\1 too \2",
        needs,
    )


def _their() -> Iterator[Slip]:
    verbs_ = "is|are|was|were|will|may|might|has|have|can|should"
    yield Slip(
        lazy_re.compile(rf"\b([Tt])heir ({verbs_}|isn[’']t|aren[’']t)\b"),
        SHOULD,
        r"\1here \2",
        pairs("their", "is|are|w|ma|mi|ha|can |sho"),
    )
    yield Slip(
        lazy_re.compile(
            rf"\b({_BEFORE_OWN}) there (own|account|apps?|code|data|names?|email|password|projects?|profile|users"
            r"|teams?|devices?|phone|browser|needs|machine|computer|laptop|server|website|workspace|database)\b"
        ),
        SHOULD,
        r"\1 their \2",
        pairs("there", "own|acc|app|cod|com|dat|nam|ema|lap|mac|pas|pro|ser|use|tea|dev|pho|bro|nee|web|wor"),
    )

    yield Slip(
        lazy_re.compile(
            r"\b(of|using|with|between|into|share|build) there (?=[a-z])(?!(?:being|is|are|was|were|to|and|or|but|in|on"
            rf"|at|by|as|will|have|has|must|isn|aren|can|may|{_BEFORE_OWN}|own|accounts?|apps?|code|data|names?)\b)"
        ),
        SHOULD,
        r"\1 their ",
        pairs("of|using|with|between|into|share|build", "there "),
    )


def _into() -> Iterator[Slip]:
    yield Slip(
        lazy_re.compile(
            rf"\b((?i:{_PUT})(?: (?!(?:{_IN})\b)[\w'’-]+){{0,4}}) in to(?= (?:the|an?|your|its|this|that|one|two)\b)"
        ),
        SHOULD,
        r"\1 into",
        (" in to",),
    )


def _then() -> Iterator[Slip]:
    yield Slip(
        lazy_re.compile(
            rf"\b((?i:{_COMPARED})|(?i:more|less|fewer)(?= then (?:one|two|three|an?|\d+|half|once|N|[A-Z]{{3,}})\b))"
            r" then\b"
        ),
        SHOULD,
        r"\1 than",
        (" then ",),
    )
    yield Slip(
        lazy_re.compile(rf"(,|\b[Aa]nd) than ({verbs()}|{_AFTER_THEN})\b"),
        SHOULD,
        r"\1 then \2",
        ("and than ", ", than "),
    )


def _you() -> Iterator[Slip]:
    told = "if|when|whenever|once|while|because|since|unless|that|where|ensure|sure"
    not_told = "".join(rf"(?<!\b(?i:{word}) )" for word in told.split("|"))  # `_your` has those
    yield Slip(
        lazy_re.compile(rf"{not_told}\b([Yy])our (are|were|have)\b(?!-)"),
        SHOULD,
        r"\1ou \2",
        pairs("your", "are|were|have"),
    )
    yield Slip(
        lazy_re.compile(
            r"\b([a-z]{3,}) it[’']s most (commonly|frequently|recently|recent|important|common|used)(?= [a-z])"
        ),
        SHOULD,
        r"\1 its most \2",
        ("it's most ", "it’s most "),
    )


def _self() -> Iterator[Slip]:
    yield Slip(
        lazy_re.compile(
            r"\b(them|our|your) (selves)\b(?!-)"
            r"|(?<=\b[Bb]y )(it|him) (self)\b(?![-.(=`])|(?<=[a-z] )(it) (self)\b(?=[.,;:!?)](?!\w)|$)"
        ),
        SHOULD,
        r"\1\2\3\4\5\6",
        ("them selves", "our selves", "your selves", "it self", "him self"),
    )


def _event() -> Iterator[Slip]:
    told = "dispatched|emitted|fired|raised|received|sent|thrown|triggered"
    yield Slip(
        lazy_re.compile(rf"\b([Tt])his even ((?:will be|is|was|gets) (?:{told})|will (?:fire|trigger))\b"),
        SHOULD,
        r"\1his event \2",
        ("this even ",),
    )
