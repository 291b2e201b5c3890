"""Rename a key or id of the data, or a macro, in all data and templates; the pages stay the same."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from tutorial_tool.core.diagnostics import Finding
from tutorial_tool.core.source import Edit, Span
from tutorial_tool.data.model.parts import RESERVED
from tutorial_tool.lsp import symbols
from tutorial_tool.scaffold import data_edits
from tutorial_tool.scaffold.data_edits import ScaffoldError
from tutorial_tool.site import Site
from tutorial_tool.site.symbols import Name, Occurrence, SymbolIndex, SymbolKind

if TYPE_CHECKING:
    from tutorial_tool.lsp.workspace import CheckedTarget


_ID_REASON = "files and URLs have this id; run `tutorial-tool rename`"
_REASONS = {
    SymbolKind.PLATFORM: _ID_REASON,
    SymbolKind.TUTORIAL: _ID_REASON,
    SymbolKind.STEP: _ID_REASON,
    SymbolKind.SECTION: "a section's id is part of its URL, which others may link to",
    SymbolKind.FIELD: "this name is built into the tool",
    SymbolKind.WORD: "this is text that readers see",
    SymbolKind.TEMPLATE: "this is the name of a file",
    SymbolKind.PART: "the name of a part is the name of its files",
    SymbolKind.FIGURE: "a figure has the name of its image",
}


def find_place(checked: CheckedTarget, path: str, offset: int) -> Occurrence:
    """Return the name at a place.

    Raises: ScaffoldError: there is none, or it cannot be renamed.
    """
    places = symbols.find_places_at(checked, path, offset)
    if not places:
        raise ScaffoldError("there is no name from the data here")
    for result in places:
        _check_renamable(checked.symbol_index, result.name)
    return places[0]


def _check_renamable(index: SymbolIndex, name: Name) -> None:
    if reason := _REASONS.get(name.kind):
        raise ScaffoldError(f"{name} is not renamed: {reason}")
    if not index.definitions.get(name):
        raise ScaffoldError(f"{name} is not defined anywhere")
    for place in _iter_written_places(index, name):
        if not place.exact:
            raise ScaffoldError(f"{name} is not renamed: {_explain_refusal(place)} ({place.span})")


def _iter_written_places(index: SymbolIndex, name: Name) -> Iterator[Occurrence]:
    """Return the places that write the name itself."""
    return (place for place in index.list_places(name) if not place.is_indirect)


def _explain_refusal(place: Occurrence) -> str:
    if place.span.start == place.span.end:
        return "a file is called after it"
    return "it is computed there" if place.context == "computed" else "it is written differently there"


def build_edits(checked: CheckedTarget, path: str, offset: int, new: str) -> list[Edit]:
    """Return all edits that rename the name at a place.

    Raises: ScaffoldError: it cannot be renamed, the new name is not possible, or pages would change.
    """
    result = find_place(checked, path, offset)
    names = [item.name for item in symbols.find_places_at(checked, path, offset)]
    spans = list(
        dict.fromkeys(item.span for name in names for item in _iter_written_places(checked.symbol_index, name))
    )
    _check_new(checked, result.name, new, spans)
    renames = [Edit(span, new) for span in spans]
    _check_pages(checked, renames)
    return renames


def build_edits_for_name(checked: CheckedTarget, name: Name, new: str) -> list[Edit]:
    """Return all edits that rename a known name.

    Raises: ScaffoldError: it cannot be renamed, or pages would change.
    """
    _check_renamable(checked.symbol_index, name)
    definition = checked.symbol_index.definitions[name][0].span
    return build_edits(checked, definition.path, definition.start, new)


def _check_new(checked: CheckedTarget, name: Name, new: str, spans: Iterable[Span]) -> None:
    data_edits.check_id(new)
    if name.kind is SymbolKind.COLUMN and new in RESERVED:
        raise ScaffoldError(f"`{new}` is a reserved word and cannot name a column")
    other = Name(name.kind, name.id[: len(name.id) - len(name.word)] + new)
    if new != name.word and checked.symbol_index.definitions.get(other):
        raise ScaffoldError(f"{name.kind} `{new}` already exists")
    for span in spans:
        before = span.source.text[: span.start].rstrip()
        dotted = before.endswith(".") or name.kind is SymbolKind.MACRO
        if dotted and not span.path.endswith((".yaml", ".yml")) and not new.isidentifier():
            identifier = new.replace("-", "_")
            such = f": write, for example, `{identifier}`" if identifier.isidentifier() else ""
            raise ScaffoldError(f"`{new}` cannot follow a dot, as it would in {span}{such}")


def _check_pages(checked: CheckedTarget, renames: Iterable[Edit]) -> None:
    """Check that the renamed project renders the same pages.

    Raises: ScaffoldError: it does not.
    """
    texts = {path: text.decode() for path, text in data_edits.apply_edits(renames).items()}
    renamed = checked.target.load({**checked.texts, **texts})
    known_errors = set(map(_get_identity, checked.site.errors))
    if new_errors := [error for error in renamed.errors if _get_identity(error) not in known_errors]:
        raise ScaffoldError(f"the project would not render any more: {new_errors[0]}")
    if changed := sorted(_collect_pages(checked.site).items() ^ _collect_pages(renamed).items()):
        raise ScaffoldError(f"the page {changed[0][0]} would change: this name is used in a way that is not seen here")


def _get_identity(finding: Finding) -> tuple[str, str, str]:
    return finding.rule, finding.span.path, finding.message


def _collect_pages(site: Site) -> dict[str, str]:
    """Return all output of a site: its pages, and the drawn figures."""
    return {page.path: page.plain for page in site.published_site.pages} | {
        path: f.svg for path, f in site.published_site.figures.items()
    }
