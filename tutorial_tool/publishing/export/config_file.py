"""The `mkdocs.yml` with which MkDocs and compatible generators publish pages like the site itself."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import yaml

from tutorial_tool import data
from tutorial_tool.core.diagnostics import Finding
from tutorial_tool.core.source import Source
from tutorial_tool.core.traced import strip_origins
from tutorial_tool.fs import files as files_
from tutorial_tool.publishing import theme
from tutorial_tool.site import Site

DOCS = "docs"
MARKDOWN_EXTENSIONS: list[Any] = [
    "admonition",
    "attr_list",
    "md_in_html",
    "tables",
    "pymdownx.superfences",
    {"pymdownx.tabbed": {"alternate_style": True}},
]


def _read_site_config(site: Site) -> Source | None:
    """Return the project's own `mkdocs.yml`, if it exists and can be read."""
    for name in ("mkdocs.yml", "properdocs.yml"):
        path = site.layout.root / name
        if path.is_file():
            source = files_.read(path, root=site.layout.root)
            return None if isinstance(source, Finding) or data.load_yaml(source).node is None else source
    return None


def read_settings(site: Site) -> Mapping[str, Any]:
    """Return the settings of the project's own `mkdocs.yml` as plain data; empty without one."""
    source = _read_site_config(site)
    settings = data.convert_to_plain(data.load_yaml(source).node) if source else {}
    return settings if isinstance(settings, dict) else {}


_TAKEN_OVER = "site_url site_description copyright theme extra extra_css extra_javascript markdown_extensions".split()
"""Settings that are copied from a site's `mkdocs.yml`; plugins and hooks are not."""


def build_config(site: Site, nav: list[Any], *, with_assets: bool) -> bytes:
    """Build the `mkdocs.yml` with which MkDocs-compatible engines publish the pages like the site itself.

    `with_assets` adds this tool's styles and scripts, before the site's own.
    """
    titles = [strip_origins(tutorial.title) for tutorial in site.model.tutorials.values()]
    config = {
        "site_name": read_settings(site).get("site_name") or (titles[0] if titles else "Tutorial"),
        "docs_dir": DOCS,
        "theme": {"name": "material", "font": False},
        "markdown_extensions": MARKDOWN_EXTENSIONS,
        "nav": nav,
    }
    ours = _build_mapping(config)
    source = _read_site_config(site)
    if source is not None:
        right = dict(_iter_entries(_parse_yaml(source.text)))
        nodes = {key: right[key] for key in _TAKEN_OVER if key in right}
        _merge_settings(ours, nodes)
        plugins = right.get("plugins")
        if site.catalogs and isinstance(plugins, yaml.SequenceNode):
            kept = [node for node in plugins.value if _get_extension_name(node) in ("search", "i18n")]
            _set_key(ours, "plugins", yaml.SequenceNode(plugins.tag, kept))
    if lang := site.layout.lang:  # a separate site, below that of the source language
        _set_key(ours, "docs_dir", f"{lang}/{DOCS}")
        _set_key(ours, "site_dir", f"site/{lang}")
        if isinstance(name := _get_value(ours, "theme"), str):
            _set_key(ours, "theme", _build_mapping({"name": name}))
        _set_key(_get_value(ours, "theme"), "language", lang)
        if url := _get_value(ours, "site_url"):
            _set_key(ours, "site_url", f"{url.rstrip('/')}/{lang}/")
    if with_assets:
        is_material = _get_value(_get_value(ours, "theme"), "name") in ("material", None)
        _prepend_paths(ours, "extra_css", [theme.MATERIAL_STYLE if is_material else theme.TABS_STYLE, *theme.STYLES])
        _prepend_paths(ours, "extra_javascript", [*theme.SCRIPTS, *([theme.MATERIAL_SCRIPT] if is_material else [])])
    dumper: Any = getattr(yaml, "CSafeDumper", yaml.SafeDumper)
    return yaml.serialize(ours, Dumper=dumper, allow_unicode=True).encode()


def _set_key(mapping: Any, key: str, value: str | yaml.Node) -> None:
    mapping.value = [pair for pair in mapping.value if pair[0].value != key]
    mapping.value.append((_build_scalar(key), _build_scalar(value) if isinstance(value, str) else value))


def _build_mapping(config: Mapping[str, Any]) -> yaml.Node:
    return yaml.representer.SafeRepresenter(default_flow_style=False, sort_keys=False).represent_data(config)


def _build_scalar(text: str) -> yaml.ScalarNode:
    return yaml.ScalarNode("tag:yaml.org,2002:str", text)


def _parse_yaml(text: str) -> yaml.Node | None:
    """Parse YAML as nodes without resolving tags, so that `!!python/name:` is kept. None on errors."""
    try:
        return yaml.compose(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    except yaml.YAMLError:
        return None


def _iter_entries(node: yaml.Node | None) -> Iterator[tuple[str, yaml.Node]]:
    if isinstance(node, yaml.MappingNode):
        yield from ((key.value, value) for key, value in node.value)


def _merge_settings(ours: yaml.Node, nodes: Mapping[str, yaml.Node]) -> None:
    """Override the default settings with a site's; the extensions that the pages need are kept."""
    known = dict(_iter_entries(ours))
    for key, value in nodes.items():
        if key == "theme" and isinstance(value, yaml.MappingNode):
            value.value = [pair for pair in value.value if pair[0].value != "custom_dir"]  # the folder is not copied
        if key == "markdown_extensions":
            _add_missing(value, known[key])
        if key in known:
            ours.value = [(name, value if name.value == key else old) for name, old in ours.value]
        else:
            ours.value.append((_build_scalar(key), value))


def _get_value(node: Any, key: str) -> Any:
    """Return the value of a key in a mapping: a node, or a scalar's text."""
    result = dict(_iter_entries(node)).get(key) if isinstance(node, yaml.MappingNode) else None
    return result.value if isinstance(result, yaml.ScalarNode) else result


def _prepend_paths(config: yaml.Node, key: str, paths: list[str]) -> None:
    """Insert paths at the start of a list in the configuration."""
    listed = dict(_iter_entries(config)).get(key)
    if not isinstance(listed, yaml.SequenceNode):
        listed = yaml.SequenceNode("tag:yaml.org,2002:seq", [])
        config.value.append((_build_scalar(key), listed))
    listed.value[:0] = map(_build_scalar, paths)


def _add_missing(right: yaml.Node, needed: yaml.Node) -> None:
    is_list = isinstance(right, yaml.SequenceNode)
    names = (
        {_get_extension_name(node) for node in right.value} if is_list else {name for name, _ in _iter_entries(right)}
    )
    for node in needed.value:
        if _get_extension_name(node) in names:
            continue
        if is_list:
            right.value.append(node)
        elif isinstance(right, yaml.MappingNode):
            is_bare = isinstance(node, yaml.ScalarNode)
            pair = (node, yaml.MappingNode("tag:yaml.org,2002:map", [])) if is_bare else node.value[0]
            right.value.append(pair)


def _get_extension_name(node: yaml.Node) -> str:
    return str(node.value[0][0].value) if isinstance(node, yaml.MappingNode) and node.value else str(node.value)
