"""Our own tutorial with one fault at a time: a strict build fails, and names the place once."""

from __future__ import annotations

import logging
import shutil
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from mkdocs.commands.build import build
from mkdocs.config import load_config
from mkdocs.exceptions import Abort

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parent.parent
PICTURE = "step.png"
GUIDE = "docs_src/guide/data.md"
IOS = "docs_src/developers/quickstart/ios"
COPY = """\
---
title: Verify your input
---

Look at the events.

## Troubleshooting {{: #troubleshooting }}

Wait a minute.

[Previous: {previous}]({previous_to}) | [Next: {next}]({next_to})
"""
"""A page that somebody keeps by hand, of the step between `create-input` and `create-output`."""


@dataclass(frozen=True)
class Fault:
    """What is put in: `text` at the end of a file. `rule` reports it on the line of `mark`; "" means all of the text."""

    name: str
    rule: str
    text: str
    path: str = GUIDE
    mark: str = ""


def copy(**links: str) -> str:
    told = {"previous": "Create an input", "previous_to": "create-input.md"}
    told |= {"next": "Create an output", "next_to": "create-output.md"}
    return COPY.format(**(told | links))


THEME = """\
{% extends "base.html" %}
{% block footer %}<a href="{{ base_url }}/imprint/">Imprint</a>{% endblock %}
"""

FAULTS = (
    # Links
    Fault("a page that is not there", "broken-link", "See [this](nowhere.md)."),
    Fault("a raw link to nowhere", "broken-link", 'See <a href="../nowhere/">this</a>.'),
    Fault("a file's name in a raw link", "broken-link", 'See <a href="data.md">this</a>.'),
    Fault("a heading as the target", "broken-link", "See [this](<Add a platform>)."),
    Fault("a reference to nowhere", "broken-link", "See [this][gone].\n\n[gone]: gone.md", mark="[gone]: gone.md"),
    Fault("a host without a scheme", "broken-link", "See [this](www.mparticle.com)."),
    Fault("too many steps up", "broken-link", "See [this](../../guide/lint.md)."),
    Fault("the page in another case", "broken-link", "See [this](Data.md)."),
    Fault("a link in a table", "broken-link", "| One | Two |\n| --- | --- |\n| A | [B](b.md) |", mark="| A | [B](b.md) |"),
    Fault("a folder without a page", "broken-link", "See [this](../developers/)."),
    Fault("an address from the root", "broken-link", "See [this](/docs/guide/nowhere/)."),
    Fault("an address above the site", "absolute-path", "See [this](/guide/templates/)."),
    Fault("a link in a template", "broken-link", "See [this](nowhere.md).", "site_templates/steps/create-output.md.j2"),
    Fault("a link in a part", "broken-link", "See [this](nowhere.md).", "site_templates/steps/overview/build.web.md"),
    Fault("a style sheet", "broken-link", "\nextra_css: [assets/gone.css]\n", "mkdocs.yml", mark="extra_css: [assets/gone.css]"),
    Fault("the theme", "broken-link", THEME, "overrides/main.html", mark="imprint"),
    # Anchors
    Fault("an anchor that is not there", "broken-anchor", "See [this](templates.md#nowhere)."),
    Fault("an anchor on the same page", "broken-anchor", "See [this](#nowhere)."),
    Fault("an anchor in another case", "broken-anchor", "See [this](templates.md#What-a-template-can-use)."),
    Fault("an anchor in a raw link", "broken-anchor", 'See <a href="../templates/#nowhere">this</a>.'),
    Fault("a second heading that is not there", "broken-anchor", "See [this](templates.md#what-a-template-can-use_1)."),
    Fault("an anchor in a template", "broken-anchor", "See [this](create-input.md#nowhere).", "site_templates/steps/create-output.md.j2"),
    Fault("an id twice", "duplicate-id", "## One {: #one }\n\nA text.\n\n## Two {: #one }", mark="## Two {: #one }"),
    Fault("a raw id that a heading has", "duplicate-id", '<b id="a-title-for-a-test">A</b>\n\n## A title for a test', mark="## A title for a test"),
    # Pictures
    Fault("a picture that is not there", "missing-image", "![A field](nowhere.png)"),
    Fault("a raw picture", "missing-image", '<img src="../nowhere.png" alt="A field">'),
    Fault("one picture of several", "missing-image", '<img src="../../assets/step.png" srcset="../../assets/step.png 1x, ../big.png 2x" alt="A field">'),
    Fault("a picture without a text", "missing-alt", "![](../assets/step.png)"),
    Fault("a picture in a template", "missing-image", "![A field](field.png)", "site_templates/steps/create-output.md.j2"),
    # Order
    Fault("next goes back", "prev-next-mismatch", copy(next_to="create-input.md"), f"{IOS}/verify-input.md", mark="Next:"),
    Fault("next skips a step", "prev-next-mismatch", copy(next_to="create-connection.md"), f"{IOS}/verify-input.md", mark="Next:"),
    Fault("previous is next", "prev-next-mismatch", copy(previous_to="create-output.md"), f"{IOS}/verify-input.md", mark="Previous:"),
    Fault("a step that comes later", "stale-step-reference", "If you just completed step 4.1, continue here.", "site_templates/steps/verify-input.md.j2"),
    Fault("a page that nothing leads to", "orphan-page", "# A lonely page\n\nA text.\n", "docs_src/lonely.md", mark="# A lonely page"),
)  # fmt: skip


CONFIG = """\
site_name: The quickstart
site_url: https://example.com/docs/
docs_dir: docs_src
theme: {name: mkdocs, custom_dir: overrides}
plugins: [tutorial]
markdown_extensions: [md_in_html]
nav: [index.md, "tutorial:quickstart", guide/data.md, guide/templates.md]
"""
PAGES = {
    "docs_src/index.md": "# Home\n\nStart with [the data](guide/data.md), then read [the templates](guide/templates.md).\n",
    "docs_src/guide/data.md": "# Data\n\n## Platforms\n\nThey differ.\n\n## Tables\n\nThey tell how.\n",
    "docs_src/guide/templates.md": "# Templates\n\n## What a template can use\n\nAll [data](data.md#platforms).\n",
    "overrides/.keep": "",
}


def write(root: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")


def copied(root: Path, *names: str) -> Path:
    """Some of our own files in another folder."""
    for name in names:
        take = shutil.copytree if (ROOT / name).is_dir() else shutil.copy
        take(ROOT / name, root / name)
    return root


@pytest.fixture(scope="module")
def quickstart(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Our own tutorial, as it is, with two pages beside it."""
    root = copied(tmp_path_factory.mktemp("quickstart"), "site_templates", "platforms.yaml")
    (root / "docs_src/assets").mkdir(parents=True)
    shutil.copy(ROOT / f"docs_src/assets/{PICTURE}", root / f"docs_src/assets/{PICTURE}")
    write(root, {"mkdocs.yml": CONFIG, **PAGES})
    return root


def put_in(fault: Fault, root: Path) -> str:
    """Makes the fault; returns the place that is to be named: path:line."""
    path = root / fault.path
    before = path.read_text(encoding="utf-8") if path.exists() else ""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(before + ("\n\n" if before else "") + fault.text, encoding="utf-8")
    lines = path.read_text(encoding="utf-8").splitlines()
    mark = fault.mark or fault.text
    number = max(n for n, line in enumerate(lines, 1) if mark in line)
    return f"{fault.path}:{number}:"


def strict(root: Path) -> bool:
    """Whether a strict build of a project succeeds."""
    config = load_config(str(root / "mkdocs.yml"), strict=True)
    config.plugins.on_startup(command="build", dirty=False)
    try:
        build(config)
    except Abort:
        return False
    finally:
        config.plugins.on_shutdown()
    return True


def told(root: Path, caplog: pytest.LogCaptureFixture) -> list[str]:
    """The warnings of a strict build, which fails, about the tutorial."""
    with caplog.at_level(logging.WARNING):
        assert not strict(root)
    records = [record for record in caplog.records if record.name == "mkdocs.plugins.tutorial"]
    return [record.getMessage() for record in records if record.levelno >= logging.WARNING]


def test_without_a_fault_nothing_is_found(quickstart: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    root = shutil.copytree(quickstart, tmp_path / "site")
    with caplog.at_level(logging.WARNING):
        assert strict(root), caplog.text


def together() -> list[list[Fault]]:
    """Faults that can stand in one site, as a build takes most of the time: those of one page that is kept by hand cannot."""
    alone = [[fault] for fault in FAULTS if fault.path == f"{IOS}/verify-input.md"]
    rest = [fault for fault in FAULTS if [fault] not in alone]
    return [*alone, *(rest[start::3] for start in range(3))]


@pytest.mark.parametrize("faults", together(), ids=lambda faults: f"{len(faults)}: {faults[0].name}")
def test_a_strict_build_fails_and_names_the_place(
    faults: list[Fault], quickstart: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """What is a warning fails such a build, each on its own: MkDocs counts them."""
    root = shutil.copytree(quickstart, tmp_path / "site")
    places = {put_in(fault, root): fault for fault in faults}
    assert len(places) == len(faults)
    messages = told(root, caplog)
    for place, fault in places.items():
        assert len([one for one in messages if one.startswith(place) and f": {fault.rule}: " in one]) == 1, messages


def test_our_own_site_has_no_findings_but_those_of_its_faults(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    settings = ("platforms.yaml", "mkdocs.yml", "tests/words")
    root = copied(tmp_path, "docs_src", "site_templates", *settings)
    page = "docs_src/reference/platforms-yaml.md"
    wanted = [fault for fault in FAULTS if fault.path == GUIDE and fault.rule in ("broken-link", "broken-anchor")]
    faults = [replace(fault, path=page) for fault in wanted[:5]]
    places = [(put_in(fault, root), fault.rule) for fault in faults]
    messages = told(root, caplog)
    for place, rule in places:
        assert len([one for one in messages if one.startswith(place) and f": {rule}: " in one]) == 1, messages
    assert len(messages) == len(places), messages
