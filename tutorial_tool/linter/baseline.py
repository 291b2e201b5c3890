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
from tutorial_tool.core.diagnostics import Finding, Related
from tutorial_tool.core.source import Source, Span
from tutorial_tool.fs import files
from tutorial_tool.linter.fingerprint import NOTHING, Mark, compute_mark, hash_text

VERSION = 1  # The format of the file
NAME = "tutorial-baseline.json"  # The default file name
LIMIT = 100_000_000  # Bytes of the largest baseline that is read

_FURTHER = lazy_re.compile(r"\btoo(?::|$)")
"""A related location that is the same defect again, not an explanation: `differs, too`, `here too`."""
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

    `old` are not in the baseline, but older than the change in question. `touched` are such findings among the new:
    they count because they are on changed lines.
    """

    new: list[Finding]
    known: list[Finding]
    gone: list[BaselinePlace]
    old: Sequence[Finding] = ()
    touched: Sequence[Finding] = ()


@dataclass(frozen=True)
class Baseline:
    """The spans that a baseline file lists."""

    file: Path
    places: tuple[BaselinePlace, ...]

    def compare(self, findings: Iterable[Finding], root: Path, going: Collection[Path] = ()) -> BaselineComparison:
        """Compare findings with the baseline.

        Paths of findings are relative to `root`. Files in `going` count as gone.
        """
        reported = [_ReportedFinding(finding, list(self._iter_places(finding, root))) for finding in findings]
        open_ = set(range(len(self.places)))
        named = {files.format_path(path, self.file.parent) for path in going}
        gone = {path: is_gone or path in named for path, is_gone in self._gone_by_path.items()}
        _match_findings(reported, self.places, open_, gone)
        new = [item.move_to_new_place() for item in reported if None in item.known]
        known = [item.finding for item in reported if None not in item.known]
        return BaselineComparison(new, known, [self.places[index] for index in sorted(open_)])

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
        if is_further(related):
            path = _get_path(related.span, root, folder)
            yield BaselinePlace(path, finding.rule, related.message, True, compute_mark(related.span))


def _get_path(span: Span, root: Path, folder: Path) -> str:
    return span.path if root == folder else files.format_path(root / span.path, folder)


def is_further(related: Related) -> bool:
    """Return whether a related span is another one of the same defect, not an explanation."""
    return _FURTHER.search(related.message) is not None


# Comparing


@dataclass
class _ReportedFinding:
    """A finding, its spans, and for each span the index of the baselined span that it matches."""

    finding: Finding
    places: list[BaselinePlace]

    def __post_init__(self) -> None:
        self.known: list[int | None] = [None] * len(self.places)

    def move_to_new_place(self) -> Finding:
        """Return the finding, moved to its first new span where its own span is baselined.

        The message says which of the other spans are new, and the baselined span becomes a related one: most reports
        show only the span of the finding itself.
        """
        if self.known[0] is None:
            return self.finding
        news = iter(self.known[1:])
        is_new = [is_further(item) and next(news) is None for item in self.finding.related]
        first = is_new.index(True)
        at, others = self.finding.related[first], self.finding.related
        related = [
            item._replace(message=f"{item.message} (new)") if is_new[number] else item
            for number, item in enumerate(others)
            if number != first
        ]
        known = Related(self.finding.span, f"known: {self.finding.message}")
        return replace(self.finding, span=at.span, message=self._describe_further(first), related=(known, *related))

    def _describe_further(self, first: int) -> str:
        """Build the message for a further span that is reported instead of the finding's own."""
        at, *behind = self.finding.related[first:]
        message = at.message if ":" in at.message else self.finding.message
        if ":" in at.message and behind and not is_further(behind[0]):
            message += f"; {behind[0].message}"
        span = self.finding.span
        line = span.position[0]
        return f"{message} (new; known is {f'line {line}' if span.path == at.span.path else f'{span.path}:{line}'})"


_Key = Callable[[BaselinePlace], tuple[str, ...] | None]
"""What two locations have in common if they are the same; None for a location without it."""


def _match_findings(
    reported: Sequence[_ReportedFinding], known: Sequence[BaselinePlace], open_: set[int], gone: Mapping[str, bool]
) -> None:
    """Match each reported span with a baselined one, closest first; `open_` are the unmatched ones."""
    for key in (_get_surroundings_key, *(_make_part_key(part) for part in ("line", "words", "before", "after"))):
        _pair_places(reported, known, open_, key)
    for key in _MOVED:  # renamed files, and copies that became a template
        moved = {index for index in open_ if gone[known[index].path]}
        before = set(moved)
        _pair_places(reported, known, moved, key, elsewhere=gone)
        open_ -= before - moved
    for key in _ADOPTED:
        copies = {index for index in open_ if gone[known[index].path] and known[index].path.endswith(_COPIES)}
        before = set(copies)
        _pair_places(reported, known, copies, key, elsewhere=gone, suffixes=_DATA)
        open_ -= before - copies


def _get_surroundings_key(place: BaselinePlace) -> tuple[str, ...]:
    return place.rule, place.path, *place.mark


def _make_part_key(name: str) -> _Key:
    def get_key(place: BaselinePlace) -> tuple[str, ...] | None:
        part: str = getattr(place.mark, name)
        return None if part == NOTHING else (place.rule, place.path, place.mark.text, part)

    return get_key


def _get_moved_key(place: BaselinePlace) -> tuple[str, ...]:
    return place.rule, *place.mark


def _get_moved_line_key(place: BaselinePlace) -> tuple[str, ...] | None:
    return None if place.mark.line == NOTHING else (place.rule, place.mark.text, place.mark.line)


def _make_moved_part_key(name: str) -> _Key:
    """Return a key of the text and one part of the context: a template has tags where a copy had words."""

    def get_key(place: BaselinePlace) -> tuple[str, ...] | None:
        part: str = getattr(place.mark, name)
        return None if part == NOTHING else (place.rule, place.mark.text, part)

    return get_key


def _make_moved_message_key(name: str) -> _Key:
    """Return a key of the message and one part of the context, for text that contains a tag itself."""

    def get_key(place: BaselinePlace) -> tuple[str, ...] | None:
        part: str = getattr(place.mark, name)
        return None if part == NOTHING or not place.facts else (place.rule, place.message, part)

    return get_key


_AROUND = ("words", "before", "after")
_MOVED: tuple[_Key, ...] = (
    _get_moved_key,
    _get_moved_line_key,
    *map(_make_moved_part_key, _AROUND),
    *map(_make_moved_message_key, _AROUND),
)


def _get_adopted_text_key(place: BaselinePlace) -> tuple[str, ...] | None:
    """Return the key of a text that was in a copy and is a value of the data now, in another context."""
    return (place.rule, place.mark.text) if place.mark.text != NOTHING else None


def _get_adopted_message_key(place: BaselinePlace) -> tuple[str, ...] | None:
    """Return the key by message, for text of which only a part became data: the message quotes it all."""
    return (place.rule, place.message) if place.facts else None


_COPIES = (".md", ".mdx", ".markdown")
_DATA = (".yaml", ".yml")
_ADOPTED: tuple[_Key, ...] = (_get_adopted_text_key, _get_adopted_message_key)


def _iter_unpaired(
    reported: Iterable[_ReportedFinding], skipped: Collection[str], suffixes: tuple[str, ...]
) -> Iterator[tuple[_ReportedFinding, int]]:
    """Yield the spans without a match, as the finding and the index of the span."""
    for item in reported:
        for number, place in enumerate(item.places):
            if item.known[number] is None and place.path not in skipped and place.path.endswith(suffixes):
                yield item, number


def _pair_places(
    reported: Sequence[_ReportedFinding],
    known: Sequence[BaselinePlace],
    open_: set[int],
    key: _Key,
    *,
    elsewhere: Collection[str] | None = None,
    suffixes: tuple[str, ...] = ("",),
) -> None:
    """Match spans with equal keys, and remove the matches from `open_`.

    `elsewhere` are paths to skip: a file is looked for under another name, with one of the `suffixes`. Where more spans
    are found there than are baselined, the match is ambiguous, and none is made.
    """
    by_key: dict[tuple[str, ...], list[int]] = {}
    for index in sorted(open_):
        if (pair := key(known[index])) is not None:
            by_key.setdefault(pair, []).append(index)
    asking: dict[tuple[str, ...], list[tuple[_ReportedFinding, int]]] = {}
    for item, number in _iter_unpaired(reported if by_key else (), elsewhere or (), suffixes):
        if (pair := key(item.places[number])) is not None and pair in by_key:
            asking.setdefault(pair, []).append((item, number))
    for pair, askers in asking.items():
        left = by_key[pair]
        for item, number in askers if elsewhere is None or len(askers) <= len(left) else ():
            like = next((index for index in left if item.places[number].is_same_defect(known[index])), None)
            if like is not None:
                item.known[number] = like
                left.remove(like)
                open_.remove(like)


# Writing


def write(
    file: Path, findings: Iterable[Finding], root: Path, *, kept: Callable[[BaselinePlace], bool] | None = None
) -> int:
    """Write the findings as the new baseline, and return how many were removed from it.

    Paths of findings are relative to `root`. Spans of an existing file that `kept` accepts stay in it, since this run
    did not check them.

    Raises: ConfigError for an invalid baseline, OSError, and InvalidInput for an unsafe path.
    """
    findings = list(findings)
    old = load(file) if file.exists() else Baseline(file, ())
    stay = [place for place in old.places if kept is not None and kept(place)]
    places = [place for finding in findings for place in _iter_places(finding, root, file.parent)]
    looked = [place for place in places if kept is None or not kept(place)]
    files.write(file, _format_json([*stay, *looked]).encode(), root=file.parent)
    gone = replace(old, places=tuple(place for place in old.places if place not in stay)).compare(findings, root).gone
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


def build_from_findings(findings: Iterable[Finding], root: Path) -> Baseline:
    """Build a baseline without a file from findings whose paths are relative to `root`."""
    return Baseline(root / NAME, tuple(place for finding in findings for place in _iter_places(finding, root, root)))


def compare(
    findings: Iterable[Finding], known: Baseline | None, root: Path, going: Collection[Path] = ()
) -> BaselineComparison:
    """Compare findings, with paths relative to `root`, with a baseline; without one, all are new."""
    return known.compare(findings, root, going) if known else BaselineComparison(list(findings), [], [])


def load(file: Path) -> Baseline:
    """Load a baseline. Raises ConfigError, with the location, for an invalid one."""
    name = files.format_path(file, Path())
    if not file.exists():
        text = f"there is no baseline '{name}'; `tutorial-tool lint --write-baseline {name}` writes one"
        raise ConfigError([text])
    read = files.read(file, root=file.parent, limit=LIMIT)
    if isinstance(read, Finding):
        raise ConfigError([f"{name}: {read.message}"])
    source = Source(name, read.raw)
    import json

    try:
        return Baseline(file, tuple(_parse_places(json.loads(source.text))))
    except json.JSONDecodeError as wrong:
        place = f"{name}:{wrong.lineno}:{wrong.colno}"
        message = (
            f"{place}: not valid JSON: {wrong.msg}; write it again with `tutorial-tool lint --write-baseline {name}`"
        )
        if source.text[wrong.pos : wrong.pos + 7] in ("<" * 7, "=" * 7, ">" * 7):
            text = f"delete the file and write a new one with `tutorial-tool lint --write-baseline {name}`"
            message = f"{place}: unresolved merge conflict; resolve it, or {text}"
        raise ConfigError([message]) from wrong
    except _InvalidEntry as wrong:
        raise ConfigError([f"{_locate_value(source, wrong.path)}: {wrong.message}"]) from wrong
    except (RecursionError, ValueError) as wrong:
        raise ConfigError([f"{name}: not a baseline"]) from wrong


class _InvalidEntry(Exception):
    """An invalid entry of a baseline, and the keys of its path."""

    def __init__(self, message: str, *path: str | int) -> None:
        super().__init__(message)
        self.message, self.path = message, path


def _parse_places(value: Any) -> Iterator[BaselinePlace]:
    if not isinstance(value, dict) or "version" not in value:
        raise _InvalidEntry('not a baseline: "version" is missing; delete the file and write a new one')
    if value["version"] != VERSION:
        again = "this baseline is from another version of tutorial-tool; delete it and write a new one"
        raise _InvalidEntry(again, "version")
    of_files = value.get("files")
    if not isinstance(of_files, dict):
        raise _InvalidEntry('"files" should be an object', *(["files"] if "files" in value else []))
    for path, entries in of_files.items():
        if not isinstance(entries, list):
            raise _InvalidEntry("the findings of a file should be a list", "files", path)
        for index, entry in enumerate(entries):
            yield _parse_place(path, entry, index)


def _parse_place(path: str, entry: Any, index: int) -> BaselinePlace:
    at = ("files", path, index)
    if not isinstance(entry, dict):
        raise _InvalidEntry("a finding should be an object", *at)
    kind = "further" if "further" in entry else "message"
    for key in ("rule", kind, "mark"):
        if not isinstance(entry.get(key), str):
            raise _InvalidEntry(f'a finding should have a text "{key}"', *at, *([key] if key in entry else []))
    if not _PARTS.fullmatch(entry["mark"]):
        raise _InvalidEntry('"mark" should be five hashes', *at, "mark")
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
