"""The effective settings for a folder, and where each came from."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tutorial_tool import data
from tutorial_tool.config import plugin_options, site_generator
from tutorial_tool.config import settings as config
from tutorial_tool.config.settings import Config, Option
from tutorial_tool.core import lazy_re
from tutorial_tool.core.diagnostics import Severity
from tutorial_tool.core.source import Source, Span
from tutorial_tool.fs import files
from tutorial_tool.linter.config_lookup import LookupOptions
from tutorial_tool.rules import GROUPS, get_rules
from tutorial_tool.site import DATA

DEFAULT, COMMAND_LINE = "default", "command line"
MKDOCS = ("mkdocs.yml", "properdocs.yml", "mkdocs.yaml")
_BARE = lazy_re.compile(r"[A-Za-z0-9_-]+")


@dataclass(frozen=True)
class Setting:
    """An option, its value (None if not set), and its origin: one of the constants above, or a location."""

    key: str
    value: Any
    origin: str


@dataclass(frozen=True)
class RuleSetting:
    """A rule and its effective severity; `default` is the severity without a configuration."""

    rule: str
    group: str
    severity: Severity
    default: Severity


@dataclass(frozen=True)
class EffectiveConfig:
    """The effective configuration of a folder.

    `searched_files` are the files that were looked at: path, and what was found there.
    """

    folder: Path
    config: Config
    searched_files: tuple[tuple[str, str], ...]
    settings: tuple[Setting, ...]
    rules: tuple[RuleSetting, ...]
    plugin: tuple[Setting, ...]  # The plugin's options, if an MkDocs configuration names it


def collect_settings(folder: Path, lookup: LookupOptions) -> EffectiveConfig:
    """Collect the effective settings of a folder. Raises config.ConfigError."""
    effective = lookup.load_config(folder)
    root = next((path for path in (folder, *folder.parents) if (path / DATA).is_file()), None)
    searched = [] if lookup.file or lookup.isolated else config.list_searched_files(folder)
    if effective.file and lookup.file:
        searched = [(effective.file, "read")]
    return EffectiveConfig(
        folder,
        effective,
        tuple((files.format_path(path, lookup.start), outcome) for path, outcome in searched),
        tuple(_list_settings(effective, lookup, root)),
        tuple(_list_rules(effective, in_project=root is not None)),
        tuple(_list_plugin_options(root or folder, lookup.start)),
    )


def _list_settings(effective: Config, lookup: LookupOptions, root: Path | None) -> Iterator[Setting]:
    locations = config.locate_options(effective.file) if effective.file else {}
    overrides = dict(lookup.overrides)
    for option in config.OPTIONS.values():
        value = getattr(effective, option.field)
        origins = _list_origins(option, locations, overrides)
        if option.key == "docs" and value is None and (docs := _find_docs(root, lookup.start)):
            value, origins = docs
        yield Setting(option.key, value, ", ".join(origins) or DEFAULT)


def _list_origins(option: Option, locations: Mapping[str, Span], overrides: Mapping[str, Any]) -> list[str]:
    origins = [str(locations[option.key])] if option.key in locations else []
    if overrides.get(option.field) is None:
        return origins
    extends = option.field in ("ignore", "extend_select", "per_file_ignores", "extend_exclude")
    return [*(origins if extends else []), COMMAND_LINE]


def _find_docs(root: Path | None, start: Path) -> tuple[str, list[str]] | None:
    """Return the folder of pages from the site generator's configuration, and where it is set."""
    source = _read_mkdocs(root) if root else None
    if root is None or source is None or not (docs_dir := site_generator.find_docs_dir(root)):
        return None
    node = data.load_yaml(source).node
    key = node.get_key("docs_dir") if isinstance(node, data.Mapping) else None
    name = files.format_path(root / source.path, start)
    line, column = key.span.position if key else (0, 0)
    return docs_dir, [f"{name}:{line}:{column}" if key else f"MkDocs' default, {name}"]


def _read_mkdocs(folder: Path) -> Source | None:
    for name in MKDOCS:
        if (folder / name).is_file():
            source = files.read(folder / name, root=folder)
            return source if isinstance(source, Source) else None
    return None


def _list_rules(effective: Config, *, in_project: bool) -> Iterator[RuleSetting]:
    for rule in get_rules().values():
        default = rule.get_default(in_project=in_project)
        yield RuleSetting(rule.name, rule.group, effective.get_severity(rule, default) or Severity.OFF, default)


def _list_plugin_options(folder: Path, start: Path) -> Iterator[Setting]:
    """Yield the plugin's options, if an MkDocs configuration in or above a folder enables it."""
    for path in (folder, *folder.parents):
        if (source := _read_mkdocs(path)) is not None:
            break
    else:
        return
    node = _find_plugin_node(data.load_yaml(source).node)
    if node is None:
        return
    name = files.format_path(path / source.path, start)
    for option in plugin_options.OPTIONS.values():
        key, value = (
            (node.get_key(option.key), node.get(option.key)) if isinstance(node, data.Mapping) else (None, None)
        )
        if key is None:
            yield Setting(option.key, option.default, DEFAULT)
            continue
        line, column = key.span.position
        text = data.convert_to_plain(value)
        yield Setting(option.key, text == "true" if option.type is bool else text, f"{name}:{line}:{column}")


def _find_plugin_node(root: data.Node | None) -> data.Node | None:
    """Return the plugin's entry: a scalar without options, else its options; None if it is not enabled."""
    plugins = data.get_node(root, "plugins")
    for entry in (plugins, *data.get_items(plugins)):
        if options := data.get_node(entry, "tutorial"):
            return options
        if isinstance(entry, data.Scalar) and entry.text == "tutorial":
            return entry
    return None


# Text output


def format_toml(value: Any) -> str:
    """Format a value as TOML on one line."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_format_toml_key(key)} = {format_toml(item)}" for key, item in value.items()) + "}"
    assert isinstance(value, Iterable), value
    return "[" + ", ".join(map(format_toml, value)) + "]"


def _format_toml_key(key: str) -> str:
    return key if _BARE.fullmatch(key) else format_toml(key)


def get_plain_value(key: str, value: Any) -> Any:
    """Return a setting's value as lists, strings, and mappings, with table options as mappings again."""
    option = config.OPTIONS.get(key)
    forms = [option.kind.schema, *option.kind.schema.get("anyOf", ())] if option else []
    is_table = any(form.get("type") == "object" for form in forms)
    if is_table:
        merged: dict[str, Any] = {}
        for name, item in value:
            merged[name] = [*merged.get(name, []), *item] if isinstance(item, tuple) else str(item)
        return merged
    return list(value) if isinstance(value, tuple) else str(value) if isinstance(value, Severity) else value


def format_text(result: EffectiveConfig, *, rules: bool) -> Iterator[str]:
    """Yield the settings as lines of TOML, with their origins in comments; or the rules and severities."""
    read = next((path for path, outcome in result.searched_files if outcome == "read"), None)
    yield f"# Configuration: {read or 'none was found'}"
    for path, outcome in result.searched_files:
        if outcome != "read":
            yield f"# Looked at: {path}, which {outcome}"
    yield from _format_rules(result.rules) if rules else _format_settings(result)


def _format_settings(result: EffectiveConfig) -> Iterator[str]:
    lines = [_format_line(setting) for setting in result.settings]
    width = min(60, max(len(line) for line in lines))
    yield from (f"{line:<{width}}  # {item.origin}" for line, item in zip(lines, result.settings, strict=True))
    if result.plugin:
        yield "\n# The plugin's options in mkdocs.yml:"
        yield from (f"#   {option.key}: {_format_yaml(option.value)}  ({option.origin})" for option in result.plugin)


def _format_yaml(value: Any) -> str:
    return "not set" if value is None else str(value).lower() if isinstance(value, bool) else str(value)


def _format_line(setting: Setting) -> str:
    value = get_plain_value(setting.key, setting.value)
    return f"# {setting.key} is not set" if value is None else f"{setting.key} = {format_toml(value)}"


def _format_rules(rules: Iterable[RuleSetting]) -> Iterator[str]:
    rule_settings = list(rules)
    width = max(len(rule.rule) for rule in rule_settings)
    for group in GROUPS:
        yield group
        for rule in (rule for rule in rule_settings if rule.group == group):
            note = "" if rule.severity is rule.default else f"  (by default: {rule.default})"
            yield f"  {rule.rule:<{width}}  {rule.severity:<7}{note}".rstrip()


def build_json(result: EffectiveConfig) -> dict[str, Any]:
    """Build a JSON object of the whole configuration."""
    return {
        "configuration": next((path for path, outcome in result.searched_files if outcome == "read"), None),
        "looked_at": [{"path": path, "result": outcome} for path, outcome in result.searched_files],
        "settings": {
            setting.key: {"value": get_plain_value(setting.key, setting.value), "origin": setting.origin}
            for setting in result.settings
        },
        "rules": {
            rule.rule: {"group": rule.group, "severity": str(rule.severity), "default": str(rule.default)}
            for rule in result.rules
        },
        "plugin": {option.key: {"value": option.value, "origin": option.origin} for option in result.plugin},
    }
