"""Names of platforms with brackets, quotes, one letter, or within each other are data, in every command."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.repository import Repository
from tests.test_adopt import rendered
from tutorial_tool import cli

NAMES = [
    ("C", "C++", "Objective-C"),
    ("a", "ab", "abc"),
    ("[One]", "Two (beta)", "{Tri}"),
    ("It's", 'Say "hi"', "`Tick`"),
    ("*Star*", "**Bold**", "<b>Tag</b>"),
    ("{{ lamp }}", "{% lamp %}", "{# lamp #}"),
    ("a.b", "a+b", "(?:x)"),
    (r"\d", r"\1", "$&"),
    ("Node", "Node.js", "Node.js 2"),
]
IDS = ("alpha", "beta", "gamma")
TEXT = """---
title: Pair a lamp
---

A lamp is paired once, and stays paired until you reset it with the button.

Open the settings of {}, and select **Pair**. It takes 2 minutes.

| Setting | Value |
| --- | --- |
| Wake | On |

When the lamp blinks twice, {} is ready.
"""
CONFIG = 'variants = ["docs/guides/{platform}/pair.md"]\n'


def call(*arguments: str | Path) -> str:
    done = CliRunner().invoke(cli.main, [*map(str, arguments)])
    assert done.exit_code in (0, 1), done.output
    return done.output


@pytest.fixture(params=NAMES, ids=" ".join)
def names(request: pytest.FixtureRequest) -> tuple[str, ...]:
    found: tuple[str, ...] = request.param
    return found


@pytest.fixture
def copies(names: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repository:
    """A repository with a copy for each of the names."""
    repository = Repository(tmp_path / "copies")
    pages = {f"docs/guides/{id_}/pair.md": TEXT.format(name, name) for id_, name in zip(IDS, names, strict=True)}
    repository.commit(tree={**pages, "tutorial-tool.toml": CONFIG})
    monkeypatch.chdir(repository.folder)
    return repository


def test_adopt_gives_the_same_bytes_back(copies: Repository) -> None:
    pages = [copies.folder / f"docs/guides/{id_}/pair.md" for id_ in IDS]
    out = call("adopt", *pages, "--step", "pair", "--into", "out")
    assert "all 3 pages are identical byte for byte" in out
    for path, content in rendered(copies.folder / "out").items():
        assert content == (copies.folder / "docs" / path).read_bytes()


def test_sync_carries_an_edit_to_each_name(copies: Repository, names: tuple[str, ...]) -> None:
    copies.edit("docs/guides/alpha/pair.md", "blinks twice", "blinks green twice")
    call("sync", "--write")
    for id_, name in zip(IDS, names, strict=True):
        page = (copies.folder / f"docs/guides/{id_}/pair.md").read_text()
        assert page == TEXT.format(name, name).replace("blinks twice", "blinks green twice")


def test_compare_shows_what_a_copy_lacks(copies: Repository) -> None:
    copies.edit("docs/guides/beta/pair.md", "| Wake | On |\n", "")
    assert "Wake" in call("compare", "pair", "docs", "--only-differences")
    assert "Wake" in call("compare", "pair", "docs", "--platforms", "alpha,beta")
    call("compare", "--html", "out.html", "pair", "docs")
    assert "<b>Tag</b>" not in Path("out.html").read_text()


@pytest.fixture
def project(names: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repository:
    """A repository with a project whose platforms have the names."""
    repository = Repository(tmp_path / "project")
    platforms = {id_: {"name": name, "labels": {"save": name}} for id_, name in zip(IDS, names, strict=True)}
    data = {"platforms": platforms, "tutorials": {"lamps": {"title": "Lamps", "steps": ["pair"]}}}
    template = "---\ntitle: Pair\n---\n\nOpen {{ platform.name }}.\n\nSelect {{ platform.label('save') }}.\n"
    repository.commit(
        tree={
            "platforms.yaml": json.dumps(data),
            "site_templates/steps/pair.md.j2": template,
            "docs/index.md": "# Hi\n",
        }
    )
    monkeypatch.chdir(repository.folder)
    return repository


def test_diff_tells_what_changes_on_all(project: Repository) -> None:
    project.edit("site_templates/steps/pair.md.j2", "Open {{ platform.name }}", "Close {{ platform.name }}")
    told = json.loads(call("diff", "--output-format", "json"))
    assert "Close" in json.dumps(told)
    assert "Open" in call("diff", "--output-format", "markdown")
    assert "Close" in call("diff")


def test_where_finds_a_label_on_all(project: Repository, names: tuple[str, ...]) -> None:
    (found,) = json.loads(call("where", "platform.labels.save", "--json"))
    assert [json.loads(place["value"]) for place in found["definitions"]] == list(names)
    assert "platforms.yaml:1" in call("where", "alpha")
