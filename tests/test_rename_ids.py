"""`rename` of a platform, step, or tutorial: data, templates, files, links, and redirects change together."""

from __future__ import annotations

import json
import random
import re
import tomllib
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tests import nine
from tutorial_tool.cli import main
from tutorial_tool.scaffold import transaction

EXTRA = {
    "docs_src/index.md": """\
# Smart lock

[Install it](quickstart/ios/install.md), [on the Web](/docs/quickstart/web/install/), or [start](quickstart/ios/start.md).

![The lock](images/ios/install/lock.png)
""",
    "docs_src/quickstart/web/install.md": "# Install by script\n\nThen [start](start.md), or go [back](create-key.md).\n",
    "docs_src/quickstart/roku/verify.md": "# Verify\n\nDid you [install](install.md) it?\n",
    "site_templates/steps/verify.md.j2": """\
---
title: Verify the result
---

The dashboard shows one event. If not, {{ link('quickstart/install') }} again, or [look](../start/).

{% if platform.id == 'ios' %}Look at the phone.{% endif %}
""",
    "mkdocs.yml": """\
site_name: Smart lock
site_url: https://example.com/docs/
docs_dir: docs_src
plugins: [search, tutorial]
nav:
  - index.md
  - Quickstart: tutorial:quickstart
  - iOS at once: quickstart/ios/install.md
""",
}
PICTURE = b"\x89PNG\r\n\x1a\n\x00\xff picture"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    nine.write(tmp_path)
    for name, text in EXTRA.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    picture = tmp_path / "docs_src/images/ios/install/lock.png"
    picture.parent.mkdir(parents=True)
    picture.write_bytes(PICTURE)
    return tmp_path


def run(*args: str) -> Result:
    return CliRunner().invoke(main, args)


def files(folder: Path) -> dict[str, bytes]:
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


def errors() -> list[str]:
    """What is wrong with the project, as the linter says: the fixture has a typed link or two that it advises against."""
    found = json.loads(run("lint", "--output-format", "json", "--exit-zero").output)
    return [finding["message"] for finding in found if finding["severity"] == "error"]


def redirects(folder: Path) -> dict[str, str]:
    table: dict[str, str] = tomllib.loads((folder / "tutorial-tool.toml").read_text())["redirects"]
    return table


def texts(folder: Path) -> list[str]:
    """What the pages say in their order, without addresses and file names of the project."""
    return sorted(re.sub(r"\]\([^)]*\)|site_templates/\S+", "", page.plain) for page in nine.load(folder).pages)


def test_a_platform_takes_its_files_links_and_pictures_with_it(folder: Path) -> None:
    before = texts(folder)
    done = run("rename", "ios", "apple")
    assert done.exit_code == 0, done.output
    assert (
        "Moved site_templates/steps/start/start.ios.swift to site_templates/steps/start/start.apple.swift"
        in done.output
    )
    assert "Added 6 redirects to tutorial-tool.toml" in done.output
    assert texts(folder) == before
    assert errors() == []
    assert (folder / "docs_src/images/apple/install/lock.png").read_bytes() == PICTURE
    assert not (folder / "docs_src/images/ios").exists()
    assert "platform.id == 'apple'" in (folder / "site_templates/steps/verify.md.j2").read_text()
    assert "(quickstart/apple/install.md)" in (folder / "docs_src/index.md").read_text()
    assert "quickstart/apple/install.md" in (folder / "mkdocs.yml").read_text()
    assert redirects(folder)["/quickstart/ios/verify/"] == "/quickstart/apple/verify/"


def test_a_label_that_a_draft_lacks_is_renamed(folder: Path) -> None:
    """The figure of the draft names the label that is missing."""
    done = run("rename", "input", "box", "--kind", "label")
    assert done.exit_code == 0, done.output
    assert "other.label('box')" in (folder / "site_templates/figures/inputs.svg.j2").read_text()
    assert errors() == []


def test_a_step_takes_its_template_parts_and_copies_with_it(folder: Path) -> None:
    before = texts(folder)
    done = run("rename", "install", "set-up", "--kind", "step")
    assert done.exit_code == 0, done.output
    assert texts(folder) == before
    assert errors() == []
    names = files(folder)
    assert not [name for name in names if "/install" in name.replace("/set-up/install", "")]
    assert (folder / "docs_src/quickstart/web/set-up.md").exists()
    assert "link('quickstart/set-up')" in (folder / "site_templates/steps/verify.md.j2").read_text()
    assert "[install](set-up.md)" in (folder / "docs_src/quickstart/roku/verify.md").read_text()
    assert len(redirects(folder)) == len(nine.PUBLISHED)


def test_a_tutorial_is_renamed_in_the_navigation_and_in_its_path(folder: Path) -> None:
    data = folder / "platforms.yaml"
    data.write_text(
        data.read_text().replace("path: quickstart/", "path: '{tutorial}/").replace("{step}\n", "{step}'\n")
    )
    before = texts(folder)
    done = run("rename", "quickstart", "first-lock", "--kind", "tutorial")
    assert done.exit_code == 0, done.output
    assert texts(folder) == before
    assert errors() == []
    assert "tutorial:first-lock" in (folder / "mkdocs.yml").read_text()
    assert (folder / "docs_src/first-lock/roku/verify.md").exists()
    assert redirects(folder)["/quickstart/node/verify/"] == "/first-lock/node/verify/"


def test_there_and_back_leaves_the_project_and_no_redirect_from_a_page(folder: Path) -> None:
    before = files(folder)
    for old, new in (("web", "browser"), ("browser", "web")):
        assert run("rename", old, new).exit_code == 0
    after = files(folder)
    assert "/quickstart/web/verify/" not in redirects(folder)
    assert redirects(folder)["/quickstart/browser/verify/"] == "/quickstart/web/verify/"
    del after["tutorial-tool.toml"]
    assert after == before


def test_redirects_that_are_there_follow(folder: Path) -> None:
    own = '[redirects]\n"/old/" = "/quickstart/web/install/" # since May\n\n[rules.link]\n'.replace(
        "\n[rules.link]\n", ""
    )
    (folder / "tutorial-tool.toml").write_text(own)
    assert run("rename", "web", "browser").exit_code == 0
    assert redirects(folder)["/old/"] == "/quickstart/browser/install/"
    assert "# since May" in (folder / "tutorial-tool.toml").read_text()


def test_pages_for_all_platforms_are_redirected(folder: Path) -> None:
    data = folder / "platforms.yaml"
    data.write_text(data.read_text().replace("    title: Quickstart\n", "    title: Quickstart\n    combined: true\n"))
    done = run("rename", "install", "set-up", "--kind", "step")
    assert done.exit_code == 0, done.output
    assert redirects(folder)["/quickstart/install/"] == "/quickstart/set-up/"
    assert "broken-redirect" not in run("lint").output


def test_a_dry_run_says_the_same_and_writes_nothing(folder: Path) -> None:
    before = files(folder)
    told = run("rename", "ios", "apple", "--dry-run").output
    assert files(folder) == before
    done = run("rename", "ios", "apple").output
    for would, does in (("Would move", "Moved"), ("Would change", "Changed"), ("Would add", "Added")):
        told = told.replace(would, does)
    assert told == done


@pytest.mark.parametrize(
    ("change", "args", "message"),
    [
        ({}, ("roku", "web"), "`web` already exists"),
        ({}, ("roku", "servers"), "`servers` already exists"),
        ({}, ("roku", "a b"), "`a b` is not an id"),
        ({}, ("install", "start", "--kind", "step"), "`start` already exists"),
        (
            {"docs_src/quickstart/tv/verify.md": "# Verify\n"},
            ("roku", "tv"),
            "docs_src/quickstart/tv/verify.md already",
        ),
        ({"tutorial-tool.toml": 'redirects = {"/a/" = "/b/"}\n'}, ("roku", "tv"), "write the redirects as a table"),
        ({"pyproject.toml": "[tool.tutorial-tool]\n"}, ("roku", "tv"), "move `[tool.tutorial-tool]` of pyproject.toml"),
        (
            {"site_templates/steps/verify.md.j2": "---\ntitle: Verify\n---\n\nOn `{{ platform.id }}`.\n"},
            ("ios", "apple"),
            "the page quickstart/ios/verify.md would change",
        ),
    ],
)
def test_what_would_change_a_page_is_refused(
    folder: Path, change: dict[str, str], args: tuple[str, ...], message: str
) -> None:
    for name, text in change.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text)
    before = files(folder)
    done = run("rename", *args)
    assert done.exit_code == 2
    assert message in done.output, done.output
    assert files(folder) == before


@pytest.mark.parametrize("args", [("ios", "apple"), ("install", "set-up", "--kind", "step")])
def test_a_run_that_was_killed_anywhere_is_finished_by_the_next(
    folder: Path, args: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever subset of the files was written before it was killed."""
    start, kept = files(folder), {}
    write = transaction._write_changes
    monkeypatch.setattr(transaction, "_write_changes", lambda made, layout: kept.update(made))
    assert run("rename", *args).exit_code == 0
    notes = (folder / transaction.FILE).read_bytes()
    monkeypatch.setattr(transaction, "_write_changes", write)
    assert "Finished a change" in run("rename", *args).output
    whole = files(folder)
    assert transaction.FILE not in whole
    chance = random.Random(7)
    for _ in range(20):
        for name in files(folder):
            (folder / name).unlink()
        some = {name for name in kept if chance.random() < 0.5}
        now = start | {name: kept[name] for name in some}
        for name, data in {**now, transaction.FILE: notes}.items():
            if data is not None:
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
                (folder / name).write_bytes(data)
        assert "Finished a change" in run("rename", *args).output
        assert files(folder) == whole
