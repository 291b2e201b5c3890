"""Find names in `platforms.yaml` and the files that it includes: their definitions and uses."""

from __future__ import annotations

from dataclasses import replace

from tutorial_tool import data
from tutorial_tool.core import lazy_re
from tutorial_tool.data import Mapping, Node, Scalar, get_entries, get_items, get_node, get_scalars
from tutorial_tool.data.model import Model
from tutorial_tool.site import Site
from tutorial_tool.site.symbols.names import Name, Occurrence, SymbolKind, get_inner_span

_BRACES = lazy_re.compile(r"\{(\w+)\}")
_ROW_OPTIONS = ("only", "draft", "needs", "on")  # Keys of a row that are no columns


class Cells:
    """The words in braces in the cells of tables, which a call of the table sets."""

    def __init__(self) -> None:
        self.braces: dict[tuple[str, str], list[tuple[Occurrence, str]]] = {}

    def add(self, table: str, row: str, cell: Scalar) -> None:
        for match in _BRACES.finditer(cell.text):
            span, exact = get_inner_span(cell, match.start(1), match.end(1))
            place = Occurrence(Name(SymbolKind.ROW, f"{table}.{row}"), span, exact=exact)
            self.braces.setdefault((table, match[1]), []).append((place, row))


class Reader:
    """The reader of a site's data files; `defined` and `used` are the places found."""

    def __init__(self, site: Site) -> None:
        self.model: Model = site.model
        self.defined: list[Occurrence] = []
        self.used: list[Occurrence] = []
        self.cells = Cells()
        for path in site.data_files:
            root = data.load_yaml(site.sources[path]).node
            if isinstance(root, Mapping):
                self._read_root(root)

    def _read_root(self, root: Mapping) -> None:
        for key, node in get_entries(root.get("platforms")):
            self._define(SymbolKind.PLATFORM, key.plain, key, node)
            self._read_platform(key.plain, node)
        for key, node in get_entries(root.get("groups")):
            self._define(SymbolKind.GROUP, key.plain, key, node)
            self._use_levels(get_scalars(node), f"in group `{key.text}`")
        for key, node in get_entries(root.get("tutorials")):
            self._define(SymbolKind.TUTORIAL, key.plain, key, node)
            self._read_tutorial(key.plain, node)
        for key, node in get_entries(root.get("tables")):
            self._define(SymbolKind.TABLE, key.plain, key, node)
            self._read_table(key.plain, node)

    def _define(self, kind: SymbolKind, id_: str, key: Scalar, value: Node, level: str | None = None) -> None:
        span, exact = get_inner_span(key)
        self.defined.append(Occurrence(Name(kind, id_), span, value=value.span, level=level, exact=exact))

    def _use(self, kind: SymbolKind, id_: str, scalar: Scalar, how: str) -> None:
        span, exact = get_inner_span(scalar)
        self.used.append(Occurrence(Name(kind, id_), span, how, exact=exact))

    def _use_levels(self, scalars: list[Scalar], how: str) -> None:
        for scalar in scalars:
            id_ = scalar.plain
            if id_ in self.model.platforms or id_ in self.model.groups:
                self._use(SymbolKind.PLATFORM if id_ in self.model.platforms else SymbolKind.GROUP, id_, scalar, how)

    def _use_needs(self, node: Node | None, how: str) -> None:
        for capability in get_scalars(node):
            self._use(SymbolKind.FEATURE, capability.plain, capability, how)

    def _read_platform(self, id_: str, node: Node) -> None:
        if not isinstance(node, Mapping):
            return
        if isinstance(name := node.get("name"), Scalar) and (key := node.get_key("name")):
            self._define(SymbolKind.FIELD, "name", key, name, id_)
        if isinstance(parent := node.get("extends"), Scalar):
            self._use_levels([parent], f"platform `{id_}` extends it")
        for key, value in get_entries(node.get("labels")):
            self._define(SymbolKind.LABEL, key.plain, key, value, id_)
        self._read_values(id_, "", node.get("values"))
        for ability in get_scalars(node.get("can")):
            self._define(SymbolKind.FEATURE, ability.plain, ability, ability, id_)
        for key, value in get_entries(node.get("code")):
            self._define(SymbolKind.CODE, key.plain, key, value, id_)

    def _read_values(self, platform: str, prefix: str, node: Node | None) -> None:
        for key, value in get_entries(node):
            self._define(SymbolKind.VALUE, prefix + key.plain, key, value, platform)
            if "." in key.text:  # such a name is more than the last word of its ID
                self.defined[-1] = replace(self.defined[-1], exact=False)
            self._read_values(platform, f"{prefix}{key.plain}.", value)

    def _read_tutorial(self, id_: str, node: Node) -> None:
        if not isinstance(node, Mapping):
            return
        self._use_levels(get_scalars(node.get("platforms")), f"tutorial `{id_}` is for it")
        for entry in get_items(node.get("steps")):
            self._read_step(id_, entry)
        for key, override in get_entries(node.get("on")):
            self._use_levels([key], f"`on` of tutorial `{id_}`")
            if isinstance(override, Mapping):
                order = get_scalars(override.get("steps"))
                titles = [key for key, _ in get_entries(override.get("titles"))]
                for step in order:
                    self._use(SymbolKind.STEP, f"{id_}/{step.plain}", step, f"order on `{key.text}`")
                for step in titles:
                    self._use(SymbolKind.STEP, f"{id_}/{step.plain}", step, f"title on `{key.text}`")

    def _read_step(self, tutorial: str, entry: Node) -> None:
        id_ = entry.get("id") if isinstance(entry, Mapping) else entry
        if not isinstance(id_, Scalar) or not id_.text:
            return
        step = id_.plain
        self._define(SymbolKind.STEP, f"{tutorial}/{step}", id_, id_)
        if isinstance(entry, Mapping):
            self._use_needs(entry.get("needs"), f"`needs` of step `{step}`")
            for key in ("only", "not-on", "files", "draft"):
                node = entry.get(key)
                self._use_levels(get_scalars(node) or [k for k, _ in get_entries(node)], f"`{key}` of step `{step}`")

    def _read_table(self, id_: str, node: Node) -> None:
        if not isinstance(node, Mapping):
            return
        for key, value in get_entries(node.get("columns")):
            self._define(SymbolKind.COLUMN, f"{id_}.{key.plain}", key, value)
            self._use_needs(get_node(value, "needs"), f"`needs` of column `{id_}.{key.plain}`")
        for key, words in get_entries(node.get("values")):
            self._use(SymbolKind.COLUMN, f"{id_}.{key.plain}", key, "its words")
            for word in get_scalars(words):
                self._define(SymbolKind.WORD, f"{id_}.{key.plain}.{word.plain}", word, word)
        for key, row in get_entries(node.get("rows")):
            self._define(SymbolKind.ROW, f"{id_}.{key.plain}", key, row)
            self._read_row(id_, key.plain, row)

    def _read_row(self, table: str, row: str, node: Node, on: str = "") -> None:
        table_model = self.model.tables.get(table)
        for key, value in get_entries(node):
            column = key.plain
            if column in _ROW_OPTIONS and not on:
                self._read_row_option(table, row, column, value)
            elif isinstance(value, Scalar) and table_model is not None and column in table_model.columns:
                context = f"row `{table}.{row}`" + (f" on `{on}`" if on else "")
                self._use(SymbolKind.COLUMN, f"{table}.{column}", key, context)
                if value.plain in table_model.values.get(column, ()):
                    self._use(SymbolKind.WORD, f"{table}.{column}.{value.plain}", value, context)
                self.cells.add(table, row, value)

    def _read_row_option(self, table: str, row: str, key: str, value: Node) -> None:
        if key == "needs":
            self._use_needs(value, f"`needs` of row `{table}.{row}`")
        self._use_levels(get_scalars(value) if key in ("only", "draft") else [], f"`{key}` of row `{table}.{row}`")
        for level, override in get_entries(value) if key == "on" else ():
            self._use_levels([level], f"row `{table}.{row}`")
            self._read_row(table, row, override, level.plain)
