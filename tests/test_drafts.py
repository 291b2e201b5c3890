"""Platforms, steps and rows that are not ready: left out of a build, shown while serving, no finding of others."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from tests import nine
from tests.test_plugin import ENVIRONMENT, served, shows
from tutorial_tool.cli import main
from tutorial_tool.config.settings import Config
from tutorial_tool.core.traced import strip_origins
from tutorial_tool.linter import engine
from tutorial_tool.publishing import platform_switcher
from tutorial_tool.templating.places import PageId


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return nine.write(tmp_path)


def of(folder: Path, step: str, platform: str, *, drafts: bool = False) -> str:
    return nine.load(folder, drafts=drafts).by_address[PageId("quickstart", step, platform)].plain


def test_a_draft_platform_is_left_out_and_stops_nobody(folder: Path) -> None:
    site = nine.load(folder)
    assert {page.platform for page in site.pages if page.place} == {*nine.PUBLISHED}
    assert not engine.run(site, Config())
    assert "iOS, Android, Web, React Native, Roku, Node.js, Python." in of(folder, "overview", "ios")


def test_a_draft_shows_what_it_lacks_in_place(folder: Path) -> None:
    site = nine.load(folder, drafts=True)
    assert len(site.pages) == 1 + 9 * 6 - 2
    assert "Install `«To be written: value sdk»`" in of(folder, "install", "unity", drafts=True)
    assert "**«To be written: label input»**" in of(folder, "create-key", "unity", drafts=True)
    assert "| API secret | To be written |" in of(folder, "create-key", "unity", drafts=True)
    assert "**To be written:** code `start`, Unity" in of(folder, "start", "unity", drafts=True)
    assert not site.findings
    told = {finding.message.partition(";")[0] for finding in site.unfinished}
    assert told >= {"platform `unity` has no value `sdk`", "platform `unity` has no label `input`"}
    related = next(finding.related for finding in site.unfinished if "`sdk`" in finding.message)
    assert related[0].span.path == "platforms.yaml"


def test_published_pages_are_the_same_while_serving(folder: Path) -> None:
    built, served_ = nine.load(folder), nine.load(folder, drafts=True).published_site
    assert {page.path: page.plain for page in built.pages} == {page.path: page.plain for page in served_.pages}
    assert engine.run(built, Config()) == engine.run(served_, Config()) == []


def test_only_lint_with_drafts_reports_what_they_lack(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    assert CliRunner().invoke(main, ["lint"]).exit_code == 0
    done = CliRunner().invoke(main, ["lint", "--drafts", "--output-format", "concise"])
    assert done.exit_code == 1
    assert "platforms.yaml:15:3: warning[undefined-name] platform `unity` has no value `sdk`" in done.output
    assert "site_templates/steps/start.md.j2:7:4: warning[missing-code]" in done.output
    assert "row `secret` lacks `value` on unity" in done.output


@pytest.mark.parametrize("draft", ["draft: true", "draft: [servers, ios]"])
def test_a_draft_step_is_skipped_by_numbers_and_links(tmp_path: Path, draft: str) -> None:
    data = nine.DATA.replace("- create-key", f"- {{id: create-key, {draft}}}")
    site = nine.load(nine.write(tmp_path, data=data))
    assert PageId("quickstart", "create-key", "ios") not in site.by_address
    assert (PageId("quickstart", "create-key", "web") in site.by_address) is ("[" in draft)
    assert of(tmp_path, "install", "ios").startswith("---\ntitle: Step 1. Install")
    assert "Begin with Create a key." in of(tmp_path, "overview", "ios"), "there is no page to link to"
    assert not site.errors


def test_a_draft_step_needs_no_template(tmp_path: Path) -> None:
    data = nine.DATA.replace("      - verify\n", "      - verify\n      - {id: share, draft: true}\n")
    folder = nine.write(tmp_path, data=data)
    assert not nine.load(folder).findings
    assert "**To be written:** step `share` has neither a template" in of(folder, "share", "ios", drafts=True)


def test_a_draft_row_is_left_out(tmp_path: Path) -> None:
    row = "      region: {option: Region, draft: true}\n      zone: {option: Zone, value: EU, draft: [servers]}\n"
    folder = nine.write(tmp_path, data=nine.DATA + row)
    assert not nine.load(folder).findings
    assert "Region" not in of(folder, "create-key", "ios")
    assert "| Region | To be written |" in of(folder, "create-key", "ios", drafts=True)
    assert "| Zone | EU |" in of(folder, "create-key", "ios")
    assert "Zone" not in of(folder, "create-key", "node")


def test_a_draft_whose_template_fails_is_shown_as_what_fails(tmp_path: Path) -> None:
    folder = nine.write(tmp_path)
    template = folder / "site_templates/steps/verify.md.j2"
    template.write_text(template.read_text() + "\n{% if platform.id == 'unity' %}{{ nothing }}{% endif %}\n")
    assert not nine.load(folder).errors
    assert "**To be written:** `nothing` is not defined" in of(folder, "verify", "unity", drafts=True)


def test_a_page_that_people_wrote_for_a_draft_is_not_published(folder: Path) -> None:
    page = folder / "docs_src/quickstart/unity/start.md"
    page.parent.mkdir(parents=True)
    page.write_text("# Start the SDK\n\nPress **Play**.\n")
    site = nine.load(folder)
    assert "quickstart/unity/start.md" not in {page.path for page in site.pages}
    assert site.withheld == {"quickstart/unity/start.md"}
    assert "Press **Play**." in of(folder, "start", "unity", drafts=True)


def test_the_switcher_announces_drafts_where_that_is_set(folder: Path) -> None:
    def names(*, announced: bool) -> dict[str, bool]:
        site = nine.load(folder)
        site.configure(replace(Config(), announce_drafts=announced))
        page = site.by_address[PageId("quickstart", "start", "ios")]
        return {
            strip_origins(choice.platform.name): choice.is_announced
            for choice in platform_switcher.list_choices(site, page)
        }

    assert len(names(announced=False)) == 7
    assert names(announced=True) | {"Flutter": True, "Unity": True} == names(announced=True)
    assert len(names(announced=True)) == 9


def test_draft_takes_true_or_platforms(tmp_path: Path) -> None:
    site = nine.load(nine.write(tmp_path, data=nine.DATA.replace("- verify", "- {id: verify, draft: [rokku]}")))
    assert [finding.message for finding in site.findings] == [
        "`draft`: unknown platform or group `rokku`; did you mean `roku`?"
    ]
    site = nine.load(nine.write(tmp_path, data=nine.DATA.replace("- verify", "- {id: verify, draft: soon}")))
    assert [finding.message for finding in site.findings] == ["`draft` should be true or false, not `soon`"]


@pytest.mark.slow
def test_a_strict_build_leaves_drafts_out_and_serving_marks_them(folder: Path) -> None:
    page = folder / "docs_src/quickstart/unity/verify.md"
    page.parent.mkdir(parents=True)
    page.write_text("# Verify\n\nPress **Play**.\n")
    (folder / "tutorial-tool.toml").write_text("announce-drafts = true\n")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict"]
    done = subprocess.run(command, cwd=folder, env=ENVIRONMENT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert sorted(path.name for path in (folder / "site/quickstart").iterdir()) == sorted(nine.PUBLISHED)
    html = (folder / "site/quickstart/ios/start/index.html").read_text()
    assert "Unity <small>(coming soon)</small>" in html
    with served(folder) as url:
        assert shows(url + "quickstart/unity/start/", "<mark>«To be written: value entry»</mark>")
        assert shows(url + "quickstart/unity/start/", "Draft: this page is not published.")
