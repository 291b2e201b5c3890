"""Additions to a site's configuration and theme: Markdown extensions, styles, scripts, templates."""

from __future__ import annotations

from pathlib import Path

from jinja2 import ChoiceLoader, Environment, FileSystemLoader, PrefixLoader
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import Abort
from mkdocs.utils import get_theme_dir

from tutorial_tool.config import plugin_options
from tutorial_tool.publishing import theme
from tutorial_tool.site import DATA

PRUNED_FROM = 200  # Minimum pages of tutorials for which a page shows only the open part of the navigation


def extend_config(config: MkDocsConfig) -> None:
    """Add missing extensions, styles, scripts, and overrides of Material's templates.

    The user's own styles and templates take precedence.
    """
    for name, options in plugin_options.EXTENSIONS.items():
        if name not in config.markdown_extensions:
            config.markdown_extensions.append(name)
            config.mdx_configs.setdefault(name, options)
    config.theme.dirs.append(str(theme.STATIC))
    config.extra_css[:0] = theme.STYLES  # before the user's styles, which take precedence
    config.extra_javascript += theme.SCRIPTS
    if config.theme.name == "material":
        config.extra_css.insert(0, theme.MATERIAL_STYLE)
        config.extra_javascript.append(theme.MATERIAL_SCRIPT)
        config.theme.dirs.insert(1 if config.theme.custom_dir else 0, str(theme.MATERIAL))
        _override_templates(config)
    else:
        config.extra_css.insert(0, theme.TABS_STYLE)


def check_folders(config: MkDocsConfig, project: str, templates: str) -> None:
    """Abort a build whose options name folders without the expected content. Defaults are not checked."""
    file = Path(config.config_file_path or "mkdocs.yml")
    root, message = file.parent / project, ""
    if project != plugin_options.OPTIONS["project"].default and not (root / DATA).is_file():
        folders = sorted(path.parent.name for path in file.parent.glob(f"*/{DATA}"))
        folders = ["."] if (file.parent / DATA).is_file() else folders
        key, value = "project", project
        message = f"there is no {DATA} in `{project}`{f'; there is one in `{folders[0]}`' if folders else ''}"
    elif templates != plugin_options.OPTIONS["templates"].default and not (root / templates).is_dir():
        key, value, message = "templates", templates, f"there is no folder `{templates}` in the project"
    if message:
        text = file.read_text(encoding="utf-8", errors="replace") if file.is_file() else ""
        raise Abort(plugin_options.describe_wrong_folder(key, value, file.name, text, message))


def prune_navigation(config: MkDocsConfig) -> None:
    """Prune closed sections from Material's navigation: their names link to the page that opens them."""
    features = list(config.theme.get("features") or ())
    if config.theme.name == "material" and not {"navigation.expand", "navigation.prune"} & set(features):
        config.theme["features"] = [*features, "navigation.prune"]


class _UnlistedLoader(PrefixLoader):
    """Templates to extend, not listed as theme files: MkDocs checks each, and Material has 14,000."""

    def list_templates(self) -> list[str]:
        return []


def _override_templates(config: MkDocsConfig) -> None:
    """Make Material's templates available as `material/` in every environment, including other plugins'."""
    get_original = config.theme.get_env
    material = _UnlistedLoader({"material": FileSystemLoader(get_theme_dir("material"))})

    def get_env() -> Environment:
        env = get_original()
        env.loader = ChoiceLoader([*filter(None, [env.loader]), material])
        return env

    vars(config.theme)["get_env"] = get_env
