"""What `platforms.yaml` means: platforms, groups, tutorials, steps and tables, and what holds on which platform."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

from tutorial_tool import data, files, schema
from tutorial_tool.data import Node, Scalar
from tutorial_tool.finding import Finding, Related, did_you_mean, error
from tutorial_tool.schema import Anything, Either, Field, Flag, ListOf, MapOf, Record, Text, truth, validate
from tutorial_tool.source import BOM, Source, Span
from tutorial_tool.traced import Traced, plain

T = TypeVar("T")

MAX_LINEAGE = 20
"""Platforms that extend each other, one after the other: each lives of all that the others say."""
_ID = Text("an id of letters, digits, - and _", r"[A-Za-z0-9][A-Za-z0-9_-]*", empty=False)
_FILLED = Text("a text", empty=False)
_RESERVED = ("on", "omit", "because")
_NUMBERING = Record(
    {
        "steps": Field(Flag(), "Write the step's number before its title."),
        "sections": Field(Flag(), "Write section numbers, and ids for headings without one."),
    },
    what="a mapping with 'steps' and 'sections'",
)
_STEP = Record(
    {
        "id": Field(_ID, "The step's id: the name of its template, and its part of the address.", required=True),
        "numbered": Field(Flag(), "false: the step has no number, and those after it count without it."),
        "only": Field(ListOf(_ID), "The platforms and groups that have this step."),
        "not-on": Field(
            MapOf(_FILLED, _ID, what="a mapping with a reason for each platform, such as {server: It has no screens}"),
            "The platforms and groups without this step, each with the reason for readers.",
        ),
        "numbering": Field(_NUMBERING, "Overrides the tutorial's numbering."),
        "files": Field(
            MapOf(
                Record(
                    {
                        "newline": Field(
                            Text("lf, crlf or cr", choices=("lf", "crlf", "cr")), "Line ends of the page."
                        ),
                        "bom": Field(Flag(), "Whether the page begins with a byte order mark."),
                        "final-newline": Field(Flag(), "false: the page's last line has no line end."),
                    }
                ),
                _ID,
            ),
            "How the rendered pages are written, by platform.",
        ),
    },
    what="a step's id, or a mapping",
)
_TUTORIAL_ON = Record(
    {
        "steps": Field(ListOf(_ID), "The steps here, in this order."),
        "titles": Field(MapOf(_FILLED, _ID), "Other titles, by step."),
        "path": Field(_FILLED, "Where the pages stand here."),
        "images": Field(_FILLED, "Where the pictures stand here."),
    }
)
_TUTORIAL = Record(
    {
        "title": Field(_FILLED, "What readers see.", required=True),
        "path": Field(_FILLED, "Where a page stands, and so its URL; may use {tutorial}, {platform} and {step}."),
        "images": Field(
            _FILLED, "Where a picture stands; may use {tutorial}, {platform}, {step}, {figure} and {number}."
        ),
        "steps": Field(ListOf(Either(_ID, _STEP)), "The steps, in order.", required=True),
        "platforms": Field(ListOf(_ID), "The platforms and groups that have this tutorial; all, where left out."),
        "on": Field(MapOf(_TUTORIAL_ON, _ID), "What differs, by platform or group."),
        "numbering": Field(_NUMBERING, "Whether steps and sections are numbered; both are, where left out."),
    }
)
_OVERRIDE = Record(
    {
        "omit": Field(_FILLED, "The row does not exist here; say why."),
        "because": Field(_FILLED, "Why this differs: makes the difference intended."),
    },
    rest=Text(),
)
_ROW = Record({"on": Field(MapOf(_OVERRIDE, _ID), "What differs, by platform or group.")}, rest=Text())
_TABLE = Record(
    {
        "columns": Field(MapOf(Text(), _ID), "The columns, in order: id and heading.", required=True),
        "values": Field(MapOf(ListOf(Text()), _ID), "The only words that a column may use."),
        "rows": Field(MapOf(_ROW, _ID), "The rows, in order, by id.", required=True),
    }
)
_PLATFORM = Record(
    {
        "name": Field(_FILLED, "What readers call it.", required=True),
        "extends": Field(_ID, "The platform whose labels, values, abilities and overrides hold here too."),
        "labels": Field(MapOf(Text()), "What the product's own screens call it, by role."),
        "values": Field(MapOf(Anything()), "Free values for templates."),
        "can": Field(ListOf(_ID), "Abilities that templates test."),
        "code": Field(
            MapOf(Either(_FILLED, ListOf(_FILLED))),
            "Code that stands in a sample app: a file, or file#region, relative to the project.",
        ),
    }
)
STRINGS = {
    "step": "step {number}",
    "title": "Step {number}. {title}",
    "to-be-written": "To be written",
    "platform": "Platform",
    "path": "Breadcrumbs",
    "home": "Home",
    "progress": "Step {number} of {count}",
    "all-steps": "All {count} steps",
    "neighbours": "Previous and next step",
    "previous": "Previous",
    "next": "Next",
    "done": "I have done this step",
    "is-done": "done",
    "clear-done": "Clear the marks of done steps",
    "not-on": "{platform} does not have this step.",
    "not-on-because": "{platform} does not have this step: {reason}.",
    "instead": "Go on with “{title}”",
    "moved": "This page has moved:",
    "copy-table": "Copy as text",
    "table-copied": "Copied",
}
"""The fixed words that the tool prints, which a project may replace."""

ROOT = Record(
    {
        "include": Field(ListOf(_FILLED), "Other files of this shape, as glob patterns relative to this file."),
        "platforms": Field(MapOf(_PLATFORM, _ID), "The platforms, in the order in which readers see them."),
        "groups": Field(MapOf(ListOf(_ID), _ID), "Names for several platforms."),
        "tutorials": Field(MapOf(_TUTORIAL, _ID), "The tutorials, by id."),
        "tables": Field(MapOf(_TABLE, _ID), "Settings tables, by id."),
        "strings": Field(
            Record({name: Field(Text(), f"Instead of “{text}”.") for name, text in STRINGS.items()}),
            "The fixed words that the tool prints.",
        ),
    }
)
"""The shape of `platforms.yaml` and of each file that it includes."""

DEFAULT_PATH = "{tutorial}/{platform}/{step}"
DEFAULT_IMAGES = "images/{platform}/{step}/{figure}.png"


@dataclass(frozen=True, eq=False)
class Platform:
    """A variant of the tutorials. `lineage` is its own id and those of the platforms that it extends, nearest first."""

    id: str
    key: Span
    name: Traced
    lineage: tuple[str, ...]
    groups: tuple[str, ...]
    labels: Mapping[str, Traced]
    values: Mapping[str, Node]
    can: frozenset[str]
    code: Mapping[str, tuple[Traced, ...]]

    @property
    def levels(self) -> tuple[tuple[str, ...], ...]:
        """The ids under which something may be said for it, the winning ones first; ids of one level must agree."""
        return (*((id_,) for id_ in self.lineage), self.groups)


@dataclass(frozen=True)
class FileStyle:
    """How a rendered page is written."""

    newline: str = "\n"
    bom: bool = False
    final_newline: bool = True
    """False: the last line end of the page's text is not written."""

    def encoded(self, text: str) -> bytes:
        """A page's text, whose line ends are `\\n`, as a file."""
        text = text if self.final_newline else text.removesuffix("\n")
        return ((BOM if self.bom else "") + text.replace("\n", self.newline)).encode()


@dataclass(frozen=True)
class Numbering:
    steps: bool = True
    sections: bool = True


@dataclass(frozen=True, eq=False)
class Step:
    """One page of a tutorial, on every platform that has it."""

    id: str
    key: Span
    numbered: bool
    only: tuple[str, ...] | None
    not_on: Mapping[str, Traced]
    numbering: Numbering
    files: Mapping[str, FileStyle]


@dataclass(frozen=True, eq=False)
class TutorialOverride:
    steps: tuple[str, ...] | None
    titles: Mapping[str, Traced]
    path: Traced | None
    images: Traced | None


@dataclass(frozen=True, eq=False)
class Tutorial:
    """An ordered list of steps, for several platforms."""

    id: str
    key: Span
    title: Traced
    path: Traced | None
    images: Traced | None
    steps: Mapping[str, Step]
    platforms: tuple[str, ...] | None
    on: Mapping[str, TutorialOverride]

    def steps_on(self, platform: Platform) -> list[Step]:
        """The steps that a platform has, in its order."""
        order = pick(platform, {id_: o.steps for id_, o in self.on.items()})
        steps = self.steps.values() if order is None else [self.steps[id_] for id_ in order if id_ in self.steps]
        return [step for step in steps if self.absence(step, platform) is None]

    def absence(self, step: Step, platform: Platform) -> str | None:
        """Why a platform lacks a step ("" where no reason is given); None where it has it."""
        names = (platform.id, *platform.groups)
        if self.platforms is not None and not set(names) & set(self.platforms):
            return ""
        if step.only is not None and not set(names) & set(step.only):
            return ""
        for name in names:
            if name in step.not_on:
                return step.not_on[name]
        return None

    def title_of(self, step: Step, platform: Platform) -> Traced | None:
        """The title that the data gives a step on a platform, where it gives one."""
        return pick(platform, {id_: o.titles.get(step.id) for id_, o in self.on.items()})

    def path_on(self, platform: Platform) -> str:
        return pick(platform, {id_: o.path for id_, o in self.on.items()}) or self.path or DEFAULT_PATH

    def images_on(self, platform: Platform) -> str:
        return pick(platform, {id_: o.images for id_, o in self.on.items()}) or self.images or DEFAULT_IMAGES


@dataclass(frozen=True, eq=False)
class Override:
    """What a row says on one platform or group."""

    key: Span
    cells: Mapping[str, Scalar]
    omit: Traced | None
    because: Traced | None


@dataclass(frozen=True, eq=False)
class Row:
    id: str
    key: Span
    cells: Mapping[str, Scalar]
    on: Mapping[str, Override]

    def cell(self, column: str, platform: Platform) -> Scalar | None:
        return pick(platform, {id_: o.cells.get(column) for id_, o in self.on.items()}) or self.cells.get(column)

    def omitted(self, platform: Platform) -> bool:
        """Whether a platform lacks the row: the nearest level that says anything of it decides."""
        for level in platform.levels:
            said = [self.on[id_] for id_ in level if id_ in self.on]
            if said:
                return any(override.omit is not None for override in said)
        return False


@dataclass(frozen=True, eq=False)
class Table:
    id: str
    key: Span
    columns: Mapping[str, Traced]
    values: Mapping[str, tuple[str, ...]]
    rows: Mapping[str, Row]

    def rows_on(self, platform: Platform) -> list[Row]:
        return [row for row in self.rows.values() if not row.omitted(platform)]


@dataclass(frozen=True, eq=False)
class Model:
    """All that the data says; `findings` is all that is wrong with it."""

    platforms: Mapping[str, Platform] = field(default_factory=dict)
    groups: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    tutorials: Mapping[str, Tutorial] = field(default_factory=dict)
    tables: Mapping[str, Table] = field(default_factory=dict)
    strings: Mapping[str, str] = field(default_factory=lambda: dict(STRINGS))
    findings: tuple[Finding, ...] = ()


def pick(platform: Platform, said: Mapping[str, T | None]) -> T | None:
    """What holds on a platform of what is said for platforms and groups: its own, what it extends, its groups."""
    for level in platform.levels:
        for id_ in level:
            if (value := said.get(id_)) is not None:
                return value
    return None


def build(parsed: Iterable[tuple[Source, Node | None]]) -> Model:
    """The model of one or several data files, each already parsed; the order of the files is that of their entries."""
    return _Builder([(source, node) for source, node in parsed if node is not None]).model()


def json_schema() -> dict[str, Any]:
    """The JSON Schema of `platforms.yaml`, for editors."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "platforms.yaml",
        **schema.json_schema(ROOT),
    }


def _misnames_platforms(node: Node) -> bool:
    return any(
        plain(key.text) not in ROOT.fields and did_you_mean(key.text, ("platforms", "groups"))
        for key, _ in _items(node)
    )


class _Builder:
    """Reads nodes into the model and collects what is wrong, so that one run reports it all."""

    def __init__(self, parsed: list[tuple[Source, Node]]) -> None:
        self.findings: list[Finding] = []
        self.is_too_long = False
        self.doubtful: set[Span] = set()
        """Steps of which something is wrong, by their place: what follows from that is not told."""
        self.is_misnamed = any(map(_misnames_platforms, (node for _, node in parsed)))
        """Whether the platforms stand below a misspelt key, which is told: of none of their ids it is told, too."""
        for _, node in parsed:
            self.findings += validate(node, ROOT, "the file") if not _is_empty(node) else ()
        self.misshapen = tuple(self.findings)
        self.sections = {name: self._merged(parsed, name) for name in ROOT.fields if name != "include"}
        self.ids = {**self._keys("platforms"), **self._keys("groups")}

    def model(self) -> Model:
        self._check_ids()
        groups = {id_: self._ids(node, f"group '{id_}'") for id_, (_, node) in self.sections["groups"].items()}
        platforms = self._platforms(groups)
        tutorials = {id_: self._tutorial(id_, key, node) for id_, (key, node) in self.sections["tutorials"].items()}
        tables = {id_: self._table(id_, key, node) for id_, (key, node) in self.sections["tables"].items()}
        strings = {
            id_: plain(node.text) for id_, (_, node) in self.sections["strings"].items() if isinstance(node, Scalar)
        }
        self._check_tables(tables, platforms)
        self._check_tutorials(tutorials, platforms)
        return Model(platforms, groups, tutorials, tables, STRINGS | strings, tuple(self.findings))

    # Merging

    def _merged(self, parsed: list[tuple[Source, Node]], name: str) -> dict[str, tuple[Scalar, Node]]:
        """One section of all files; a key that stands in two of them is an error that names both."""
        out: dict[str, tuple[Scalar, Node]] = {}
        for _, node in parsed:
            section = node.get(name) if isinstance(node, data.Mapping) else None
            for key, value in _items(section):
                first = out.setdefault(plain(key.text), (key, value))[0]
                if first is not key and first.span.source is not key.span.source:
                    self._flag(
                        f"'{key.text}' stands in '{name}' of {first.span.path} too",
                        key.span,
                        Related(first.span, "the first one"),
                    )
        return out

    def _keys(self, section: str) -> dict[str, Span]:
        return {id_: key.span for id_, (key, _) in self.sections[section].items()}

    def _flag(self, message: str, span: Span, *related: Related, rule: str = "invalid-data") -> None:
        self.findings.append(error(rule, message, span, related=related))

    # Ids

    def _check_ids(self) -> None:
        for id_, span in self._keys("groups").items():
            if first := self._keys("platforms").get(id_):
                self._flag(f"group '{id_}' has the id of a platform", span, Related(first, "the platform"))

    def _known(self, node: Scalar, name: str) -> bool:
        if plain(node.text) in self.ids or not node.text or self.is_misnamed:
            return bool(node.text)
        self._flag(f"{name}: there is no platform or group '{node.text}'{did_you_mean(node.text, self.ids)}", node.span)
        return False

    def _ids(self, node: Node | None, name: str) -> tuple[str, ...]:
        """The platforms and groups that a list names."""
        return tuple(plain(item.text) for item in _scalars(node) if self._known(item, name))

    # Platforms

    def _platforms(self, groups: Mapping[str, tuple[str, ...]]) -> dict[str, Platform]:
        nodes = self.sections["platforms"]
        out = {}
        for id_, (key, node) in nodes.items():
            lineage = self._lineage(id_, node)
            chain = [nodes[parent][1] for parent in lineage]
            out[id_] = Platform(
                id_,
                key.span,
                _text(_get(node, "name")) or key.text,
                lineage,
                tuple(group for group in groups if id_ in _members(groups, group)),
                {plain(k.text): v.text for n in reversed(chain) for k, v in _texts(_get(n, "labels"))},
                {plain(k.text): v for n in reversed(chain) for k, v in _items(_get(n, "values"))},
                frozenset(plain(item.text) for n in chain for item in _scalars(_get(n, "can"))),
                {plain(k.text): _one_or_more(v) for n in reversed(chain) for k, v in _items(_get(n, "code"))},
            )
        return out

    def _lineage(self, id_: str, node: Node) -> tuple[str, ...]:
        nodes, lineage = self.sections["platforms"], [id_]
        while isinstance(parent := _get(node, "extends"), Scalar) and parent.text:
            name = plain(parent.text)
            if name in lineage:
                if name == id_:
                    self._flag(f"platform '{id_}' extends itself: {' > '.join([*lineage, name])}", parent.span)
                break
            if name not in nodes:
                if len(lineage) == 1:
                    self._flag(f"there is no platform '{name}'{did_you_mean(name, nodes)}", parent.span)
                break
            lineage.append(name)
            node = nodes[name][1]
            if len(lineage) > MAX_LINEAGE:
                if not self.is_too_long:  # those that extend it are, too
                    self.is_too_long = True
                    self._flag(f"platform '{id_}' extends more than {MAX_LINEAGE} others in a row", nodes[id_][0].span)
                break
        return tuple(lineage)

    # Tutorials

    def _tutorial(self, id_: str, key: Scalar, node: Node) -> Tutorial:
        numbering = _numbering(_get(node, "numbering"), Numbering())
        steps: dict[str, Step] = {}
        for entry in _sequence(_get(node, "steps")):
            before = len(self.findings)
            step = self._step(entry, numbering)
            if step is None:
                continue
            if len(self.findings) > before or any(wrong.span.overlaps(entry.span) for wrong in self.misshapen):
                self.doubtful.add(step.key)
            first = steps.setdefault(step.id, step)
            if first is not step:
                self._flag(f"step '{step.id}' stands here twice", step.key, Related(first.key, "the first one"))
        for name in ("path", "images"):
            self._check_pattern(_get(node, name), name)
        platforms = _get(node, "platforms")
        return Tutorial(
            id_,
            key.span,
            _text(_get(node, "title")) or key.text,
            _text(_get(node, "path")),
            _text(_get(node, "images")),
            steps,
            None if platforms is None else self._ids(platforms, "'platforms'"),
            {target: self._tutorial_on(n, steps) for target, n in self._on(_get(node, "on"))},
        )

    def _step(self, node: Node, numbering: Numbering) -> Step | None:
        id_ = node if isinstance(node, Scalar) else _get(node, "id")
        if not isinstance(id_, Scalar) or not id_.text:
            return None
        numbered, only = _get(node, "numbered"), _get(node, "only")
        return Step(
            plain(id_.text),
            id_.span,
            not isinstance(numbered, Scalar) or truth(numbered.text) is not False,
            None if only is None else self._ids(only, "'only'"),
            {plain(k.text): v.text for k, v in _texts(_get(node, "not-on")) if self._known(k, "'not-on'")},
            _numbering(_get(node, "numbering"), numbering),
            {target: _file_style(n) for target, n in self._on(_get(node, "files"))},
        )

    def _on(self, node: Node | None) -> Iterator[tuple[str, Node]]:
        """What is said for each known platform or group."""
        for key, value in _items(node):
            if self._known(key, "'on'"):
                yield plain(key.text), value

    def _tutorial_on(self, node: Node, steps: Mapping[str, Step]) -> TutorialOverride:
        order = _get(node, "steps")
        titles = _texts(_get(node, "titles"))
        for name in [*_scalars(order), *(key for key, _ in titles)]:
            if name.text and plain(name.text) not in steps:
                self._flag(f"there is no step '{name.text}'{did_you_mean(name.text, steps)}", name.span)
        for pattern in ("path", "images"):
            self._check_pattern(_get(node, pattern), pattern)
        return TutorialOverride(
            None if order is None else tuple(dict.fromkeys(plain(s.text) for s in _scalars(order))),
            {plain(k.text): v.text for k, v in titles},
            _text(_get(node, "path")),
            _text(_get(node, "images")),
        )

    def _check_pattern(self, node: Node | None, name: str) -> None:
        if not isinstance(node, Scalar):
            return
        known = {
            "path": ("tutorial", "platform", "step"),
            "images": ("tutorial", "platform", "step", "figure", "number"),
        }
        for found in re.finditer(r"\{([^{}]*)\}|[{}]", node.text):
            if found[1] not in known[name]:
                hint = did_you_mean(found[1], known[name]) if found[1] else ""
                names = ", ".join(f"{{{k}}}" for k in known[name])
                self._flag(
                    f"'{name}' may use {names}, not '{found[0]}'{hint}", _inside(node, found.start(), found.end())
                )
        if reason := files.unsafe(plain(node.text)):
            self._flag(f"'{name}' {reason}", node.span, rule="unsafe-path")

    def _check_tutorials(self, tutorials: Mapping[str, Tutorial], platforms: Mapping[str, Platform]) -> None:
        for tutorial in tutorials.values():
            self._check_steps(tutorial, platforms)
            for what in ("steps", "path", "images"):
                said = {id_: getattr(override, what) for id_, override in tutorial.on.items()}
                self._check_groups(platforms, said, dict.fromkeys(said, tutorial.key), f"'{what}'")

    def _check_steps(self, tutorial: Tutorial, platforms: Mapping[str, Platform]) -> None:
        """A step that no platform of its tutorial has."""
        named = tutorial.platforms
        have = [each for each in platforms.values() if named is None or {each.id, *each.groups} & {*named}]
        for step in tutorial.steps.values():
            lacks = [each for each in have if tutorial.absence(step, each) is not None]
            if have and lacks == have and step.key not in self.doubtful:
                told = f"no platform has the step '{step.id}': 'only' and 'not-on' leave none"
                self._flag(f"{told}; take it out of 'steps', or name a platform", step.key)

    # Tables

    def _table(self, id_: str, key: Scalar, node: Node) -> Table:
        columns = {}
        for column, title in _texts(_get(node, "columns")):
            if plain(column.text) in _RESERVED:
                self._flag(f"'{column.text}' is a reserved word and cannot name a column", column.span)
            columns[plain(column.text)] = title.text
        allowed = {}
        for column, words in _items(_get(node, "values")):
            if self._is_column(column, columns):
                allowed[plain(column.text)] = tuple(plain(word.text) for word in _scalars(words))
        rows = {plain(k.text): self._row(k, n, columns, allowed) for k, n in _items(_get(node, "rows"))}
        return Table(id_, key.span, columns, allowed, rows)

    def _is_column(self, key: Scalar, columns: Mapping[str, object]) -> bool:
        if plain(key.text) in columns or not columns:
            return True
        self._flag(f"there is no column '{key.text}'{did_you_mean(key.text, columns)}", key.span)
        return False

    def _row(
        self, key: Scalar, node: Node, columns: Mapping[str, object], allowed: Mapping[str, tuple[str, ...]]
    ) -> Row:
        overrides = {target: self._override(n, columns, allowed) for target, n in self._on(_get(node, "on"))}
        return Row(plain(key.text), key.span, self._cells(node, ("on",), columns, allowed), overrides)

    def _override(self, node: Node, columns: Mapping[str, object], allowed: Mapping[str, tuple[str, ...]]) -> Override:
        cells = self._cells(node, ("omit", "because"), columns, allowed)
        return Override(node.span, cells, _text(_get(node, "omit")), _text(_get(node, "because")))

    def _cells(
        self, node: Node, others: tuple[str, ...], columns: Mapping[str, object], allowed: Mapping[str, tuple[str, ...]]
    ) -> dict[str, Scalar]:
        cells = {}
        for key, value in _texts(node):
            if plain(key.text) in others or not self._is_column(key, columns):
                continue
            words = allowed.get(plain(key.text))
            if words and plain(value.text) not in words:
                hint = did_you_mean(value.text, words) or f"; it allows {', '.join(words)}"
                self._flag(f"column '{key.text}' does not allow '{value.text}'{hint}", value.span)
            cells[plain(key.text)] = value
        return cells

    def _check_tables(self, tables: Mapping[str, Table], platforms: Mapping[str, Platform]) -> None:
        for table in tables.values():
            for row in table.rows.values():
                for column in table.columns:
                    said = {id_: o.cells[column].text if column in o.cells else None for id_, o in row.on.items()}
                    self._check_groups(platforms, said, {id_: o.key for id_, o in row.on.items()}, f"'{column}'")
                    lacking = [p.id for p in platforms.values() if not row.omitted(p) and row.cell(column, p) is None]
                    if lacking:
                        where = "" if len(lacking) == len(platforms) else f" on {', '.join(lacking)}"
                        self._flag(f"row '{row.id}' lacks '{column}'{where}", row.key)

    def _check_groups(
        self, platforms: Mapping[str, Platform], said: Mapping[str, object], places: Mapping[str, Span], what: str
    ) -> None:
        """Two groups of a platform that disagree, where nothing nearer decides, are an error."""
        reported = set()
        for platform in platforms.values():
            if any(said.get(id_) is not None for id_ in platform.lineage):
                continue
            told = [id_ for id_ in platform.groups if said.get(id_) is not None]
            for other in told[1:]:
                if said[other] != said[told[0]] and (told[0], other) not in reported:
                    reported.add((told[0], other))
                    self._flag(
                        f"groups '{told[0]}' and '{other}' disagree about {what} on '{platform.id}'",
                        places[other],
                        Related(places[told[0]], f"what '{told[0]}' says"),
                    )


# Nodes, whatever shape they have: what is wrong with the shape is reported by its validation.


def _is_empty(node: Node) -> bool:
    return isinstance(node, Scalar) and not node.text


def _get(node: Node | None, key: str) -> Node | None:
    return node.get(key) if isinstance(node, data.Mapping) else None


def _items(node: Node | None) -> tuple[tuple[Scalar, Node], ...]:
    return node.items if isinstance(node, data.Mapping) else ()


def _texts(node: Node | None) -> list[tuple[Scalar, Scalar]]:
    return [(key, value) for key, value in _items(node) if isinstance(value, Scalar)]


def _sequence(node: Node | None) -> tuple[Node, ...]:
    return node.items if isinstance(node, data.Sequence) else ()


def _scalars(node: Node | None) -> list[Scalar]:
    return [item for item in _sequence(node) if isinstance(item, Scalar)]


def _text(node: Node | None) -> Traced | None:
    return node.text if isinstance(node, Scalar) and node.text else None


def _one_or_more(node: Node) -> tuple[Traced, ...]:
    return (node.text,) if isinstance(node, Scalar) else tuple(item.text for item in _scalars(node))


def _numbering(node: Node | None, default: Numbering) -> Numbering:
    def flag(name: str, otherwise: bool) -> bool:
        value = _get(node, name)
        said = truth(value.text) if isinstance(value, Scalar) else None
        return otherwise if said is None else said

    return Numbering(flag("steps", default.steps), flag("sections", default.sections))


def _file_style(node: Node) -> FileStyle:
    newline, bom, final = (_text(_get(node, name)) for name in ("newline", "bom", "final-newline"))
    ends = {"lf": "\n", "crlf": "\r\n", "cr": "\r"}
    return FileStyle(
        ends.get(plain(newline or "lf"), "\n"),
        bom is not None and truth(bom) is True,
        final is None or truth(final) is not False,
    )


def _members(groups: Mapping[str, tuple[str, ...]], group: str) -> set[str]:
    """The platforms of a group, and of the groups that it names."""
    seen: set[str] = set()
    todo = [group]
    while todo:
        name = todo.pop()
        if name not in seen:
            seen.add(name)
            todo += groups.get(name, ())
    return seen - {group}


def _inside(node: Scalar, start: int, end: int) -> Span:
    """The place of a part of a scalar, where it stands in the file as it is; else the whole scalar's."""
    runs = node.text.runs_between(start, end)
    if len(runs) == 1 and runs[0].aligned and runs[0].span is not None:
        return runs[0].span
    return node.span
