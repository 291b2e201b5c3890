"""What an editor offers to do about a finding."""

from __future__ import annotations

import tomllib

import pytest
from lsprotocol import types

from tests.lsp.editor import Editor

pytestmark = pytest.mark.asyncio(loop_scope="module")
STEP = "site_templates/steps/finish.md.j2"
PAGE = "docs_src/index.md"
DATA = "platforms.yaml"


async def test_a_finding_is_fixed(editor: Editor) -> None:
    await editor.open(STEP, editor.read(STEP).replace("Done.", "You read the the end."))
    action = (await editor.actions(STEP, "the |the"))["Delete the second `the`"]
    assert action.kind == types.CodeActionKind.QuickFix
    assert action.is_preferred
    assert action.diagnostics is not None
    assert [told.code for told in action.diagnostics] == ["repeated-word"]
    assert "\nYou read the end.\n" in editor.after(action.edit, STEP)


@pytest.mark.parametrize(
    ("name", "typed", "place", "title", "mended"),
    [
        (STEP, "{{ link('prepare#stert') }}", "prepare#st|ert", "Write `start`", "{{ link('prepare#start') }}"),
        (STEP, "{{ platform.nmae }}", "nm|ae", "Write `name`", "{{ platform.name }}"),
        (STEP, "{{ platforms.name }}", "platforms.na|me", "Write `platform.name`", "{{ platform.name }}"),
        (DATA, "extends: swn", "extends: s|wn", "Write `swan`", "extends: swan"),
        (DATA, 'lables: {menu: "Otter', "lab|les", "Write `labels`", 'labels: {menu: "Otter'),
    ],
)
async def test_what_is_meant_is_written(
    name: str, typed: str, place: str, title: str, mended: str, editor: Editor
) -> None:
    text = editor.read(name).replace("Done.", mended) if name == STEP else editor.read(name)
    assert mended in text
    await editor.open(name, text.replace(mended, typed))
    action = (await editor.actions(name, place))[title]
    assert editor.after(action.edit, name) == text


async def test_a_fix_of_a_value_changes_the_data(editor: Editor) -> None:
    text = editor.read(DATA).replace("Light | lamp", "The the lamp")
    await editor.open(DATA, text)
    action = (await editor.actions(DATA, "The |the lamp"))["Delete the second `the`"]
    assert editor.after(action.edit, DATA) == text.replace("The the lamp", "The lamp")


async def test_all_safe_fixes_of_a_file_are_made_at_once(editor: Editor) -> None:
    await editor.open(PAGE, "# Home\n\nThe the page.\n\nIt donâ€™t see the the menu.\n")
    (action,) = (await editor.actions(PAGE, "# H|ome", only=["source.fixAll"])).values()
    assert action.title == "Fix all safe problems in this file"
    assert action.edit is None  # it is worked out once somebody wants it
    done = await editor.client.code_action_resolve_async(action)
    assert editor.after(done.edit, PAGE) == "# Home\n\nThe page.\n\nIt doesn’t see the menu.\n"


@pytest.mark.parametrize("told", ["\n", "\r\n"])
@pytest.mark.parametrize("kept", ["\n", "\r\n"])
async def test_a_text_has_the_line_ends_that_its_editor_tells(kept: str, told: str, editor: Editor) -> None:
    """Some editors tell those of the file, others `\\n` alone."""
    lines = ["# Home", "", "One line.", "", "The the page."]
    before = (editor.root / PAGE).read_bytes()
    (editor.root / PAGE).write_bytes(kept.join(lines).encode())
    try:
        (found,) = await editor.open(PAGE, told.join(lines))
        assert (found.range.start, found.range.end) == (types.Position(4, 0), types.Position(4, 7))
        (action,) = (await editor.actions(PAGE, "The |the", only=["source.fixAll"])).values()
        done = await editor.client.code_action_resolve_async(action)
        assert editor.after(done.edit, PAGE) == told.join([*lines[:4], "The page."])
    finally:
        (editor.root / PAGE).write_bytes(before)


async def test_fixing_all_leaves_other_files_alone(editor: Editor) -> None:
    await editor.open(PAGE, "# Home\n\nThe the page.\n")
    await editor.open(STEP, editor.read(STEP).replace("Done.", "You read the the end."))
    (action,) = (await editor.actions(PAGE, "# H|ome", only=["source"])).values()
    done = await editor.client.code_action_resolve_async(action)
    assert done.edit is not None
    assert list(done.edit.changes or {}) == [editor.uri(PAGE)]


@pytest.mark.parametrize(
    ("name", "before", "place", "after"),
    [
        (
            PAGE,
            "# Home\n\nThe the band plays.\n",
            "The |the",
            "# Home\n\n<!-- tutorial-tool: ignore[repeated-word] say why -->\nThe the band plays.\n",
        ),
        (
            PAGE,
            "# Home\n\n- One.\n- The the band plays.\n",
            "The |the",
            "# Home\n\n- One.\n- The the band plays. <!-- tutorial-tool: ignore[repeated-word] say why -->\n",
        ),
        (
            STEP,
            "---\ntitle: Finish\n---\n\n1. The the band plays.\n",
            "The |the",
            "---\ntitle: Finish\n---\n\n{# tutorial-tool: ignore[repeated-word] say why #}\n1. The the band plays.\n",
        ),
    ],
)
async def test_a_finding_is_silenced_where_it_stands(
    name: str, before: str, place: str, after: str, editor: Editor
) -> None:
    await editor.open("site_templates/steps/welcome.md.j2", "---\ntitle: Welcome\n---\n")
    found = await editor.open(name, before)
    assert "repeated-word" in {each.code for each in found}
    action = (await editor.actions(name, place))["Ignore `repeated-word` here, with a reason"]
    assert editor.after(action.edit, name) == after
    assert "repeated-word" not in {each.code for each in await editor.open(name, after)}


async def test_a_finding_is_silenced_in_the_data(editor: Editor) -> None:
    text = editor.read(DATA).replace("setting: Light | lamp", "setting: The the lamp")
    await editor.open(DATA, text)
    action = (await editor.actions(DATA, "The |the lamp"))["Ignore `repeated-word` here, with a reason"]
    after = editor.after(action.edit, DATA)
    comment = "        # tutorial-tool: ignore[repeated-word] say why\n        setting: The the lamp\n"
    assert comment in after
    assert "repeated-word" not in {each.code for each in await editor.open(DATA, after)}


async def test_a_finding_is_silenced_in_its_file(editor: Editor) -> None:
    await editor.open(PAGE, "# Home\n\nThe the band plays.\n")
    action = (await editor.actions(PAGE, "The |the"))["Ignore `repeated-word` in this file"]
    after = editor.after(action.edit, PAGE)
    assert after.startswith("<!-- tutorial-tool: ignore-file[repeated-word] say why -->\n\n# Home\n")
    assert await editor.open(PAGE, after) == []


@pytest.mark.parametrize(
    ("name", "before", "after"),
    [
        (PAGE, "# Home\n\n<!-- tutorial-tool: ignore[repea|ted-word] a band -->\n\nText.\n", "# Home\n\nText.\n"),
        (PAGE, "# Home\n\nText. <!-- tutorial-tool: ignore[repea|ted-word] -->\n", "# Home\n\nText.\n"),
        (
            STEP,
            "---\ntitle: F\n---\n\n{# tutorial-tool: ignore[repea|ted-word] #}\nText.\n",
            "---\ntitle: F\n---\n\nText.\n",
        ),
    ],
)
async def test_an_ignore_that_silences_nothing_is_removed(name: str, before: str, after: str, editor: Editor) -> None:
    await editor.open("site_templates/steps/welcome.md.j2", "---\ntitle: Welcome\n---\n")
    await editor.open(name, before.replace("|", ""))
    action = (await editor.actions(name, "ignore[repea|ted-word]"))["Remove the ignore of `repeated-word`"]
    assert editor.after(action.edit, name) == after


async def test_one_rule_of_several_is_removed_from_an_ignore(editor: Editor) -> None:
    await editor.open(PAGE, "# Home\n\n<!-- tutorial-tool: ignore[repeated-word, grammar] why -->\nThe the band.\n")
    action = (await editor.actions(PAGE, "gra|mmar"))["Remove the ignore of `grammar`"]
    assert "ignore[repeated-word] why" in editor.after(action.edit, PAGE)


async def test_what_keeps_pages_from_being_made_is_not_silenced(editor: Editor) -> None:
    await editor.open(STEP, editor.read(STEP).replace("Done.", "{{ platform.nmae }}"))
    assert not [title for title in await editor.actions(STEP, "platform.n|mae") if title.startswith("Ignore")]


async def test_a_word_goes_into_the_vocabulary(editor: Editor) -> None:
    await editor.open(PAGE, "# Home\n\nYou will recieve it.\n")
    action = (await editor.actions(PAGE, "rec|ieve"))["Add `recieve` to the vocabulary (tutorial-tool.toml)"]
    text = editor.after(action.edit, "tutorial-tool.toml")
    assert tomllib.loads(text) == {"vocabulary": ["recieve"]}
    editor.write("tutorial-tool.toml", text)
    editor.saved("tutorial-tool.toml")
    assert await editor.open(PAGE, "# Home\n\nYou will recieve it \n") == []
    (editor.root / "tutorial-tool.toml").unlink()
    editor.saved("tutorial-tool.toml")
