"""A platform that is added to an adopted project gets no other platform's text: it is told what it has to state."""

from __future__ import annotations

import re
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.test_adopt import made, rendered, run, template, written
from tutorial_tool import data
from tutorial_tool.adopt.data import format_document
from tutorial_tool.config.settings import Config
from tutorial_tool.core.source import Source
from tutorial_tool.linter import engine
from tutorial_tool.site import Layout, loading

PAGE = """\
# Install the broker on {name}

The broker carries messages between your sensors and your programs.

Install it:

```{language}
{install}
broker --check
```

{restart}

## Settings

The broker listens on port {port}, and reads `{file}`. Install it with `{tool} install broker`.

| Setting | Default | What it does |
|---|---|---|
| Port | {port} | Where clients connect. |
| Service | {service} | What starts the broker. |
| Retries | {retries} | How often a client tries again. |
{more}
Connect with `mqtt://localhost:{port}` from any client.
"""
AGAIN = "The service starts again by itself after each restart of the computer."
OWN: dict[str, dict[str, str]] = {
    "debian": {
        "name": "Debian",
        "language": "sh",
        "install": "apt install broker",
        "restart": AGAIN,
        "port": "1883",
        "file": "/etc/broker.conf",
        "tool": "apt",
        "service": "systemd",
        "retries": "3",
        "more": "",
    },
    "macos": {
        "name": "macOS",
        "language": "sh",
        "install": "brew install broker",
        "restart": AGAIN,
        "port": "2883",
        "file": "/opt/etc/broker.conf",
        "tool": "brew",
        "service": "launchd",
        "retries": "3",
        "more": "",
    },
    "windows": {
        "name": "Windows",
        "language": "powershell",
        "install": "winget install broker",
        "restart": "Set the start type to **Automatic**, or you have to start it by hand each time.",
        "port": "3883",
        "file": "C:\\ProgramData\\broker.conf",
        "tool": "winget",
        "service": "Services",
        "retries": "5",
        "more": "| Firewall | On | Lets clients in. |\n",
    },
}


@pytest.fixture
def adopted(tmp_path: Path) -> Path:
    """A project of three copies, adopted."""
    docs = written(tmp_path / "docs", {f"guide/{id_}/install.md": PAGE.format(**own) for id_, own in OWN.items()})
    done = run(docs, "--into", tmp_path / "out")
    assert done.exit_code == 0, done.output
    return tmp_path / "out"


def with_platform(folder: Path, text: str) -> None:
    data = folder / "platforms.yaml"
    data.write_text(data.read_text().replace("tutorials:\n", f"  arch: {text}\ntutorials:\n", 1))


def with_all_stated(folder: Path) -> None:
    """A platform with words of its own for all that the data has to say."""
    with_platform(
        folder, "{name: Arch, values: {code_language: sh, port: 4883, file: /etc/b.conf, settings_code: pacman}}"
    )
    data = folder / "platforms.yaml"
    text = data.read_text()
    data.write_text(
        text.replace("windows: {default: Services}", "windows: {default: Services}, arch: {default: systemd}")
    )


def told(folder: Path) -> list[str]:
    return [finding.message for finding in engine.run(loading.load(Layout.find(folder)), Config(folder))]


def test_all_that_it_has_to_state_is_told(adopted: Path) -> None:
    with_platform(adopted, "{name: Arch}")
    found = "\n".join(told(adopted))
    assert "row `service` lacks `default` on arch" in found
    assert "firewall" not in found, "a row that one platform has is its own"
    assert "`values` of platform `arch` has no `code_language`" in found


def test_it_gets_its_own_facts_and_the_wording_of_most(adopted: Path) -> None:
    with_all_stated(adopted)
    page = rendered(adopted)["guide/arch/install.md"].decode()
    assert "> **To be written:** code `install`, Arch\n" in page
    for foreign in ("apt", "brew", "winget", "systemd restarts", "1883", "2883", "3883", "Firewall", "Automatic"):
        assert foreign not in page, page
    assert "| Port | 4883 | Where clients connect. |\n| Service | systemd | " in page
    assert "mqtt://localhost:4883" in page
    assert AGAIN in page


def test_a_fact_is_changed_in_one_place(adopted: Path) -> None:
    data = adopted / "platforms.yaml"
    assert data.read_text().count("1883") == 1
    data.write_text(data.read_text().replace("1883", "9883"))
    page = rendered(adopted)["guide/debian/install.md"].decode()
    assert page == PAGE.format(**{**OWN["debian"], "port": "9883"})


def test_a_line_in_other_words_stands_in_its_place() -> None:
    text = "Start it.\n\n## Restart\n\n{}\n\nThat is all.\n"
    copies = {
        "ios": text.format("Swipe up from the lower edge, and hold."),
        "tv": text.format("Swipe up from the lower edge, and hold."),
        "web": text.format("Press **F5**; nothing else is lost."),
    }
    assert template(copies) == text.format(
        "{{ drift('Swipe up from the lower edge, and hold.', {'web': 'Press **F5**; nothing else is lost.'}) }}"
    )


def test_what_differs_in_several_lines_is_a_part() -> None:
    text = "Start it.\n\n## Restart\n\n{}\n\nThat is all.\n"
    swipe = "Swipe up from the lower edge,\nand hold it there for a second,\nthen let it go."
    copies = {name: text.format(swipe) for name in ("ios", "tv")}
    copies["web"] = text.format("Press **F5**\non the keyboard;\nnothing else is lost.")
    assert template(copies) == text.format("{{ part('restart') }}")


@pytest.mark.parametrize(
    ("cells", "expected"),
    [
        (("On", "On", "Off"), {"default": "On", "on": {"c": {"default": "Off"}}}),
        (("1", "2", "3"), {"on": {"a": {"default": "1"}, "b": {"default": "2"}, "c": {"default": "3"}}}),
        (("1", "2"), {"on": {"a": {"default": "1"}, "b": {"default": "2"}}}),
        (
            ("On", "On", "Off", "Never"),
            {
                "on": {
                    "a": {"default": "On"},
                    "b": {"default": "On"},
                    "c": {"default": "Off"},
                    "d": {"default": "Never"},
                }
            },
        ),
    ],
)
def test_a_row_has_the_default_that_most_say(cells: tuple[str, ...], expected: dict[str, object]) -> None:
    text = (
        "---\ntitle: Start\n---\n\nRead this.\n\n| Option | Default |\n| --- | --- |\n| Wake | {} |\n| Fade | 2 s |\n"
    )
    adoption = made({id_: text.format(cell) for id_, cell in zip("abcd", cells, strict=False)})
    assert adoption.project is not None
    row = adoption.project.tables["options"].rows["wake"]
    assert {"option": "Wake", **expected} == {**row.cells, **({"on": row.on} if row.on else {})}


def test_a_state_and_a_language_are_no_facts_that_a_table_shows() -> None:
    text = "Wake is {0}.\n\nRun it:\n\n```{1}\nkit start\n```\n\n| Option | Default |\n| --- | --- |\n| Sleep | {0} |\n| Shell | {1} |\n"
    copies = {"ios": text.format("Enabled", "bash"), "web": text.format("Disabled", "powershell")}
    assert "{{ table('options') }}\n" in template(copies)


def test_the_words_of_a_fence_are_kept_whatever_they_are() -> None:
    text = "Write it:\n\n```{}\n{}\n```\n"
    copies = {
        "ios": text.format('python title="kit.py"', "import kit\nkit.begin(1)"),
        "web": text.format('python title="kit.py"', "import webkit as kit\nkit.start('now')"),
    }
    assert template(copies) == "Write it:\n\n{{ code('write', language='python title=\"kit.py\"') }}\n"
    assert template(copies, "steps/start/write.web.py") == "import webkit as kit\nkit.start('now')\n"


SHAPES = {
    "sentence": "Open the window {base} and wait for {own} near the lamp.\n\n",
    "paragraph": "{own} {own} {own} {own} {own} {own} {own} {own} {own}.\n\n",
    "command": "```sh\n{own} run {base}\n```\n\n",
    "code": "Write {base}:\n\n```python\nimport {own}\n{own}.start()\n```\n\n",
    "item": "1. Select **{own}** in {base}.\n2. Wait.\n\n",
    "table": "| Name | Value |\n|---|---|\n| {base} | {own} |\n| Other | on |\n\n",
    "section": "## About {base}\n\nUse `{own}` there.\n\n",
}
PLATFORMS = ("ios", "web", "tv", "android")


@st.composite
def copies_of_their_own(draw: st.DrawFn) -> tuple[dict[str, str], dict[str, set[str]]]:
    """Copies with words that tell who has them; these words, each with its owners."""
    platforms = PLATFORMS[: draw(st.integers(2, 4))]
    pages = dict.fromkeys(platforms, "---\ntitle: A\n---\n\n")
    owners: dict[str, set[str]] = {}
    for number, shape in enumerate(draw(st.lists(st.sampled_from(sorted(SHAPES)), min_size=4, max_size=10))):
        for platform in platforms:
            group = draw(st.integers(0, 2))
            own = f"word{number}of{group}"
            owners.setdefault(own, set()).add(platform)
            pages[platform] += SHAPES[shape].format(base=f"base{number}", own=own)
    return pages, {own: who for own, who in owners.items() if len(who) < len(platforms)}


def stated(text: str) -> str:
    """Data with one platform more, which states all that it is asked for."""
    root = plainly(data.convert_to_plain(data.load_yaml(Source("", text)).node))
    platforms = root["platforms"]
    own = {
        kind: {key: "mine" for one in platforms.values() for key in one.get(kind, ())} for kind in ("values", "labels")
    }
    platforms["arch"] = {"name": "Arch", **{kind: texts for kind, texts in own.items() if texts}}
    for table in root.get("tables", {}).values():
        for row in table["rows"].values():
            if lacking := {column: "mine" for column in table["columns"] if column not in row}:
                row.setdefault("on", {})["arch"] = lacking
    return format_document(root)


def plainly(node: Any) -> Any:
    if isinstance(node, dict):
        return {str(key): plainly(value) for key, value in node.items()}
    return [plainly(item) for item in node] if isinstance(node, list) else str(node)


@pytest.mark.slow
@settings(max_examples=40, deadline=None)
@given(copies_of_their_own())
def test_no_platform_gets_what_only_others_have(drawn: tuple[dict[str, str], dict[str, set[str]]]) -> None:
    copies, owners = drawn
    adoption = made(copies)
    if adoption.project is None:
        return  # they share too little
    with tempfile.TemporaryDirectory() as name:
        folder = written(Path(name), adoption.project.files)
        (folder / "docs_src").mkdir()
        (folder / "platforms.yaml").write_text(stated((folder / "platforms.yaml").read_text()))
        read = loading.load(Layout.find(folder)).require_valid()
        page = next(str(page.text) for page in read.pages if page.platform == "arch")
        calls = re.findall(r"drift\('([^']*)', \{(.*?)\}\)", (folder / "site_templates/steps/start.md.j2").read_text())
    for usual, others in calls:  # the wording of most is everybody's, until somebody resolves it
        assert max(Counter(re.findall(r": '([^']*)'", others)).values()) <= len(copies) - others.count(": '"), usual
        page = page.replace(usual, "")
    for line in page.splitlines():
        foreign = [own for own in owners if re.search(rf"\b{own}\b", line)]
        most = [own for own in foreign if line.startswith("| ") and 2 * len(owners[own]) > len(copies)]
        assert foreign == most, line  # what most say is the default of a row


def test_a_platform_that_comes_later_has_the_word_that_one_copy_lacks(tmp_path: Path) -> None:
    pages = {
        f"{id_}/save.md": (
            f"# Save the file\n\nOpen the file on {name}, and change the port.\n\nThe agent reads the file again each "
            f"time you save it. You do {word}have to restart it.\n"
        )
        for id_, name, word in (("debian", "Debian", "not "), ("macos", "macOS", "not "), ("windows", "Windows", ""))
    }
    docs, out = written(tmp_path / "docs", pages), tmp_path / "out"
    done = run(docs, "--into", out)
    assert done.exit_code == 0, done.output
    file = out / "platforms.yaml"
    text = file.read_text(encoding="utf-8")
    file.write_text(text.replace("platforms:\n", "platforms:\n  freebsd: {name: FreeBSD}\n", 1), encoding="utf-8")
    said = {page.platform: page.plain for page in loading.load(Layout.find(out)).pages if page.platform}
    assert "You do not have to restart it." in said["freebsd"]
    assert "You do have to restart it." in said["windows"]
