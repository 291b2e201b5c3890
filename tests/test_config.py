"""The configuration: where it is found, what it may say, and which rules run."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tutorial_tool import config, parser, toml_places
from tutorial_tool.config import Config, ConfigError
from tutorial_tool.finding import Severity

RULES = {"misspelling": "text", "unknown-word": "text", "missing-row": "tables", "row-order": "tables"}


@dataclass(frozen=True)
class Rule:
    name: str
    group: str


DEFAULTS = {
    Rule("misspelling", "text"): Severity.WARNING,
    Rule("unknown-word", "text"): Severity.OFF,
    Rule("missing-row", "tables"): Severity.WARNING,
    Rule("row-order", "tables"): Severity.HINT,
}


def written(folder: Path, text: str, name: str = config.OWN_FILE) -> Path:
    file = folder / name
    file.write_text(text, encoding="utf-8")
    return file


def running(told: Config) -> dict[str, str]:
    """The rules that run, with their severities."""
    graded = {rule.name: told.severity(rule, default) for rule, default in DEFAULTS.items()}
    return {name: str(severity) for name, severity in graded.items() if severity}


def problems(file: Path) -> list[str]:
    with pytest.raises(ConfigError) as caught:
        config.load(file, RULES)
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
    read = config.load(file, RULES)
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
        docs="pages",
        templates="parts",
        vocabulary=("Webhook.site",),
        vocabulary_file="words.txt",
        lang="en",
        dialect="gfm",
        glossary=(("webhook", ("web hook",)),),
    )
    assert {option.field for option in config.OPTIONS.values()} == set(vars(read)) - {"root", "file"}


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
        "pyproject.toml:6:1: there is no option 'slect'; did you mean 'select'?",
        "pyproject.toml:9:3: 'select': there is no rule or group 'mispelling'; did you mean 'misspelling'?",
        "pyproject.toml:11:11: 'fail-on': should be one of error, warning, hint; did you mean 'warning'?",
        "pyproject.toml:12:25: 'severity': should be one of error, warning, hint, off; did you mean 'hint'?",
        "pyproject.toml:13:8: 'docs': should be a text",
        "pyproject.toml:16:10: 'per-file-ignores': should be a list",
    ]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("select = [\n", "tutorial-tool.toml:2:1: this is not TOML: Invalid value"),
        ('lang = "en"\nlang = "de"\n', "tutorial-tool.toml:2:12: this is not TOML: Cannot overwrite a value"),
        ('severity = {row-ordr = "off"}', "row-ordr'; did you mean 'row-order'?"),
        ("x = " + "[" * 5000, "tutorial-tool.toml: is nested too deeply"),
        ('lang = "\0"', "holds a NUL character"),
    ],
)
def test_what_cannot_be_read(tmp_path: Path, text: str, problem: str) -> None:
    assert problem in problems(written(tmp_path, text))[0]


def test_the_nearest_configuration_is_found(tmp_path: Path) -> None:
    page = tmp_path / "docs" / "guide"
    page.mkdir(parents=True)
    assert config.find(page) is None
    outer = written(tmp_path, "[tool.tutorial-tool]\n", "pyproject.toml")
    assert config.find(page) == outer
    written(tmp_path / "docs", "[tool.other]\n", "pyproject.toml")
    assert config.find(page) == outer
    own = written(tmp_path / "docs", "")
    assert config.find(page) == own


def test_two_configurations_in_one_folder_are_an_error(tmp_path: Path) -> None:
    written(tmp_path, "[tool.tutorial-tool]\n", "pyproject.toml")
    written(tmp_path, "")
    with pytest.raises(ConfigError, match="keep one of them"):
        config.find(tmp_path)


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


def test_the_command_line_wins() -> None:
    told = Config(select=("tables",), ignore=("row-order", "misspelling"), extend_select=("unknown-word",))
    assert running(told) == {"missing-row": "warning", "unknown-word": "warning"}
    assert running(told.with_command_line(select=("text",))) == {"unknown-word": "warning"}
    assert running(told.with_command_line(select=("misspelling",))) == {"misspelling": "warning"}
    assert running(told.with_command_line(ignore=("unknown-word",), fail_on=None)) == {"missing-row": "warning"}
    assert running(told.with_command_line(extend_select=("row-order",))) == {
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
    assert told.ignored_in(matched, rule)
    assert not told.ignored_in(other, rule)
    assert not told.ignored_in(matched, Rule("row-order", "tables"))


def test_the_vocabulary_comes_from_the_file_too(tmp_path: Path) -> None:
    written(tmp_path, "# ours\nHiggs Shop\nkotlinx  # a library\n\n", "words.txt")
    told = Config(tmp_path, vocabulary=("Webhook.site",), vocabulary_file="words.txt")
    assert told.words == {"Webhook.site", "Higgs Shop", "kotlinx"}
    with pytest.raises(ConfigError, match=r"none\.txt: vocabulary-file: "):
        assert replace(told, vocabulary_file="none.txt").words


def test_dialects_are_those_of_the_parser() -> None:
    assert tuple(parser.Dialect) == config.DIALECTS


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
    places = toml_places.places(text)
    for name, table in tables.items():
        for key, value in table.items():
            place = places["x", name, key]
            assert text.startswith(f"{key} = {value}", place.key)
            assert text.startswith(value, place.value)
