"""Normalize white space that alone differs between copies, where readers see no difference."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from tutorial_tool import data
from tutorial_tool.adopt.copies import CopySet
from tutorial_tool.adopt.lines import Column, align_texts, is_blank
from tutorial_tool.adopt.names.naming import SIMILAR_PERCENT
from tutorial_tool.adopt.template import tables
from tutorial_tool.core import lazy_re
from tutorial_tool.core.diagnostics import format_count
from tutorial_tool.core.source import Source
from tutorial_tool.variation.model.columns import find_blocks, locate_place, measure_similarity

_MARKER = lazy_re.compile(
    r"\n[ \t]*(?:[-*+][ \t]|[>#|<=:]|~~~|```|\d+[.)][ \t])"
)  # What begins a block if it begins a line
_FOLDED = lazy_re.compile(r"([\w-]+:[ \t]+>-?[ \t]*\n(?P<indent>[ \t]+))(\S.*(?:\n(?P=indent)\S.*)*)\n")
Lines = dict[str, str]  # Corresponding texts by platform; "" if a platform has none


def normalize(copies: CopySet) -> tuple[CopySet, list[str]]:
    """Unify the white space of copies; return the set, and notes on what was done."""
    before = list(_iter_texts(align_texts({platform: copy.text for platform, copy in copies.copies.items()}), copies))
    after = [_normalize_column(texts, kind) for texts, kind in before]
    ended = {platform: not copy.lacks_final_newline for platform, copy in copies.copies.items()}
    ends = 2 * sum(ended.values()) >= len(ended)
    count = sum(old != new for (old, _), new in zip(before, after, strict=True)) + (len(set(ended.values())) > 1)
    if not count:
        return copies, []
    out = {}
    for platform, copy in copies.copies.items():
        text = "".join(new.get(platform, "") for new in after)
        out[platform] = replace(copy, source=copy.source.replace_text(text if ends else text.removesuffix("\n")))
    changed = [p for p, copy in out.items() if copy.source.text != copies.copies[p].source.text]
    places = format_count(count, "place")
    return replace(copies, copies=out), [
        f"{copies}: only whitespace differed in {places}: made the same on {', '.join(changed)}"
    ]


def _iter_texts(columns: Sequence[Column], copies: CopySet) -> Iterator[tuple[Lines, str]]:
    """Yield the texts of all columns, and what may be unified in each.

    That is the spaces of `lines`, of `rows`, or of `front` matter, or `blank` or `extra` lines.
    """
    after_blank: frozenset[str] = frozenset()
    for at, column in enumerate(columns):
        texts = {platform: column[platform].text if platform in column else "" for platform in copies.copies}
        complete = len(column) == len(texts)
        if not is_blank(column):
            yield texts, _choose_mode({unit.kind for unit in column.values()}, complete=complete)
            after_blank -= column.keys()
            continue
        if complete:
            yield texts, "lines"
        elif column.keys() <= after_blank:
            yield texts, "extra"
        else:
            around, kind = _find_neighbors(columns, at)
            yield {platform: text for platform, text in texts.items() if text or platform in around}, kind
        after_blank |= column.keys()


def _choose_mode(kinds: Container[str], *, complete: bool) -> str:
    if "fence" in kinds or "front" in kinds:
        return "front" if complete and "front" in kinds else ""
    return "rows" if "table" in kinds else "lines" if complete else ""


def _find_neighbors(columns: Sequence[Column], at: int) -> tuple[frozenset[str], str]:
    """Return the platforms of the texts before and after a blank line, and what may be unified there."""
    before, after = _find_text_column(columns[at - 1 :: -1] if at else ()), _find_text_column(columns[at + 1 :])
    first = next(iter(after.values())) if after else None
    if first is None or before is None or (first.kind == "front" and first.text[0] > " "):
        return frozenset(platform for column in columns for platform in column), "extra"
    return frozenset(before) if before.keys() == (after or {}).keys() else frozenset(), "blank"


def _find_text_column(columns: Iterable[Column]) -> Column | None:
    """Return the first column that is not blank."""
    return next((column for column in columns if not is_blank(column)), None)


def _normalize_column(texts: Lines, kind: str) -> Lines:
    if kind == "lines":
        return _unify_line_breaks({platform: text.split("\n") for platform, text in texts.items()}) or _unify_spaces(
            texts
        )
    if kind == "rows":
        rows = {name: "\n".join(map(str.rstrip, text.split("\n"))) for name, text in texts.items()}
        is_uneven = len(set(rows.values())) > 1 and tables.have_different_styles(filter(None, rows.values()))
        return {name: tables.normalize_text(text) for name, text in rows.items()} if is_uneven else rows
    if kind == "front":
        return _unify_front_matter(texts)
    if kind in ("blank", "extra"):
        having = [platform for platform, text in texts.items() if text]
        if 2 * len(having) > len(texts):
            return dict.fromkeys(texts, "\n")
        if kind == "extra" or 2 * len(having) < len(texts):
            return dict.fromkeys(texts, "")
    return texts


def _unify_folded_texts(texts: Lines) -> Lines:
    """Write different folded texts on one line; empty if one is not folded."""
    folded = {platform: match for platform, text in texts.items() if (match := _FOLDED.fullmatch(text))}
    if len(folded) < len(texts) or len(set(texts.values())) == 1:
        return {}
    return {platform: f"{match[1]}{' '.join(match[3].split())}\n" for platform, match in folded.items()}


def _unify_front_matter(texts: Lines) -> Lines:
    """Unify lines of front matter with equal values: `{icon: x}` and `{ icon: x }`."""
    if folded := _unify_folded_texts(texts):
        return folded
    values = [data.convert_to_plain(data.load_yaml(Source("", text)).node) for text in texts.values()]
    is_same = len({"".join(text.split()) for text in texts.values()}) == 1
    is_same = is_same and all(value is not None and value == values[0] for value in values)
    return dict.fromkeys(texts, _get_most_frequent(texts.values())) if is_same else _unify_spaces(texts)


def _unify_spaces(texts: Lines) -> Lines:
    """Unify the white space between words and at line ends."""
    lines_by_platform = {platform: text.split("\n") for platform, text in texts.items()}
    if len({len(lines) for lines in lines_by_platform.values()}) > 1:
        return texts
    for index in range(len(next(iter(lines_by_platform.values())))):
        matches = [lines[index] for lines in lines_by_platform.values()]
        same = len({(line[: len(line) - len(line.lstrip())], *line.split()) for line in matches}) == 1
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
    is_similar = all(measure_similarity(model, text) * 100 >= SIMILAR_PERCENT for text in words.values())
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
