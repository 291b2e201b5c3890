"""Fixed words of the tool that stay English on a site whose theme speaks another language."""

from __future__ import annotations

from collections.abc import Iterator

from tutorial_tool import links
from tutorial_tool.core.diagnostics import Finding, Related, Severity
from tutorial_tool.data import Scalar, get_entries, get_node, load_yaml
from tutorial_tool.data.model import STRINGS
from tutorial_tool.links.generators import mkdocs
from tutorial_tool.rules import rule
from tutorial_tool.site import Project

_SOMETIMES = frozenset(
    "to-be-written step-of not-on not-on-because instead moved coming-soon all-platforms last-updated".split()
)
"""Words for optional parts, which most tutorials lack: not required."""
_OF_TABLES = frozenset(("copy-table", "table-copied"))


@rule("project", Severity.HINT)
def check(project: Project) -> Iterator[Finding]:
    spoken = next(_find_languages(project), None) if project.model.tutorials and not project.site.catalogs else None
    if spoken is None:
        return
    scalars = {key.plain: key for key in _iter_string_keys(project)}
    requested = STRINGS.keys() - _SOMETIMES - (frozenset() if project.model.tables else _OF_TABLES)
    missing = [word for word in STRINGS if word in requested and word not in scalars]
    if missing:
        message = f"the theme is in `{spoken.text}`, but these fixed words are in English: {', '.join(missing)}"
        related = tuple(Related(key.span, "the words are set here") for key in [*scalars.values()][:1])
        yield project.flag(spoken.span, f"{message}; translate them under `strings` in the data", related=related)


def _find_languages(project: Project) -> Iterator[Scalar]:
    """Yield the language of the theme, if not English, where the plugin adds text around steps."""
    for tree in links.get_addresses(project.site).pages.trees:
        has_plugin = tree.node is not None and "tutorial" in mkdocs.get_plugins(tree)
        for key in ("language", "locale") if has_plugin else ():
            node = get_node(tree.node, "theme", key)
            if isinstance(node, Scalar) and node.text and node.plain.lower()[:2] != "en":
                yield node


def _iter_string_keys(project: Project) -> Iterator[Scalar]:
    """Yield the keys of the built-in strings that the data overrides."""
    for path in project.data_files:
        strings = get_node(load_yaml(project.site.sources[path]).node, "strings")
        yield from (key for key, _ in get_entries(strings))
