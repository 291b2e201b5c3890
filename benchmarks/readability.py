"""Measure how hard Markdown pages are to read: `python -m benchmarks.readability FOLDER…` prints a row per folder.

Only prose in paragraphs and list items counts: no code, tables, headings, front matter, or generated reference. The
grade is Flesch-Kincaid (Kincaid and others, 1975); a passive is a form of *be* or *get* before a participle.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

_FENCE = re.compile(r"^([ \t>]*)(`{3,}|~{3,}).*?^[ \t>]*\2[`~]*[ \t]*$", re.MULTILINE | re.DOTALL)
_GENERATED = re.compile(r"<!-- ([\w ]+): begin -->.*?<!-- \1: end -->", re.DOTALL)
_NOT_PROSE = re.compile(
    r"\A---\n.*?^---$|<!--.*?-->|^[ \t]*(?:[|#<!=]|:::|\?\?\?|\[\S+\]:)[^\n]*$", re.MULTILINE | re.DOTALL
)
_MARKUP = re.compile(r"!?\[([^\]]*)\](?:\([^)]*\)|\[[^\]]*\])?|[*_`]+|\{[^}\n]*\}|<[^>\n]*>")
_ITEM = re.compile(r"^[ \t>]*(?:[-*+]|\d+[.)]|:)[ \t]+", re.MULTILINE)
_WORD = re.compile(r"[A-Za-z][A-Za-z'’]*")
_VOWELS = re.compile(r"[aeiouy]+")
_PASSIVE = re.compile(
    r"\b(?:is|are|was|were|be|been|being|gets?|got)(?: (?:not|also|only|then|always|never|\w+ly))?"
    r" (?:\w{2,}ed|made|found|shown|written|read|given|taken|known|set|put|built|kept|seen|sent|left|run)\b",
    re.IGNORECASE,
)


def read_prose(text: str) -> str:
    """Return the prose of a page, a blank line between blocks."""
    text = _NOT_PROSE.sub("", _FENCE.sub("", _GENERATED.sub("", text)))
    text = _MARKUP.sub(lambda match: match[1] or "", text)
    return _ITEM.sub("\n\n", text)


def split_sentences(prose: str) -> list[list[str]]:
    """Return the words of each sentence that has four words or more."""
    blocks = (re.sub(r"\s+", " ", block).strip() for block in re.split(r"\n\s*\n", prose))
    parts = (part for block in blocks for part in re.split(r"(?<=[.!?:])\s+(?=[A-Z“\"])", block))
    return [words for part in parts if len(words := _WORD.findall(part)) > 3]


def count_syllables(word: str) -> int:
    """Count groups of vowels, without a silent final e."""
    return max(len(_VOWELS.findall(word.lower())) - (word.lower().endswith("e") and not word.lower().endswith("le")), 1)


def measure(folder: Path) -> tuple[int, float, float, float]:
    """Return words, words per sentence, Flesch-Kincaid grade, and the share of sentences with a passive."""
    pages = [path for path in sorted(folder.rglob("*.md")) if "blog" not in path.parts]
    prose = [read_prose(path.read_text(encoding="utf-8")) for path in pages]
    sentences = [sentence for text in prose for sentence in split_sentences(text)]
    words = [word for sentence in sentences for word in sentence]
    length = len(words) / len(sentences)
    grade = 0.39 * length + 11.8 * sum(map(count_syllables, words)) / len(words) - 15.59
    passive = sum(bool(_PASSIVE.search(" ".join(sentence))) for sentence in sentences) / len(sentences)
    return len(words), length, grade, passive


if __name__ == "__main__":
    for folder in map(Path, sys.argv[1:]):
        count, length, grade, passive = measure(folder)
        print(f"| {folder} | {count:,} | {length:.1f} | {grade:.1f} | {passive:.0%} |")
