"""The configuration and home page of a new project: from the copies' site, or by default."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from urllib.parse import quote

import yaml

from tutorial_tool import data
from tutorial_tool.adopt import existing_site
from tutorial_tool.adopt.copies import CopySet
from tutorial_tool.adopt.existing_site import DOCS
from tutorial_tool.core.source import Source
from tutorial_tool.site import Layout

CONFIG = "mkdocs.yml"
HOMES = ("index.md", "README.md")
_EXTENSIONS = "markdown_extensions"
_USUAL = ["admonition", "attr_list", "md_in_html", "tables", "pymdownx.details", "pymdownx.superfences"]
_PALETTE = [
    {
        "media": f"(prefers-color-scheme: {mode})",
        "scheme": scheme,
        "toggle": {"icon": f"material/weather-{icon}", "name": name},
    }
    for mode, scheme, icon, name in (("light", "default", "night", "Dark"), ("dark", "slate", "sunny", "Light"))
]
"""Light or dark, as set in the reader's system, until the reader chooses."""


def build_files(layout: Layout, adopted: Sequence[CopySet], docs: Path, display: Mapping[str, str]) -> dict[str, str]:
    """Build the configuration and, unless there is one, the home page of a new site; return them by path.

    `docs` is the docs folder of the copies, which may belong to an MkDocs site. `display` are the platforms' names. The
    home page links to the first page of each.
    """
    tutorial = adopted[0].tutorial
    site = existing_site.find_configuration(docs.parent)
    mapping = site.load_settings(docs.parent) if site else None
    usual = existing_site.find_name(docs, layout.root) if tutorial in DOCS else existing_site.format_title(tutorial)
    site_name = existing_site.read_name(mapping) or usual
    settings = {
        "site_name": site_name,
        "docs_dir": layout.docs,
        "theme": {"name": "material", "font": False, "features": ["content.code.copy"], "palette": _PALETTE},
        "plugins": ["search", "tutorial"],
    }
    own = _read_extensions(mapping) if mapping else ""
    text = yaml.safe_dump(settings, sort_keys=False, allow_unicode=True)
    text += own or yaml.safe_dump({_EXTENSIONS: _USUAL}, sort_keys=False)
    has_home = any((layout.root / layout.docs / page).is_file() for page in HOMES)
    home = {} if has_home else {f"{layout.docs}/{HOMES[0]}": f"# {site_name}\n\n{_format_links(adopted, display)}"}
    # The configuration comes last: if a run is killed before it, the next one writes both.
    return {**home, CONFIG: text}


def _format_links(adopted: Iterable[CopySet], display: Mapping[str, str]) -> str:
    """Format a list of links to the first page of each platform."""
    first: dict[str, str] = {}
    for copy_set in sorted(adopted, key=lambda item: item.place):
        for id_, copy in copy_set.copies.items():
            first.setdefault(id_, copy.path)
    return "".join(f"- [{display.get(id_, id_)}]({quote(path)})\n" for id_, path in first.items())


def _read_extensions(mapping: data.Mapping) -> str:
    """Return the Markdown extensions from a configuration; "" if it lists none."""
    key, node = mapping.get_key(_EXTENSIONS), mapping.get(_EXTENSIONS)
    if key is None or not isinstance(node, data.Sequence | data.Mapping):
        return ""
    text = key.span.source.text[key.span.start : node.span.end].rstrip() + "\n"
    alone = data.load_yaml(Source("", text)).node
    expected = {_EXTENSIONS: data.convert_to_plain(node)}
    is_whole = isinstance(alone, data.Mapping) and data.convert_to_plain(alone) == expected
    return text if is_whole else ""
