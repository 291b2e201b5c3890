"""The configuration: `[tool.tutorial-tool]` of `pyproject.toml`, or `tutorial-tool.toml`, as one frozen dataclass.

The fields of `Config` are the one table of options. Files are read by it, the command line takes its help from it.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import Field, dataclass, field, fields, replace
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeVar

from tutorial_tool import files, toml_places
from tutorial_tool.finding import Finding, Severity, did_you_mean
from tutorial_tool.source import Source, Span

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

OWN_FILE = "tutorial-tool.toml"
SHARED_FILE = "pyproject.toml"
TABLE = ("tool", "tutorial-tool")
FORMATS = ("full", "concise", "json", "sarif", "github", "gitlab", "junit")
DIALECTS = ("python-markdown", "commonmark", "gfm", "mdx", "hugo", "docusaurus")
THRESHOLDS = ("error", "warning", "hint")
ALL = "ALL"

T = TypeVar("T")


class Rule(Protocol):
    """What of a rule matters here."""

    @property
    def name(self) -> str: ...
    @property
    def group(self) -> str: ...


class ConfigError(Exception):
    """A configuration that cannot be used. Each problem is a line; those of a file begin with path:line:column."""

    def __init__(self, problems: Iterable[str]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(self.problems))


# The kinds of values


class Wrong(Exception):
    """A value that does not fit. `path` leads from the option to it; `key` tells that its key is meant."""

    def __init__(self, message: str, path: toml_places.Path = (), *, key: bool = False) -> None:
        super().__init__(message)
        self.path, self.key = path, key

    def below(self, key: str | int) -> Wrong:
        return Wrong(str(self), (key, *self.path), key=self.key)


class Kind(NamedTuple):
    """A kind of value: what to call it, and how to read it from TOML. `read` raises Wrong."""

    what: str
    read: Callable[[Any, Mapping[str, str]], Any]


def _text(value: object, _rules: Mapping[str, str]) -> str:
    if not isinstance(value, str) or not value:
        raise Wrong("should be a text")
    return value


def check_name(value: object, rules: Mapping[str, str]) -> str:
    """The name of a rule or a group, or ALL. Raises Wrong for another."""
    text = _text(value, rules)
    if text in rules or text == ALL or text in rules.values():
        return text
    raise Wrong(f"there is no rule or group '{text}'{did_you_mean(text, [*rules, *sorted({*rules.values()}), ALL])}")


def _choice(*choices: str) -> Callable[[object, Mapping[str, str]], str]:
    def read(value: object, _rules: Mapping[str, str]) -> str:
        if value not in choices:
            raise Wrong(f"should be one of {', '.join(choices)}{did_you_mean(value, choices)}")
        return str(value)

    return read


def _list_of(read: Callable[[Any, Mapping[str, str]], T]) -> Callable[[object, Mapping[str, str]], tuple[T, ...]]:
    def read_list(value: object, rules: Mapping[str, str]) -> tuple[T, ...]:
        if not isinstance(value, list):
            raise Wrong("should be a list")
        return tuple(_at(index, read, item, rules) for index, item in enumerate(value))

    return read_list


def _table_of(
    read: Callable[[Any, Mapping[str, str]], T], read_key: Callable[[Any, Mapping[str, str]], str] = _text
) -> Callable[[object, Mapping[str, str]], tuple[tuple[str, T], ...]]:
    def read_table(value: object, rules: Mapping[str, str]) -> tuple[tuple[str, T], ...]:
        if not isinstance(value, dict):
            raise Wrong("should be a table")
        for key in value:
            try:
                read_key(key, rules)
            except Wrong as wrong:
                raise Wrong(f"{wrong}", (key,), key=True) from wrong
        return tuple((key, _at(key, read, item, rules)) for key, item in value.items())

    return read_table


def _at(key: str | int, read: Callable[[Any, Mapping[str, str]], T], value: object, rules: Mapping[str, str]) -> T:
    try:
        return read(value, rules)
    except Wrong as wrong:
        raise wrong.below(key) from wrong


def _severity(value: object, rules: Mapping[str, str]) -> Severity:
    return Severity(_choice(*Severity)(value, rules))


def _threshold(value: object, rules: Mapping[str, str]) -> Severity:
    return Severity(_choice(*THRESHOLDS)(value, rules))


def _pattern(value: object, rules: Mapping[str, str]) -> str:
    text = _text(value, rules)
    names = re.findall(r"\{([^{}]*)\}", text)
    if names.count("platform") != 1:
        raise Wrong("should have {platform} once, where the paths of the copies differ")
    if wrong := next((name for name in names if not name.isidentifier()), None):
        raise Wrong(f"'{{{wrong}}}' should be a name in braces, such as {{step}}")
    return text


TEXT = Kind("text", _text)
PATTERNS = Kind("list of paths with {platform}", _list_of(_pattern))
TEXTS = Kind("list of texts", _list_of(_text))
NAMES = Kind("list of rules and groups", _list_of(check_name))
NAMES_BY_GLOB = Kind("table: glob = list of rules and groups", _table_of(_list_of(check_name)))
SEVERITIES = Kind("table: rule or group = error, warning, hint or off", _table_of(_severity, check_name))
THRESHOLD = Kind(", ".join(THRESHOLDS), _threshold)
FORMAT = Kind(", ".join(FORMATS), _choice(*FORMATS))
DIALECT = Kind(", ".join(DIALECTS), _choice(*DIALECTS))
REDIRECTS = Kind("table: old address = where it leads", _table_of(_text))
GLOSSARY = Kind("table: term = list of what not to call it", _table_of(_list_of(_text)))


def _option(kind: Kind, doc: str, default: Any = ()) -> Any:
    """A field that is an option."""
    return field(default=default, metadata={"kind": kind, "doc": doc})


# The table


@dataclass(frozen=True)
class Config:
    """All settings. `root` is the folder that globs and files in it are relative to."""

    root: Path = Path()
    file: Path | None = None
    """Where it was read from."""
    select: tuple[str, ...] | None = _option(NAMES, "Rules and groups to run instead of the default ones.", None)
    ignore: tuple[str, ...] = _option(NAMES, "Rules and groups not to run. The more specific name wins.")
    extend_select: tuple[str, ...] = _option(NAMES, "Rules and groups to run beside the default or selected ones.")
    per_file_ignores: tuple[tuple[str, tuple[str, ...]], ...] = _option(
        NAMES_BY_GLOB, "Rules and groups to ignore in the files that a glob names."
    )
    severity_overrides: tuple[tuple[str, Severity], ...] = _option(
        SEVERITIES, "How grave the findings of a rule or group are here."
    )
    fail_on: Severity = _option(  # noqa: RUF009 - a field, as the others
        THRESHOLD, "The least severity that makes a run fail.", Severity.WARNING
    )
    output_format: str = _option(FORMAT, "How findings are printed.", "full")
    output_file: str | None = _option(TEXT, "Write the findings to this file instead of printing them.", None)
    exclude: tuple[str, ...] = _option(
        TEXTS, "Globs of files and folders that are not searched.", ("node_modules/", "site-packages/", "venv/")
    )
    extend_exclude: tuple[str, ...] = _option(TEXTS, "Further globs of files and folders that are not searched.")
    docs: str | None = _option(
        TEXT, "The folder of hand-written pages, relative to the project. Default: what mkdocs.yml says.", None
    )
    templates: str = _option(TEXT, "The folder of templates, relative to the project.", "site_templates")
    variants: tuple[str, ...] = _option(
        PATTERNS, "Paths of copies, such as docs/{platform}/{step}.md, instead of those that are found."
    )
    external_allow: tuple[str, ...] = _option(
        TEXTS, "Globs of hosts of your own network that --external may ask, such as 127.0.0.1:8000 or *.lan."
    )
    external_ignore: tuple[str, ...] = _option(TEXTS, "Globs of addresses that --external does not ask.")
    vocabulary: tuple[str, ...] = _option(TEXTS, "Words that are right here.")
    vocabulary_file: str | None = _option(TEXT, "A file of such words, one a line; `#` begins a comment.", None)
    lang: str | None = _option(TEXT, "The language of pages that do not tell theirs, such as en.", None)
    dialect: str | None = _option(DIALECT, "The Markdown that pages are written in. Default: as it looks.", None)
    redirects: tuple[tuple[str, str], ...] = _option(
        REDIRECTS, "Old addresses of the site and where they lead, beside those that the site generator knows."
    )
    inventory: str | None = _option(
        TEXT, "The inventory of what was published last; what is gone without a redirect is found.", None
    )
    baseline: str | None = _option(TEXT, "The file of the findings that are known, which stay silent.", None)
    glossary: tuple[tuple[str, tuple[str, ...]], ...] = _option(
        GLOSSARY, "What things are called here, each with names that it should not have."
    )

    def severity(self, rule: Rule, default: Severity) -> Severity | None:
        """How grave a rule's findings are; None where it is off. `default` is what holds without a configuration."""
        if not self._runs(rule, default):
            return None
        told = self.stated_severity(rule)
        if told is not None and told is not Severity.OFF:
            return told
        return Severity.WARNING if default is Severity.OFF else default

    def _runs(self, rule: Rule, default: Severity) -> bool:
        """As ruff decides it: from the least specific name to the most, selecting before ignoring."""
        told = self.stated_severity(rule)
        runs = self.select is None and (default if told is None else told) is not Severity.OFF
        selected = {*(self.select or ()), *self.extend_select}
        for name in (ALL, rule.group, rule.name):
            runs = (runs or name in selected) and name not in self.ignore
            runs = runs and not (name == rule.name and told is Severity.OFF and name not in selected)
        return runs

    def stated_severity(self, rule: Rule) -> Severity | None:
        """What the most specific entry of `severity` says of a rule."""
        told = dict(self.severity_overrides)
        return next((told[name] for name in (rule.name, rule.group, ALL) if name in told), None)

    @property
    def usual_lang(self) -> str | None:
        """The language of `lang`, without its region."""
        return self.lang.replace("_", "-").partition("-")[0].lower() if self.lang else None

    def ignored_in(self, path: str, rule: Rule) -> bool:
        """Whether `per-file-ignores` turns a rule off in a file, whose path is relative to `root`."""
        names = {rule.name, rule.group, ALL}
        return any(names.intersection(of_glob) and matches((glob,), path) for glob, of_glob in self.per_file_ignores)

    def excludes(self, path: str) -> bool:
        """Whether a file that was found in a folder is left aside; its path is relative to `root`."""
        return matches((*self.exclude, *self.extend_exclude), path)

    @cached_property
    def words(self) -> frozenset[str]:
        """The project's vocabulary: what stands in the configuration, and in the file that it names.

        Raises ConfigError where that file cannot be read.
        """
        if self.vocabulary_file is None:
            return frozenset(self.vocabulary)
        read = files.read(self.root / self.vocabulary_file, root=self.root)
        if isinstance(read, Finding):
            raise ConfigError([f"{read.span.path}: vocabulary-file: {read.message}"])
        lines = (line.partition("#")[0].strip() for line in read.text.splitlines())
        return frozenset((*self.vocabulary, *filter(None, lines)))

    def with_command_line(self, **given: Any) -> Config:
        """This configuration with options of the command line, those that are None aside.

        As ruff has it, `select` there replaces what the file selects, and `ignore` adds to what the file ignores; the
        same name, selected there and ignored in the file, is selected.
        """
        told = {name: value for name, value in given.items() if value is not None}
        selected = {*told.get("select", ()), *told.get("extend_select", ())}
        kept = tuple(name for name in self.ignore if name not in selected)
        told["ignore"] = (*kept, *told.get("ignore", ()))
        extended = () if "select" in told else self.extend_select
        told["extend_select"] = (*extended, *told.get("extend_select", ()))
        told["per_file_ignores"] = (*self.per_file_ignores, *told.get("per_file_ignores", ()))
        told["extend_exclude"] = (*self.extend_exclude, *told.get("extend_exclude", ()))
        return replace(self, **told)


class Option(NamedTuple):
    """One option: its key in a file, the field of `Config`, its kind, default, and what it is for."""

    key: str
    field: str
    kind: Kind
    default: Any
    doc: str


def _as_option(of: Field[Any]) -> Option:
    key = of.name.removesuffix("_overrides").replace("_", "-")
    return Option(key, of.name, of.metadata["kind"], of.default, of.metadata["doc"])


OPTIONS = {option.key: option for option in (_as_option(of) for of in fields(Config) if of.metadata)}
"""All options, by key."""


# Globs


def matches(globs: Iterable[str], path: str) -> bool:
    """Whether a path with `/` matches one of some globs, as in `.gitignore`; `!` before a glob means all others."""
    return any(
        not _spec(glob[1:]).match_file(path) if glob.startswith("!") else _spec(glob).match_file(path) for glob in globs
    )


@cache
def _spec(glob: str) -> GitIgnoreSpec:
    from pathspec import GitIgnoreSpec

    return GitIgnoreSpec.from_lines([glob.removeprefix("./")])


# Reading


def find(start: Path) -> Path | None:
    """The nearest file with a configuration, in a folder or above it. Raises ConfigError where one folder has two."""
    for folder in (start, *start.parents):
        own, shared = folder / OWN_FILE, folder / SHARED_FILE
        told = shared if shared.is_file() and _has_table(shared) else None
        if own.is_file():
            if told is not None:
                message = f"the configuration stands here and in [{'.'.join(TABLE)}] of {SHARED_FILE}; keep one of them"
                raise ConfigError([f"{files.shown(own, Path())}:1:1: {message}"])
            return own
        if told is not None:
            return told
    return None


def _has_table(file: Path) -> bool:
    source = _read(file)
    return TABLE[1] in source.text and _table(_parsed(source), file) is not None


def load(file: Path, rules: Mapping[str, str], *, root: Path | None = None) -> Config:
    """The configuration that a file holds. `rules` gives the group of each rule's name.

    Raises ConfigError with all that is wrong: a wrong key, type, choice or name, each with its place.
    """
    source = _read(file)
    table = _table(_parsed(source), file) or {}
    prefix = () if file.name != SHARED_FILE else TABLE
    reading = _Reading(source, prefix, rules)
    told = reading.read(table)
    if reading.problems:
        raise ConfigError(reading.problems)
    return Config(root or file.parent, file, **told)


def _read(file: Path) -> Source:
    read = files.read(file, root=file.parent)
    name = files.shown(file, Path())
    if isinstance(read, Finding):
        raise ConfigError([f"{name}: {read.message}"])
    return Source(name, read.raw)


def _parsed(source: Source) -> dict[str, Any]:
    try:
        return tomllib.loads(source.text)
    except tomllib.TOMLDecodeError as wrong:
        message, offset = toml_places.problem(str(wrong), source.text)
        raise ConfigError([f"{source.span(offset)}: this is not TOML: {message}"]) from wrong
    except RecursionError as deep:
        raise ConfigError([f"{source.path}: is nested too deeply"]) from deep


def _table(parsed: dict[str, Any], file: Path) -> dict[str, Any] | None:
    """Our part of a file: all of our own, the table of the shared one."""
    if file.name != SHARED_FILE:
        return parsed
    tool = parsed.get(TABLE[0])
    table = tool.get(TABLE[1]) if isinstance(tool, dict) else None
    return table if isinstance(table, dict) else None


class _Reading:
    """Reads the options of a table, and collects what is wrong."""

    def __init__(self, source: Source, prefix: toml_places.Path, rules: Mapping[str, str]) -> None:
        self.source, self.prefix, self.rules = source, prefix, rules
        self.problems: list[str] = []

    @cached_property
    def places(self) -> dict[toml_places.Path, toml_places.Place]:
        try:
            return toml_places.places(self.source.text)
        except RecursionError:
            return {}

    def read(self, table: Mapping[str, Any]) -> dict[str, Any]:
        told = {}
        for key, value in table.items():
            option = OPTIONS.get(key)
            if option is None:
                self._flag(f"there is no option '{key}'{did_you_mean(key, OPTIONS)}", (key,), key=True)
                continue
            try:
                told[option.field] = option.kind.read(value, self.rules)
            except Wrong as wrong:
                self._flag(f"'{key}': {wrong}", (key, *wrong.path), key=wrong.key)
        return told

    def _flag(self, message: str, path: toml_places.Path, *, key: bool = False) -> None:
        place = self.places.get((*self.prefix, *path))
        offset = 0 if place is None else place.key if key else place.value
        self.problems.append(f"{Span(self.source, offset, offset)}: {message}")
