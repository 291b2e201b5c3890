"""A project made of copies, or one that grew by them: templates, parts, code and data, as files to be written."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from tutorial_tool.adopt import data, merge, pictures, template
from tutorial_tool.adopt.base import Base
from tutorial_tool.adopt.copies import REFERENCE, Copy, CopySet
from tutorial_tool.adopt.data import Value
from tutorial_tool.adopt.lines import Column
from tutorial_tool.adopt.modernise import Modern
from tutorial_tool.adopt.names import Names, learn
from tutorial_tool.adopt.tables import Table
from tutorial_tool.adopt.template import Style, Written
from tutorial_tool.model import DEFAULT_IMAGES, DEFAULT_PATH
from tutorial_tool.model.parts import Numbering, Step
from tutorial_tool.traced import plain

LACKING = "TODO say why; the copy for {} had no such row"
"""The reason of a row that a copy lacked: nobody but the author knows it."""
ELSEWHERE = "TODO the copy for {} has this row in another place"
"""The reason of a row that stands twice, as copies have it in different places."""
_NEWLINES = {"\r\n": "crlf", "\r": "cr"}
_UNNUMBERED: dict[str, Value] = {"steps": "false", "sections": "false"}


@dataclass
class Project:
    """What copies became: texts of files by their path in the project. `merged` are those that stood there already."""

    files: dict[str, str]
    names: Names
    tables: dict[str, Table] = field(default_factory=dict)
    merged: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Order:
    """What is to be made: sets that become templates, `others` of their tutorials that stay copies, and where.

    Sets in `plainly` are written in another style than the first. With `computed`, the project prints the numbers and
    links that were taken out of its copies.
    """

    sets: Sequence[CopySet]
    columns: Mapping[CopySet, Sequence[Column]]
    base: Base
    others: Sequence[CopySet] = ()
    display: Mapping[str, str] = field(default_factory=dict)
    plainly: Mapping[CopySet, Style] = field(default_factory=dict)
    modern: Modern | None = None
    computed: bool = False


def build(order: Order) -> Project:
    """The project of some sets. Raises `merge.Conflict` where the data that stands there cannot be added to."""
    known = order.base.names()
    platforms = [platform for one in (*order.sets, *order.others) for platform in one.platforms]
    vectors = (vector for one in order.sets for vector in template.differences(order.columns[one]))
    names = learn(known, platforms, vectors, order.display)
    tables: dict[str, Table] = {}
    written = {}
    standing = order.base.tables
    for one in order.sets:
        style = order.plainly.get(one, template.STYLES[0])
        writer = template.Writer(one, names, style, Written(_folder(one, order)), {**standing, **tables})
        written[one] = writer.write(order.columns[one])
        tables |= written[one].tables
    layout = order.base.layout
    files = {
        f"{layout.templates}/{path}": _with_links(text, path, order)
        for each in written.values()
        for path, text in each.files.items()
    }
    images = _images(order, written) if order.computed else {}
    for one, pattern in images.items():
        for path in written[one].files:
            if path.endswith((".md", ".md.j2")):
                name = f"{layout.templates}/{path}"
                files[name] = pictures.called(files[name], pattern, one.pattern, one.step)
    root = _Root(order, names, tables, written, {one.tutorial: pattern for one, pattern in images.items()}).additions()
    if order.base.site is None:
        files[layout.data] = REFERENCE.sub(r"\2", data.document(root))
        return Project(files, names, tables)
    grown = {path: REFERENCE.sub(r"\2", text) for path, text in merge.merged(order.base.sources, root).items()}
    return Project({**files, **grown}, names, tables, frozenset(grown))


def _images(order: Order, written: Mapping[CopySet, Written]) -> dict[CopySet, str]:
    """Where the pictures of each step stand, as its tutorial says or can say it."""
    out: dict[CopySet, str] = {}
    for tutorial in dict.fromkeys(one.tutorial for one in order.sets):
        sets = [one for one in order.sets if one.tutorial == tutorial]
        known = order.base.model.tutorials.get(tutorial)
        owners = {path: one for one in sets for path in written[one].files if path.endswith((".md", ".md.j2"))}
        found = (
            plain(known.images or DEFAULT_IMAGES)
            if known
            else pictures.pattern(
                {path: written[one].files[path] for path, one in owners.items()},
                {path: one.pattern for path, one in owners.items()},
                {path: one.step for path, one in owners.items()},
            )
        )
        out |= dict.fromkeys(sets, found) if found else {}
    return out


def _with_links(text: str, path: str, order: Order) -> str:
    """A file with its references as calls of `link()`, or, where none can stand, as words."""
    calls = order.computed and path.endswith((".md", ".md.j2"))
    return REFERENCE.sub(r"{{ link('\1') }}" if calls else r"\2", text)


def _folder(one: CopySet, order: Order) -> str:
    """Where a step's template stands: below its tutorial, where another tutorial has a step of that name."""
    taken = {(other.tutorial, other.step) for other in (*order.sets, *order.others)}
    taken |= {(id_, step) for id_, tutorial in order.base.model.tutorials.items() for step in tutorial.steps}
    shared = any(step == one.step and tutorial != one.tutorial for tutorial, step in taken)
    return f"steps/{one.tutorial}/{one.step}" if shared else f"steps/{one.step}"


@dataclass(frozen=True)
class _Root:
    """Makes the data: all of it, or what is new in a project."""

    order: Order
    names: Names
    tables: Mapping[str, Table]
    written: Mapping[CopySet, Written]
    images: Mapping[str, str]

    def additions(self) -> dict[str, Value]:
        sets = (*self.order.sets, *self.order.others)
        before = self.order.base.names()
        out: dict[str, Value] = {
            "platforms": self._filled({p: self._platform(p, before) for p in self.names.platforms}),
            "groups": {
                id_: [p for p in self.names.platforms if p in group]
                for id_, group in self.names.groups.items()
                if id_ not in before.groups
            },
            "tutorials": {
                tutorial: self._tutorial(tutorial, [one for one in sets if one.tutorial == tutorial])
                for tutorial in dict.fromkeys(one.tutorial for one in sets)
            },
            "tables": {id_: _table(table, self.names) for id_, table in self.tables.items()},
        }
        return self._filled(out)

    @staticmethod
    def _filled(entries: Mapping[str, Value]) -> dict[str, Value]:
        return {key: value for key, value in entries.items() if value}

    def _platform(self, platform: str, before: Names) -> dict[str, Value]:
        """What is new about a platform."""
        out: dict[str, Value] = {} if platform in before.display else {"name": self.names.display[platform]}
        for key, told, known in (
            ("labels", self.names.labels, before.labels),
            ("values", self.names.values, before.values),
        ):
            own: dict[str, Value] = {
                name: texts[platform]
                for name, texts in told.items()
                if platform in texts and platform not in known.get(name, {})
            }
            if own:
                out[key] = own
        can = [
            ability
            for ability, have in self.names.abilities.items()
            if platform in have and platform not in before.abilities.get(ability, ())
        ]
        return {**out, "can": can} if can else out

    def _tutorial(self, id_: str, sets: Sequence[CopySet]) -> dict[str, Value]:
        """A tutorial whose pages stand where the copies stood, and print no numbers that they did not have."""
        sets = sorted(sets, key=lambda one: one.place)
        known = self.order.base.model.tutorials.get(id_)
        if known is not None:
            steps: list[Value] = [self._entry(one, known.steps.get(one.step)) for one in sets]
            return self._filled({"steps": steps, "on": self._titles(sets)})
        out: dict[str, Value] = {"title": _in_words(id_)}
        patterns = {copy.platform: copy.pattern for one in sets for copy in one.copies.values()}
        usual = max(dict.fromkeys(patterns.values()), key=list(patterns.values()).count)
        have = {platform for one in sets for platform in one.platforms}
        if usual != DEFAULT_PATH:
            out["path"] = usual
        if self.images.get(id_, DEFAULT_IMAGES) != DEFAULT_IMAGES:
            out["images"] = self.images[id_]
        if have != set(self.names.platforms):
            out["platforms"] = [platform for platform in self.names.platforms if platform in have]
        if numbering := self._numbering(id_):
            out["numbering"] = numbering
        out["steps"] = [self._step(one, have) for one in sets]
        on: dict[str, dict[str, Value]] = {p: {"path": pattern} for p, pattern in patterns.items() if pattern != usual}
        for platform, titles in self._titles(sets).items():
            on[platform] = {**on.get(platform, {}), **titles}
        return {**out, "on": on} if on else out

    def _titles(self, sets: Sequence[CopySet]) -> dict[str, dict[str, Value]]:
        """Titles of pages that state none, by platform."""
        out: dict[str, dict[str, str]] = {}
        for one in sets:
            for platform, copy in one.copies.items() if one in self.written else ():
                if copy.lacking_title is not None:
                    out.setdefault(platform, {})[one.step] = copy.lacking_title or _in_words(one.step)
        return {platform: {"titles": titles} for platform, titles in out.items()}

    def _numbering(self, tutorial: str) -> dict[str, Value]:
        """What a tutorial does not number: what its copies did not."""
        modern = self.order.modern if self.order.computed else None
        if modern is None:
            return _UNNUMBERED
        told = {"steps": modern.numbered, "sections": modern.sectioned}
        return {what: "false" for what, steps in told.items() if all(step[0] != tutorial for step in steps)}

    def _entry(self, one: CopySet, known: Step | None) -> Value:
        """The entry of a step in a tutorial that stands, and that may print numbers."""
        tutorial = self.order.base.model.tutorials[one.tutorial]
        platforms = self.order.base.model.platforms.values()
        have = {p.id for p in platforms if tutorial.platforms is None or {p.id, *p.groups} & set(tutorial.platforms)}
        entry = self._step(one, have | set(one.platforms))
        if self.order.computed or (known and known.numbering == Numbering(steps=False, sections=False)):
            return entry
        return {**(entry if isinstance(entry, Mapping) else {"id": one.step}), "numbering": _UNNUMBERED}

    def _step(self, one: CopySet, have: Iterable[str]) -> Value:
        out: dict[str, Value] = {"id": one.step}
        if self._is_unnumbered(one):
            out["numbered"] = "false"
        if set(one.platforms) != set(have):
            out["only"] = list(one.platforms)
        if one in self.written:
            text = self.written[one].template
            styles: dict[str, Value] = {p: style for p, copy in one.copies.items() if (style := _style(copy, text))}
            if styles:
                out["files"] = styles
        return one.step if len(out) == 1 else out

    def _is_unnumbered(self, one: CopySet) -> bool:
        """Whether a step had no number in its title, where others of its tutorial had one."""
        numbered = self.order.modern.numbered if self.order.modern and self.order.computed else frozenset()
        others = any(tutorial == one.tutorial for tutorial, _ in numbered)
        return one in self.order.sets and others and (one.tutorial, one.step) not in numbered


def _in_words(id_: str) -> str:
    """An id as a title."""
    words = id_.replace("-", " ").replace("_", " ").strip()
    return words[:1].upper() + words[1:]


def _style(copy: Copy, template_text: str) -> dict[str, Value]:
    out: dict[str, Value] = {}
    if copy.source.newline in _NEWLINES:
        out["newline"] = _NEWLINES[copy.source.newline]
    if copy.source.bom:
        out["bom"] = "true"
    if copy.lacks_final_newline and template_text.endswith("\n"):
        out["final-newline"] = "false"
    return out


def _table(table: Table, names: Names) -> dict[str, Value]:
    rows: dict[str, Value] = {}
    for id_, row in table.rows.items():
        on: dict[str, Value] = {platform: dict(cells) for platform, cells in row.on.items()}
        lacking = [platform for platform in names.platforms if platform in row.lacking]
        for platform in lacking:
            reason = ELSEWHERE if platform in row.elsewhere else LACKING
            on[platform] = {"omit": reason.format(names.display[platform])}
        rows[id_] = {**row.cells, **({"on": on} if on else {})}
    return {"columns": dict(table.titles), "rows": rows}
