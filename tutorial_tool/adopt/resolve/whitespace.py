"""Normalize white space, list markers, quotes, and the order of fields, where readers see no difference."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, filterfalse, starmap

from tutorial_tool import data
from tutorial_tool.adopt.copies import CopySet
from tutorial_tool.adopt.lines import Column, align_texts, is_blank
from tutorial_tool.adopt.resolve.blank_lines import unify_blank_lines
from tutorial_tool.adopt.template import tables
from tutorial_tool.core import lazy_re
from tutorial_tool.core.diagnostics import format_count
from tutorial_tool.core.similarity import ALIKE
from tutorial_tool.core.source import Source, find_line_start
from tutorial_tool.markdown.document import Document
from tutorial_tool.markdown.parser import Dialect
from tutorial_tool.variation.model.alignment import find_blocks, locate_place, measure_similarity

_MARKER = lazy_re.compile(r"\n[ \t]*(?:[-*+][ \t]|[>#|<=:]|~~~|```|\d+[.)][ \t])")  # What begins a block on a line
_MARKERS = (
    (lazy_re.compile(r"(?P<indent>[ \t]*)\d(?=[.)][ \t])"), 1, "1"),
    (lazy_re.compile(r"(?P<indent>[ \t]*)[-*+](?=[ \t])"), 0, "-"),
)
"""Numbers and bullets of list items, how many of a list readers see, and what becomes of the others."""
_QUOTED = lazy_re.compile(r"([\"'])(\w[^\s\"'#:]* [^\"'#:]*)\1")  # Words that are the same text in YAML without quotes
_FOLDED = lazy_re.compile(r"([\w-]+:[ \t]+>-?[ \t]*\n(?P<indent>[ \t]+))(\S.*(?:\n(?P=indent)\S.*)*)\n")
_FIELD = lazy_re.compile(r"([A-Za-z_][\w-]*):(?:[ \t][^\n]*)?\n(?:[ \t]+[^\n]*\n|-[ \t][^\n]*\n|[ \t]*\n)*")
_START, _END = "", "\0"  # Keys of the text before and after the fields, which always is there
_REORDERED = ": the fields of front matter have the same order everywhere now"
_REMARKED = ": lists whose numbers or bullets differed have `1.` or `-` for each item, which readers do not see"
_REQUOTED = ": equal values of front matter have the same quotes everywhere now"
HIDDEN = {_REMARKED: "list markers", _REORDERED: "the order of fields", _REQUOTED: "quotes"}
"""What readers do not see, by the end of the note on it."""
_Line = tuple[str, int]  # A platform, and where a line begins in its text
Lines = dict[str, str]  # Corresponding texts by platform; "" if a platform has none


def normalize(copy_set: CopySet) -> tuple[CopySet, list[str]]:
    """Unify the white space of copies, and numbers and an order that readers do not see; return the set, and notes."""
    typed = {platform: copy.text for platform, copy in copy_set.copies.items()}
    ordered = _unify_order(typed)
    aligned = align_texts(ordered)
    texts, gaps = unify_blank_lines(aligned, copy_set.platforms)
    columns = align_texts(texts) if gaps else aligned
    marked = _unify_markers(columns, texts)
    before = list(_iter_texts(marked, copy_set))
    after = _restore_front_matter(before, [_normalize_column(texts, kind) for texts, kind in before], texts)
    ended = {platform: not copy.lacks_final_newline for platform, copy in copy_set.copies.items()}
    ends = 2 * sum(ended.values()) >= len(ended)
    changes = [(old, new) for (old, _), new in zip(before, after, strict=True) if old != new]
    requoted = list(starmap(_has_other_quotes, changes))
    count = gaps + (len(set(ended.values())) > 1) + requoted.count(False)
    was_hidden = {_REMARKED: marked != columns, _REORDERED: ordered != typed, _REQUOTED: any(requoted)}
    notes = [f"{copy_set}{end}" for end in HIDDEN if was_hidden[end]]
    if not count and not notes:
        return copy_set, []
    out = {}
    for platform, copy in copy_set.copies.items():
        text = "".join(new.get(platform, "") for new in after)
        out[platform] = replace(copy, source=copy.source.replace_text(text if ends else text.removesuffix("\n")))
    changed = [p for p, copy in out.items() if copy.source.text != copy_set.copies[p].source.text]
    places = format_count(count, "place")
    spaces = f"{copy_set}: only whitespace differed in {places}: made the same on {', '.join(changed)}"
    return replace(copy_set, copies=out), [*([spaces] if count else []), *notes]


def _has_other_quotes(old: Lines, new: Lines) -> bool:
    return any(old[platform].count(sign) != text.count(sign) for platform, text in new.items() for sign in ('"', "'"))


def _unify_order(texts: Mapping[str, str]) -> dict[str, str]:
    """Return the texts by platform, with the fields that all have in the order of most."""
    fields = {platform: _split_fields(text) for platform, text in texts.items()}
    shared = set.intersection(*map(set, fields.values()))
    orders = Counter(tuple(filter(shared.__contains__, own)) for own in fields.values())
    if len(orders) == 1:
        return dict(texts)
    following = {platform: iter(orders.most_common(1)[0][0]) for platform in fields}
    return {
        platform: "".join(own[next(following[platform]) if key in shared else key] for key in own)
        for platform, own in fields.items()
    }


def _split_fields(text: str) -> dict[str, str]:
    """Return the lines of each field, and the rest before and after them; empty if other lines are between them."""
    front = data.find_front_matter(text)
    start, end = (front.start, front.end) if front else (0, 0)
    fields = {match[1]: match[0] for match in _FIELD.finditer(text, start, end)}
    return {_START: text[:start], **fields, _END: text[end:]} if "".join(fields.values()) == text[start:end] else {}


def _find_hidden_markers(platform: str, text: str, form: re.Pattern[str], seen: int) -> Iterator[tuple[_Line, _Line]]:
    """Yield the lines whose list marker no reader sees, each with its list's: Markdown counts from the first item."""
    for block in Document(text, Dialect.GFM).lists if form.search(text) else ():
        starts = [find_line_start(text, item.start) for item in block.children]
        if all(form.match(text, start) for start in starts):
            yield from (((platform, start), (platform, starts[0])) for start in starts[seen:])


def _unify_markers(columns: Sequence[Column], texts: Lines) -> Sequence[Column]:
    """Return the columns with the same markers for lists that are marked differently; two lists stay two."""
    for pattern, seen, marker in _MARKERS:
        lists = (_find_hidden_markers(platform, text, pattern, seen) for platform, text in texts.items())
        changed = list(_replace_markers(columns, dict(chain.from_iterable(lists)), pattern, marker))
        after = {platform: "".join(c[platform].text for c in changed if platform in c) for platform in texts}
        if all(after[p] == text or _locate_blocks(after[p]) == _locate_blocks(text) for p, text in texts.items()):
            columns, texts = changed, after
    return columns


def _locate_blocks(text: str) -> list[tuple[str, int, int]]:
    return [(block.kind, block.start, block.end) for block, _ in Document(text, Dialect.GFM).walk()]


def _replace_markers(
    columns: Sequence[Column], lists: Mapping[_Line, _Line], pattern: re.Pattern[str], marker: str
) -> Iterator[Column]:
    """Yield the columns with a marker for each hidden one of lists that differ."""
    rows, ends = list[dict[str, _Line | None]](), dict[str, int]()
    for column in columns:
        rows.append({platform: lists.get((platform, ends.get(platform, 0))) for platform in column})
        ends |= {platform: ends.get(platform, 0) + len(unit.text) for platform, unit in column.items()}
    uneven: set[_Line | None] = set()
    for row, column in zip(rows, columns, strict=True):
        if None not in row.values() and len({unit.text.lstrip()[0] for unit in column.values()}) > 1:
            uneven.update(row.values())
    affected = [list(row.values()) for row in rows]
    while grown := {*chain.from_iterable(row for row in affected if not uneven.isdisjoint(row))} - {*uneven, None}:
        uneven |= grown
    for row, column in zip(rows, columns, strict=True):
        yield {
            p: unit._replace(text=pattern.sub(rf"\g<indent>{marker}", unit.text, count=1)) if row[p] in uneven else unit
            for p, unit in column.items()
        }


def _iter_texts(columns: Sequence[Column], copy_set: CopySet) -> Iterator[tuple[Lines, str]]:
    """Yield the texts of all columns, and what may be unified in each.

    That is the spaces of `lines`, of `rows`, or of `front` matter, or `blank` or `extra` lines.
    """
    after_blank: frozenset[str] = frozenset()
    for at, column in enumerate(columns):
        if not is_blank(column):
            yield {p: unit.text for p, unit in column.items()}, _choose_mode({unit.kind for unit in column.values()})
            after_blank -= column.keys()
            continue
        texts = {platform: column[platform].text if platform in column else "" for platform in copy_set.copies}
        if len(column) == len(texts):
            yield texts, "lines"
        elif column.keys() <= after_blank:
            yield texts, "extra"
        else:
            around, kind = _find_neighbors(columns, at)
            yield {platform: text for platform, text in texts.items() if text or platform in around}, kind
        after_blank |= column.keys()


def _choose_mode(kinds: Container[str]) -> str:
    modes = {"fence": "", "front": "front", "table": "rows"}
    return next((mode for kind, mode in modes.items() if kind in kinds), "lines")


def _find_neighbors(columns: Sequence[Column], at: int) -> tuple[frozenset[str], str]:
    """Return the platforms of the texts before and after a blank line, and what may be unified there."""
    around = columns[at - 1 :: -1] if at else (), columns[at + 1 :]
    before, after = (next(filterfalse(is_blank, side), None) for side in around)
    first = next(iter(after.values())) if after else None
    if first is None or before is None or (first.kind == "front" and first.text[0] > " "):
        return frozenset(platform for column in columns for platform in column), "extra"
    return frozenset(before) if before.keys() == (after or {}).keys() else frozenset(), "blank"


def _normalize_column(texts: Lines, kind: str) -> Lines:
    if kind == "lines":
        lines = {platform: text.split("\n") for platform, text in texts.items()}
        return _unify_line_breaks(lines) or _unify_spaces(texts)
    if kind == "rows":
        rows = {name: "\n".join(map(str.rstrip, text.split("\n"))) for name, text in texts.items()}
        is_uneven = len(set(rows.values())) > 1 and tables.have_different_styles(rows.values())
        return {name: tables.normalize_text(text) for name, text in rows.items()} if is_uneven else rows
    if kind == "front":
        return _unify_front_matter(texts)
    if kind in ("blank", "extra"):
        having = [platform for platform, text in texts.items() if text]
        if kind == "extra" or 2 * len(having) < len(texts):
            return dict.fromkeys(texts, "")
        if 2 * len(having) > len(texts):
            return dict.fromkeys(texts, "\n")
    return texts


def _unify_folded_texts(texts: Lines) -> Lines:
    """Write different folded texts on one line; empty if one is not folded."""
    folded = {platform: match for platform, text in texts.items() if (match := _FOLDED.fullmatch(text))}
    if len(folded) < len(texts) or len(set(texts.values())) == 1:
        return {}
    return {platform: f"{match[1]}{' '.join(match[3].split())}\n" for platform, match in folded.items()}


def _unify_front_matter(texts: Lines) -> Lines:
    """Unify the indentation of front matter, and equal values: `{icon: x}` and `{ icon: x }`, `"x"` and `x`."""
    if folded := _unify_folded_texts(texts):
        return folded
    values = [data.convert_to_plain(data.load_yaml(Source("", text)).node) for text in texts.values()]
    is_same = len({"".join(_QUOTED.sub(r"\2", text).split()) for text in texts.values()}) == 1
    if is_same and values[0] is not None and values.count(values[0]) == len(values):
        return dict.fromkeys(texts, _get_most_frequent(texts.values()))
    indent = _get_most_frequent(text[: len(text) - len(text.lstrip())] for text in texts.values())
    return _unify_spaces({platform: indent + text.lstrip() for platform, text in texts.items()})


def _restore_front_matter(before: Sequence[tuple[Lines, str]], after: Sequence[Lines], texts: Lines) -> Sequence[Lines]:
    """Return the unified texts, with front matter as before if it would say something else in a copy."""

    def read(text: str) -> list[str]:
        loaded = data.load_front_matter(Source("", text))
        return str(loaded and (data.convert_to_plain(loaded.node), loaded.findings)).split()

    if all(read("".join(new.get(name, "") for new in after)) == read(text) for name, text in texts.items()):
        return after
    return [old if kind == "front" else new for (old, kind), new in zip(before, after, strict=True)]


def _unify_spaces(texts: Lines) -> Lines:
    """Unify the white space between words and at line ends."""
    lines_by_platform = {platform: text.split("\n") for platform, text in texts.items()}
    if len({len(lines) for lines in lines_by_platform.values()}) > 1:
        return texts
    for index in range(len(next(iter(lines_by_platform.values())))):
        matches = [lines[index] for lines in lines_by_platform.values()]
        same = len({(line[: len(line) - len(line.lstrip())].expandtabs(4), *line.split()) for line in matches}) == 1
        tail = _get_most_frequent(line[len(line.rstrip()) :] for line in matches)
        if len({_has_hard_break(lines, index) for lines in lines_by_platform.values()}) > 1:
            continue  # readers see hard breaks
        for lines in lines_by_platform.values():
            lines[index] = (
                _get_most_frequent(matches) if same or not "".join(matches).strip() else lines[index].rstrip() + tail
            )
    return {platform: "\n".join(lines) for platform, lines in lines_by_platform.items()}


def _unify_line_breaks(own: Mapping[str, Sequence[str]]) -> Lines:
    """Wrap texts of almost the same words like the first; empty if they need no change, or cannot be."""
    words = {platform: tuple(" ".join(lines).split()) for platform, lines in own.items()}
    is_broken = any(_has_hard_break(lines, at) for lines in own.values() for at in range(len(lines)))
    shapes = {tuple(len(line.split()) for line in lines) for lines in own.values()}
    model, first = next(iter(words.values())), next(iter(own.values()))
    is_similar = all(measure_similarity(model, text) * 100 >= ALIKE for text in words.values())
    if is_broken or len(shapes) == 1 or not is_similar:
        return {}
    out = {platform: "\n".join(_wrap_like(first, text)) for platform, text in words.items()}
    return {} if any(map(_MARKER.search, out.values())) else out


def _wrap_like(lines: Sequence[str], words: tuple[str, ...]) -> Iterator[str]:
    """Yield words in lines that end where those of a similar text do; none is empty but the last."""
    blocks = find_blocks(tuple(" ".join(lines).split()), words, is_bridged=False)
    at = done = 0
    for line in lines:
        at += len(line.split())
        _, end = locate_place(blocks, (0, at))
        if done < end or not line.strip():
            yield line[: len(line) - len(line.lstrip())] + " ".join(words[done:end])
        done = end


def _has_hard_break(lines: Sequence[str], at: int) -> bool:
    """Return whether a line ends with a hard line break: two spaces before another line of the text."""
    return lines[at].endswith("  ") and bool(lines[at].strip()) and at + 1 < len(lines) and bool(lines[at + 1].strip())


def _get_most_frequent(texts: Iterable[str]) -> str:
    """Return the most frequent text; of several, the shortest."""
    counts = Counter(texts)
    return min(counts, key=lambda text: (-counts[text], len(text)))
