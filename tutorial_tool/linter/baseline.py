"""The baseline: a file of the findings that are known, which stay silent while new ones fail a run.

What is known are places. A finding is known when its own place is, and each further one that it tells of: so the drift
of a copy may shrink, and never grow.
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
NAME = "tutorial-baseline.json"  # What the file is called where nobody says
LIMIT = 100_000_000  # Bytes of the largest baseline that is read

_FURTHER = lazy_re.compile(r"\btoo(?::|$)")
"""What a related place says that is no explanation, but the same defect once more: `differs, too`, `here too`."""
_FACT = lazy_re.compile(r"`([^`]*)`")
_MARK = lazy_re.compile(r"[0-9a-f]{12}|-")
_PARTS = lazy_re.compile(rf"(?:{_MARK.pattern})(?: (?:[0-9a-f]{{8}}|-)){{4}}")


class BaselinePlace(NamedTuple):
    """A place that a finding of a rule tells of. `path` is relative to the folder of the baseline.

    `message` is the finding's, or, of a further place, what is said of that.
    """

    path: str
    rule: str
    message: str
    further: bool
    mark: Mark

    @property
    def facts(self) -> tuple[str, ...]:
        """What the message adds to the place: what it has in backticks, such as the row that a table lacks.

        Where it quotes the text of the place, that tells enough: what else it quotes may be a suggestion.
        """
        facts = tuple(_FACT.findall(self.message))
        return () if self.mark.text in map(hash_text, facts) else facts

    def is_same_defect(self, other: BaselinePlace) -> bool:
        """Whether both tell the same: a finding that begins elsewhere now tells of its places in another order."""
        return self.further or other.further or self.facts == other.facts


class BaselineComparison(NamedTuple):
    """Findings beside a baseline: those that are new, those that are known, and the places that are not found again.

    `old` are not in the baseline, but older than the change that is asked about. `touched` are such ones among the
    new: they count since they lie on changed lines.
    """

    new: list[Finding]
    known: list[Finding]
    gone: list[BaselinePlace]
    old: Sequence[Finding] = ()
    touched: Sequence[Finding] = ()


@dataclass(frozen=True)
class Baseline:
    """The places that a file names."""

    file: Path
    places: tuple[BaselinePlace, ...]

    def compare(self, findings: Iterable[Finding], root: Path, going: Collection[Path] = ()) -> BaselineComparison:
        """What is new among findings, whose paths are relative to `root`. Files that are `going` count as gone."""
        reported = [_ReportedFinding(finding, list(self._iter_places(finding, root))) for finding in findings]
        open_ = set(range(len(self.places)))
        named = {files.format_path(path, self.file.parent) for path in going}
        gone = {path: is_gone or path in named for path, is_gone in self._is_gone.items()}
        _match_findings(reported, self.places, open_, gone)
        new = [item.move_to_new_place() for item in reported if None in item.known]
        known = [item.finding for item in reported if None not in item.known]
        return BaselineComparison(new, known, [self.places[index] for index in sorted(open_)])

    def _iter_places(self, finding: Finding, root: Path) -> Iterator[BaselinePlace]:
        return _iter_places(finding, root, self.file.parent)

    @cached_property
    def _is_gone(self) -> Mapping[str, bool]:
        """Whether the file is gone that a path names."""
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
    """Whether a related place is a further one of the same defect; the others explain it."""
    return _FURTHER.search(related.message) is not None


# Comparing


@dataclass
class _ReportedFinding:
    """A finding, its places, and for each the number of the known place that it is."""

    finding: Finding
    places: list[BaselinePlace]

    def __post_init__(self) -> None:
        self.known: list[int | None] = [None] * len(self.places)

    def move_to_new_place(self) -> Finding:
        """The finding; where its own place is known, it is told at the first new one, and says which others are new.

        Its own place is explained then as the known one: most reports show only where a finding stands.
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
        """What is said of a further place that is told instead of the finding's own."""
        at, *behind = self.finding.related[first:]
        message = at.message if ":" in at.message else self.finding.message
        if ":" in at.message and behind and not is_further(behind[0]):
            message += f"; {behind[0].message}"
        span = self.finding.span
        line = span.position[0]
        return f"{message} (new; known is {f'line {line}' if span.path == at.span.path else f'{span.path}:{line}'})"


_Key = Callable[[BaselinePlace], tuple[str, ...] | None]
"""What two places share that are the same one; None where a place has nothing of the kind."""


def _match_findings(
    reported: Sequence[_ReportedFinding], known: Sequence[BaselinePlace], open_: set[int], gone: Mapping[str, bool]
) -> None:
    """Finds the known place of each that is told, the most alike first; `open_` are the known ones that are left."""
    for key in (_get_surroundings_key, *(_make_part_key(part) for part in ("line", "words", "before", "after"))):
        _pair_places(reported, known, open_, key)
    for key in _MOVED:  # files that are called otherwise now, and copies that became a template
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
    """A line of a template has names in braces where a copy had words: one part of what surrounds it must do."""

    def get_key(place: BaselinePlace) -> tuple[str, ...] | None:
        part: str = getattr(place.mark, name)
        return None if part == NOTHING else (place.rule, place.mark.text, part)

    return get_key


def _make_moved_message_key(name: str) -> _Key:
    """The same where the text itself has such a name: what is said of it quotes what readers see."""

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
    """What stood in a copy, and is a value of the data now: nothing around it is as it was."""
    return (place.rule, place.mark.text) if place.mark.text != NOTHING else None


def _get_adopted_message_key(place: BaselinePlace) -> tuple[str, ...] | None:
    """The same where only a part of the text became data: what is said of it quotes the whole."""
    return (place.rule, place.message) if place.facts else None


_COPIES = (".md", ".mdx", ".markdown")
_DATA = (".yaml", ".yml")
_ADOPTED: tuple[_Key, ...] = (_get_adopted_text_key, _get_adopted_message_key)


def _iter_unpaired(
    reported: Iterable[_ReportedFinding], skipped: Collection[str], suffixes: tuple[str, ...]
) -> Iterator[tuple[_ReportedFinding, int]]:
    """Yield the places without a known one, as what has them and their number."""
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
    """Pairs places with equal keys, and takes what is found from `open_`.

    `elsewhere` are paths that are left aside: a file is sought under another name, with one of the `suffixes`. Where
    more places are found there than are known, nobody can say which are the known ones, and none is.
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
    """Writes what is known from now on: findings, whose paths are relative to `root`.

    Of a file that is there, the places stay that are to be `kept`, for nobody looked for them. Returns how many
    findings leave it. Raises ConfigError for a file that is no baseline, OSError, and finding.Error for an unsafe path.
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
    """A line for each place, in an order that does not depend on where it stands in its file."""
    by_path: dict[str, list[str]] = {}
    for place in sorted(places, key=lambda place: (place.path, place.rule, place.further, place.message, place.mark)):
        kind = "further" if place.further else "message"
        entry = {"rule": place.rule, kind: place.message, "mark": str(place.mark)}
        by_path.setdefault(place.path, []).append(f"      {_dump_json(entry)}")
    files = [f"    {_dump_json(path)}: [\n" + ",\n".join(entries) + "\n    ]" for path, entries in by_path.items()]
    inside = "{\n" + ",\n".join(files) + "\n  }" if files else "{}"
    return f'{{\n  "version": {VERSION},\n  "about": {_dump_json(BASELINE)},\n  "files": {inside}\n}}\n'


def _dump_json(value: object) -> str:
    """JSON in which other scripts stand as they are, and what is not seen is escaped."""
    import json  # slow to load where there is no baseline

    text = json.dumps(value, ensure_ascii=False)
    return text if text.isprintable() else "".join(c if c.isprintable() else json.dumps(c)[1:-1] for c in text)


# Reading


def get_configured(config: Config) -> Baseline | None:
    """The baseline that a configuration names. Raises ConfigError where it cannot be used."""
    return load(Path(config.folder / config.baseline).absolute()) if config.baseline else None


def build_from_findings(findings: Iterable[Finding], root: Path) -> Baseline:
    """A baseline that is in no file: findings whose paths are relative to `root`."""
    return Baseline(root / NAME, tuple(place for finding in findings for place in _iter_places(finding, root, root)))


def compare(
    findings: Iterable[Finding], known: Baseline | None, root: Path, going: Collection[Path] = ()
) -> BaselineComparison:
    """Findings, with paths relative to `root`, beside a baseline; without one, all are new."""
    return known.compare(findings, root, going) if known else BaselineComparison(list(findings), [], [])


def load(file: Path) -> Baseline:
    """Reads a baseline. Raises ConfigError, with the place, for a file that is none."""
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
    """What does not belong in a baseline, and the keys that lead to it."""

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
    """Where the value stands that keys lead to: JSON reads as YAML, whose reader knows places."""
    node = data.load_yaml(source).node
    for key in path:
        if isinstance(node, data.Mapping):
            node = next((value for name, value in node.items if name.text == key), node)
        elif isinstance(node, data.Sequence) and isinstance(key, int) and key < len(node.items):
            node = node.items[key]
    return str(node.span) if node is not None else source.path
