"""Slips that an exact pattern tells: `the your`, `allows you forward`, `can used`, `to login`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from tutorial_tool import lazy_re
from tutorial_tool.document import Prose
from tutorial_tool.finding import Finding, Severity
from tutorial_tool.rules import rule
from tutorial_tool.site import Page, PageFix


class _Slip(NamedTuple):
    pattern: re.Pattern[str]
    message: str
    better: str | None = None
    """What to write, as a template of the match; None where only the author knows."""
    needs: tuple[str, ...] = ()
    """Lower-case letters of which one must stand in the text: a cheap look before the pattern."""


_MODAL = r"can|could|must|should|will|would|may|might|cannot"
_DETERMINER = r"the|your|our|their|its|this|that|these|those|an?|any|all|each|every|another|it|them"
_VERBS = {
    "login": "log in", "logout": "log out", "setup": "set up", "lookup": "look up", "signup": "sign up",
    "checkout": "check out", "backup": "back up", "rollback": "roll back", "cleanup": "clean up",
    "shutdown": "shut down", "startup": "start up",
}  # fmt: skip
"""Nouns that are two words as a verb."""
_PARTICIPLE = r"been|used|done|made|seen|sent|given|taken|shown|written|chosen|built|kept|found"
_NOT_PARTICIPLE = (
    r"need|feed|seed|speed|exceed|proceed|succeed|embed|bleed|breed|heed|weed|shed|shred|sled|wed|bed|red|led"
)

_SLIPS = (
    _Slip(
        lazy_re.compile(
            r"\b([Tt]he|[Aa]n?|[Yy]our|[Oo]ur|[Tt]heir) (?!(?i:\1)\b)(the|your|our|their|this|these|those)\b(?![-.'’/])"
        ),
        "`{0}`: one of the two words is too many",
        needs=tuple(
            "the your,the our,the their,the this,the these,the those,a the,a your,a our,a their,a this,an the,an your,"
            "your the,your this,our the,our this,their the,their this".split(",")
        ),
    ),
    _Slip(
        lazy_re.compile(
            r"\b((?:allow|enable|permit)(?:s|ed|ing)? (?:you|us|users|them|customers|developers|teams)) (?!to\b)"
            r"(send|forward|create|use|add|set|get|view|see|track|configure|define|choose|select|build|make|access"
            r"|manage|collect|customize|integrate|measure|test|share|export|import|update|delete|write|read|run"
            r"|connect|filter|find|control|specify|receive|analyze|deploy|edit)\b(?! to\b)"
        ),
        "`{0}`: `to` is missing",
        r"\1 to \2",
        ("allow", "enabl", "permit"),
    ),
    _Slip(
        lazy_re.compile(
            rf"\b({_MODAL})( not)? (?!(?:{_NOT_PARTICIPLE})\b)({_PARTICIPLE}|[a-z]{{2,}}[a-z]ed)\b(?!-)"
            r"(?!(?: \w+){1,3} be\b)"
        ),
        "`{0}`: `be` or `have` is missing, or the verb has the wrong form",
        needs=tuple(f"{word} " for word in _MODAL.split("|")),
    ),
    _Slip(lazy_re.compile(r"\b([Ii])t[’']s own\b"), "`{0}` should read `{1}`", r"\1ts own", ("it's own", "it’s own")),
    _Slip(
        lazy_re.compile(r"\b([Ii])ts (been|not|going|a|the|an)\b(?![-/])(?! [A-Z])"),
        "`{0}` should read `{1}`",
        r"\1t's \2",
        ("its been", "its not", "its going", "its a ", "its the ", "its an "),
    ),
    _Slip(
        lazy_re.compile(rf"\b(to|{_MODAL}|please) ({'|'.join(_VERBS)})(?= (?:{_DETERMINER})\b)"),
        "`{2}` is a noun; the verb is `{1}`",
        "",
        tuple(_VERBS),
    ),
)
_MOTION = lazy_re.compile(
    r"\b(?:go|goes|going|navigate\w*|redirect\w*|return\w*|switch\w*|mov\w+|relat\w+|prior|due|next|link\w*|access)\s+$"
)
_NOUN_BEFORE = lazy_re.compile(r"\b(?:the|an?|your|this|that|each|every|no|of|all)\s+$", re.IGNORECASE)
"""What stands before `can` and `will` as nouns, and before `allowed users`."""


@rule("text", Severity.WARNING, english=True)
def check(page: Page) -> Iterator[Finding]:
    text = page.plain.lower()
    slips = [slip for slip in _SLIPS if any(need in text for need in slip.needs)]
    texts = [prose.lower() for prose in page.document.prose()] if slips else []
    whole = "\n".join(texts)
    needed = [(slip, needs) for slip in slips if (needs := [need for need in slip.needs if need in whole])]
    for prose, lowered in zip(page.document.prose(), texts, strict=True) if needed else ():
        for slip, needs in needed:
            if any(need in lowered for need in needs):
                yield from _found(page, prose, slip)


def _found(page: Page, prose: Prose, slip: _Slip) -> Iterator[Finding]:
    for match in slip.pattern.finditer(prose):
        before = prose[: match.start()]
        if slip.better == "":
            if match[1] != "to" or not _MOTION.search(before):
                yield _verb(page, prose, match, slip)
        elif not (_NOUN_BEFORE.search(before) and (match[1] in _MODAL.split("|") or match[1].startswith("allowed "))):
            better = match.expand(slip.better) if slip.better else ""
            place = prose.at(match)
            message = slip.message.replace("{0}", match[0]).replace("{1}", better)
            yield page.flag(place, message, replace=better or None)


def _verb(page: Page, prose: Prose, match: re.Match[str], slip: _Slip) -> Finding:
    good = _VERBS[match[2]]
    place = prose.at(match.start(2), match.end(2))
    message = slip.message.replace("{2}", match[2]).replace("{1}", good)
    return page.flag(place, message, fix=PageFix(f"write `{good}`", ((*place, good),)))
