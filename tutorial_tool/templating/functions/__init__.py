"""Template variables and functions: platform, step and tutorial; tables, parts, code, figures and links."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import Any

from tutorial_tool import data
from tutorial_tool.core import lazy_re, traced
from tutorial_tool.core.diagnostics import MAX_LISTED, Finding, Related, Severity, find_nearest, format_suggestion
from tutorial_tool.core.source import Source, Span
from tutorial_tool.core.traced import Traced, strip_origins
from tutorial_tool.data import Node, Scalar
from tutorial_tool.data.model.parts import Platform, Table, Tutorial
from tutorial_tool.fs import files
from tutorial_tool.markdown.table_format import USUAL, TableStyle, find_problem
from tutorial_tool.templating import call_arguments
from tutorial_tool.templating.environment import LazyValue, Namespace, TemplateCallError, get_span
from tutorial_tool.templating.functions.samples import (
    build_tabs,
    extract_region,
    fence_code,
    get_language,
    get_whole,
    strip_region_marks,
)
from tutorial_tool.templating.functions.suggestions import FileFinder
from tutorial_tool.templating.functions.texts import (
    build_image_path,
    build_page_path,
    build_relative_path,
    escape_brackets,
    fill_pattern,
    format_unwritten,
    is_balanced,
    render_table,
    replace_words,
)
from tutorial_tool.templating.places import (
    Figure,
    Library,
    PageDependency,
    PageFacts,
    PageId,
    PageLocation,
    PrintedTable,
)

PICTURES = (".png", ".svg", ".jpg", ".jpeg", ".webp", ".avif", ".gif")
NEAR_FILE = "a file of nearly that name"  # Describes the similar file where one is missing
_ORDER = ("platforms", "groups", "tutorials")  # The sections of the data that define the pages
_FIGURE_STEPS = 500  # Steps of a page that a drawn figure costs: 500 figures took 3 s and 218 MB (2026-11)
_WORD = lazy_re.compile(r"\{([^\W\d]\w*)\}")  # A word in a cell, whose text the call passes
_BY_NUMBER = lazy_re.compile(r"(?:step[ -]?)?(\d{1,2})(?:\.\d{1,2})?", re.IGNORECASE)


@dataclass(repr=False)
class PageContext:
    """The variables and functions of one page while it is rendered, and its dependencies."""

    library: Library
    place: PageLocation
    findings: list[Finding] = field(default_factory=list)
    figures: list[Figure] = field(default_factory=list)
    asks_others: bool = False  # Whether the page depends on facts of other rendered pages, so that it is rendered again
    tables: set[tuple[str, tuple[str, ...]]] = field(default_factory=set)
    """The tables that the page shows, by id and columns."""
    printed: list[PrintedTable] = field(default_factory=list)  # Those whose cells have placeholders for words
    used_files: set[str] = field(default_factory=set)
    """Templates, parts and code files that were read, as paths relative to the templates folder or the project."""
    dependencies: set[PageDependency] = field(default_factory=set)  # Everything that the page requested
    others: dict[PageId, PageFacts | None] = field(default_factory=dict)
    """The facts that it used about pages, itself included; None if they were not known yet."""

    @cached_property
    def _files(self) -> FileFinder:
        return FileFinder(self.library, self.place)

    def _record_dependency(self, kind: str, key: object, at: object = None) -> None:
        """Record a dependency; `at` is the argument that names it, otherwise the call's location is used."""
        if not isinstance(key, str):
            call = f"{here.text}()" if (here := self.library.environment.active_call) else "a call"
            message = f"{call} takes a name first, as text in quotes, not {call_arguments.describe_value(key)}"
            raise TemplateCallError(message, rule="invalid-template")
        self.library.requested.add((kind, strip_origins(key)))
        place = get_span(at) or self.library.environment.active_call
        self.dependencies.add(PageDependency(kind, strip_origins(key), place))

    def _require_text(self, argument: Any, keyword: str) -> str:
        """Return a printed argument of the running call as text."""
        return call_arguments.require_text(argument, keyword, self.library.environment.active_call)

    def _require_words(self, words: Mapping[str, Any]) -> dict[str, str]:
        """Return the texts that a call passes for words in cells."""
        return {name: self._require_text(word, name) for name, word in words.items()}

    @cached_property
    def variables(self) -> dict[str, Any]:
        place = self.place
        shown = self.library.model.platforms if place.draft else self.library.published
        tutorial = {"id": place.tutorial.id, "title": place.tutorial.title}
        step = {"id": place.step.id, "number": place.number, "title": LazyValue(self._get_title)}
        step |= {"previous": _get_step(place.previous), "next": _get_step(place.following)}
        return {
            "platform": self._build_platform(place.platform),
            "platforms": Namespace("`platforms`", shown, about=("platforms",), made=self._build_platform),
            "tutorial": Namespace(f"tutorial `{place.tutorial.id}`", tutorial, place.tutorial.key),
            "step": Namespace(f"step `{place.step.id}`", step, place.step.key),
            "table": self.table,
            "rows": self.rows,
            "part": self.part,
            "drift": self.drift,
            "code": self.code,
            "figure": self.figure,
            "link": self.link,
        }

    def _build_platform(self, platform: Platform) -> Namespace:
        what = f"platform `{platform.id}`"
        values = {key: LazyValue(partial(self._get_value, key, node)) for key, node in platform.values.items()}
        for key, node in self.library.known_values.items() if self.place.draft else ():
            values.setdefault(key, LazyValue(partial(self._build_missing_value, platform, key, node)))

        def label(role: str, default: str | None = None) -> str:
            return self._get_label(platform, role, default)

        def can(ability: str) -> bool:
            return self._has_ability(platform, ability)

        fields = {
            "id": platform.id,
            "name": platform.name,
            "label": label,
            "values": Namespace(f"`values` of {what}", values, platform.key, ("platforms",), self.library.optional),
            "can": can,
        }
        intended = {"labels": "label('…')", "groups": "can('…') for what its members can do"}
        intended |= {key: f"label('{key}')" for key in platform.labels}
        intended |= {key: f"values.{key}" if key.isidentifier() else f"values['{key}']" for key in values}
        intended = {key: f"platform.{message}" for key, message in intended.items()}
        return Namespace(what, fields, platform.key, intended=intended)

    def _get_value(self, key: str, node: Node) -> Any:
        self._record_dependency("values", key)
        return _convert_value(node, f"value `{key}`")

    def _get_label(self, platform: Platform, role: str, default: str | None) -> str:
        self._record_dependency("labels", role, role)
        default = default if default is None else self._require_text(default, "default")
        label = platform.labels.get(strip_origins(role), default)
        if label is None and self.place.draft:
            name = strip_origins(role)
            return self._render_placeholder(platform, "label", name, self.library.find_label_span(name))
        if label is None:
            hint = format_suggestion(role, platform.labels) or f"; write `labels: {{{role}: …}}` there"
            raise TemplateCallError(
                f"platform `{platform.id}` has no label `{role}` ({platform.key}){hint}", at=role, about=("platforms",)
            )
        return label

    def _build_missing_value(self, platform: Platform, key: str, sibling: Node) -> Any:
        """Return a draft's placeholder for a value that other platforms have."""
        self._record_dependency("values", key)
        text = self._render_placeholder(platform, "value", key, sibling.span)
        return _convert_value(sibling, f"value `{key}`", text)

    def _render_placeholder(self, platform: Platform, kind: str, key: str, sibling: Span | None) -> Traced:
        """Report a label or value that a draft lacks, and return its placeholder text."""
        call = self.library.environment.active_call
        related = [Related(sibling, f"the {kind} on another platform")] if sibling else []
        related += [Related(call, "used here")] if call else []
        message = f"platform `{platform.id}` has no {kind} `{key}`; write `{kind}s: {{{key}: …}}` there"
        finding = Finding("undefined-name", Severity.WARNING, message, platform.key, (), tuple(related))
        self.findings.append(finding)
        return traced.ensure_traced(format_unwritten(self.library.model.strings["to-be-written"], f"{kind} {key}"))

    def _has_ability(self, platform: Platform, ability: str) -> bool:
        self._record_dependency("can", ability, ability)
        if ability not in self.library.abilities:
            write = f"; write `can: [{ability}]` at those that have it"
            hint = format_suggestion(ability, self.library.abilities)
            hint = hint or f"{write}, or delete the condition and what only they would read"
            raise TemplateCallError(f"no platform has the feature `{ability}`{hint}", at=ability, about=("platforms",))
        return strip_origins(ability) in platform.can

    def _get_title(self) -> Traced:
        facts = self._get_facts(self.place.address)
        return facts.title if facts else traced.ensure_traced(self.place.step.id)

    # Tables

    def _get_table(self, name: str) -> Table:
        self._record_dependency("tables", name, name)
        table = self.library.model.tables.get(strip_origins(name))
        if table is None:
            places = {id_: known.key for id_, known in self.library.model.tables.items()}
            raise _build_unknown_error(f"unknown table `{name}`", name, places, ("tables",))
        if not table.columns:
            raise TemplateCallError(f"table `{name}` has no columns", at=name, about=("tables",))
        return table

    def rows(self, name: str, /, **words: str) -> list[Namespace]:
        """Return a table's rows on this platform, for custom output; `words` as in `table`."""
        table, platform, words = self._get_table(name), self.place.platform, self._require_words(words)
        self._record_print(table, (), words)
        return [
            Namespace(
                f"row `{row.id}`",
                {
                    column: replace_words(cell.text, words)
                    for column in table.get_columns(platform)
                    if (cell := row.get_cell(column, platform))
                },
                row.key,
                ("tables",),
            )
            for row in table.get_rows(platform, drafts=self.library.drafts)
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
        """Return a table as Markdown: its rows on this platform, with all columns or the named ones.

        If a cell has `{app}` and the call `app=…`, the cell prints that. `delimiter`, `row` and `padded` set the style,
        as in `TableStyle`.
        """
        table, platform, call = self._get_table(name), self.place.platform, self.library.environment.active_call
        delimiter, row = self._require_text(delimiter, "delimiter"), self._require_text(row, "row")
        is_padded = call_arguments.require_flag(padded, "padded", call)
        form = TableStyle(strip_origins(delimiter), strip_origins(row), is_padded)
        requested = None if columns is None else call_arguments.require_texts(columns, "columns", call)
        shown = self._select_columns(table, name, requested)
        self.tables.add((table.id, tuple(shown)))
        _check_words(table, name, words)
        words = self._require_words(words)
        self._record_print(table, shown, words)
        if message := find_problem(form, len(shown)):
            raise TemplateCallError(f"table(): {message}", at=row or delimiter, rule="invalid-template")
        drafts, missing = self.library.drafts, self.library.model.strings["to-be-written"]
        if words or form != USUAL:
            return render_table(table, shown, platform, words, form, drafts=drafts, missing=missing)
        shown_tables, key = self.library.shown_tables, (table.id, tuple(shown), platform.id)
        if key not in shown_tables:
            shown_tables[key] = render_table(table, shown, platform, words, drafts=drafts, missing=missing)
        return shown_tables[key]

    def _select_columns(self, table: Table, name: str, columns: Sequence[str] | None) -> list[str]:
        """Return the columns that a call shows, in the order of the call."""
        for column in columns or ():
            if column not in table.columns:
                places = dict.fromkeys(table.columns, table.key)
                raise _build_unknown_error(f"table `{name}` has no column `{column}`", column, places, ("tables",))
        shown = [column for column in table.get_columns(self.place.platform) if columns is None or column in columns]
        if not shown:
            raise TemplateCallError(
                f"table `{name}` has no column on `{self.place.platform.id}`", at=name, about=("tables",)
            )
        return sorted(shown, key=[*map(strip_origins, columns)].index) if columns else shown

    def _iter_words_in_braces(self, table: Table, columns: Sequence[str]) -> Iterator[tuple[str, Traced]]:
        platform = self.place.platform
        for row in table.get_rows(platform, drafts=self.library.drafts):
            for cell in filter(None, (row.get_cell(column, platform) for column in columns)):
                yield from ((word, cell.text) for word in _WORD.findall(cell.plain))

    def _record_print(self, table: Table, columns: Sequence[str], words: Mapping[str, str]) -> None:
        """Record the words that a call passes, and those in braces that readers see in these columns."""
        in_braces = self._iter_words_in_braces(table, columns)
        bare = {word: text for word, text in in_braces if word not in words}
        if words or bare:
            call = self.library.environment.active_call or self.library.environment.current_call
            self.printed.append(PrintedTable(table.id, frozenset(words), tuple(bare.items()), call))

    # Parts and code

    def _iter_stems(self, name: str) -> Iterator[list[str]]:
        """Yield the paths to try for a part or code file of this step, nearest level first, no suffix."""
        place = self.place
        folders = [f"steps/{place.tutorial.id}/{place.step.id}", f"steps/{place.step.id}"]
        for level in place.platform.levels:
            yield [f"{folder}/{name}.{id_}" for folder in folders for id_ in level]
        yield [f"{folder}/{name}" for folder in folders]

    def part(self, name: str) -> Traced:
        """Return the nearest part of that name: the platform's, those it extends, its groups, or all."""
        self._record_dependency("part", name, name)
        for stems in self._iter_stems(name):
            matches = [[f"{stem}.md"] for stem in stems if f"{stem}.md" in self.library.names]
            if matches:
                (path,) = self._pick_nearest(matches, f"part `{name}`")
                self.used_files.add(path)
                return traced.mark_block(self.library.environment.render_included(path, self.variables).rstrip("\n"))
        return self._render_missing("part", name)

    def drift(self, text: str, others: Mapping[str, str]) -> Traced:
        """Return text that differs between copies without a known reason, until someone resolves it.

        `others` maps platform ids to their text; it also applies to platforms that extend these.
        """
        call, platforms = self.library.environment.active_call, self.library.model.platforms
        for id_ in call_arguments.require_mapping(others, "others", call):
            if id_ not in platforms:
                raise TemplateCallError(
                    f"unknown platform `{id_}`{format_suggestion(id_, platforms)}", at=id_, about=("platforms",)
                )
        chosen = next((others[id_] for id_ in self.place.platform.lineage if id_ in others), text)
        return traced.ensure_traced(self._require_text(chosen, "text"))

    def _pick_nearest(self, matches: Sequence[list[str]], what: str) -> list[str]:
        """Return the files of the nearest level.

        Raises: TemplateCallError if two groups have different files there.
        """
        first, *others = matches
        for other in others:
            if posixpath.dirname(other[0]) == posixpath.dirname(first[0]) and self._read_texts(
                other
            ) != self._read_texts(first):
                id_, folder = self.place.platform.id, self.library.templates
                message = f"two groups of `{id_}` disagree about {what}: {folder}/{first[0]} and {folder}/{other[0]}"
                raise TemplateCallError(f"{message}; write one for `{id_}`", rule="invalid-template")
        return first

    def _read_texts(self, paths: Iterable[str]) -> list[str]:
        return [source.text for path in paths if (source := self.library.source_of(path))]

    def code(self, name: str, language: str | None = None) -> Traced:
        """Return the named code, unchanged from its file; several languages become tabs.

        `language` replaces the file's own language in the fence's info string.
        """
        self._record_dependency("code", name, name)
        language = None if language is None else self._require_text(language, "language")
        try:
            texts = self._find_code_files(name)
        except TemplateCallError as complaint:
            if not self.place.draft:
                raise
            return self._render_missing("code", name, complaint.message)
        blocks = [(get_language(path), fence_code(text, path, language)) for path, text in texts]
        if not blocks:
            return self._render_missing("code", name)
        return traced.mark_block(blocks[0][1] if len(blocks) == 1 else build_tabs(blocks))

    def _list_code_files(self, stem: str) -> list[str]:
        return sorted(n for n in self.library.names if n.startswith(f"{stem}.") and self._files.is_code(n, stem))

    def _find_code_files(self, name: str) -> list[tuple[str, Traced]]:
        """Return the nearest files of that name; a platform's `code:` setting precedes its own files."""
        platform = self.place.platform
        key = strip_origins(name)
        says = platform.lineage.index(platform.code_of[key]) if key in platform.code_of else None
        for level, stems in enumerate(self._iter_stems(name)):
            if level == says and platform.code[key]:
                return [self._read_sample(sample) for sample in platform.code[key]]
            if matches := list(filter(None, map(self._list_code_files, stems))):
                paths = self._pick_nearest(matches, f"code `{name}`")
                self.used_files.update(paths)
                return [(path, get_whole(self.library.source_of(path))) for path in paths]
        return []

    def _read_sample(self, reference: Traced) -> tuple[str, Traced]:
        path, _, region = reference.partition("#")
        if reason := files.explain_unsafe(strip_origins(path)):
            raise TemplateCallError(f"the code path `{path}` {reason}", at=reference, rule="unsafe-path")
        source = self.library.read(strip_origins(path))
        if isinstance(source, Finding):
            raise TemplateCallError(f"{path}: {source.message}", at=reference, rule=source.rule)
        self.used_files.add(strip_origins(path))
        text = extract_region(source, region, reference) if region else strip_region_marks(source)
        if region and not text.strip():
            message = f"the region `{region}` of {path} is empty, and so is the code on the page"
            here, id_ = self.library.environment.current_call, self.place.platform.id
            self.findings.append(Finding("missing-code", Severity.WARNING, message, here, (id_,)))
        return strip_origins(path), text

    def _render_missing(self, kind: str, name: str, why: str = "") -> Traced:
        platform, here = self.place.platform, self.library.environment.current_call
        message = why or f"no {kind} `{name}` for `{platform.id}`: write {self._files.describe_wanted_file(kind, name)}"
        related = [Related(platform.key, "the platform")]
        similar = find_nearest(name, platform.code) if kind == "code" else None
        if similar:
            message += f"; did you mean `{similar}`?"
        elif near := self._files.find_similar(kind, name):
            message += f"; did you mean {near}?"
            related.append(Related(Source(near, "").span(0), NEAR_FILE))
        finding = Finding(f"missing-{kind}", Severity.WARNING, message, here, (platform.id,), tuple(related))
        self.findings.append(finding)
        words = self.library.model.strings["to-be-written"]
        return traced.mark_block(traced.concatenate([f"> **{words}:** {kind} `{name}`, ", platform.name]))

    # Figures

    def _has_needed(self, needs: str | Sequence[str]) -> bool:
        call = self.library.environment.active_call
        needed = [needs] if isinstance(needs, str) else call_arguments.require_texts(needs, "needs", call)
        return all(self._has_ability(self.place.platform, capability) for capability in needed)

    def figure(
        self, name: str, alt: str | None = None, kind: str | None = None, needs: str | Sequence[str] = (), **given: Any
    ) -> Traced:
        """Return an image: the author's file at the image path if it exists, otherwise one that is drawn.

        `kind` names the template that draws it if none has its name; `given` are that template's arguments. Returns
        nothing on a platform that lacks a capability which the figure `needs`.
        """
        if alt is None:
            near = find_nearest("alt", given)
            raise TypeError("figure() needs `alt`" + (f"; did you mean it by `{near}`?" if near else ""))
        self._record_dependency("figure", name, name)
        if not self._has_needed(needs):
            return traced.ensure_traced("")
        alt, place = self._require_text(alt, "alt"), self.place
        path = fill_pattern(build_image_path(place), {"figure": strip_origins(name)})
        expected = strip_origins(fill_pattern(build_image_path(place, "{platform}"), {"figure": strip_origins(name)}))
        if reason := files.explain_unsafe(strip_origins(path)):
            raise TemplateCallError(f"the image path `{path}` {reason}", at=name, rule="unsafe-path")
        stem = posixpath.splitext(path)[0]
        paths = (path, *(stem + suffix for suffix in PICTURES))
        shown = next((candidate for candidate in paths if self.library.has_image(candidate)), None)
        if shown is None:
            shown = f"{stem}.svg"
            call = self.library.environment.current_call
            self.library.environment.spend_steps(_FIGURE_STEPS)
            figure = Figure(shown, strip_origins(name), strip_origins(alt), place, call, expected, kind, given)
            self.figures.append(figure)
        target = build_relative_path(shown, place.path).replace(" ", "%20")
        return traced.concatenate(["![", escape_brackets(traced.ensure_traced(alt)), f"]({target})"])

    # Links

    def _get_facts(self, address: PageId) -> PageFacts | None:
        self.asks_others = True
        self.others[address] = facts = self.library.facts.get(address)
        return facts

    def link(self, ref: str | None, text: str | None = None) -> Traced:
        """Return a link to a step or section by id; its text is the number on this platform, or the title."""
        if ref is None:
            message = "link() has no step: the first step has none before it, and the last one none after it"
            raise TemplateCallError(f"{message}; put the link under `{{% if step.next %}}`", rule="invalid-template")
        self._record_dependency("link", ref, ref)
        text = None if text is None else self._require_text(text, "text")
        target, section = self._resolve_target(ref)
        place = self.library.places[target]
        if place.draft and not self.place.draft and not self.library.drafts:
            facts = self._get_facts(place.address)  # its number counts all drafts
            return traced.ensure_traced(text if text is not None else facts.title if facts else "…")
        words, anchor = self._build_link_text(ref, place, section)
        path = (
            posixpath.basename(place.path) if place is self.place else build_relative_path(place.path, self.place.path)
        )
        href = f"#{section}" if section and place is self.place else path + (f"#{anchor}" if anchor else "")
        shown = traced.ensure_traced(words if text is None else text)
        is_markup = text is not None and is_balanced(strip_origins(shown))
        return traced.concatenate(["[", shown if is_markup else escape_brackets(shown), f"]({href})"])

    def _resolve_target(self, ref: str) -> tuple[PageId, str]:
        name, mark, section = traced.ensure_traced(ref).partition("#")
        before, slash, step = name.rpartition("/")
        if not step and (slash or not mark):
            raise TemplateCallError(f"`{ref}` is not a step; write step, step#section, or tutorial/step", at=ref)
        place = self.place
        tutorial = self.library.model.tutorials.get(strip_origins(before)) if slash else place.tutorial
        if tutorial is None:
            raise TemplateCallError(
                self._describe_unknown_tutorial(strip_origins(before), strip_origins(step)), at=ref, about=_ORDER
            )
        id_ = strip_origins(step) or place.step.id
        if id_ not in tutorial.steps:
            hint = self._suggest_tutorial(id_, strip_origins(name)) if not slash else ""
            hint = hint or self._suggest_step_id(tutorial, strip_origins(step))
            places = {} if hint else {id_: known.key for id_, known in tutorial.steps.items()}
            raise _build_unknown_error(f"unknown step `{step}`{hint}", ref, places, (*_ORDER, id_), strip_origins(step))
        address = PageId(tutorial.id, id_, place.platform.id)
        if address not in self.library.places:
            why = f"no step `{step}` on `{place.platform.id}`{self._describe_absence(tutorial, id_).removesuffix('.')}"
            related = (Related(tutorial.steps[id_].key, "the step"),)
            hint = "; put the link under `{% if platform.can('…') %}` or `{% if step.next %}`"
            raise TemplateCallError(f"{why}{hint}", at=ref, related=related, about=_ORDER)
        return address, strip_origins(section)

    def _describe_unknown_tutorial(self, name: str, step: str) -> str:
        model = self.library.model
        if name in model.platforms:
            hint = f"; a link stays on the reader's platform: write `{step}`"
        elif step in self.place.tutorial.steps and ("/" in name or not name):
            hint = f"; a link names a step by its id: write `{step}`"
        else:
            hint = format_suggestion(name, model.tutorials)
        return f"unknown tutorial `{name}`{hint}"

    def _suggest_tutorial(self, id_: str, name: str) -> str:
        others = [tutorial.id for tutorial in self.library.model.tutorials.values() if id_ in tutorial.steps]
        return f"; tutorial `{others[0]}` has it: write `{others[0]}/{name}`" if others else ""

    def _describe_absence(self, tutorial: Tutorial, step: str) -> str:
        """Describe why a step is not on the page's platform."""
        platform = self.place.platform
        if all(item.tutorial is not tutorial or item.platform is not platform for item in self.library.places.values()):
            return f": tutorial `{tutorial.id}` is not on it"
        reason = tutorial.get_absence_reason(tutorial.steps[step], platform)
        return f": {reason}" if reason else ""

    def _suggest_step_id(self, tutorial: Tutorial, typed: str) -> str:
        """Suggest the step id for a link that uses a number instead."""
        match = _BY_NUMBER.fullmatch(typed)
        platform = self.place.platform
        pages = (p for p in self.library.places.values() if p.tutorial is tutorial and p.platform is platform)
        intended = next((page for page in pages if match and page.number == int(match[1])), None)
        return f"; a link takes an id: step {intended.number} is `{intended.step.id}`" if intended else ""

    def _build_link_text(self, ref: str, place: PageLocation, section: str) -> tuple[str, str]:
        strings = self.library.model.strings
        numbered: str = strings["step"]
        if place.tutorial is not self.place.tutorial:
            numbered = traced.ensure_traced(strings["step-of"]).replace("{step}", numbered)
            numbered = numbered.replace("{tutorial}", place.tutorial.title)
        if not section and place.number is not None and place.step.numbering.steps:
            return numbered.replace("{number}", str(place.number)), ""
        facts = self._get_facts(place.address)
        if facts is None:
            return "…", section
        if not section:
            return facts.title, ""
        result = {s.id: s for s in facts.sections}.get(section)
        if result is None:
            ids = list(dict.fromkeys(s.id for s in facts.sections))
            hint = format_suggestion(section, ids) or (f"; it has {', '.join(ids[:MAX_LISTED])}" if ids else "")
            raise TemplateCallError(
                f"step `{place.step.id}` has no section `{section}` on `{place.platform.id}`{hint}", at=ref
            )
        return numbered.replace("{number}", result.number) if result.number else result.title, section


def _build_unknown_error(
    message: str, at: str, places: Mapping[str, Span], about: tuple[str, ...], name: str = ""
) -> TemplateCallError:
    """Build the error for an unknown name (that of `at` or `name`), with a suggestion from `places`."""
    near = find_nearest(name or at, places)
    related = (Related(places[near], f"`{near}`"),) if near else ()
    message = f"{message}; did you mean `{near}`?" if near else message
    return TemplateCallError(message, at=at, related=related, about=about)


def _get_step(address: PageId | None) -> str | None:
    return address.step if address else None


def _convert_value(node: Node, what: str, text: Traced | None = None) -> Any:
    """Convert a data value for templates.

    With `text`, it replaces each text in the value, and lists keep one entry.
    """
    if isinstance(node, data.Scalar):
        return node.text if text is None else text
    if isinstance(node, data.Sequence):
        entries = node.items if text is None else node.items[:1]
        return [_convert_value(entry, f"an entry of {what}", text) for entry in entries]
    fields = {k.plain: _convert_value(v, f"`{k.text}` of {what}", text) for k, v in node.items}
    return Namespace(what, fields, node.span, ("platforms",))


def _check_words(table: Table, name: str, words: Iterable[str]) -> None:
    """Check for words that no cell uses but that are similar to one, or to a parameter of `table`.

    Raises: TemplateCallError if there is one.
    """
    words = list(words)
    requested = {match[1] for cell in _iter_cells(table) for match in _WORD.finditer(cell.plain)} if words else set()
    for word in words:
        if word in requested:
            continue
        if hint := format_suggestion(word, ["columns", "delimiter", "row", "padded"]):
            raise TemplateCallError(f"table() knows no `{word}`{hint}", about=("tables",), rule="invalid-template")
        if hint := format_suggestion(word, sorted(requested.difference(words))):
            lacking = f"no cell of table `{name}` has `{{{word}}}`{hint}"
            raise TemplateCallError(lacking, about=("tables",), rule="invalid-template")


def _iter_cells(table: Table) -> Iterator[Scalar]:
    for row in table.rows.values():
        yield from row.cells.values()
        for override in row.on.values():
            yield from override.cells.values()


__all__ = [
    "NEAR_FILE",
    "PICTURES",
    "Figure",
    "Library",
    "PageContext",
    "PageDependency",
    "PageFacts",
    "PageId",
    "PageLocation",
    "PrintedTable",
    "build_image_path",
    "build_page_path",
]
