"""The configuration: where it is found, what it may say, and which rules run."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sysconfig
import tomllib
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from click.testing import CliRunner, Result
from hypothesis import given
from hypothesis import strategies as st

from tests import mutations
from tests.mutations import mutated, paths, to
from tests.reference import config_reference
from tutorial_tool import cli
from tutorial_tool.config import plugin_options, settings
from tutorial_tool.config.settings import Config, ConfigError
from tutorial_tool.core.diagnostics import Severity
from tutorial_tool.data import toml_places
from tutorial_tool.fs import globs
from tutorial_tool.markdown import parser
from tutorial_tool.rules import get_rules

RULES = {"misspelling": "text", "unknown-word": "text", "missing-row": "tables", "row-order": "tables"}


@dataclass(frozen=True)
class Rule:
    name: str
    group: str

    @property
    def selectors(self) -> tuple[str, ...]:
        return "ALL", self.group, self.name


DEFAULTS = {
    Rule("misspelling", "text"): Severity.WARNING,
    Rule("unknown-word", "text"): Severity.OFF,
    Rule("missing-row", "tables"): Severity.WARNING,
    Rule("row-order", "tables"): Severity.HINT,
}


def written(folder: Path, text: str, name: str = settings.OWN_FILE) -> Path:
    file = folder / name
    file.write_text(text, encoding="utf-8")
    return file


def running(told: Config) -> dict[str, str]:
    """The rules that run, with their severities."""
    graded = {rule.name: told.get_severity(rule, default) for rule, default in DEFAULTS.items()}
    return {name: str(severity) for name, severity in graded.items() if severity}


def problems(file: Path) -> list[str]:
    with pytest.raises(ConfigError) as caught:
        settings.load(file, RULES)
    return [problem.rpartition("/")[2] for problem in caught.value.problems]


def test_every_option_of_a_file(tmp_path: Path) -> None:
    file = written(
        tmp_path,
        """\
select = ["text"]
ignore = ["unknown-word"]
extend-select = ["ALL"]
fail-on = "hint"
output-format = "concise"
output-file = "findings.txt"
exclude = ["old/"]
extend-exclude = ["drafts/"]
force-exclude = true
docs = "pages"
templates = "parts"
vocabulary = ["Webhook.site"]
vocabulary-file = "words.txt"
lang = "en"
dialect = "gfm"
severity = {misspelling = "error", tables = "hint"}

[per-file-ignores]
"old/**" = ["misspelling"]

[glossary]
webhook = ["web hook"]
""",
    )
    read = settings.load(file, RULES)
    assert read == Config(
        root=tmp_path,
        file=file,
        select=("text",),
        ignore=("unknown-word",),
        extend_select=("ALL",),
        per_file_ignores=(("old/**", ("misspelling",)),),
        severity_overrides=(("misspelling", Severity.ERROR), ("tables", Severity.HINT)),
        fail_on=Severity.HINT,
        output_format="concise",
        output_file="findings.txt",
        exclude=("old/",),
        extend_exclude=("drafts/",),
        force_exclude=True,
        docs="pages",
        templates="parts",
        vocabulary=("Webhook.site",),
        vocabulary_file="words.txt",
        lang="en",
        dialect="gfm",
        glossary=(("webhook", ("web hook",)),),
    )
    places = {"root", "home", "file", "on_top"}
    assert {option.field for option in settings.OPTIONS.values()} == set(vars(read)) - places


@pytest.mark.parametrize(
    ("glob", "fault"),
    [
        ("[z-a]", "is not a valid glob: bad character range z-a"),
        ("!./[z-a].md", "is not a valid glob: bad character range z-a"),
        ("*a*a*a*a*b", "has too many * to match in reasonable time"),
    ],
)
def test_a_glob_that_cannot_be_matched_is_told(glob: str, fault: str, tmp_path: Path) -> None:
    lines = f'exclude = ["{glob}"]\nextend-exclude = ["a/", "{glob}"]\nper-file-ignores = {{"{glob}" = ["ALL"]}}\n'
    file = written(tmp_path, lines, settings.OWN_FILE)
    with pytest.raises(ConfigError) as caught:
        settings.load(file, RULES)
    assert [problem.partition(": ")[2] for problem in caught.value.problems] == [
        f"`{key}`: `{glob}` {fault}" for key in ("exclude", "extend-exclude", "per-file-ignores")
    ]
    assert not globs.matches([glob.removeprefix("!")], "a.md")


def test_every_mistake_is_told_at_its_place(tmp_path: Path) -> None:
    file = written(
        tmp_path,
        """\
[project]
name = "x"  # not ours
[[tool.other]]
"tool.tutorial-tool" = { slect = 1 }
[tool.tutorial-tool]
slect = ["text"]
select = [
  "text",
  "mispelling",
]
fail-on = "warn"
severity = {row-order = "hnt"}
docs = 1
[tool.tutorial-tool.per-file-ignores]
"docs/**" = ["text"]
"a.md" = "text"
""",
        "pyproject.toml",
    )
    assert problems(file) == [
        "pyproject.toml:6:1: unknown option `slect`; did you mean `select`?",
        "pyproject.toml:9:3: `select`: unknown rule or group `mispelling`; did you mean `misspelling`?",
        "pyproject.toml:11:11: `fail-on`: should be one of error, warning, hint; did you mean `warning`?",
        "pyproject.toml:12:25: `severity`: should be one of error, warning, hint, off; did you mean `hint`?",
        "pyproject.toml:13:8: `docs`: should be text",
        'pyproject.toml:16:10: `per-file-ignores`: should be a list; write `["text"]`',
    ]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("select = [\n", "tutorial-tool.toml:2:1: invalid TOML: Invalid value"),
        (
            '[redirects]\n"/a/" = "/b/"\nfail-on = "hint"\n',
            "tutorial-tool.toml:3:1: `fail-on` is an option, and belongs to redirects here: write it above the heading",
        ),
        ('lang = "en"\nlang = "de"\n', "tutorial-tool.toml:2:12: invalid TOML: Cannot overwrite a value"),
        ('severity = {row-ordr = "off"}', "row-ordr`; did you mean `row-order`?"),
        ("x = " + "[" * 5000, "tutorial-tool.toml: is nested too deeply"),
        ('lang = "\0"', "contains a NUL character"),
    ],
)
def test_what_cannot_be_read(tmp_path: Path, text: str, problem: str) -> None:
    assert problem in problems(written(tmp_path, text))[0]


def test_the_nearest_configuration_is_found(tmp_path: Path) -> None:
    page = tmp_path / "docs" / "guide"
    page.mkdir(parents=True)
    assert settings.find_file(page) is None
    outer = written(tmp_path, "[tool.tutorial-tool]\n", "pyproject.toml")
    assert settings.find_file(page) == outer
    written(tmp_path / "docs", "[tool.other]\n", "pyproject.toml")
    assert settings.find_file(page) == outer
    own = written(tmp_path / "docs", "")
    assert settings.find_file(page) == own


def test_two_configurations_in_one_folder_are_an_error(tmp_path: Path) -> None:
    written(tmp_path, "[tool.tutorial-tool]\n", "pyproject.toml")
    written(tmp_path, "")
    with pytest.raises(ConfigError, match="keep one of them"):
        settings.find_file(tmp_path)


def test_a_heading_that_nothing_reads_is_an_error(tmp_path: Path) -> None:
    written(tmp_path, "[project]\nname = 'lamp'\n\n[tool.tutorial_tool]\nignore = []\n", "pyproject.toml")
    with pytest.raises(ConfigError) as wrong:
        settings.find_file(tmp_path)
    (told,) = wrong.value.problems
    assert told.endswith("pyproject.toml:4:7: nothing reads `[tool.tutorial_tool]`; write `[tool.tutorial-tool]`")


# Which rules run

ALL_ON = {"misspelling": "warning", "unknown-word": "warning", "missing-row": "warning", "row-order": "hint"}


@pytest.mark.parametrize(
    ("told", "runs"),
    [
        (Config(), {"misspelling": "warning", "missing-row": "warning", "row-order": "hint"}),
        (Config(select=("ALL",)), ALL_ON),
        (Config(select=("unknown-word",)), {"unknown-word": "warning"}),
        (Config(select=("tables",)), {"missing-row": "warning", "row-order": "hint"}),
        (Config(select=()), {}),
        (Config(select=("ALL",), ignore=("tables",)), {"misspelling": "warning", "unknown-word": "warning"}),
        (Config(select=("row-order",), ignore=("tables",)), {"row-order": "hint"}),
        (Config(select=("tables",), ignore=("ALL",)), {"missing-row": "warning", "row-order": "hint"}),
        (Config(select=("row-order",), ignore=("row-order",)), {}),
        (Config(ignore=("ALL",)), {}),
        (Config(extend_select=("unknown-word",)), ALL_ON),
        (Config(select=("text",), extend_select=("row-order",), ignore=("unknown-word",)),
         {"misspelling": "warning", "row-order": "hint"}),
    ],
)  # fmt: skip
def test_selecting_works_as_in_ruff(told: Config, runs: dict[str, str]) -> None:
    assert running(told) == runs


@pytest.mark.parametrize(
    ("overrides", "runs"),
    [
        ({"misspelling": "error"}, {"misspelling": "error", "missing-row": "warning", "row-order": "hint"}),
        (
            {"tables": "error", "row-order": "hint"},
            {"misspelling": "warning", "missing-row": "error", "row-order": "hint"},
        ),
        ({"unknown-word": "hint"}, {**ALL_ON, "unknown-word": "hint"}),
        ({"misspelling": "off"}, {"missing-row": "warning", "row-order": "hint"}),
        ({"ALL": "off", "row-order": "error"}, {"row-order": "error"}),
    ],
)
def test_severities_can_be_changed(overrides: dict[str, str], runs: dict[str, str]) -> None:
    assert running(Config(severity_overrides=tuple((k, Severity(v)) for k, v in overrides.items()))) == runs


@pytest.mark.parametrize(
    ("given", "runs"),
    [
        ({"ignore": ("tables",)}, {}),
        ({"ignore": ("ALL",)}, {}),
        ({"ignore": ("text",)}, {"row-order": "hint"}),
        ({"ignore": ("tables",), "select": ("row-order",)}, {"row-order": "hint"}),
        ({"ignore": ("tables",), "extend_select": ("row-order",)}, {"row-order": "hint"}),
        ({"ignore": ("row-order",), "select": ("tables",)}, {"missing-row": "warning"}),
    ],
)
def test_a_group_ignored_on_the_command_line_is_ignored_whole(given: dict[str, Any], runs: dict[str, str]) -> None:
    assert running(Config(select=("row-order",)).merge_command_line(**given)) == runs


def test_the_command_line_wins() -> None:
    told = Config(select=("tables",), ignore=("row-order", "misspelling"), extend_select=("unknown-word",))
    assert running(told) == {"missing-row": "warning", "unknown-word": "warning"}
    assert running(told.merge_command_line(select=("text",))) == {"unknown-word": "warning"}
    assert running(told.merge_command_line(select=("misspelling",))) == {"misspelling": "warning"}
    assert running(told.merge_command_line(ignore=("unknown-word",), fail_on=None)) == {"missing-row": "warning"}
    assert running(told.merge_command_line(extend_select=("row-order",))) == {
        "missing-row": "warning",
        "row-order": "hint",
        "unknown-word": "warning",
    }


@pytest.mark.parametrize(
    ("glob", "matched", "other"),
    [
        ("docs/old/**", "docs/old/a/b.md", "docs/new.md"),
        ("docs/*.md", "docs/a.md", "docs/a/b.md"),
        ("README.md", "docs/README.md", "docs/other.md"),
        ("old/", "docs/old/a.md", "docs/old.md"),
        ("./docs", "docs/a.md", "other.md"),
        ("!docs/**", "other.md", "docs/a.md"),
    ],
)
def test_globs(glob: str, matched: str, other: str) -> None:
    rule = Rule("misspelling", "text")
    told = Config(per_file_ignores=((glob, ("text",)),))
    assert told.is_ignored_in(matched, rule)
    assert not told.is_ignored_in(other, rule)
    assert not told.is_ignored_in(matched, Rule("row-order", "tables"))


def test_the_vocabulary_comes_from_the_file_too(tmp_path: Path) -> None:
    written(tmp_path, "# ours\nHiggs Shop\nkotlinx  # a library\n\n", "words.txt")
    told = Config(tmp_path, vocabulary=("Webhook.site",), vocabulary_file="words.txt")
    assert told.words == {"Webhook.site", "Higgs Shop", "kotlinx"}
    with pytest.raises(ConfigError, match=r"none\.txt: vocabulary-file: "):
        assert replace(told, vocabulary_file="none.txt").words


def test_dialects_are_those_of_the_parser() -> None:
    assert tuple(parser.Dialect) == settings.DIALECTS


# Places

KEYS = st.from_regex(r"[a-z][a-z0-9_-]{0,5}", fullmatch=True)
SCALARS = st.one_of(
    st.integers(-9, 9).map(str),
    st.sampled_from(["true", "1979-05-27 07:32:00", '"a # ] } \\" b"', "'c:\\d'", '"""e\n"f" """', "'''g\nh'''"]),
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3).map(lambda items: "[ # one\n" + ",\n ".join(items) + "\n]"),
        st.dictionaries(KEYS, inner, max_size=3).map(
            lambda items: "{" + ", ".join(f"{key} = {value}" for key, value in items.items()) + "}"
        ),
    ),
    max_leaves=6,
)


@given(st.dictionaries(KEYS, st.dictionaries(KEYS, VALUES, max_size=3), max_size=3))
def test_a_place_is_where_the_value_stands(tables: dict[str, dict[str, str]]) -> None:
    text = "".join(
        f"\n[x.{name}]  # table\n" + "".join(f"{key} = {value}\n" for key, value in table.items())
        for name, table in tables.items()
    )
    tomllib.loads(text)
    places = toml_places.find_positions(text)
    for name, table in tables.items():
        for key, value in table.items():
            place = places["x", name, key]
            assert text.startswith(f"{key} = {value}", place.key)
            assert text.startswith(value, place.value)


# The one table of options

PAGE = Path(__file__).parent.parent / "docs_src/reference/configuration.md"


def forms() -> dict[str, str]:
    """The options that stand on the command line, too, and how they are written there."""
    from tutorial_tool.cli import lint

    fields = {option.field: option.key for option in settings.OPTIONS.values()}
    return {
        fields[each.name]: f"{each.opts[-1]} {each.make_metavar(lint.command.make_context('lint', []))}".strip()
        if not getattr(each, "is_flag", False)
        else each.opts[-1]
        for each in lint.command.params
        if each.name in fields
    }


@pytest.mark.parametrize("heading", ["tool.tutorial-tool", "tutorial-tool", "lint", "options"])
def test_a_heading_is_not_for_our_own_file(tmp_path: Path, heading: str) -> None:
    file = tmp_path / "tutorial-tool.toml"
    file.write_text(f"[{heading}]\nlang = 'de'\n")
    with pytest.raises(settings.ConfigError) as raised:
        settings.load(file, {})
    (problem,) = raised.value.problems
    assert problem.endswith(f"the file holds the options themselves: write them without the heading [{heading}]")


def test_the_guide_has_every_option() -> None:
    page = PAGE.read_text(encoding="utf-8")
    wanted = config_reference.put(page, config_reference.BEGIN, config_reference.END, config_reference.options(forms()))
    wanted = config_reference.put(
        wanted, config_reference.PLUGIN_BEGIN, config_reference.PLUGIN_END, config_reference.plugin()
    )
    if os.environ.get("UPDATE"):
        PAGE.write_text(wanted, encoding="utf-8")
        page = wanted
    assert page == wanted, "UPDATE=1 pytest writes the reference again"


@pytest.mark.parametrize("option", settings.OPTIONS.values(), ids=list(settings.OPTIONS))
def test_an_option_has_an_example_that_is_good(option: settings.Option, tmp_path: Path) -> None:
    assert option.doc.endswith(".")
    rules = {rule.name: rule.group for rule in get_rules().values()}
    read = settings.load(written(tmp_path, f"{option.key} = {option.example}\n"), rules)
    assert getattr(read, option.field) != option.default, "an example shows something else than the default"


def test_the_options_of_the_plugin_are_those_that_mkdocs_reads() -> None:
    from tutorial_tool.mkdocs_plugin import TutorialConfig

    defaults = TutorialConfig()
    defaults.load_dict({})
    assert not defaults.validate()[0]
    assert dict(defaults) == {option.key: option.default for option in plugin_options.OPTIONS.values()}


def test_mistakes_in_the_options_of_the_plugin_are_told_together() -> None:
    from tutorial_tool.mkdocs_plugin import TutorialPlugin

    errors, warnings = TutorialPlugin().load_config(
        {"lint": "no", "rules": ["a"], "readers": None, "rul": "x", "xyz": 1}
    )
    assert [(key, str(error)) for key, error in errors] == [
        ("lint", "should be true or false, not `no`; such as `lint: false`"),
        ("rules", "should be text, not a list; such as `rules: guide/rules`"),
    ]
    options = ", ".join(plugin_options.OPTIONS)
    assert warnings == [
        ("rul", f"unknown option `rul`; did you mean `rules`? The options are {options}"),
        ("xyz", f"unknown option `xyz`; the options are {options}"),
    ]


# The JSON Schema

GROUPS = {rule.name: rule.group for rule in get_rules().values()}
SCHEMA = jsonschema.Draft7Validator(settings.build_json_schema(GROUPS))
WHOLE = {option.key: tomllib.loads(f"x = {option.example}")["x"] for option in settings.OPTIONS.values()}


def test_the_schema_is_one() -> None:
    jsonschema.Draft7Validator.check_schema(settings.build_json_schema(GROUPS))
    assert SCHEMA.is_valid(WHOLE)
    assert SCHEMA.is_valid({})


def refused(table: Any, folder: Path) -> bool:
    """Whether reading a table finds something wrong."""
    from tutorial_tool.linter import effective_config

    text = "".join(f"{json.dumps(key)} = {effective_config.format_toml(value)}\n" for key, value in table.items())
    try:
        settings.load(written(folder, text), GROUPS)
    except ConfigError:
        return True
    return False


def nearly(inner: Any, key: Any) -> None:
    inner[key] = f"{inner[key]}x"


CHANGES = {
    **mutations.CHANGES,
    "nearly": nearly,
    "name": to("misspelling"),
    "names": to(["misspelling", "rumdl", "rumdl/MD022", "rumdl/", "tables", "ALL"]),
    "empty key": to({"": "x"}),
    "truth": to(True),
    "platforms": to(["{platform}/{platform}", "{platform}", "{a b}/{platform}", "{a}"]),
    "platform": to(["docs/{platform}/{step}.md"]),
}


@pytest.mark.parametrize("change", CHANGES)
def test_schema_and_validator_agree_on_mutated_tables(change: str, tmp_path: Path) -> None:
    disagreements = []
    for path in paths(WHOLE):
        table = mutated(WHOLE, path, CHANGES[change])
        ours, theirs = refused(table, tmp_path), not SCHEMA.is_valid(table)
        if ours != theirs:
            disagreements.append((path, ours, theirs))
    assert disagreements == []


def test_taplo_reads_the_schema(tmp_path: Path) -> None:
    """What editors of TOML have inside."""
    taplo = shutil.which("taplo", path=sysconfig.get_path("scripts"))
    if taplo is None and not os.environ.get("CI"):
        pytest.skip("taplo is not installed")
    schema = written(tmp_path, ran("schema", "--config").stdout, "tutorial-tool.schema.json")

    def told(text: str) -> subprocess.CompletedProcess[str]:
        command = [str(taplo), "lint", "--schema", schema.as_uri(), str(written(tmp_path, text))]
        return subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)

    good = "".join(f"{option.key} = {option.example}\n" for option in settings.OPTIONS.values())
    assert told(good).returncode == 0, told(good).stderr
    for wrong, said in {
        'slect = ["text"]': "'slect' was unexpected",
        'fail-on = "warn"': '"warn" is not one of',
        'ignore = ["mispelling"]': '"mispelling" is not valid',
        "lint = 1": "'lint' was unexpected",
        "lang = 1": "1 is not of type",
    }.items():
        done = told(f"{wrong}\n")
        assert done.returncode == 1
        assert said in done.stderr


# `tutorial-tool config`


def ran(*arguments: str) -> Result:
    return CliRunner().invoke(cli.main, list(arguments))


def test_the_settings_in_force_tell_where_they_come_from(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "docs").mkdir()
    written(
        tmp_path,
        '[tool.tutorial-tool]\nignore = ["text"]\n[tool.tutorial-tool.severity]\ngrammar = "error"\n',
        "pyproject.toml",
    )
    written(tmp_path / "docs", "[tool.other]\n", "pyproject.toml")
    text = ran("config", "docs", "--ignore", "drift", "--fail-on", "hint").stdout
    assert text.startswith(
        "# Configuration: pyproject.toml\n# Looked at: docs/pyproject.toml, which has no [tool.tutorial-tool]\n"
    )
    lines = {line.partition(" = ")[0]: " ".join(line.partition(" = ")[2].split()) for line in text.splitlines()}
    assert lines["ignore"] == '["text", "drift"] # pyproject.toml:2:1, command line'
    assert lines["severity"] == '{grammar = "error"} # pyproject.toml:3:1'
    assert lines["fail-on"] == '"hint" # command line'
    assert lines["templates"] == '"site_templates" # default'
    assert "# lang is not set " in text


def test_what_it_prints_can_be_a_configuration(tmp_path: Path) -> None:
    file = written(tmp_path, "".join(f"{option.key} = {option.example}\n" for option in settings.OPTIONS.values()))
    read = settings.load(file, GROUPS)
    again = written(tmp_path, ran("config", str(tmp_path)).stdout)
    assert settings.load(again, GROUPS) == read


def test_a_project_tells_what_mkdocs_says(tmp_path: Path) -> None:
    written(tmp_path, "platforms: {}\n", "platforms.yaml")
    written(tmp_path, "site_name: X\ndocs_dir: pages\nplugins:\n  - tutorial:\n      lint: false\n", "mkdocs.yml")
    told = json.loads(ran("config", str(tmp_path), "--json").stdout)
    assert told["settings"]["docs"]["value"] == "pages"
    assert told["settings"]["docs"]["origin"].endswith("mkdocs.yml:2:1")
    assert told["plugin"]["lint"]["value"] is False
    assert told["plugin"]["lint"]["origin"].endswith("mkdocs.yml:5:7")
    assert told["plugin"]["readers"] == {"value": True, "origin": "default"}


def test_the_severities_in_force(tmp_path: Path) -> None:
    written(tmp_path, '[severity]\nmisspelling = "error"\n')
    told = json.loads(ran("config", str(tmp_path), "--json", "--select", "text").stdout)["rules"]
    assert told["misspelling"] == {"group": "text", "severity": "error", "default": "warning"}
    assert told["missing-row"]["severity"] == "off"
    assert set(told) == set(get_rules())
    assert "  misspelling" in ran("config", str(tmp_path), "--rules").stdout


def test_a_configuration_that_is_wrong_ends_with_2(tmp_path: Path) -> None:
    written(tmp_path, "slect = []\nlnag = 1\n")
    done = ran("config", str(tmp_path))
    assert done.exit_code == 2
    assert "unknown option `slect`; did you mean `select`?" in done.stderr
    assert "unknown option `lnag`; did you mean `lang`?" in done.stderr


def test_the_schema_is_printed() -> None:
    assert json.loads(ran("schema", "--config").stdout) == settings.build_json_schema(GROUPS)
