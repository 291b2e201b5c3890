"""The names of a project, from an editor: what they mean, where they lead, what completes and renames them."""

from __future__ import annotations

import pytest
from lsprotocol import types
from pygls.exceptions import JsonRpcException

from tests import project
from tests.lsp.editor import Editor
from tutorial_tool import site
from tutorial_tool.core.traced import strip_origins
from tutorial_tool.site import loading

pytestmark = pytest.mark.asyncio(loop_scope="module")
WELCOME = "site_templates/steps/welcome.md.j2"
PREPARE = "site_templates/steps/prepare.md.j2"
FINISH = "site_templates/steps/finish.md.j2"
DATA = "platforms.yaml"


# Hover


async def test_a_tag_shows_what_it_prints_on_each_platform(editor: Editor) -> None:
    await editor.open(PREPARE)
    shown = await editor.hover(PREPARE, "{{ platform.la|bel('menu')")
    assert shown == "| On | Prints |\n| --- | --- |\n| Swan | `Swan menu` |\n| Otter | `Otter’s menu` |"


async def test_equal_texts_are_shown_once(editor: Editor) -> None:
    await editor.open(WELCOME)
    assert await editor.hover(WELCOME, "{{ link|('prepare')") == "Prints `[step 1](prepare.md)`"


async def test_a_table_shows_its_rows(editor: Editor) -> None:
    await editor.open(PREPARE)
    shown = await editor.hover(PREPARE, "{{ table|('settings')")
    assert shown is not None
    assert "| Setting | Value |\n| --- | --- |\n| Sound | Enabled |" in shown
    assert shown.index("**Swan**") < shown.index("| Wings | Enabled |") < shown.index("**Otter**")


async def test_a_name_shows_what_it_says_and_where(editor: Editor) -> None:
    text = editor.read(FINISH).replace("Done.", "{% if platform.can('fly') %}Fly.{% endif %}")
    await editor.open(FINISH, text)
    shown = await editor.hover(FINISH, "can('f|ly')")
    assert shown == "**feature** `fly`\n\n- Swan, Otter: `yes`\n\nDefined in platforms.yaml:2:84"


async def test_a_tag_is_known_while_another_is_being_typed(editor: Editor) -> None:
    before = editor.read(FINISH)
    await editor.open(FINISH, before)
    await editor.open(FINISH, before.replace("Done.", "Done {{ plat"))
    assert await editor.hover(FINISH, "{{ link|('welcome')") == "Prints `[Welcome](welcome.md)`"


async def test_the_data_shows_who_uses_it(editor: Editor) -> None:
    await editor.open(DATA)
    assert await editor.hover(DATA, "{menu|: Swan menu}") == (
        "**label** `menu`\n\nUsed in\n\n- site_templates/steps/prepare.md.j2: line 8\n\nSeen on\n\n- prepare (Swan, Otter)"
    )
    shown = await editor.hover(DATA, "  sett|ings:\n    columns")
    assert shown is not None
    assert shown.startswith("**table** `settings`\n\nUsed in\n\n- site_templates/steps/prepare.md.j2: line 14")
    row = await editor.hover(DATA, "Otters d|ive")
    assert row is not None
    assert row.startswith("**row** `light`\n\nShown by table `settings`.\n\nSeen on\n\n- prepare")


async def test_a_rule_in_an_ignore_shows_what_it_finds(editor: Editor) -> None:
    await editor.open(
        FINISH, editor.read(FINISH) + "\n{# tutorial-tool: ignore[repeated-word] a band #}\nThe the band.\n"
    )
    shown = await editor.hover(FINISH, "ignore[repeated|-word]")
    assert shown is not None
    assert shown.startswith("**repeated-word** (text)")
    assert shown.endswith("`tutorial-tool explain repeated-word` has the details.")


# Definitions, references, links


async def test_names_lead_to_the_data(editor: Editor) -> None:
    await editor.open(PREPARE)
    assert await editor.definition(PREPARE, "label('m|enu')") == ["platforms.yaml:2 menu", "platforms.yaml:6 menu"]
    assert await editor.definition(PREPARE, "table('set|tings')") == ["platforms.yaml:18 settings"]
    assert await editor.definition(PREPARE, "part('in|stall')") == ["site_templates/steps/prepare/install.animals.md:1"]
    assert await editor.definition(PREPARE, "code('st|art')") == ["site_templates/steps/prepare/start.swan.py:1"]


async def test_links_lead_to_the_step_and_its_section(editor: Editor) -> None:
    await editor.open(WELCOME)
    assert await editor.definition(WELCOME, "link('pre|pare')") == ["platforms.yaml:15 prepare", f"{PREPARE}:1"]
    assert await editor.definition(WELCOME, "link('finish#ch|eck')") == [f"{FINISH}:7 check"]


async def test_references_lead_back(editor: Editor) -> None:
    await editor.open(DATA)
    assert await editor.references(DATA, "- pre|pare") == [f"{FINISH}:5 prepare", f"{WELCOME}:5 prepare"]
    assert await editor.references(DATA, "  sett|ings:\n    columns") == [f"{PREPARE}:14 settings"]
    assert await editor.references(DATA, "  ani|mals:") == ["site_templates/steps/prepare/install.animals.md:1"]


async def test_unsaved_names_count(editor: Editor) -> None:
    await editor.open(DATA, editor.read(DATA).replace("package: swan-kit", "kit: swan-kit"))
    await editor.open(FINISH, editor.read(FINISH).replace("Done.", "{{ platform.values.kit }}"))
    assert await editor.definition(FINISH, "values.k|it") == ["platforms.yaml:2 kit"]
    assert await editor.references(DATA, "{k|it: swan-kit}") == [f"{FINISH}:9 kit"]


async def test_files_can_be_opened_from_where_they_are_named(editor: Editor) -> None:
    await editor.open(WELCOME)
    params = types.DocumentLinkParams(types.TextDocumentIdentifier(editor.uri(WELCOME)))
    found = await editor.client.text_document_document_link_async(params)
    assert [(editor.text_at(editor.uri(WELCOME), link.range), link.target) for link in found or ()] == [
        ("prepare", editor.uri(PREPARE)),
        ("finish", editor.uri(FINISH)),
    ]


# Completion


@pytest.mark.parametrize(
    ("typed", "wanted"),
    [
        ("{{ platform.|", {"name": "what readers call the platform"}),
        ("{{ platform.values.|", {"package": "Swan, Otter: swan-kit"}),
        ("{{ platform.label('|", {"menu": "Swan: Swan menu; Otter: Otter’s menu"}),
        ("{% if platform.can('|", {"fly": "Swan, Otter"}),
        ("{{ platforms.|", {"swan": "Swan", "otter": "Otter"}),
        ("{{ table('|", {"settings": "Setting, Value: 3 rows"}),
        ("{{ table('settings', columns=['|", {"setting": "Setting", "value": "Value"}),
        ("{{ figure('a', kind='settings', table='|", {"settings": "Setting, Value: 3 rows"}),
        ("{{ part('|", {"install": "for animals"}),
        ("{{ code('|", {"start": "start.swan.py"}),
        ("{{ figure('|", {"menu": "The menu"}),
        ("{{ link('|", {"welcome": "Welcome", "prepare": "1. Prepare Swan", "finish": "2. Finish"}),
        ("{{ link('prepare#|", {"menu": "1.1 Open the menu", "start": "1.2 Start"}),
        ("{{ figure('a', kind='|", {"menu": "built in"}),
        ("{% from '|", {"macros/phrases.j2": "a template"}),
        ("{{ figure('|", {"window": "images/otter/prepare/window.png"}),
        ("{{ |", {"table": "a table of the data", "if": None}),
        ("{% |", {"elif": "otherwise, if this is true", "table": None}),
        ("{%- en|", {"endfor": "ends a `for`", "platform": None}),
        ("{% for id, |", {"platform": None}),
        ("{% for id in |", {"platforms": "all platforms, by id"}),
        ("{{ platform.name | |", {"upper": "in uppercase", "platform": None}),
        ("{% if step.number is not |", {"none": "whether it is none, such as the number of a step without one"}),
        ("{{ figure('menu', alt='What it is |", {"table": None, "none": None}),
        ("{{ figure('x', al|", {"alt=": "what the image shows, in words", "platform": None}),
        ("{{ table('settings', columns=['value'], pad|", {"padded=": "true: pad cells to the width of their column"}),
        ("{{ step.|", {"number": "its number on this platform"}),
        (
            "{# tutorial-tool: ignore[repeated|",
            {"repeated-word": "Reports a word that is written twice in a row, such as `the the`."},
        ),
    ],
)
async def test_names_are_completed_while_they_are_typed(typed: str, wanted: dict[str, str], editor: Editor) -> None:
    editor.write("site_templates/macros/phrases.j2", "{% macro greet() %}Hello{% endmacro %}\n")
    editor.write("docs_src/images/otter/prepare/window.png", "")
    await editor.open(PREPARE)
    at = typed.rindex("|")
    editor.type(PREPARE, f"{editor.read(PREPARE)}\n{typed[:at]}")
    found = await editor.complete(PREPARE, typed)
    assert {name: found.get(name) for name in wanted} == wanted


@pytest.mark.parametrize(
    ("typed", "wanted"),
    [
        ("platforms:\n  swan: {name: Swan}\n  owl: {name: Owl, extends: |", {"swan": "Swan", "animals": None}),
        ("groups:\n  animals: [swan, |", {"otter": "Otter"}),
        ("tutorials:\n  guide:\n    steps:\n      - {id: prepare, only: [|", {"animals": "a group: swan, otter"}),
        (
            'tutorials:\n  guide:\n    steps:\n      - id: prepare\n        not-on: {swan: "No, it is not", ot|',
            {"otter": "Otter"},
        ),
        ("tutorials:\n  guide:\n    on:\n      sw|", {"swan": "Swan"}),
        ("tutorials:\n  guide:\n    on:\n      swan: {steps: [finish, |", {"prepare": "a step of `guide`"}),
        ("tutorials:\n  guide:\n    on:\n      swan:\n        steps:\n          - |", {"prepare": "a step of `guide`"}),
        (
            "tables:\n  settings:\n    rows:\n      sound: {setting: Sound, value: |",
            {"Enabled": "a word of the column"},
        ),
        (
            "tables:\n  settings:\n    rows:\n      sound:\n        on:\n          |",
            {"animals": "a group: swan, otter"},
        ),
        ("tables:\n  settings:\n    rows:\n      sound:\n        value: En|", {"Disabled": "a word of the column"}),
        ("platforms:\n  swan: {name: |", {}),
    ],
)
async def test_ids_are_completed_in_the_data(typed: str, wanted: dict[str, str | None], editor: Editor) -> None:
    await editor.open(DATA)
    before, text = editor.read(DATA), typed.replace("|", "")
    editor.type(DATA, f"# {before.splitlines()[0]}\n{text}")
    found = await editor.complete(DATA, typed[typed.rindex("\n") :])
    assert {name: found.get(name) for name in wanted} == wanted
    assert wanted or not found


async def test_only_what_is_typed_of_a_name_is_replaced(editor: Editor) -> None:
    await editor.open(PREPARE)
    editor.type(PREPARE, editor.read(PREPARE) + "\n{{ link('fin")
    params = types.CompletionParams(**editor.place(PREPARE, "{{ link('fin|"))
    found = await editor.client.text_document_completion_async(params)
    assert isinstance(found, types.CompletionList)
    (edit,) = {item.label: item.text_edit for item in found.items if item.label == "finish"}.values()
    assert isinstance(edit, types.TextEdit)
    assert editor.text_at(editor.uri(PREPARE), edit.range) == "fin"


async def test_a_name_that_cannot_stand_behind_a_dot_is_written_in_brackets(editor: Editor) -> None:
    await editor.open(DATA, editor.read(DATA).replace("{package: swan-kit}", "{package: swan-kit, token-name: x}"))
    await editor.open(PREPARE)
    typed = "{{ platform.values.tok"
    editor.type(PREPARE, editor.read(PREPARE) + f"\n{typed}")
    params = types.CompletionParams(**editor.place(PREPARE, f"{typed}|"))
    found = await editor.client.text_document_completion_async(params)
    assert isinstance(found, types.CompletionList)
    (item,) = [item for item in found.items if item.label == "token-name"]
    assert isinstance(item.text_edit, types.TextEdit)
    assert (item.text_edit.new_text, item.filter_text) == ("['token-name']", ".token-name")
    assert editor.text_at(editor.uri(PREPARE), item.text_edit.range) == ".tok"


async def test_prose_is_not_completed(editor: Editor) -> None:
    await editor.open(PREPARE)
    assert await editor.complete(PREPARE, "Install| it.") == {}


# Rename


@pytest.mark.parametrize(
    ("name", "place", "new"),
    [
        (DATA, "{me|nu: Swan menu}", "main-menu"),
        (DATA, "{pack|age: swan-kit}", "kit"),
        (DATA, "can: [f|ly]", "soar"),
        (DATA, "  sett|ings:\n    columns", "preferences"),
        (DATA, "{set|ting: Sound", "what"),
        (DATA, "li|ght:\n", "lamp"),
        (PREPARE, "label('me|nu')", "main-menu"),
    ],
)
async def test_a_renamed_project_renders_the_same_pages(name: str, place: str, new: str, editor: Editor) -> None:
    await editor.open(name)
    before = {page.path: strip_origins(page.text) for page in project.load(editor.root).pages}
    edit = await editor.rename(name, place, new)
    assert edit is not None
    changed = {uri.removeprefix(f"{editor.root.as_uri()}/") for uri in edit.changes or {}}
    texts = {path: editor.after(edit, path) for path in changed}
    assert all(new in text for text in texts.values())
    read = loading.load(site.Layout.find(editor.root), texts)
    assert not read.errors
    assert {page.path: strip_origins(page.text) for page in read.pages} == before


@pytest.mark.parametrize(
    ("name", "place", "new", "reason"),
    [
        (DATA, "  ot|ter:\n", "beaver", "run `tutorial-tool rename`"),
        (DATA, "- pre|pare", "start", "run `tutorial-tool rename`"),
        (DATA, "ani|mals:", "beasts", "group animals is not renamed: a file is called after it"),
        (DATA, "{pack|age: swan-kit}", "my-kit", "`my-kit` cannot follow a dot.*: write, for example, `my_kit`"),
        (DATA, "{set|ting: Sound", "value", "column `value` already exists"),
        (DATA, "{set|ting: Sound", "because", "`because` is a reserved word"),
        (DATA, "{pack|age: swan-kit}", "a b", "`a b` is not an id: .*, as in `a-b`"),
        (PREPARE, "platform.na|me", "title", "this name is built into the tool"),
        (PREPARE, "Install| it.", "x", "there is no name from the data here"),
    ],
)
async def test_what_cannot_be_renamed_says_why(name: str, place: str, new: str, reason: str, editor: Editor) -> None:
    await editor.open(name)
    with pytest.raises(JsonRpcException, match=reason):
        await editor.rename(name, place, new)


async def test_a_name_that_is_put_together_is_not_renamed(editor: Editor) -> None:
    await editor.open(DATA)
    await editor.open(FINISH, editor.read(FINISH) + "\n{{ platform.label('me' ~ 'nu') }}\n")
    with pytest.raises(JsonRpcException, match="it is computed there"):
        await editor.rename(DATA, "{me|nu: Swan menu}", "main")


async def test_names_are_offered_before_the_first_look_at_the_project_has_ended(editor: Editor) -> None:
    typed = "{{ platform.values.pac"
    editor.type(PREPARE, editor.read(PREPARE) + f"\n{typed}")
    params = types.CompletionParams(**editor.place(PREPARE, f"{typed}|"))
    found = await editor.client.text_document_completion_async(params)
    assert isinstance(found, types.CompletionList)
    assert "package" in [item.label for item in found.items]


async def test_a_word_of_a_cell_is_not_the_value_that_a_call_gives_for_it(editor: Editor) -> None:
    data = editor.read(DATA).replace("setting: Sound", 'setting: "Sound of {package}"')
    await editor.open(DATA, data)
    told = editor.read(FINISH) + "\n{{ table('settings', package=platform.values.package) }}\n"
    await editor.open(FINISH, told)
    await editor.open(PREPARE, editor.read(PREPARE).replace("table('settings')", "table('settings', package='it')"))
    edit = await editor.rename(DATA, "{pack|age: swan-kit}", "kit")
    assert edit is not None
    assert editor.after(edit, DATA) == data.replace("{package: swan-kit}", "{kit: swan-kit}")
    assert editor.after(edit, FINISH) == told.replace("values.package", "values.kit")


async def test_the_name_to_change_is_shown_first(editor: Editor) -> None:
    await editor.open(PREPARE)
    params = types.PrepareRenameParams(**editor.place(PREPARE, "table('set|tings')"))
    found = await editor.client.text_document_prepare_rename_async(params)
    assert isinstance(found, types.PrepareRenamePlaceholder)
    assert found.placeholder == editor.text_at(editor.uri(PREPARE), found.range) == "settings"
