"""A platform or step whose day of review has come: `review-after` in the data."""

from __future__ import annotations

from collections.abc import Iterator

from tutorial_tool import cache
from tutorial_tool.core.diagnostics import Finding, Severity
from tutorial_tool.data import Scalar
from tutorial_tool.data.model import Model
from tutorial_tool.data.model.parts import Platform, Step
from tutorial_tool.rules import rule
from tutorial_tool.site import Project

NAME = "review-due"


@rule("project", Severity.HINT)
def check(project: Project) -> Iterator[Finding]:
    for item, day, message in find_due(project.model):
        yield project.flag(day.span, message + (f" (owners: {', '.join(item.owners)})" if item.owners else ""))


def find_due(model: Model) -> Iterator[tuple[Platform | Step, Scalar, str]]:
    """Yield the platforms and steps due for review, each with the day in the data and the message."""
    items: list[Platform | Step] = [*model.platforms.values()]
    items += [step for tutorial in model.tutorials.values() for step in tutorial.steps.values()]
    for item in items:
        if (day := item.review_after) is not None and day.text <= cache.get_today():
            name = f"{'platform' if isinstance(item, Platform) else 'step'} `{item.id}`"
            yield item, day, f"{name} was due for review on {day.text}; review it, and set a new date"
