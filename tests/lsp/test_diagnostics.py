"""Findings as one types: in templates, data and pages, where an editor counts them."""

from __future__ import annotations

import asyncio
import subprocess
import sys

import pytest
from lsprotocol import types

from tests import project
from tests.lsp.editor import Editor

pytestmark = pytest.mark.asyncio(loop_scope="module")
STEP = "site_templates/steps/finish.md.j2"
DATA = "platforms.yaml"


async def test_a_finding_shows_while_the_text_is_unsaved(editor: Editor) -> None:
    assert await editor.open(STEP) == []
    (found,) = await editor.open(STEP, editor.read(STEP).replace("Done.", "You are are done."))
    assert found.code == "repeated-word"
    assert found.message == "repeated word `are` (swan, otter)"
    assert found.severity == types.DiagnosticSeverity.Warning
    assert found.source == "tutorial-tool"
    assert editor.text_at(editor.uri(STEP), found.range) == "are are"
    assert await editor.open(STEP, editor.read(STEP)) == []


async def test_an_address_that_many_links_lack_is_marked_at_each(editor: Editor) -> None:
    lines = "".join(f"Go to [part {number}](#lost-part) then.\n\n" for number in range(7))
    found = await editor.open(STEP, editor.read(STEP).replace("Done.", lines))
    lost = [each for each in found if each.code == "broken-anchor"]
    assert len({each.range.start.line for each in lost}) == 7
    assert all("in 6 more places" in each.message for each in lost)


async def test_the_rule_leads_to_its_manual(editor: Editor) -> None:
    (found,) = await editor.open(STEP, editor.read(STEP).replace("Done.", "You are are done."))
    assert found.code_description is not None
    assert editor.text_at(found.code_description.href, types.Range(types.Position(0, 0), types.Position(0, 15))) == (
        "# repeated-word"
    )


async def test_places_are_counted_in_utf_16(editor: Editor) -> None:
    (found,) = await editor.open(STEP, editor.read(STEP).replace("Done.", "🦢🦦 You are are done."))
    assert (found.range.start.character, found.range.end.character) == (9, 16)
    assert editor.text_at(editor.uri(STEP), found.range) == "are are"


async def test_a_change_in_the_data_is_told_where_it_hurts_and_cleared_again(editor: Editor) -> None:
    data = editor.read(DATA)
    await editor.open(STEP)
    assert await editor.open(DATA, data.replace("labels: {menu:", "labels: {menus:", 1)) == []
    prepare = editor.client.diagnostics[editor.uri("site_templates/steps/prepare.md.j2")]
    assert [found.message.partition(" (")[0] for found in prepare] == ["platform `swan` has no label `menu`"]
    await editor.open(DATA, data)
    assert editor.client.diagnostics[editor.uri("site_templates/steps/prepare.md.j2")] == []


async def test_what_explains_a_finding_is_told_with_its_place(editor: Editor) -> None:
    data = editor.read(DATA)
    found = await editor.open(
        DATA, data.replace("      sound: {", "      sound: {setting: Twice, value: Enabled}\n      sound: {")
    )
    (twice,) = [each for each in found if "duplicate key" in each.message]
    assert twice.related_information is not None
    (first,) = twice.related_information
    assert first.message == "the first"
    assert editor.text_at(first.location.uri, first.location.range) == "sound"


async def test_all_that_is_wrong_with_the_data_is_told_at_once(editor: Editor) -> None:
    found = await editor.open(DATA, project.DATA.replace("labels:", "lables:").replace("value: Disabled", "value: Off"))
    assert [each.message.partition(";")[0] for each in found] == [
        "unknown key `lables` in `swan`",
        "unknown key `lables` in `otter`",
        "column `value` does not allow `Off`",
    ]


async def test_a_template_in_the_middle_of_an_edit_is_one_finding(editor: Editor) -> None:
    (found,) = await editor.open(STEP, editor.read(STEP).replace("Done.", "Done with {{ platform."))
    assert found.code == "invalid-template"
    assert found.severity == types.DiagnosticSeverity.Error


async def test_hand_written_pages_are_linted_too(editor: Editor) -> None:
    found = await editor.open("docs_src/index.md", "# Home\n\n![](missing.png)\n")
    assert {each.code for each in found} == {"missing-image", "missing-alt"}


async def test_the_configuration_holds_and_its_mistakes_show_where_they_are(editor: Editor) -> None:
    config = "tutorial-tool.toml"
    editor.write(config, 'ignore = ["repeated-word"]\n')
    assert await editor.open(STEP, editor.read(STEP).replace("Done.", "You are are done.")) == []
    editor.write(config, 'ignore = ["repeated-wrod"]\n')
    editor.saved(config)
    await editor.open(STEP, editor.read(STEP))
    (wrong,) = editor.client.diagnostics[editor.uri(config)]
    assert wrong.message == "`ignore`: unknown rule or group `repeated-wrod`; did you mean `repeated-word`?"
    assert (wrong.range.start.line, wrong.range.start.character) == (0, 10)
    (editor.root / config).unlink()
    editor.saved(config)
    assert await editor.open(STEP, editor.read(STEP)) == []
    assert editor.client.diagnostics[editor.uri(config)] == []


async def test_what_the_baseline_knows_stays_silent(editor: Editor) -> None:
    text = editor.read(STEP)
    editor.write(STEP, text.replace("Done.", "You are are done."))
    command = [sys.executable, "-m", "tutorial_tool", "lint", "--write-baseline", "known.json"]
    await asyncio.to_thread(subprocess.run, command, cwd=editor.root, check=True, capture_output=True)
    editor.write("tutorial-tool.toml", 'baseline = "known.json"\n')
    assert await editor.open(STEP) == []
    (new,) = await editor.open(STEP, editor.read(STEP) + "\nThis is is new.\n")
    assert editor.text_at(editor.uri(STEP), new.range) == "is is"
    (editor.root / "tutorial-tool.toml").unlink()
    editor.write(STEP, text)
    editor.saved(STEP)


async def test_files_that_another_program_writes_are_heard_whatever_they_are(editor: Editor) -> None:
    """A step's code is in any language; git writes its own folder all the time, and says nothing by that."""
    step, code = "site_templates/steps/prepare.md.j2", editor.root / "site_templates/steps/prepare/start.swan.py"
    text = code.read_text()
    assert await editor.open(step) == []
    try:
        code.unlink()
        editor.on_disk(".git/index")
        assert await editor.told(step) == []
        editor.on_disk("site_templates/steps/prepare/start.swan.py")
        assert await editor.told_again(step) == ["missing-code"]
    finally:
        code.write_text(text)
        editor.on_disk("site_templates/steps/prepare/start.swan.py")
        assert await editor.told_again(step) == []


async def test_a_template_is_read_beside_data_that_is_wrong(editor: Editor) -> None:
    data = editor.read(DATA)
    await editor.open(STEP, editor.read(STEP).replace("Done.", "{{ dnoe }}"))
    (wrong,) = await editor.open(DATA, data.replace("value: Disabled", "value: Disbled"))
    assert wrong.message.endswith("did you mean `Disabled`?")
    (found,) = editor.client.diagnostics[editor.uri(STEP)]
    assert found.message == "`dnoe` is not defined (swan, otter)"
    await editor.open(DATA, data)
    await editor.open(STEP, editor.read(STEP))
