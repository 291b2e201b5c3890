"""Render a difference as JSON."""

from __future__ import annotations

from typing import Any

from tutorial_tool.core.source import Span
from tutorial_tool.diff import Difference, GroupedChange, PagePair, StepDifference
from tutorial_tool.diff.descriptions import summarize
from tutorial_tool.reporters.as_json import format_json


def render(difference: Difference) -> str:
    """Return a JSON object with what was compared, and the changed steps with their changes."""
    content = {
        "old": difference.old,
        "new": difference.new,
        "summary": summarize(difference),
        "pages": difference.pages,
        "changed_pages": difference.count_changed_pages(),
        "problems": list(difference.problems),
        "notes": list(difference.notes),
        "steps": [_build_step(step) for step in difference.changed_steps],
    }
    return format_json(content)


def _build_step(step: StepDifference) -> dict[str, Any]:
    return {
        "name": step.name,
        "pages": {id_: _build_pair(pair) for id_, pair in step.pairs.items() if pair.old or pair.new},
        "changes": [_build_change(folded) for folded in step.changes],
    }


def _build_pair(pair: PagePair) -> dict[str, Any]:
    return {
        "path": pair.new.path if pair.new else None,
        "old_path": pair.old.path if pair.old else None,
        "address": pair.new_address or None,
        "old_address": pair.old_address or None,
        "redirected": pair.is_redirected,
    }


def _build_change(folded: GroupedChange) -> dict[str, Any]:
    change = folded.change
    return {
        "kind": change.kind,
        "how": change.how,
        "section": change.section,
        "about": change.about,
        "old": change.old,
        "new": change.new,
        "cells": [{"column": column, "old": old, "new": new} for column, old, new in change.cells],
        "platforms": [id_ for id_ in folded.platforms if id_],
        "others": dict(folded.instead),
        "names_differ": folded.names_differ,
        "sources": {id_: _build_location(span) for id_, span in folded.sources.items() if span is not None},
        "at_old": change.source is None,
    }


def _build_location(span: Span) -> dict[str, Any]:
    return {"path": span.path, "line": span.position.line, "column": span.position.column}
