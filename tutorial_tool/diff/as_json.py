"""A difference as JSON, for other programs."""

from __future__ import annotations

from typing import Any

from tutorial_tool.core.source import Span
from tutorial_tool.diff import Difference, Folded, Pair, StepDifference
from tutorial_tool.diff.telling import summary
from tutorial_tool.reporters.as_json import written


def render(difference: Difference) -> str:
    """One object: what was compared, and the steps that changed with their changes."""
    reported = {
        "old": difference.old,
        "new": difference.new,
        "summary": summary(difference),
        "pages": difference.pages,
        "changed_pages": difference.changed_pages(),
        "problems": list(difference.problems),
        "notes": list(difference.notes),
        "steps": [_step(step) for step in difference.changed],
    }
    return written(reported)


def _step(step: StepDifference) -> dict[str, Any]:
    return {
        "name": step.name,
        "pages": {id_: _pair(pair) for id_, pair in step.pairs.items() if pair.old or pair.new},
        "changes": [_change(folded) for folded in step.changes],
    }


def _pair(pair: Pair) -> dict[str, Any]:
    return {
        "path": pair.new.path if pair.new else None,
        "old_path": pair.old.path if pair.old else None,
        "address": pair.new_address or None,
        "old_address": pair.old_address or None,
        "redirected": pair.redirected,
    }


def _change(folded: Folded) -> dict[str, Any]:
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
        "names_differ": folded.named,
        "sources": {id_: _place(span) for id_, span in folded.sources.items() if span is not None},
        "at_old": change.source is None,
    }


def _place(span: Span) -> dict[str, Any]:
    return {"path": span.path, "line": span.position.line, "column": span.position.column}
