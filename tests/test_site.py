"""A project renders every step on every platform, with computed numbers, links, ids and pictures."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests import project
from tests.project import DATA, TEMPLATES
from tutorial_tool import site
from tutorial_tool.config.settings import Config
from tutorial_tool.core.diagnostics import Finding
from tutorial_tool.linter import engine
from tutorial_tool.site import Site, loading


def findings(read: Site) -> list[str]:
    return [str(finding) for finding in read.findings]


def test_every_step_becomes_a_page_on_every_platform(tmp_path: Path) -> None:
    read = project.load(project.write(tmp_path))
    assert [page.path for page in read.pages if page.generated] == [
        "guide/swan/welcome.md",
        "guide/swan/prepare.md",
        "guide/swan/finish.md",
        "guide/otter/welcome.md",
        "guide/otter/prepare.md",
        "guide/otter/finish.md",
    ]
    assert project.page(read, "swan/welcome").number is None
    assert project.page(read, "swan/finish").number == 2


def test_a_page_as_it_is_rendered(tmp_path: Path) -> None:
    read = project.load(project.write(tmp_path))
    assert project.page(read, "swan/prepare").text == (
        "---\n"
        "title: Step 1. Prepare Swan\n"
        "description: Get ready.\n"
        "---\n\n"
        "## 1.1 Open the menu {: #menu }\n\n"
        "1. Open **Swan menu**.\n\n"
        "    ![The menu](../../images/swan/prepare/menu.svg)\n\n"
        "2. Set what the table says.\n\n"
        "    | Setting | Value |\n"
        "    | --- | --- |\n"
        "    | Sound | Enabled |\n"
        "    | Light \\| lamp | Disabled |\n"
        "    | Wings | Enabled |\n\n"
        "3. Install it.\n\n"
        "    Install `swan-kit`.\n\n"
        "    Then wait.\n\n"
        "## 1.2 Start {: #start }\n\n"
        "```python\n"
        "if True:\n"
        "    print('{{ swan }}')\n"
        "```\n"
    )


def test_what_a_platform_says_wins(tmp_path: Path) -> None:
    text = project.page(project.load(project.write(tmp_path)), "otter/prepare").text
    assert "| Light \\| lamp | Enabled |" in text  # its own word
    assert "Wings" not in text  # omitted
    assert "Otter’s menu" in text  # its own label
    assert "swan-kit" in text  # what it extends
    assert "print(" in text  # the code of what it extends


def test_links_print_numbers_and_titles_of_this_platform(tmp_path: Path) -> None:
    read = project.load(project.write(tmp_path))
    assert (
        "Start with [step 1](prepare.md), and end with [step 2.1](finish.md#check)."
        in project.page(read, "swan/welcome").text
    )
    assert "See [step 1.1](prepare.md#menu) and [Welcome](welcome.md)." in project.page(read, "otter/finish").text


def test_links_print_titles_of_steps_that_show_no_number(tmp_path: Path) -> None:
    data = DATA.replace("      - prepare\n", "      - {id: prepare, numbering: {steps: false}}\n")
    page = project.page(project.load(project.write(tmp_path, data)).require_valid(), "swan/welcome")
    assert "Start with [Prepare Swan](prepare.md), and end with [step 2.1](finish.md#check)." in page.text


@pytest.mark.parametrize(
    ("text", "shown"), [("*all* of it", "*all* of it"), ("a ] b", "a \\] b"), ("[x] y", "[x] y"), ("`]`", "`]`")]
)
def test_the_text_of_a_link_is_markdown_that_ends_where_it_should(tmp_path: Path, text: str, shown: str) -> None:
    templates = {**TEMPLATES, "steps/welcome.md.j2": f"# Welcome\n\n{{{{ link('prepare', text='{text}') }}}}\n"}
    page = project.page(project.load(project.write(tmp_path, templates=templates)).require_valid(), "swan/welcome")
    assert f"[{shown}](prepare.md)" in page.text


@pytest.mark.parametrize(
    ("heading", "id_"),
    [
        ("After {{ link('finish') }}", "after-finish"),
        ("After {{ link('finish#check') }}", "after-finish-check"),
        ("4.1 Create it", "create-it"),
        ("3) Create it", "create-it"),
        ("About [step 2 of HTTP](https://example.com)", "about-step-2-of-http"),
        ("If it isn’t there, ask 'Swan'", "if-it-isnt-there-ask-swan"),
    ],
)
def test_no_number_of_a_step_is_part_of_an_id(tmp_path: Path, heading: str, id_: str) -> None:
    templates = {**TEMPLATES, "steps/welcome.md.j2": f"# Welcome\n\n## {heading}\n"}
    page = project.page(project.load(project.write(tmp_path, templates=templates)).require_valid(), "swan/welcome")
    assert [section.id for section in page.sections] == ["welcome", id_]


def test_inserting_a_step_moves_no_address_and_every_number(tmp_path: Path) -> None:
    before = project.load(project.write(tmp_path / "a"))
    data = DATA.replace("      - prepare\n", "      - buy\n      - prepare\n")
    after = project.load(
        project.write(tmp_path / "b", data, {**TEMPLATES, "steps/buy.md.j2": "---\ntitle: Buy\n---\n"})
    )
    assert not after.findings or findings(after) == findings(before)

    def addresses(read: Site) -> set[str]:
        return {f"{page.path}#{section.id}" for page in read.pages for section in page.sections}

    assert addresses(before) <= addresses(after)
    assert {page.path for page in before.pages} <= {page.path for page in after.pages}
    assert set(before.figures) == set(after.figures)
    assert "[step 3.1](finish.md#check)" in project.page(after, "swan/welcome").text


def test_a_platform_is_added_by_data_alone(tmp_path: Path) -> None:
    data = DATA.replace(
        "groups:", "  heron: {name: Heron, labels: {menu: Heron menu}, values: {package: heron-kit}}\ngroups:"
    )
    read = project.load(project.write(tmp_path, data))
    pages = [page for page in read.pages if page.platform == "heron"]
    assert [page.path.rpartition("/")[2] for page in pages] == ["welcome.md", "prepare.md", "finish.md"]
    assert "[step 2.1](finish.md#check)" in pages[0].text
    text = pages[1].text
    assert "> **To be written:** part `install`, Heron" in text
    assert "> **To be written:** code `start`, Heron" in text
    assert not read.errors
    assert findings(read) == [
        "site_templates/steps/prepare.md.j2:18:8: missing-part: no part `install` for `heron`: "
        "write `site_templates/steps/prepare/install.heron.md`, or `install.md` for all platforms [heron]",
        "site_templates/steps/prepare.md.j2:22:4: missing-code: no code `start` for `heron`: "
        "write `site_templates/steps/prepare/start.heron.<extension>`, or `start.<extension>` for all platforms [heron]",
    ]


def test_what_a_new_platform_lacks_is_told_in_one_go(tmp_path: Path) -> None:
    data = DATA.replace("groups:", "  heron: {name: Heron}\ngroups:")
    read = project.load(project.write(tmp_path, data))
    assert [told.rpartition(": ")[0].split(": ", 1)[1] for told in findings(read)] == [
        "undefined-name: platform `heron` has no label `menu` (platforms.yaml:7:3); write `labels: {menu",
        "missing-part: no part `install` for `heron`",
        "missing-code: no code `start` for `heron`",
    ]


def test_a_page_in_the_docs_folder_takes_the_place_of_the_template(tmp_path: Path) -> None:
    copy = "---\ntitle: Getting ready\n---\n\n## 1.1 The menu {: #menu }\n"
    read = project.load(project.write(tmp_path, docs={"guide/otter/prepare.md": copy}))
    page = project.page(read, "otter/prepare")
    assert (page.generated, page.text, page.number, page.title) == (False, copy, 1, "Getting ready")
    assert "[step 1.1](prepare.md#menu)" in project.page(read, "otter/finish").text
    assert project.page(read, "swan/prepare").generated


@pytest.mark.parametrize("name", ["swan.png", "swan.jpg"])
def test_an_authors_own_picture_takes_precedence(tmp_path: Path, name: str) -> None:
    picture = f"images/swan/prepare/menu{Path(name).suffix}"
    read = project.load(project.write(tmp_path, docs={picture: ""}))
    assert f"../../{picture}" in project.page(read, "swan/prepare").text
    assert set(read.figures) == {"images/otter/prepare/menu.svg"}


def test_every_character_knows_its_origin(tmp_path: Path) -> None:
    page = project.page(project.load(project.write(tmp_path)), "otter/prepare")

    def origin(words: str) -> str:
        at = page.text.index(words)
        found = [page.find_origin(i) for i in range(at, at + len(words))]
        assert "".join(o.span.text for o in found) == words
        return str(found[0].span)

    assert all(page.find_origin(i).span.path for i in range(len(page.text)))
    assert origin("Open the menu") == "site_templates/steps/prepare.md.j2:6:4"
    assert origin("Enabled |"[:7]) == "platforms.yaml:22:38"
    assert origin("Then wait") == "site_templates/steps/prepare/install.animals.md:3:1"
    assert origin("print('{{") == "site_templates/steps/prepare/start.swan.py:2:5"
    assert origin("swan-kit") == "platforms.yaml:2:67"


def test_a_whole_sample_is_shown_without_the_marks_of_its_regions(tmp_path: Path) -> None:
    (tmp_path / "app.cs").write_text("// [start:init]\nStart();\n  // [end:init]\n#region Rest\nStop();\n#endregion\n")
    data = DATA.replace("can: [fly]}", "can: [fly], code: {start: app.cs}}")
    page = project.page(project.load(project.write(tmp_path, data)).require_valid(), "swan/prepare")
    assert page.text.endswith("```csharp\nStart();\n#region Rest\nStop();\n#endregion\n```\n")


def test_a_link_into_another_tutorial_names_it(tmp_path: Path) -> None:
    data = DATA.replace("\ntables:", "\n  more:\n    title: More\n    steps: [extra]\ntables:")
    text = "See {{ link('guide/prepare') }}, {{ link('guide/finish#check') }} and {{ link('guide/welcome') }}."
    extra = f"---\ntitle: Extra\n---\n\n{text}\n\n## Behind {{{{ link('guide/finish') }}}}\n"
    templates = {**TEMPLATES, "steps/extra.md.j2": extra}

    def shown(words: str) -> list[str]:
        read = project.load(project.write(tmp_path, data + words, templates=templates)).require_valid()
        page = next(page for page in read.pages if page.step == "extra")
        return [*re.findall(r"\[([^]]*)\]", page.text), page.sections[0].id]

    names = ["step 1 of “Guide”", "step 2.1 of “Guide”", "Welcome", "step 2 of “Guide”", "behind-finish"]
    assert shown("") == names
    said = [name.replace("step", "Schritt").replace(" of “Guide”", " (Guide)") for name in names]
    assert shown("strings: {step: 'Schritt {number}', step-of: '{step} ({tutorial})'}\n") == said


def test_a_code_file_of_the_platform_itself_wins_over_the_code_that_it_inherits(tmp_path: Path) -> None:
    (tmp_path / "app.py").write_text("app()\n")
    data = DATA.replace("can: [fly]}", "can: [fly], code: {start: app.py}}")
    otter = {**TEMPLATES, "steps/prepare/start.otter.py": "dive()\n"}

    def shown(templates: dict[str, str]) -> list[str]:
        read = project.load(project.write(tmp_path, data, templates=templates)).require_valid()
        return [project.page(read, f"{on}/prepare").text.split("\n")[-3] for on in ("swan", "otter")]

    assert shown(TEMPLATES) == ["app()", "app()"]
    assert shown(otter) == ["app()", "dive()"]


def test_what_is_missing_names_the_files_that_are_meant(tmp_path: Path) -> None:
    swan = TEMPLATES["steps/prepare.md.j2"].replace("code('start')", "code('starter')")
    files = {"steps/prepare/start.otter.py": "dive()\n", "steps/prepare.md.j2": swan}
    read = project.load(project.write(tmp_path / "name", templates={**TEMPLATES, **files}))
    (told,) = [finding for finding in read.findings if finding.rule == "missing-code"]
    near = [str(item.span.path) for item in told.related if "nearly" in item.message]
    assert near == [f"site_templates/steps/prepare/start.{on}.py" for on in ("swan", "otter")]


def test_a_code_file_without_the_suffix_of_its_language_is_not_everybodys(tmp_path: Path) -> None:
    swan = {name.replace("start.swan.py", "start.swan"): text for name, text in TEMPLATES.items()}
    read = project.load(project.write(tmp_path, templates=swan))
    (finding,) = (finding for finding in read.findings if finding.rule == "missing-code")
    assert "swan" in finding.platforms
    assert finding.message.endswith("did you mean site_templates/steps/prepare/start.swan?")


def test_a_code_file_with_nearly_a_platform_in_its_name_is_not_everybodys(tmp_path: Path) -> None:
    swan = {name.replace("start.swan", "start.swann"): text for name, text in TEMPLATES.items()}
    read = project.load(project.write(tmp_path, templates=swan))
    (told,) = [finding for finding in read.findings if finding.rule == "missing-code"]
    assert told.platforms == ("swan", "otter")
    assert told.message.endswith("did you mean site_templates/steps/prepare/start.swann.py?")


def test_a_page_can_keep_line_ends_and_byte_order_mark(tmp_path: Path) -> None:
    data = DATA.replace("      - prepare\n", "      - {id: prepare, files: {swan: {newline: crlf, bom: true}}}\n")
    read = project.load(project.write(tmp_path, data))
    swan, otter = (project.page(read, f"{id_}/prepare").encode_file() for id_ in ("swan", "otter"))
    assert swan.startswith(b"\xef\xbb\xbf---\r\n")
    assert swan.count(b"\n") == swan.count(b"\r\n")
    assert b"\r" not in otter


def test_a_call_gives_a_table_words_for_its_cells(tmp_path: Path) -> None:
    data = DATA.replace("setting: Sound,", "setting: 'Sound of {app}, and {others}',")
    templates = {
        **TEMPLATES,
        "steps/prepare.md.j2": "# Prepare\n",
        "steps/finish.md.j2": "# End\n\n## Check {: #check }\n\n{{ table('settings', app=platform.name, name='X') }}\n",
    }
    page = project.page(project.load(project.write(tmp_path, data, templates)).require_valid(), "otter/finish")
    assert "| Sound of Otter, and {others} | Enabled |\n" in page.text


def test_rows_take_words_for_their_cells_too(tmp_path: Path) -> None:
    data = DATA.replace("setting: Sound,", "setting: 'Sound of {app}',")
    loop = "{% for row in rows('settings', app=platform.name) %}\n- {{ row.setting }}\n{% endfor %}\n"
    end = f"# End\n\n## Check {{: #check }}\n\n{loop}"
    templates = {**TEMPLATES, "steps/prepare.md.j2": "# Prepare\n", "steps/finish.md.j2": end}
    page = project.page(project.load(project.write(tmp_path, data, templates)).require_valid(), "otter/finish")
    assert "- Sound of Otter\n" in page.text


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("swan/prepare/menu.PNG", "swan/prepare/menu.png"),
        ("Swan/prepare/menu.png", "swan/prepare/menu.png"),
        ("ottre/prepare/menu.jpg", "otter/prepare/menu.jpg"),
        ("swan/prepare/manu.png", "swan/prepare/menu.png"),
        ("swan/finish/menu.png", None),
        ("swan/prepare/window.png", None),
        ("owl/prepare/menu.png", None),
        ("menu.png", None),
    ],
)
def test_a_picture_nearly_at_its_place_is_told(name: str, meant: str | None, tmp_path: Path) -> None:
    read = project.load(project.write(tmp_path, docs={f"images/{name}": ""}))
    path = "`docs_src/images/{}`"
    told = f"{path.format(name)} is not shown: the image of this figure is {path.format(meant)}"
    assert [each.message for each in read.findings if "is not shown" in each.message] == ([told] if meant else [])


def test_a_link_in_a_title_is_an_error(tmp_path: Path) -> None:
    step = "---\ntitle: After {{ link('prepare') }}\n---\n\n## Check {: #check }\n"
    (told,) = project.load(project.write(tmp_path, templates={**TEMPLATES, "steps/finish.md.j2": step})).errors
    assert str(told) == (
        "site_templates/steps/finish.md.j2:2:14: invalid-template: a title is plain text: readers see `[step 1](prepare.md)`; "
        "put the link into the text of the page [swan, otter]"
    )


def test_an_empty_region_is_told_and_a_name_that_is_nearly_one_of_the_data(tmp_path: Path) -> None:
    (tmp_path / "app.py").write_text("# [start:init]\n# [end:init]\n")
    data = DATA.replace("name: Swan,", "name: Swan, code: {init: 'app.py#init'},")
    step = "# End\n\n## Check {: #check }\n\n{{ code('init') }}\n\n{{ code('inti') }}\n"
    read = project.load(project.write(tmp_path, data, {**TEMPLATES, "steps/finish.md.j2": step}))
    assert [(each.span.position.line, each.message) for each in read.findings if each.rule == "missing-code"][:2] == [
        (5, "the region `init` of app.py is empty, and so is the code on the page"),
        (
            7,
            "no code `inti` for `swan`: write `site_templates/steps/finish/inti.swan.<extension>`, or `inti.<extension>` for all platforms; did you mean `init`?",
        ),
    ]


def test_a_call_that_lost_its_word_is_an_error_where_another_gives_it(tmp_path: Path) -> None:
    data = DATA.replace("setting: Sound,", "setting: 'Sound of {app}',")
    step = "# End\n\n## Check {{: #check }}\n\n{{{{ table('settings', app=platform.name) }}}}\n\nAgain:\n\n{{{{ table('settings'{}) }}}}\n"
    templates = {**TEMPLATES, "steps/prepare.md.j2": "# Prepare\n", "steps/finish.md.j2": step.format("")}
    (told,) = project.load(project.write(tmp_path / "all", data, templates)).errors
    assert (told.rule, told.span.position.line, told.platforms) == ("invalid-template", 9, ("swan", "otter"))
    assert told.message == "the table prints `{app}` literally: write `app=…` in this call, too"
    assert [each.span.position.line for each in told.related] == [5]
    templates["steps/finish.md.j2"] = step.format(", columns=['value']")
    assert not project.load(project.write(tmp_path / "columns", data, templates)).errors


def test_a_figure_that_gives_a_word_of_its_table_tells_that_the_table_lacks_it(tmp_path: Path) -> None:
    data = DATA.replace("setting: Sound,", "setting: 'Sound of {app}',")
    step = "# End\n\n## Check {: #check }\n\n{{ table('settings') }}\n\n"
    step += "{{ figure('all', alt='All', kind='settings', table='settings', app=platform.name) }}\n"
    templates = {**TEMPLATES, "steps/prepare.md.j2": "# Prepare\n", "steps/finish.md.j2": step}
    (told,) = project.load(project.write(tmp_path, data, templates)).errors
    assert told.message == "the table prints `{app}` literally: write `app=…` in this call, too"
    assert (told.span.position.line, [each.span.position.line for each in told.related]) == (5, [7])


def test_a_word_that_no_call_gives_is_a_hint_where_it_stands_alone(tmp_path: Path) -> None:
    def found(cell: str, name: str) -> list[str]:
        data = DATA.replace("setting: Sound,", f"setting: '{cell}',")
        read = project.load(project.write(tmp_path / name, data))
        assert not read.errors
        return [str(each) for each in read.findings if each.rule == "undefined-name"]

    assert found("Sound of {app}", "alone") == [
        "platforms.yaml:22:34: undefined-name: readers see `{app}` literally: no call passes `app=…`; "
        "if that is intended, put it in code [swan, otter]"
    ]
    assert found("Sound of `{app}`, `/{id}`, ``a`{b}``, /users/{id}, ${name} and <code>{x}</code>", "code") == []


def test_a_step_knows_those_beside_it_on_its_platform(tmp_path: Path) -> None:
    data = DATA.replace("      - finish\n", "      - finish\n    on: {otter: {steps: [welcome, finish, prepare]}}\n")
    step = "# {}\n\n## Check {{: #check }}\n\n{{{{ step.previous }}}}{{% if step.next %}}, {{{{ link(step.next) }}}}{{% endif %}}\n"
    templates = {**TEMPLATES, **{f"steps/{id_}.md.j2": step.format(id_) for id_ in ("prepare", "finish")}}
    read = project.load(project.write(tmp_path, data, templates)).require_valid()
    said = {
        name: project.page(read, name).text.splitlines()[-1] for name in ("swan/prepare", "swan/finish", "otter/finish")
    }
    assert said == {
        "swan/prepare": "welcome, [step 2](finish.md)",
        "swan/finish": "prepare",
        "otter/finish": "welcome, [step 2](prepare.md)",
    }


def test_a_page_can_do_without_its_last_line_end(tmp_path: Path) -> None:
    data = DATA.replace("      - prepare\n", "      - {id: prepare, files: {swan: {final-newline: false}}}\n")
    read = project.load(project.write(tmp_path, data))
    swan, otter = (project.page(read, f"{id_}/prepare") for id_ in ("swan", "otter"))
    assert swan.encode_file() + b"\n" == str(swan.text).encode()
    assert otter.encode_file() == str(otter.text).encode()


def test_code_in_a_heading_counts_in_its_id_and_in_what_links_to_it_say(tmp_path: Path) -> None:
    told = "# Finish\n\n## Check {: #check }\n\n## Run `npm ci`\n\n### `init`\n\n{{ link('finish#run-npm-ci') }}, {{ link('finish#init') }}\n"
    templates = {**TEMPLATES, "steps/finish.md.j2": told}
    page = project.page(project.load(project.write(tmp_path, templates=templates)).require_valid(), "swan/finish")
    number = page.number
    assert f"## {number}.2 Run `npm ci` {{: #run-npm-ci }}\n\n### `init` {{: #init }}\n" in page.text
    assert f"[step {number}.2](#run-npm-ci), [`init`](#init)" in page.text


def test_a_heading_is_the_title_of_a_template_that_states_none(tmp_path: Path) -> None:
    templates = {**TEMPLATES, "steps/finish.md.j2": "# Finish on {{ platform.name }}\n\n## Check {: #check }\n"}
    read = project.load(project.write(tmp_path, templates=templates)).require_valid()
    page = project.page(read, "swan/finish")
    assert (page.title, page.text.split("\n")[0]) == ("Finish on Swan", "# Step 2. Finish on Swan {: #finish-on-swan }")


@pytest.mark.parametrize(
    ("heading", "shown"),
    [
        ("# Finish `x` {: .big }", "# Step 2. Finish `x` {: #finish-x .big }"),
        ("# Finish {: #end }", "# Step 2. Finish {: #end }"),
        ("Finish\n===", "Step 2. Finish {: #finish }\n==="),
        ("# Finish #", "# Step 2. Finish {: #finish } #"),
        ("# Finish\n\n# Finish", "# Step 2. Finish {: #finish }\n\n# Finish {: #finish-1 }"),
    ],
)
def test_a_title_that_is_a_heading_has_the_number_of_its_step(tmp_path: Path, heading: str, shown: str) -> None:
    templates = {**TEMPLATES, "steps/finish.md.j2": f"{heading}\n\n## Check {{: #check }}\n"}
    page = project.page(project.load(project.write(tmp_path, templates=templates)).require_valid(), "swan/finish")
    assert page.text == f"{shown}\n\n## 2.1 Check {{: #check }}\n"
    assert page.title in ("Finish", "Finish x")


def test_the_data_overrides_a_title_that_is_a_heading(tmp_path: Path) -> None:
    data = DATA.replace("    title: Guide\n", "    title: Guide\n    on: {otter: {titles: {finish: Dive}}}\n")
    templates = {**TEMPLATES, "steps/finish.md.j2": "# Finish\n\n## Check {: #check }\n"}
    read = project.load(project.write(tmp_path, data, templates=templates)).require_valid()
    shown = [project.page(read, f"{on}/finish").text.split("\n")[0] for on in ("swan", "otter")]
    assert shown == ["# Step 2. Finish {: #finish }", "# Step 2. Dive {: #finish }"]
    unnumbered = data.replace("title: Guide\n", "title: Guide\n    numbering: {steps: false, sections: false}\n", 1)
    read = project.load(project.write(tmp_path, unnumbered, templates=templates)).require_valid()
    shown = [project.page(read, f"{on}/finish").text.split("\n")[0] for on in ("swan", "otter")]
    assert shown == ["# Finish", "# Dive"]


def test_numbering_can_be_turned_off(tmp_path: Path) -> None:
    data = DATA.replace("    title: Guide\n", "    title: Guide\n    numbering: {steps: false, sections: false}\n")
    text = project.page(project.load(project.write(tmp_path, data)), "swan/prepare").text
    assert "title: Prepare Swan\n" in text
    assert "\n## Open the menu {: #menu }\n" in text
    assert "\n## Start\n" in text


ERRORS = {
    "{{ platform.nmae }}": "undefined-name: platform `swan` has no `nmae` (platforms.yaml:2:3); did you mean `name`?",
    "{{ platform.label.menu }}": (
        "undefined-name: `platform.label` is a call, and has no `menu`; write `platform.label('menu')`"
    ),
    "{{ platforms.values.package }}": (
        "undefined-name: `platforms` has no `values`; did you mean `platform.values`? "
        "A loop takes its parts: `{% for id, one in … | items %}`"
    ),
    "{% for one in platforms | dictsort %}{{ one.name }}{% endfor %}": (
        "undefined-name: a list has no `name`; a loop over pairs has two names: `{% for id, one in … %}`"
    ),
    "{% if platform in groups.animals %}x{% endif %}": (
        "undefined-name: `groups` is not defined; test a feature: `platform.can('…')`"
    ),
    "{% if true %}x{% elseif false %}y{% endif %}": "invalid-template: unknown tag `elseif`; write `elif`",
    "{{ platform.label('meno') }}": "undefined-name: platform `swan` has no label `meno` (platforms.yaml:2:3); did you mean `menu`?",
    "{{ platform.can('fyl') }}": "undefined-name: no platform has the feature `fyl`; did you mean `fly`?",
    "{{ table('setings') }}": "undefined-name: unknown table `setings`; did you mean `settings`?",
    "{{ table('settings', columns=['vale']) }}": "undefined-name: table `settings` has no column `vale`; did you mean `value`?",
    "{{ link('finsh') }}": "undefined-name: unknown step `finsh`; did you mean `finish`?",
    "{{ link('prepare#stert') }}": "undefined-name: step `prepare` has no section `stert` on `swan`; did you mean `start`?",
    "{{ link('finish#chek') }}": "undefined-name: step `finish` has no section `chek` on `swan`; did you mean `check`?",
    "{{ link('check') }}": "undefined-name: unknown step `check`",
    "{{ code('start' }}": "invalid-template: `)` is missing before this",
    "{{ platform. }}": "invalid-template: a name is missing after the dot",
    "{{ }}": "invalid-template: a name or value is missing in this tag",
    "{% %}x": "invalid-template: the tag has no name, such as `if` or `for`",
    "{{ link('step 1') }}": "undefined-name: unknown step `step 1`; a link takes an id: step 1 is `prepare`",
    "{{ link(step.next) }}": (
        "invalid-template: link() has no step: the first step has none before it, and the last one none after it; "
        "put the link under `{% if step.next %}`"
    ),
    "{{ link('swan/finish') }}": (
        "undefined-name: unknown tutorial `swan`; a link stays on the reader's platform: write `finish`"
    ),
    "{% if platform.values.package > 5 %}x{% endif %}": (
        "invalid-template: a value of the data is text, and can't be compared with a number: write `| int` after it"
    ),
    "{{ link('gide/finish') }}": "undefined-name: unknown tutorial `gide`; did you mean `guide`?",
    "{{ nothing }}": "undefined-name: `nothing` is not defined",
    "{{ link(finish-it) }}": "undefined-name: `finish` is not defined; put a name of the data in quotes: `'finish-it'`",
    "`${{ secrets.TOKEN }}`": (
        "undefined-name: `secrets` is not defined; put text with braces between `{% raw %}` and `{% endraw %}`, "
        "or in a file of `code()`"
    ),
    "{{ 1 + platform.name }}": ("invalid-template: `+` adds two numbers, or two texts; `~` joins texts"),
    "{% for one in table('settings') %}{{ one.name }}{% endfor %}": (
        "invalid-template: a loop over text gives its letters; `rows('…')` gives the rows of a table"
    ),
    "{{ link('guide/') }}": ("undefined-name: `guide/` is not a step; write step, step#section, or tutorial/step"),
    "{{ link(5) }}": "invalid-template: link() takes a name first, as text in quotes, not `5`",
    "{{ part(['x']) }}": "invalid-template: part() takes a name first, as text in quotes, not a list",
    "{{ platform.can(true) }}": "invalid-template: can() takes a name first, as text in quotes, not `true`",
    "{{ link('prepare', text=true) }}": "invalid-template: `text` should be text, not `true`",
    "{{ platform.label('menu', default=[]) }}": "invalid-template: `default` should be text, not a list",
    "{{ figure('x', alt=true) }}": "invalid-template: `alt` should be text, not `true`",
    "{{ code('start', language=platform) }}": "invalid-template: `language` should be text, not a mapping",
    "{{ table('settings', row=true) }}": "invalid-template: `row` should be text, not `true`",
    "{{ table('settings', columns=true) }}": "invalid-template: `columns` should be a list, not `true`",
    "{{ table('settings', columns='value') }}": "invalid-template: `columns` should be a list: write `['value']`",
    "{{ table('settings', 'value') }}": "invalid-template: `columns` should be a list: write `['value']`",
    "{{ table('settings', columns=[1]) }}": "invalid-template: `columns` should be a list of strings; one of them is `1`",
    "{{ table('settings', padded='no') }}": (
        "invalid-template: `padded` should be true or false, without quotes, not `no`"
    ),
    "{{ platform.values[['a']] }}": "invalid-template: a name in brackets is one text in quotes, and no list",
    "{{ platform.values.height }}": (
        "undefined-name: `values` of platform `swan` has no `height` (platforms.yaml:2:3); "
        "write `values: {height: …}` there"
    ),
    "{% for one in platform.values.package %}{{ one }}{% endfor %}": (
        "invalid-template: a loop over text gives its letters; write a list there: [first, second]"
    ),
    "{{ package }}": "undefined-name: `package` is not defined; did you mean `platform.values.package`?",
    "{{ packge }}": "undefined-name: `packge` is not defined; did you mean `platform.values.package`?",
    "{{ label('x') }}": "undefined-name: `label` is not defined; did you mean `platform.label('…')`?",
    "`{{ name }}`": (
        "undefined-name: `name` is not defined; did you mean `platform.name`? Put text with braces between "
        "`{% raw %}` and `{% endraw %}`, or in a file of `code()`"
    ),
    "{{ platforms.name }}": "undefined-name: `platforms` has no `name`; did you mean `platform.name`?",
    "{{ platform.label['x'] }}": (
        "undefined-name: `platform.label` is a call, and has no `x`; write `platform.label('x')`"
    ),
    "{{ platform.values('package') }}": (
        "invalid-template: this is not a function, and takes no parentheses; name what is in it after a dot, as in "
        "`platform.values.package`"
    ),
    "{{ link('/guide/swan/finish') }}": (
        "undefined-name: unknown tutorial `/guide/swan`; a link names a step by its id: write `finish`"
    ),
    "{{ page.title }}": "undefined-name: `page` is not defined; a page is a `step`, as in `step.title`",
    "{% for one in [1] %}{{ loop.idx }}{% endfor %}": "undefined-name: a loop has no `idx`; did you mean `index`?",
    "{% include 'base.md.j2' %}": (
        "invalid-template: unknown template `base.md.j2`; write its path in the folder of templates, such as "
        "`steps/finish.md.j2`"
    ),
    "{{ rows('settings') }}": (
        "invalid-template: a list or mapping cannot be printed; loop over it, or write `|join(', ')` after it"
    ),
    "{{ self }}": "invalid-template: only text and numbers can be printed",
    "{{ none }}": (
        "invalid-template: nothing to print; `step.number`, for example, is none for a step without a number: "
        "put this under `{% if … %}`"
    ),
    "{% if %}": "invalid-template: a name or value is missing in this tag",
    "{{ part('x') }}{{ 1 / 0 }}": "invalid-template: division by zero",
    "{% include 'steps/finish.md.j2' %}": "invalid-template: `steps/finish.md.j2` loads itself: "
    "steps/finish.md.j2 > steps/finish.md.j2",
}


@pytest.mark.parametrize("tag", ERRORS)
def test_errors_name_the_place_and_all_platforms(tmp_path: Path, tag: str) -> None:
    templates = {
        **TEMPLATES,
        "steps/finish.md.j2": f"---\ntitle: Finish\n---\n\n# Here: {tag}\n\n## Check {{: #check }}\n",
    }
    read = project.load(project.write(tmp_path, templates=templates))
    assert len(read.errors) == 1
    found = read.errors[0]
    assert f"{found.rule}: {found.message}" == ERRORS[tag]
    assert found.span.path == "site_templates/steps/finish.md.j2"
    assert found.span.position.line == 5
    assert found.platforms == ("swan", "otter")


def test_a_step_without_a_number_prints_none(tmp_path: Path) -> None:
    def found(text: str, name: str) -> list[str]:
        templates = {**TEMPLATES, "steps/welcome.md.j2": f"---\ntitle: Welcome\n---\n\n{text}\n"}
        return [str(each) for each in project.load(project.write(tmp_path / name, templates=templates)).errors]

    (told,) = found("Number {{ step.number }}.", "printed")
    assert told.startswith("site_templates/steps/welcome.md.j2:5:8: invalid-template: nothing to print;")
    assert found("{% if step.number %}Number {{ step.number }}.{% endif %}", "asked") == []


@pytest.mark.parametrize(
    ("name", "call", "what"), [("x.{}.md", "part('x')", "part `x`"), ("y.{}.py", "code('y')", "code `y`")]
)
def test_groups_whose_files_differ_are_an_error(tmp_path: Path, name: str, call: str, what: str) -> None:
    data = DATA.replace("  animals: [swan, otter]\n", "  animals: [swan, otter]\n  birds: [swan]\n")
    step = f"---\ntitle: Finish\n---\n\n{{{{ {call} }}}}\n\n## Check {{: #check }}\n"
    first, second = (f"steps/finish/{name.format(id_)}" for id_ in ("animals", "birds"))
    templates = {**TEMPLATES, "steps/finish.md.j2": step, first: "Dive.\n", second: "Fly.\n"}
    (told,) = project.load(project.write(tmp_path / "differ", data, templates)).errors
    files = f"site_templates/{first} and site_templates/{second}"
    assert told.message == f"two groups of `swan` disagree about {what}: {files}; write one for `swan`"
    assert (told.span.position.line, told.platforms) == (5, ("swan",))
    alike = {**templates, second: "Dive.\n"}
    assert project.load(project.write(tmp_path / "alike", data, alike)).errors == []
    own = {**templates, f"steps/finish/{name.format('swan')}": "Swim.\n"}
    assert project.load(project.write(tmp_path / "own", data, own)).errors == []


def test_an_imported_macro_that_needs_the_page_says_so(tmp_path: Path) -> None:
    macro = "{% macro name() %}{{ platform.name }}{% endmacro %}\n"
    step = "---\ntitle: Finish\n---\n\n{% from 'macros/m.md.j2' import name %}\n## {{ name() }} {: #check }\n"
    templates = {**TEMPLATES, "macros/m.md.j2": macro, "steps/finish.md.j2": step}
    (found,) = project.load(project.write(tmp_path / "a", templates=templates)).errors
    assert str(found) == (
        "site_templates/macros/m.md.j2:1:22: undefined-name: `platform` is not defined; "
        "an imported macro sees what the page sees only if it is imported `with context` [swan, otter]"
    )
    templates["steps/finish.md.j2"] = step.replace("import name", "import name with context")
    assert not project.load(project.write(tmp_path / "b", templates=templates)).errors


def test_a_macro_that_is_not_imported_says_where_it_stands(tmp_path: Path) -> None:
    macro = "{% macro menu(first, second) %}{{ first }}{{ second }}{% endmacro %}\n"
    step = "---\ntitle: Finish\n---\n\n{}\n\n## Check {: #check }\n"
    templates = {**TEMPLATES, "macros/m.md.j2": macro, "steps/finish.md.j2": step.replace("{}", "{{ menu('a', 'b') }}")}
    (found,) = project.load(project.write(tmp_path / "a", templates=templates)).errors
    assert found.message == "`menu` is not defined; write `{% from 'macros/m.md.j2' import menu %}` above"
    call = "{% from 'macros/m.md.j2' import menu %}\n{{ menu('a') }}"
    templates["steps/finish.md.j2"] = step.replace("{}", call)
    (found,) = project.load(project.write(tmp_path / "b", templates=templates)).errors
    assert str(found) == (
        "site_templates/steps/finish.md.j2:6:4: undefined-name: this call does not give `second`, which the macro "
        "prints [swan, otter]"
    )


def test_front_matter_that_cannot_be_read_is_the_one_finding(tmp_path: Path) -> None:
    templates = {**TEMPLATES, "steps/finish.md.j2": "---\ntitle: Finish: the end\n---\n\n## Check {: #check }\n"}
    (found,) = {str(finding) for finding in project.load(project.write(tmp_path, templates=templates)).errors}
    assert found.startswith("site_templates/steps/finish.md.j2:2:")
    assert "has no title" not in found


def test_a_step_that_a_platform_lacks_cannot_be_linked_to(tmp_path: Path) -> None:
    data = DATA.replace("      - prepare\n", '      - {id: prepare, not-on: {otter: "Otters are ready."}}\n')
    read = project.load(project.write(tmp_path, data))
    guard = "; put the link under `{% if platform.can('…') %}` or `{% if step.next %}`"
    assert [(f.message, f.platforms) for f in read.errors] == [
        (f"no step `prepare` on `otter`: Otters are ready{guard}", ("otter",)),
        (f"no step `prepare` on `otter`: Otters are ready{guard}", ("otter",)),
    ]


def test_a_link_in_a_heading_needs_an_id(tmp_path: Path) -> None:
    def read(heading: str) -> list[Finding]:
        templates = {
            **TEMPLATES,
            "steps/finish.md.j2": f"---\ntitle: Finish\n---\n\n## Check {{: #check }}\n\n{heading}\n",
        }
        loaded = project.load(project.write(tmp_path, templates=templates))
        return loaded.errors

    assert not read("## After {{ link('prepare#menu') }} {: #after }")
    assert not read("## After {{ link('prepare') | upper }}")  # a number is known from the data


def test_two_pages_at_one_address_collide(tmp_path: Path) -> None:
    data = DATA.replace("path: guide/{platform}/{step}", "path: guide/{step}")
    read = project.load(project.write(tmp_path, data))
    assert {f.rule for f in read.errors} == {"page-collision"}
    assert str(read.errors[0].span) == "platforms.yaml:12:11"


COLLISIONS = {
    ("a.md", "a/index.md"): ["docs_src/a.md: this page and docs_src/a/index.md have the same URL"],
    ("a.md", "a.markdown"): ["docs_src/a.md: this page and docs_src/a.markdown have the same URL"],
    ("a.md", "a/README.md"): ["docs_src/a.md: this page and docs_src/a/README.md have the same URL"],
    ("a.md", "a/index.html"): ["docs_src/a.md: this page and the file a/index.html have the same URL"],
    ("a/index.md", "a/README.md"): [],
    ("a.md", "b.md", "b/notes.html", "index.html"): [],
    ("guide/swan/finish.md",): [],
    ("guide/swan/finish/index.html",): [
        "platforms.yaml: `finish` on `swan` and the file guide/swan/finish/index.html have the same URL"
    ],
}


@pytest.mark.parametrize("names", COLLISIONS)
def test_what_stands_at_one_address_is_told(tmp_path: Path, names: tuple[str, ...]) -> None:
    root = project.write(tmp_path)
    for name in names:
        path = root / "docs_src" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("# Finish\n\n## Check {: #check }\n", encoding="utf-8")
    read = project.load(root)
    assert [f"{f.span.path}: {f.message}" for f in read.errors if f.rule == "page-collision"] == COLLISIONS[names]


@pytest.mark.parametrize("name", ["finish.md", "finish.markdown", "finish/index.md", "finish/README.md"])
def test_a_page_at_the_address_of_a_step_is_that_step(tmp_path: Path, name: str) -> None:
    root = project.write(tmp_path)
    path = root / "docs_src/guide/swan" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("# The end\n\n## Check {: #check }\n", encoding="utf-8")
    read = project.load(root).require_valid()
    assert [page.path for page in read.pages if page.step == "finish"] == [
        f"guide/swan/{name}",
        "guide/otter/finish.md",
    ]


def test_a_path_stays_in_the_docs_folder(tmp_path: Path) -> None:
    for path in ("../{platform}/{step}", "/{platform}/{step}", "a\\\\{platform}/{step}", "%2e%2e/{platform}/{step}"):
        read = project.load(project.write(tmp_path, DATA.replace("path: guide/{platform}/{step}", f'path: "{path}"')))
        assert [(f.rule, f.span.position) for f in read.errors] == [("unsafe-path", (12, 11))], path


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("platforms.yaml", b"\xff\xfe", "unreadable-file"),
        ("platforms.yaml", None, "unreadable-file"),
        ("site_templates/steps/finish.md.j2", b"ab\xff", "unreadable-file"),
        ("site_templates/steps/finish.md.j2", None, "invalid-data"),
        ("docs_src/index.md", b"\x00", "unreadable-file"),
    ],
)
def test_files_that_cannot_be_read_are_findings(tmp_path: Path, name: str, content: bytes | None, message: str) -> None:
    root = project.write(tmp_path)
    (root / name).unlink()
    if content is not None:
        (root / name).write_bytes(content)
    errors = project.load(root).errors
    assert [error.rule for error in errors] == [message]
    assert name in str(errors[0])


def test_many_files_mean_what_one_would(tmp_path: Path) -> None:
    whole = project.load(project.write(tmp_path / "one"))
    sections = re.split(r"(?m)^(?=\w)", DATA)[1:]
    root = project.write(tmp_path / "many", "include: [data/*.yaml]\n" + sections[0])
    (root / "data").mkdir()
    for number, section in enumerate(sections[1:]):
        (root / f"data/{number}.yaml").write_text(section)
    split = project.load(root)
    assert findings(split) == findings(whole)
    assert [(p.path, p.text) for p in split.pages] == [(p.path, p.text) for p in whole.pages]


def test_a_key_in_two_files_names_both(tmp_path: Path) -> None:
    root = project.write(tmp_path, "include: [more.yaml]\n" + DATA)
    (root / "more.yaml").write_text("groups:\n  animals: [swan]\n")
    (error,) = project.load(root).errors
    assert str(error) == "more.yaml:2:3: invalid-data: `animals` belongs in `groups` of platforms.yaml too"
    assert str(error.related[0].span) == "platforms.yaml:9:3"


def test_line_ends_and_byte_order_marks_of_sources_change_nothing(tmp_path: Path) -> None:
    plain = project.load(project.write(tmp_path / "a"))
    root = project.write(tmp_path / "b")
    for path in [root / "platforms.yaml", *root.rglob("*.j2"), *root.rglob("install*.md")]:
        path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes().replace(b"\n", b"\r\n"))
    other = project.load(root)
    assert findings(other) == findings(plain)
    assert [(p.path, p.text) for p in other.pages] == [(p.path, p.text) for p in plain.pages]
    for one, two in zip(plain.pages, other.pages, strict=True):
        places = [[str(p.find_origin(i).span) for i in range(len(p.text))] for p in (one, two)]
        assert places[0] == places[1]


def test_the_demo_takes_a_fourth_platform_from_data_alone() -> None:
    root = Path(__file__).parent.parent
    data = (root / "platforms.yaml").read_text()
    layout = site.Layout.find(root)
    before = loading.load(layout)
    values = ", ".join(f"{key}: tv" for key in before.model.platforms["web"].values)
    tv = f"  tv: {{name: TV, labels: {{input: TV, live-stream: TV}}, values: {{{values}}}}}\n"
    read = loading.load(layout, {"platforms.yaml": data.replace("\nplatforms:\n", f"\nplatforms:\n{tv}", 1)})
    pages = [page for page in read.pages if page.platform == "tv"]
    assert not read.errors
    assert [page.number for page in pages] == [None, 1, 2, 3, 4, 5]
    assert [page.step for page in pages] == [page.step for page in before.pages if page.platform == "web"]
    assert "(create-output.md#" in pages[4].text
    assert "/tv/create-connection/" in pages[4].text
    assert {(f.rule, f.platforms) for f in read.findings} == {("missing-part", ("tv",)), ("missing-code", ("tv",))}
    assert all("To be written" in page.text for page in pages if page.step in ("overview", "create-input"))
    others = [(page.path, page.text) for page in read.pages if page.platform != "tv"]
    assert others == [(page.path, page.text) for page in before.pages]


def test_code_may_be_named_after_a_platform_that_is_its_suffix(tmp_path: Path) -> None:
    root = project.write(tmp_path)
    steps = root / "site_templates/steps/finish"
    steps.mkdir(parents=True, exist_ok=True)
    (steps / "run.otter.otter").write_text("dive()\n")
    (steps / "run.swan.txt").write_text("fly()\n")
    template = root / "site_templates/steps/finish.md.j2"
    template.write_text(template.read_text() + "\n{{ code('run') }}\n")
    read = project.load(root)
    assert "dive()" in project.page(read, "otter/finish").text
    assert "fly()" in project.page(read, "swan/finish").text
    assert not [finding for finding in read.findings if finding.rule == "missing-code"]


@pytest.mark.parametrize(
    ("body", "is_told"),
    [
        ("", True),
        ("## Check {: #check }", True),
        ("<!-- later -->", True),
        ("{% if platform.can('swim') %}Swim.{% endif %}", True),
        ("Text.", False),
        ("{{ figure('menu', alt='The menu', kind='menu', path=['Menu']) }}", False),
        ("<b>Text</b>", False),
        ("{{ part('later') }}", False),
    ],
)
def test_a_step_without_a_text_is_told_once(tmp_path: Path, body: str, is_told: bool) -> None:
    data = DATA.replace("    extends: swan\n", "    can: [swim]\n    extends: swan\n")
    steps = {"steps/welcome.md.j2": f"---\ntitle: Welcome\n---\n\n{body}\n"}
    read = project.load(project.write(tmp_path, data, {**TEMPLATES, **steps})).require_valid()
    found = [finding for finding in engine.run(read, Config(root=tmp_path)) if finding.rule == "missing-step"]
    assert [(str(one.severity), str(one.span.path)) for one in found] == (
        [("error", "site_templates/steps/welcome.md.j2")] if is_told else []
    )
    if "swim" in body:
        assert found[0].platforms == ("swan",)


def test_a_misspelt_step_in_an_order_is_told_once(tmp_path: Path) -> None:
    order = "    on:\n      otter: {steps: [welcome, prepare, finsh]}\n"
    data = DATA.replace("    steps:", f"{order}    steps:", 1)
    assert order in data
    read = project.load(project.write(tmp_path, data))
    found = engine.run(read, Config(root=tmp_path, select=("invalid-data", "missing-step")))
    assert [one.message for one in found] == ["unknown step `finsh`; did you mean `finish`?"]


def test_what_the_glossary_says_is_told_by_one_rule(tmp_path: Path) -> None:
    (tmp_path / "page.md").write_text("# Hooks\n\nOur web hook and the web hooks of the webhook. A web hook again.\n")
    told = Config(root=tmp_path, glossary=(("webhook", ("web hook",)),))
    found = engine.run(site.load_plain([tmp_path / "page.md"], tmp_path), told)
    assert {finding.rule for finding in found} == {"mixed-term"}


def test_what_stands_before_a_value_in_front_matter_is_told_in_the_template(tmp_path: Path) -> None:
    text = TEMPLATES["steps/finish.md.j2"].replace("---\n", '---\ndescription: "Let" {{ platform.name }} swim\n', 1)
    read = project.load(project.write(tmp_path, templates={**TEMPLATES, "steps/finish.md.j2": text}))
    told = {str(finding) for finding in read.findings if finding.rule == "front-matter"}
    assert len(told) == 1
    assert all("steps/finish.md.j2:2:20: front-matter: text after the closing quote" in line for line in told)


def test_the_docs_folder_is_known_of_a_configuration_that_is_no_yaml(tmp_path: Path) -> None:
    root = project.write(tmp_path)
    (root / "docs_src").rename(root / "pages")
    (root / "docs").mkdir()
    (root / "mkdocs.yml").write_text("site_name: Zoo\ndocs_dir: 'pages'  # by hand\nplugins:\n  - search\n tutorial\n")
    assert project.load(root).layout.docs == "pages"


def test_a_list_where_other_platforms_have_a_text_is_told_with_its_place(tmp_path: Path) -> None:
    data = (
        "platforms:\n  a: {name: A, values: {kit: [one]}}\n  b: {name: B, values: {kit: two}}\n"
        "tutorials:\n  t: {title: T, steps: [s]}\n"
    )
    template = "---\ntitle: S\n---\n\nAdd `{{ platform.values.kit }}`.\n"
    read = project.load(project.write(tmp_path, data=data, templates={"steps/s.md.j2": template}))
    assert [(str(one.span), one.message, one.platforms) for one in read.findings] == [
        (
            "site_templates/steps/s.md.j2:5:6",
            "a list or mapping cannot be printed; loop over it, or write `|join(', ')` after it, or, where the "
            "other platforms have one text, write it without `[ ]` at platforms.yaml:2:31",
            ("a",),
        )
    ]


def test_drift_prints_the_text_of_a_platform_or_of_what_it_extends(tmp_path: Path) -> None:
    texts = "{{ drift('One', {'swan': 'Two'}) }} {{ drift('One', {'otter': 'it\\'s'}) }} {{ drift('One', {}) }}."
    read = project.load(
        project.write(tmp_path, templates={**TEMPLATES, "steps/finish.md.j2": f"# Finish\n\n{texts}\n"})
    )
    said = [project.page(read, f"{platform}/finish").plain.splitlines()[-1] for platform in ("swan", "otter")]
    assert said == ["Two One One.", "Two it's One."]
