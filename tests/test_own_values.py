"""What platforms have of their own, as a port is, and what was pasted from another one's copy."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest
from click.testing import CliRunner

from tutorial_tool import site
from tutorial_tool.cli import main
from tutorial_tool.config.settings import Config
from tutorial_tool.core.diagnostics import Finding
from tutorial_tool.linter import engine

PAGE = """\
# Connect to {name}

Open the dashboard and choose your project there. The broker listens on port {port} by default.

1. Select **{name}** from the list of brokers.
2. Go to **File > Settings > Sound** and turn the alarm on.
3. Click **Connect** and wait for 30 seconds.

Do not close the window before the bar is full.

```bash
sudo apt-get install relay-agent
relay connect --verbose --timeout 30
sudo service {slug}-server restart
```

| Setting | Value | Description |
| --- | --- | --- |
| Port | {port} | The port on which the broker listens. |
| Protocol | {protocol} | What the broker speaks. |
| Retries | 3 | How often the client tries again. |
| Memory | 512 MB | How much the client may use. |
| Compression | Enabled | Whether messages are made smaller. |

Read [the guide to limits](/docs/{slug}/limits/) before you go on.
"""
LIMITS = """\
# Limits of {name}

An account may send 100 messages in a second to {name}.
Messages are kept for 7 days.

The {name} broker at port {port} refuses larger ones.

See [how to connect](/docs/{slug}/connect/) if you have not done so yet.
"""
BROKERS = {
    "mosquitto": ("Mosquitto", "1883", "MQTT 5"),
    "rabbitmq": ("RabbitMQ", "5672", "AMQP 0.9.1"),
    "activemq": ("ActiveMQ", "61616", "OpenWire"),
}
TWO = ("rabbitmq", "activemq")


def write(folder: Path, edits: Mapping[str, tuple[str, str]], slugs: tuple[str, ...] = tuple(BROKERS)) -> None:
    for slug in slugs:
        name, port, protocol = BROKERS[slug]
        old, new = edits.get(slug, ("", ""))
        for step, page in (("connect", PAGE), ("limits", LIMITS)):
            path = folder / "docs" / slug / f"{step}.md"
            path.parent.mkdir(parents=True, exist_ok=True)
            text = page.format(name=name, port=port, protocol=protocol, slug=slug)
            path.write_text(text.replace(old, new) if old and step == "connect" else text, encoding="utf-8")
        assert old in PAGE.format(name=name, port=port, protocol=protocol, slug=slug)


def findings(folder: Path, slugs: tuple[str, ...] = tuple(BROKERS), **edits: tuple[str, str]) -> list[Finding]:
    write(folder, edits, slugs)
    return list(engine.run(site.load_plain(sorted(folder.rglob("*.md")), folder), Config()))


def told(folder: Path, slugs: tuple[str, ...] = tuple(BROKERS), **edits: tuple[str, str]) -> list[str]:
    """Each finding as `platform: severity[rule] the text at its place`."""
    return [
        f"{finding.span.path.split('/')[1]}: {finding.severity}[{finding.rule}] {finding.span.text}"
        for finding in findings(folder, slugs, **edits)
    ]


@pytest.mark.parametrize("slugs", [tuple(BROKERS), TWO])
def test_ports_and_protocols_are_each_platforms_own(slugs: tuple[str, ...], tmp_path: Path) -> None:
    assert told(tmp_path, slugs) == []


def test_a_command_with_the_name_of_another_platform_in_it_is_told(tmp_path: Path) -> None:
    edit = ("service activemq-server", "service rabbitmq-server")
    assert told(tmp_path, activemq=edit) == ["activemq: warning[foreign-name] rabbitmq"]


def test_of_two_copies_states_contradict_each_other(tmp_path: Path) -> None:
    (found,) = told(tmp_path, TWO, activemq=("Compression | Enabled", "Compression | Disabled"))
    assert "warning[conflicting-value] " in found


def test_a_link_into_another_platform_shows_the_link_that_answers_to_it(tmp_path: Path) -> None:
    more = "Read more [here](/docs/{0}/keys/), and of limits [here](/docs/{1}/limits/)."
    begin = "Read [the guide to limits](/docs/{0}/limits/) before you go on."
    edits = {
        slug: (begin.format(slug), more.format(slug, "rabbitmq" if slug == "activemq" else slug)) for slug in BROKERS
    }
    (finding,) = (one for one in findings(tmp_path, **edits) if one.rule == "foreign-link")
    assert finding.related[0].span.text == "mosquitto"


def test_compare_sees_what_is_each_platforms_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, {})
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(main, ["compare", "connect"])
    assert done.exit_code == 0
    assert "none differs" in done.output
    assert "100%" in done.output


def test_compare_shows_a_value_that_only_two_copies_have_and_nothing_else_explains(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path, {}, TWO)
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(main, ["compare", "connect", "--only-differences"])
    assert "⟦OpenWire⟧" in done.output
    assert "Of 15 parts, 1 differs." in done.output


def test_compare_shows_another_state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, {"activemq": ("Compression | Enabled", "Compression | Disabled")})
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(main, ["compare", "connect", "--only-differences"])
    assert done.exit_code == 1
    assert "Of 15 parts, 1 differs." in done.output


@pytest.mark.parametrize(("count", "severity"), [(1, "error"), (2, "error"), (3, "warning")])
def test_a_pasted_name_is_an_error_unless_it_recurs_on_the_page(count: int, severity: str, tmp_path: Path) -> None:
    texts = ("Open the {} dashboard first.", "Choose a project of {} there.", "Wait until the lamp of {} blinks.")
    for slug, (name, *_) in BROKERS.items():
        names = ["RabbitMQ" if slug == "activemq" and number < count else name for number in range(len(texts))]
        path = tmp_path / f"docs/{slug}/open.md"
        path.parent.mkdir(parents=True)
        page = [f"# Begin with {name}", *map(str.format, texts, names), f"Then close {name}, and read on about {name}."]
        path.write_text("\n\n".join(page) + "\n", encoding="utf-8")
    pages = site.load_plain(sorted(tmp_path.rglob("*.md")), tmp_path)
    assert [str(finding.severity) for finding in engine.run(pages, Config())] == [severity] * count
