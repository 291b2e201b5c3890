"""A heading that differs from that of the other copies, over the same section."""

from __future__ import annotations

from collections.abc import Iterator

from tutorial_tool import align
from tutorial_tool.align.wording import differing, plain_words, platform_needs, uncapitalised
from tutorial_tool.evidence import Findings
from tutorial_tool.finding import Finding, Severity
from tutorial_tool.rules import rule
from tutorial_tool.rules._copies import intended, judged, named, quoted
from tutorial_tool.variants import Step


@rule("drift", Severity.HINT)
def check(step: Step, found: Findings) -> Iterator[Finding]:
    for row in align.of(step).headings():
        texts = {name: plain_words(unit.masked) for name, unit in row.items()}
        if len(set(texts.values())) != 2:
            continue  # more than two: each platform has its own words for it
        verdict = judged(step, texts, {name: unit.place for name, unit in row.items()}, found)
        name, other = verdict.odd[0], verdict.usual[0]
        unit, theirs = row[name], row[other]
        titles = (name, uncapitalised(unit.masked)), (other, uncapitalised(theirs.masked))
        agreed = len(verdict.usual) > 1
        if platform_needs(step, *titles, agreed=agreed) or not differing(unit.masked, theirs.masked):
            continue
        if intended(step, step.pages[name], unit.place):
            continue
        reason = f" ({verdict.reason})" if verdict.reason else ""
        message = f"this section is called {quoted(theirs.text)} on {named(step, verdict.usual)}{reason}"
        related = [(step.pages[other], theirs.place, f"the heading on {step.variants[other].name}")]
        related += [(step.pages[id_], row[id_].place, "differs, too") for id_ in verdict.odd[1:]]
        yield step.pages[name].flag(unit.place, message, related=related)
