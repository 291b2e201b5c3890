"""Write the template of a step from the aligned units of its copies.

Terms, from the smallest to the largest:

- unit: a paragraph, line, table or fence of one copy; what is aligned (`lines.units`)
- column: the units of all platforms that correspond, by platform (`lines`)
- vector: what the platforms have in one place, as pairs of platform and text (`words.pieces`)
- slot: a place within a column where the texts differ; the other pieces of the text are shared (`words`)
- group: platforms that can share a text; the groups of a column are its partition (`fits`)
- run: consecutive columns with the same partition (`regions`)
- scope: the platforms for which a run is written: all, or those of the enclosing condition
- part: text of one platform in a file that the template includes with `part()`; in `jinja`, a piece of a line
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain

from tutorial_tool.adopt import lines
from tutorial_tool.adopt.copies import CopySet
from tutorial_tool.adopt.lines import Column, align_lines, is_blank, merge_unlike_columns
from tutorial_tool.adopt.lines.sections import get_level, sort_by_section
from tutorial_tool.adopt.lines.units import CopyUnit
from tutorial_tool.adopt.names import LANGUAGE, Names, topics
from tutorial_tool.adopt.names.learning import learn
from tutorial_tool.adopt.names.naming import SLOT_PLACEHOLDER, SlotContext, build_slug
from tutorial_tool.adopt.names.own_names import PlatformNames
from tutorial_tool.adopt.template import code, fits, jinja, regions, tables
from tutorial_tool.adopt.template.fits import Group
from tutorial_tool.adopt.template.regions import ColumnRun
from tutorial_tool.adopt.template.tables import DataTable
from tutorial_tool.adopt.words import Piece, Slot, build_pieces, find_vectors
from tutorial_tool.adopt.words.facts import Facts
from tutorial_tool.adopt.words.pieces import MAX_VALUE_CHARACTERS, Vector, get_majority, get_texts, is_mostly_one
from tutorial_tool.core import language, lazy_re
from tutorial_tool.core.source import READABLE
from tutorial_tool.core.time_budget import run_within_limit

TITLE = "heading 1"
MAX_BRANCHES = 2  # Maximum texts of front matter in a condition; more become part files
_QUOTED = lazy_re.compile(r"([\"'])(?:(?!\1)[^\\\n])+\1")  # A quoted text without quotes or escapes in it
_OpenPart = tuple[str, Collection[Group], int]  # A part that was called last, its groups, and line ends after the call
MAX_INLINE_TEXTS = 3  # Maximum platform-specific texts of a line that stay in its place


@dataclass
class WrittenStep:
    """A step as templates: files below the templates folder, and tables.

    `folder` is the folder of its parts and code, relative to the templates folder.
    """

    folder: str
    files: dict[str, str] = field(default_factory=dict)
    tables: dict[str, DataTable] = field(default_factory=dict)

    @property
    def template(self) -> str:
        return self.files[f"{self.folder}.md.j2"]


def align_copies(copy_set: CopySet) -> list[Column]:
    """Align the units of the copies."""
    return lines.align_texts({platform: copy.text for platform, copy in copy_set.copies.items()})


def find_differences(columns: Sequence[Column], facts: Facts | None) -> Iterator[Vector]:
    """Yield the differences between aligned units, word by word, given known facts; each once per unit."""
    for column in columns:
        if len(set(column.values())) == 1:
            continue
        if code.is_one_line(column):
            yield code.parse_one_line(column).code
        elif {unit.kind for unit in column.values()} & {"table", "fence"}:
            yield from find_differences(align_lines(column), facts)
        else:
            yield from dict.fromkeys(find_vectors({platform: unit.text for platform, unit in column.items()}, facts))


def learn_names(
    names: Names, sets: Mapping[CopySet, Sequence[Column]], display: Mapping[str, str], others: Iterable[CopySet] = ()
) -> tuple[Names, dict[CopySet, str]]:
    """Learn names from the aligned units of sets; the second value says why sets were stopped.

    Platforms of `others` are included. `display` are names known from elsewhere.
    """
    stopped: dict[CopySet, str] = {}

    def collect_vectors(facts: Facts | None) -> Iterator[Vector]:
        vectors, timed_out = run_within_limit(sets, lambda item: list(find_differences(sets[item], facts)))
        stopped.update(timed_out)
        return chain.from_iterable(vectors.values())

    platforms = [platform for copy_set in (*sets, *others) for platform in copy_set.platforms]
    return learn(names, platforms, collect_vectors, display), stopped


class Writer:
    """A writer for one step, which adds what it learns about platforms to the shared names.

    `tables` are existing ones that the step may use. A `plain` template has no tables as data, and no files.
    """

    def __init__(
        self, copy_set: CopySet, names: Names, written: WrittenStep, tables: Mapping[str, DataTable], *, plain: bool
    ) -> None:
        self.copy_set, self.names, self.written, self.plain = copy_set, names, written, plain
        self.tables = tables
        self.topic = ""
        """The words of the last heading, from which what follows gets its name."""
        self.is_title = False
        """Whether the topic is the page's title, which says little about the text below it."""
        self.lead_in = ""
        """The previous paragraph, as common to all platforms."""
        self.scope: Group = frozenset(copy_set.platforms)
        self.last_part: _OpenPart | None = None
        self.file_scopes: set[Group] = {self.scope}
        """Scopes in which differences may become part files: all platforms, and groups that alone have a text."""
        text = next(iter(copy_set.copies.values())).text
        self.is_english = not language.is_foreign(re.findall(r"\w+", text.lower()))

    def write(self, aligned: Sequence[Column]) -> WrittenStep:
        text = self._render_columns(list(sort_by_section(merge_unlike_columns(aligned, self.scope))), self.scope)
        if all(copy.lacks_final_newline for copy in self.copy_set.copies.values()) and not text.endswith("%}\n"):
            text = text.removesuffix("\n")
        self.written.files[f"{self.written.folder}.md.j2"] = text
        return self.written

    # Columns

    def _render_columns(self, aligned: Sequence[Column], scope: Group) -> str:
        """Render the template text that prints the units of the columns on each platform of a scope."""
        restricted = ({p: unit for p, unit in column.items() if p in scope} for column in aligned)
        scoped = list(filter(None, restricted))
        if len(scope) == 1:
            return jinja.escape_text("".join(unit.text for column in scoped for unit in column.values()))
        partitions = [fits.partition(column, scope, self.names, as_data=not self.plain) for column in scoped]
        self.last_part = None
        text = "".join(self._render_run(run, scope) for run in regions.split(scoped, partitions, scope))
        return jinja.RAW_SEAM.sub(r"\n\1", text)

    def _render_run(self, run: ColumnRun, scope: Group) -> str:
        part, self.last_part = self.last_part, None
        if len(run.partition) > 1:
            return self._render_choice(run, scope, part)
        text = self._render_common(run.columns[0], scope)
        self.last_part = (*part[:2], part[2] + 1) if part and text == "\n" else None
        return text

    # Text that all platforms of a scope have

    def _render_common(self, column: Column, scope: Group) -> str:
        texts = {platform: unit.text for platform, unit in column.items()}
        first = next(iter(column.values()))
        if first.kind == "text" or first.kind.startswith("heading"):
            self._note_topic(first.kind, build_pieces(texts, self.names))
        self._note_field(first)
        if len(set(texts.values())) == 1:
            return jinja.escape_text(first.text)
        names = PlatformNames.build(column, self.names).add_values(self.names)
        if first.kind == "table" and not self.plain and (table := tables.build(column, names)):
            return f"{table.indentation}{{{{ table('{self._add_table(table)}'{table.call}) }}}}\n"
        if first.kind == "fence" and (text := self._render_one_value(column)):
            return text
        if first.kind in ("table", "fence") or (
            any(unit.is_wrapped for unit in column.values()) and not fits.is_one_line(column, self.names)
        ):
            return self._render_columns(align_lines(column), scope)
        parts = self._build_parts(build_pieces(texts, self.names), in_code=first.kind in ("code", "module"))
        return jinja.build_source(parts)

    def _note_field(self, unit: CopyUnit) -> None:
        """Remember the key of a field in front matter for the lines that follow."""
        if unit.kind == "front" and not unit.text[0].isspace():
            self.topic = topics.parse_field(unit.text) or ""

    def _note_topic(self, kind: str, pieces: Sequence[Piece]) -> None:
        """Remember the topic of a heading or paragraph for the text that follows."""
        self.lead_in = "".join(piece if isinstance(piece, str) else "…" for piece in pieces) if kind == "text" else ""
        if topic := topics.parse_heading("".join(map(self._describe_piece, pieces))):
            self.topic, self.is_title = topic, kind == TITLE

    def _describe_piece(self, piece: Piece) -> str:
        """Return common text, and the wording of a slot that most platforms have; an ellipsis for a value."""
        if isinstance(piece, str):
            return piece
        is_wording = is_mostly_one(piece.vector) and not self.names.is_known(piece.vector)
        return get_majority(piece.vector) if is_wording else "…"

    def _render_one_value(self, column: Column) -> str | None:
        """Render a fence whose only line is a value; None if it is not, or has only known values in it."""
        if not code.is_one_value(column, self.names):
            return None
        value = code.parse_one_line(column)
        texts = dict(value.code)
        context = SlotContext("", "", self.topic, in_code=True)
        parts: list[jinja.Part] = [value.opening]
        if value.languages:
            parts += [jinja.PrintTag(self.names.build_value_expression(value.languages, (LANGUAGE,))), "\n"]
        parts.append(value.indentation)
        pieces = build_pieces(texts, self.names)
        if self.names.is_known(value.code) or (len(set(texts.values())) > 1 and fits.find_unknown(pieces, self.names)):
            parts.append(self._build_tag(Slot(value.code), context))
        elif value.languages:
            parts += self._build_parts(pieces, in_code=True)
        else:
            return None
        return jinja.build_source([*parts, "\n", value.closing])

    def _build_parts(self, pieces: Sequence[Piece], *, in_code: bool) -> Iterator[jinja.Part]:
        """Yield the pieces of a text as parts of a template."""
        context = SlotContext(topic=self.topic, in_code=in_code)
        for piece, around in fits.add_contexts(pieces, context):
            yield piece if isinstance(piece, str) else self._build_tag(piece, around)

    def _build_tag(self, slot: Slot, context: SlotContext) -> jinja.Part:
        expression = self.names.build_expression(slot.vector, context)
        texts = set(get_texts(slot.vector))
        if expression is None and len(texts) == 1:
            return texts.pop()
        return jinja.PrintTag(expression or jinja.build_drift_call(slot.vector, self.names.display))

    def _add_table(self, table: DataTable) -> str:
        existing = {**self.tables, **self.written.tables}
        same_id = next((id_ for id_, other in existing.items() if other == table), None)
        if same_id is not None:
            return same_id
        title = topics.strip_markup(next(iter(table.titles.values())))
        name = topics.make_plural(title) if self.is_english else title
        base = (build_slug(name) if topics.has_significant_word(title) else "") or build_slug(self.topic) or "settings"
        id_ = self._pick_free_name("tables", (base, f"{self.copy_set.step}-{base}"), existing)
        self.written.tables[id_] = table
        return id_

    # Text that only some platforms have, or that is platform-specific

    def _render_choice(self, run: ColumnRun, scope: Group, before: _OpenPart | None) -> str:
        """Render text that differs by group: as a condition, as files, or as the end of those of the part `before`."""
        by_group = self._group_columns(run)
        groups = list(filter(by_group.get, by_group))
        platforms: Group = frozenset().union(*groups)
        as_files = scope in self.file_scopes and not self.plain and len(groups) > 1 and not _is_in_block(run)
        if as_files and (text := self._add_code_files(run.columns, groups)) is not None:
            return self._add_condition(platforms, scope, text)
        self.file_scopes.update(groups if len(groups) == 1 else ())
        topic = self.topic, self.is_title
        texts = {group: self._render_columns(by_group[group], group) for group in groups}
        self.topic, self.is_title = topic
        if before and not get_level(run.columns[0]) and not _is_in_block(run) and self._extend_part(before, texts):
            self.last_part = before
            return ""
        rendered = self._render_as_lines_or_files(run, by_group, texts, scope, as_files=as_files)
        shared = {group: self._get_shared_text(by_group[group], group) for group in groups}
        rendered = rendered or self._render_conditions(texts, shared, scope)
        if platforms == scope:
            headings = map(topics.parse_heading, reversed(shared[groups[0]].splitlines()))
            self.topic = next(filter(None, headings), self.topic)
        return rendered

    def _render_conditions(self, texts: Mapping[Group, str], shared: Mapping[Group, str], scope: Group) -> str:
        conditions = {group: self._build_condition(group, scope, text) for group, text in shared.items()}
        return jinja.build_conditional((conditions[group], text) for group, text in texts.items())

    def _render_as_lines_or_files(
        self,
        run: ColumnRun,
        columns_by_group: Mapping[Group, list[Column]],
        texts: Mapping[Group, str],
        scope: Group,
        *,
        as_files: bool,
    ) -> str | None:
        """Render each group's text as lines or part files without conditions; None if impossible."""
        platforms: Group = frozenset().union(*texts)
        raw = {group: _get_first_text(columns_by_group[group], group) for group in texts}
        if len(texts) > 1 and (lines := self._render_lines(run.columns, platforms)) is not None:
            return self._add_condition(platforms, scope, lines, topics.parse_field(lines) or self.topic)
        text = self._add_part_files(texts, raw, scope) if as_files else None
        return None if text is None else self._add_condition(platforms, scope, text)

    def _add_condition(self, platforms: Group, scope: Group, text: str, name: str = "") -> str:
        """Add a condition, named after the file in it, to a text that not all platforms of a scope need."""
        if platforms == scope:
            return text
        name = name or text.partition("('")[2].partition("'")[0]
        return jinja.build_conditional([(self.names.build_condition(platforms, scope, [name]), text)])

    def _group_columns(self, run: ColumnRun) -> dict[Group, list[Column]]:
        """Return the columns of each group, the smallest group first."""
        platforms = self.copy_set.platforms
        groups = sorted(run.partition, key=lambda group: (len(group), [p not in group for p in platforms]))
        return {group: [column for column in run.columns if group & column.keys()] for group in groups}

    def _get_shared_text(self, columns: Sequence[Column], group: Group) -> str:
        """Return the text shared by a group; if no word is shared, the text of one platform."""
        texts = ({p: unit.text for p, unit in column.items() if p in group} for column in columns)
        pieces = (piece for text in texts if text for piece in build_pieces(text, self.names))
        common = "".join(piece if isinstance(piece, str) else SLOT_PLACEHOLDER for piece in pieces)
        return common if topics.has_significant_word(common) else _get_first_text(columns, group)

    def _build_condition(self, platforms: Group, scope: Group, text: str) -> str:
        if 2 * len(platforms) > len(scope) and not topics.has_significant_word(text):
            # with `not`, a platform added later follows the majority, not the outlier
            lacking = f"{self.copy_set.step} lacking {'words' if build_slug(text) else 'signs'}"
            return f"not {self.names.build_condition(scope - platforms, scope, [lacking])}".removeprefix("not not ")
        nearby = [topics.get_first_words(text), self.topic]  # the page's title says less than the text itself
        nearby = nearby if self.is_title else nearby[::-1]
        words = [*topics.find_phrases(text), *nearby, f"{self.copy_set.step} only"]
        return self.names.build_condition(platforms, scope, [topics.SPACES] if text.isspace() else words)

    def _render_lines(self, run: Sequence[Column], scope: Group) -> str | None:
        """Render a line, or lines of front matter, whose text differs, as values or `drift()` calls.

        Returns None for other units, and if the texts are long or many, or missing on some platforms.
        """
        if len(run) > 1 and any(unit.kind != "front" for column in run for unit in column.values()):
            return None
        out = [self._render_line(column, scope) for column in run]
        return "".join(filter(None, out)) if all(out) else None

    def _render_line(self, column: Column, scope: Group) -> str | None:
        kind = next(iter(column.values())).kind
        if column.keys() != scope or kind == "code":
            return None
        texts = {platform: unit.text for platform, unit in column.items()}
        if heading := _render_heading_levels(texts):
            return heading
        match = fits.MARKER.match(min(texts.values()))  # of an item, a heading, or a key
        marker = match[0] if match and all(text.startswith(match[0]) for text in texts.values()) else ""
        vector = tuple((p, text.removeprefix(marker).removesuffix("\n")) for p, text in texts.items())
        if len(set(get_texts(vector))) == 1:
            return jinja.escape_text(next(iter(texts.values())))
        quote, vector = _split_quotes(vector)
        expression = self._build_line_expression(vector, marker, is_field=kind == "front")
        return jinja.build_source([marker + quote, jinja.PrintTag(expression), f"{quote}\n"]) if expression else None

    def _build_line_expression(self, vector: Vector, marker: str, *, is_field: bool) -> str | None:
        """Build the expression that prints the rest of a line after a marker; None if nothing can be that."""
        key, colon, _ = marker.partition(":")
        longest, texts = READABLE if colon else MAX_VALUE_CHARACTERS, get_texts(vector)
        if any(not t.strip() or "\n" in t or len(t) > longest or fits.BLOCK_SCALAR.fullmatch(t) for t in texts):
            return None
        context = SlotContext(f"{key}: ", "", self.topic)
        named = self.names.build_expression(vector, context) if colon and is_field else None
        if named is None and self._can_be_drift(vector, marker):
            return jinja.build_drift_call(vector, self.names.display)
        return named or (self.names.build_value_expression(vector, (key, f"{self.topic} {key}")) if colon else None)

    def _can_be_drift(self, vector: Vector, marker: str) -> bool:
        """Return whether texts are few and short, and not platform-specific, except after a marker."""
        texts = set(get_texts(vector))
        is_short = len(texts) <= MAX_INLINE_TEXTS and sum(map(len, texts)) <= READABLE
        return is_short and (bool(marker) or not fits.is_platform_wording(vector, self.names))

    def _add_part_files(self, texts: Mapping[Group, str], raw: Mapping[Group, str], scope: Group) -> str | None:
        """Write a part file for each group; return the calls, or None if parts cannot print these texts.

        `texts` are template sources, `raw` the text of one platform each, of which the first names the files.
        """
        ends = _count_line_ends(texts.values())
        if ends is None:
            return None
        headings = [topics.parse_heading(text.partition("\n")[0]) or topics.parse_field(text) for text in raw.values()]
        phrases = [headings[0] if all(headings) else None, self.topic or self.copy_set.step]
        name = self._pick_file_name([*phrases, *topics.find_lead_phrases(self.lead_in)], list(raw.values()))
        self.lead_in = ""
        for group, text in texts.items():
            path = f"{self.written.folder}/{name}.{self.names.ensure_group(group)}.md"
            self.written.files[path] = text.rstrip("\n") + "\n"
        self.last_part = name, texts.keys(), ends
        return f"{{{{ part('{name}') }}}}" + "\n" * ends

    def _extend_part(self, part: _OpenPart, texts: Mapping[Group, str]) -> bool:
        """Write texts to the end of the files of a part, if each is of one of its groups; return whether it did."""
        name, groups, ends = part
        is_possible = all(group in groups for group in texts) and _count_line_ends(texts.values()) == ends
        for group, text in texts.items() if is_possible else ():
            path = f"{self.written.folder}/{name}.{self.names.ensure_group(group)}.md"
            self.written.files[path] += "\n" * (ends - 1) + text.rstrip("\n") + "\n"
        return is_possible

    def _add_code_files(self, run: Sequence[Column], groups: Sequence[Group]) -> str | None:
        """Write differing code as code files, never parsed as templates; None if there is other text."""
        first, *blanks = run
        if not code.is_code(first) or not all(is_blank(line) and line.keys() == first.keys() for line in blanks):
            return None
        code_files = code.build_files(first, groups)
        if code_files is None:
            return None
        name = self._pick_file_name(self._iter_code_topics(), [unit.text for unit in first.values()])
        for group, (suffix, text) in code_files.texts.items():
            self.written.files[f"{self.written.folder}/{name}.{self.names.ensure_group(group)}.{suffix}"] = text
        call = f"code('{name}'{self._format_language(code_files.languages, name)})"
        return f"{code_files.indentation}{{{{ {call} }}}}\n" + "\n" * len(blanks)

    def _format_language(self, languages: Vector, name: str) -> str:
        """Return the `language` argument of a `code()` call, if one is needed."""
        keys = (LANGUAGE, f"{LANGUAGE} of {name}")
        if not languages:
            return ""
        values = set(get_texts(languages))
        if len(values) == 1:
            return f", language={jinja.quote_literal(values.pop())}"
        return f", language={self.names.build_value_expression(languages, keys)}"

    def _iter_code_topics(self) -> Iterator[str]:
        """Yield topics for code, from the text before it."""
        if self.is_title:
            yield from topics.find_lead_phrases(self.lead_in)
        yield from topics.find_tab_labels(self.lead_in)
        yield self.topic
        yield from topics.find_marked_phrases(self.lead_in)
        yield from topics.find_lead_phrases(self.lead_in)

    def _pick_file_name(self, phrases: Iterable[str | None], texts: Sequence[str]) -> str:
        """Pick a name for files: of these phrases, or of the topic and the kind of the texts."""
        folder = f"{self.written.folder}/"
        taken = {path.removeprefix(folder).split(".")[0] for path in self.written.files if path.startswith(folder)}
        names = list(filter(None, map(build_slug, filter(None, phrases)))) or [build_slug(self.copy_set.step) or "part"]
        ends = [topics.describe_kind(texts), *map(build_slug, topics.find_code_names(texts))]
        names += [f"{build_slug(self.topic) or names[0]}-{end}" for end in ends if end]
        return self._pick_free_name("files", names, taken)

    def _pick_free_name(self, section: str, names: Sequence[str], taken: Iterable[str]) -> str:
        """Return the first free name, with a number if all are taken, or the name that the user requested."""
        taken = set(taken)
        numbered = (f"{names[0]}-{number}" for number in range(2, len(taken) + 3))
        renamed = (self.names.renames.get_new_name(section, name) for name in (*names, *numbered))
        return next(name for name in renamed if name not in taken)


def _count_line_ends(texts: Collection[str]) -> int | None:
    """Return how many line ends are behind each text; None if they differ, or part files cannot have these texts."""
    (ends, *others) = {len(text) - len(text.rstrip("\n")) for text in texts}
    blank = "\n\n{% endif %}", "\n\n{% endraw %}"  # a block that prints a trailing blank line, as no part would
    can_be_files = all(text.strip() and not text.rstrip("\n").endswith(blank) for text in texts)
    return ends if can_be_files and not others else None


def _get_first_text(columns: Sequence[Column], group: Group) -> str:
    """Return the text of the first platform of a group in the columns."""
    platform = min(group)
    return "".join(column[platform].text for column in columns if platform in column)


def _is_in_block(run: ColumnRun) -> bool:
    """Return whether these are code lines, table rows, or few variants of front matter, which no part file contains."""
    units = {unit for column in run.columns for unit in column.values()}
    kinds = ("code", "row") if len(run.partition) > MAX_BRANCHES else ("code", "row", "front")
    return CopyUnit("front", "---\n") in units or any(unit.kind in kinds for unit in units)


def _split_quotes(vector: Vector) -> tuple[str, Vector]:
    """Return the quotation mark that all texts are in, if any, and the texts without it."""
    quotes = {match[1] if (match := _QUOTED.fullmatch(text)) else "" for text in get_texts(vector)}
    quote = quotes.pop() if len(quotes) == 1 else ""
    return quote, tuple((platform, text.strip(quote)) for platform, text in vector)


def _render_heading_levels(texts: Mapping[str, str]) -> str:
    """Render a heading whose level differs by platform; "" for other text."""
    words = next(iter(texts.values())).lstrip("#")
    if len(set(texts.values())) < 2 or any(text.lstrip("#") != words for text in texts.values()):
        return ""
    vector = tuple((platform, text.removesuffix(words)) for platform, text in texts.items())
    return jinja.build_source([jinja.PrintTag(jinja.build_drift_call(vector, {})), words])
