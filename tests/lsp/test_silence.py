"""The comment that silences a finding stands where it changes nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest
from lsprotocol import types

from tutorial_tool import lint
from tutorial_tool.core.source import Source
from tutorial_tool.lsp import actions, places, suppression_comments
from tutorial_tool.lsp.actions import ActionRequest
from tutorial_tool.lsp.suppression_comments import File
from tutorial_tool.lsp.workspace import Workspace
from tutorial_tool.markdown.parser import Dialect


def silenced(folder: Path, name: str, text: str) -> str | None:
    """A page with a comment for its first finding; None where none stands safely."""
    (folder / name).write_text(text, encoding="utf-8")
    (finding,) = lint([folder / name])
    dialect = Dialect.MDX if name.endswith(".mdx") else Dialect.GFM
    made = suppression_comments.build_line_ignore(
        finding, File(Source(finding.span.path, text), dialect, template=False)
    )
    return None if made is None else text[: made.offset] + made.text + text[made.offset :]


SAID = "<!-- tutorial-tool: ignore[repeated-word] say why -->"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("The the band.\n", f"{SAID}\nThe the band.\n"),
        ("# The the band\n\nText.\n", f"{SAID}\n# The the band\n\nText.\n"),
        ("One line.\nThe the band\nplays.\n", f"{SAID}\nOne line.\nThe the band\nplays.\n"),
        ("1. One.\n\n    The the band.\n", f"1. One.\n\n    The the band. {SAID}\n"),
        ("> The the band.\n", f"> The the band. {SAID}\n"),
        ("- The the band.  \n  Next.\n", f"- The the band. {SAID}  \n  Next.\n"),
        (
            "Text.\n\n| A | B |\n| - | - |\n| the the | c |\n",
            f"Text.\n\n{SAID}\n| A | B |\n| - | - |\n| the the | c |\n",
        ),
        ("---\ntitle: X\n---\n\nThe the band.\n", f"---\ntitle: X\n---\n\n{SAID}\nThe the band.\n"),
    ],
)
def test_it_stands_above_its_block_or_at_the_end_of_the_line(before: str, after: str, tmp_path: Path) -> None:
    assert silenced(tmp_path, "page.md", before) == after
    (tmp_path / "page.md").write_text(after)
    assert lint([tmp_path / "page.md"]) == []


def test_mdx_has_comments_of_its_own(tmp_path: Path) -> None:
    after = silenced(tmp_path, "page.mdx", "import A from 'a'\n\nThe the band.\n")
    assert after == "import A from 'a'\n\n{/* tutorial-tool: ignore[repeated-word] say why */}\nThe the band.\n"
    (tmp_path / "page.mdx").write_text(after)
    assert lint([tmp_path / "page.mdx"]) == []


def test_the_cursor_waits_at_the_reason_where_the_editor_can(tmp_path: Path) -> None:
    path = tmp_path / "page.md"
    path.write_text("The the $band}.\n")
    workspace = Workspace([tmp_path])
    (checked,) = workspace.lint().checked
    (finding,) = checked.findings
    asked = ActionRequest(checked, path, finding.span, (), places.build_uri, places.UTF16, snippets=True)
    action = next(each for each in actions.iter_quick_fixes(asked) if each.title.endswith("with a reason"))
    assert action.edit is not None
    ((edit,),) = [each.edits for each in action.edit.document_changes or () if isinstance(each, types.TextDocumentEdit)]
    assert isinstance(edit, types.SnippetTextEdit)
    wanted = "<!-- tutorial-tool: ignore[repeated-word] ${1:say why} -->\n"
    assert edit.snippet == types.StringValue(wanted)
