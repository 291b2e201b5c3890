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
from tutorial_tool.linter.fingerprint import NOTHING, Mark, hashed, mark

VERSION = 1  # The format of the file
NAME = "tutorial-baseline.json"  # What the file is called where nobody says
LIMIT = 100_000_000  # Bytes of the largest baseline that is read

_FURTHER = lazy_re.compile(r"\btoo(?::|$)")
"""What a related place says that is no explanation, but the same defect once more: `differs, too`, `here too`."""
_FACT = lazy_re.compile(r"`([^`]*)`")
_MARK = lazy_re.compile(r"[0-9a-f]{12}|-")
_PARTS = lazy_re.compile(rf"(?:{_MARK.pattern})(?: (?:[0-9a-f]{{8}}|-)){{4}}")


class Place(NamedTuple):
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
        return () if self.mark.text in map(hashed, facts) else facts

    def is_like(self, other: Place) -> bool:
        """Whether both tell the same: a finding that begins elsewhere now tells of its places in another order."""
        return self.further or other.further or self.facts == other.facts


class Compared(NamedTuple):
    """Findings beside a baseline: those that are new, those that are known, and the places that are not found again.

    `old` are not in the baseline, but older than the change that is asked about. `touched` are such ones among the
    new: they count since they lie on changed lines.
    """

    new: list[Finding]
    known: list[Finding]
    gone: list[Place]
    old: Sequence[Finding] = ()
    touched: Sequence[Finding] = ()


@dataclass(frozen=True)
class Baseline:
    """The places that a file names."""

    file: Path
    places: tuple[Place, ...]

    def compared(self, findings: Iterable[Finding], root: Path, going: Collection[Path] = ()) -> Compared:
        """What is new among findings, whose paths are relative to `root`. Files that are `going` count as gone."""
        reported = [_Told(finding, list(self._places(finding, root))) for finding in findings]
        open_ = set(range(len(self.places)))
        named = {files.format_path(path, self.file.parent) for path in going}
        gone = {path: is_gone or path in named for path, is_gone in self._is_gone.items()}
        _match(reported, self.places, open_, gone)
        new = [item.finding_with_news() for item in reported if None in item.known]
        known = [item.finding for item in reported if None not in item.known]
        return Compared(new, known, [self.places[index] for index in sorted(open_)])

    def _places(self, finding: Finding, root: Path) -> Iterator[Place]:
        return _places(finding, root, self.file.parent)

    @cached_property
    def _is_gone(self) -> Mapping[str, bool]:
        """Whether the file is gone that a path names."""
        paths = {place.path for place in self.places}
        return {path: not os.path.isfile(self.file.parent / path) for path in paths}  # noqa: PTH113 - raises nothing


def _places(finding: Finding, root: Path, folder: Path) -> Iterator[Place]:
    yield Place(_named(finding.span, root, folder), finding.rule, finding.message, False, mark(finding.span))
    for related in finding.related:
        if is_further(related):
            path = _named(related.span, root, folder)
            yield Place(path, finding.rule, related.message, True, mark(related.span))


def _named(span: Span, root: Path, folder: Path) -> str:
    return span.path if root == folder else files.format_path(root / span.path, folder)


def is_further(related: Related) -> bool:
    """Whether a related place is a further one of the same defect; the others explain it."""
    return _FURTHER.search(related.message) is not None


# Comparing


@dataclass
class _Told:
    """A finding, its places, and for each the number of the known place that it is."""

    finding: Finding
    places: list[Place]

    def __post_init__(self) -> None:
        self.known: list[int | None] = [None] * len(self.places)

    def finding_with_news(self) -> Finding:
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


_Key = Callable[[Place], tuple[str, ...] | None]
"""What two places share that are the same one; None where a place has nothing of the kind."""


def _match(reported: Sequence[_Told], known: Sequence[Place], open_: set[int], gone: Mapping[str, bool]) -> None:
    """Finds the known place of each that is told, the most alike first; `open_` are the known ones that are left."""
    for key in (_same_surroundings, *(_same_part(part) for part in ("line", "words", "before", "after"))):
        _pair(reported, known, open_, key)
    for key in _MOVED:  # files that are called otherwise now, and copies that became a template
        moved = {index for index in open_ if gone[known[index].path]}
        before = set(moved)
        _pair(reported, known, moved, key, elsewhere=gone)
        open_ -= before - moved
    for key in _ADOPTED:
        copies = {index for index in open_ if gone[known[index].path] and known[index].path.endswith(_COPIES)}
        before = set(copies)
        _pair(reported, known, copies, key, elsewhere=gone, suffixes=_DATA)
        open_ -= before - copies


def _same_surroundings(place: Place) -> tuple[str, ...]:
    return place.rule, place.path, *place.mark


def _same_part(name: str) -> _Key:
    def key(place: Place) -> tuple[str, ...] | None:
        part: str = getattr(place.mark, name)
        return None if part == NOTHING else (place.rule, place.path, place.mark.text, part)

    return key


def _moved_whole(place: Place) -> tuple[str, ...]:
    return place.rule, *place.mark


def _moved_line(place: Place) -> tuple[str, ...] | None:
    return None if place.mark.line == NOTHING else (place.rule, place.mark.text, place.mark.line)


def _moved_part(name: str) -> _Key:
    """A line of a template has names in braces where a copy had words: one part of what surrounds it must do."""

    def key(place: Place) -> tuple[str, ...] | None:
        part: str = getattr(place.mark, name)
        return None if part == NOTHING else (place.rule, place.mark.text, part)

    return key


def _moved_message(name: str) -> _Key:
    """The same where the text itself has such a name: what is said of it quotes what readers see."""

    def key(place: Place) -> tuple[str, ...] | None:
        part: str = getattr(place.mark, name)
        return None if part == NOTHING or not place.facts else (place.rule, place.message, part)

    return key


_AROUND = ("words", "before", "after")
_MOVED: tuple[_Key, ...] = (_moved_whole, _moved_line, *map(_moved_part, _AROUND), *map(_moved_message, _AROUND))


def _adopted_text(place: Place) -> tuple[str, ...] | None:
    """What stood in a copy, and is a value of the data now: nothing around it is as it was."""
    return (place.rule, place.mark.text) if place.mark.text != NOTHING else None


def _adopted_message(place: Place) -> tuple[str, ...] | None:
    """The same where only a part of the text became data: what is said of it quotes the whole."""
    return (place.rule, place.message) if place.facts else None


_COPIES = (".md", ".mdx", ".markdown")
_DATA = (".yaml", ".yml")
_ADOPTED: tuple[_Key, ...] = (_adopted_text, _adopted_message)


def _unpaired(
    reported: Iterable[_Told], skipped: Collection[str], suffixes: tuple[str, ...]
) -> Iterator[tuple[_Told, int]]:
    """Yield the places without a known one, as what has them and their number."""
    for item in reported:
        for number, place in enumerate(item.places):
            if item.known[number] is None and place.path not in skipped and place.path.endswith(suffixes):
                yield item, number


def _pair(
    reported: Sequence[_Told],
    known: Sequence[Place],
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
    asking: dict[tuple[str, ...], list[tuple[_Told, int]]] = {}
    for item, number in _unpaired(reported if by_key else (), elsewhere or (), suffixes):
        if (pair := key(item.places[number])) is not None and pair in by_key:
            asking.setdefault(pair, []).append((item, number))
    for pair, askers in asking.items():
        left = by_key[pair]
        for item, number in askers if elsewhere is None or len(askers) <= len(left) else ():
            like = next((index for index in left if item.places[number].is_like(known[index])), None)
            if like is not None:
                item.known[number] = like
                left.remove(like)
                open_.remove(like)


# Writing


def write(file: Path, findings: Iterable[Finding], root: Path, *, kept: Callable[[Place], bool] | None = None) -> int:
    """Writes what is known from now on: findings, whose paths are relative to `root`.

    Of a file that is there, the places stay that are to be `kept`, for nobody looked for them. Returns how many
    findings leave it. Raises ConfigError for a file that is no baseline, OSError, and finding.Error for an unsafe path.
    """
    findings = list(findings)
    old = load(file) if file.exists() else Baseline(file, ())
    stay = [place for place in old.places if kept is not None and kept(place)]
    places = [place for finding in findings for place in _places(finding, root, file.parent)]
    looked = [place for place in places if kept is None or not kept(place)]
    files.write(file, _as_json([*stay, *looked]).encode(), root=file.parent)
    gone = replace(old, places=tuple(place for place in old.places if place not in stay)).compared(findings, root).gone
    return sum(not place.further for place in gone)


def _as_json(places: Iterable[Place]) -> str:
    """A line for each place, in an order that does not depend on where it stands in its file."""
    by_path: dict[str, list[str]] = {}
    for place in sorted(places, key=lambda place: (place.path, place.rule, place.further, place.message, place.mark)):
        kind = "further" if place.further else "message"
        entry = {"rule": place.rule, kind: place.message, "mark": str(place.mark)}
        by_path.setdefault(place.path, []).append(f"      {_dumped(entry)}")
    files = [f"    {_dumped(path)}: [\n" + ",\n".join(entries) + "\n    ]" for path, entries in by_path.items()]
    inside = "{\n" + ",\n".join(files) + "\n  }" if files else "{}"
    return f'{{\n  "version": {VERSION},\n  "about": {_dumped(BASELINE)},\n  "files": {inside}\n}}\n'


def _dumped(value: object) -> str:
    """JSON in which other scripts stand as they are, and what is not seen is escaped."""
    import json  # slow to load where there is no baseline

    text = json.dumps(value, ensure_ascii=False)
    return text if text.isprintable() else "".join(c if c.isprintable() else json.dumps(c)[1:-1] for c in text)


# Reading


def of(config: Config) -> Baseline | None:
    """The baseline that a configuration names. Raises ConfigError where it cannot be used."""
    return load(Path(config.folder / config.baseline).absolute()) if config.baseline else None


def of_findings(findings: Iterable[Finding], root: Path) -> Baseline:
    """A baseline that is in no file: findings whose paths are relative to `root`."""
    return Baseline(root / NAME, tuple(place for finding in findings for place in _places(finding, root, root)))


def compared(findings: Iterable[Finding], known: Baseline | None, root: Path, going: Collection[Path] = ()) -> Compared:
    """Findings, with paths relative to `root`, beside a baseline; without one, all are new."""
    return known.compared(findings, root, going) if known else Compared(list(findings), [], [])


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
        return Baseline(file, tuple(_read(json.loads(source.text))))
    except json.JSONDecodeError as wrong:
        place = f"{name}:{wrong.lineno}:{wrong.colno}"
        message = (
            f"{place}: not valid JSON: {wrong.msg}; write it again with `tutorial-tool lint --write-baseline {name}`"
        )
        if source.text[wrong.pos : wrong.pos + 7] in ("<" * 7, "=" * 7, ">" * 7):
            text = f"delete the file and write a new one with `tutorial-tool lint --write-baseline {name}`"
            message = f"{place}: unresolved merge conflict; resolve it, or {text}"
        raise ConfigError([message]) from wrong
    except _Wrong as wrong:
        raise ConfigError([f"{_position(source, wrong.path)}: {wrong.message}"]) from wrong
    except (RecursionError, ValueError) as wrong:
        raise ConfigError([f"{name}: not a baseline"]) from wrong


class _Wrong(Exception):
    """What does not belong in a baseline, and the keys that lead to it."""

    def __init__(self, message: str, *path: str | int) -> None:
        super().__init__(message)
        self.message, self.path = message, path


def _read(value: Any) -> Iterator[Place]:
    if not isinstance(value, dict) or "version" not in value:
        raise _Wrong('not a baseline: "version" is missing; delete the file and write a new one')
    if value["version"] != VERSION:
        again = "this baseline is from another version of tutorial-tool; delete it and write a new one"
        raise _Wrong(again, "version")
    of_files = value.get("files")
    if not isinstance(of_files, dict):
        raise _Wrong('"files" should be an object', *(["files"] if "files" in value else []))
    for path, entries in of_files.items():
        if not isinstance(entries, list):
            raise _Wrong("the findings of a file should be a list", "files", path)
        for index, entry in enumerate(entries):
            yield _place(path, entry, index)


def _place(path: str, entry: Any, index: int) -> Place:
    at = ("files", path, index)
    if not isinstance(entry, dict):
        raise _Wrong("a finding should be an object", *at)
    kind = "further" if "further" in entry else "message"
    for key in ("rule", kind, "mark"):
        if not isinstance(entry.get(key), str):
            raise _Wrong(f'a finding should have a text "{key}"', *at, *([key] if key in entry else []))
    if not _PARTS.fullmatch(entry["mark"]):
        raise _Wrong('"mark" should be five hashes', *at, "mark")
    return Place(path, entry["rule"], entry[kind], kind == "further", Mark(*entry["mark"].split(" ")))


def _position(source: Source, path: Sequence[str | int]) -> str:
    """Where the value stands that keys lead to: JSON reads as YAML, whose reader knows places."""
    node = data.load_yaml(source).node
    for key in path:
        if isinstance(node, data.Mapping):
            node = next((value for name, value in node.items if name.text == key), node)
        elif isinstance(node, data.Sequence) and isinstance(key, int) and key < len(node.items):
            node = node.items[key]
    return str(node.span) if node is not None else source.path
