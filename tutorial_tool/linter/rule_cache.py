"""What rules have said of pages and steps, kept with these: who has not changed is not judged again."""

from __future__ import annotations

from dataclasses import dataclass, field

from tutorial_tool.core.diagnostics import Finding
from tutorial_tool.rules.finding_index import Findings
from tutorial_tool.site import Page, Project, Site
from tutorial_tool.variants import Asked, Step
from tutorial_tool.variants.lasting import Lent

Subject = Page | Step | Site | Project


@dataclass
class Heard:
    """What the rules said of one subject, by their names, as long as all is the same that they look at."""

    of: Subject
    findings: dict[str, tuple[Finding, ...]] = field(default_factory=dict)
    asked: Asked = field(default_factory=Asked)  # What was asked besides
    seconds: float = 0.0  # CPU time that the rules have taken

    def keep(self, rule: str, findings: tuple[Finding, ...]) -> tuple[Finding, ...]:
        """Keeps what a rule said, unless it has looked at the whole site."""
        if not self.asked.site:
            self.findings[rule] = findings
        self.asked.site = False  # the next rule may not
        return findings


def of_page(page: Page, settings: tuple[object, ...]) -> Heard:
    """What was said of a page under the same settings: the rules of pages see nothing else."""
    now = *settings, page.is_aside
    state, value = page.known.get(of_page, (None, {}))
    if state != now:
        state, value = page.known[of_page] = now, {}
    return Heard(page, value)


def whole(subject: Heard, rules: tuple[str, ...]) -> tuple[tuple[str, tuple[Finding, ...]], ...] | None:
    """What these rules said of a page, by their names, without those that found nothing; None before all are heard."""
    assert isinstance(subject.of, Page)
    findings, known = subject.findings, subject.of.known
    made = known.get(whole)
    if made is None or made[0] is not findings or made[1] != rules:
        if any(rule not in findings for rule in rules):
            return None
        made = known[whole] = findings, rules, tuple((rule, findings[rule]) for rule in rules if findings[rule])
    matches: tuple[tuple[str, tuple[Finding, ...]], ...] = made[2]
    return matches


def of_step(step: Step, settings: tuple[object, ...], findings: Findings) -> Heard:
    """What was said of a step under the same settings, and the same evidence in the files that it shows."""
    shown = (source for page in step.pages.values() for source in (page.source, *page.parts)) if findings else ()
    now = (*settings, *step.parts, *findings.about(dict.fromkeys(shown)))
    known = step.first.known.get(of_step, (None, Asked(), {}))
    if isinstance(known, Lent):
        known = now if known.of(now) else None, Asked.again(known), known.made
    state, asked, value = known
    if state != now or not asked.holds(step):
        value, asked = {}, Asked()
    step.asked.add(asked)
    step.first.known[of_step] = now, step.asked, value
    return Heard(step, value, step.asked)
