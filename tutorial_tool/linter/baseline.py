"""The baseline: a file of findings that stay suppressed, while new ones fail a run.

The baseline stores spans. A finding is baselined when its own span is, and so is each further span of the same defect:
differences between copies may decrease, but never increase.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

from tutorial_tool import data
from tutorial_tool.config.settings import BASELINE, Config, ConfigError
from tutorial_tool.core import lazy_re
from tutorial_tool.core.diagnostics import Finding, Related, describe_again
from tutorial_tool.core.grouping import group_pairs
from tutorial_tool.core.source import Source, Span
from tutorial_tool.fs import files
from tutorial_tool.linter.fingerprint import NOTHING, Mark, compute_mark, hash_text

VERSION = 1  # The format of the file
NAME = "tutorial-baseline.json"  # The default file name

_FACT = lazy_re.compile(r"`([^`]*)`")
_MARK = lazy_re.compile(r"[0-9a-f]{12}|-")
_PARTS = lazy_re.compile(rf"(?:{_MARK.pattern})(?: (?:[0-9a-f]{{8}}|-)){{4}}")


class BaselinePlace(NamedTuple):
    """A span that a finding of a rule reports. `path` is relative to the folder of the baseline.

    `message` is the message of the finding or, for a further span, of the related span.
    """

    path: str
    rule: str
    message: str
    further: bool
    mark: Mark

    @property
    def facts(self) -> tuple[str, ...]:
        """The quoted text of the message, such as the missing row of a table, which identifies the defect.

        Empty where the message quotes the text of the span: that is enough, and anything else it quotes may be a
        suggestion.
        """
        facts = tuple(_FACT.findall(self.message))
        return () if self.mark.text in map(hash_text, facts) else facts

    def is_same_defect(self, other: BaselinePlace) -> bool:
        """Return whether both report the same defect, even if its spans are listed in another order now."""
        return self.further or other.further or self.facts == other.facts


class BaselineComparison(NamedTuple):
    """Findings compared with a baseline: new ones, baselined ones, and spans that are no longer found.

    `older` are not in the baseline, but older than the change in question. `touched` are such findings among the new:
    they count because they are on changed lines.
    """

    new: dict[Finding, Finding]  # Each as it was reported, and at its first new place
    baselined: list[Finding]
    gone: list[BaselinePlace]
    older: Sequence[Finding] = ()
    touched: Sequence[Finding] = ()


@dataclass(frozen=True)
class Baseline:
    """The spans that a baseline file lists."""

    file: Path
    places: tuple[BaselinePlace, ...]

    def compare(self, findings: Iterable[Finding], root: Path, leaving: Collection[Path] = ()) -> BaselineComparison:
        """Compare findings with the baseline.

        Paths of findings are relative to `root`. Files in `leaving` count as gone.
        """
        reported = [_ReportedFinding(finding, list(self._iter_places(finding, root))) for finding in findings]
        unmatched = set(range(len(self.places)))
        leaving_paths = {files.format_path(path, self.file.parent) for path in leaving}
        gone = {path: is_gone or path in leaving_paths for path, is_gone in self._gone_by_path.items()}
        _match_findings(reported, self.places, unmatched, gone)
        new = {item.finding: item.move_to_new_place() for item in reported if None in item.matches}
        baselined = [item.finding for item in reported if None not in item.matches]
        return BaselineComparison(new, baselined, [self.places[index] for index in sorted(unmatched)])

    def _iter_places(self, finding: Finding, root: Path) -> Iterator[BaselinePlace]:
        return _iter_places(finding, root, self.file.parent)

    @cached_property
    def _gone_by_path(self) -> Mapping[str, bool]:
        """Whether the file of each span is gone, by path."""
        paths = {place.path for place in self.places}
        return {path: not os.path.isfile(self.file.parent / path) for path in paths}  # noqa: PTH113 - raises nothing


def _iter_places(finding: Finding, root: Path, folder: Path) -> Iterator[BaselinePlace]:
    yield BaselinePlace(
        _get_path(finding.span, root, folder), finding.rule, finding.message, False, compute_mark(finding.span)
    )
    for related in finding.related:
        if related.again:
            path = _get_path(related.span, root, folder)
            yield BaselinePlace(path, finding.rule, related.message, True, compute_mark(related.span))


def _get_path(span: Span, root: Path, folder: Path) -> str:
    return span.path if root == folder else files.format_path(root / span.path, folder)


# Comparing


@dataclass
class _ReportedFinding:
    """A finding, its spans, and for each span the index of the baselined span that it matches."""

    finding: Finding
    places: list[BaselinePlace]

    def __post_init__(self) -> None:
        self.matches: list[int | None] = [None] * len(self.places)

    def move_to_new_place(self) -> Finding:
        """Return the finding, moved to its first new span where its own span is baselined.

        The message says which of the other spans are new, and the baselined span becomes a related one: most reports
        show only the span of the finding itself.
        """
        if self.matches[0] is None:
            return self.finding
        later_matches = iter(self.matches[1:])
        is_new = [item.again and next(later_matches) is None for item in self.finding.related]
        moved_index = is_new.index(True)
        moved_to, related_spans = self.finding.related[moved_index], self.finding.related
        related = [
            item._replace(message=f"{item.message} (new)") if is_new[index] else item
            for index, item in enumerate(related_spans)
            if index != moved_index
        ]
        own = self.finding.span
        related.insert(0, Related(own, f"known: {self.finding.message}"))
        known = f"line {own.position.line}" if own.path == moved_to.span.path else f"{own.path}:{own.position.line}"
        message = f"{describe_again(self.finding, moved_to)} (new; known is {known})"
        return replace(self.finding, span=moved_to.span, message=message, related=tuple(related))


_Key = Callable[[BaselinePlace], tuple[str, ...] | None]
"""What two locations have in common if they are the same; None for a location without it."""


def _match_findings(
    reported: Sequence[_ReportedFinding],
    baselined: Sequence[BaselinePlace],
    unmatched: set[int],
    gone: Mapping[str, bool],
) -> None:
    """Match each reported span with a baselined one, closest first; `unmatched` are indices of those left."""
    for key in _SAME_FILE:
        _pair_places(reported, baselined, unmatched, key)
    for key in _MOVED:  # renamed files, and copies that became a template
        moved = {index for index in unmatched if gone[baselined[index].path]}
        candidates = set(moved)
        _pair_places(reported, baselined, moved, key, elsewhere=gone)
        unmatched -= candidates - moved
    gone_copies = {path for path, is_gone in gone.items() if is_gone and path.endswith(_COPIES)}
    for key in _ADOPTED:
        copies = {index for index in unmatched if baselined[index].path in gone_copies}
        candidates = set(copies)
        _pair_places(reported, baselined, copies, key, elsewhere=gone, suffixes=_DATA)
        unmatched -= candidates - copies


def _make_part_key(part: str, get_rest: Callable[[BaselinePlace], tuple[str, ...]]) -> _Key:
    """Return a key of a part of the mark and something else: a template has tags where a copy had words."""

    def get_key(place: BaselinePlace) -> tuple[str, ...] | None:
        value: str = getattr(place.mark, part)
        return None if value == NOTHING else (*get_rest(place), value)

    return get_key


def _make_message_key(part: str) -> _Key:
    """Return a key of the message and one part of the mark, for text that contains a tag itself."""
    get_key = _make_part_key(part, lambda place: (place.rule, place.message))
    return lambda place: get_key(place) if place.facts else None


_CONTEXT = ("words", "before", "after")
_SAME_FILE: tuple[_Key, ...] = (
    lambda place: (place.rule, place.path, *place.mark),
    *(_make_part_key(part, lambda place: (place.rule, place.path, place.mark.text)) for part in ("line", *_CONTEXT)),
)
_MOVED: tuple[_Key, ...] = (
    lambda place: (place.rule, *place.mark),
    *(_make_part_key(part, lambda place: (place.rule, place.mark.text)) for part in ("line", *_CONTEXT)),
    *map(_make_message_key, _CONTEXT),
)
_COPIES = (".md", ".mdx", ".markdown")
_DATA = (".yaml", ".yml")
_ADOPTED: tuple[_Key, ...] = (
    _make_part_key("text", lambda place: (place.rule,)),
    lambda place: (place.rule, place.message) if place.facts else None,
)
"""Keys of a text that was in a copy and is a value of the data now, or of which a part is: its message quotes it."""


def _iter_unpaired(
    reported: Iterable[_ReportedFinding], skipped: Collection[str], suffixes: tuple[str, ...]
) -> Iterator[tuple[_ReportedFinding, int]]:
    """Yield the spans without a match, as the finding and the index of the span."""
    for item in reported:
        for index, place in enumerate(item.places):
            if item.matches[index] is None and place.path not in skipped and place.path.endswith(suffixes):
                yield item, index


def _pair_places(
    reported: Sequence[_ReportedFinding],
    baselined: Sequence[BaselinePlace],
    unmatched: set[int],
    key: _Key,
    *,
    elsewhere: Collection[str] | None = None,
    suffixes: tuple[str, ...] = ("",),
) -> None:
    """Match spans with equal keys, and remove the matches from `unmatched`.

    `elsewhere` are paths to skip: a file is looked for under another name, with one of the `suffixes`. Where more spans
    are found there than are baselined, the match is ambiguous, and none is made.
    """
    by_key = group_pairs((value, index) for index in sorted(unmatched) if (value := key(baselined[index])) is not None)
    claims = group_pairs(
        (value, (item, number))
        for item, number in _iter_unpaired(reported if by_key else (), elsewhere or (), suffixes)
        if (value := key(item.places[number])) is not None and value in by_key
    )
    for value, claimants in claims.items():
        available = by_key[value]
        for item, number in claimants if elsewhere is None or len(claimants) <= len(available) else ():
            same = next((index for index in available if item.places[number].is_same_defect(baselined[index])), None)
            if same is not None:
                item.matches[number] = same
                available.remove(same)
                unmatched.remove(same)


# Writing


def write(
    file: Path, findings: Iterable[Finding], root: Path, *, is_kept: Callable[[BaselinePlace], bool] | None = None
) -> int:
    """Write the findings as the new baseline, and return how many were removed from it.

    Paths of findings are relative to `root`. Spans of an existing file that `is_kept` accepts stay in it, since this
    run did not check them.

    Raises: ConfigError for an invalid baseline, OSError, and InvalidInput for an unsafe path.
    """
    findings = list(findings)
    old = load(file) if file.exists() else Baseline(file, ())
    kept_places = [place for place in old.places if is_kept is not None and is_kept(place)]
    places = build_from_findings(findings, root, file.parent).places
    new_places = [place for place in places if is_kept is None or not is_kept(place)]
    files.write(file, _format_json([*kept_places, *new_places]).encode(), root=file.parent)
    replaced = replace(old, places=tuple(place for place in old.places if place not in kept_places))
    gone = replaced.compare(findings, root).gone
    return sum(not place.further for place in gone)


def _format_json(places: Iterable[BaselinePlace]) -> str:
    """Format the baseline as JSON, one span a line, in an order independent of positions within a file."""
    by_path: dict[str, list[str]] = {}
    for place in sorted(places, key=lambda place: (place.path, place.rule, place.further, place.message, place.mark)):
        kind = "further" if place.further else "message"
        entry = {"rule": place.rule, kind: place.message, "mark": str(place.mark)}
        by_path.setdefault(place.path, []).append(f"      {_dump_json(entry)}")
    files = [f"    {_dump_json(path)}: [\n" + ",\n".join(entries) + "\n    ]" for path, entries in by_path.items()]
    inside = "{\n" + ",\n".join(files) + "\n  }" if files else "{}"
    return f'{{\n  "version": {VERSION},\n  "about": {_dump_json(BASELINE)},\n  "files": {inside}\n}}\n'


def _dump_json(value: object) -> str:
    """Return JSON with non-ASCII text unescaped, and unprintable characters escaped."""
    import json  # slow to load, and rarely needed

    text = json.dumps(value, ensure_ascii=False)
    return text if text.isprintable() else "".join(c if c.isprintable() else json.dumps(c)[1:-1] for c in text)


# Reading


def get_configured(config: Config) -> Baseline | None:
    """Return the configured baseline, if any. Raises ConfigError for an invalid one."""
    return load(Path(config.folder / config.baseline).absolute()) if config.baseline else None


def build_from_findings(findings: Iterable[Finding], root: Path, folder: Path | None = None) -> Baseline:
    """Build an unsaved baseline in a folder, by default in `root`, to which the paths of the findings are relative."""
    folder = folder or root
    return Baseline(folder / NAME, tuple(p for finding in findings for p in _iter_places(finding, root, folder)))


def compare(
    findings: Iterable[Finding], baseline: Baseline | None, root: Path, leaving: Collection[Path] = ()
) -> BaselineComparison:
    """Compare findings, with paths relative to `root`, with a baseline; without one, all are new."""
    return (
        baseline.compare(findings, root, leaving) if baseline else BaselineComparison({f: f for f in findings}, [], [])
    )


def load(file: Path) -> Baseline:
    """Load a baseline. Raises ConfigError, with the location, for an invalid one."""
    name = files.format_path(file, Path())
    if not file.exists():
        advice = f"there is no baseline `{name}`; `tutorial-tool lint --write-baseline {name}` writes one"
        raise ConfigError([advice])
    read = files.read(file, root=file.parent, limit=files.LARGEST)
    if isinstance(read, Finding):
        raise ConfigError([f"{name}: {read.message}"])
    source = Source(name, read.raw)
    import json

    try:
        return Baseline(file, tuple(_parse_places(json.loads(source.text))))
    except json.JSONDecodeError as error:
        location = f"{name}:{error.lineno}:{error.colno}"
        message = (
            f"{location}: not valid JSON: {error.msg}; write it again with `tutorial-tool lint --write-baseline {name}`"
        )
        if source.text[error.pos : error.pos + 7] in ("<" * 7, "=" * 7, ">" * 7):
            advice = f"delete the file and write a new one with `tutorial-tool lint --write-baseline {name}`"
            message = f"{location}: unresolved merge conflict; resolve it, or {advice}"
        raise ConfigError([message]) from error
    except _InvalidEntry as error:
        raise ConfigError([f"{_locate_value(source, error.path)}: {error.message}"]) from error
    except (RecursionError, ValueError) as error:
        raise ConfigError([f"{name}: not a baseline"]) from error


class _InvalidEntry(Exception):
    """An invalid entry of a baseline, and the keys of its path."""

    def __init__(self, message: str, *path: str | int) -> None:
        super().__init__(message)
        self.message, self.path = message, path


def _parse_places(value: Any) -> Iterator[BaselinePlace]:
    if not isinstance(value, dict) or "version" not in value:
        raise _InvalidEntry('not a baseline: "version" is missing; delete the file and write a new one')
    if value["version"] != VERSION:
        message = "this baseline is from another version of tutorial-tool; delete it and write a new one"
        raise _InvalidEntry(message, "version")
    entries_by_path = value.get("files")
    if not isinstance(entries_by_path, dict):
        raise _InvalidEntry('"files" should be an object', *(["files"] if "files" in value else []))
    for path, entries in entries_by_path.items():
        if not isinstance(entries, list):
            raise _InvalidEntry("the findings of a file should be a list", "files", path)
        yield from (_parse_place(path, entry, index) for index, entry in enumerate(entries))


def _parse_place(path: str, entry: Any, index: int) -> BaselinePlace:
    key_path = ("files", path, index)
    if not isinstance(entry, dict):
        raise _InvalidEntry("a finding should be an object", *key_path)
    kind = "further" if "further" in entry else "message"
    for key in ("rule", kind, "mark"):
        if not isinstance(entry.get(key), str):
            raise _InvalidEntry(f'a finding should have a text "{key}"', *key_path, *([key] if key in entry else []))
    if not _PARTS.fullmatch(entry["mark"]):
        raise _InvalidEntry('"mark" should be five hashes', *key_path, "mark")
    return BaselinePlace(path, entry["rule"], entry[kind], kind == "further", Mark(*entry["mark"].split(" ")))


def _locate_value(source: Source, path: Sequence[str | int]) -> str:
    """Return the location of the value at a path of keys: JSON is parsed as YAML, which keeps spans."""
    node = data.load_yaml(source).node
    for key in path:
        if isinstance(node, data.Mapping):
            node = next((value for name, value in node.items if name.text == key), node)
        elif isinstance(node, data.Sequence) and isinstance(key, int) and key < len(node.items):
            node = node.items[key]
    return str(node.span) if node is not None else source.path
