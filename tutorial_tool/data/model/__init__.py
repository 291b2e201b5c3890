"""The meaning of `platforms.yaml`: platforms, groups, tutorials, steps, tables, and overrides by platform.

The parts of the model and its builder are loaded with the first project: the model of a plain tree is empty.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tutorial_tool.core.diagnostics import Finding
from tutorial_tool.core.source import Span
from tutorial_tool.data.toggle_words import State, load_states

if TYPE_CHECKING:
    from tutorial_tool.data.model.parts import Platform, Table, Tutorial

STRINGS = {
    "step": "step {number}",
    "step-of": "{step} of “{tutorial}”",
    "title": "Step {number}. {title}",
    "to-be-written": "To be written",
    "platform": "Platform",
    "all-platforms": "All platforms",
    "path": "Breadcrumbs",
    "home": "Home",
    "progress": "Step {number} of {count}",
    "all-steps": "All {count} steps",
    "neighbors": "Previous and next step",
    "previous": "Previous",
    "next": "Next",
    "done": "Mark this step as done",
    "is-done": "done",
    "last-updated": "Last updated:",
    "clear-done": "Clear progress",
    "not-on": "{platform} does not have this step.",
    "not-on-because": "{platform} does not have this step: {reason}.",
    "coming-soon": "coming soon",
    "instead": "Continue with “{title}”",
    "moved": "This page has moved:",
    "copy-table": "Copy as text",
    "table-copied": "Copied",
}
"""The fixed strings that the tool prints, which a project can override."""

DEFAULT_PATH = "{tutorial}/{platform}/{step}"
DEFAULT_IMAGES = "images/{platform}/{step}/{figure}.png"


@dataclass(frozen=True, eq=False)
class Model:
    """All parsed data; `findings` lists everything wrong with it."""

    platforms: Mapping[str, Platform] = field(default_factory=dict)
    groups: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    tutorials: Mapping[str, Tutorial] = field(default_factory=dict)
    tables: Mapping[str, Table] = field(default_factory=dict)
    strings: Mapping[str, str] = field(default_factory=lambda: dict(STRINGS))
    states: Mapping[str, State] = field(default_factory=load_states)
    """The words for on and off in settings, normalized like cells when they are compared."""
    findings: tuple[Finding, ...] = ()
    unfinished: tuple[Finding, ...] = ()  # What drafts lack: errors once they are published
    doubtful: frozenset[Span] = frozenset()
    """The spans of invalid steps and rows, whose follow-up errors are not reported."""
