"""Builds the model from data nodes, and collects errors in them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from tutorial_tool import data
from tutorial_tool.core import lazy_re
from tutorial_tool.core.diagnostics import (
    MAX_DEPTH,
    MAX_LISTED,
    Finding,
    Related,
    build_error,
    find_nearest,
    format_suggestion,
    join_names,
)
from tutorial_tool.core.source import Source, Span
from tutorial_tool.core.traced import Traced, strip_origins
from tutorial_tool.data import Node, Scalar, get_entries, get_items, get_node, get_scalars
from tutorial_tool.data.model import STRINGS, Model, agreement, placeholders
from tutorial_tool.data.model.parts import (
    RESERVED,
    Draft,
    FileStyle,
    Numbering,
    Order,
    Override,
    Platform,
    Row,
    StatedStyle,
    Step,
    Table,
    Tutorial,
    TutorialOverride,
)
from tutorial_tool.data.model.shapes import ROOT
from tutorial_tool.data.schema_types import parse_boolean, validate
from tutorial_tool.data.toggle_words import State, merge_states, normalize_text
from tutorial_tool.fs import files

_TURNED = lazy_re.compile(r"^(?:dis|en|un|in|de|non-?|not )")  # Prefixes that negate a word
_OTHERS = ("tutorials", "tables", "states", "strings")  # The sections that name platforms and groups, and define none


def _find_shape_errors(node: Node) -> tuple[Finding, ...]:
    """Return the errors in the shape of a data file."""
    if isinstance(node, Scalar) and not node.text:
        return ()
    cache: dict[object, tuple[Finding, ...]] = node.span.source.cache
    if _find_shape_errors not in cache:
        cache[_find_shape_errors] = tuple(validate(node, ROOT, "the file"))
    return cache[_find_shape_errors]


def _has_misnamed_platforms(node: Node) -> bool:
    unknown = (key.text for key, _ in get_entries(node) if key.plain not in ROOT.fields)
    return any(format_suggestion(text, ("platforms", "groups")) for text in unknown)


def build_model(parsed: Iterable[tuple[Source, Node | None]], known: Iterable[Finding] = ()) -> Model:
    """Build the model of one or more parsed data files; entries keep the order of the files.

    `known` holds the findings from reading them: errors that only follow from those are not reported.
    """
    return ModelBuilder([(source, node) for source, node in parsed if node is not None], known).build_model()


class ModelBuilder:
    """Reads nodes into the model and collects all errors, so that one run reports them all."""

    def __init__(self, parsed: list[tuple[Source, Node]], known: Iterable[Finding] = ()) -> None:
        self.findings: list[Finding] = []
        self.unfinished: list[Finding] = []  # What drafts lack
        self.is_too_long = False
        self.circles: set[str] = set()  # Platforms and groups in reported cycles
        self.doubtful: set[Span] = set()
        """The spans of invalid steps and rows, whose follow-up errors are not reported."""
        self.unsure: set[str] = set()  # Platforms that extend an unknown one, which may define what they lack
        self.no_columns: dict[tuple[Source, int], Finding] = {}
        """Suggestions for keys that rows use like columns, by the location of their values."""
        for _, node in parsed:
            self.findings += _find_shape_errors(node)
        self.misshapen = tuple(self.findings)
        known = tuple(known)
        self.read_badly = {(finding.span.source, finding.span.start) for finding in known}
        """Locations of parse errors."""
        self.sections = {name: self._merge_sections(parsed, name) for name in ROOT.fields if name != "include"}
        self.ids = {**self._get_key_spans("platforms"), **self._get_key_spans("groups")}
        self.capabilities = {
            scalar.plain: scalar.span
            for _, node in self.sections["platforms"].values()
            for scalar in get_scalars(get_node(node, "can"))
        }
        nodes = [node for _, node in parsed]
        self.is_doubtful = any(map(_has_misnamed_platforms, nodes)) or self._has_doubtful_ids(nodes, known)
        """Whether platform or group ids were unreadable (reported): then missing ones are not reported."""

    def build_model(self) -> Model:
        self._check_ids()
        groups = {id_: self._read_ids(node, f"group `{id_}`") for id_, (_, node) in self.sections["groups"].items()}
        platforms = self._build_platforms(groups)
        stated = self.sections["tutorials"].items()
        tutorials = {id_: self._build_tutorial(id_, key, node) for id_, (key, node) in stated}
        tables = {id_: self._build_table(id_, key, node) for id_, (key, node) in self.sections["tables"].items()}
        strings = {id_: node for id_, (_, node) in self.sections["strings"].items() if isinstance(node, Scalar)}
        for id_, node in strings.items():
            self.findings += placeholders.find_string_errors(id_, node)
        states = self._build_states()
        self._check_code()
        self._check_tables(tables, platforms)
        self._check_tutorials(tutorials, platforms)
        findings = tuple(self._filter_findings())
        words = STRINGS | {id_: node.plain for id_, node in strings.items()}
        unfinished, doubtful = tuple(self.unfinished), frozenset(self.doubtful)
        return Model(platforms, groups, tutorials, tables, words, states, findings, unfinished, doubtful)

    def _filter_findings(self) -> Iterator[Finding]:
        """Yield the errors, except for the form of a value whose form the reader has already explained."""
        of_form = set(map(id, self.misshapen))
        for finding in self.findings:
            place = finding.span.source, finding.span.start
            if id(finding) not in of_form:
                yield finding
            elif place in self.read_badly:
                continue
            else:
                yield self.no_columns.get(place, finding)

    def _build_states(self) -> Mapping[str, State]:
        """Return the state words with the project's own; a word for both states is an error."""
        scalars = {id_: get_scalars(node) for id_, (_, node) in self.sections["states"].items()}
        first: dict[str, tuple[str, Scalar]] = {}
        for id_, words in scalars.items():
            for word in words:
                other, before = first.setdefault(normalize_text(word.plain), (id_, word))
                if other != id_:
                    message = f"`{word.text}` belongs below `{other}` too: a word has one meaning"
                    self._add_finding(message, word.span, Related(before.span, "the first one"))
        on, off = ([word.plain for word in scalars.get(id_, ())] for id_ in ("on", "off"))
        return merge_states(on, off)

    # Merging

    def _merge_sections(self, parsed: list[tuple[Source, Node]], name: str) -> dict[str, tuple[Scalar, Node]]:
        """Return one section merged from all files; a key in two of them is an error that names both."""
        out: dict[str, tuple[Scalar, Node]] = {}
        for _, node in parsed:
            for key, value in get_entries(get_node(node, name)):
                first = out.setdefault(key.plain, (key, value))[0]
                if first is not key and first.span.source is not key.span.source:
                    message = f"`{key.text}` belongs in `{name}` of {first.span.path} too"
                    self._add_finding(message, key.span, Related(first.span, "the first one"))
        return out

    def _get_key_spans(self, section: str) -> dict[str, Span]:
        return {id_: key.span for id_, (key, _) in self.sections[section].items()}

    def _add_finding(self, message: str, span: Span, *related: Related, rule: str = "invalid-data") -> None:
        self.findings.append(build_error(rule, message, span, related=related))

    # Ids

    def _has_doubtful_ids(self, nodes: list[Node], known: Iterable[Finding]) -> bool:
        """Return whether an id is wrong, or reading failed where ids may be."""
        included = [node for root in nodes if (node := get_node(root, "include"))]
        sections = [section for name in ("platforms", "groups") for node in nodes if (section := get_node(node, name))]
        if not all(isinstance(section, data.Mapping) for section in sections):
            return True
        if any(wrong.span in self.ids.values() for wrong in self.misshapen):
            return True
        if any(wrong.span.overlaps(node.span) for wrong in self.misshapen for node in included):
            return True
        others = [section for name in _OTHERS for node in nodes if (section := get_node(node, name))]
        return any(not any(finding.span.overlaps(node.span) for node in others) for finding in known)

    def _check_ids(self) -> None:
        for id_, span in self._get_key_spans("groups").items():
            if first := self._get_key_spans("platforms").get(id_):
                self._add_finding(f"group `{id_}` has the id of a platform", span, Related(first, "the platform"))
                self.circles.add(id_)
                self.is_doubtful = True
        self._check_group_cycles()

    def _check_group_cycles(self) -> None:
        named = {id_: [item.plain for item in get_scalars(node)] for id_, (_, node) in self.sections["groups"].items()}
        for id_, (_, node) in self.sections["groups"].items():
            for item in get_scalars(node):
                if self.circles.isdisjoint((id_, item.plain)) and id_ in _find_reachable(named, item.plain):
                    self.circles |= {id_, item.plain}
                    self._add_finding(f"group `{id_}` includes itself through `{item.text}`; remove it", item.span)

    def _is_known(self, node: Scalar, name: str) -> bool:
        if node.plain in self.ids or not node.text or self.is_doubtful:
            return bool(node.text)
        choices = f"; use one of: {', '.join(self.ids)}" if 0 < len(self.ids) <= MAX_LISTED else ""
        hint = format_suggestion(node.text, self.ids) or choices
        self._add_finding(f"{name}: unknown platform or group `{node.text}`{hint}", node.span)
        return False

    def _read_ids(self, node: Node | None, name: str) -> tuple[str, ...]:
        """Return the platforms and groups that a list names."""
        return tuple(item.plain for item in get_scalars(node) if self._is_known(item, name))

    # Platforms

    def _build_platforms(self, groups: Mapping[str, tuple[str, ...]]) -> dict[str, Platform]:
        nodes = self.sections["platforms"]
        out = {}
        for id_, (key, node) in nodes.items():
            lineage = self._find_lineage(id_, node)
            chain = [nodes[parent][1] for parent in lineage]
            out[id_] = Platform(
                id_,
                key.span,
                _get_text(get_node(node, "name")) or key.text,
                lineage,
                tuple(group for group in groups if id_ in _find_members(groups, group)),
                {k.plain: v.text for n in reversed(chain) for k, v in _get_texts(get_node(n, "labels"))},
                {k.plain: v for n in reversed(chain) for k, v in get_entries(get_node(n, "values"))},
                frozenset(item.plain for n in chain for item in get_scalars(get_node(n, "can"))),
                {k.plain: _read_one_or_more(v) for n in reversed(chain) for k, v in get_entries(get_node(n, "code"))},
                {k.plain: of for of in reversed(lineage) for k, _ in get_entries(get_node(nodes[of][1], "code"))},
                _is_true(get_node(node, "draft")),
                _get_text(get_node(node, "section")),
                *_read_upkeep(node),
                _get_filled(get_node(node, "icon")),
            )
        return out

    def _check_code(self) -> None:
        """Check the paths of sample code, whether or not a template shows it."""
        for _, node in self.sections["platforms"].values():
            for _, value in get_entries(get_node(node, "code")):
                for path in [value] if isinstance(value, Scalar) else get_scalars(value):
                    if reason := files.explain_unsafe(path.plain.partition("#")[0]):
                        self._add_finding(f"the code path `{path.text}` {reason}", path.span, rule="unsafe-path")

    def _find_lineage(self, id_: str, node: Node) -> tuple[str, ...]:
        nodes, lineage = self.sections["platforms"], [id_]
        while isinstance(parent := get_node(node, "extends"), Scalar) and parent.text:
            name = parent.plain
            if name in lineage:
                if name == id_ and self.circles.isdisjoint(lineage):
                    self.circles |= set(lineage)
                    self._add_finding(f"platform `{id_}` extends itself: {' > '.join([*lineage, name])}", parent.span)
                break
            if name not in nodes:
                if len(lineage) == 1:
                    is_group = name in self.sections["groups"]
                    hint = "; that is a group, and a platform extends another one" if is_group else ""
                    self._add_finding(f"unknown platform `{name}`{hint or format_suggestion(name, nodes)}", parent.span)
                    self.unsure.add(id_)
                break
            lineage.append(name)
            node = nodes[name][1]
            if len(lineage) > MAX_DEPTH:
                if not self.is_too_long:  # otherwise platforms that extend it are reported too
                    self.is_too_long = True
                    message = f"platform `{id_}` extends more than {MAX_DEPTH} others in a row"
                    self._add_finding(message, nodes[id_][0].span)
                break
        return tuple(lineage)

    # Tutorials

    def _build_steps(self, node: Node, numbering: Numbering) -> dict[str, Step]:
        steps: dict[str, Step] = {}
        for entry in get_items(get_node(node, "steps")):
            before = len(self.findings)
            step = self._build_step(entry, numbering)
            if step is None:
                continue
            if len(self.findings) > before or any(wrong.span.overlaps(entry.span) for wrong in self.misshapen):
                self.doubtful.add(step.key)
            first = steps.setdefault(step.id, step)
            if first is not step:
                self._add_finding(f"step `{step.id}` is repeated here", step.key, Related(first.key, "the first one"))
        return steps

    def _build_tutorial(self, id_: str, key: Scalar, node: Node) -> Tutorial:
        numbering = _read_numbering(get_node(node, "numbering"), Numbering())
        steps = self._build_steps(node, numbering)
        for name in ("path", "images"):
            self._check_pattern(get_node(node, name), name)
        platforms = get_node(node, "platforms")
        return Tutorial(
            id_,
            key.span,
            _get_text(get_node(node, "title")) or key.text,
            _get_text(get_node(node, "path")),
            _get_text(get_node(node, "images")),
            steps,
            None if platforms is None else self._read_ids(platforms, "`platforms`"),
            {
                target: self._build_tutorial_override(n, steps)
                for target, n in self._iter_overrides(get_node(node, "on"))
            },
            _is_true(get_node(node, "combined")),
        )

    def _build_step(self, node: Node, numbering: Numbering) -> Step | None:
        id_ = node if isinstance(node, Scalar) else get_node(node, "id")
        if not isinstance(id_, Scalar) or not id_.text:
            return None
        numbered, only = get_node(node, "numbered"), get_node(node, "only")
        return Step(
            id_.plain,
            id_.span,
            not isinstance(numbered, Scalar) or parse_boolean(numbered.text) is not False,
            None if only is None else self._read_ids(only, "`only`"),
            {k.plain: v.text for k, v in _get_texts(get_node(node, "not-on")) if self._is_known(k, "`not-on`")},
            _read_numbering(get_node(node, "numbering"), numbering),
            {
                target: StatedStyle(_read_file_style(n), n.span)
                for target, n in self._iter_overrides(get_node(node, "files"), "`files`")
            },
            self._read_draft(node),
            self._read_needs(node),
            *_read_upkeep(node),
        )

    def _read_needs(self, node: Node) -> tuple[str, ...]:
        """Return the capabilities that a step, row or column needs; one that no platform has is an error."""
        for capability in get_scalars(get_node(node, "needs")):
            if capability.text and capability.plain not in self.capabilities and not self.is_doubtful:
                hint = format_suggestion(capability.text, self.capabilities)
                hint = hint or f"; write `can: [{capability.text}]` at those that have it"
                self._add_finding(f"`needs`: no platform has the feature `{capability.text}`{hint}", capability.span)
        return tuple(capability.plain for capability in get_scalars(get_node(node, "needs")))

    def _read_draft(self, node: Node) -> Draft:
        """Return where a step or row is a draft."""
        draft = get_node(node, "draft")
        return Draft(_is_true(draft), self._read_ids(draft, "`draft`"))

    def _iter_overrides(self, node: Node | None, name: str = "`on`") -> Iterator[tuple[str, Node]]:
        """Yield the overrides for known platforms and groups, below a key with this name."""
        for key, value in get_entries(node):
            if self._is_known(key, name):
                yield key.plain, value

    def _check_step_names(self, names: Iterable[Scalar], steps: Mapping[str, Step]) -> None:
        for name in names:
            near = find_nearest(name.text, steps)
            if near and steps[near].key in self.doubtful:
                continue  # the name of that step is already reported
            if name.text and name.plain not in steps:
                self._add_finding(f"unknown step `{name.text}`{format_suggestion(name.text, steps)}", name.span)

    def _build_tutorial_override(self, node: Node, steps: Mapping[str, Step]) -> TutorialOverride:
        order = get_node(node, "steps")
        titles = _get_texts(get_node(node, "titles"))
        self._check_step_names([*get_scalars(order), *(key for key, _ in titles)], steps)
        for pattern in ("path", "images"):
            self._check_pattern(get_node(node, pattern), pattern)
        return TutorialOverride(
            None if order is None else Order(tuple(dict.fromkeys(s.plain for s in get_scalars(order))), order.span),
            {k.plain: v for k, v in titles},
            _get_filled(get_node(node, "path")),
            _get_filled(get_node(node, "images")),
        )

    def _check_pattern(self, node: Node | None, name: str) -> None:
        if not isinstance(node, Scalar):
            return
        self.findings += placeholders.find_pattern_errors(name, node)
        if name == "path" and (suffix := re.search(r"\.(?:md|html)$", node.plain)):
            self._add_finding(f"`path` has no suffix: remove `{suffix[0]}`", node.span)
        if reason := files.explain_unsafe(node.plain):
            self._add_finding(f"`{name}` {reason}", node.span, rule="unsafe-path")

    def _check_tutorials(self, tutorials: Mapping[str, Tutorial], platforms: Mapping[str, Platform]) -> None:
        self._check_names(tutorials.values(), platforms)
        for tutorial in tutorials.values():
            self._check_steps(tutorial, platforms)
            published = [platform for platform in platforms.values() if not platform.draft]
            disagreements = list(agreement.find_tutorial_disagreements(tutorial, published))
            self.findings += disagreements
            differing = agreement.find_tutorial_disagreements(tutorial, platforms.values())
            self.unfinished += _exclude_known(differing, disagreements)

    def _check_names(self, tutorials: Iterable[Tutorial], platforms: Mapping[str, Platform]) -> None:
        """Flag platforms of one tutorial that readers could not tell apart, each once."""
        reported = set[str]()
        for tutorial in tutorials:
            first: dict[str, Platform] = {}
            for platform in platforms.values():
                has_steps = tutorial.get_steps(platform)
                other = first.setdefault(strip_origins(platform.name), platform) if has_steps else platform
                if other is not platform and platform.id not in reported:
                    reported.add(platform.id)
                    message = f"platform `{platform.id}` has the name of `{other.id}`: readers can't tell them apart"
                    self._add_finding(message, platform.key, Related(other.key, f"`{platform.name}` too"))

    def _check_steps(self, tutorial: Tutorial, platforms: Mapping[str, Platform]) -> None:
        """Flag steps that no platform of their tutorial has, and such steps in the orders of platforms or groups."""
        named = tutorial.platforms
        have = [
            platform for platform in platforms.values() if named is None or {platform.id, *platform.groups} & {*named}
        ]
        for step in tutorial.steps.values():
            lacks = [platform for platform in have if tutorial.get_absence_reason(step, platform) is not None]
            if have and lacks == have and step.key not in self.doubtful and not self.is_doubtful:
                keys = "`only`, `needs` and `not-on`" if step.needs else "`only` and `not-on`"
                message = f"no platform has the step `{step.id}`: {keys} leave none"
                self._add_finding(f"{message}; remove it from `steps`, or name a platform", step.key)
        for id_, tutorial_override in tutorial.on.items():
            if tutorial_override.steps is not None and not self.is_doubtful:
                own = [platform for platform in have if id_ in (platform.id, *platform.groups)]
                self._check_order(tutorial, id_, tutorial_override.steps, own)

    def _check_order(self, tutorial: Tutorial, id_: str, order: Order, have: Sequence[Platform]) -> None:
        """Flag steps in the order of a platform or group that `only` or `not-on` excludes from it."""
        for name in order.ids if have else ():
            step = tutorial.steps.get(name)
            if (
                step
                and step.key not in self.doubtful
                and all(tutorial.get_absence_reason(step, platform) is not None for platform in have)
            ):
                at = re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", order.span.text)
                place = order.span.cut(*at.span()) if at else order.span
                message = f"`{id_}` has no step `{name}`, which `only` or `not-on` takes from it"
                message += ": remove it from one of the two"
                self._add_finding(message, place, Related(step.key, "the step"))

    # Tables

    def _build_table(self, id_: str, key: Scalar, node: Node) -> Table:
        columns, needs = {}, {}
        for column, value in get_entries(get_node(node, "columns")):
            if column.plain in RESERVED:
                self._add_finding(f"`{column.text}` is a reserved word and cannot name a column", column.span)
            heading = value if isinstance(value, Scalar) else get_node(value, "heading")
            if isinstance(heading, Scalar):
                columns[column.plain] = heading.text
                needs[column.plain] = self._read_needs(value)
        allowed = {
            column.plain: tuple(word.plain for word in get_scalars(words))
            for column, words in get_entries(get_node(node, "values"))
            if self._is_column(column, columns)
        }
        rows = {k.plain: self._build_row(k, n, columns, allowed) for k, n in get_entries(get_node(node, "rows"))}
        return Table(id_, key.span, columns, allowed, rows, needs)

    def _is_column(self, key: Scalar, columns: Mapping[str, object]) -> bool:
        if key.plain in columns or not columns:
            return True
        if key.plain in RESERVED:
            message = f"`{key.text}` belongs below the platform that it is about: `on: {{PLATFORM: {{{key.text}: …}}}}`"
            self._add_finding(message, key.span)
            return False
        self._add_finding(f"unknown column `{key.text}`{format_suggestion(key.text, (*columns, *RESERVED))}", key.span)
        return False

    def _check_row_keys(self, key: Scalar, node: Node, columns: Mapping[str, object]) -> None:
        unknown = [(name, value) for name, value in get_entries(node) if name.plain not in columns]
        for name, value in unknown:
            if message := self._explain_no_column(name, value):
                self.no_columns[value.span.source, value.span.start] = build_error("invalid-data", message, name.span)
        has_strays = any(name.plain not in RESERVED for name, _ in unknown)
        if has_strays or any(wrong.span.overlaps(node.span) for wrong in self.misshapen):
            self.doubtful.add(key.span)

    def _build_row(
        self, key: Scalar, node: Node, columns: Mapping[str, object], allowed: Mapping[str, tuple[str, ...]]
    ) -> Row:
        before = len(self.findings)
        stated = self._iter_overrides(get_node(node, "on"))
        overrides = {target: self._build_override(n, columns, allowed) for target, n in stated}
        self._check_row_keys(key, node, columns)
        only = get_node(node, "only")
        have = None if only is None else self._read_ids(only, "`only`")
        cells = self._build_cells(node, ("on", "only", "draft", "needs"), columns, allowed)
        needs = self._read_needs(node)
        if len(self.findings) > before:
            self.doubtful.add(key.span)
        return Row(key.plain, key.span, have, cells, overrides, self._read_draft(node), needs)

    def _explain_no_column(self, key: Scalar, node: Node) -> str | None:
        """Return what to write instead of a row key that is no column, if people expect it to be one."""
        if isinstance(node, Scalar):
            return None
        if isinstance(node, data.Mapping) and key.plain in self.ids:
            return f"what a row says for `{key.text}` belongs below `on`: write `on: {{{key.text}: {{…}}}}`"
        if isinstance(node, data.Sequence) and key.text == "platforms":
            return "unknown key `platforms` in a row; write `only`"
        if key.text == "not-on":
            return "unknown key `not-on` in a row; write `on: {PLATFORM: {omit: WHY}}`"
        if key.text == "omit":
            return "`omit` belongs below the platform that it is about: `on: {PLATFORM: {omit: WHY}}`"
        return None

    def _build_override(
        self, node: Node, columns: Mapping[str, object], allowed: Mapping[str, tuple[str, ...]]
    ) -> Override:
        cells = self._build_cells(node, ("omit", "because", "only"), columns, allowed)
        if (omit := _get_filled(get_node(node, "omit"))) and cells:
            shown = next(key for key, _ in get_entries(node) if key.plain in cells)
            message = f"the row is omitted here, and `{shown.text}` is not shown: remove one of the two"
            self._add_finding(message, shown.span, Related(omit.span, "omitted here"))
        return Override(node.span, cells, _get_text(get_node(node, "omit")), _get_text(get_node(node, "because")))

    def _check_word(self, column: Scalar, value: Scalar, words: tuple[str, ...]) -> None:
        """Check the text of a cell, if its column allows some words; a number is allowed next to them."""
        numbers = [text for text in (value.plain, *words) if text.lstrip("+-.")[:1].isdigit()]
        if words and value.plain not in words and numbers != [value.plain]:
            near = (word for word in words if not _are_opposites(value.plain, word))
            hint = format_suggestion(value.text, near) or f"; it allows {', '.join(words)}"
            self._add_finding(f"column `{column.text}` does not allow `{value.text}`{hint}", value.span)

    def _build_cells(
        self, node: Node, others: tuple[str, ...], columns: Mapping[str, object], allowed: Mapping[str, tuple[str, ...]]
    ) -> dict[str, Scalar]:
        cells = {}
        for key, value in _get_texts(node):
            if key.plain in others or not self._is_column(key, columns):
                continue
            self._check_word(key, value, allowed.get(key.plain, ()))
            cells[key.plain] = value
        return cells

    def _check_tables(self, tables: Mapping[str, Table], platforms: Mapping[str, Platform]) -> None:
        for table in tables.values():
            published = [platform for platform in platforms.values() if not platform.draft]
            disagree = list(agreement.find_table_disagreements(table, published))
            self.findings += disagree
            self.unfinished += _exclude_known(agreement.find_table_disagreements(table, platforms.values()), disagree)
            for row in table.rows.values():
                self._check_row(row, table, list(platforms.values()), has_doubts=bool(disagree))

    def _check_row(self, row: Row, table: Table, platforms: list[Platform], *, has_doubts: bool) -> None:
        """Flag a row that no platform has, and cells that are missing on those that have it."""
        have = [platform for platform in platforms if not row.is_omitted(platform)]
        doubtful = self.is_doubtful or row.key in self.doubtful
        if platforms and not have and not has_doubts and not doubtful:
            keys = [key for key, names in (("`only`", row.only), ("`needs`", row.needs)) if names]
            why = f"{' and '.join(keys)} and `omit` leave" if keys else "`omit` leaves"
            self._add_finding(f"no platform has the row `{row.id}`: {why} none; remove the row", row.key)
        if not doubtful:
            have = [platform for platform in have if platform.id not in self.unsure]
            self._check_cells(row, table, have, len(platforms))
        if have and not doubtful:
            self._check_only(row, platforms)

    def _check_cells(self, row: Row, table: Table, platforms: list[Platform], count: int) -> None:
        ready = [platform for platform in platforms if not row.is_draft(platform)]
        self.findings += (finding for finding, _ in _find_missing_cells(row, table, ready, count))
        drafts = [platform for platform in platforms if row.is_draft(platform)]
        missing = _find_missing_cells(row, table, drafts, count)
        self.unfinished += (replace(finding, platforms=ids) for finding, ids in missing)

    def _check_only(self, row: Row, platforms: Iterable[Platform]) -> None:
        """Flag cells set for platforms that `only` excludes."""
        read = {id_ for platform in platforms if row.may_be_on(platform) for level in platform.levels for id_ in level}
        for id_, override in row.on.items():
            if override.cells and id_ not in read:
                shown = next(iter(override.cells.values()))
                message = f"the row is not on `{id_}`: name it in `only`, or remove this"
                self._add_finding(message, shown.span)


def _find_missing_cells(
    row: Row, table: Table, have: Sequence[Platform], count: int
) -> Iterator[tuple[Finding, tuple[str, ...]]]:
    """Yield the cells that a row lacks on the platforms that have it, one finding for the same platforms."""
    lacking: dict[tuple[str, ...], list[str]] = {}
    for column in table.columns:
        requested = [platform for platform in have if platform.can_all(table.needs.get(column, ()))]
        if without := tuple(platform.id for platform in requested if row.get_cell(column, platform) is None):
            lacking.setdefault(without, []).append(column)
    for platforms, columns in lacking.items():
        where = "" if len(platforms) == count else f" on {join_names(platforms)}"
        *first, last = (f"`{column}`" for column in columns)
        message = f"{', '.join(first)} and {last}" if first else last
        is_new = where and len(platforms) < len(have) and len(columns) == len(table.columns.keys() - row.cells.keys())
        omit = ", or why the row is not there, in `omit`" if row.only is None else ""
        hint = f"; write {'them' if first else 'it'} below `on`{omit}" if is_new else ""
        yield build_error("invalid-data", f"row `{row.id}` lacks {message}{where}{hint}", row.key), platforms


# Nodes of any shape: errors in the shape are reported by its validation.


def _get_texts(node: Node | None) -> list[tuple[Scalar, Scalar]]:
    return [(key, value) for key, value in get_entries(node) if isinstance(value, Scalar)]


def _are_opposites(word: str, other: str) -> bool:
    """Return whether two words differ only by a negating prefix, as `Enabled` and `Disabled` do."""
    first, second = word.lower(), other.lower()
    return first != second and _TURNED.sub("", first) == _TURNED.sub("", second)


def _is_true(node: Node | None) -> bool:
    return isinstance(node, Scalar) and parse_boolean(node.text) is True


def _exclude_known(findings: Iterable[Finding], known_findings: Sequence[Finding]) -> list[Finding]:
    """Return the findings whose span is not that of a known one."""
    spans = {finding.span for finding in known_findings}
    return [finding for finding in findings if finding.span not in spans]


def _get_filled(node: Node | None) -> Scalar | None:
    return node if isinstance(node, Scalar) and node.text else None


def _read_upkeep(node: Node) -> tuple[tuple[str, ...], Scalar | None]:
    owners = tuple(owner.plain for owner in get_scalars(get_node(node, "owners")))
    return owners, _get_filled(get_node(node, "review-after"))


def _get_text(node: Node | None) -> Traced | None:
    filled = _get_filled(node)
    return filled.text if filled else None


def _read_one_or_more(node: Node) -> tuple[Traced, ...]:
    return (node.text,) if isinstance(node, Scalar) else tuple(item.text for item in get_scalars(node))


def _read_numbering(node: Node | None, default: Numbering) -> Numbering:
    def read_flag(name: str, otherwise: bool) -> bool:
        value = get_node(node, name)
        current = parse_boolean(value.text) if isinstance(value, Scalar) else None
        return otherwise if current is None else current

    return Numbering(read_flag("steps", default.steps), read_flag("sections", default.sections))


def _read_file_style(node: Node) -> FileStyle:
    newline, bom, final = (_get_text(get_node(node, name)) for name in ("newline", "bom", "final-newline"))
    ends = {"lf": "\n", "crlf": "\r\n", "cr": "\r"}
    end = ends.get(strip_origins(newline or "lf"), "\n")
    has_bom = bom is not None and parse_boolean(bom) is True
    return FileStyle(end, has_bom, final is None or parse_boolean(final) is not False)


def _find_members(groups: Mapping[str, tuple[str, ...]], group: str) -> set[str]:
    """Return all members of a group: its platforms and groups, and the members of those."""
    seen: set[str] = set()
    todo = [group]
    while todo:
        name = todo.pop()
        if name not in seen:
            seen.add(name)
            todo += groups.get(name, ())
    return seen - {group}


def _find_reachable(named: Mapping[str, list[str]], start: str) -> set[str]:
    """Return a group and all groups reachable from it."""
    seen, todo = set[str](), [start]
    while todo:
        if (name := todo.pop()) not in seen:
            seen.add(name)
            todo += named.get(name, ())
    return seen
