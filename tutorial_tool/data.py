"""YAML and front matter as nodes whose scalars know their places; limits on depth, size and aliases.

Every scalar is the text as written: `on` is not true and `1.10` not a number. What a value means is the model's to say.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import yaml

from tutorial_tool import yaml_mistakes
from tutorial_tool.finding import Finding, Related, error
from tutorial_tool.scalar_origins import scalar_text
from tutorial_tool.source import BOM, Source, Span
from tutorial_tool.traced import Run, Traced, plain

if TYPE_CHECKING:
    from frontmatter.default_handlers import BaseHandler

MAX_DEPTH = 50
"""Lists and mappings inside each other, through aliases too."""
MAX_NODES = 250_000
"""Keys, values, lists and mappings in a file, counted as often as aliases repeat them."""
MAX_FINDINGS = 1000

_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_FORBIDDEN = re.compile("[^\t\n\r -~\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_TAG_DIRECTIVE = re.compile(r"^%TAG\b[^\n]*", re.MULTILINE)
_PROPERTIES = re.compile(r"(?:[ \t\n]+|#[^\n]*|!<[^>\s]*>|[&!][^\s,\[\]{}]*)*")
_CORE_TAGS = {f"tag:yaml.org,2002:{name}" for name in ("str", "int", "float", "bool", "null", "map", "seq")} | {"!"}
_FENCE = re.compile(r"---[ \t]*\n")
_END_FENCE = re.compile(r"^(?:---|\.\.\.)[ \t]*\n\n*", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Scalar:
    """A text. `style` is how it is written: `''` plain, `'`, `"`, `|` or `>`.

    `span` includes quotes and block header, and ends at the end of the last line of a block scalar. No value after a
    key is a plain scalar of no text, just behind the colon.
    """

    text: Traced
    span: Span
    style: str = ""


@dataclass(frozen=True, slots=True)
class Mapping:
    """Keys, each once, and their values, in the order of the file; merged ones (`<<`) stand first."""

    items: tuple[tuple[Scalar, Node], ...]
    span: Span
    _index: dict[str, int] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_index", {plain(key.text): at for at, (key, _) in enumerate(self.items)})

    def get(self, key: str) -> Node | None:
        at = self._index.get(key)
        return None if at is None else self.items[at][1]

    def key(self, key: str) -> Scalar | None:
        """The key as it stands in the file."""
        at = self._index.get(key)
        return None if at is None else self.items[at][0]

    def keys(self) -> list[str]:
        return list(self._index)


@dataclass(frozen=True, slots=True)
class Sequence:
    items: tuple[Node, ...]
    span: Span


Node = Scalar | Mapping | Sequence


@dataclass(frozen=True, slots=True)
class Loaded:
    """A YAML text as a node, and what is wrong with it. No node where it is empty, or could not be read to its end."""

    node: Node | None
    findings: tuple[Finding, ...] = ()


def load_yaml(source: Source, start: int = 0, end: int | None = None, *, rule: str = "invalid-data") -> Loaded:
    """Read `source.text[start:end]`; findings are errors of `rule`. What reads well is read once."""
    known: Loaded | None = source.known.get((load_yaml, start, end))
    if known is not None:
        return known
    reader = _Reader(source, start, len(source.text) if end is None else end, rule)
    try:
        node = reader.read()
    except _Unreadable:
        node = None
    findings = tuple(sorted(dict.fromkeys(reader.findings), key=lambda finding: finding.span.start))
    loaded = Loaded(node, findings)
    if not findings:
        source.known[load_yaml, start, end] = loaded
    return loaded


class _Unreadable(Exception):
    """Reading stops here; the finding that says why is there already."""


@dataclass(slots=True)
class _Built:
    """A node, where it is used (for an alias that is not the node's span), and its size and depth with all below it."""

    node: Node
    start: int
    end: int
    size: int = 1
    depth: int = 0


@dataclass(slots=True)
class _Open:
    """A list or mapping that is being read. A mapping's children are its keys and values in turn."""

    event: Any
    children: list[_Built] = field(default_factory=list)
    size: int = 1
    depth: int = 1

    @property
    def is_mapping(self) -> bool:
        return isinstance(self.event, yaml.MappingStartEvent)


class _Reader:
    """Builds nodes from the parser's events, with a stack of its own: no recursion, so no depth can crash it."""

    def __init__(self, source: Source, start: int, end: int, rule: str) -> None:
        self.source, self.rule = source, rule
        self.start = start + source.text.startswith(BOM, start, end)  # the parser skips and does not count it
        self.end = end
        self.findings: list[Finding] = []
        self.anchors: dict[str, _Built | _Open] = {}
        self.stack: list[_Open] = []
        self.root: _Built | None = None

    def read(self) -> Node | None:
        text = self._allowed(self.source.text[self.start : self.end])
        documents = 0
        for event in self._events(text):
            if isinstance(event, yaml.DocumentStartEvent):
                documents += 1
                if documents > 1:
                    at = self._offset(event.start_mark)
                    self._stop("a second YAML document begins here; one file holds one", at, at + 3)
            else:
                self._take(event)
        return self.root.node if self.root else None

    def _allowed(self, text: str) -> str:
        """The text without characters that YAML forbids: each is reported, and stands as another from here on."""
        for found in _FORBIDDEN.finditer(text):
            at = self.start + found.start()
            self._report(f"the character U+{ord(found[0]):04X} is not allowed in YAML", at, at + 1)
        directives = list(_TAG_DIRECTIVE.finditer(text))
        if len(directives) > MAX_DEPTH:  # the parser compares each with all before it
            self._stop("too many %TAG lines", self.start + directives[0].start(), self.start + directives[0].end())
        return _FORBIDDEN.sub("\ufffd", text) if self.findings else text

    def _events(self, text: str) -> Iterator[Any]:
        try:
            yield from yaml.parse(text, Loader=_LOADER)
        except yaml.MarkedYAMLError as problem:
            self._explain(problem)
        except yaml.YAMLError as problem:
            self._stop(f"YAML does not parse: {problem}", self.start, self.start)

    def _explain(self, problem: yaml.MarkedYAMLError) -> None:
        context = problem.context_mark
        mark = problem.problem_mark or context
        mistake = yaml_mistakes.explain(
            yaml_mistakes.Problem(
                self.source,
                self._offset(mark) if mark else self.start,
                problem.problem or "",
                problem.context or "",
                self._offset(context) if context else None,
            )
        )
        if all(finding.span.start != mistake.span.start for finding in self.findings):  # else it is known already
            self._stop(mistake.message, mistake.span.start, mistake.span.end)

    def _offset(self, mark: Any) -> int:
        return min(self.start + int(mark.index), self.end)

    def _report(self, message: str, start: int, end: int, related: tuple[Related, ...] = ()) -> None:
        self.findings.append(
            error(self.rule, message, Span(self.source, start, max(start, min(end, self.end))), related=related)
        )
        if len(self.findings) >= MAX_FINDINGS:
            raise _Unreadable

    def _stop(self, message: str, start: int, end: int) -> None:
        self._report(message, start, end)
        raise _Unreadable

    # Events

    def _take(self, event: Any) -> None:
        if isinstance(event, yaml.ScalarEvent):
            self._check_tag(event)
            self._add(self._anchored(event, self._scalar(event)))
        elif isinstance(event, yaml.CollectionStartEvent):
            self._open(event)
        elif isinstance(event, yaml.CollectionEndEvent):
            done = self.stack.pop()
            self._add(self._anchored(done.event, self._closed(done, event)))
        elif isinstance(event, yaml.AliasEvent):
            self._add(self._alias(event))

    def _open(self, event: Any) -> None:
        self._check_tag(event)
        opened = _Open(event)
        if event.anchor:
            self.anchors[event.anchor] = opened
        self.stack.append(opened)
        if len(self.stack) > MAX_DEPTH:
            at = self._offset(event.start_mark)
            self._stop(f"more than {MAX_DEPTH} lists or mappings inside each other", at, at + 1)

    def _add(self, built: _Built) -> None:
        """Give a node to the list or mapping around it."""
        if not self.stack:
            self.root = built
            return
        parent = self.stack[-1]
        parent.children.append(built)
        parent.size += built.size
        parent.depth = max(parent.depth, built.depth + 1)
        if parent.size > MAX_NODES:
            self._stop(
                f"more than {MAX_NODES:,} values, aliases counted as often as they are used", built.start, built.end
            )
        if len(self.stack) + built.depth > MAX_DEPTH:
            self._stop(f"more than {MAX_DEPTH} lists or mappings inside each other", built.start, built.end)

    def _anchored(self, event: Any, built: _Built) -> _Built:
        if event.anchor:
            self.anchors[event.anchor] = built
        return built

    def _check_tag(self, event: Any) -> None:
        if event.tag and event.tag not in _CORE_TAGS:
            at = self._offset(event.start_mark)
            found = re.compile(r"(?:&\S+\s+)?(!\S{0,60})").match(self.source.text, at, self.end)
            start, end = found.span(1) if found else (at, at + 1)
            self._report(
                f"the tag `{self.source.text[start:end]}` is unknown: put a text that begins with `!` in quotes",
                start,
                end,
            )

    def _alias(self, event: Any) -> _Built:
        start, end = self._offset(event.start_mark), self._offset(event.end_mark)
        found = self.anchors.get(event.anchor)
        if isinstance(found, _Open):
            self._stop(f"`*{event.anchor}` stands inside what it refers to", start, end)
        if not isinstance(found, _Built):
            self._report(
                f"there is no anchor `&{event.anchor}` above: put a text that begins with `*` in quotes", start, end
            )
            return _Built(
                Scalar(scalar_text("", Span(self.source, start, start), ""), Span(self.source, start, end)), start, end
            )
        return replace(found, start=start, end=end)

    # Nodes

    def _begin(self, event: Any) -> int:
        """Where a node begins, behind its anchor and tag."""
        start = self._offset(event.start_mark)
        if not (event.anchor or event.tag):
            return start
        found = _PROPERTIES.match(self.source.text, start, self.end)
        return found.end() if found else start

    def _scalar(self, event: Any) -> _Built:
        style = "" if event.style in (None, "") else str(event.style)
        start, end = self._begin(event), self._offset(event.end_mark)
        if style in ("|", ">"):
            text = self.source.text[start:end]
            end = start + len(text.rstrip(" \t\n"))
            last = self._offset(event.end_mark)
        else:
            start = min(start, end) if event.value or style else end
            last = end
        value = scalar_text(event.value, Span(self.source, start, last), style)
        return _Built(Scalar(value, Span(self.source, start, end), style), start, end)

    def _closed(self, done: _Open, event: Any) -> _Built:
        """The node of a list or mapping that is complete."""
        start, end = self._begin(done.event), self._offset(event.end_mark)
        if not done.event.flow_style and done.children:
            end = done.children[-1].end
            start = min(start, done.children[0].start)
        span = Span(self.source, start, max(start, end))
        node = self._mapping(done, span) if done.is_mapping else Sequence(tuple(b.node for b in done.children), span)
        return _Built(node, start, span.end, done.size, done.depth)

    def _mapping(self, done: _Open, span: Span) -> Mapping:
        own: dict[str, tuple[Scalar, Node]] = {}
        merged: dict[str, tuple[Scalar, Node]] = {}
        for key, value in zip(done.children[::2], done.children[1::2], strict=True):
            if not isinstance(key.node, Scalar):
                self._complex_key(key)
                continue
            name = plain(key.node.text)
            if name in own:
                first = Related(own[name][0].span, "the first")
                self._report(f"'{name}' is given twice", key.start, key.end, (first,))
            elif name == "<<" and key.node.style == "":
                self._merge(value, merged)
            else:
                own[name] = key.node, value.node
        return Mapping(tuple({**merged, **own}.values()), span)

    def _complex_key(self, key: _Built) -> None:
        mistake = yaml_mistakes.expression(self.source, key.start - 1)
        if mistake:
            self._report(mistake.message, mistake.span.start, mistake.span.end)
        else:
            self._report("a key must be a text, not a list or mapping", key.start, key.end)

    def _merge(self, value: _Built, merged: dict[str, tuple[Scalar, Node]]) -> None:
        """Take over the items of the mappings that `<<` names; the first that has a key gives it."""
        for node in value.node.items if isinstance(value.node, Sequence) else (value.node,):
            if isinstance(node, Mapping):
                for key, item in node.items:
                    merged.setdefault(plain(key.text), (key, item))
            else:
                self._report("`<<` takes a mapping, or a list of mappings", value.start, value.end)


# Front matter


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """Offsets of the YAML between the fences, and of the page's body behind them."""

    start: int
    end: int
    body: int


def split(text: str) -> FrontMatter | None:
    """Where a page's front matter stands, by MkDocs' rule (`mkdocs.utils.meta`): the first line is `---`; the next
    but one, or a later one, is `---` or `...` and has a line end; empty lines behind it belong to it."""
    opened = _FENCE.match(text)
    closed = _END_FENCE.search(text, opened.end() + 1) if opened else None
    return FrontMatter(opened.end(), closed.start(), closed.end()) if opened and closed else None


def front_matter(source: Source) -> Loaded | None:
    """A page's front matter, or None where it has none."""
    found = split(source.text)
    return load_yaml(source, found.start, found.end, rule="front-matter") if found else None


def load_traced(text: Traced, start: int = 0, end: int | None = None, *, rule: str = "front-matter") -> Loaded:
    """Read YAML in a rendered page.

    Spans of nodes are offsets in the page (in a source of its text); the texts of scalars have the origins that the
    page's text has there; findings and their related places stand where the page's text came from.
    """
    first = next((run.span for run in text.runs if run.span), None)
    if first is not None and text.runs == (Run(len(text), first.source.whole(), True),):
        return load_yaml(first.source, start, end, rule=rule)
    page = Source(
        first.path if first else "", BOM + plain(text)
    )  # the mark keeps the text as it is, whatever begins it
    loaded = load_yaml(page, start, end, rule=rule)
    node = _Rebased(text).node(loaded.node) if loaded.node else None
    return Loaded(node, tuple(_rebased_finding(finding, text) for finding in loaded.findings))


class _Rebased:
    """Nodes of a page's text, with the origins of that text. Shared nodes stay shared."""

    def __init__(self, text: Traced) -> None:
        self._text = text
        self._done: dict[int, tuple[Node, Node]] = {}

    def node(self, node: Node) -> Node:
        if id(node) not in self._done:
            self._done[id(node)] = node, self._made(node)
        return self._done[id(node)][1]

    def _made(self, node: Node) -> Node:
        if isinstance(node, Scalar):
            return self._scalar(node)
        if isinstance(node, Sequence):
            return Sequence(tuple(self.node(item) for item in node.items), node.span)
        return Mapping(tuple((self._scalar(key), self.node(value)) for key, value in node.items), node.span)

    def _scalar(self, node: Scalar) -> Scalar:
        runs = [origin for run in node.text.runs for origin in self._origins(run)]
        return Scalar(Traced(plain(node.text), runs), node.span, node.style)

    def _origins(self, run: Run) -> tuple[Run, ...]:
        """An aligned run is cut from the page; an escape or a fold stems from where the page's characters do."""
        if run.span is None:
            return (run,)
        cut = self._text.runs_between(run.span.start, run.span.end)
        if run.aligned:
            return cut
        return (Run(run.length, _span_of(cut), False, cut[0].via if cut else ()),)


def _span_of(runs: tuple[Run, ...]) -> Span | None:
    """The origin of some runs: the first that has one."""
    return next((run.span for run in runs if run.span), None)


def _rebased_finding(finding: Finding, text: Traced) -> Finding:
    span, exact = _origin(finding.span, text)
    related = tuple(replace(other, span=_origin(other.span, text)[0]) for other in finding.related)
    return replace(finding, span=span, related=related, exact=exact)


def _origin(span: Span, text: Traced) -> tuple[Span, bool]:
    """Where a place in a page came from, and whether exactly; an empty place is just before its character."""
    at = min(span.start, len(text) - 1)
    runs = text.runs_between(at, max(span.end, at + 1))
    origin = _span_of(runs)
    if origin is None:
        return span, False
    if not runs[0].aligned or runs[0].span is None:
        return origin, False
    if span.start == span.end:
        at = origin.start + (span.start - at)
        return Span(origin.source, at, at), True
    return origin, len(runs) == 1


# Without origins


def to_plain(node: Node | None) -> Any:
    """The node as `str`, `list` and `dict`; an absent one is the empty text."""
    if isinstance(node, Mapping):
        return {plain(key.text): to_plain(value) for key, value in node.items}
    if isinstance(node, Sequence):
        return [to_plain(item) for item in node.items]
    return plain(node.text) if node else ""


def metadata(text: str) -> dict[str, Any]:
    """A page's front matter as plain data: nothing where there is none, or it is no mapping."""
    found = split(text)
    if found is None:
        return {}
    import frontmatter

    return dict(frontmatter.parse(plain(text[: found.body]), handler=_handler())[0])


def _handler() -> BaseHandler:
    """Our splitting and loading for `python-frontmatter`, whose own YAML handler crashes on deep lists and differs
    from MkDocs in what it takes for front matter."""
    from frontmatter.default_handlers import BaseHandler

    class Handler(BaseHandler):
        FM_BOUNDARY = _FENCE

        def split(self, text: str) -> tuple[str, str]:
            text += "\n"  # `frontmatter.parse` strips the text, and the end fence with it
            found = split(text)
            if found is None:
                raise ValueError("no front matter")
            return text[found.start : found.end], text[found.body :]

        def load(self, fm: str) -> dict[str, Any]:
            loaded = to_plain(load_yaml(Source("", fm)).node)
            return loaded if isinstance(loaded, dict) else {}

    return Handler()
