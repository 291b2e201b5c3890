"""Writes the template of a step from the aligned units of its copies."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from tutorial_tool.adopt import code, fits, jinja, regions, tables, topics
from tutorial_tool.adopt.copies import CopySet
from tutorial_tool.adopt.fits import Group
from tutorial_tool.adopt.lines import Column, columns
from tutorial_tool.adopt.names import Names
from tutorial_tool.adopt.naming import ELSE, Context, slug
from tutorial_tool.adopt.own_names import OwnNames
from tutorial_tool.adopt.pieces import Vector
from tutorial_tool.adopt.regions import Run
from tutorial_tool.adopt.tables import Table
from tutorial_tool.adopt.units import Unit, expanded, split
from tutorial_tool.adopt.words import Piece, Slot, merged, slots

LONG = 350
"""Characters of a text by platform that becomes a part file."""
MOST_BRANCHES = 2
"""Texts of one place that stand in a condition: more become part files."""


@dataclass(frozen=True)
class Style:
    """What a template may use, beside conditions."""

    tables: bool = True
    files: bool = True
    values: bool = True


STYLES = (Style(), Style(tables=False, files=False), Style(tables=False, files=False, values=False))
"""How a step is written: in the next way where the first does not give back every byte."""


@dataclass
class Written:
    """A step as templates: the files below the templates folder, and the tables.

    `folder` is where its parts and code stand, relative to the templates folder.
    """

    folder: str
    files: dict[str, str] = field(default_factory=dict)
    tables: dict[str, Table] = field(default_factory=dict)

    @property
    def template(self) -> str:
        return self.files[f"{self.folder}.md.j2"]


def aligned(copies: CopySet) -> list[Column]:
    """The units of copies that answer to each other."""
    return columns({platform: split(copy.text) for platform, copy in copies.copies.items()})


def differences(columns_: Sequence[Column]) -> Iterator[Vector]:
    """What differs between units that answer to each other, word by word; once a unit."""
    for column in columns_:
        if len(set(column.values())) == 1:
            continue
        if {unit.kind for unit in column.values()} & {"table", "fence"}:
            yield from differences(columns({platform: expanded(unit) for platform, unit in column.items()}))
        else:
            yield from dict.fromkeys(slots({platform: unit.text for platform, unit in column.items()}))


class Writer:
    """Writes one step; what it learns of the platforms goes to the names that all steps share.

    `known` are tables that stand already, and that this step may use.
    """

    def __init__(
        self,
        copies: CopySet,
        names: Names,
        style: Style,
        written: Written,
        known: Mapping[str, Table],
    ) -> None:
        self.copies, self.names, self.style, self.written = copies, names, style, written
        self.known = known
        self.topic = ""
        self.lead = ""
        """The paragraph before, as all platforms have it."""
        self.scope: Group = frozenset(copies.platforms)

    def write(self, aligned: Sequence[Column]) -> Written:
        text = self._text(aligned, self.scope)
        if all(copy.lacks_final_newline for copy in self.copies.copies.values()) and not text.endswith("%}\n"):
            text = text.removesuffix("\n")
        self.written.files[f"{self.written.folder}.md.j2"] = text
        return self.written

    # Columns

    def _text(self, aligned: Sequence[Column], scope: Group) -> str:
        """The template text that prints, on each platform of a scope, its units of the columns."""
        own = [{p: unit for p, unit in column.items() if p in scope} for column in aligned]
        own = [column for column in own if column]
        if len(scope) == 1:
            return jinja.escaped("".join(unit.text for column in own for unit in column.values()))
        partitions = [self._partition(column, scope) for column in own]
        return "".join(
            self._choice(run, scope) if len(run.partition) > 1 else self._common(run.columns[0], scope)
            for run in regions.split(own, partitions)
        )

    def _partition(self, column: Column, scope: Group) -> fits.Partition:
        if self.style.values:
            return fits.partition(column, scope, self.names, as_data=self.style.tables)
        return fits.equal(column, scope)

    # What all platforms of a scope have

    def _common(self, column: Column, scope: Group) -> str:
        texts = {platform: unit.text for platform, unit in column.items()}
        first = next(iter(column.values()))
        if first.kind.startswith("heading"):
            common = (piece if isinstance(piece, str) else "…" for piece in merged(texts, self.names.known))
            self.topic = topics.of_heading("".join(common)) or self.topic
        if first.kind == "text" or first.kind.startswith("heading"):
            self.lead = first.text if first.kind == "text" else ""
        if len(set(texts.values())) == 1:
            return jinja.escaped(first.text)
        own = OwnNames.of(column, self.names).with_values(self.names)
        if first.kind == "table" and self.style.tables and (table := tables.of(column, own)):
            return f"{table.indentation}{{{{ table('{self._table_id(table)}'{table.call}) }}}}\n"
        if first.kind == "fence" and (text := self._one_value(column)):
            return text
        if first.kind in ("table", "fence") or (first.kind == "text" and not self._is_one_line(column)):
            return self._text(columns({platform: expanded(unit) for platform, unit in column.items()}), scope)
        return jinja.source(self._parts(merged(texts, self.names.known), in_code=first.kind == "code"))

    def _one_value(self, column: Column) -> str | None:
        """A fence whose only line is a value; None for one that is not, or has nothing but known values in it."""
        if not code.is_one_value(column):
            return None
        before, vector, after = code.one_value(column)
        if fits.is_known_line({p: Unit("code", f"{text}\n") for p, text in vector}, self.names):
            return None
        tag = jinja.Print(self.names.expression(vector, Context("", "", self.topic, self.copies.step, in_code=True)))
        return jinja.source([before, tag, after])

    def _is_one_line(self, column: Column) -> bool:
        return not any(unit.is_wrapped for unit in column.values()) or fits.is_one_line(column, self.names)

    def _parts(self, pieces: Sequence[Piece], *, in_code: bool) -> Iterator[jinja.Part]:
        texts = [piece if isinstance(piece, str) else ELSE for piece in pieces]
        for at, piece in enumerate(pieces):
            before, after = "".join(texts[:at]), "".join(texts[at + 1 :])
            context = Context(
                before.replace("\n", " "), after.replace("\n", " "), self.topic, self.copies.step, in_code
            )
            yield piece if isinstance(piece, str) else self._tag(piece, context)

    def _tag(self, slot: Slot, context: Context) -> jinja.Part:
        have = {platform: text for platform, text in slot.vector if text}
        if len(set(have.values())) == 1 and len(have) < len(slot.vector):
            text = next(iter(have.values()))
            return jinja.Only(self._condition(frozenset(have), frozenset(slot.texts), text), text)
        return jinja.Print(self.names.expression(slot.vector, context))

    def _table_id(self, table: Table) -> str:
        own = {**self.known, **self.written.tables}
        same = next((id_ for id_, known in own.items() if known == table), None)
        if same is not None:
            return same
        base = slug(topics.plural(topics.bare(next(iter(table.titles.values()))))) or slug(self.topic) or "settings"
        id_ = _free((base, f"{self.copies.step}-{base}"), own)
        self.written.tables[id_] = table
        return id_

    # What only some have, or what each has in its own words

    def _choice(self, run: Run, scope: Group) -> str:
        """Lines that differ by group: a condition, or a file for each where they are long or many."""
        groups = sorted(run.partition, key=lambda group: (len(group), [p not in group for p in self.copies.platforms]))
        own = {group: [column for column in run.columns if group & column.keys()] for group in groups}
        raw = {group: _first_text(columns_, group) for group, columns_ in own.items()}
        as_files = scope == self.scope and self.style.files and all(own.values())
        if as_files and (text := self._code(run.columns, groups)) is not None:
            return text
        texts = {group: self._text(columns_, group) for group, columns_ in own.items() if columns_}
        many = len(groups) > MOST_BRANCHES or any(map(_is_long, raw.values()))
        if as_files and many and (text := self._part_files(texts)) is not None:
            return text
        branches: list[tuple[str | None, str]] = []
        rest = scope
        for group, text in texts.items():
            branches.append((None if group == rest else self._condition(group, rest, raw[group]), text))
            rest -= group
        return jinja.choice(branches)

    def _condition(self, have: Group, scope: Group, text: str) -> str:
        told = [*topics.of(text), self.topic, f"{self.copies.step} only", "extra"]
        return self.names.condition(have, scope, [topics.SPACES] if text.isspace() else told)

    def _part_files(self, texts: Mapping[Group, str]) -> str | None:
        """A part file for each group; None where parts could not print these texts."""
        ends = {len(text) - len(text.rstrip("\n")) for text in texts.values()}
        if len(ends) > 1 or not all(text.strip() for text in texts.values()):
            return None
        heads = {topics.of_table(text) for text in texts.values()}
        head = next(iter(heads)) if len(heads) == 1 else None
        first = next(iter(texts.values()))
        more = [f"{self.topic} code"] if "```" in first and self.topic else []
        name = self._file_name(head or self.topic, self.topic, *more, *topics.of(first))
        default = code.usual(list(texts))
        for group, text in texts.items():
            owner = "" if group == default else f".{self.names.group(group)}"
            self.written.files[f"{self.written.folder}/{name}{owner}.md"] = text.rstrip("\n") + "\n"
        return f"{{{{ part('{name}') }}}}" + "\n" * ends.pop()

    def _code(self, run: Sequence[Column], groups: Sequence[Group]) -> str | None:
        """Code that differs as code files, never read as templates; None where it is not code only."""
        if len(run) != 1 or not code.is_code(run[0]):
            return None
        found = code.files(run[0], groups)
        if found is None:
            return None
        name = self._file_name(self.topic, *topics.marked(self.lead))
        for group, (suffix, text) in found.texts.items():
            owner = "" if group == found.default else f".{self.names.group(group)}"
            self.written.files[f"{self.written.folder}/{name}{owner}.{suffix}"] = text
        return f"{found.indentation}{{{{ code('{name}') }}}}\n"

    def _file_name(self, *about: str) -> str:
        folder = f"{self.written.folder}/"
        taken = {path.removeprefix(folder).split(".")[0] for path in self.written.files if path.startswith(folder)}
        return _free([name for topic in about if (name := slug(topic))] or [slug(self.copies.step) or "part"], taken)


def _free(names: Sequence[str], taken: Iterable[str]) -> str:
    """The first name that is not taken, with a number where all are."""
    taken = set(taken)
    numbered = (f"{names[0]}-{number}" for number in range(2, len(taken) + 3))
    return next(name for name in (*names, *numbered) if name not in taken)


def _first_text(columns_: Sequence[Column], group: Group) -> str:
    """What a platform of a group has in some columns."""
    platform = min(group)
    return "".join(column[platform].text for column in columns_ if platform in column)


def _is_long(text: str) -> bool:
    return len(text) > LONG or text.strip().count("\n\n") > 1
