"""What a template can use: its platform, step and tutorial, and calls for tables, parts, code, figures and links."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import Any, NamedTuple

from tutorial_tool import arguments, data, files, lazy_re, table_form, traced
from tutorial_tool.data import Node, Scalar
from tutorial_tool.finding import Finding, Related, Severity, did_you_mean, nearest
from tutorial_tool.model import Model
from tutorial_tool.model.parts import Platform, Step, Table, Tutorial
from tutorial_tool.sections import Section
from tutorial_tool.source import Source, Span
from tutorial_tool.table_form import USUAL, Form, problem
from tutorial_tool.template import Complaint, Lazy, Namespace, TemplateEnvironment, span_of
from tutorial_tool.traced import Traced, plain

PICTURES = (".png", ".svg", ".jpg", ".jpeg", ".webp", ".avif", ".gif")
NEAR_FILE = "a file of nearly that name"
"""What is said of the file that is meant where one is missing."""
_NEARLY = 0.75
"""How like the name of a file is that is meant by another."""
_CLEARLY = 0.8
"""How like a platform's id is what stands for it in the name of a file."""
_ORDER = ("platforms", "groups", "tutorials")
"""The sections of the data that say which pages there are."""
_LISTED = 6
"""Names that a message lists where none is near."""
_WORD = lazy_re.compile(r"\{([^\W\d]\w*)\}")
"""A word in a cell that a call gives."""
_BY_NUMBER = lazy_re.compile(r"(?:step[ -]?)?(\d{1,2})(?:\.\d{1,2})?", re.IGNORECASE)
_REGION = lazy_re.compile(
    r"\[(?P<edge>start|end):\s*(?P<name>[\w.-]+)\s*\]"
    r"|\[(?P<edge2>START|END)\s+(?P<name2>[\w.-]+)\]"
    r"|#\s?(?P<edge3>region|endregion)\b[ \t]*(?P<name3>[\w.-]*)"
)


class Address(NamedTuple):
    """Which page: a step of a tutorial on a platform, by ids."""

    tutorial: str
    step: str
    platform: str


@dataclass(frozen=True, eq=False)
class Place:
    """Where a page stands: its path in the docs folder, its number on its platform and its neighbours."""

    address: Address
    tutorial: Tutorial
    step: Step
    platform: Platform
    path: str
    number: int | None
    previous: Address | None
    following: Address | None


class Ask(NamedTuple):
    """What a page asked the data or the files for, and where its name stands, as far as that is known.

    `kind` is labels, values, can, code, tables, part, figure or link.
    """

    kind: str
    key: str
    span: Span | None


class Printed(NamedTuple):
    """A table as a call printed it: the words that the call gives, and those in braces that readers see."""

    table: str
    given: frozenset[str]
    bare: tuple[tuple[str, str], ...]
    """Each word, and the cell that has it."""
    call: Span


class Facts(NamedTuple):
    """What other pages can learn of a page once it is rendered."""

    title: Traced
    sections: tuple[Section, ...]


@dataclass(eq=False)
class Figure:
    """A picture that a page shows and no author has made: it is drawn, into `svg`, once the page's text is known."""

    path: str
    name: str
    alt: str
    place: Place
    call: Span
    """The call in the step's template."""
    wanted: str
    """Where a picture of the author's own would stand, relative to the docs folder; `{platform}` is any platform."""
    kind: str | None = None
    given: Mapping[str, Any] = field(default_factory=dict)
    """What else the call gave, for the figure's template."""
    template: str = ""
    """What drew it, relative to the templates folder; nothing for a template that comes with the tool."""
    svg: str = ""
    heard: Mapping[str, bool] = field(default_factory=dict)
    """What its template asked whether the page's text speaks of, with the answers."""


@dataclass
class Library:
    """What all pages of a site share: data, files, and what the first pass learned."""

    model: Model
    environment: TemplateEnvironment
    names: frozenset[str]
    """The files of the templates folder, as paths relative to it."""
    places: Mapping[Address, Place]
    read: Callable[[str], Source | Finding]
    """A file of the project, by its path relative to the project."""
    source_of: Callable[[str], Source | None]
    """A file of the templates folder."""
    pictures: Callable[[str], bool]
    """Whether a file stands at a path in the docs folder."""
    docs: str
    templates: str
    """Those two folders, relative to the project."""
    facts: dict[Address, Facts] = field(default_factory=dict)
    asked: set[tuple[str, str]] = field(default_factory=set)
    """What templates asked for: (`labels`, `values`, `can`, `code`, `tables`, `part`, `figure` or `link`, the key)."""
    shown_tables: dict[tuple[str, tuple[str, ...], str], Traced] = field(default_factory=dict)
    """Tables as Markdown, by id, columns and platform: most stand on many pages."""

    @cached_property
    def ids(self) -> tuple[str, ...]:
        """The ids of platforms and groups."""
        return (*self.model.platforms, *self.model.groups)

    @cached_property
    def stray_folders(self) -> tuple[str, ...]:
        """The folders below `steps/` that are called after no step or tutorial."""
        known = {*self.model.tutorials, *(id_ for one in self.model.tutorials.values() for id_ in one.steps)}
        folders = {posixpath.dirname(name) for name in self.names if name.startswith("steps/")}
        return tuple(
            sorted(folder for folder in folders if folder != "steps" and posixpath.basename(folder) not in known)
        )

    @cached_property
    def abilities(self) -> frozenset[str]:
        return frozenset(ability for platform in self.model.platforms.values() for ability in platform.can)


@dataclass
class PageContext:
    """The variables and calls of one page while it is rendered, and what they asked for."""

    library: Library
    place: Place
    findings: list[Finding] = field(default_factory=list)
    figures: list[Figure] = field(default_factory=list)
    asks_others: bool = False
    """Whether the page printed something that only other rendered pages know: it is rendered again."""
    tables: set[tuple[str, tuple[str, ...]]] = field(default_factory=set)
    """The tables that the page shows, by id and columns."""
    printed: list[Printed] = field(default_factory=list)
    """Those of them whose cells ask for words."""
    used: set[str] = field(default_factory=set)
    """Templates, parts and code files that were read, as paths relative to the templates folder or the project."""
    asks: set[Ask] = field(default_factory=set)
    """All that the page asked for."""
    others: dict[Address, Facts | None] = field(default_factory=dict)
    """What it was told of pages, itself among them; None where that was not known yet."""

    def _note(self, kind: str, key: object, at: object = None) -> None:
        """Notes what is asked for; `at` is the argument that says it, else the place of the call or name is meant."""
        if not isinstance(key, str):
            call = f"{here.text}()" if (here := self.library.environment.calling) else "a call"
            told = f"{call} takes a name first, as text in quotes, not {arguments.shown(key)}"
            raise Complaint(told, rule="invalid-template")
        self.library.asked.add((kind, plain(key)))
        self.asks.add(Ask(kind, plain(key), span_of(at) or self.library.environment.calling))

    def _text(self, value: Any, keyword: str) -> str:
        """An argument of the call that is running, where it is printed."""
        return arguments.text(value, keyword, self.library.environment.calling)

    def _words(self, words: Mapping[str, Any]) -> dict[str, str]:
        """What a call says for words of cells."""
        return {name: self._text(word, name) for name, word in words.items()}

    @cached_property
    def variables(self) -> dict[str, Any]:
        model, place = self.library.model, self.place
        tutorial = {"id": place.tutorial.id, "title": place.tutorial.title}
        step = {"id": place.step.id, "number": place.number, "title": Lazy(self._title)}
        step |= {"previous": _step(place.previous), "next": _step(place.following)}
        return {
            "platform": self._platform(place.platform),
            "platforms": Namespace(
                "'platforms'", {id_: self._platform(p) for id_, p in model.platforms.items()}, about=("platforms",)
            ),
            "tutorial": Namespace(f"tutorial '{place.tutorial.id}'", tutorial, place.tutorial.key),
            "step": Namespace(f"step '{place.step.id}'", step, place.step.key),
            "table": self.table,
            "rows": self.rows,
            "part": self.part,
            "code": self.code,
            "figure": self.figure,
            "link": self.link,
        }

    def _platform(self, platform: Platform) -> Namespace:
        what = f"platform '{platform.id}'"
        values = {key: Lazy(partial(self._value, key, node)) for key, node in platform.values.items()}

        def label(role: str, default: str | None = None) -> str:
            return self._label(platform, role, default)

        def can(ability: str) -> bool:
            return self._can(platform, ability)

        fields = {
            "id": platform.id,
            "name": platform.name,
            "label": label,
            "values": Namespace(f"'values' of {what}", values, platform.key, ("platforms",)),
            "can": can,
        }
        meant = {
            "labels": "label('…')",
            "groups": "can('…') for what its members can do",
            **{key: f"label('{key}')" for key in platform.labels},
        }
        meant |= {key: f"values.{key}" if key.isidentifier() else f"values['{key}']" for key in values}
        return Namespace(what, fields, platform.key, meant={key: f"platform.{told}" for key, told in meant.items()})

    def _value(self, key: str, node: Node) -> Any:
        self._note("values", key)
        return _value(node, f"value '{key}'")

    def _label(self, platform: Platform, role: str, default: str | None) -> str:
        self._note("labels", role, role)
        default = default if default is None else self._text(default, "default")
        label = platform.labels.get(plain(role), default)
        if label is None:
            hint = did_you_mean(role, platform.labels) or f"; write `labels: {{{role}: …}}` there"
            raise Complaint(
                f"platform '{platform.id}' has no label '{role}' ({platform.key}){hint}", at=role, about=("platforms",)
            )
        return label

    def _can(self, platform: Platform, ability: str) -> bool:
        self._note("can", ability, ability)
        if ability not in self.library.abilities:
            hint = did_you_mean(ability, self.library.abilities)
            hint = hint or f"; write `can: [{ability}]` at those that have it, or delete what stands under it"
            raise Complaint(f"no platform has the ability '{ability}'{hint}", at=ability, about=("platforms",))
        return plain(ability) in platform.can

    def _title(self) -> Traced:
        facts = self._facts(self.place.address)
        return facts.title if facts else traced.as_traced(self.place.step.id)

    # Tables

    def _table(self, name: str) -> Any:
        self._note("tables", name, name)
        table = self.library.model.tables.get(plain(name))
        if table is None:
            hint = did_you_mean(name, self.library.model.tables)
            raise Complaint(f"there is no table '{name}'{hint}", at=name, about=("tables",))
        if not table.columns:
            raise Complaint(f"table '{name}' has no columns", at=name, about=("tables",))
        return table

    def rows(self, name: str, /, **words: str) -> list[Namespace]:
        """A table's rows on this platform, for a template that prints them in its own way; `words` as in `table`."""
        table, platform, words = self._table(name), self.place.platform, self._words(words)
        self._print(table, (), words)
        return [
            Namespace(
                f"row '{row.id}'",
                {column: _worded(cell.text, words) for column in table.columns if (cell := row.cell(column, platform))},
                row.key,
                ("tables",),
            )
            for row in table.rows_on(platform)
        ]

    def table(
        self,
        name: str,
        /,
        columns: Sequence[str] | None = None,
        delimiter: str = "",
        row: str = "",
        padded: bool = False,
        **words: str,
    ) -> Traced:
        """A table as Markdown: its rows on this platform, all columns or those named.

        Where a cell says `{app}` and the call `app=…`, the cell prints that. `delimiter`, `row` and `padded` say how it
        is written, as `Form` tells.
        """
        table, platform, call = self._table(name), self.place.platform, self.library.environment.calling
        delimiter, row = self._text(delimiter, "delimiter"), self._text(row, "row")
        form = Form(plain(delimiter), plain(row), arguments.flag(padded, "padded", call))
        columns = None if columns is None else arguments.texts(columns, "columns", call)
        for column in columns or ():
            if column not in table.columns:
                raise Complaint(
                    f"table '{name}' has no column '{column}'{did_you_mean(column, table.columns)}",
                    at=column,
                    about=("tables",),
                )
        shown = [plain(column) for column in columns] if columns else list(table.columns)
        self.tables.add((table.id, tuple(shown)))
        asked = {match[1] for cell in _cells(table) for match in _WORD.finditer(plain(cell.text))} if words else set()
        for word in words:
            if word not in asked and (hint := did_you_mean(word, ["columns", "delimiter", "row", "padded"])):
                raise Complaint(f"table() knows no '{word}'{hint}", about=("tables",), rule="invalid-template")
            if word not in asked and (hint := did_you_mean(word, sorted(asked.difference(words)))):
                lacking = f"no cell of table '{name}' has `{{{word}}}`{hint}"
                raise Complaint(lacking, about=("tables",), rule="invalid-template")
        words = self._words(words)
        self._print(table, shown, words)
        if told := problem(form, len(shown)):
            raise Complaint(f"table(): {told}", at=row or delimiter, rule="invalid-template")
        if words or form != USUAL:
            return _markdown_table(table, shown, platform, words, form)
        known, key = self.library.shown_tables, (table.id, tuple(shown), platform.id)
        if key not in known:
            known[key] = _markdown_table(table, shown, platform, words)
        return known[key]

    def _print(self, table: Table, columns: Sequence[str], words: Mapping[str, str]) -> None:
        """Notes which words a call gives, and which ones in braces readers see in these columns."""
        cells = [
            row.cell(column, self.place.platform) for row in table.rows_on(self.place.platform) for column in columns
        ]
        texts = [cell.text for cell in cells if cell and "{" in cell.text]
        bare = {match[1]: text for text in texts for match in _WORD.finditer(plain(text)) if match[1] not in words}
        if words or bare:
            call = self.library.environment.calling or self.library.environment.here
            self.printed.append(Printed(table.id, frozenset(words), tuple(bare.items()), call))

    # Parts and code

    def _stems(self, name: str) -> Iterator[list[str]]:
        """Where a part or code file of this step may stand, the nearest level first; without the suffix."""
        place = self.place
        folders = [f"steps/{place.tutorial.id}/{place.step.id}", f"steps/{place.step.id}"]
        for level in place.platform.levels:
            yield [f"{folder}/{name}.{id_}" for folder in folders for id_ in level]
        yield [f"{folder}/{name}" for folder in folders]

    def part(self, name: str) -> Traced:
        """The nearest text of that name: this platform's, that of what it extends, its groups', or everybody's."""
        self._note("part", name, name)
        for stems in self._stems(name):
            found = [[f"{stem}.md"] for stem in stems if f"{stem}.md" in self.library.names]
            if found:
                (path,) = self._only(found, f"part '{name}'")
                self.used.add(path)
                return traced.block(self.library.environment.include(path, self.variables).rstrip("\n"))
        return self._to_be_written("part", name)

    def _only(self, found: Sequence[list[str]], what: str) -> list[str]:
        """The files of the nearest level. Raises `Complaint` where two groups have files that differ there."""
        first, *others = found
        for other in others:
            if posixpath.dirname(other[0]) == posixpath.dirname(first[0]) and self._texts(other) != self._texts(first):
                id_, folder = self.place.platform.id, self.library.templates
                told = f"two groups of '{id_}' disagree about {what}: {folder}/{first[0]} and {folder}/{other[0]}"
                raise Complaint(f"{told}; write one for '{id_}'", rule="invalid-template")
        return first

    def _texts(self, paths: Iterable[str]) -> list[str]:
        return [source.text for path in paths if (source := self.library.source_of(path))]

    def code(self, name: str, language: str | None = None) -> Traced:
        """Code of that name, as it stands in its file; several languages become tabs.

        `language` is what stands behind the ticks of its fence, in place of the file's own language.
        """
        self._note("code", name, name)
        language = None if language is None else self._text(language, "language")
        texts = self._code_files(name)
        blocks = [(_language(path), _fenced(text, path, language)) for path, text in texts]
        if not blocks:
            return self._to_be_written("code", name)
        return traced.block(blocks[0][1] if len(blocks) == 1 else _tabs(blocks))

    def _code_files(self, name: str) -> list[tuple[str, Traced]]:
        """The nearest files of that name; what `code:` says of a platform stands before that platform's own files."""
        platform = self.place.platform
        says = platform.lineage.index(platform.code_of[plain(name)]) if plain(name) in platform.code_of else None
        for level, stems in enumerate(self._stems(name)):
            if level == says and platform.code[plain(name)]:
                return [self._sample(sample) for sample in platform.code[plain(name)]]
            of_stem = (
                sorted(n for n in self.library.names if n.startswith(f"{stem}.") and self._is_code(n, stem))
                for stem in stems
            )
            if found := [paths for paths in of_stem if paths]:
                paths = self._only(found, f"code '{name}'")
                self.used.update(paths)
                return [(path, _whole(self.library.source_of(path))) for path in paths]
        return []

    def _is_code(self, path: str, stem: str) -> bool:
        """Whether what follows the stem is a suffix, and not a platform's or group's id, or nearly one before a suffix.

        An id that names a language, too (`go`), is a suffix.
        """
        first, dot, _ = path[len(stem) + 1 :].partition(".")
        if not dot:
            return not self._lacks_suffix(path)
        return not nearest(first, self.library.ids, _CLEARLY)

    def _lacks_suffix(self, path: str) -> bool:
        """Whether a code file ends in the id of a platform or group, and in no suffix of a language."""
        before, _, last = posixpath.basename(path).rpartition(".")
        is_named = last in self.library.ids and before.rpartition(".")[2] not in self.library.ids
        return is_named and _language(path) == (last, last)

    def _sample(self, reference: Traced) -> tuple[str, Traced]:
        path, _, region = reference.partition("#")
        if reason := files.unsafe(plain(path)):
            raise Complaint(f"the code path '{path}' {reason}", at=reference, rule="unsafe-path")
        source = self.library.read(plain(path))
        if isinstance(source, Finding):
            raise Complaint(f"{path}: {source.message}", at=reference, rule=source.rule)
        self.used.add(plain(path))
        text = _region(source, region, reference) if region else _unmarked(source)
        if region and not text.strip():
            told = f"the region '{region}' of {path} is empty, and so is the code on the page"
            here, id_ = self.library.environment.here, self.place.platform.id
            self.findings.append(Finding("missing-code", Severity.WARNING, told, here, (id_,)))
        return plain(path), text

    def _to_be_written(self, kind: str, name: str) -> Traced:
        platform, here = self.place.platform, self.library.environment.here
        message = f"no {kind} '{name}' for '{platform.id}': write {self._wanted(kind, name)}"
        if bare := self._without_suffix(kind, name):
            message = f"no {kind} '{name}' for '{platform.id}': {kind} is named without a suffix: '{bare}'"
        related = [Related(platform.key, "the platform")]
        said = nearest(name, platform.code) if kind == "code" else None
        if said:
            message += f"; did you mean '{said}'?"
        elif near := self._nearly(kind, name):
            suffix = "`.md`" if kind == "part" else "the suffix of its language"
            message += f"; {near} lacks {suffix}" if self._lacks_suffix(near) else f"; did you mean {near}?"
            related.append(Related(Source(near, "").span(0), NEAR_FILE))
        self.findings.append(
            Finding(f"missing-{kind}", Severity.WARNING, message, here, (platform.id,), tuple(related))
        )
        words = self.library.model.strings["to-be-written"]
        return traced.block(traced.concat([f"> **{words}:** {kind} `{name}`, ", platform.name]))

    def _without_suffix(self, kind: str, name: str) -> str:
        """What a call means that says the name of a file: its name without the suffix, and a platform's before it."""
        place = self.place
        folders = (f"steps/{place.tutorial.id}/{place.step.id}", f"steps/{place.step.id}")
        if not name.endswith(".md") and not any(f"{folder}/{name}" in self.library.names for folder in folders):
            return ""
        stem = name.removesuffix(".md") if kind == "part" else name.rpartition(".")[0]
        before, _, target = stem.rpartition(".")
        return before if before and target in self.library.ids else stem

    def _nearly(self, kind: str, name: str) -> str | None:
        """The file of this step that has nearly the name that is asked for; else one in a folder of nearly its name."""
        place, folder = self.place, self.library.templates
        wanted = (*(f"{name}.{id_}" for level in place.platform.levels for id_ in level), name)
        stems = self._beside(kind, (f"steps/{place.tutorial.id}/{place.step.id}", f"steps/{place.step.id}"), wanted)
        near = next((found for one in wanted if (found := nearest(one, sorted(stems), _NEARLY))), None)
        if near:
            return f"{folder}/{stems[near]}"
        strays = {posixpath.basename(stray): stray for stray in self.library.stray_folders}
        stray = nearest(place.step.id, strays, _NEARLY)
        found = self._in_stray(kind, (strays[stray],), wanted) if stray else None
        if not found and not any(name.startswith(f"steps/{place.step.id}/") for name in self.library.names):
            found = self._in_stray(kind, self.library.stray_folders, wanted)  # the step was renamed, and it not
        found = found or self._elsewhere(kind, wanted)
        return f"{folder}/{found}" if found else None

    def _in_stray(self, kind: str, folders: Iterable[str], wanted: Sequence[str]) -> str | None:
        """The file of one of the wanted names in a folder of no step, where one folder alone has it."""
        known = [self._beside(kind, (folder,), ()) for folder in folders]
        found = [next((stems[one] for one in wanted if one in stems), None) for stems in known]
        files = [file for file in found if file]
        return files[0] if len(files) == 1 else None

    def _elsewhere(self, kind: str, wanted: Sequence[str]) -> str | None:
        """A file of one of the wanted names that stands beside the steps' folders, or has the suffix of a template."""
        folders = {"steps", f"steps/{self.place.tutorial.id}", f"steps/{self.place.step.id}"}
        own = sorted(path for path in self.library.names if posixpath.dirname(path) in folders)
        for path in own if kind == "part" else ():
            if path.endswith((".md", ".md.j2")) and path.removesuffix(".j2")[:-3].rpartition("/")[2] in wanted[:-1]:
                return path
        return None

    def _beside(self, kind: str, folders: Iterable[str], wanted: Sequence[str]) -> dict[str, str]:
        """The parts or code files of some folders that may be meant for this platform, by name without suffix."""
        levels, known, stems = self.place.platform.levels, self.library.ids, dict[str, str]()
        for path in (path for folder in folders for path in self.library.names if posixpath.dirname(path) == folder):
            stem, _, suffix = posixpath.basename(path).rpartition(".")
            if self._lacks_suffix(path):
                stems |= {f"{stem}.{suffix}": path} if any(suffix in level for level in levels) else {}
                continue
            target = stem.partition(".")[2]
            is_ours = target not in known or (stem not in wanted and any(target in level for level in levels))
            if (suffix == "md") is (kind == "part") and suffix != "j2" and is_ours:
                stems[stem] = path
        return stems

    def _wanted(self, kind: str, name: str) -> str:
        suffix = "md" if kind == "part" else "…"
        return f"{self.library.templates}/steps/{self.place.step.id}/{name}.{self.place.platform.id}.{suffix}"

    # Figures

    def figure(self, name: str, alt: str | None = None, kind: str | None = None, **given: Any) -> Traced:
        """A picture: the author's own where one stands at the image path, else one that is drawn.

        `kind` names the template that draws it where none has its name; `given` is what that template asks for.
        """
        if alt is None:
            meant = next((f"; did you mean it by '{other}'?" for other in given if did_you_mean("alt", [other])), "")
            raise TypeError(f"figure() needs 'alt'{meant}")
        self._note("figure", name, name)
        alt, place = self._text(alt, "alt"), self.place
        path = _fill(images(place), {"figure": plain(name)})
        wanted = plain(_fill(images(place, "{platform}"), {"figure": plain(name)}))
        if reason := files.unsafe(plain(path)):
            raise Complaint(f"the picture's path '{path}' {reason}", at=name, rule="unsafe-path")
        stem = posixpath.splitext(path)[0]
        known = (path, *(stem + suffix for suffix in PICTURES))
        shown = next((candidate for candidate in known if self.library.pictures(candidate)), None)
        if shown is None:
            shown = f"{stem}.svg"
            call = self.library.environment.here
            self.figures.append(Figure(shown, plain(name), plain(alt), place, call, wanted, kind, given))
        target = _relative(shown, place.path).replace(" ", "%20")
        return traced.concat(["![", _escaped(traced.as_traced(alt)), f"]({target})"])

    # Links

    def _facts(self, address: Address) -> Facts | None:
        self.asks_others = True
        self.others[address] = facts = self.library.facts.get(address)
        return facts

    def link(self, ref: str | None, text: str | None = None) -> Traced:
        """A link to a step or section, by id; it prints the number that it has on this platform, else its title."""
        if ref is None:
            told = "link() is given no step: the first one has none before it, and the last one none after it"
            raise Complaint(f"{told}; put the link under `{{% if step.next %}}`", rule="invalid-template")
        self._note("link", ref, ref)
        text = None if text is None else self._text(text, "text")
        target, section = self._target(ref)
        place = self.library.places[target]
        words, anchor = self._said(ref, place, section)
        path = posixpath.basename(place.path) if place is self.place else _relative(place.path, self.place.path)
        href = f"#{section}" if section and place is self.place else path + (f"#{anchor}" if anchor else "")
        shown = traced.as_traced(words if text is None else text)
        is_markup = text is not None and _is_balanced(plain(shown))
        return traced.concat(["[", shown if is_markup else _escaped(shown), f"]({href})"])

    def _target(self, ref: str) -> tuple[Address, str]:
        name, mark, section = traced.as_traced(ref).partition("#")
        before, slash, step = name.rpartition("/")
        if not step and (slash or not mark):
            raise Complaint(f"'{ref}' names no step; a link is to a step, to step#section, or to tutorial/step", at=ref)
        model, here = self.library.model, self.place
        tutorial = model.tutorials.get(plain(before)) if slash else here.tutorial
        if tutorial is None:
            own = f"; a link stays on the reader's platform: write '{step}'" if before in model.platforms else ""
            if not own and plain(step) in here.tutorial.steps and ("/" in before or not before):
                own = f"; a link names a step by its id: write '{step}'"
            told = f"there is no tutorial '{before}'{own or did_you_mean(before, model.tutorials)}"
            raise Complaint(told, at=ref, about=_ORDER)
        id_ = plain(step) or here.step.id
        if id_ not in tutorial.steps:
            others = [one.id for one in model.tutorials.values() if not slash and id_ in one.steps]
            hint = f"; tutorial '{others[0]}' has it: write '{others[0]}/{name}'" if others else ""
            hint = hint or self._numbered(tutorial, plain(step)) or did_you_mean(step, tutorial.steps)
            told = f"there is no step '{step}'{hint}"
            raise Complaint(told, at=ref, about=(*_ORDER, id_))
        address = Address(tutorial.id, id_, here.platform.id)
        if address not in self.library.places:
            reason = tutorial.absence(tutorial.steps[id_], here.platform)
            why = f": {reason}" if reason else ""
            if not any(
                place.tutorial is tutorial and place.platform is here.platform for place in self.library.places.values()
            ):
                why = f": tutorial '{tutorial.id}' is not on it"
            guard = "; put the link under `{% if platform.can('…') %}`"
            raise Complaint(f"there is no step '{step}' on '{here.platform.id}'{why}{guard}", at=ref, about=_ORDER)
        return address, plain(section)

    def _numbered(self, tutorial: Tutorial, said: str) -> str:
        """Which step is meant where a link is given a number in place of an id."""
        found = _BY_NUMBER.fullmatch(said)
        places = (
            p for p in self.library.places.values() if p.tutorial is tutorial and p.platform is self.place.platform
        )
        meant = next((place for place in places if found and place.number == int(found[1])), None)
        return f"; a link is given its id: step {meant.number} is '{meant.step.id}'" if meant else ""

    def _said(self, ref: str, place: Place, section: str) -> tuple[str, str]:
        """What a link says, and its anchor."""
        strings = self.library.model.strings
        numbered: str = strings["step"]
        if place.tutorial is not self.place.tutorial:
            numbered = traced.as_traced(strings["step-of"]).replace("{step}", numbered)
            numbered = numbered.replace("{tutorial}", place.tutorial.title)
        if not section and place.number is not None and place.step.numbering.steps:
            return numbered.replace("{number}", str(place.number)), ""
        facts = self._facts(place.address)
        if facts is None:
            return "…", section
        if not section:
            return facts.title, ""
        found = {s.id: s for s in facts.sections}.get(section)
        if found is None:
            ids = list(dict.fromkeys(s.id for s in facts.sections))
            hint = did_you_mean(section, ids) or (f"; it has {', '.join(ids[:_LISTED])}" if ids else "")
            raise Complaint(f"step '{place.step.id}' has no section '{section}' on '{place.platform.id}'{hint}", at=ref)
        return numbered.replace("{number}", found.number) if found.number else found.title, section


def _step(address: Address | None) -> str | None:
    return address.step if address else None


def _value(node: Node, what: str) -> Any:
    """A free value as templates see it."""
    if isinstance(node, data.Scalar):
        return node.text
    if isinstance(node, data.Sequence):
        return [_value(item, f"an entry of {what}") for item in node.items]
    return Namespace(
        what, {plain(k.text): _value(v, f"'{k.text}' of {what}") for k, v in node.items}, node.span, ("platforms",)
    )


def _worded(text: Traced, words: Mapping[str, str]) -> Traced:
    """A cell with the words that a call gives it."""
    for name, word in words.items():
        text = traced.as_traced(text.replace(f"{{{name}}}", word))
    return text


def _cells(table: Table) -> Iterator[Scalar]:
    """All cells of a table, on all platforms."""
    for row in table.rows.values():
        yield from row.cells.values()
        for override in row.on.values():
            yield from override.cells.values()


def _markdown_table(
    table: Table, columns: Sequence[str], platform: Platform, words: Mapping[str, str], form: Form = USUAL
) -> Traced:
    """Some columns of a table on a platform, as Markdown."""
    grid = [[_cell_text(table.columns[column]) for column in columns]]
    for row in table.rows_on(platform):
        cells = [row.cell(column, platform) for column in columns]
        grid.append([_cell_text(_worded(cell.text, words) if cell else "") for cell in cells])
    return traced.block(_lines(map(traced.concat, table_form.lines(grid, form))))


def _cell_text(text: str) -> Traced:
    """A text as it may stand in a cell."""
    return traced.as_traced(traced.as_traced(text).strip().replace("|", "\\|").replace("\n", "<br>"))


def _lines(lines: Iterable[str]) -> Traced:
    out: list[str] = []
    for line in lines:
        out += ["\n", line] if out else [line]
    return traced.concat(out)


def _escaped(text: Traced) -> Traced:
    """Text for the brackets of a link or picture."""
    return traced.as_traced(text.replace("[", "\\[").replace("]", "\\]"))


def _is_balanced(text: str) -> bool:
    """Whether each bracket of a text has its other one, so that it can be the text of a link as it is."""
    depth = 0
    for sign in re.sub(r"\\.|`[^`]*`", "", text):
        depth += (sign == "[") - (sign == "]")
        if depth < 0:
            return False
    return depth == 0


def _fill(pattern: str, fields: Mapping[str, str]) -> str:
    return re.sub(r"\{(\w+)\}", lambda found: fields.get(found[1], found[0]), plain(pattern))


def images(place: Place, platform: str | None = None) -> str:
    """Where the pictures of a page stand in the docs folder, `{figure}` for the name of each."""
    fields = {"tutorial": place.tutorial.id, "platform": platform or place.platform.id, "step": place.step.id}
    return _fill(place.tutorial.images_on(place.platform), {**fields, "number": str(place.number or 0)})


def fill_path(tutorial: Tutorial, step: str, platform: Platform) -> str:
    """A page's path in the docs folder, without a suffix."""
    fields = {"tutorial": tutorial.id, "platform": platform.id, "step": step}
    return _fill(tutorial.path_on(platform), fields).strip("/")


def _relative(path: str, page: str) -> str:
    return posixpath.relpath(path, posixpath.dirname(page) or ".")


def _whole(source: Source | None) -> Traced:
    return traced.traced(source.whole()) if source else traced.as_traced("")


def _region(source: Source, region: str, reference: Traced) -> Traced:
    """The lines between a region's start and end comments, without their common indentation and other markers."""
    lines = [source.span(source.line_start(n), source.line_end(n)) for n in range(1, source.line_count + 1)]
    kept, opened, open_ = [], None, False
    for line in lines:
        edge = _edge(line.text)
        if edge is None:
            kept += [line] if open_ else []
        elif edge == (True, region):
            opened, open_ = line, True
        elif open_ and not edge.starts and edge.name in (region, ""):
            open_ = False
    if opened is not None and open_:
        told = f"region '{region}' is not closed: write a comment with [end:{region}] behind its last line"
        raise Complaint(told, at=traced.traced(opened))
    if opened is None:
        names = [edge.name for line in lines if (edge := _edge(line.text)) and edge.name]
        marks = f"; it stands between two comments, [start:{region}] and [end:{region}]"
        hint = did_you_mean(region, names) or marks
        raise Complaint(f"region '{region}' does not exist in {source.path}{hint}", at=reference)
    return _dedented(kept)


def _unmarked(source: Source) -> Traced:
    """A whole sample without the comments that mark its regions: those that are a language's own, `#region`, stay."""
    lines = [source.span(source.line_start(n), source.line_end(n)) for n in range(1, source.line_count + 1)]
    kept = [line for line in lines if not ((found := _REGION.search(line.text)) and not found["edge3"])]
    return _whole(source) if len(kept) == len(lines) else _lines(map(traced.traced, kept))


class _Edge(NamedTuple):
    """A comment that starts or ends a region; the end of a `#region` need not name it."""

    starts: bool
    name: str


def _edge(line: str) -> _Edge | None:
    found = _REGION.search(line)
    if found is None:
        return None
    word = found["edge"] or found["edge2"] or found["edge3"]
    return _Edge(word.lower() in ("start", "region"), found["name"] or found["name2"] or found["name3"] or "")


def _dedented(lines: list[Span]) -> Traced:
    filled = [line.text for line in lines if line.text.strip()]
    margin = min((len(text) - len(text.lstrip()) for text in filled), default=0)
    return _lines(traced.traced(Span(s.source, min(s.start + margin, s.end), s.end)) for s in lines)


def _fenced(text: Traced, path: str, language: str | None = None) -> Traced:
    """Code in a fence that is longer than any in it."""
    ticks = max((len(m[0]) for m in re.finditer(r"`{3,}", text)), default=2) + 1
    word = _language(path)[1] if language is None else "".join(language.split("`")).partition("\n")[0]
    return traced.concat(["`" * ticks, word, "\n", text.rstrip("\n"), "\n", "`" * ticks])


def _tabs(blocks: list[tuple[tuple[str, str], Traced]]) -> Traced:
    """Content tabs as Python-Markdown's `pymdownx.tabbed` reads them."""
    lines: list[str] = []
    for (name, _), block in blocks:
        lines += [
            f'=== "{name}"',
            "",
            *(traced.concat(["    ", line]) if line else "" for line in block.split("\n")),
            "",
        ]
    return _lines(lines[:-1])


def _language(path: str) -> tuple[str, str]:
    """What people call the language of a file, and its word for a fence; the names are Pygments'."""
    from pygments.lexers import find_lexer_class_for_filename

    suffix = posixpath.splitext(path)[1].lstrip(".")
    lexer = find_lexer_class_for_filename(posixpath.basename(path))
    if lexer is None or lexer.name == "Text only":
        return suffix or "Text", suffix or "text"
    return lexer.name, lexer.aliases[0]
