"""Reads YAML: parser events become nodes, and errors become findings."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import yaml

from tutorial_tool.core import lazy_re
from tutorial_tool.core.diagnostics import MAX_DEPTH, MAX_FINDINGS, Finding, Related, build_error
from tutorial_tool.core.source import BOM, Source, Span
from tutorial_tool.data import yaml_errors
from tutorial_tool.data.nodes import LoadedYaml, Mapping, Node, Scalar, Sequence
from tutorial_tool.data.scalar_origins import build_scalar_text

MAX_NODES = 250_000  # Keys, values, lists and mappings in a file; aliased ones count each time

_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_FORBIDDEN = lazy_re.compile("[^\t\n\r -~\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_TAG_DIRECTIVE = lazy_re.compile(r"^%TAG\b[^\n]*", re.MULTILINE)
_COLON_FIRST = lazy_re.compile(r"(?:(?<=[\[,])|(?<=[\[,] )):(?=\w)")  # Starts text in a flow list in YAML 1.2
_PLACEHOLDER = lazy_re.compile(r"\{\w+\}$")
_PROPERTIES = lazy_re.compile(r"(?:[ \t\n]+|#[^\n]*|!<[^>\s]*>|[&!][^\s,\[\]{}]*)*")
_DRIVE = lazy_re.compile(r"(?<![^\W_])[A-Z]:(\\[abefnrtvNLP0])[A-Za-z]")
"""The start of a Windows path in double quotes, where backslash and letter form an escape."""
_CORE_TAGS = {f"tag:yaml.org,2002:{name}" for name in ("str", "int", "float", "bool", "null", "map", "seq")} | {"!"}


def read_yaml(source: Source, start: int, end: int, rule: str) -> LoadedYaml:
    """Read YAML, as `data.load_yaml` does."""
    cached: LoadedYaml | None = source.cache.get((read_yaml, start, end))
    if cached is not None:
        return cached
    reader = _Reader(source, start, end, rule)
    try:
        node = reader.read()
    except _ReadingStopped:
        node = None
    loaded = LoadedYaml(node, tuple(sorted(dict.fromkeys(reader.findings), key=lambda finding: finding.span.start)))
    if not loaded.findings:
        source.cache[read_yaml, start, end] = loaded
    return loaded


class _ReadingStopped(Exception):
    """Reading stops here; the finding that explains why has been added."""


@dataclass(slots=True)
class _BuiltNode:
    """A node, the span of its use (for an alias not the node's own), and its total size and depth."""

    node: Node
    start: int
    end: int
    size: int = 1
    depth: int = 0


@dataclass(slots=True)
class _OpenCollection:
    """An open list or mapping. A mapping's children are its keys and values in turn."""

    event: Any
    children: list[_BuiltNode] = field(default_factory=list)
    size: int = 1
    depth: int = 1


class _Reader:
    """Builds nodes from parser events with an explicit stack: no recursion, so no depth can crash it."""

    def __init__(self, source: Source, start: int, end: int, rule: str) -> None:
        self.source, self.rule = source, rule
        self.start = start + source.text.startswith(BOM, start, end)  # the parser skips it without counting it
        self.end = end
        self.findings: list[Finding] = []
        self.anchors: dict[str, _BuiltNode | _OpenCollection] = {}
        self.stack: list[_OpenCollection] = []
        self.root: _BuiltNode | None = None

    def read(self) -> Node | None:
        text = self._replace_forbidden(self.source.text[self.start : self.end])
        documents = 0
        for event in self._parse_events(text):
            if isinstance(event, yaml.DocumentStartEvent):
                documents += 1
                if documents > 1:
                    at = self._get_offset(event.start_mark)
                    self._stop("a second YAML document starts here; a file can contain only one", at, at + 3)
            else:
                self._add_event(event)
        return self.root.node if self.root else None

    def _replace_forbidden(self, text: str) -> str:
        """Report characters that YAML forbids, and return the text with each replaced."""
        for match in _FORBIDDEN.finditer(text):
            at = self.start + match.start()
            self._report(f"the character U+{ord(match[0]):04X} is not allowed in YAML", at, at + 1)
        directives = list(_TAG_DIRECTIVE.finditer(text))
        if len(directives) > MAX_DEPTH:  # the parser compares each with all previous ones
            self._stop("too many %TAG lines", self.start + directives[0].start(), self.start + directives[0].end())
        return _FORBIDDEN.sub("\ufffd", text) if self.findings else text

    def _parse_events(self, text: str) -> Iterator[Any]:
        try:
            yield from yaml.parse(text, Loader=_LOADER)
        except yaml.MarkedYAMLError as problem:
            self._explain(problem)
        except yaml.YAMLError as problem:
            self._stop(f"YAML does not parse: {problem}", self.start, self.start)

    def _explain(self, problem: yaml.MarkedYAMLError) -> None:
        context, at = problem.context_mark, self._get_offset(problem.problem_mark)  # libyaml always sets the latter
        if _COLON_FIRST.match(self.source.text, at):
            raise _ReadingStopped
        mistake = yaml_errors.explain_problem(
            yaml_errors.ParserProblem(
                self.source,
                at,
                problem.problem or "",
                problem.context or "",
                self._get_offset(context) if context else None,
            )
        )
        if all(finding.span.start != mistake.span.start for finding in self.findings):  # otherwise already reported
            self._stop(mistake.message, mistake.span.start, mistake.span.end)

    def _get_offset(self, mark: Any) -> int:
        return min(self.start + int(mark.index), self.end)

    def _report(self, message: str, start: int, end: int, related: tuple[Related, ...] = ()) -> None:
        span = Span(self.source, start, max(start, min(end, self.end)))
        self.findings.append(build_error(self.rule, message, span, related=related))
        if len(self.findings) >= MAX_FINDINGS:
            raise _ReadingStopped

    def _stop(self, message: str, start: int, end: int) -> None:
        self._report(message, start, end)
        raise _ReadingStopped

    # Events

    def _add_event(self, event: Any) -> None:
        if isinstance(event, yaml.ScalarEvent):
            self._check_tag(event)
            self._add_node(self._record_anchor(event, self._build_scalar(event)))
        elif isinstance(event, yaml.CollectionStartEvent):
            self._open_collection(event)
        elif isinstance(event, yaml.CollectionEndEvent):
            done = self.stack.pop()
            self._add_node(self._record_anchor(done.event, self._close_collection(done, event)))
        elif isinstance(event, yaml.AliasEvent):
            self._add_node(self._resolve_alias(event))

    def _open_collection(self, event: Any) -> None:
        self._check_tag(event)
        opened = _OpenCollection(event)
        if event.anchor:
            self.anchors[event.anchor] = opened
        self.stack.append(opened)
        if len(self.stack) > MAX_DEPTH:
            at = self._get_offset(event.start_mark)
            self._stop(f"more than {MAX_DEPTH} lists or mappings inside each other", at, at + 1)

    def _add_node(self, built: _BuiltNode) -> None:
        if not self.stack:
            self.root = built
            return
        parent = self.stack[-1]
        parent.children.append(built)
        parent.size += built.size
        parent.depth = max(parent.depth, built.depth + 1)
        if parent.size > MAX_NODES:
            message = f"more than {MAX_NODES:,} values, aliases counted as often as they are used"
            self._stop(message, built.start, built.end)
        if len(self.stack) + built.depth > MAX_DEPTH:
            self._stop(f"more than {MAX_DEPTH} lists or mappings inside each other", built.start, built.end)

    def _record_anchor(self, event: Any, built: _BuiltNode) -> _BuiltNode:
        if event.anchor:
            self.anchors[event.anchor] = built
        return built

    def _check_tag(self, event: Any) -> None:
        if event.tag and event.tag not in _CORE_TAGS:
            at = self._get_offset(event.start_mark)
            match = re.compile(r"(?:&\S+\s+)?(!\S{0,60})").match(self.source.text, at, self.end)
            start, end = match.span(1) if match else (at, at + 1)
            tag = self.source.text[start:end]
            self._report(f"the tag `{tag}` is unknown: put text that starts with `!` in quotes", start, end)

    def _resolve_alias(self, event: Any) -> _BuiltNode:
        start, end = self._get_offset(event.start_mark), self._get_offset(event.end_mark)
        result = self.anchors.get(event.anchor)
        if isinstance(result, _OpenCollection):
            self._stop(f"alias `*{event.anchor}` is inside its own anchor `&{event.anchor}`; remove it", start, end)
        if not isinstance(result, _BuiltNode):
            message = f"there is no anchor `&{event.anchor}` above: put text that starts with `*` in quotes"
            self._report(message, start, end)
            empty = build_scalar_text("", Span(self.source, start, start), "")
            return _BuiltNode(Scalar(empty, Span(self.source, start, end)), start, end)
        return replace(result, start=start, end=end)

    # Nodes

    def _find_start(self, event: Any) -> int:
        """Return the start of a node, after its anchor and tag."""
        start = self._get_offset(event.start_mark)
        if not (event.anchor or event.tag):
            return start
        match = _PROPERTIES.match(self.source.text, start, self.end)
        return match.end() if match else start

    def _build_scalar(self, event: Any) -> _BuiltNode:
        style = "" if event.style in (None, "") else str(event.style)
        start, end = self._find_start(event), self._get_offset(event.end_mark)
        if style in ("|", ">"):
            text = self.source.text[start:end]
            end = start + len(text.rstrip(" \t\n"))
            last = self._get_offset(event.end_mark)
        else:
            start = min(start, end) if event.value or style else end
            last = end
        if style == '"' and self.rule == "invalid-data" and "\\" in self.source.text[start:end]:
            self._check_path(start, end)
        value = build_scalar_text(event.value, Span(self.source, start, last), style)
        return _BuiltNode(Scalar(value, Span(self.source, start, end), style), start, end)

    def _check_path(self, start: int, end: int) -> None:
        """Report the backslash of a Windows path in double quotes, which YAML reads as an escape."""
        if match := _DRIVE.search(self.source.text, start, end):
            message = "is not an escape in double quotes: write `\\\\` for a backslash, or use single quotes"
            self._report(f"`{match[1]}` {message}", *match.span(1))

    def _close_collection(self, done: _OpenCollection, event: Any) -> _BuiltNode:
        """Return the node of a completed list or mapping."""
        start, end = self._find_start(done.event), self._get_offset(event.end_mark)
        if not done.event.flow_style and done.children:
            end = done.children[-1].end
            start = min(start, done.children[0].start)
        span = Span(self.source, start, max(start, end))
        is_mapping = isinstance(done.event, yaml.MappingStartEvent)
        items = self._build_mapping(done, span) if is_mapping else Sequence(tuple(b.node for b in done.children), span)
        return _BuiltNode(items, start, span.end, done.size, done.depth)

    def _build_mapping(self, done: _OpenCollection, span: Span) -> Mapping:
        entries: dict[str, tuple[Scalar, Node]] = {}
        merged: dict[str, tuple[Scalar, Node]] = {}
        for key, value in zip(done.children[::2], done.children[1::2], strict=True):
            if not isinstance(key.node, Scalar):
                self._report_complex_key(key)
                continue
            name = key.node.plain
            if name in entries:
                first = Related(entries[name][0].span, "the first")
                self._report(f"duplicate key `{name}`; remove one", key.start, key.end, (first,))
            elif name == "<<" and key.node.style == "":
                self._merge_mappings(value, merged)
            else:
                entries[name] = key.node, value.node
        return Mapping(tuple({**merged, **entries}.values()), span)

    def _report_complex_key(self, key: _BuiltNode) -> None:
        mistake = yaml_errors.find_expression(self.source, key.start - 1)
        if mistake:
            self._report(mistake.message, mistake.span.start, mistake.span.end)
        elif not _PLACEHOLDER.match(self.source.text[key.start : key.end]):
            self._report("a key must be text, not a list or mapping", key.start, key.end)

    def _merge_mappings(self, value: _BuiltNode, merged: dict[str, tuple[Scalar, Node]]) -> None:
        """Merge the items of the mappings that `<<` names; the first with a key wins."""
        for node in value.node.items if isinstance(value.node, Sequence) else (value.node,):
            if isinstance(node, Mapping):
                for key, item in node.items:
                    merged.setdefault(key.plain, (key, item))
            else:
                self._report("`<<` takes a mapping, or a list of mappings", value.start, value.end)
