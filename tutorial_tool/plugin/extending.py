"""What the plugin adds to the configuration and theme of a site: Markdown extensions, styles, scripts, templates."""

from __future__ import annotations

from typing import Any

from jinja2 import ChoiceLoader, Environment, FileSystemLoader, PrefixLoader
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.utils import get_theme_dir

from tutorial_tool import theme

EXTENSIONS: dict[str, dict[str, Any]] = {
    "attr_list": {},
    "tables": {},
    "admonition": {},
    "pymdownx.superfences": {},
    "pymdownx.tabbed": {"alternate_style": True},
}
"""The Markdown extensions that tutorial pages are written for, with what they need."""
PRUNED_FROM = 200
"""Pages of tutorials from which on each page shows the open part of the navigation only: else all of them show all."""


def extend(config: MkDocsConfig) -> None:
    """Add the extensions that are not there, the style and the script of tutorial pages, and the templates that mend
    Material's behind the user's own."""
    for name, options in EXTENSIONS.items():
        if name not in config.markdown_extensions:
            config.markdown_extensions.append(name)
            config.mdx_configs.setdefault(name, options)
    config.theme.dirs.append(str(theme.STATIC))
    config.extra_css[:0] = theme.STYLES  # the user's own styles come after them, and win
    config.extra_javascript += theme.SCRIPTS
    if config.theme.name == "material":
        config.extra_css.insert(0, theme.MATERIAL_STYLE)
        config.extra_javascript.append(theme.MATERIAL_SCRIPT)
        config.theme.dirs.insert(1 if config.theme.custom_dir else 0, str(theme.MATERIAL))


def prune(config: MkDocsConfig) -> None:
    """Leave closed sections out of Material's navigation: their names lead to their first page, which opens them."""
    features = list(config.theme.get("features") or ())
    if config.theme.name == "material" and not {"navigation.expand", "navigation.prune"} & set(features):
        config.theme["features"] = [*features, "navigation.prune"]


def mend(env: Environment, config: MkDocsConfig) -> Environment:
    """Let the templates that mend Material's take its own from `material/`."""
    if env.loader is not None and config.theme.name == "material":
        theirs = {"material": FileSystemLoader(get_theme_dir("material"))}
        env.loader = ChoiceLoader([env.loader, PrefixLoader(theirs)])
    return env
