"""The data of an adopted project: complete, or the additions to an existing one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tutorial_tool.adopt.copies import Copy, CopySet
from tutorial_tool.adopt.data import Value
from tutorial_tool.adopt.existing_site import DOCS, format_title
from tutorial_tool.adopt.names import Names
from tutorial_tool.adopt.template import WrittenStep
from tutorial_tool.adopt.template.tables import DataRow, DataTable
from tutorial_tool.core.grouping import group_by
from tutorial_tool.data.model import DEFAULT_IMAGES, DEFAULT_PATH
from tutorial_tool.data.model.parts import Numbering, Step

if TYPE_CHECKING:
    from tutorial_tool.adopt.project.build_spec import BuildSpec

MISSING_ROW_REASON = "TODO say why; the copy for {} had no such row"
"""The reason for a row that a copy lacked; only the author knows it."""
ELSEWHERE = "TODO the copy for {} has this row in another place"
"""The reason for a row that is repeated because copies have it in different places."""
_NEWLINES = {"\r\n": "crlf", "\r": "cr"}
_UNNUMBERED: dict[str, Value] = {"steps": "false", "sections": "false"}


@dataclass(frozen=True)
class Additions:
    """A builder of the data from the written sets, and the image patterns of their tutorials."""

    spec: BuildSpec
    names: Names
    tables: Mapping[str, DataTable]
    written: Mapping[CopySet, WrittenStep]
    images: Mapping[str, str]

    def build(self) -> dict[str, Value]:
        sets = (*self.spec.sets, *self.spec.others)
        before = self.spec.base.build_names()
        by_tutorial = group_by(sets, lambda item: item.tutorial)
        tutorials = {id_: self._build_tutorial(id_, own) for id_, own in by_tutorial.items()}  # may add groups
        groups = {id_: group for id_, group in self.names.groups.items() if id_ not in before.groups}
        out: dict[str, Value] = {
            "platforms": self._drop_empty({p: self._build_platform(p, before) for p in self.names.platforms}),
            "groups": {id_: [p for p in self.names.platforms if p in group] for id_, group in groups.items()},
            "tutorials": self._limit_tutorials() | tutorials,
            "tables": {id_: _build_table(table, self.names) for id_, table in self.tables.items()},
            "strings": self._get_strings(),
        }
        return self._drop_empty(out)

    def _get_strings(self) -> dict[str, Value]:
        """Return the strings that print titles as typed; none for an existing project, which has its own."""
        normalized = self.spec.normalized if self.spec.computed and self.spec.base.site is None else None
        return dict(normalized.words) if normalized else {}

    def _limit_tutorials(self) -> dict[str, Value]:
        """Limit existing tutorials to their current platforms if adopting adds others."""
        sets, model = (*self.spec.sets, *self.spec.others), self.spec.base.model
        come = set(self.names.platforms) - model.platforms.keys()
        return {
            id_: {"platforms": list(model.platforms)}
            for id_, tutorial in model.tutorials.items()
            if come and tutorial.platforms is None and all(copy_set.tutorial != id_ for copy_set in sets)
        }

    @staticmethod
    def _drop_empty(entries: Mapping[str, Value]) -> dict[str, Value]:
        return {key: value for key, value in entries.items() if value}

    def _build_platform(self, platform: str, before: Names) -> dict[str, Value]:
        """Build the additions to a platform."""
        known = {"labels": (self.names.labels, before.labels), "values": (self.names.values, before.values)}
        out: dict[str, Value] = {
            key: {
                name: texts[platform]
                for name, texts in learned.items()
                if platform in texts and platform not in before_texts.get(name, {})
            }
            for key, (learned, before_texts) in known.items()
        }
        out["can"] = [
            ability
            for ability, have in self.names.features.items()
            if platform in have and platform not in before.features.get(ability, ())
        ]
        return self._drop_empty({"name": "" if platform in before.display else self.names.display[platform], **out})

    def _build_tutorial(self, id_: str, sets: Sequence[CopySet]) -> dict[str, Value]:
        """Build a tutorial with the paths of the copies, which adds no numbers that they did not have."""
        sets = sorted(sets, key=lambda copy_set: copy_set.place)
        known = self.spec.base.model.tutorials.get(id_)
        if known is not None:
            steps: list[Value] = [self._build_step_entry(copy_set, known.steps.get(copy_set.step)) for copy_set in sets]
            return self._drop_empty({"steps": steps, "on": self._find_titles(sets)})
        patterns = {copy.platform: copy.pattern for copy_set in sets for copy in copy_set.copies.values()}
        usual = max(dict.fromkeys(patterns.values()), key=list(patterns.values()).count)
        have = {platform for copy_set in sets for platform in copy_set.platforms}
        out = self._build_tutorial_options(id_, usual, have)
        out["steps"] = [self._build_step(copy_set, have) for copy_set in sets]
        on: dict[str, dict[str, Value]] = {p: {"path": pattern} for p, pattern in patterns.items() if pattern != usual}
        for platform, titles in self._find_titles(sets).items():
            on[platform] = {**on.get(platform, {}), **titles}
        return {**out, "on": on} if on else out

    def _build_tutorial_options(self, id_: str, path: str, have: Set[str]) -> dict[str, Value]:
        """Build the options of a tutorial that differ from the defaults."""
        platforms = [platform for platform in self.names.platforms if platform in have]
        images = self.images.get(id_, DEFAULT_IMAGES)
        stated: dict[str, Value] = {
            "title": (self.spec.site_name if id_ in DOCS else "") or format_title(id_),
            "path": path if path != DEFAULT_PATH else "",
            "images": images if images != DEFAULT_IMAGES else "",
            "platforms": platforms if have != set(self.names.platforms) else [],
            "numbering": self._build_numbering(id_),
        }
        return self._drop_empty(stated)

    def _find_titles(self, sets: Sequence[CopySet]) -> dict[str, dict[str, Value]]:
        """Return the titles of pages that state none, by platform, or by group of those with the same titles."""
        out: dict[str, dict[str, str]] = {}
        for copy_set in sets:
            for platform, copy in copy_set.copies.items() if copy_set in self.written else ():
                if copy.fallback_title is not None:
                    out.setdefault(platform, {})[copy_set.step] = copy.fallback_title or format_title(copy_set.step)
        alike: dict[tuple[tuple[str, str], ...], set[str]] = {}
        for platform, titles in out.items():
            alike.setdefault(tuple(titles.items()), set()).add(platform)
        return {self.names.ensure_group(frozenset(own)): {"titles": dict(pairs)} for pairs, own in alike.items()}

    def _build_numbering(self, tutorial: str) -> dict[str, Value]:
        """Return what a tutorial does not number: whatever its copies did not."""
        normalized = self.spec.normalized if self.spec.computed else None
        if normalized is None:
            return _UNNUMBERED
        reported = {"steps": normalized.numbered, "sections": normalized.sectioned}
        return {what: "false" for what, steps in reported.items() if all(step[0] != tutorial for step in steps)}

    def _choose_numbering(self, copy_set: CopySet, known: Step | None) -> Value:
        if not self.spec.computed:
            return {} if known and known.numbering == Numbering(steps=False, sections=False) else _UNNUMBERED
        return self._build_step_numbering(copy_set, known.numbering) if known and copy_set in self.written else {}

    def _build_step_entry(self, copy_set: CopySet, known: Step | None) -> Value:
        """Build the entry of a step in an existing tutorial, which may have numbering."""
        tutorial = self.spec.base.model.tutorials[copy_set.tutorial]
        platforms = self.spec.base.model.platforms.values()
        have = {p.id for p in platforms if tutorial.platforms is None or {p.id, *p.groups} & set(tutorial.platforms)}
        entry = self._build_step(copy_set, have | set(copy_set.platforms))
        numbering = self._choose_numbering(copy_set, known)
        if not numbering:
            return entry
        return {**(entry if isinstance(entry, Mapping) else {"id": copy_set.step}), "numbering": numbering}

    def _build_step_numbering(self, copy_set: CopySet, known: Numbering) -> dict[str, Value]:
        """Return what a step numbers, unlike its tutorial: the numbers that were removed from its copies."""
        normalized = self.spec.normalized
        if normalized is None:
            return {}
        expected = {"steps": (normalized.numbered, known.steps), "sections": (normalized.sectioned, known.sections)}
        step = copy_set.tutorial, copy_set.step
        return {what: "true" for what, (steps, has) in expected.items() if not has and step in steps}

    def _build_step(self, copy_set: CopySet, have: Iterable[str]) -> Value:
        out: dict[str, Value] = {"id": copy_set.step}
        if self._is_unnumbered(copy_set):
            out["numbered"] = "false"
        if set(copy_set.platforms) != set(have):
            out["only"] = list(copy_set.platforms)
        if copy_set in self.written:
            text = self.written[copy_set].template
            styles: dict[str, Value] = {
                p: style for p, copy in copy_set.copies.items() if (style := _build_file_style(copy, text))
            }
            if styles:
                out["files"] = styles
        return copy_set.step if len(out) == 1 else out

    def _is_unnumbered(self, copy_set: CopySet) -> bool:
        """Return whether a step had no number in its title, while others of its tutorial had one."""
        numbered = self.spec.normalized.numbered if self.spec.normalized and self.spec.computed else frozenset()
        others = any(tutorial == copy_set.tutorial for tutorial, _ in numbered)
        return copy_set in self.spec.sets and others and (copy_set.tutorial, copy_set.step) not in numbered


def _build_file_style(copy: Copy, template_text: str) -> dict[str, Value]:
    out: dict[str, Value] = {}
    if copy.source.newline in _NEWLINES:
        out["newline"] = _NEWLINES[copy.source.newline]
    if copy.source.bom:
        out["bom"] = "true"
    if copy.lacks_final_newline and template_text.endswith("\n"):
        out["final-newline"] = "false"
    return out


def _build_table(table: DataTable, names: Names) -> dict[str, Value]:
    rows: dict[str, Value] = {id_: _build_row(row, table.titles.keys(), names) for id_, row in table.rows.items()}
    return {"columns": dict(table.titles), "rows": rows}


def _build_row(row: DataRow, columns: Set[str], names: Names) -> dict[str, Value]:
    out: dict[str, Value] = dict(row.cells)
    on: dict[str, Value] = {platform: dict(cells) for platform, cells in row.on.items()}
    full = [p for p in names.platforms if columns <= {*row.cells, *row.on.get(p, ())}]
    # A platform that lacks cells, but not the row, has no such table: the row is not for it.
    if have := row.only or ([] if {*full, *row.lacking}.issuperset(names.platforms) else full):
        out["only"] = list(have)
    else:
        elsewhere = dict.fromkeys(row.lacking, MISSING_ROW_REASON) | dict.fromkeys(row.elsewhere, ELSEWHERE)
        on |= {p: {"omit": elsewhere[p].format(names.display[p])} for p in names.platforms if p in elsewhere}
    return {**out, "on": on} if on else out
