"""Read vocabularies of other tools: Vale's accept and reject lists, cspell's configuration and word lists."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

from tutorial_tool import data
from tutorial_tool.core import lazy_re
from tutorial_tool.core.diagnostics import Finding, build_error
from tutorial_tool.core.source import Source, Span, blank_text
from tutorial_tool.data import Mapping, Node, Scalar, Sequence, get_entries
from tutorial_tool.fs import files
from tutorial_tool.spelling import vale
from tutorial_tool.spelling.patterns import MalformedPattern, Pattern, compile_pattern
from tutorial_tool.spelling.vocabulary import Compounds, RejectedWord, Vocabulary

RULE = "unreadable-file"
_CONFIGURATION = (".json", ".jsonc", ".yaml", ".yml")
_ACCEPT, _REJECT = "accept.txt", "reject.txt"
_SPECIAL = lazy_re.compile(r"[\\()\[\]{}*+?|^$]")
"""Makes a Vale entry a regular expression. A dot alone does not: `Node.js` is a word."""
_MARKED = lazy_re.compile(r"(?P<before>[*+]?)(?P<word>[^*+!~]*)(?P<after>[*+]?)")
_BETTER = lazy_re.compile(r"\s*(?:->|=>|:)\s*")

Read = tuple[Vocabulary, list[Finding]]


def read(path: Path, root: Path) -> Read:
    """Return the vocabulary of a file or folder, and the findings in it."""
    if path.is_dir():
        return _read_folder(path, root)
    source = files.read(path, root=root)
    if isinstance(source, Finding):
        return Vocabulary(), [source]
    if path.name in (_ACCEPT, _REJECT):
        return _read_vale_list(source, rejects=path.name == _REJECT)
    if path.name in vale.NAMES:
        return vale.read_configuration(source, path.parent, root, read)
    if path.suffix.lower() in _CONFIGURATION:
        return _CspellConfiguration(source, path.parent, root).read()
    return _read_word_list(source)


def _read_folder(path: Path, root: Path) -> Read:
    vocabulary, findings = Vocabulary(), []
    paths = [path / name for name in (_ACCEPT, _REJECT) if (path / name).is_file()]
    if not paths:
        source = Source(files.format_path(path, root), "")
        message = f"a vocabulary of Vale's has a file `{_ACCEPT}` or `{_REJECT}`"
        return vocabulary, [build_error(RULE, message, source.span(0))]
    for file in paths:
        more, wrong = read(file, root)
        vocabulary |= more
        findings += wrong
    return vocabulary, findings


def _iter_lines(source: Source) -> Iterator[tuple[int, str]]:
    """Yield the offset of each line's text, and that text."""
    at = 0
    for line in source.text.split("\n"):
        text = line.strip()
        if text:
            yield at + line.index(text), text
        at += len(line) + 1


# Vale


def _read_vale_list(source: Source, *, rejects: bool) -> Read:
    """Read a list with one regular expression a line; a line that begins with `# ` is a comment."""
    words, patterns, ruled = [], [], []
    findings: list[Finding] = []
    for at, text in _iter_lines(source):
        if text == "#" or text.startswith("# "):
            continue
        span = source.span(at, at + len(text))
        pattern = None
        if _SPECIAL.search(text):
            pattern = _compile_pattern(text, span, findings)
            if pattern is None:
                continue
        if rejects:
            ruled.append(RejectedWord(text, span, pattern=pattern))
        elif pattern:
            patterns.append(pattern)
        else:
            words.append(text)
    vocabulary = Vocabulary.from_entries(words) | Vocabulary(patterns=tuple(patterns), rejected=tuple(ruled))
    return vocabulary, findings


def _compile_pattern(text: str, span: Span, findings: list[Finding]) -> Pattern | None:
    try:
        return compile_pattern(text)
    except MalformedPattern as wrong:
        at = Span(span.source, span.start + wrong.at, span.end)
        findings.append(build_error(RULE, f"invalid expression: {wrong}", at))
        return None


# cspell


def _read_word_list(source: Source) -> Read:
    """Read a list with an entry a line.

    `!word` is rejected, `~word` is accepted in any case, `word*` and `word+` begin compounds.
    """
    marked = _MarkedWords()
    for start, text in _iter_lines(source):
        text = text.partition("#")[0].rstrip()
        if text:
            marked.add_entry(text, source.span(start, start + len(text)))
    return marked.build_vocabulary(), marked.findings


class _MarkedWords:
    """Entries of word lists, with the markers of cspell."""

    def __init__(self) -> None:
        self.words: list[str] = []
        self.ruled: list[RejectedWord] = []
        self.findings: list[Finding] = []
        self.starts: set[str] = set()
        self.middles: set[str] = set()
        self.ends: set[str] = set()

    def add_entry(self, text: str, span: Span) -> None:
        if text.startswith("!"):
            self.add_rejected(text[1:].strip(), span)
            return
        if text.startswith("~"):
            text = text[1:].lower()
        match = _MARKED.fullmatch(text)
        if match is None:  # `C++`: its symbols are part of the word
            self.words.append(text)
        elif not match["word"].strip():
            self.findings.append(build_error(RULE, f"`{text}` has no word", span))
        else:
            self._add_compound(match["word"].strip(), match["before"], match["after"])

    def add_rejected(self, text: str, span: Span) -> None:
        word, *better = _BETTER.split(text, maxsplit=1)
        if not word:
            self.findings.append(build_error(RULE, f"`{span.text}` has no word", span))
            return
        self.ruled.append(RejectedWord(word, span, better[0] if better else ""))

    def _add_compound(self, word: str, before: str, after: str) -> None:
        """Add a compound part: `*` may be joined at that end, `+` must."""
        if "+" not in (before, after):
            self.words.append(word)
        lower = word.lower()
        if after:
            self.starts.add(lower)
        if before:
            self.ends.add(lower)
        if before and after:
            self.middles.add(lower)
            self.starts -= {lower} if before == "+" else set()
            self.ends -= {lower} if after == "+" else set()

    def build_vocabulary(self) -> Vocabulary:
        compounds = Compounds(frozenset(self.starts), frozenset(self.middles), frozenset(self.ends))
        return Vocabulary.from_entries(self.words) | Vocabulary(compounds=compounds, rejected=tuple(self.ruled))


class _CspellConfiguration:
    """cspell's own configuration: `words`, `ignoreWords`, `flagWords`, and the word lists that it defines."""

    def __init__(self, source: Source, folder: Path, root: Path) -> None:
        self.source, self.folder, self.root = source, folder, root
        self.marked = _MarkedWords()
        self.lists = Vocabulary()

    def read(self) -> Read:
        text = self.source.text
        if self.source.path.lower().endswith((".json", ".jsonc")):  # YAML would reject comments and tabs
            text = _COMMENT.sub(lambda match: match[1] or blank_text(match[0]), text)
        loaded = data.load_yaml(Source(self.source.path, text), rule=RULE)
        if loaded.findings:
            return Vocabulary(), [self._remap_finding(finding) for finding in loaded.findings]
        if isinstance(loaded.node, Mapping):
            for key, value in loaded.node.items:
                self._read_entry(key.plain, value)
        elif loaded.node is not None:
            self._flag(loaded.node, "a configuration of cspell has keys, such as `words`")
        return self.marked.build_vocabulary() | self.lists, self.marked.findings

    def _remap_finding(self, finding: Finding) -> Finding:
        """Return a finding in the text without comments, mapped to the file itself."""
        return build_error(RULE, finding.message, self.source.span(finding.span.start, finding.span.end))

    def _flag(self, node: Node, message: str) -> None:
        self.marked.findings.append(build_error(RULE, message, self.source.span(node.span.start, node.span.end)))

    def _read_entry(self, key: str, value: Node) -> None:
        match key:
            case "words" | "userWords":
                self._read_texts(key, value, self.marked.add_entry)
            case "ignoreWords":
                self._read_texts(key, value, lambda text, _span: self.marked.words.append(text))
            case "flagWords":
                self._read_texts(key, value, self.marked.add_rejected)
            case "dictionaryDefinitions":
                for item in self._get_items(key, value):
                    self._read_definition(item)

    def _get_items(self, key: str, value: Node) -> tuple[Node, ...]:
        if isinstance(value, Sequence):
            return value.items
        self._flag(value, f"`{key}` should be a list")
        return ()

    def _read_texts(self, key: str, value: Node, take: Callable[[str, Span], None]) -> None:
        for item in self._get_items(key, value):
            if not isinstance(item, Scalar):
                self._flag(item, f"`{key}` should hold words")
            elif text := item.plain.strip():
                take(text, self.source.span(item.span.start, item.span.end))

    def _read_definition(self, item: Node) -> None:
        """Read a word list of the project; those that come with packages are left to cspell."""
        fields = {key.plain: value for key, value in get_entries(item)}
        path = fields.get("path")
        if not isinstance(path, Scalar):
            return
        if not path.plain.endswith(".txt"):
            self._flag(path, "only word lists that are text (.txt) can be read")
            return
        read_, findings = read(self.folder / path.plain, self.root)
        self.lists |= read_
        if findings and findings[0].span.start == findings[0].span.end == 0:
            self._flag(path, findings[0].message)
        else:
            self.marked.findings += findings


_COMMENT = lazy_re.compile(r'("(?:[^"\\\n]|\\.)*")|//[^\n]*|/\*.*?\*/|\t', re.DOTALL)
