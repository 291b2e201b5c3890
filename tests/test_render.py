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
    assert done.stderr == "3 redirects are no part of it: state them there in its generator's own way\n"


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
        ("docusaurus.config.js", "## 1.1 Open the menu {#menu}\n", "prepare.md#menu", "as `{#id}`, for Docusaurus"),
        ("hugo.toml", "## 1.1 Open the menu {#menu}\n", "prepare.md#menu", "as `{#id}`, for Hugo"),
        ("_config.yml", "## 1.1 Open the menu {#menu}\n", "prepare.md#menu", "as `{#id}`, for Jekyll"),
        ("mint.json", "## 1.1 Open the menu\n", "prepare.md#1-1-open-the-menu", "not written, for Mintlify"),
        ("conf.py", "## 1.1 Open the menu\n", "prepare.md#11-open-the-menu", "not written, for Sphinx"),
        ("mkdocs.yml", "## 1.1 Open the menu {: #menu }\n", "prepare.md#menu", ""),
    ],
)
def test_ids_have_the_form_of_the_generator_that_is_configured(
    here: Path, configuration: str, heading: str, link: str, told: str
) -> None:
    (here / configuration).write_text("{}\n")
    done = render()
    expected = f"The ids of headings are {told}; `--heading-ids` takes another form" if told else ""
    assert done.stdout.splitlines()[1:] == ([expected] if told else [])
    assert heading in page("guide/swan/prepare.md")
    assert f"({link})" in page()
    assert Path("out/mkdocs.yml").exists() is not bool(told)  # nobody would read it
    assert len(render("--heading-ids", "attr-list").stdout.splitlines()) == 1
    assert "{: #menu }" in page("guide/swan/prepare.md")


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


def test_extensions_may_be_a_mapping(here: Path) -> None:
    (here / "mkdocs.yml").write_text(
        "site_name: Lamps\nmarkdown_extensions:\n  toc: {permalink: true}\n", encoding="utf-8"
    )
    assert render().exit_code == 0
    told = yaml.safe_load(Path("out/mkdocs.yml").read_text(encoding="utf-8"))["markdown_extensions"]
    assert told["toc"] == {"permalink": True}
    assert told["pymdownx.tabbed"] == {"alternate_style": True}
    assert told["admonition"] == {}
