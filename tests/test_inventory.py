"""What was published last is held against what is published now."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from mkdocs.commands.build import build as mkdocs_build
from mkdocs.config import load_config
from mkdocs.exceptions import Abort

from tests import project
from tutorial_tool import cli, site
from tutorial_tool.core.source import Source
from tutorial_tool.publishing import inventory
from tutorial_tool.site import loading

MKDOCS = "site_name: Shop\nsite_url: https://example.com/shop/\nmarkdown_extensions: [attr_list]\n"
INDEX = "# Shop\n\n[Install](install.md)\n\n## Prices\n\nFree.\n"
INSTALL = "---\ntitle: Install “it”\n---\n\n# Install\n\n[Shop](index.md)\n"


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A site that is published as its inventory says."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "docs").mkdir()
    (tmp_path / "mkdocs.yml").write_text(MKDOCS)
    (tmp_path / "docs/index.md").write_text(INDEX)
    (tmp_path / "docs/install.md").write_text(INSTALL, encoding="utf-8")
    (tmp_path / "tutorial-tool.toml").write_text('inventory = "published.json"\n')
    assert tool("inventory", "-o", "published.json").output == "2 pages in published.json\n"
    return tmp_path


def tool(*arguments: str) -> Result:
    return CliRunner().invoke(cli.main, arguments)


def lint() -> list[str]:
    return tool("lint", "--output-format", "concise", "--quiet").output.splitlines()


def test_an_inventory_has_pages_titles_and_anchors(here: Path) -> None:
    told = json.loads((here / "published.json").read_text(encoding="utf-8"))
    assert told == {
        "version": 1,
        "pages": [
            {"url": "/shop/", "title": "Shop", "anchors": ["prices", "shop"]},
            {"url": "/shop/install/", "title": "Install “it”", "anchors": ["install"]},
        ],
    }
    assert tool("inventory").output == (here / "published.json").read_text(encoding="utf-8")


def test_nothing_is_found_where_nothing_changed(here: Path) -> None:
    assert lint() == []


def test_a_page_that_is_gone_is_found_until_a_redirect_takes_its_address(here: Path) -> None:
    (here / "docs/install.md").rename(here / "docs/setup.md")
    (here / "docs/index.md").write_text(INDEX.replace("install.md", "setup.md"))
    place = "published.json:5:14: error[removed-url]"
    gone = "`/shop/install/` (“Install “it””) was published and is gone without a redirect; is it `/shop/setup/` now?"
    assert lint() == [f"{place} {gone}"]
    (here / "mkdocs.yml").write_text(MKDOCS + "plugins: [redirects: {redirect_maps: {install.md: setup.md}}]\n")
    assert lint() == []


@pytest.mark.parametrize(
    ("name", "old"), [("site_templates/steps/finish.md.j2", "Done."), ("platforms.yaml", "platforms:")]
)
def test_a_page_that_cannot_be_rendered_is_not_gone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, old: str
) -> None:
    monkeypatch.chdir(project.write(tmp_path))
    (tmp_path / "tutorial-tool.toml").write_text('inventory = "published.json"\n')
    tool("inventory", "-o", "published.json")
    assert "guide/swan/finish" in Path("published.json").read_text()
    file = Path(name)
    file.write_text(file.read_text().replace(old, f"{old} {{{{ nothing }}}}"))
    assert {line.partition("error[")[2].partition("]")[0] for line in lint() if "error[" in line} in (
        {"undefined-name"},
        {"invalid-data"},
    )


@pytest.mark.parametrize(
    ("old", "told"),
    [
        (
            "help/{platform}/{step}",
            "`/x/help/{platform}/finish/` was published; its page is now `/x/guide/{platform}/finish/`, without a redirect; "
            "write `redirect_from: /help/{{ platform.id }}/finish/` in its front matter (swan, otter)",
        ),
        (
            "help/{step}",
            "`/x/help/finish/` was published; its page is now `/x/guide/swan/finish/`, without a redirect; "
            'write `"/help/finish/" = "/guide/swan/finish/"` below `[redirects]` in the configuration (swan)',
        ),
    ],
)
def test_a_step_that_has_moved_is_told_once_with_what_to_write(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, old: str, told: str
) -> None:
    monkeypatch.chdir(project.write(tmp_path))
    (tmp_path / "mkdocs.yml").write_text("site_name: S\nsite_url: https://example.com/x/\ndocs_dir: docs_src\n")
    tool("inventory", "-o", "published.json")
    written = (tmp_path / "published.json").read_text(encoding="utf-8")
    for platform in ("swan", "otter") if "{platform}" in old else ("swan",):
        page = old.replace("{platform}", platform).replace("{step}", "finish")
        written = written.replace(f"/x/guide/{platform}/finish/", f"/x/{page}/")
    (tmp_path / "published.json").write_text(written, encoding="utf-8")
    (tmp_path / "tutorial-tool.toml").write_text('inventory = "published.json"\n')
    template = tmp_path / "site_templates/steps/finish.md.j2"
    place = "site_templates/steps/finish.md.j2:2:8: error[removed-url] "
    assert [line for line in lint() if "removed-url" in line] == [f"{place}{told}"]
    if "redirect_from" in told:
        line = told.partition("write `")[2].partition("`")[0]
        template.write_text(template.read_text().replace("---\n", f"---\n{line}\n", 1))
    else:
        with (tmp_path / "tutorial-tool.toml").open("a") as config:
            config.write(f"[redirects]\n{told.partition('write `')[2].partition('`')[0]}\n")
    assert not [line for line in lint() if "removed-url" in line]
    template.write_text(template.read_text() + "\n{{ nope }}\n")
    assert [line.partition("[")[2].partition("]")[0] for line in lint() if "error" in line] == ["undefined-name"]


def test_a_redirect_of_the_configuration_counts_if_it_leads_somewhere(here: Path) -> None:
    (here / "docs/install.md").rename(here / "docs/setup.md")
    (here / "docs/index.md").write_text(INDEX.replace("install.md", "setup.md"))
    config = here / "tutorial-tool.toml"
    config.write_text('inventory = "published.json"\n[redirects]\n"/shop/install/" = "/shop/setup/"\n')
    assert lint() == []
    config.write_text('inventory = "published.json"\n[redirects]\n"/shop/install/" = "/shop/setpu/"\n')
    assert [line.partition(" ")[2] for line in lint()] == [
        "error[broken-redirect] redirect from `/shop/install/` points to `/shop/setpu/`, which is not a page or file"
    ]


def test_an_anchor_that_is_gone_is_found_at_its_page(here: Path) -> None:
    (here / "docs/index.md").write_text(INDEX.replace("## Prices", "## Our prices"))
    assert lint() == [
        "docs/index.md:5:4: error[removed-anchor] published anchor `#prices` is no longer on `/shop/`; did you mean `#our-prices`?"
    ]
    (here / "docs/index.md").write_text(INDEX.replace("## Prices", "## Our prices {: #prices }"))
    assert lint() == []


def test_a_part_of_the_site_does_not_lose_the_rest(here: Path) -> None:
    ended = tool("lint", "--quiet", "docs/index.md")
    assert (ended.exit_code, ended.output) == (0, "")


def test_a_part_of_a_site_whose_pages_state_their_addresses_does_not_lose_the_rest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    docs = tmp_path / "src/content/docs"
    docs.mkdir(parents=True)
    (docs / "one.md").write_text("---\nslug: first\n---\n\n# One\n")
    (docs / "two.md").write_text("---\nslug: second\n---\n\n# Two\n")
    (tmp_path / "tutorial-tool.toml").write_text('inventory = "published.json"\n')
    tool("inventory", "-o", "published.json")
    assert [json.loads(line.rstrip(","))["url"] for line in Path("published.json").read_text().splitlines()[3:5]] == [
        "/first/",
        "/second/",
    ]
    assert lint() == []
    assert tool("lint", "--quiet", "src/content/docs/one.md").output == ""
    (docs / "two.md").unlink()
    assert [line.partition(" ")[2] for line in lint()] == [
        "error[removed-url] `/second/` (“Two”) was published and is gone without a redirect"
    ]


def test_a_build_writes_the_inventory_and_fails_when_an_address_is_gone(tmp_path: Path) -> None:
    project.write(tmp_path)
    (tmp_path / "docs_src/old.md").write_text("# Old\n")
    config = "site_name: S\nsite_url: https://example.com/\ndocs_dir: docs_src\nplugins: [search, tutorial]\n"
    (tmp_path / "mkdocs.yml").write_text(config)
    mkdocs_build(load_config(str(tmp_path / "mkdocs.yml"), theme="mkdocs"))
    written = (tmp_path / "site/inventory.json").read_text(encoding="utf-8")
    assert written == inventory.render_json([project.load(tmp_path)])
    (tmp_path / "published.json").write_text(written, encoding="utf-8")
    (tmp_path / "tutorial-tool.toml").write_text('inventory = "published.json"\n')
    (tmp_path / "docs_src/old.md").unlink()
    with pytest.raises(Abort):
        mkdocs_build(load_config(str(tmp_path / "mkdocs.yml"), theme="mkdocs", strict=True))


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("{", "not valid JSON"),
        ("[]", "it has no list of pages"),
        ('{"version": 2, "pages": []}', "this inventory has version 2; 1 can be read"),
        ('{"version": 1, "pages": [{}]}', "each page of an inventory has a `url`"),
        ('{"version": 1, "pages": [{"url": 1}]}', "each page of an inventory has a `url`"),
    ],
)
def test_a_file_that_is_no_inventory_is_an_error_that_names_it(here: Path, text: str, why: str) -> None:
    (here / "published.json").write_text(text)
    ended = tool("lint")
    assert ended.exit_code == 2
    assert "published.json: inventory: " in ended.output
    assert why in ended.output


def test_a_missing_inventory_is_an_error_that_names_it(here: Path) -> None:
    (here / "published.json").unlink()
    ended = tool("lint")
    assert ended.exit_code == 2
    assert "published.json" in ended.output


def test_odd_values_in_an_inventory_are_passed_over() -> None:
    read = inventory.parse_entries(
        Source("i.json", '{"version": 1, "pages": [{"url": "/\\u00e9/", "title": 1, "anchors": 2}]}')
    )
    assert [(entry.url, entry.title, entry.anchors) for entry in read] == [("/é/", "", ())]


def test_the_pages_of_a_tutorial_are_in_the_inventory(tmp_path: Path) -> None:
    read = loading.load(site.Layout.find(project.write(tmp_path)))
    told = json.loads(inventory.render_json([read]))
    prepare = next(page for page in told["pages"] if page["url"] == "/guide/swan/prepare/")
    assert prepare["title"] == "Step 1. Prepare Swan"
    assert "menu" in prepare["anchors"]


def test_a_project_that_cannot_be_loaded_has_no_inventory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(project.write(tmp_path, data="platforms: ["))
    ended = tool("inventory", "-o", "out.json")
    assert ended.exit_code == 2
    assert not (tmp_path / "out.json").exists()


RETIRED = "platforms:\n  a: {name: Alpha}\ntutorials:\n  t: {title: T, steps: [one]}\n"


@pytest.fixture
def retired(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project of which a platform is gone since its inventory was written, with a base path."""
    monkeypatch.chdir(tmp_path)
    steps = tmp_path / "site_templates/steps"
    steps.mkdir(parents=True)
    (steps / "one.md.j2").write_text("---\ntitle: The one\n---\n\nText of one.\n\n## Do it\n\nNow.\n")
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs/index.md").write_text("# Home\n\nText.\n")
    (tmp_path / "mkdocs.yml").write_text("site_name: X\nsite_url: https://example.com/ci/\nplugins: [tutorial]\n")
    (tmp_path / "platforms.yaml").write_text(RETIRED.replace("tutorials:", "  b: {name: Beta}\ntutorials:"))
    (tmp_path / "tutorial-tool.toml").write_text('inventory = "published.json"\n')
    assert tool("inventory", "-o", "published.json").output == "3 pages in published.json\n"
    (tmp_path / "platforms.yaml").write_text(RETIRED)
    return tmp_path


def built(root: Path) -> None:
    mkdocs_build(load_config(str(root / "mkdocs.yml"), strict=True))


def test_a_pattern_is_published_for_each_address_of_the_inventory(retired: Path) -> None:
    assert [line.split(": ")[0] for line in lint()] == ["published.json:6:14"]
    (retired / "tutorial-tool.toml").write_text('inventory = "published.json"\n[redirects]\n"/t/b/*" = "/t/a/:splat"\n')
    assert lint() == []
    built(retired)
    assert "url=../../a/one/" in (retired / "site/t/b/one/index.html").read_text()
    assert sorted(path.name for path in (retired / "site/t/b").iterdir()) == ["one"]


def test_the_inventory_keeps_the_addresses_that_lead_on(retired: Path) -> None:
    redirects = '[redirects]\n"/t/b/*" = "/t/a/:splat"\n"/faq/" = "/#home"\n'
    (retired / "tutorial-tool.toml").write_text(f'inventory = "published.json"\n{redirects}')
    built(retired)
    written = (retired / "site/inventory.json").read_text(encoding="utf-8")
    assert json.loads(written)["redirects"] == [
        {"url": "/ci/faq/", "to": "/ci/#home"},
        {"url": "/ci/t/b/one/", "to": "/ci/t/a/one/"},
    ]
    assert tool("inventory").output == written
    (retired / "published.json").write_text(written, encoding="utf-8")
    assert lint() == []
    assert tool("inventory").output == written, "the pattern takes what it took before"
    (retired / "tutorial-tool.toml").write_text('inventory = "published.json"\n')
    assert [line.partition("[removed-url] ")[2] for line in lint()] == [
        "`/ci/faq/` redirected to `/ci/#home`, but no longer does",
        "`/ci/t/b/one/` redirected to `/ci/t/a/one/`, but no longer does; "
        'write `"/t/b/one/" = "/t/a/one/"` below `[redirects]` in the configuration (a)',
    ]


def test_what_sent_readers_on_is_told_once_for_all_platforms(retired: Path) -> None:
    (retired / "platforms.yaml").write_text(RETIRED.replace("tutorials:", "  b: {name: Beta}\ntutorials:"))
    one = retired / "site_templates/steps/one.md.j2"
    text = one.read_text()
    one.write_text(text.replace("---\n", "---\nredirect_from: /t/{{ platform.id }}/old/\n", 1))
    assert tool("inventory", "-o", "published.json").exit_code == 0
    assert lint() == []
    one.write_text(text)
    assert lint() == [
        "site_templates/steps/one.md.j2:2:8: error[removed-url] `/ci/t/{platform}/old/` redirected to "
        "`/ci/t/{platform}/one/`, but no longer does; write `redirect_from: /t/{{ platform.id }}/old/` in its front "
        "matter (a, b)"
    ]


def test_a_redirect_to_a_page_with_a_mistake_is_no_mistake(retired: Path) -> None:
    (retired / "tutorial-tool.toml").write_text('[redirects]\n"/old/" = "/t/a/one/"\n')
    assert lint() == []
    with (retired / "site_templates/steps/one.md.j2").open("a") as template:
        template.write("{{ platform.values.x }}\n")
    assert [line.partition("[")[2].partition("]")[0] for line in lint()] == ["undefined-name"]


def test_a_section_that_moved_to_another_step_is_told_where_it_is(retired: Path) -> None:
    (retired / "platforms.yaml").write_text(RETIRED.replace("[one]", "[one, two]"))
    two = retired / "site_templates/steps/two.md.j2"
    two.write_text("---\ntitle: The two\n---\n\nText of two.\n")
    assert tool("inventory", "-o", "published.json").exit_code == 0
    one = retired / "site_templates/steps/one.md.j2"
    start, section = one.read_text().split("## Do it")
    one.write_text(start)
    two.write_text(f"---\ntitle: The two\n---\n\n## Do it{section}")
    assert [line.partition("/one/`: ")[2] for line in lint()] == [
        "`/ci/t/a/two/` has it now; redirects cannot replace an anchor: keep a heading with this id, or write a new inventory"
        " (a)"
    ]
