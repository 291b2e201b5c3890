"""What an editor offers while the address of a link is written, and the outline of a file."""

from __future__ import annotations

from pathlib import Path

import pytest
from lsprotocol import types

from tests import project
from tests.lsp.editor import Editor
from tutorial_tool import site
from tutorial_tool.core.source import Source
from tutorial_tool.lsp import destinations
from tutorial_tool.site import loading

pytestmark = pytest.mark.asyncio(loop_scope="module")
HOME = "docs_src/index.md"
NOTES = "docs_src/more/notes two.md"


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    docs = {
        "index.md": "# Home\n\nSee [notes](more/notes%20two.md).\n",
        "more/notes two.md": "# Notes\n\n## First part\n\nOne.\n\n### A *detail* { #the-detail }\n\nTwo.\n\n## Last\n\nThree.\n",
        "more/plain.md": "# Plain\n\nNothing.\n",
    }
    root = project.write(tmp_path_factory.mktemp("pages"), docs=docs)
    for name in ("window.png", "big one.svg", "notes.txt", "old/door.webp"):
        (root / "docs_src/img" / name).parent.mkdir(parents=True, exist_ok=True)
        (root / "docs_src/img" / name).write_bytes(b"")
    return root


@pytest.mark.parametrize(
    ("typed", "wanted"),
    [
        ("[a](", {"more/notes%20two.md": "Notes", "guide/swan/welcome.md": "Welcome", "index.md": None}),
        ("[a](more/pl", {"more/plain.md": "Plain"}),
        ("[a](./more/pl", {"./more/plain.md": "Plain", "more/plain.md": None}),
        ("[a *b* `c`](", {"more/plain.md": "Plain"}),
        ("[a]: ", {"more/plain.md": "Plain"}),
        ("[![a](img/window.png)](", {"more/plain.md": "Plain"}),
        ("[a](more/notes%20two.md#", {"first-part": "First part", "the-detail": "A detail", "last": "Last"}),
        ("[a](guide/swan/prepare.md#me", {"menu": "1.1 Open the menu", "start": "1.2 Start"}),
        ("[a](#", {"home": "Home", "last": None}),
        ("![a](", {"img/": "a folder", "more/": "a folder", "index.md": None}),
        ("![a](img/", {"window.png": "an image", "big%20one.svg": "an image", "old/": "a folder", "notes.txt": None}),
        ("![a](img/old/d", {"door.webp": "an image"}),
    ],
)
async def test_an_address_is_completed(typed: str, wanted: dict[str, str | None], editor: Editor) -> None:
    await editor.open(HOME)
    editor.type(HOME, f"{editor.read(HOME)}\n{typed}")
    found = await editor.complete(HOME, f"{typed}|")
    assert {name: found.get(name) for name in wanted} == wanted


@pytest.mark.parametrize(
    "typed", ["Words (", "[a](https://example.com/", "[a](gone.md#", "![a](../../", "![a](gone/", "# [a] (", "[a](b) "]
)
async def test_nothing_is_offered_where_nothing_of_the_site_is_meant(typed: str, editor: Editor) -> None:
    await editor.open(HOME)
    editor.type(HOME, f"{editor.read(HOME)}\n{typed}")
    found = await editor.complete(HOME, f"{typed}|")
    assert not found or typed == "[a](https://example.com/"  # the client finds none of these in what is typed
    assert not any(name.startswith("http") for name in found)


async def test_what_is_offered_leads_there(editor: Editor) -> None:
    await editor.open(NOTES)
    before = editor.read(NOTES)
    editor.type(NOTES, before + "\n[a](")
    offered = await editor.complete(NOTES, "[a](|")
    told = await editor.open(NOTES, before + "".join(f"\n- The page [{name}](<{name}>)." for name in offered) + "\n")
    assert {"../index.md", "plain.md", "../guide/otter/finish.md"} <= offered.keys()
    assert not {each.code for each in told} & {"broken-link", "broken-anchor", "absolute-path"}


async def test_only_what_is_typed_of_an_anchor_is_replaced(editor: Editor) -> None:
    await editor.open(HOME)
    editor.type(HOME, editor.read(HOME) + "\n[a](more/notes%20two.md#fir")
    params = types.CompletionParams(**editor.place(HOME, "two.md#fir|"))
    found = await editor.client.text_document_completion_async(params)
    assert isinstance(found, types.CompletionList)
    assert {editor.text_at(editor.uri(HOME), i.text_edit.range) for i in found.items if i.text_edit} == {"fir"}  # type: ignore[union-attr]


async def test_of_a_large_site_those_are_offered_that_have_what_is_typed(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(destinations, "MAX_PAGES", 3)
    read = loading.load(site.Layout(root))
    for typed, wanted in (("pl", ["more/plain.md"]), ("welc", ["guide/swan/welcome.md", "guide/otter/welcome.md"])):
        text = f"[a]({typed}"
        offered = destinations.find_choices(read, Source(HOME, text), len(text))
        assert offered is not None
        assert not offered.is_complete
        assert [choice.text for choice in offered.choices] == wanted


# Outline


def shown(entries: list[types.DocumentSymbol], depth: int = 0) -> list[str]:
    return [
        line
        for each in entries
        for line in (
            f"{'  ' * depth}{each.name} {each.range.start.line}-{each.range.end.line}",
            *shown(list(each.children or ()), depth + 1),
        )
    ]


async def outline(editor: Editor, name: str) -> list[types.DocumentSymbol]:
    params = types.DocumentSymbolParams(types.TextDocumentIdentifier(editor.uri(name)))
    found = await editor.client.text_document_document_symbol_async(params)
    return [each for each in found or () if isinstance(each, types.DocumentSymbol)]


async def test_the_sections_of_a_page_stand_inside_each_other(editor: Editor) -> None:
    await editor.open(NOTES)
    found = await outline(editor, NOTES)
    assert shown(found) == ["Notes 0-13", "  First part 2-10", "    A detail 6-10", "  Last 10-13"]
    assert editor.text_at(editor.uri(NOTES), found[0].children[0].selection_range) == "First part"  # type: ignore[index]


async def test_a_template_has_an_outline(editor: Editor) -> None:
    name = "site_templates/steps/prepare.md.j2"
    await editor.open(name)
    assert [each.name for each in await outline(editor, name)] == ["Open the menu", "Start"]


async def test_the_data_has_an_outline(editor: Editor) -> None:
    await editor.open("platforms.yaml")
    found = await outline(editor, "platforms.yaml")
    assert [each.name for each in found] == ["platforms", "groups", "tutorials", "tables"]
    platforms, groups, tutorials, _ = found
    assert [each.name for each in platforms.children or ()] == ["swan", "otter"]
    swan = (platforms.children or ())[0]
    assert next((each.name, each.detail) for each in swan.children or ()) == ("name", "Swan")
    assert [each.name for each in (groups.children or ())[0].children or ()] == ["swan", "otter"]
    (guide,) = tutorials.children or ()
    steps = next(each for each in guide.children or () if each.name == "steps")
    assert [each.name for each in steps.children or ()] == ["welcome", "prepare", "finish"]


async def test_data_that_cannot_be_read_have_no_outline(editor: Editor) -> None:
    await editor.open("platforms.yaml", "platforms: {swan: [")
    assert await outline(editor, "platforms.yaml") == []
