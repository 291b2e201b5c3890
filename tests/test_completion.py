"""Completion in the shells that people have: each is started, and asked as a press of the Tab key asks it."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from tests import project
from tutorial_tool import cli
from tutorial_tool.cli import COMMANDS, names
from tutorial_tool.config import settings
from tutorial_tool.rules import GROUPS, get_rules

ENVIRONMENT = {**os.environ, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}", "TERM": "dumb"}
CASES = [
    ("tutorial-tool expl", "explain"),
    ("tutorial-tool lint --unsafe", "--unsafe-fixes"),
    ("tutorial-tool lint --output-format sar", "sarif"),
    ("tutorial-tool lint --select mojib", "mojibake"),
    ("tutorial-tool lint --ignore tables,mojib", "tables,mojibake"),
    ("tutorial-tool explain repeated-w", "repeated-word"),
    ("tutorial-tool compare --platforms ot", "otter"),
    ("tutorial-tool diff --platform sw", "swan"),
    ("tutorial-tool where sett", "settings"),
    ("tutorial-tool compare fin", "finish"),
]


def script(shell: str) -> str:
    made = CliRunner().invoke(cli.main, ["completion", shell])
    assert made.exit_code == 0
    return made.stdout


def needs(shell: str) -> None:
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is not installed")


def run(folder: Path, *command: str) -> str:
    done = subprocess.run(command, cwd=folder, env=ENVIRONMENT, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture
def here(tmp_path: Path) -> Path:
    return project.write(tmp_path)


@pytest.mark.parametrize(("typed", "completed"), CASES)
def test_bash_completes(here: Path, typed: str, completed: str) -> None:
    needs("bash")
    (here / "completion").write_text(script("bash"))
    asked = f"source completion; COMP_WORDS=({typed}); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1)); "
    asked += 'set -- $(complete -p tutorial-tool); while [ "$1" != -F ]; do shift; done; "$2" tutorial-tool; '
    assert completed in run(here, "bash", "--norc", "-c", f'{asked} printf "%s\\n" "${{COMPREPLY[@]}}"').split()


@pytest.mark.parametrize(("typed", "completed"), CASES)
def test_fish_completes(here: Path, typed: str, completed: str) -> None:
    needs("fish")
    (here / "completion").write_text(script("fish"))
    shown = run(here, "fish", "--no-config", "-c", f"source completion; complete -C '{typed}'")
    assert completed in [line.partition("\t")[0] for line in shown.splitlines()]


@pytest.mark.parametrize(("typed", "completed"), CASES[:4])
def test_zsh_completes(here: Path, typed: str, completed: str) -> None:
    needs("zsh")
    (here / "completion").write_text(script("zsh"))
    # A terminal in which zsh reads keys: the Tab key completes, Ctrl+A and `echo` print the line that came of it.
    (here / "keys").write_text(
        "zmodload zsh/zpty\n"
        "zpty shell 'PS1= zsh -f -i'\n"
        "zpty -w shell 'autoload -U compinit; compinit -u -D; source ./completion; print READY-$((1+1))'\n"
        "zpty -r -m shell text '*READY-2*'\n"
        f"zpty -w -n shell '{typed}'$'\\t\\C-aprint -r -- DONE-$((1+1)) \\n'\n"
        "zpty -r -m shell text '*DONE-2*'$'\\n'\n"
        "print -r -- $text\n"
        "zpty -d shell\n"
    )
    shown = run(here, "zsh", "-f", "keys")
    assert shown.split("DONE-2 ", 1)[1].split("\n")[0].split() == [*typed.split()[:-1], completed]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_printing_the_script_starts_no_shell(shell: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    assert "tutorial-tool" in script(shell)


def test_another_shell_is_told(tmp_path: Path) -> None:
    told = CliRunner().invoke(cli.main, ["completion", "tcsh"])
    assert told.exit_code == 2
    assert "`bash`, `zsh`, `fish`" in told.stderr


# What is completed


def offered(complete: names.Complete, typed: str = "") -> list[str]:
    ctx = click.Context(click.Command("x"))
    return [item.value for item in complete(ctx, click.Option(["--x"]), typed)]


def test_all_rules_and_groups_are_offered() -> None:
    assert set(offered(names.RULE)) == {*(rule for rule in get_rules() if "/" not in rule), *GROUPS, "copies"}
    assert set(offered(names.RULES)) == {*offered(names.RULE), settings.ALL}
    assert "tables,text" in offered(names.RULES, "tables,te")
    assert "tables,tables" not in offered(names.RULES, "tables,ta"), "what is there already"
    assert set(offered(names.TOOLS)) == set(settings.TOOLS)


def test_names_come_from_the_data_and_what_it_includes(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(here)
    text = (here / "platforms.yaml").read_text()
    (here / "more").mkdir()
    (here / "more/tables.yaml").write_text("tables:\n  sizes: {}\n")
    (here / "platforms.yaml").write_text(f"include: [more/*.yaml, ../*.yaml]\n{text}")
    assert offered(names.PLATFORMS) == ["otter", "swan"]
    assert offered(names.PLATFORMS, "swan,") == ["swan,otter"]
    assert offered(names.NAME, "s") == ["settings", "sizes", "swan"]
    assert offered(names.STEP) == ["finish", "prepare", "welcome"]


@pytest.mark.parametrize("text", ["platforms: [", "platforms: 1", "- a", "include: ['/**', 1, {}]", "\0"])
def test_broken_data_offers_nothing_and_says_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "platforms.yaml").write_text(text)
    assert offered(names.PLATFORM) == []
    assert offered(names.STEP_OR_PATH, "docs/") == ["docs/"]


# The help


@pytest.mark.parametrize("name", COMMANDS)
def test_the_help_of_each_command_has_examples_that_can_be_given(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    text = CliRunner().invoke(cli.main, [name, "--help"], terminal_width=100).stdout
    _, found, block = text.partition("\n  Examples:\n")
    assert found, "the help ends with examples"
    examples = [line.strip() for line in block.partition("\n\n")[0].splitlines()]
    assert examples
    command = cli.main.get_command(click.Context(cli.main), name)
    assert command is not None
    for example in examples:
        words = shlex.split(example.partition(" > ")[0])
        assert words[:2] == ["tutorial-tool", name], example
        for word in words[2:]:  # files that the example names are there
            if "=" not in word and not word.startswith("-") and not Path(word).exists() and "/" not in word[:1]:
                Path(word).parent.mkdir(parents=True, exist_ok=True)
                Path(word).touch() if "." in word else Path(word).mkdir()
        command.make_context(name, words[2:], resilient_parsing=False)
