"""`tutorial-tool render`: the pages as plain Markdown, as other site generators read them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner, Result

from tests import project
from tests.project import DATA, TEMPLATES
from tutorial_tool import cli

HOME = {"index.md": "# Home\n\n[Start](guide/swan/prepare.md#menu)\n", "notes.txt": "Kept.\n"}


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(project.write(tmp_path, docs=HOME))
    return tmp_path


def render(*options: str) -> Result:
    return CliRunner().invoke(cli.main, ["render", "out", *options])


def written(folder: Path, files: dict[str, str]) -> None:
    for path, text in files.items():
        (folder / path).write_bytes(text.encode())


def page(name: str = "guide/swan/finish.md") -> str:
    return Path("out/docs", name).read_text(encoding="utf-8")


def test_redirects_that_stay_behind_are_counted(here: Path) -> None:
    assert render().stderr == ""
    template = here / "site_templates/steps/finish.md.j2"
    template.write_text(
        template.read_text().replace("title: Finish", "title: Finish\nredirect_from: /old/{{ platform.id }}/")
    )
    Path("tutorial-tool.toml").write_text('[redirects]\n"/x/" = "/guide/swan/finish/"\n')
    done = render()
    assert done.exit_code == 0
    assert done.stderr == "Not included: 3 redirects. Configure this in your generator.\n"


@pytest.mark.usefixtures("here")
def test_the_navigation_has_titles_as_readers_see_them() -> None:
    assert render().exit_code == 0
    told = json.loads(Path("out/navigation.json").read_text(encoding="utf-8"))
    assert told[0] == {"title": "Home", "path": "index.md"}
    (guide,) = told[1:]
    assert [child["title"] for child in guide["children"]] == ["Swan", "Otter"]
    assert guide["children"][0]["children"] == [
        {"title": "Welcome", "path": "guide/swan/welcome.md"},
        {"title": "Step 1. Prepare Swan", "path": "guide/swan/prepare.md"},
        {"title": "Step 2. Finish", "path": "guide/swan/finish.md"},
    ]
    settings = yaml.safe_load(Path("out/mkdocs.yml").read_text(encoding="utf-8"))
    assert settings["docs_dir"] == "docs"
    assert settings["nav"][0] in ("index.md", {"Home": "index.md"})


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize(
    ("options", "old", "new"),
    [
        ((), "", "[step 1.1](prepare.md#menu)"),
        (("--links", "url"), "[step 1.1](prepare.md#menu)", "[step 1.1](../prepare/#menu)"),
        ((), "", "## 2.1 Check {: #check }"),
        (("--heading-ids", "hugo"), "{: #check }", "## 2.1 Check {#check}\n"),
        (("--heading-ids", "none"), "#check", "## 2.1 Check\n"),
        (("--no-front-matter",), "---\ntitle:", "# Step 2. Finish\n"),
    ],
)
def test_pages_are_written_as_an_engine_reads_them(options: tuple[str, ...], old: str, new: str) -> None:
    assert render(*options).exit_code == 0
    assert new in page()
    assert not old or old not in page()


@pytest.mark.parametrize(
    ("configuration", "heading", "link", "told"),
    [
        (
            "docusaurus.config.js",
            "## 1.1 Open the menu {#menu}\n",
            "prepare.md#menu",
            "written as `{#id}` for Docusaurus",
        ),
        ("hugo.toml", "## 1.1 Open the menu {#menu}\n", "prepare.md#menu", "written as `{#id}` for Hugo"),
        ("_config.yml", "## 1.1 Open the menu {#menu}\n", "prepare.md#menu", "written as `{#id}` for Jekyll"),
        ("mint.json", "## 1.1 Open the menu\n", "prepare.md#1-1-open-the-menu", "left out for Mintlify"),
        ("conf.py", "## 1.1 Open the menu\n", "prepare.md#11-open-the-menu", "left out for Sphinx"),
        ("mkdocs.yml", "## 1.1 Open the menu {: #menu }\n", "prepare.md#menu", ""),
    ],
)
def test_ids_have_the_form_of_the_generator_that_is_configured(
    here: Path, configuration: str, heading: str, link: str, told: str
) -> None:
    (here / configuration).write_text("{}\n")
    done = render()
    expected = f"Heading ids are {told}; to change that, set `--heading-ids`." if told else ""
    assert done.stdout.splitlines()[1:] == ([expected] if told else [])
    assert heading in page("guide/swan/prepare.md")
    assert f"({link})" in page()
    assert Path("out/mkdocs.yml").exists() is not bool(told)  # nobody would read it
    assert len(render("--heading-ids", "attr-list").stdout.splitlines()) == 1
    assert "{: #menu }" in page("guide/swan/prepare.md")


def test_that_mkdocs_wins_over_another_generator_is_told(here: Path) -> None:
    project.write(here, docs=HOME)
    written(here, {"mkdocs.yml": "docs_dir: docs_src\n", "hugo.toml": ""})
    told = "Written for MkDocs, whose configuration is also here; to write for Hugo, remove it."
    assert render().stdout.splitlines()[1:] == [told]
    Path("mkdocs.yml").unlink()
    assert "for Hugo; to change that" in render().stdout


@pytest.mark.usefixtures("here")
def test_links_lead_to_headings_without_ids() -> None:
    assert render("--heading-ids", "none").exit_code == 0
    assert "[step 1.1](prepare.md#11-open-the-menu)" in page()
    assert "## 1.1 Open the menu\n" in page("guide/swan/prepare.md")


def test_reference_definitions_lead_to_addresses_too(here: Path) -> None:
    (here / "docs_src/more.md").write_text("# More\n\nSee [it].\n\n[it]: guide/swan/finish.md#check\n")
    assert render("--links", "url").exit_code == 0
    assert "[it]: ../guide/swan/finish/#check\n" in page("more.md")


@pytest.mark.usefixtures("here")
def test_index_pages_can_have_another_name() -> None:
    assert render("--index", "_index.md").exit_code == 0
    assert page("_index.md").startswith("# Home")
    assert not Path("out/docs/index.md").exists()


def test_a_second_run_takes_away_what_is_gone_and_nothing_else(here: Path) -> None:
    assert render().exit_code == 0
    Path("out/mine.txt").write_text("Mine.\n")
    (here / "platforms.yaml").write_text(DATA.replace("      - prepare\n", ""))
    (here / "site_templates/steps/prepare.md.j2").unlink()
    for step, text in TEMPLATES.items():
        if "link('prepare" in text and step != "steps/prepare.md.j2":
            (here / "site_templates" / step).write_text("---\ntitle: Short\n---\n\n## Check {: #check }\n\nText.\n")
    (here / "docs_src/index.md").write_text("# Home\n")
    assert render().exit_code == 0
    assert not Path("out/docs/guide/swan/prepare.md").exists()
    assert Path("out/mine.txt").read_text() == "Mine.\n"
    assert Path("out/docs/notes.txt").read_text() == "Kept.\n"


def test_a_folder_with_other_files_is_left_alone(here: Path) -> None:
    (here / "out").mkdir()
    (here / "out/mine.txt").write_text("Mine.\n")
    refused = render()
    assert (refused.exit_code, "--force" in refused.output) == (2, True)
    assert [path.name for path in (here / "out").iterdir()] == ["mine.txt"]
    assert render("--force").exit_code == 0


def test_what_cannot_be_rendered_writes_nothing(here: Path) -> None:
    (here / "platforms.yaml").write_text("platforms: [\n")
    assert render().exit_code == 2
    assert not (here / "out").exists()


MARKED = """\
# More

See [it](index.md){ .button }, line<br>line.
{: .lead }

!!! warning "Mind"

    Wait.

    === "One"

        Text.

    === "Two"

        - Item

1. First

    === "Groovy"

        ```groovy
        x
        ```

    === "Kotlin"

        ``` { .kotlin }
        y
        ```

??? note

    Hidden.
"""
COMPONENTS = """\
import Tabs from '@theme/Tabs';
import TabItem from '@theme/TabItem';

# More

See [it](index.md), line<br />line.

:::warning[Mind]

Wait.

<Tabs>
<TabItem value="one" label="One">

Text.

</TabItem>
<TabItem value="two" label="Two">

- Item

</TabItem>
</Tabs>

:::

1. First

    <Tabs>
    <TabItem value="groovy" label="Groovy">

    ```groovy
    x
    ```

    </TabItem>
    <TabItem value="kotlin" label="Kotlin">

    ```kotlin
    y
    ```

    </TabItem>
    </Tabs>

<details>
<summary>Note</summary>

Hidden.

</details>
"""
ONE_BELOW_THE_OTHER = """\
# More

See [it](index.md), line line.

> **Mind**
>
> Wait.
>
> **One**
>
> Text.
>
> **Two**
>
> - Item

1. First

    **Groovy**

    ```groovy
    x
    ```

    **Kotlin**

    ```kotlin
    y
    ```

> **Note**
>
> Hidden.
"""
CODE_GROUP = """\
    ::: code-group

    ```groovy [Groovy]
    x
    ```

    ```kotlin [Kotlin]
    y
    ```

    :::
"""
DOCUSAURUS = "docusaurus.config.js"


def marked(here: Path, files: dict[str, str]) -> str:
    """A page with tabs, boxes and attributes, as it is rendered beside some files."""
    for name, text in files.items():
        path = here / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    (here / "docs_src/more.md").write_text(MARKED)
    assert render().exit_code == 0
    return page("more.md")


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ({}, MARKED),
        ({"mkdocs.yml": "site_name: Lamps\ndocs_dir: docs_src\n"}, MARKED),
        ({DOCUSAURUS: "module.exports = {};\n"}, COMPONENTS),
        ({"hugo.toml": "title = 'x'\n"}, ONE_BELOW_THE_OTHER),
    ],
)
def test_tabs_and_boxes_are_written_as_the_generator_reads_them(
    here: Path, files: dict[str, str], expected: str
) -> None:
    assert marked(here, files) == expected


@pytest.mark.parametrize(
    ("files", "shown"),
    [
        ({DOCUSAURUS: "module.exports = {markdown: {format: 'detect'}};"}, "**One**\n\nText.\n\n**Two**"),
        ({DOCUSAURUS: "", "package.json": '{"dependencies": {"@docusaurus/core": "2.4.1"}}'}, ":::warning Mind\n"),
        ({".vitepress/config.mts": "export default {srcDir: 'out/docs'}"}, CODE_GROUP),
        ({".vitepress/config.mts": "export default {}"}, "::: warning Mind\n\nWait.\n\n**One**\n"),
        ({".vitepress/config.mts": "export default {}"}, "[it](index.md){.button}, line<br>line.\n"),
        ({".vuepress/config.js": "module.exports = {}"}, "[it](index.md), line<br>line.\n"),
        ({"astro.config.mjs": "import starlight from '@astrojs/starlight';"}, ":::caution[Mind]\n"),
        ({"astro.config.mjs": "export default {};"}, "> **Mind**\n>\n> Wait.\n"),
        ({"conf.py": "extensions = ['myst_parser']"}, "> **Mind**\n>\n> Wait.\n"),
        ({"_config.yml": "title: x\n"}, "line<br>line.\n{: .lead }\n"),
        ({"hugo.toml": "[markup.goldmark.renderer]\nunsafe = true\n"}, "line<br>line.\n"),
        ({"hugo.toml": "", "layouts/_default/_markup/render-blockquote.html": ""}, "> [!WARNING] Mind\n> Wait.\n"),
    ],
)
def test_generators_have_forms_of_their_own(here: Path, files: dict[str, str], shown: str) -> None:
    assert shown in marked(here, files)


def test_pages_in_the_markdown_of_the_generator_come_out_byte_for_byte(here: Path) -> None:
    component = "import Tabs from '@theme/Tabs';\n\n<Tabs>\n</Tabs>\n\nA line.<br></br>Another. <Box a={'<br>'} />\n"
    pages = {
        "docs_src/box.md": f"---\ntitle: Box\n---\n{component}",
        "docs_src/bag.mdx": f"\ufeff# Box\r\n\r\n{component}## Two {{#two }}\r\n",
    }
    written(here, {**pages, "docs_src/ours.md": '# Ours\n\n!!! note "Mind"\n    Wait.<br>\n', "astro.config.mjs": ""})
    assert render("--links", "url").exit_code == 0
    Path("astro.config.mjs").rename("docusaurus.config.js")
    assert render().exit_code == 0
    for path, text in pages.items():
        assert Path("out/docs", path.removeprefix("docs_src/")).read_bytes() == text.encode()
    assert page("ours.md") == "# Ours\n\n:::note[Mind]\n\nWait.<br />\n\n:::\n"


def test_imports_and_ends_of_tags_that_a_template_has_are_not_written_twice(here: Path) -> None:
    body = "import Tabs from '@theme/Tabs';\n\n<Tabs>\n</Tabs>\n\nA line.<br></br>Another.\n\n## Check {: #check }\n"
    written(here, {"site_templates/steps/finish.md.j2": f"---\ntitle: Finish\n---\n{body}", "docusaurus.config.js": ""})
    assert render().exit_code == 0
    assert body.partition("##")[0] in page()


def test_links_from_pages_in_mdx_lead_to_addresses(here: Path) -> None:
    text = "[a](guide/swan/prepare.md#menu) [b](../c/) [d](d.png)\n"
    written(here, {"docs_src/index.md": "# Home\n", "docs_src/more.mdx": text, "astro.config.mjs": ""})
    assert render("--links", "url").exit_code == 0
    assert page("more.mdx") == text.replace("guide/swan/prepare.md#menu", "../guide/swan/prepare/#11-open-the-menu")


def test_boxes_in_boxes_have_longer_fences(here: Path) -> None:
    (here / DOCUSAURUS).write_text("")
    (here / "docs_src/more.md").write_text('# More\n\n!!! note\n    A\n\n    !!! tip "B [c]"\n        D\n')
    assert render().exit_code == 0
    assert page("more.md") == "# More\n\n::::note\n\nA\n\n:::tip[B \\[c\\]]\n\nD\n\n:::\n\n::::\n"


def test_code_in_tabs_keeps_its_own_tabs(here: Path) -> None:
    (here / "hugo.toml").write_text("")
    (here / "docs_src/more.md").write_text('# More\n\n=== "Make"\n\n    ```make\n    all:\n    \tgo\n    ```\n')
    assert render().exit_code == 0
    assert page("more.md") == "# More\n\n**Make**\n\n```make\nall:\n\tgo\n```\n"


def test_the_home_page_stands_before_folders_with_a_place(here: Path) -> None:
    (here / DOCUSAURUS).write_text("")
    (here / "platforms.yaml").write_text(DATA.replace("guide/{platform}/{step}", "'{platform}/{step}'"))
    (here / "docs_src/index.md").write_text("# Home\n")
    assert render().exit_code == 0
    assert page("index.md") == "---\nsidebar_position: 0\n---\n\n# Home\n"
    assert json.loads(page("swan/_category_.json")) == {"label": "Swan", "position": 1}


def test_what_looks_like_tabs_in_code_stays(here: Path) -> None:
    (here / DOCUSAURUS).write_text("")
    code = '# More\n\n```markdown\n=== "One"\n\n    Text { .x } <br>\n```\n'
    (here / "docs_src/more.md").write_text(code)
    assert render().exit_code == 0
    assert page("more.md") == code


@pytest.mark.parametrize(
    ("configuration", "said"),
    [
        (DOCUSAURUS, "sidebar_position: 2\n---\n"),
        ("hugo.toml", "weight: 2\n---\n"),
        ("astro.config.mjs", "sidebar:\n  order: 2\n---\n"),
    ],
)
def test_steps_tell_their_place(here: Path, configuration: str, said: str) -> None:
    (here / configuration).write_text("starlight\n")
    assert render().exit_code == 0
    assert said in page("guide/swan/prepare.md")


def test_what_a_page_says_of_its_place_stays(here: Path) -> None:
    (here / DOCUSAURUS).write_text("")
    template = here / "site_templates/steps/prepare.md.j2"
    template.write_text(template.read_text().replace("description:", "sidebar_position: 7\ndescription:"))
    assert render().exit_code == 0
    assert page("guide/swan/prepare.md").count("sidebar_position") == 1
    assert "sidebar_position: 7\n" in page("guide/swan/prepare.md")
    assert "sidebar_position" not in page("index.md")


def test_folders_of_platforms_have_their_names_and_places(here: Path) -> None:
    (here / DOCUSAURUS).write_text("")
    (here / "docs_src/guide/otter").mkdir(parents=True)
    (here / "docs_src/guide/otter/_category_.json").write_text("{}\n")
    assert render().exit_code == 0
    assert json.loads(page("guide/swan/_category_.json")) == {"label": "Swan", "position": 1}
    assert json.loads(page("guide/_category_.json")) == {"label": "Guide"}
    assert page("guide/otter/_category_.json") == "{}\n"
    assert not Path("out/docs/_category_.json").exists()


def test_sections_of_hugo_have_their_names_and_places(here: Path) -> None:
    (here / "hugo.toml").write_text("")
    assert render("--index", "_index.md").exit_code == 0
    assert page("guide/otter/_index.md") == '---\ntitle: "Otter"\nweight: 2\n---\n'
    assert page("guide/_index.md") == '---\ntitle: "Guide"\n---\n'
    assert page("_index.md").startswith("# Home")


def test_mdbook_has_its_list_of_chapters(here: Path) -> None:
    (here / "book.toml").write_text('[book]\nsrc = "out/docs"\n')
    assert render("--no-front-matter").exit_code == 0
    assert page("SUMMARY.md").startswith(
        "# Summary\n\n- [Home](index.md)\n- [Guide]()\n  - [Swan]()\n    - [Welcome](guide/swan/welcome.md)\n"
    )
    (here / "docs_src/SUMMARY.md").write_text("# Summary\n")
    assert render("--no-front-matter").exit_code == 0
    assert page("SUMMARY.md") == "# Summary\n"


def test_vitepress_has_its_sidebar(here: Path) -> None:
    (here / ".vitepress").mkdir()
    assert render().exit_code == 0
    home, guide = json.loads(Path("out/sidebar.json").read_text())
    assert home == {"text": "Home", "link": "/"}
    assert guide["items"][0]["items"][1] == {"text": "Step 1. Prepare Swan", "link": "/guide/swan/prepare"}


SITE = """\
site_name: Lamps
site_url: https://example.com/
theme: {name: material, language: de, custom_dir: overrides}
plugins: [search, tutorial]
markdown_extensions:
  - footnotes
  - attr_list
  - pymdownx.emoji:
      emoji_index: !!python/name:material.extensions.emoji.twemoji
"""


def test_the_site_is_published_with_the_extensions_and_the_theme_that_it_has(here: Path) -> None:
    (here / "mkdocs.yml").write_text(SITE, encoding="utf-8")
    assert render().exit_code == 0
    text = Path("out/mkdocs.yml").read_text(encoding="utf-8")
    assert "emoji_index: !!python/name:material.extensions.emoji.twemoji" in text
    told = yaml.safe_load(text.replace("!!python/name:", ""))
    assert (told["site_name"], told["site_url"]) == ("Lamps", "https://example.com/")
    assert told["theme"] == {"name": "material", "language": "de"}
    assert "plugins" not in told
    names = [next(iter(one)) if isinstance(one, dict) else one for one in told["markdown_extensions"]]
    assert names[:3] == ["footnotes", "attr_list", "pymdownx.emoji"]
    assert {"admonition", "tables", "pymdownx.superfences", "pymdownx.tabbed"} <= set(names)
    assert names.count("attr_list") == 1


def test_a_configuration_that_yaml_cannot_read_is_left_out(here: Path) -> None:
    (here / "mkdocs.yml").write_text("site_name: \x1bLamps\nsite_url: https://example.com/\n", encoding="utf-8")
    assert render().exit_code == 0
    assert "site_url" not in yaml.safe_load(Path("out/mkdocs.yml").read_text(encoding="utf-8"))


def test_extensions_may_be_a_mapping(here: Path) -> None:
    (here / "mkdocs.yml").write_text(
        "site_name: Lamps\nmarkdown_extensions:\n  toc: {permalink: true}\n", encoding="utf-8"
    )
    assert render().exit_code == 0
    told = yaml.safe_load(Path("out/mkdocs.yml").read_text(encoding="utf-8"))["markdown_extensions"]
    assert told["toc"] == {"permalink": True}
    assert told["pymdownx.tabbed"] == {"alternate_style": True}
    assert told["admonition"] == {}


def test_rendered_pages_are_no_copies(here: Path) -> None:
    assert render().exit_code == 0
    told = CliRunner().invoke(cli.main, ["lint", "out", "--isolated", "--show-variants"])
    assert "2 variants" not in told.output
    Path("out/.tutorial-tool.json").unlink()
    told = CliRunner().invoke(cli.main, ["lint", "out", "--isolated", "--show-variants"])
    assert "2 variants" in told.output
