"""The configuration as a dataclass, from `pyproject.toml` or `tutorial-tool.toml`.

The table of `pyproject.toml` is `[tool.tutorial-tool]`. The fields of `Config` are the single table of options: files
are validated with it, and the command line takes its help from it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import Field, dataclass, field, fields, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeVar

from tutorial_tool.core import lazy_re
from tutorial_tool.core.diagnostics import Finding, Severity, format_suggestion
from tutorial_tool.core.errors import TutorialToolError
from tutorial_tool.core.source import Source, Span
from tutorial_tool.data import toml_places
from tutorial_tool.fs import files
from tutorial_tool.fs.globs import LEFT_OUT, OF_OTHERS, OF_TESTS, explain_bad_glob, matches

if TYPE_CHECKING:
    from tutorial_tool.spelling.ui_strings import Strings
    from tutorial_tool.spelling.vocabulary import Vocabulary

OWN_FILE = "tutorial-tool.toml"
SHARED_FILE = "pyproject.toml"
TABLE = ("tool", "tutorial-tool")
BASELINE = "Baselined findings. Written by: tutorial-tool lint --write-baseline"
"""The description at the start of a baseline."""
FORMATS = ("full", "concise", "json", "sarif", "github", "gitlab", "junit", "markdown", "html", "rdjsonl")
DIALECTS = ("python-markdown", "commonmark", "gfm", "mdx", "hugo", "docusaurus", "kramdown", "kramed", "myst")
THRESHOLDS = ("error", "warning", "hint")
TOOLS = ("rumdl", "markdownlint-cli2", "typos", "codespell", "cspell", "vale", "textlint")
"""Other linters that can run with this one. Their rules have names such as `rumdl/MD022`."""
ALL, COPIES = "ALL", "copies"  # Names of all rules, and of those that compare copies, which are in several groups

T = TypeVar("T")


class RuleIdentity(Protocol):
    """The attributes of a rule that the configuration needs."""

    @property
    def name(self) -> str: ...
    @property
    def selectors(self) -> tuple[str, ...]:
        """The names that select the rule, from the least specific to its own."""


class ConfigError(TutorialToolError):
    """An invalid configuration. Each problem is a line; those of a file begin with path:line:column."""

    def __init__(self, problems: Iterable[str]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(self.problems))


# The kinds of values


class InvalidValue(Exception):
    """An invalid value. `path` is its path within the option; `key` means that its key is invalid."""

    def __init__(self, message: str, path: toml_places.Path = (), *, key: bool = False) -> None:
        super().__init__(message)
        self.path, self.key = path, key


class OptionKind(NamedTuple):
    """A type of option: name, function to read it from TOML, and JSON Schema.

    `read` raises InvalidValue.
    """

    what: str
    read: Callable[[Any, Mapping[str, str]], Any]
    schema: Mapping[str, Any] = {}


def _read_text(value: object, _rules: Mapping[str, str]) -> str:
    if not isinstance(value, str) or not value:
        raise InvalidValue("should be text")
    return value


def _read_path(value: object, rules: Mapping[str, str]) -> str:
    """Validate a path, which must stay in the configuration's folder.

    A configuration from somebody else thus cannot read or write elsewhere.
    """
    text = _read_text(value, rules)
    if reason := files.explain_unsafe(text):
        raise InvalidValue(f"the path {reason}")
    return text


def check_name(value: object, rules: Mapping[str, str]) -> str:
    """Validate the name of a rule, a group, ALL, another tool, or one of its rules. Raises InvalidValue."""
    text = _read_text(value, rules)
    if text in rules or text in (ALL, COPIES, *rules.values()) or is_tool_name(text):
        return text
    names = [*rules, *sorted({*rules.values()}), ALL, COPIES, *TOOLS]
    hint = format_suggestion(text, names) or "; `tutorial-tool explain` lists them"
    raise InvalidValue(f"unknown rule or group `{text}`{hint}")


def is_tool_name(name: str) -> bool:
    """Return whether a name is that of another tool, or of one of its rules, which only that tool knows."""
    tool, slash, code = name.partition("/")
    return tool in TOOLS and bool(code) is bool(slash)


def _make_choice_reader(*choices: str) -> Callable[[object, Mapping[str, str]], str]:
    def read(value: object, _rules: Mapping[str, str]) -> str:
        if value not in choices:
            raise InvalidValue(f"should be one of {', '.join(choices)}{format_suggestion(value, choices)}")
        return str(value)

    return read


def _make_list_reader(
    read: Callable[[Any, Mapping[str, str]], T],
) -> Callable[[object, Mapping[str, str]], tuple[T, ...]]:
    def read_list(value: object, rules: Mapping[str, str]) -> tuple[T, ...]:
        if not isinstance(value, list):
            write = f'; write `["{value}"]`' if isinstance(value, str) and '"' not in value else ""
            raise InvalidValue(f"should be a list{write}")
        return tuple(_read_item(index, read, item, rules) for index, item in enumerate(value))

    return read_list


def _make_table_reader(
    read: Callable[[Any, Mapping[str, str]], T], read_key: Callable[[Any, Mapping[str, str]], str] = _read_text
) -> Callable[[object, Mapping[str, str]], tuple[tuple[str, T], ...]]:
    def read_table(value: object, rules: Mapping[str, str]) -> tuple[tuple[str, T], ...]:
        if not isinstance(value, dict):
            raise InvalidValue("should be a table")
        for key in value:
            try:
                read_key(key, rules)
            except InvalidValue as wrong:
                raise InvalidValue(f"{wrong}", (key,), key=True) from wrong
        return tuple((key, _read_item(key, read, item, rules)) for key, item in value.items())

    return read_table


def _read_item(
    key: str | int, read: Callable[[Any, Mapping[str, str]], T], value: object, rules: Mapping[str, str]
) -> T:
    try:
        return read(value, rules)
    except InvalidValue as wrong:
        raise InvalidValue(str(wrong), (key, *wrong.path), key=wrong.key) from wrong


def _read_flag(value: object, _rules: Mapping[str, str]) -> bool:
    if not isinstance(value, bool):
        raise InvalidValue("should be true or false")
    return value


def _make_severity_reader(*choices: str) -> Callable[[object, Mapping[str, str]], Severity]:
    read = _make_choice_reader(*choices)
    return lambda value, rules: Severity(read(value, rules))


def check_glob(value: object, rules: Mapping[str, str]) -> str:
    """Validate a glob as in `.gitignore`. Raises InvalidValue."""
    text = _read_text(value, rules)
    if wrong := explain_bad_glob(text):
        raise InvalidValue(f"`{text}` {wrong}")
    return text


def _read_pattern(value: object, rules: Mapping[str, str]) -> str:
    text = _read_text(value, rules)
    names = re.findall(r"\{([^{}]*)\}", text)
    if "platform" not in names:
        raise InvalidValue("should have {platform} where the paths of the copies differ")
    if wrong := next((name for name in names if not name.isidentifier()), None):
        raise InvalidValue(f"`{{{wrong}}}` should be a name in braces, such as `{{step}}`")
    return text


def _build_list_schema(item: Mapping[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": item}


def _build_table_schema(item: Mapping[str, Any], key: Mapping[str, Any]) -> dict[str, Any]:
    return {"type": "object", "additionalProperties": item, "propertyNames": key}


_TEXT_SCHEMA = {"type": "string", "minLength": 1}
_NAME_SCHEMA = {"$ref": "#/definitions/name"}
_PATTERN_SCHEMA = {
    "type": "string",
    "pattern": r"\{platform\}",
    "not": {"pattern": r"\{platform\}[\s\S]*\{platform\}|\{(?![A-Za-z_][A-Za-z0-9_]*\})[^{}]*\}"},
}


def _read_by_platform(value: object, rules: Mapping[str, str]) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return lists by platform; a list for all platforms is under ALL."""
    read = _make_list_reader(_read_path)
    return _make_table_reader(read)(value, rules) if isinstance(value, dict) else ((ALL, read(value, rules)),)


TEXT = OptionKind("text", _read_text, _TEXT_SCHEMA)
PATH = OptionKind("text", _read_path, _TEXT_SCHEMA)
PATTERNS = OptionKind(
    "list of paths with {platform}", _make_list_reader(_read_pattern), _build_list_schema(_PATTERN_SCHEMA)
)
FLAG = OptionKind("true or false", _read_flag, {"type": "boolean"})
PATHS = OptionKind("list of strings", _make_list_reader(_read_path), _build_list_schema(_TEXT_SCHEMA))
TEXTS = OptionKind("list of strings", _make_list_reader(_read_text), _build_list_schema(_TEXT_SCHEMA))
GLOBS = OptionKind("list of strings", _make_list_reader(check_glob), _build_list_schema(_TEXT_SCHEMA))
NAMES = OptionKind("list of rules and groups", _make_list_reader(check_name), _build_list_schema(_NAME_SCHEMA))
NAMES_BY_GLOB = OptionKind(
    "table: glob = list of rules and groups",
    _make_table_reader(_make_list_reader(check_name), check_glob),
    _build_table_schema(_build_list_schema(_NAME_SCHEMA), _TEXT_SCHEMA),
)
SEVERITIES = OptionKind(
    "table: rule or group = error, warning, hint or off",
    _make_table_reader(_make_severity_reader(*Severity), check_name),
    _build_table_schema({"enum": [*map(str, Severity)]}, _NAME_SCHEMA),
)
UI_STRINGS = OptionKind(
    "list of files, or table: platform = list of files",
    _read_by_platform,
    {"anyOf": [_build_list_schema(_TEXT_SCHEMA), _build_table_schema(_build_list_schema(_TEXT_SCHEMA), _TEXT_SCHEMA)]},
)
THRESHOLD = OptionKind(", ".join(THRESHOLDS), _make_severity_reader(*THRESHOLDS), {"enum": [*THRESHOLDS]})
FORMAT = OptionKind(", ".join(FORMATS), _make_choice_reader(*FORMATS), {"enum": [*FORMATS]})
TOOL_NAMES = OptionKind(
    f"list of {', '.join(TOOLS)}",
    _make_list_reader(_make_choice_reader(*TOOLS)),
    _build_list_schema({"enum": [*TOOLS]}),
)
WITH_MISSING = OptionKind("error, note", _make_choice_reader("error", "note"), {"enum": ["error", "note"]})
DIALECT = OptionKind(", ".join(DIALECTS), _make_choice_reader(*DIALECTS), {"enum": [*DIALECTS]})
REDIRECTS = OptionKind(
    "table: old URL = new URL", _make_table_reader(_read_text), _build_table_schema(_TEXT_SCHEMA, _TEXT_SCHEMA)
)
GLOSSARY = OptionKind(
    "table: term = list of names to avoid",
    _make_table_reader(_make_list_reader(_read_text)),
    _build_table_schema(_build_list_schema(_TEXT_SCHEMA), _TEXT_SCHEMA),
)


def _define_option(kind: OptionKind, doc: str, default: Any = (), *, example: str = "") -> Any:
    """Define a field that is an option; `example` is a value in TOML."""
    return field(default=default, metadata={"kind": kind, "doc": doc, "example": example})


# The table


@dataclass(frozen=True)
class Config:
    """All settings. Globs and files are relative to the folder `root`, or to `home` if that is set."""

    root: Path = Path()
    home: Path | None = None
    file: Path | None = None  # The file that it was read from
    on_top: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())
    """What the command line selects and ignores: it overrides the file."""
    select: tuple[str, ...] | None = _define_option(
        NAMES, "Rules and groups to run instead of the defaults.", None, example='["text", "broken-link"]'
    )
    ignore: tuple[str, ...] = _define_option(
        NAMES, "Rules and groups to skip. The more specific name wins.", example='["placeholder-text"]'
    )
    extend_select: tuple[str, ...] = _define_option(
        NAMES, "Rules and groups to run in addition to the default or selected ones.", example='["trailing-space"]'
    )
    per_file_ignores: tuple[tuple[str, tuple[str, ...]], ...] = _define_option(
        NAMES_BY_GLOB,
        "Rules and groups to ignore in files that match a glob.",
        example='{"docs/changelog.md" = ["repeated-word"]}',
    )
    severity_overrides: tuple[tuple[str, Severity], ...] = _define_option(
        SEVERITIES, "The severity of a rule or group.", example='{grammar = "error", tables = "hint"}'
    )
    fail_on: Severity = _define_option(  # noqa: RUF009 - a field, as the others
        THRESHOLD, "The minimum severity that fails the run.", Severity.WARNING, example='"hint"'
    )
    output_format: str = _define_option(FORMAT, "The format of the findings.", "full", example='"concise"')
    output_file: str | None = _define_option(
        PATH, "Write the findings to this file instead of printing them.", None, example='"findings.txt"'
    )
    exclude: tuple[str, ...] = _define_option(
        GLOBS,
        "Globs of files and folders to skip.",
        (*(f"{name}/" for name in LEFT_OUT), *(f"/{name}/" for name in OF_OTHERS), *OF_TESTS),
        example='["build/", "docs/archive"]',
    )
    extend_exclude: tuple[str, ...] = _define_option(
        GLOBS, "More globs of files and folders to skip.", example='["drafts/**"]'
    )
    force_exclude: bool = _define_option(
        FLAG, "Skip excluded files even if they are named. If none is left, the run passes.", False, example="true"
    )
    docs: str | None = _define_option(
        PATH,
        "The folder of hand-written pages, relative to the project. Default: what mkdocs.yml says.",
        None,
        example='"docs"',
    )
    templates: str = _define_option(
        PATH, "The folder of templates, relative to the project.", "site_templates", example='"templates"'
    )
    variants: tuple[str, ...] = _define_option(
        PATTERNS,
        "Path patterns of copies, such as docs/{platform}/{step}.md, instead of detecting them.",
        example='["docs/{platform}/{step}.md"]',
    )
    external_allow: tuple[str, ...] = _define_option(
        TEXTS,
        "Globs of hosts in your network that --external-links may contact, such as *.lan or 127.0.0.1:8000.",
        example='["127.0.0.1:8000", "*.lan"]',
    )
    external_ignore: tuple[str, ...] = _define_option(
        TEXTS, "Globs of URLs that --external-links does not check.", example='["https://example.com/private/*"]'
    )
    vocabulary: tuple[str, ...] = _define_option(TEXTS, "Words to accept.", example='["Higgs", "webhook"]')
    vocabulary_file: str | None = _define_option(
        PATH, "A file of words to accept, one per line. `#` starts a comment.", None, example='"words.txt"'
    )
    vocabularies: tuple[str, ...] = _define_option(
        PATHS,
        "Vocabularies of other tools: a folder of Vale's, cspell's configuration or word lists.",
        example='["styles/config/vocabularies/Docs", "cspell.json"]',
    )
    ui_strings: tuple[tuple[str, tuple[str, ...]], ...] = _define_option(
        UI_STRINGS,
        "Files with the UI strings of the product: .json, .arb, .xcstrings, .strings, .xml, .po.",
        example='{ios = ["app/Localizable.strings"], ALL = ["web/en.json"]}',
    )
    lang: str | None = _define_option(
        TEXT, "The language of pages that do not state one, such as en.", None, example='"en"'
    )
    with_: tuple[str, ...] = _define_option(
        TOOL_NAMES, f"Other linters to run on the pages: {', '.join(TOOLS)}.", example='["rumdl", "typos"]'
    )
    with_missing: str = _define_option(
        WITH_MISSING, "Whether a missing linter is an error or a note.", "error", example='"note"'
    )
    dialect: str | None = _define_option(
        DIALECT, "The Markdown dialect of the pages. Default: detected.", None, example='"gfm"'
    )
    redirects: tuple[tuple[str, str], ...] = _define_option(
        REDIRECTS,
        "Redirects of the site, in addition to those in the site generator's configuration.",
        example='{"/old/" = "/guide/start/"}',
    )
    generated_urls: tuple[str, ...] = _define_option(
        GLOBS,
        "Globs of generated URLs and anchors. Links to them are not checked.",
        example='["/api/**", "/guide/*#tab-*"]',
    )
    fallback_language: str | None = _define_option(
        TEXT, "The language that the site falls back to when a page has no translation.", None, example='"en"'
    )
    keep_anchor_case: bool = _define_option(
        FLAG, "Whether the site generator keeps capitals in heading anchors.", False, example="true"
    )
    announce_drafts: bool = _define_option(
        FLAG, "Whether the platform switcher lists draft platforms as coming soon.", False, example="true"
    )
    inventory: str | None = _define_option(
        PATH,
        "The inventory of the published site. URLs that are gone without a redirect are reported.",
        None,
        example='"inventory.json"',
    )
    baseline: str | None = _define_option(
        PATH, "The baseline: a file of findings to suppress.", None, example='"baseline.json"'
    )
    glossary: tuple[tuple[str, tuple[str, ...]], ...] = _define_option(
        GLOSSARY, "Terms, each with names to avoid.", example='{webhook = ["web hook"]}'
    )

    def get_severity(self, rule: RuleIdentity, default: Severity) -> Severity | None:
        """Return the severity of a rule; None if it is off. `default` applies without a configuration."""
        if not self._is_enabled(rule, default):
            return None
        stated_severity = self.get_stated_severity(rule)
        if stated_severity is not None and stated_severity is not Severity.OFF:
            return stated_severity
        return Severity.WARNING if default is Severity.OFF else default

    def _is_enabled(self, rule: RuleIdentity, default: Severity) -> bool:
        """Return whether a rule is enabled, as ruff decides it.

        Names are applied from the least specific to the most, `select` before `ignore`.
        """
        stated_severity = self.get_stated_severity(rule)
        runs = self.select is None and (default if stated_severity is None else stated_severity) is not Severity.OFF
        selected = self.selected_names
        for name in rule.selectors:
            runs = (runs or name in selected) and name not in self.ignore
            runs = runs and not (name == rule.name and stated_severity is Severity.OFF and name not in selected)
        return runs and not self._is_ignored_on_top(rule)

    @property
    def selected_names(self) -> frozenset[str]:
        """The names of rules and groups that `select` and `extend-select` have."""
        return frozenset((*(self.select or ()), *self.extend_select))

    def is_requested(self, name: str) -> bool:
        """Return whether a rule is selected, or has a severity, by its own name."""
        return name in self.selected_names or name in dict(self.severity_overrides)

    def is_ignored(self, rule: RuleIdentity) -> bool:
        """Return whether a rule is turned off explicitly, not because others are selected."""
        is_named = any(name in self.ignore for name in rule.selectors)
        return is_named or self.get_stated_severity(rule) is Severity.OFF or self._is_ignored_on_top(rule)

    def _is_ignored_on_top(self, rule: RuleIdentity) -> bool:
        """Return whether the command line ignores the most specific of the rule's names that it mentions."""
        selected, ignored = self.on_top
        names = (name for name in reversed(rule.selectors) if name in selected or name in ignored)
        return next(names, None) in ignored

    def can_run_tool(self, tool: str) -> bool:
        """Return whether any rule of another tool can report findings here."""
        chosen = self.selected_names
        severity = dict(self.severity_overrides).get(tool)
        runs = (self.select is None and severity is not Severity.OFF) or ALL in chosen
        runs = ((runs and ALL not in self.ignore) or tool in chosen) and tool not in self.ignore
        return runs or any(name.startswith(f"{tool}/") for name in chosen)

    def get_stated_severity(self, rule: RuleIdentity) -> Severity | None:
        """Return the severity from the most specific entry of `severity` for a rule."""
        severities = dict(self.severity_overrides)
        return next((severities[name] for name in reversed(rule.selectors) if name in severities), None)

    @property
    def usual_lang(self) -> str | None:
        """The language of `lang`, without its region."""
        return self.lang.replace("_", "-").partition("-")[0].lower() if self.lang else None

    def is_ignored_in(self, path: str, rule: RuleIdentity) -> bool:
        """Return whether `per-file-ignores` turns a rule off in a file, whose path is relative to `root`."""
        names, path = {*rule.selectors}, self._relocate_path(path)
        return any(names.intersection(of_glob) and matches((glob,), path) for glob, of_glob in self.per_file_ignores)

    def excludes(self, path: str) -> bool:
        """Return whether a file found in a folder is excluded; its path is relative to `root`."""
        return matches((*self.exclude, *self.extend_exclude), self._relocate_path(path))

    def _relocate_path(self, path: str) -> str:
        """Return a path relative to the configuration file's folder, as globs are, which may be above a project."""
        return files.format_path(self.root / path, self.home) if self.file and self.home else path

    @property
    def folder(self) -> Path:
        """The folder that configured file names are relative to."""
        return self.home or self.root

    @cached_property
    def words(self) -> frozenset[str]:
        """The project's vocabulary, from the configuration and its vocabulary file.

        Raises: ConfigError if that file cannot be read.
        """
        if self.vocabulary_file is None:
            return frozenset(self.vocabulary)
        read = files.read(self.folder / self.vocabulary_file, root=self.folder)
        if isinstance(read, Finding):
            raise ConfigError([f"{read.span.path}: vocabulary-file: {read.message}"])
        lines = (line.partition("#")[0].strip() for line in read.text.splitlines())
        return frozenset((*self.vocabulary, *filter(None, lines)))

    @cached_property
    def full_vocabulary(self) -> Vocabulary:
        """All accepted and rejected words: those of the project, and of other tools' vocabularies.

        Raises: ConfigError for invalid lists, with all locations.
        """
        from tutorial_tool.spelling.vocabulary import Vocabulary

        vocabulary = Vocabulary.from_entries(self.words)
        if not self.vocabularies:
            return vocabulary
        from tutorial_tool.spelling import foreign

        problems: list[str] = []
        for name in self.vocabularies:
            read, findings = foreign.read(self.folder / name, self.folder)
            problems += [f"{finding.span}: {finding.message}" for finding in findings]
            vocabulary |= read
        if problems:
            raise ConfigError(problems)
        return vocabulary

    @cached_property
    def screen_strings(self) -> Mapping[str, Strings]:
        """The UI strings of the product, by platform; those of all platforms are under ALL.

        Raises: ConfigError for invalid lists, with all locations.
        """
        if not self.ui_strings:
            return {}
        from tutorial_tool.spelling import ui_strings

        read = {platform: ui_strings.read(paths, self.folder) for platform, paths in self.ui_strings}
        problems = [f"{finding.span}: {finding.message}" for _, findings in read.values() for finding in findings]
        if problems:
            raise ConfigError(problems)
        return {platform: strings for platform, (strings, _) in read.items()}

    @property
    def named_files(self) -> tuple[str, ...]:
        """The files and folders from which a run of the linter reads."""
        files = (self.vocabulary_file, self.baseline, self.inventory, *self.vocabularies)
        return (*filter(None, files), *(path for _, paths in self.ui_strings for path in paths))

    def read_files(self) -> None:
        """Read the lists of words and UI strings now, which rules would read later. Raises ConfigError."""
        _ = self.full_vocabulary, self.screen_strings

    def merge_command_line(self, **given: Any) -> Config:
        """Return this configuration with options of the command line, except for those that are None.

        As in ruff, `select` there replaces the file's selection, and `ignore` adds to what the file ignores; a name
        that is selected there and ignored in the file is selected. A group ignored there is ignored with all its rules,
        whichever of them the file selects: the setting closer to the user wins.
        """
        reported = {name: value for name, value in given.items() if value is not None}
        selected = {*reported.get("select", ()), *reported.get("extend_select", ())}
        kept = tuple(name for name in self.ignore if name not in selected)
        reported["on_top"] = tuple(selected), tuple(reported.get("ignore", ()))
        reported["ignore"] = (*kept, *reported.get("ignore", ()))
        extended = () if "select" in reported else self.extend_select
        reported["extend_select"] = (*extended, *reported.get("extend_select", ()))
        reported["per_file_ignores"] = (*self.per_file_ignores, *reported.get("per_file_ignores", ()))
        reported["extend_exclude"] = (*self.extend_exclude, *reported.get("extend_exclude", ()))
        return replace(self, **reported)


class Option(NamedTuple):
    """An option: key in a file, field of `Config`, kind, default, description, and a TOML example."""

    key: str
    field: str
    kind: OptionKind
    default: Any
    doc: str
    example: str


def _build_option(of: Field[Any]) -> Option:
    key = of.name.removesuffix("_overrides").rstrip("_").replace("_", "-")  # `with` is a Python keyword
    return Option(key, of.name, of.metadata["kind"], of.default, of.metadata["doc"], of.metadata["example"])


OPTIONS = {option.key: option for option in (_build_option(of) for of in fields(Config) if of.metadata)}
"""All options, by key."""


def build_json_schema(rules: Mapping[str, str]) -> dict[str, Any]:
    """Build the JSON Schema of the table, for editors. `rules` maps each rule's name to its group.

    It uses draft 7, the one that TOML editors support.
    """
    names = [ALL, *sorted({COPIES, *rules.values()}), *sorted(rules), *TOOLS]
    properties = {
        option.key: {"description": option.doc, "x-taplo": {"docs": {"main": option.doc}}, **option.kind.schema}
        for option in OPTIONS.values()
    }
    return {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "title": f"[{'.'.join(TABLE)}] of {SHARED_FILE}, or {OWN_FILE}",
        "type": "object",
        "properties": properties,
        "additionalProperties": False,
        "definitions": {
            "name": {
                "description": "A rule, a group, ALL, another tool, or one of its rules.",
                "anyOf": [{"enum": names}, {"type": "string", "pattern": f"^(?:{'|'.join(TOOLS)})/[\\s\\S]+$"}],
            }
        },
    }


# Reading


def find_in_folder(folder: Path) -> Path | None:
    """Return the configuration file in a folder. Raises ConfigError if it has two."""
    own_file, shared = folder / OWN_FILE, folder / SHARED_FILE
    path = shared if shared.is_file() and _has_table(shared) else None
    if not own_file.is_file():
        return path
    if path is not None:
        message = f"the configuration is here and in [{'.'.join(TABLE)}] of {SHARED_FILE}; keep one of them"
        raise ConfigError([f"{files.format_path(own_file, Path())}:1:1: {message}"])
    return own_file


def find_file(start: Path, look: Callable[[Path], Path | None] = find_in_folder) -> Path | None:
    """Return the nearest configuration file in or above a folder.

    `look` finds that of a single folder, and may be cached.

    Raises: ConfigError if one folder has two.
    """
    return next((path for folder in (start, *start.parents) if (path := look(folder))), None)


def list_searched_files(start: Path) -> list[tuple[Path, str]]:
    """Return the files that `find_file` searches, in order, up to the result: each with what it is."""
    path = find_file(start)
    out: list[tuple[Path, str]] = []
    for folder in (start, *start.parents):
        for name in (OWN_FILE, SHARED_FILE):
            file = folder / name
            if file == path:
                return [*out, (file, "read")]
            if file.is_file():
                out.append((file, f"has no [{'.'.join(TABLE)}]"))
    return out


def locate_options(file: Path) -> dict[str, Span]:
    """Return the location of each option in a valid file, by key. Raises ConfigError."""
    source = _read(file)
    prefix = () if file.name != SHARED_FILE else TABLE
    reading = _OptionReader(source, prefix, {}, file.parent)
    value = {key: reading.places.get((*prefix, key)) for key in _get_table(_parse(source), file) or {}}
    return {key: Span(source, place.key, place.key) for key, place in value.items() if place is not None}


_MISTYPED = lazy_re.compile(r"^\[\[?tool\.(tutorial_tool|tutorialtool|tutorial-tools)\b", re.MULTILINE)
"""A heading in the shared file that is mistaken for ours."""


def _has_table(file: Path) -> bool:
    source = _read(file)
    if match := _MISTYPED.search(source.text):
        message = f"nothing reads `[tool.{match[1]}]`; write `[{'.'.join(TABLE)}]`"
        raise ConfigError([f"{source.span(*match.span(1))}: {message}"])
    return TABLE[1] in source.text and _get_table(_parse(source), file) is not None


def load(file: Path, rules: Mapping[str, str], *, root: Path | None = None) -> Config:
    """Load a configuration file. `rules` maps each rule's name to its group.

    Raises: ConfigError with all problems: each wrong key, type, choice, or name, with its location.
    """
    source = _read(file)
    table = _get_table(_parse(source), file) or {}
    prefix = () if file.name != SHARED_FILE else TABLE
    reading = _OptionReader(source, prefix, rules, root or file.parent)
    reported = reading.read(table)
    if reading.problems:
        raise ConfigError(reading.problems)
    return Config(root or file.parent, file=file, **reported)


def _read(file: Path) -> Source:
    read = files.read(file, root=file.parent)
    name = files.format_path(file, Path())
    if isinstance(read, Finding):
        raise ConfigError([f"{name}: {read.message}"])
    return Source(name, read.raw)


def _parse(source: Source) -> dict[str, Any]:
    import tomllib  # slow to load, and most folders of Markdown have no configuration

    try:
        return tomllib.loads(source.text)
    except tomllib.TOMLDecodeError as wrong:
        message, offset = toml_places.parse_error(str(wrong), source.text)
        raise ConfigError([f"{source.span(offset)}: invalid TOML: {message}"]) from wrong
    except RecursionError as deep:
        raise ConfigError([f"{source.path}: is nested too deeply"]) from deep
    except ValueError as digits:
        raise ConfigError([f"{source.path}: a number has too many digits"]) from digits


def _get_table(parsed: dict[str, Any], file: Path) -> dict[str, Any] | None:
    """Return our part of a file: our own file as a whole, or the table of the shared one."""
    if file.name != SHARED_FILE:
        return parsed
    tool = parsed.get(TABLE[0])
    table = tool.get(TABLE[1]) if isinstance(tool, dict) else None
    if table is not None and not isinstance(table, dict):
        raise ConfigError([f"{files.format_path(file, Path())}: [{'.'.join(TABLE)}] should be a table"])
    return table


def _find_heading(key: str, table: Mapping[str, Any]) -> str:
    """Return a heading wrongly put above the options, as in another file or another tool: `[lint]`."""
    if key == TABLE[0] and TABLE[1] in table:
        return ".".join(TABLE)
    return key if key in (TABLE[1], "lint") or (table and OPTIONS.keys() >= table.keys()) else ""


def _explain_unknown(key: str, value: object) -> str:
    if isinstance(value, Mapping) and (heading := _find_heading(key, value)):
        return f"the file holds the options themselves: write them without the heading [{heading}]"
    return f"unknown option `{key}`{format_suggestion(key, OPTIONS)}"


class _OptionReader:
    """A reader for the options of a table, which collects problems."""

    def __init__(self, source: Source, prefix: toml_places.Path, rules: Mapping[str, str], root: Path) -> None:
        self.source, self.prefix, self.rules, self.root = source, prefix, rules, root
        self.problems: list[str] = []

    @cached_property
    def places(self) -> dict[toml_places.Path, toml_places.EntryPosition]:
        try:
            return toml_places.find_positions(self.source.text)
        except RecursionError:
            return {}

    def read(self, table: Mapping[str, Any]) -> dict[str, Any]:
        reported = {}
        for key, value in table.items():
            option = OPTIONS.get(key)
            if option is None:
                self._add_problem(_explain_unknown(key, value), (key,), key=True)
                continue
            if astray := next((inner for inner in value if inner in OPTIONS), "") if isinstance(value, Mapping) else "":
                told_so = f"`{astray}` is an option, and belongs to {key} here: write it above the heading [{key}]"
                self._add_problem(told_so, (key, astray), key=True)
                continue
            try:
                reported[option.field] = option.kind.read(value, self.rules)
                self._check_links(option.kind, reported[option.field])
            except InvalidValue as wrong:
                self._add_problem(f"`{key}`: {wrong}", (key, *wrong.path), key=wrong.key)
        return reported

    def _check_links(self, kind: OptionKind, value: Any) -> None:
        """Raise InvalidValue for paths that leave the folder by symbolic links."""
        by_platform = value if kind is UI_STRINGS else ()
        paths = (value,) if kind is PATH else value if kind is PATHS else [path for _, of in by_platform for path in of]
        if not all(files.resolve_inside(self.root, path) for path in paths):
            raise InvalidValue("a symbolic link points outside the folder")

    def _add_problem(self, message: str, path: toml_places.Path, *, key: bool = False) -> None:
        place = self.places.get((*self.prefix, *path))
        offset = 0 if place is None else place.key if key else place.value
        self.problems.append(f"{Span(self.source, offset, offset)}: {message}")
