"""The sandboxed Jinja2 environment whose templates render to traced text, and whose errors know their column.

Jinja's lexer keeps offsets here, which ride through its parser in `lineno` (an `int` subclass); the code generator
wraps what a template prints, so that each character keeps the span it came from, or else gets that of its tag. The
hooks are those that Jinja's own `NativeCodeGenerator` overrides.
"""

from __future__ import annotations

import posixpath
import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import count, pairwise
from types import TracebackType
from typing import Any, NamedTuple, NoReturn, TypeVar

from jinja2 import StrictUndefined, TemplateNotFound, TemplateSyntaxError, Undefined, nodes
from jinja2.compiler import CodeGenerator
from jinja2.environment import TemplateModule
from jinja2.exceptions import SecurityError, UndefinedError
from jinja2.filters import FILTERS, do_title
from jinja2.lexer import Lexer
from jinja2.loaders import FunctionLoader
from jinja2.parser import Parser
from jinja2.runtime import Context, LoopContext
from jinja2.sandbox import ImmutableSandboxedEnvironment
from jinja2.tests import TESTS
from jinja2.utils import missing
from jinja2.visitor import NodeTransformer

from tutorial_tool import conflicts, lazy_re, template_limits, traced, untrusted
from tutorial_tool.conflicts import Mark
from tutorial_tool.finding import Finding, Related, Severity, did_you_mean, nearest
from tutorial_tool.source import Source, Span
from tutorial_tool.template_limits import MAX_STEPS, MAX_TEXT, check, check_value
from tutorial_tool.traced import Run, Traced

Known = TypeVar("Known")

_SECTION_ID = lazy_re.compile(r"^ {0,3}#{1,6} [^\n]*?(\{#[\w:.-]+\})[ \t]*$", re.MULTILINE)
_NOT_EXPORTED = r"the template '([^']+)' \(imported on .*\) does not export the requested name '(\w+)'"
_EXPORTS = lazy_re.compile(r"\{%[-+]?\s*(?:macro|set)\s+(\w+)")
_FENCE = lazy_re.compile(r"^[ ]*(?:```|~~~)", re.MULTILINE)
_SURROGATE = lazy_re.compile("[\ud800-\udfff]")


MOST = 20
"""Undefined names that are told of one page."""
ANY = ("any",)
"""Any section of the data."""


class Complaint(Exception):
    """A template asks for something that the data does not have; the call's place is added where it is known.

    `at` is the argument that is wrong: where it is traced, the error points to it. `about` are the sections of the data
    that may be what is wrong, and the name of the step that lacks.
    """

    def __init__(
        self,
        message: str,
        *,
        at: object = None,
        rule: str = "undefined-name",
        related: tuple[Related, ...] = (),
        about: tuple[str, ...] = ANY,
    ) -> None:
        super().__init__(message)
        self.message, self.at, self.rule, self.related, self.about = message, at, rule, related, about


class Stopped(Exception):
    """A template could not be rendered; the finding says where and why.

    `about` are the sections of the data that may be to blame; none where the template alone is. `others` are what else
    the template could not print.
    """

    def __init__(self, finding: Finding, about: tuple[str, ...] = (), others: tuple[Stopped, ...] = ()) -> None:
        super().__init__(finding.message)
        self.finding, self.about, self.others = finding, about, others

    def beside(self, met: Iterable[Stopped]) -> Stopped:
        """This, and what was met before it."""
        self.others = tuple(other for other in met if other is not self)
        return self


NOTHING: Mapping[str, str] = {}


class Namespace(Mapping[str, Any]):
    """What a template may look into, by key only: a key named `items` or `copy` is a value, never a method.

    `what` names it in messages (`platform 'ios'`), `span` is where it is declared. A value of type `Lazy` is computed
    when it is asked for. `about` is the section of the data that says which keys there are, if it does. `meant` says
    what to write for keys that people expect here.
    """

    def __init__(
        self,
        what: str,
        fields: Mapping[str, Any],
        span: Span | None = None,
        about: tuple[str, ...] = (),
        meant: Mapping[str, str] = NOTHING,
    ) -> None:
        self._what, self._fields, self._span, self.about, self._meant = what, fields, span, about, meant

    def __getitem__(self, key: str) -> Any:
        value = self._fields[key]
        return value.compute() if isinstance(value, Lazy) else value

    def __iter__(self) -> Iterator[str]:
        return iter(self._fields)

    def __len__(self) -> int:
        return len(self._fields)

    def __str__(self) -> str:
        raise Complaint(f"{self._what} has several parts and cannot be printed; name one of: {', '.join(self._fields)}")

    def lacks(self, key: object) -> str:
        place = f" ({self._span})" if self._span else ""
        meant = self._meant.get(traced.plain(f"{key}")) or self._meant.get(traced.plain(f"{key}").replace("_", "-"))
        hint = f"; write {meant}" if meant else did_you_mean(key, self._fields)
        if bracketed := next((field for field in self._fields if field.startswith(f"{key}-")), None):
            hint = f"; did you mean `['{bracketed}']`? A name with `-` stands in brackets, without a dot"
        elif not hint and self._what.startswith("'values' of"):
            hint = f"; write `values: {{{key}: …}}` there"
        elif not meant and f"{key}" in _METHODS:
            hint = "; a loop takes its parts: `{% for id, one in … | items %}`"
            if self._what == "'platforms'" and key == "values":
                hint = f"; did you mean `platform.values`? A{hint[3:]}"
        elif self._what == "'platforms'" and not hint and any(key in one for one in self.values()):
            hint = f"; did you mean `platform.{key}`?"
        return f"{self._what} has no '{key}'{place}{hint}"


_INSTEAD = {
    **dict.fromkeys(("null", "nil", "None"), "; write `none`"),
    "groups": "; test an ability: `platform.can('…')`",
    "page": "; a page is a `step`, as in `step.title`",
    "loop": "; a loop has one, between `{% for … %}` and `{% endfor %}`",
}
"""What to say of names that people expect."""
_METHODS = ("items", "keys", "values")
"""What people call of a mapping; a key of that name is another thing."""


class Lazy(NamedTuple):
    """A field of a namespace that is computed when a template asks for it."""

    compute: Callable[[], Any]


class Missing(StrictUndefined):
    """An undefined name that knows where the template used it."""

    __slots__ = ("_about", "_span", "_text")
    _about: tuple[str, ...]
    _span: Span
    _text: str

    def _fail_with_undefined_error(self, *args: Any, **kwargs: Any) -> NoReturn:
        raise self._error()

    def _error(self) -> Exception:
        span = getattr(self, "_span", None)
        message = getattr(self, "_text", None) or self._undefined_message
        if issubclass(self._undefined_exception, SecurityError):
            message = f"templates may not use '{self._undefined_name}'"
        if span is None:
            return UndefinedError(message)
        return _stop(message, span, about=getattr(self, "_about", None) or ())

    __iter__ = __str__ = __len__ = _fail_with_undefined_error
    __eq__ = __ne__ = __bool__ = __hash__ = __contains__ = _fail_with_undefined_error
    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = _fail_with_undefined_error
    __truediv__ = __rtruediv__ = __floordiv__ = __rfloordiv__ = __mod__ = __rmod__ = _fail_with_undefined_error
    __pos__ = __neg__ = __call__ = __getitem__ = __lt__ = __le__ = __gt__ = __ge__ = _fail_with_undefined_error
    __int__ = __float__ = __complex__ = __pow__ = __rpow__ = _fail_with_undefined_error

    def __getattr__(self, name: str) -> Any:
        if name[:2] == "__" or name in Missing.__slots__:
            raise AttributeError(name)
        raise self._error()


def _stop(
    message: str,
    span: Span,
    rule: str = "undefined-name",
    related: tuple[Related, ...] = (),
    *,
    exact: bool = True,
    about: tuple[str, ...] = (),
) -> Stopped:
    return Stopped(Finding(rule, Severity.ERROR, message, span, related=related, exact=exact), about)


class _Place(int):
    """A line number that also knows its character offset; Jinja's parser hands it on as `lineno`."""

    offset: int

    def __new__(cls, line: int, offset: int) -> _Place:
        self = int.__new__(cls, line)
        self.offset = offset
        return self


def _conflict(text: str) -> Mark | None:
    """Where git left both sides of a conflict, outside of code."""
    return next((mark for mark in conflicts.found(text) if not len(_FENCE.findall(text, 0, mark.start)) % 2), None)


class _Tag(NamedTuple):
    """A tag or comment in a template's source; `kind` is what Jinja calls its begin."""

    kind: str
    start: int
    end: int


_BEGINS = {"variable_begin": "variable_end", "block_begin": "block_end", "comment_begin": "comment_end"}


def _bare(source: str, tags: Sequence[_Tag]) -> Iterator[tuple[int, int]]:
    """The parts of a source that belong to no page: what stands beside tags that are alone on their lines.

    Jinja's own `trim_blocks` and `lstrip_blocks` take the line's end and begin also where text stands beside a tag: an
    item of a list would run into the next one. A sign of Jinja's, as in `{%+ … +%}`, keeps them.
    """
    group: list[_Tag] = []
    for tag in tags:
        if group and source[group[-1].end : tag.start].strip(" \t"):
            yield from _beside(source, group)
            group = []
        group.append(tag)
    if group:
        yield from _beside(source, group)


def _beside(source: str, group: Sequence[_Tag]) -> Iterator[tuple[int, int]]:
    """What stands beside tags with nothing but blanks between them, if they are alone."""
    first, last = group[0], group[-1]
    start, end = source.rfind("\n", 0, first.start) + 1, source.find("\n", last.end)
    end = len(source) if end < 0 else end
    is_alone = not (source[start : first.start].strip(" \t") or source[last.end : end].strip(" \t\r"))
    if not is_alone or any(tag.kind == "variable_begin" for tag in group):
        return
    if source[first.start + 2] != "+":
        yield start, first.start
    yield from ((one.end, two.start) for one, two in pairwise(group))
    if last.kind != "raw_begin" and source[last.end - 3] != "+":
        yield last.end, min(end + 1, len(source))


class _Lexer(Lexer):
    """Jinja's lexer, with the offset of each token, and the tags of each template.

    Tags that are alone on their lines leave no lines behind, and all others leave theirs as they are.
    """

    def __init__(self, environment: TemplateEnvironment) -> None:
        super().__init__(environment)
        self._templates = environment.parsed

    def tokeniter(
        self, source: str, name: str | None, filename: str | None = None, state: str | None = None
    ) -> Iterator[tuple[int, str, str]]:
        parsed, tags = self._templates[name or ""], list[_Tag]()
        tokens = list(self._placed(source, name, filename, state, tags))
        parsed.tags += [(tag.start, tag.end) for tag in tags if tag.kind in ("variable_begin", "block_begin")]
        bare = dict(_bare(source, tags))
        cut = {end: start for start, end in bare.items()}
        for line, at, kind, text in tokens:
            start, end = at, at + len(text)
            if kind == "data":
                start = min(max(bare.get(start, start), start), end)
                end = max(min(cut.get(end, end), end), start)
                if start == end:
                    continue
            yield _Place(line, start), kind, text[start - at : end - at]

    def _placed(
        self, source: str, name: str | None, filename: str | None, state: str | None, tags: list[_Tag]
    ) -> Iterator[tuple[int, int, str, str]]:
        """Jinja's tokens with their offsets, as (line, offset, kind, text); each tag is added to `tags`."""
        at = opened = 0
        begun = ""
        tokens = super().tokeniter(source, name, filename, state)
        while True:
            try:
                line, kind, text = next(tokens)
            except StopIteration:
                return
            except TemplateSyntaxError as error:
                error.lineno = _Place(error.lineno, at + len(source[at:]) - len(source[at:].lstrip()))
                raise
            at = source.index(text, at)  # Jinja drops only white space between tokens
            yield line, at, kind, text
            if kind in _BEGINS:
                begun, opened = kind, at
            at += len(text)
            end = at - len(text) + len(text.rstrip())
            if kind == _BEGINS.get(begun):
                tags.append(_Tag(begun, opened, end))
            elif kind in ("raw_begin", "raw_end"):
                tags.append(_Tag(kind, at - len(text), end))


class _Parsed:
    """A template's source, and the (start, end) of its `{{ }}` and `{% %}` tags in order."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.tags: list[tuple[int, int]] = []

    def tag(self, offset: int) -> Span:
        """The tag around an offset; where there is none, what `line` gives."""
        index = bisect_right(self.tags, (offset, len(self.source.text) + 1)) - 1
        if index >= 0:
            start, end = self.tags[index]
            if start <= offset < end:
                return Span(self.source, start, end)
        return self.line(self.source.position(offset).line)

    def line(self, number: int) -> Span:
        """The tag that begins on a line, where there is but one; else the line's text."""
        number = min(max(number, 1), self.source.line_count)
        start, end = self.source.line_start(number), self.source.line_end(number)
        tags = self.tags[bisect_right(self.tags, (start, start)) : bisect_right(self.tags, (end, end))]
        if len(tags) == 1:
            return Span(self.source, *tags[0])
        text = self.source.text[start:end]
        return Span(self.source, start + len(text) - len(text.lstrip()), max(end, start))

    def indentation(self, tag: Span) -> str:
        """The white space before a tag that stands alone on its line, else nothing."""
        text = self.source.text
        if text.startswith(("{{-", "{%-"), tag.start):
            return ""
        start = text.rfind("\n", 0, tag.start) + 1
        end = text.find("\n", tag.end)
        before, after = text[start : tag.start], text[tag.end : len(text) if end < 0 else end]
        return before if before.isspace() and not after.strip() else ""


class _Printed(NamedTuple):
    """What is known at compile time of something that a template prints."""

    literal: Traced | None
    tag: Span
    indentation: str
    is_call: bool = False
    """Whether it is what a macro prints, or another function: such lines belong together."""


class _CodeGenerator(CodeGenerator):
    """Jinja's code generator; what it writes prints through `TemplateEnvironment.emit` and knows its places."""

    environment: TemplateEnvironment

    def _output_child_to_const(self, node: nodes.Expr, frame: Any, finalize: Any) -> str:
        raise nodes.Impossible

    def _output_child_pre(self, node: nodes.Expr, frame: Any, finalize: Any) -> None:
        self.write(f"environment.emit({self.environment.printed(self.name, node)}, lambda: ")

    def _output_child_post(self, node: nodes.Expr, frame: Any, finalize: Any) -> None:
        self.write(")")

    def visit_Const(self, node: nodes.Const, frame: Any) -> None:
        if isinstance(node.value, str) and isinstance(node.lineno, _Place):
            self.write(f"environment.literal({self.environment.printed(self.name, node)})")
        else:
            super().visit_Const(node, frame)

    def visit_Concat(self, node: nodes.Concat, frame: Any) -> None:
        self.write("environment.joined((")
        for arg in node.nodes:
            self.visit(arg, frame)
            self.write(", ")
        self.write("))")

    def _located(self, node: nodes.Node, offset: int, length: int, visit: Callable[[], None]) -> None:
        self.write(f"environment.located({self.environment.place(self.name, node, offset, length)}, lambda: ")
        visit()
        self.write(", context)")

    def visit(self, node: nodes.Node, *args: Any, **kwargs: Any) -> Any:
        if not getattr(node, "guarded", False):
            return super().visit(node, *args, **kwargs)
        self.write(f"environment.guarded({self.environment.tag(self.name, node)}, lambda: ")
        super().visit(node, *args, **kwargs)
        return self.write(")")

    def _loads(self, node: nodes.Include | nodes.Extends | nodes.Import | nodes.FromImport) -> None:
        name = node.template
        if isinstance(name, nodes.Const) and isinstance(name.value, str):
            index = self.environment.place(self.name, name, 0, len(name.value) + 2)
        elif isinstance(name, nodes.Name):
            index = self.environment.place(self.name, name, 0, len(name.name))
        else:
            index = self.environment.tag(self.name, name)
        self.writeline(f"environment.loading({index})")

    def visit_Include(self, node: nodes.Include, frame: Any) -> None:
        self._loads(node)
        super().visit_Include(node, frame)

    def visit_Extends(self, node: nodes.Extends, frame: Any) -> None:
        self._loads(node)
        super().visit_Extends(node, frame)

    def visit_Import(self, node: nodes.Import, frame: Any) -> None:
        self._loads(node)
        super().visit_Import(node, frame)

    def visit_FromImport(self, node: nodes.FromImport, frame: Any) -> None:
        self._loads(node)
        super().visit_FromImport(node, frame)

    def visit_Name(self, node: nodes.Name, frame: Any) -> None:
        if node.ctx != "load" or not isinstance(node.lineno, _Place):
            super().visit_Name(node, frame)
            return
        self.write(f"environment.known({self.environment.place(self.name, node, 0, len(node.name))}, ")
        super().visit_Name(node, frame)
        self.write(", context)")

    def visit_Getattr(self, node: nodes.Getattr, frame: Any) -> None:
        offset = self.environment.after_dot(self.name, node)
        self._located(node, offset, len(node.attr), lambda: super(_CodeGenerator, self).visit_Getattr(node, frame))

    def visit_Getitem(self, node: nodes.Getitem, frame: Any) -> None:
        if isinstance(node.arg, nodes.Slice):
            super().visit_Getitem(node, frame)
            return
        offset = offset_of(node.arg) - offset_of(node) if isinstance(node.arg, nodes.Const) else 0
        length = len(repr(node.arg.value)) if isinstance(node.arg, nodes.Const) else 1
        self._located(node, offset, length, lambda: super(_CodeGenerator, self).visit_Getitem(node, frame))

    def visit_Call(self, node: nodes.Call, frame: Any, forward_caller: bool = False) -> None:
        named = node.node
        name = named.name if isinstance(named, nodes.Name) else named.attr if isinstance(named, nodes.Getattr) else ""
        self._located(
            node,
            -len(name),
            len(name) or 1,
            lambda: super(_CodeGenerator, self).visit_Call(node, frame, forward_caller=forward_caller),
        )

    def visit_Filter(self, node: nodes.Filter, frame: Any) -> None:
        printed = getattr(node, "printed", None)  # by a filter block
        if printed is not None:
            self.write(f"environment.emit({printed}, lambda: ")
        self._visit_filter(node, frame)
        if printed is not None:
            self.write(")")

    def _visit_filter(self, node: nodes.Filter, frame: Any) -> None:
        if isinstance(node.lineno, _Place) and node.name[0] != "_":
            self._located(node, 0, len(node.name), lambda: super(_CodeGenerator, self).visit_Filter(node, frame))
        else:
            super().visit_Filter(node, frame)

    def visit_CallBlock(self, node: nodes.CallBlock, frame: Any) -> None:
        call_frame, macro = self.macro_body(node, frame)
        self.writeline("caller = ")
        self.macro_def(macro, call_frame)
        self.start_write(frame, node)
        self.write(f"environment.emit({self.environment.printed(self.name, node, whole=True)}, lambda: ")
        self.visit_Call(node.call, frame, forward_caller=True)
        self.write(")")
        self.end_write(frame)


def offset_of(node: nodes.Node) -> int:
    """Where a node's first token stands in its template; for a name behind a dot that is the dot."""
    return node.lineno.offset if isinstance(node.lineno, _Place) else 0


class _Wrapped(NodeTransformer):
    """Prepares what the code generator needs to know of a template: what statements compute, for the place of errors;
    what each loop goes through, to count its rounds; includes that stand indented, so that blocks in them can be."""

    def __init__(self, environment: TemplateEnvironment, name: str) -> None:
        self._environment, self._name = environment, name

    def _guarded(self, node: nodes.Node, *parts: nodes.Node) -> nodes.Node:
        for part in parts:
            if isinstance(part.lineno, _Place):
                part.guarded = True  # type: ignore[attr-defined]
        return self.generic_visit(node)

    def visit_Assign(self, node: nodes.Assign) -> nodes.Node:
        return self._guarded(node, node.node)

    def visit_If(self, node: nodes.If) -> nodes.Node:
        return self._guarded(node, node.test)

    def visit_FilterBlock(self, node: nodes.FilterBlock) -> nodes.Node:
        node.filter.printed = self._environment.printed(self._name, node, whole=True)  # type: ignore[attr-defined]
        return self.generic_visit(node)

    def visit_With(self, node: nodes.With) -> nodes.Node:
        return self._guarded(node, *node.values)

    def visit_For(self, node: nodes.For) -> nodes.Node:
        self._guarded(node, node.iter, *([node.test] if node.test else ()))
        if not node.recursive:  # that one calls itself, and its iterables with it
            place = node.iter.lineno
            node.iter = nodes.Filter(node.iter, "_rounds", [], [], None, None, lineno=place)
            node.iter.set_environment(self._environment)
            node.iter.guarded = True  # type: ignore[attr-defined]
        return node

    def visit_Include(self, node: nodes.Include) -> nodes.Node:
        index = self._environment.printed(self._name, node, whole=True)
        if not self._environment.outputs[index].indentation:
            return node
        indent = nodes.Filter(None, "_indent_block", [nodes.Const(index)], [], None, None)
        block = nodes.FilterBlock([node], indent)
        indent.set_lineno(int(node.lineno))
        block.lineno = node.lineno
        return block.set_environment(self._environment)


class TemplateEnvironment(ImmutableSandboxedEnvironment):
    """Jinja2 with traced output: `environment.trace(name, variables)` renders a template of `load`.

    `load` gives the source of a template by name, or None where there is none.
    """

    code_generator_class = _CodeGenerator
    intercepted_binops = frozenset({"+", "*", "**", "%"})

    def __init__(self, load: Callable[[str], Source | None], names: Callable[[], Iterable[str]] = tuple) -> None:
        self.parsed: dict[str, _Parsed] = {}
        self.outputs: dict[int, _Printed] = {}
        self.places: dict[int, Span] = {}
        """What compiled templates print, and where their tags stand: they know both by number."""
        self._numbers = count()
        self.loaded: set[str] = set()
        """The templates that were asked for; whoever wants to know since when empties it."""
        self._parts: dict[str, set[str]] = {}
        self.overdue: Finding | None = None
        self._met: list[Stopped] = []
        """What the template that is rendered could not print so far."""
        """Where the time for rendering was over: nothing is rendered from then on."""
        self._load, self._names = load, names
        self._calls: list[Span] = []
        self._page_names: frozenset[str] = frozenset()
        self._steps = 0
        self._loading: Span | None = None
        super().__init__(
            keep_trailing_newline=True,
            undefined=Missing,
            optimized=False,
            autoescape=False,
            auto_reload=False,
            cache_size=-1,
            loader=FunctionLoader(self._read),
        )
        self._lexer = _Lexer(self)
        self.concat = _concat  # type: ignore[method-assign]
        for name in ("lipsum", "cycler", "joiner"):
            self.globals.pop(name)
        self.filters.update(
            join=_join, indent=_indent, title=_title, _indent_block=self._indent_block, _rounds=self._rounds
        )
        self.filters = {name: template_limits.bounded(name, found) for name, found in self.filters.items()}

    @property
    def lexer(self) -> Lexer:
        return self._lexer

    def _read(self, name: str) -> tuple[str, str, Callable[[], bool]] | None:
        source = self._load(name)
        if source is None:
            return None
        self.parsed[name] = _Parsed(source)
        return source.text, name, lambda: True

    def join_path(self, template: str, parent: str) -> str:
        """The name that an include, import or `extends` asks for: as written, and without its place."""
        return traced.plain(template)

    def get_template(self, name: Any, parent: str | None = None, *args: Any, **kwargs: Any) -> Any:
        self._note(name, parent)
        return super().get_template(name, parent, *args, **kwargs)

    def select_template(self, names: Any, parent: str | None = None, *args: Any, **kwargs: Any) -> Any:
        names = names if isinstance(names, Undefined) else list(names)
        for name in () if isinstance(names, Undefined) else names:
            self._note(name, parent)
        return super().select_template(names, parent, *args, **kwargs)

    def _note(self, name: object, parent: str | None) -> None:
        if isinstance(name, str):
            self.loaded.add(traced.plain(name))
            if parent is not None:
                self._parts.setdefault(traced.plain(parent), set()).add(traced.plain(name))

    def with_parts(self, names: Iterable[str]) -> set[str]:
        """Templates, and all that they load."""
        found, todo = set[str](), list(names)
        while todo:
            if (name := todo.pop()) not in found:
                found.add(name)
                todo += self._parts.get(name, ())
        return found

    def renew(
        self, changed: Iterable[str], load: Callable[[str], Source | None], names: Callable[[], Iterable[str]]
    ) -> None:
        """Go on with other sources: what was compiled of templates that changed, or that load those, is dropped."""
        self._load, self._names = load, names
        gone = set(changed)
        stale = {name for name in self.parsed if gone & self.with_parts([name])} if gone else gone
        assert self.cache is not None
        for key in [key for key in self.cache if key[1] in stale]:
            del self.cache[key]
        sources = {self.parsed.pop(name).source for name in stale}
        for name in stale:
            self._parts.pop(name, None)
        if sources:
            self.outputs = {number: each for number, each in self.outputs.items() if each.tag.source not in sources}
            self.places = {number: span for number, span in self.places.items() if span.source not in sources}

    # Compile time: what the code generator asks.

    def _parse(self, source: str, name: str | None, filename: str | None) -> nodes.Template:
        name = name or ""
        if conflict := _conflict(source):
            place = Span(self.parsed[name].source, conflict.start, conflict.end)
            raise _stop(conflict.message, place, "invalid-template")
        if found := _SECTION_ID.search(source):
            raise _stop(
                f"`{found[1]}` begins a Jinja comment; write a section's id as `{{: {found[1][1:-1]} }}`",
                Span(self.parsed[name].source, found.start(1), found.end(1)),
                "invalid-template",
            )
        tree = Parser(self, source, name, filename).parse()
        return _Wrapped(self, name).visit(tree)  # type: ignore[no-any-return]

    def printed(self, name: str | None, node: nodes.Node, *, whole: bool = False) -> int:
        """Register something that a template prints; the index is what the generated code hands to `emit`."""
        parsed, at, literal = self.parsed[name or ""], offset_of(node), None
        if isinstance(node, nodes.TemplateData):
            literal = traced.traced(Span(parsed.source, at, at + len(node.data)))
            tag = Span(parsed.source, at, at + len(node.data))
        else:
            tag = parsed.tag(at)
            if isinstance(node, nodes.Const) and not whole:
                literal = _const(parsed.source, at, node.value)
        indentation = "" if literal or isinstance(node, nodes.FilterBlock) else parsed.indentation(tag)
        return self._numbered(self.outputs, _Printed(literal, tag, indentation, isinstance(node, nodes.Call)))

    def place(self, name: str | None, node: nodes.Node, offset: int, length: int) -> int:
        at = offset_of(node) + offset
        return self._numbered(self.places, Span(self.parsed[name or ""].source, at, at + length))

    def tag(self, name: str | None, node: nodes.Node) -> int:
        """Register the tag that a node stands in."""
        return self._numbered(self.places, self.parsed[name or ""].tag(offset_of(node)))

    def _numbered(self, known: dict[int, Known], new: Known) -> int:
        number = next(self._numbers)
        known[number] = new
        return number

    def after_dot(self, name: str | None, node: nodes.Getattr) -> int:
        """How far behind the start of a `.name` its name stands; 0 where it is not found."""
        found = re.compile(r"\.?\s*").match(self.parsed[name or ""].source.text, offset_of(node))
        return found.end() - found.start() if found else 0

    # Run time: what the generated code calls.

    def literal(self, index: int) -> Traced:
        literal = self.outputs[index].literal
        assert literal is not None
        self._spend(len(literal) // 100)
        return literal

    def emit(self, index: int, compute: Callable[[], Any]) -> Traced:
        printed = self.outputs[index]
        if printed.literal is not None:
            self._spend(1 + len(printed.literal) // 100)
            return printed.literal
        try:
            text = text_of(compute())
            self._spend(1 + len(text) // 100)
            if isinstance(text, Traced):
                self._spend(len(text.runs))
        except Exception as error:
            placed = self._placed(error, printed.tag, exact=False)
            if not isinstance(placed, Stopped) or placed.finding.rule != "undefined-name" or len(self._met) >= MOST:
                raise placed from error
            self._met.append(placed)  # what follows is rendered to find more; the page is none
            return traced.as_traced("")
        if not isinstance(text, Traced):
            text = traced.placed(text, printed.tag)
        if printed.indentation and (text.block or (printed.is_call and "\n" in text.rstrip("\n"))):
            text = _indented(text, printed.indentation)
        return self._through(text, printed.tag)

    def _through(self, text: Traced, tag: Span) -> Traced:
        longer: dict[int, tuple[Span, ...]] = {}  # runs share what they went through, and go on sharing it
        runs = []
        for run in text.runs:
            if run.span is None:
                runs.append(Run(run.length, tag))
                continue
            via = longer.get(id(run.via)) or longer.setdefault(id(run.via), (*run.via, tag))
            runs.append(Run(run.length, run.span, run.aligned, via))
        return Traced(text, runs, block=text.block)

    def _indent_block(self, text: str, index: int) -> Traced:
        """An included text; where a block stands in it, it is indented as its tag, the first line too."""
        text, printed = traced.as_traced(text), self.outputs[index]
        if not text.block:
            return text
        return self._through(_indented(text, printed.indentation, first=True), printed.tag)

    def loading(self, index: int) -> None:
        """A template is about to be loaded: whoever does not find it can say where it is asked for."""
        self._loading = self.places[index]

    def known(self, index: int, value: Any, context: Context) -> Any:
        self._spend(1 + template_limits.cost(value))
        if isinstance(value, Missing):
            self._mark(value, self.places[index], context)
        return value

    def located(self, index: int, compute: Callable[[], Any], context: Context) -> Any:
        span = self.places[index]
        self._calls.append(span)
        try:
            value = compute()
            self._spend(template_limits.cost(value))
        except Exception as error:
            raise self._placed(error, span) from error
        finally:
            self._calls.pop()
        if isinstance(value, Missing):
            self._mark(value, span, context)
        return value

    def guarded(self, index: int, compute: Callable[[], Any]) -> Any:
        """What a statement computes; where an error knows no place, its tag is that."""
        try:
            return compute()
        except Exception as error:
            raise self._placed(error, self.places[index], exact=False) from error

    @property
    def here(self) -> Span:
        """The call that is running."""
        return self._calls[-1]

    @property
    def calling(self) -> Span | None:
        """As `here`; None while no template of this environment runs."""
        return self._calls[-1] if self._calls else None

    def _mark(self, value: Missing, span: Span, context: Context) -> None:
        if getattr(value, "_span", None) is not None:
            return
        value._span = span
        name, owner = value._undefined_name, value._undefined_obj
        lacking = _NOT_GIVEN.match(value._undefined_hint or "")
        if lacking and self.calling is not None:
            value._span, value._text = self.calling, f"this call does not give '{lacking[1]}', which the macro prints"
        elif isinstance(owner, Namespace):
            value._text, value._about = owner.lacks(name), owner.about
        elif isinstance(owner, str):
            looped = "; a loop over a text gives its signs: `rows('…')` gives the rows of a table"
            value._text = f"a text has no '{name}'{looped if len(owner) == 1 else did_you_mean(name, _STR_NAMES)}"
        elif isinstance(owner, LoopContext):
            value._text = f"a loop has no '{name}'{did_you_mean(name, _LOOP_NAMES)}"
        elif isinstance(owner, list | tuple) and isinstance(name, str):
            value._text = f"a list has no '{name}'; a loop over pairs has two names: `{{% for id, one in … %}}`"
        elif callable(owner) and (
            called := re.search(r"(?<![\w.])[a-z_][\w.]*(?=(?:\.|\[[\"']?)$)", span.source.text[: span.start])
        ):
            value._text = f"'{called[0]}' is a call, and has no '{name}'; write `{called[0]}('{name}')`"
        elif isinstance(owner, TemplateModule):
            value._text = f"the imported template has no '{name}'{did_you_mean(name, vars(owner))}"
        elif lacks := re.match(_NOT_EXPORTED, value._undefined_hint or ""):
            names = _EXPORTS.findall(self.parsed[lacks[1]].source.text) if lacks[1] in self.parsed else []
            value._text = f"the template '{lacks[1]}' has no '{lacks[2]}'{did_you_mean(lacks[2], names)}"
        elif value._undefined_hint is None and owner is missing:
            known = context.get_all()
            imported = "; an imported macro sees what the page sees only if it is imported `with context`"
            hint = imported if name in self._page_names and name not in known else did_you_mean(name, known)
            hint = _INSTEAD.get(name or "") or _below_platform(name or "", known) or hint
            hint = _of_place(span) or self._to_import(name or "", span) or hint
            if _is_shown_as_code(span) and _TO_BE_SEEN not in hint:
                hint += f" T{_TO_BE_SEEN[3:]}" if hint.endswith("?") else _TO_BE_SEEN
            value._text = f"'{name}' is not defined{hint}"

    def _to_import(self, name: str, span: Span) -> str:
        """What to write for a macro of another template that a place calls."""
        if span.source.text[span.end : span.end + 1] != "(":
            return ""
        macro = re.compile(rf"\{{%[-+]?\s*macro\s+{re.escape(name)}\s*\(")
        for template in sorted(self._names())[:_MOST_SEARCHED]:
            source = self.parsed[template].source if template in self.parsed else self._load(template)
            if source is not None and source is not span.source and macro.search(source.text):
                return f"; write `{{% from '{template}' import {name} %}}` above"
        return ""

    def _placed(self, error: Exception, span: Span, *, exact: bool = True) -> Exception:
        """An error of anything that runs, with its place: `span`, where the error itself knows none."""
        if isinstance(error, Stopped | TemplateSyntaxError):
            return error
        if isinstance(error, Complaint):
            at = span_of(error.at)
            is_exact = exact or at is not None
            return _stop(error.message, at or span, error.rule, error.related, exact=is_exact, about=error.about)
        if isinstance(error, SyntaxError) or (isinstance(error, RecursionError) and self._repeated() is None):
            return _stop("tags or expressions stand too deep inside each other", span, "invalid-template", exact=False)
        if isinstance(error, RecursionError):
            return _stop("macros or includes call each other without end", self._repeated() or span, "invalid-template")
        if isinstance(error, TemplateNotFound) and self._loading:
            span, exact = self._loading, True
        if (unknown := re.match(_NO_SUCH, str(error))) and (start := span.text.find(unknown[2])) >= 0:
            span, exact = span.cut(start, start + len(unknown[2])), True
        stopped = _stop(_reason(error, self._names), span, "invalid-template", exact=exact)
        if isinstance(error, untrusted.Overdue):
            self.overdue = self.overdue or stopped.finding
        return stopped

    def _repeated(self) -> Span | None:
        """What runs inside of itself: the call that is open most often, else the last template that was loaded."""
        calls = Counter(self._calls).most_common(1)
        return calls[0][0] if calls and calls[0][1] > 2 else self._loading

    def joined(self, values: Iterable[Any]) -> Traced:
        """`~`: texts one after the other."""
        return _concat(map(text_of, values))

    # Lookups: by key only in our own data, sandboxed elsewhere.

    def getattr(self, obj: Any, attribute: str) -> Any:
        if isinstance(obj, Namespace):
            return obj[attribute] if attribute in obj else self.undefined(obj=obj, name=attribute)
        if isinstance(obj, Traced) and attribute not in _STR_NAMES:
            return self.undefined(obj=obj, name=attribute)
        return super().getattr(obj, attribute)

    def getitem(self, obj: Any, argument: Any) -> Any:
        if isinstance(obj, Namespace):
            if isinstance(argument, Missing):
                raise argument._error()
            if isinstance(argument, list | dict | set):
                raise Complaint("a name in brackets is one text in quotes, and no list", rule="invalid-template")
            return obj[argument] if argument in obj else self.undefined(obj=obj, name=argument)
        if isinstance(obj, Traced) and isinstance(argument, str) and argument not in _STR_NAMES:
            return self.undefined(obj=obj, name=argument)
        return super().getitem(obj, argument)

    def wrap_str_format(self, value: Any) -> Callable[..., str] | None:
        owner = getattr(value, "__self__", None)
        if not isinstance(owner, str) or value.__name__ not in ("format", "format_map"):
            return None
        sandboxed = super().wrap_str_format(getattr(traced.plain(owner), value.__name__))
        assert sandboxed is not None

        def checked(*args: Any, **kwargs: Any) -> str:
            template_limits.check_format(owner, [*args, *kwargs.values()])
            return sandboxed(*args, **kwargs)

        return checked

    # Limits: the sandbox stops attribute escapes, not sizes.

    def call(self, context: Context, obj: Any, /, *args: Any, **kwargs: Any) -> Any:
        owner = getattr(obj, "__self__", None)
        if (getattr(obj, "__module__", None) or "").startswith(_OURS):
            _check_names((*args, *kwargs.values()))
        if isinstance(owner, str):
            if obj.__name__ == "join":
                args = tuple(arg if isinstance(arg, str) else list(arg) for arg in args)
            template_limits.check_call(obj.__name__, owner, [*args, *kwargs.values()])
        return super().call(context, obj, *args, **kwargs)

    def call_binop(self, context: Context, operator: str, left: Any, right: Any) -> Any:
        template_limits.check_operator(operator, left, right)
        value = super().call_binop(context, operator, left, right)
        self._spend(template_limits.cost(value))
        return value

    def _spend(self, steps: int = 1) -> None:
        self._steps += steps
        check(self._steps <= MAX_STEPS, f"the page takes more than {MAX_STEPS:,} steps: loops inside of loops?")

    def _rounds(self, values: Iterable[Any]) -> Iterator[Any]:
        """What a `for` goes through. Raises `Complaint` for a text of the data, of which it would be the letters."""
        if isinstance(values, Traced) and (values.block or _is_of_data(values)):
            told = "`rows('…')` gives the rows of a table" if values.block else "write a list there: [first, second]"
            raise Complaint(f"a loop over a text gives its letters; {told}", rule="invalid-template")
        return map(self._round, iter(values))

    def _round(self, value: Any) -> Any:
        self._spend()
        return value

    # What the rest of the tool calls.

    def literals(self, names: Iterable[str]) -> tuple[Span, ...]:
        """The texts between the tags of those of the named templates that were compiled."""
        wanted = {self.parsed[name].source for name in names if name in self.parsed}
        held = (printed for printed in self.outputs.values() if printed.tag.source in wanted)
        texts = (printed for printed in held if printed.literal is not None and str.strip(printed.literal))
        return tuple(
            printed.tag for printed in texts if printed.literal and printed.literal.runs[0].span == printed.tag
        )

    def tree(self, name: str) -> nodes.Template | None:
        """The syntax tree of a template, whose nodes' places `offset_of` tells; None where it does not parse."""
        source = self._load(name)
        if source is None:
            return None
        self.parsed[name] = _Parsed(source)
        try:
            return Parser(self, source.text, name).parse()
        except (TemplateSyntaxError, RecursionError):
            return None

    def check(self, name: str) -> Finding | None:
        """What is wrong with a template's syntax, if anything is."""
        try:
            with untrusted.in_template():
                self.get_template(name)
        except Exception as error:  # noqa: BLE001 - whatever compiling a stranger's template raises, it is theirs
            return self._finding(error, name)
        return None

    def trace(self, name: str, variables: Mapping[str, Any]) -> Traced:
        """The template's text with its origins. Raises `Stopped`."""
        self._calls.clear()
        self._met = []
        self._page_names = frozenset(variables)
        self._steps = 0
        if self.overdue:
            raise Stopped(self.overdue)
        try:
            with untrusted.in_template():
                text = self.include(name, variables)
            if self._met:
                first, *others = self._met
                raise Stopped(first.finding, first.about, tuple(others))
            if half := _SURROGATE.search(text):
                raise _stop("half of a pair of surrogates is no character", self._came_from(text, half.start(), name))
            return text
        except Exception as error:
            stopped = self._stopped(error, name)
            raise stopped if stopped.others else stopped.beside(self._met) from error

    def _came_from(self, text: Traced, at: int, name: str) -> Span:
        return text.run_at(at)[0].span or self.parsed[name].line(1)

    def include(self, name: str, variables: Mapping[str, Any]) -> Traced:
        """The text of another template, while one is rendered."""
        self._loading = None
        template = self.get_template(name)
        return _concat(template.root_render_func(template.new_context(dict(variables))))

    def _finding(self, error: Exception, name: str) -> Finding:
        return self._stopped(error, name).finding

    def _stopped(self, error: Exception, name: str) -> Stopped:
        """What ended a template, with its place."""
        if isinstance(error, Stopped):
            return error
        parsed = self.parsed.get(getattr(error, "name", None) or name) or _Parsed(Source(name, ""))
        if isinstance(error, TemplateSyntaxError):
            if (error.message or "").startswith("Unexpected end of template") and (found := _unclosed(parsed.source)):
                told = f"`{{% {found.text} %}}` is not closed: write `{{% end{found.text} %}}` where it ends"
                return _stop(told, found, "invalid-template")
            span = _syntax_span(parsed, error)
            is_closing = (error.message or "").startswith("unexpected '}'")
            if not is_closing and (opened := _unclosed_print(parsed.source, span.start)):
                return _stop("`{{` is not closed: write `}}` where it ends", opened, "invalid-template")
            if behind := _END.match(parsed.source.text, span.start):
                return _stop(f"`{{% end {behind[1]} %}}` is written `{{% end{behind[1]} %}}`", span, "invalid-template")
            if not is_closing and (thrice := _three_braces(parsed.source, span)):
                return _stop("three braces begin nothing: write `{{ … }}`, with two", thrice, "invalid-template")
            if span.text == "if" and _ELSE.search(parsed.source.text, 0, span.start):
                return _stop("`{% else if … %}` is written `{% elif … %}`", span, "invalid-template")
            return _stop(_syntax_message(error), span, "invalid-template")
        line = _template_line(error.__traceback__)
        span = self.parsed[line[0]].line(line[1]) if line and line[0] in self.parsed else parsed.line(1)
        placed = self._placed(error, span, exact=False)
        return placed if isinstance(placed, Stopped) else _stop(str(error), span, "invalid-template")


def _is_of_data(text: Traced) -> bool:
    """Whether a text stands in a data file."""
    return any(run.span is not None and run.span.source.path.endswith((".yaml", ".yml")) for run in text.runs[:1])


_STR_NAMES = frozenset(name for name in dir(str) if not name.startswith("_"))


_LOOP_NAMES = sorted(name for name in dir(LoopContext) if not name.startswith("_"))


_OURS = "tutorial_tool."


def _check_names(values: Iterable[Any]) -> None:
    """What is given to a call of ours is there. Raises `Stopped`."""
    for value in values:
        if isinstance(value, Missing):
            error, name = value._error(), value._undefined_name
            if isinstance(error, Stopped) and value._undefined_obj is missing:
                told = f"'{name}' is not defined; a name of the data stands in quotes: '{name}'"
                raise Stopped(replace(error.finding, message=told)) from None
            raise error


def _below_platform(name: str, known: Mapping[str, Any]) -> str:
    """What to write for a name that stands below the platform, in its data."""
    platform = known.get("platform")
    if not isinstance(platform, Namespace):
        return ""
    values = platform.get("values")
    if name in platform:
        called = "('…')" if callable(platform[name]) else ""
        return f"; did you mean `platform.{name}{called}`?"
    if isinstance(values, Namespace) and name in values:
        return f"; did you mean `platform.values.{name}`?"
    return ""


_MOST_SEARCHED = 200
"""Templates in which a macro is looked for that is called and not imported."""
_TO_BE_SEEN = "; text with braces stands between `{% raw %}` and `{% endraw %}`, or in a file of `code()`"


def _is_shown_as_code(span: Span) -> bool:
    """Whether a tag stands between backticks on its line."""
    before = span.source.text[span.source.text.rfind("\n", 0, span.start) + 1 : span.start]
    end = span.source.text.find("\n", span.end)
    behind = span.source.text[span.end : end if end >= 0 else None]
    return before.count("`") % 2 == 1 and "`" in behind


def _of_place(span: Span) -> str | None:
    """What an undefined name was meant as, if what stands around it tells."""
    before, after = span.source.text[: span.start].rstrip(" "), span.source.text[span.start : span.start + 200]
    if before.endswith("${{"):
        return _TO_BE_SEEN
    hyphened = re.match(r"\w+(?:-\w+)+", after)
    return f"; a name of the data stands in quotes: '{hyphened[0]}'" if hyphened and before.endswith("(") else None


def span_of(value: object) -> Span | None:
    """Where a traced argument stands, whole."""
    if not isinstance(value, Traced) or not value.runs:
        return None
    first, last = value.runs[0].span, value.runs[-1].span
    if first is None or last is None or first.source is not last.source or last.end < first.start:
        return first
    return Span(first.source, first.start, last.end)


def _const(source: Source, at: int, value: Any) -> Traced | None:
    """A string in quotes: exact where it stands in the template as it is."""
    if not isinstance(value, str):
        return None
    if source.text[at : at + 1] in ("'", '"') and source.text.startswith(value, at + 1):
        return traced.traced(Span(source, at + 1, at + 1 + len(value)))
    return traced.placed(value, Span(source, at, at + 1 + len(value)))


def _concat(parts: Iterable[str]) -> Traced:
    parts, size = list(parts), 0
    for part in parts:
        size += len(part)
    check(size <= MAX_TEXT)
    return traced.concat(parts)


def text_of(value: Any) -> str:
    """What a value is when it is printed."""
    if isinstance(value, str):
        return value
    check_value(value)
    if value is None:
        told = "nothing is there to print; `step.number`, for one, is none where a step is not numbered"
        raise Complaint(f"{told}: put this under `{{% if … %}}`", rule="invalid-template")
    if callable(value) and not isinstance(value, Undefined):
        raise Complaint("a function cannot be printed; call it, with `()` behind its name", rule="invalid-template")
    if isinstance(value, list | tuple | dict | set):
        raise _listed(value)
    if not isinstance(value, int | float | Undefined | Namespace):
        raise Complaint("this is no text and no number, and cannot be printed", rule="invalid-template")
    return str(value)


def _listed(value: Iterable[Any]) -> Complaint:
    """What is wrong with printing several parts: where the data has them on one platform, it may mean one text."""
    told = "what has several parts cannot be printed; loop over it, or write `|join(', ')` behind it"
    first = span_of(next(iter(value), None))
    if not isinstance(value, list | tuple) or first is None or not first.path.endswith((".yaml", ".yml")):
        return Complaint(told, rule="invalid-template")
    told = f"{told}, or, where the other platforms have one text, write it without `[ ]` at {first}"
    return Complaint(told, rule="invalid-template", related=(Related(first, "the list begins here"),))


def _indented(text: Traced, indentation: str, *, first: bool = False) -> Traced:
    lines = text.split("\n")
    out: list[str] = []
    for number, line in enumerate(lines):
        out += ["\n"] if number else []
        out += [indentation, line] if line and (number or first) else [line]
    return traced.block(traced.concat(out))


def _join(value: Iterable[Any], d: str = "", attribute: str | None = None) -> Traced:
    """Jinja's `join`, with origins."""
    if attribute is not None:
        value = [item[attribute] if isinstance(item, Mapping) else getattr(item, attribute) for item in value]
    return _concat_between(traced.as_traced(d), list(map(text_of, value)))


def _concat_between(separator: Traced, parts: list[str]) -> Traced:
    out: list[str] = []
    for part in parts:
        out += [separator, part] if out else [part]
    return _concat(out)


def _title(s: Any) -> str:
    """Jinja's `title`, with origins."""
    text = do_title(s)
    return Traced(text, s.runs) if isinstance(s, Traced) and len(text) == len(s) else text


def _indent(s: str, width: int | str = 4, first: bool = False, blank: bool = False) -> Traced:
    """Jinja's `indent`, with origins."""
    padding = width if isinstance(width, str) else " " * width
    lines = traced.as_traced(s).split("\n")
    padded = [padding + line if (number or first) and (line or blank) else line for number, line in enumerate(lines)]
    return _concat_between(traced.as_traced("\n"), padded)


_CALLS = "table|rows|part|code|figure|link|label|can"
"""The calls of a page and of its platform."""


def _near_template(name: str, names: Iterable[str]) -> str:
    """The template of that name in another folder, or of nearly that name."""
    known = sorted(names)
    stems = {re.sub(r"(\.md)?\.j2$", "", posixpath.basename(one)): one for one in reversed(known)}
    stem = re.sub(r"(\.md)?(\.j2)?$", "", posixpath.basename(traced.plain(name)))
    near = nearest(stem, stems)
    return f"; did you mean '{stems[near]}'?" if near else ""


def _reason(error: Exception, names: Callable[[], Iterable[str]]) -> str:
    if isinstance(error, TemplateNotFound):
        return f"there is no template '{error.name}'{_near_template(f'{error.name}', names())}"
    if isinstance(error, SecurityError):
        return f"templates may not do this: {error}"
    if isinstance(error, MemoryError):
        return "this needs more memory than it may have"
    if unknown := _unknown(str(error)):
        return unknown
    if uncalled := re.fullmatch(r"'(\w+)' object is not callable", str(error)):
        several = "; name what is in it behind a dot, as in `platform.values.package`"
        return f"this is no call, and takes no brackets{several if uncalled[1] == 'Namespace' else ''}"
    if many := re.fullmatch(r"macro '(\w+)' takes not more than (\d+) argument\(s\)", str(error)):
        return f"macro '{many[1]}' takes {many[2]} argument{'s' * (many[2] != '1')} at most"
    message = re.sub(r"^\S*?(?:do_|_)?(\w+)\(\)", r"\1()", str(error))
    if lacks := re.fullmatch(r"(\w+)\(\) missing \d+ required (?:positional|keyword-only) arguments?: (.+)", message):
        return f"{lacks[1]}() needs {lacks[2]}"
    if counted := re.fullmatch(rf"({_CALLS})\(\) takes (?:from \d+ to )?(\d+) positional arguments? but .*", message):
        most = int(counted[2]) - (counted[1] not in ("label", "can"))
        return f"{counted[1]}() takes {most} argument{'s' * (most > 1)} without a name at most"
    if odd := re.fullmatch(r"(code|link|part|label|can)\(\) got an unexpected keyword argument '(\w+)'", message):
        takes = {"code": "; it takes 'language'", "link": "; it takes 'text'", "label": "; it takes 'default'"}.get(
            odd[1], ""
        )
        return f"{odd[1]}() takes no '{odd[2]}'{takes}"
    if (
        re.fullmatch(r"unsupported operand type\(s\) for \+: .*'(?:str|Traced)'.*", message)
        or "can only conc" in message
    ):
        return "`+` adds two numbers, or two texts; `~` joins a text and whatever stands beside it"
    if re.match(r"'[<>]=?' not supported between instances of '(?:Traced|str)' and|.* and '(?:Traced|str)'$", message):
        return "a value of the data is a text, and is not compared with a number: write `| int` behind it"
    message = re.sub(r"'tutorial_tool\.\S+ object'", "a text", message).replace("macro None", "the call block")
    return re.sub(r"\bTraced\b", "str", message) or type(error).__name__


_TAG = lazy_re.compile(
    r"\{#.*?#\}|\{\{.*?\}\}|\{%[-+]?\s*raw\b.*?\{%[-+]?\s*endraw\b|\{%[-+]?\s*(\w+)([^%]*)", re.DOTALL
)
_BLOCKS = frozenset(("if", "for", "block", "macro", "call", "filter", "set", "with", "autoescape"))


_ELSE = lazy_re.compile(r"\{%[-+]?\s*else\s+\Z")
_END = lazy_re.compile(r"(?<=[%\-+ \t])end[ \t]+(if|for|macro|block|call|filter|set|with|raw)\b")
_NOT_GIVEN = lazy_re.compile(r"parameter '(\w+)' was not provided")
_NO_SUCH = r"No (filter|test) named '(.+?)'"
_SYNTAX = (
    (r"Missing end of comment tag", r"the comment is not closed: write `#}` where it ends"),
    (r"Missing end of raw directive", r"`{% raw %}` is not closed: write `{% endraw %}` where it ends"),
    (r"expected token 'end of (?:print statement|statement block)', got '='", r"`=` compares nothing: write `==`"),
    (r"unexpected char ([\"'])([\"'])\1$", r"nothing closes the text that begins with \2 here"),
    (r"unexpected '.', expected '(.)'", r"`\1` is missing before this"),
    (r"expected name or number", r"a name is missing behind the dot"),
    (r"unexpected 'end of template'", r"`{{` is not closed: write `}}` where it ends"),
    (
        r"[Ee]xpected an expression, got 'end of (?:print statement|statement block)'",
        r"a name or value is missing in this tag",
    ),
    (r"tag name expected", r"the tag has no name, such as `if` or `for`"),
    (r"unexpected '\}'$", r"`}` closes nothing: what begins with `{{` ends with `}}`, and `{%` with `%}`"),
    (r"unexpected '([)\]])'$", r"`\1` closes nothing that is open here"),
    (
        r"expected token ',', got '(.+)'",
        r"`,` is missing before '\1', or a quote inside of a text ends it",
    ),
    (r"expected token 'in'", r"`in` is missing: `{% for one in … %}`"),
    (r"unexpected char '&'", r"`&&` is written `and`"),
    (r"unexpected char '!'", r"`!` is written `not`"),
    (r"unexpected char '([‘’“”])'", r"'\1' is no quotation mark of templates: write a straight one"),
    (r"unexpected char '(.)'", r"'\1' cannot stand here: is `}}` or `%}` missing before it?"),
    (r"expected token 'end of print statement', got '(.+)'", r"`}}` should stand before '\1', or an operator"),
    (r"expected token 'end of statement block', got '(.+)'", r"`%}` should stand before '\1', or an operator"),
    (
        r"Encountered unknown tag '(end\w+)'\. .*The innermost block that needs to be closed is '(\w+)'",
        r"`{% \1 %}` closes nothing here: `{% \2 %}` is open, and ends with `{% end\2 %}`",
    ),
    (r"Encountered unknown tag '(end\w+)'$", r"`{% \1 %}` closes nothing: no such tag is open"),
)
"""What Jinja says of some mistakes, and what we say."""


def _unclosed_print(source: Source, at: int) -> Span | None:
    """The `{{` that an error stands behind, if nothing closes it on its line or before the next tag."""
    opened = source.text.rfind("{{", 0, at)
    line = source.text.find("\n", opened)
    if opened < 0 or source.text.find("}}", opened, line if line >= 0 else None) >= 0:
        return None
    following = min((found for tag in ("{{", "{%") if (found := source.text.find(tag, opened + 2)) >= 0), default=None)
    is_open = source.text.find("}}", opened, following) < 0
    return Span(source, opened, opened + 2) if is_open else None


def _three_braces(source: Source, span: Span) -> Span | None:
    """The `{{{` of the tag in which an error stands."""
    at = source.text.rfind("{{{", 0, span.end)
    return Span(source, at, at + 3) if at >= 0 and "}}" not in source.text[at : span.start] else None


def _unclosed(source: Source) -> Span | None:
    """The name of the innermost tag that is still open at the end of a template."""
    open_: list[Span] = []
    for tag in _TAG.finditer(source.text):
        name = tag[1] or ""
        if name.startswith("end") and open_ and open_[-1].text == name.removeprefix("end"):
            open_.pop()
        elif name in _BLOCKS and not (name == "set" and "=" in tag[2]):
            open_.append(source.span(tag.start(1), tag.end(1)))
    return open_[-1] if open_ else None


def _unknown(message: str) -> str | None:
    """What to say where Jinja says that it has no such filter or test."""
    found = re.match(_NO_SUCH, message)
    if found is None:
        return None
    known = FILTERS if found[1] == "filter" else TESTS
    return f"there is no {found[1]} '{found[2]}'{did_you_mean(found[2], sorted(set(known) - {found[2]}))}"


def _syntax_message(error: TemplateSyntaxError) -> str:
    message = re.sub(r" at \d+$", "", error.message or "").rstrip(".")
    if unknown := _unknown(message):
        return unknown
    for theirs, ours in _SYNTAX:
        if found := re.match(theirs, message):
            return found.expand(ours)
    if tag := re.match(r"Encountered unknown tag '(\w+)'", message):
        if tag[1] in ("elseif", "elsif"):
            return f"there is no tag '{tag[1]}'; write `elif`"
        if re.fullmatch(f"{_CALLS}|platform|step|tutorial", tag[1]):
            return f"there is no tag '{tag[1]}'; what prints stands between `{{{{` and `}}}}`"
        return f"there is no tag '{tag[1]}'{did_you_mean(tag[1], sorted(_BLOCKS | {'else', 'elif', 'include'}))}"
    return f"the template does not parse: {message[:1].lower()}{message[1:]}"


def _syntax_span(parsed: _Parsed, error: TemplateSyntaxError) -> Span:
    if found := re.search(r" at (\d+)$", error.message or ""):
        at = int(found[1])
    elif isinstance(error.lineno, _Place):
        at = error.lineno.offset
        if unknown := re.match(_NO_SUCH, error.message or ""):
            at = max(at, parsed.source.text.find(unknown[2], at))
        elif (error.message or "").startswith("Missing end of"):
            at = max(parsed.source.text.rfind(opened, 0, at) for opened in ("{#", "{%"))
    else:
        return parsed.line(error.lineno)
    at = min(at, len(parsed.source.text))
    token = re.compile(r"\w+|\S?").match(parsed.source.text, at)
    return Span(parsed.source, at, token.end() if token else at)


def _template_line(trace: TracebackType | None) -> tuple[str, int] | None:
    """The innermost template and line of a traceback: Jinja's code objects know which they were made from."""
    found = None
    while trace is not None:
        template = trace.tb_frame.f_globals.get("__jinja_template__")
        if template is not None:
            found = template.name, template.get_corresponding_lineno(trace.tb_lineno)
        trace = trace.tb_next
    return found
