"""A difference between copies is settled in the editor: with the text of this one, or of another."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.test_sync import COPIES, PAGE
from tutorial_tool.lsp import actions, places
from tutorial_tool.lsp.actions import ActionRequest
from tutorial_tool.lsp.workspace import Workspace


@pytest.fixture
def asked(tmp_path: Path) -> ActionRequest:
    """What is asked about the setting in which Android differs."""
    for id_, (name, call) in COPIES.items():
        path = tmp_path / f"docs/{id_}/install.md"
        path.parent.mkdir(parents=True)
        text = PAGE.format(id=id_, name=name, call=call)
        path.write_text(text.replace("views | Enabled", "views | Disabled") if id_ == "android" else text)
    (checked,) = Workspace([tmp_path]).lint().checked
    (finding,) = (finding for finding in checked.findings if finding.rule == "conflicting-value")
    assert finding.span.path == "docs/android/install.md"
    return ActionRequest(checked, tmp_path / finding.span.path, finding.span, (), places.build_uri, places.UTF16)


def test_a_text_is_taken_over_or_used_on_all_platforms(asked: ActionRequest) -> None:
    found = {action.title: action.edit for action in actions.iter_quick_fixes(asked)}
    changes = {
        title: [(uri.rpartition("/docs/")[2], [each.new_text for each in edits]) for uri, edits in edit.changes.items()]
        for title, edit in found.items()
        if edit is not None and edit.changes and ("Take over" in title or "Use this" in title)
    }
    assert changes.pop("Use this on all platforms") == [
        ("ios/install.md", ["| Send screen views | Disabled |"]),
        ("web/install.md", ["| Send screen views | Disabled |"]),
    ]
    assert changes.pop("Take over from iOS") == [("android/install.md", ["| Send screen views | Enabled |"])]
    assert set(changes) <= {"Take over from Web"}
