"""Find names in templates through their syntax trees, including branches that no platform takes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from jinja2 import nodes

from tutorial_tool.core import lazy_re
from tutorial_tool.core.source import Source
from tutorial_tool.data.model import Model
from tutorial_tool.site.symbols.in_data import Cells
from tutorial_tool.site.symbols.names import Name, Occurrence, SymbolKind
from tutorial_tool.templating.environment import TemplateEnvironment, get_offset

Path = tuple[str, ...]  # What an expression refers to, as the names on the path: ("platform", "values", "sdk")
_UNKNOWN: Path = ("?",)
_TABLES = ("table", "rows", "settings")
_MEMBERS = {"row": (SymbolKind.COLUMN, "."), "import": (SymbolKind.MACRO, ":")}
"""Kinds of the members of a table's row and of an imported template, and what precedes them in a name."""
_METHODS = {"label": SymbolKind.LABEL, "can": SymbolKind.FEATURE}
_STEP = lazy_re.compile(r"steps/(?:(?P<tutorial>[^/]+)/)?(?P<step>[^/]+?)(?:\.md\.j2|/[^/]+)")
_HEADING_ID = lazy_re.compile(r"^ {0,3}#{1,6} [^\n]*?\{:?[^}\n]*#(?P<id>[\w:.-]+)[^}\n]*\}[ \t]*$", re.MULTILINE)


class Reader:
    """The reader of templates, one after the other; `defined` and `used` are the places found."""

    def __init__(self, model: Model, names: frozenset[str], cells: Cells) -> None:
        self.model, self.names, self.cells = model, names, cells
        self.defined: list[Occurrence] = []
        self.used: list[Occurrence] = []

    def read(self, name: str, source: Source, environment: TemplateEnvironment) -> None:
        """Read the places in a template; one with syntax errors has only its sections."""
        self._read_sections(name, source)
        tree = environment.parse_tree(name)
        if tree is not None:
            walk = _TemplateVisitor(self, name, source, environment)
            walk.visit(tree)

    def find_steps(self, template: str) -> list[tuple[str, str]]:
        """Return the steps, as (tutorial, step), of a template, part or code file, by its path."""
        match = _STEP.fullmatch(template)
        if match is None:
            return []
        tutorials = self.model.tutorials.values()
        expected = [t.id for t in tutorials if match["tutorial"] in (None, t.id) and match["step"] in t.steps]
        return [(tutorial, match["step"]) for tutorial in expected]

    def _read_sections(self, path: str, source: Source) -> None:
        for match in _HEADING_ID.finditer(source.text):
            for tutorial, step in self.find_steps(path):
                span, value = source.span(*match.span("id")), source.span(*match.span())
                name = Name(SymbolKind.SECTION, f"{tutorial}/{step}#{match['id']}")
                self.defined.append(Occurrence(name, span, value=value))


class _TemplateVisitor:
    """The visitor of one template's syntax tree."""

    def __init__(self, reader: Reader, name: str, source: Source, environment: TemplateEnvironment) -> None:
        self.reader, self.model, self.name, self.source = reader, reader.model, name, source
        self.environment = environment
        self.aliases: dict[str, Path] = {}
        self.macros: dict[str, str] = {}  # Macros known to the template, and their IDs

    def visit(self, node: nodes.Node) -> None:
        method = getattr(self, f"at_{type(node).__name__.lower()}", None)
        if method is not None:
            method(node)
        for child in node.iter_child_nodes():
            self.visit(child)

    # Results

    def _use(self, kind: SymbolKind, id_: str, start: int, word: str, how: str = "") -> None:
        span = self.source.span(start, start + len(word))
        exact = span.text == word
        if not exact:
            span = self.environment.parsed[self.name].find_tag(start)
        self.reader.used.append(Occurrence(Name(kind, id_), span, how, exact=exact))

    def _get_text(self, node: nodes.Node | None) -> tuple[str, int] | None:
        """Return a quoted text and the offset of its first character."""
        if isinstance(node, nodes.Const) and isinstance(node.value, str):
            return node.value, get_offset(node) + 1
        return None

    # Statements

    def at_assign(self, node: nodes.Assign) -> None:
        if isinstance(node.target, nodes.Name):
            self._bind(node.target.name, self._resolve_path(node.node))

    def at_for(self, node: nodes.For) -> None:
        path = self._resolve_path(node.iter)
        if isinstance(node.target, nodes.Name):
            self._bind(node.target.name, ("row", *path[1:]) if path[0] == "rows" else (*path, "*"))

    def at_with(self, node: nodes.With) -> None:
        for target, value in zip(node.targets, node.values, strict=False):
            if isinstance(target, nodes.Name):
                self._bind(target.name, self._resolve_path(value))

    def _bind(self, name: str, path: Path) -> None:
        self.aliases[name] = path if self.aliases.get(name, path) == path else _UNKNOWN

    def at_macro(self, node: nodes.Macro) -> None:
        id_ = f"{self.name}:{node.name}"
        match = re.compile(r"\bmacro\s+(\w+)").search(self.source.text, get_offset(node))
        if match is not None and match[1] == node.name:
            span = self.source.span(*match.span(1))
            self.reader.defined.append(Occurrence(Name(SymbolKind.MACRO, id_), span, value=span))
        self.macros[node.name] = id_

    def at_include(self, node: nodes.Include) -> None:
        self._use_template(node.template, "include")

    def at_extends(self, node: nodes.Extends) -> None:
        self._use_template(node.template, "extends")

    def at_import(self, node: nodes.Import) -> None:
        if name := self._use_template(node.template, "import"):
            self.aliases[node.target] = ("import", name)

    def at_fromimport(self, node: nodes.FromImport) -> None:
        name = self._use_template(node.template, "import")
        for item in node.names if name else ():
            word, alias = item if isinstance(item, tuple) else (item, item)
            self.macros[alias] = id_ = f"{name}:{word}"
            tag = self.environment.parsed[self.name].find_tag(get_offset(node.template))
            match = re.compile(rf"\bimport\b.*?\b({re.escape(word)})\b", re.DOTALL).search(tag.text)
            if match is not None:
                self._use(SymbolKind.MACRO, id_, tag.start + match.start(1), word, "import")

    def _use_template(self, node: nodes.Node, how: str) -> str | None:
        text = self._get_text(node)
        if text is None:
            return None
        self._use(SymbolKind.TEMPLATE, text[0], text[1], text[0], how)
        return text[0]

    # Expressions

    def _resolve_path(self, node: nodes.Node) -> Path:
        match node:
            case nodes.Name():
                return self.aliases.get(node.name, (node.name,))
            case nodes.Getattr():
                return (*self._resolve_path(node.node), node.attr)
            case nodes.Getitem():
                key = node.arg.value if isinstance(node.arg, nodes.Const) else "*"
                return (*self._resolve_path(node.node), str(key))
            case nodes.Filter() if node.node is not None:
                return self._resolve_path(node.node)
            case nodes.Call(node=nodes.Name(name="rows"), args=[nodes.Const(value=str() as table), *_]):
                return ("rows", table)
        return _UNKNOWN

    def at_getattr(self, node: nodes.Getattr) -> None:
        start = get_offset(node) + self.environment.find_name_offset(self.name, node)
        self._use_member(self._resolve_path(node.node), node.attr, start)

    def at_getitem(self, node: nodes.Getitem) -> None:
        if text := self._get_text(node.arg):
            self._use_member(self._resolve_path(node.node), *text)

    def _use_member(self, owner: Path, word: str, start: int) -> None:
        """Record the use of a name after a dot or in brackets."""
        if owner == ("platforms",):
            self._use(SymbolKind.PLATFORM, word, start, word)
        elif _is_platform(owner) and word in ("name", "id"):
            self._use(SymbolKind.FIELD, word, start, word)
        elif len(owner) == 2 and owner[0] in _MEMBERS:
            kind, separator = _MEMBERS[owner[0]]
            self._use(kind, f"{owner[1]}{separator}{word}", start, word)
        elif "values" in owner:
            index = owner.index("values")
            if _is_platform(owner[:index]):
                self._use(SymbolKind.VALUE, ".".join((*owner[index + 1 :], word)), start, word)

    def at_compare(self, node: nodes.Compare) -> None:
        path = self._resolve_path(node.expr)
        kinds = {"platform": SymbolKind.PLATFORM, "step": SymbolKind.STEP, "tutorial": SymbolKind.TUTORIAL}
        if len(path) < 2 or path[-1] != "id" or (path[0] not in kinds and not _is_platform(path[:-1])):
            return
        for text, offset in self._iter_compared_texts(node):
            for id_ in self._list_step_ids(text) if path[0] == "step" else [text]:
                self._use(kinds.get(path[0], SymbolKind.PLATFORM), id_, offset, text, "compared")

    def _iter_compared_texts(self, node: nodes.Compare) -> Iterator[tuple[str, int]]:
        """Yield the quoted texts on the right of a comparison, and their offsets."""
        for operand in node.ops:
            operands = operand.expr.items if isinstance(operand.expr, nodes.List | nodes.Tuple) else [operand.expr]
            yield from filter(None, map(self._get_text, operands))

    def _list_step_ids(self, step: str) -> list[str]:
        return [f"{tutorial.id}/{step}" for tutorial in self.model.tutorials.values() if step in tutorial.steps]

    # Calls

    def at_call(self, node: nodes.Call) -> None:
        called, text = node.node, self._get_text(node.args[0]) if node.args else None
        if isinstance(called, nodes.Getattr) and text and called.attr in _METHODS:
            self._use(_METHODS[called.attr], text[0], text[1], text[0])
        if not isinstance(called, nodes.Name):
            return
        if called.name in self.macros:
            self._use(SymbolKind.MACRO, self.macros[called.name], get_offset(called), called.name, "call")
        elif text:
            self._read_call(node, called.name, text)

    def _read_call(self, node: nodes.Call, name: str, text: tuple[str, int]) -> None:
        """Read the first argument of a call to one of the tool's functions."""
        if name in _TABLES:
            self._read_table(node, *text)
        elif name == "figure":
            self._read_figure(node, *text)
        elif name in ("part", "code"):
            self._use_file(name, *text)
        elif name == "link":
            self._use_link(*text)

    def _read_table(self, node: nodes.Call, table: str, start: int) -> None:
        self._use(SymbolKind.TABLE, table, start, table)
        arguments = {keyword.key: keyword.value for keyword in node.kwargs}
        columns = arguments.get("columns", node.args[1] if len(node.args) > 1 else None)
        self._use_columns(table, [columns] if isinstance(columns, nodes.Const) else getattr(columns, "items", ()))
        self._use_rows(table, arguments.get("only"))
        for word, value in arguments.items():
            for place, row in self.reader.cells.braces.get((table, word), ()):
                self._use_indirectly(value, place, f"`{{{word}}}` in row `{table}.{row}`")

    def _use_columns(self, table: str, items: Sequence[nodes.Node]) -> None:
        for text in filter(None, map(self._get_text, items)):
            self._use(SymbolKind.COLUMN, f"{table}.{text[0]}", text[1], text[0])

    def _use_rows(self, table: str, only: nodes.Node | None) -> None:
        for text in filter(None, map(self._get_text, getattr(only, "items", ()))):
            self._use(SymbolKind.ROW, f"{table}.{text[0]}", text[1], text[0])

    def _use_indirectly(self, value: nodes.Node, place: Occurrence, how: str) -> None:
        """Record the names that a call sets for a word in a cell as indirect uses in that cell."""
        count = len(self.reader.used)
        self.visit(value)
        names = {result.name for result in self.reader.used[count:]}
        indirect = (Occurrence(name, place.span, how, exact=False, is_indirect=True) for name in sorted(names))
        self.reader.used[count:] = indirect

    def _read_figure(self, node: nodes.Call, figure: str, start: int) -> None:
        self._use(SymbolKind.FIGURE, figure, start, figure)
        arguments = {keyword.key: keyword.value for keyword in node.kwargs}
        if text := self._get_text(arguments.get("kind")):
            path = f"figures/{text[0]}.svg.j2"
            if path in self.reader.names:
                self._use(SymbolKind.TEMPLATE, path, text[1], text[0], "kind of a figure")
        if (text := self._get_text(arguments.get("table"))) and text[0] in self.model.tables:
            self._use(SymbolKind.TABLE, text[0], text[1], text[0], "in a figure")
            self._use_rows(text[0], arguments.get("only"))

    def _use_file(self, call: str, word: str, start: int) -> None:
        if call == "code" and any(word in platform.code for platform in self.model.platforms.values()):
            self._use(SymbolKind.CODE, word, start, word)
            return
        match = _STEP.fullmatch(self.name)
        if match is not None:
            step = "/".join(filter(None, (match["tutorial"], match["step"])))
            self._use(SymbolKind.PART if call == "part" else SymbolKind.CODE, f"{step}/{word}", start, word)

    def _use_link(self, ref: str, start: int) -> None:
        target, _, section = ref.partition("#")
        tutorial, slash, step_id = target.rpartition("/")
        own_steps = self.reader.find_steps(self.name)
        tutorials = [tutorial] if slash else list(dict.fromkeys(t for t, _ in own_steps)) or list(self.model.tutorials)
        if slash:
            self._use(SymbolKind.TUTORIAL, tutorial, start, tutorial)
        models = self.model.tutorials
        targets = [(id_, step_id) for id_ in tutorials if id_ in models and step_id in models[id_].steps]
        for id_ in (f"{tutorial}/{step}" for tutorial, step in (targets if step_id else own_steps)):
            if step_id:
                self._use(SymbolKind.STEP, id_, start + len(target) - len(step_id), step_id)
            if section:
                self._use(SymbolKind.SECTION, f"{id_}#{section}", start + len(target) + 1, section)


def _is_platform(path: Path) -> bool:
    return path == ("platform",) or (len(path) == 2 and path[0] == "platforms")
