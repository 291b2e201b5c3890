"""Copy the text of certain lines to the siblings of their pages."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from tutorial_tool.linter.targets import Target
from tutorial_tool.site import Page
from tutorial_tool.sync.carry import CarriedEdit, RejectedEdit
from tutorial_tool.sync.plan import SyncPlan, add_results, find_sets, find_siblings
from tutorial_tool.sync.settle import SAME, resolve_line
from tutorial_tool.variants import Step, tab_steps


class PageLine(NamedTuple):
    """A line of a page, 1-based, to copy to its siblings."""

    path: Path
    line: int


def plan_lines(targets: Iterable[Target], places: Sequence[PageLine], only: Sequence[str]) -> SyncPlan:
    """Plan the changes that copy these lines to the other copies of their pages, or to other tabs."""
    plan = SyncPlan(only=only)
    for target in targets:
        for step in (*find_sets(target, {}), *tab_steps.find_tab_steps(target.load({}))):
            for name, page in step.pages.items():
                path = target.root / page.source.path
                for place in places:
                    if place.path == path and _is_on(page, place.line, is_part=step.is_tabset):
                        _plan_line(plan, target.root, step, name, place)
    return plan


def _is_on(page: Page, line: int, *, is_part: bool) -> bool:
    """Return whether a page has a line; for a part of a page, whether the line has text in it."""
    lines = page.plain.split("\n")
    return line <= len(lines) and (not is_part or bool(lines[line - 1].strip()))


def _plan_line(plan: SyncPlan, root: Path, step: Step, name: str, place: PageLine) -> None:
    """Plan the changes that a line makes in the siblings of its page.

    That a sibling has the same text is reported only if all have it. For a page with tabs that the plan already covers,
    skipped edits are not reported at all.
    """
    is_noise, same = step.is_tabset and place.path in plan.pages, (RejectedEdit(place.line - 1, SAME),)
    plan.add_page(place.path, step)
    # code in another language, or of a group, has lines of its own
    siblings = [id_ for id_ in find_siblings(step, name, plan.only) if step.variants[id_].name]
    siblings = [id_ for id_ in siblings if step.pages[id_].path.endswith(place.path.suffix)]
    results = {id_: tuple(resolve_line(step, name, place.line, id_)) for id_ in siblings}
    all_same = all(changes == same for changes in results.values())
    for sibling, changes in results.items():
        file = plan.get_file(root, root / step.pages[sibling].source.path)
        if file and (all_same or changes != same):
            shown = [change for change in changes if isinstance(change, CarriedEdit) or not is_noise]
            add_results(plan, file, place.path, shown)
