"""A sandboxed Jinja2 environment that renders to traced text and reports errors with columns.

Jinja's lexer is extended to keep offsets, which pass through its parser in `lineno` (an `int` subclass); the code
generator wraps printed values so that each character keeps its origin, or gets that of its tag. The hooks are those
that Jinja's own `NativeCodeGenerator` overrides.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import count
from typing import Any, TypeVar

from jinja2 import TemplateNotFound, TemplateSyntaxError, Undefined, nodes
from jinja2.lexer import Lexer
from jinja2.loaders import FunctionLoader
from jinja2.parser import Parser
from jinja2.runtime import Context
from jinja2.sandbox import ImmutableSandboxedEnvironment

from tutorial_tool.core import lazy_re, traced
from tutorial_tool.core.diagnostics import MAX_PLACES, Finding, Related
from tutorial_tool.core.source import Source, Span
from tutorial_tool.core.time_budget import TASK_SECONDS, Limit
from tutorial_tool.core.traced import Run, Traced
from tutorial_tool.fs import limited_process
from tutorial_tool.templating import template_limits
from tutorial_tool.templating.environment import jinja_errors, texts, undefined
from tutorial_tool.templating.environment.call_errors import (
    ANY,
    TemplateCallError,
    TemplateFailure,
    build_failure,
    get_span,
)
from tutorial_tool.templating.environment.code import TemplatePreparer, TracingCodeGenerator
from tutorial_tool.templating.environment.filters import build_filters, build_tests
from tutorial_tool.templating.environment.formatting import format_fields, format_percent
from tutorial_tool.templating.environment.places import OffsetLexer, ParsedTemplate, PrintedNode, get_offset
from tutorial_tool.templating.environment.texts import render_value
from tutorial_tool.templating.environment.values import LazyValue, MissingName, Namespace, check_names
from tutorial_tool.templating.template_limits import MAX_STEPS, check_limit

Registered = TypeVar("Registered")

_OURS = "tutorial_tool."
_BYTES_METHODS = frozenset({"encode", "from_bytes", "to_bytes"})
"""Methods that return bytes, which print in Python's notation and are not limited."""
_SURROGATE = lazy_re.compile("[\ud800-\udfff]")


class TemplateEnvironment(ImmutableSandboxedEnvironment):
    """Jinja2 with traced output: `environment.render_traced(name, variables)` renders a template of `load`.

    `load` returns the source of a template by name, or None.
    """

    code_generator_class = TracingCodeGenerator
    intercepted_binops = frozenset({"+", "*", "**", "%"})

    def __init__(self, load: Callable[[str], Source | None], names: Callable[[], Iterable[str]] = tuple) -> None:
        self.parsed: dict[str, ParsedTemplate] = {}
        self.outputs: dict[int, PrintedNode] = {}
        self.places: dict[int, Span] = {}
        """The printed nodes and tags of compiled templates, which refer to them by index."""
        self._numbers = count()
        self.loaded: set[str] = set()  # The templates requested since a caller last cleared this
        self._parts: dict[str, set[str]] = {}
        self.timeout_finding: Finding | None = None  # Where rendering ran out of time: nothing is rendered afterwards
        self._failures: list[TemplateFailure] = []  # Failures of the template being rendered, so far
        self._load, self._names = load, names
        self._calls: list[Span] = []
        self._page_names: frozenset[str] = frozenset()
        self._steps = 0
        self._loading: Span | None = None
        super().__init__(
            keep_trailing_newline=True,
            undefined=MissingName,
            optimized=False,
            autoescape=False,
            auto_reload=False,
            cache_size=-1,
            loader=FunctionLoader(self._load_source),
        )
        self._lexer = OffsetLexer(self)
        self.concat = texts.concat_texts  # type: ignore[method-assign]
        for name in ("lipsum", "cycler", "joiner"):
            self.globals.pop(name)
        filters = build_filters(self.spend_steps)
        filters |= {"_indent_block": self._indent_block, "_rounds": self._count_rounds}
        vars(self).update(filters=filters, tests=build_tests(self.spend_steps))

    @property
    def lexer(self) -> Lexer:
        return self._lexer

    def _load_source(self, name: str) -> tuple[str, str, Callable[[], bool]] | None:
        source = self._load(name)
        if source is None:
            return None
        self.parsed[name] = ParsedTemplate(source)
        return source.text, name, lambda: True

    def join_path(self, template: str, parent: str) -> str:
        """Return the name of an include, import or `extends` as plain text, as written."""
        if not isinstance(template, str):
            raise TemplateCallError("load a template by its name, as text in quotes", rule="invalid-template")
        return traced.strip_origins(template)

    def get_template(self, name: Any, parent: str | None = None, *args: Any, **kwargs: Any) -> Any:
        self._record_load(name, parent)
        return super().get_template(name, parent, *args, **kwargs)

    def select_template(self, names: Any, parent: str | None = None, *args: Any, **kwargs: Any) -> Any:
        names = names if isinstance(names, Undefined) else list(names)
        for name in () if isinstance(names, Undefined) else names:
            self._record_load(name, parent)
        return super().select_template(names, parent, *args, **kwargs)

    def _record_load(self, name: object, parent: str | None) -> None:
        if isinstance(name, str):
            self.loaded.add(traced.strip_origins(name))
            if parent is not None:
                self._parts.setdefault(traced.strip_origins(parent), set()).add(traced.strip_origins(name))

    def collect_templates(self, names: Iterable[str]) -> set[str]:
        """Return the templates and everything that they load."""
        collected, pending = set[str](), list(names)
        while pending:
            if (name := pending.pop()) not in collected:
                collected.add(name)
                pending += self._parts.get(name, ())
        return collected

    def update_sources(
        self, changed: Iterable[str], load: Callable[[str], Source | None], names: Callable[[], Iterable[str]]
    ) -> None:
        """Replace the sources: compiled code of changed templates, and of those that load them, is dropped."""
        self._load, self._names = load, names
        edited = set(changed)
        stale = {name for name in self.parsed if edited & self.collect_templates([name])} if edited else edited
        assert self.cache is not None
        for key in [key for key in self.cache if key[1] in stale]:
            del self.cache[key]
        sources = {self.parsed.pop(name).source for name in stale}
        for name in stale:
            self._parts.pop(name, None)
        if sources:
            self.outputs = {number: out for number, out in self.outputs.items() if out.tag.source not in sources}
            self.places = {number: span for number, span in self.places.items() if span.source not in sources}

    # Compile time: called by the code generator.

    def _parse(self, source: str, name: str | None, filename: str | None) -> nodes.Template:
        name = name or ""
        if stopped := jinja_errors.find_unparsable(self.parsed[name].source):
            raise stopped
        tree = Parser(self, source, name, filename).parse()
        return TemplatePreparer(self, name).visit(tree)  # type: ignore[no-any-return]

    def register_output(self, name: str | None, node: nodes.Node, *, whole: bool = False) -> int:
        """Register a printed node; the generated code passes the returned index to `emit`."""
        parsed, offset, literal = self.parsed[name or ""], get_offset(node), None
        if isinstance(node, nodes.TemplateData):
            literal = traced.trace_span(Span(parsed.source, offset, offset + len(node.data)))
            tag = Span(parsed.source, offset, offset + len(node.data))
        else:
            tag = parsed.find_tag(offset)
            if isinstance(node, nodes.Const) and not whole:
                literal = texts.build_constant(parsed.source, offset, node.value)
        indentation = "" if literal or isinstance(node, nodes.FilterBlock) else parsed.get_indentation(tag)
        return self._assign_number(self.outputs, PrintedNode(literal, tag, indentation, isinstance(node, nodes.Call)))

    def register_place(self, name: str | None, node: nodes.Node, offset: int, length: int) -> int:
        start = get_offset(node) + offset
        return self._assign_number(self.places, Span(self.parsed[name or ""].source, start, start + length))

    def register_tag(self, name: str | None, node: nodes.Node) -> int:
        """Register the tag that contains a node."""
        return self._assign_number(self.places, self.parsed[name or ""].find_tag(get_offset(node)))

    def _assign_number(self, registry: dict[int, Registered], value: Registered) -> int:
        number = next(self._numbers)
        registry[number] = value
        return number

    def find_name_offset(self, name: str | None, node: nodes.Getattr) -> int:
        """Return the distance from a `.name` expression's start to its name; 0 if not found."""
        match = re.compile(r"\.?\s*").match(self.parsed[name or ""].source.text, get_offset(node))
        return match.end() - match.start() if match else 0

    # Run time: called by the generated code.

    def get_literal(self, index: int) -> Traced:
        literal = self.outputs[index].literal
        assert literal is not None
        self.spend_steps(len(literal) // 100)
        return literal

    def emit(self, index: int, compute: Callable[[], Any]) -> Traced:
        printed = self.outputs[index]
        if printed.literal is not None:
            self.spend_steps(1 + len(printed.literal) // 100)
            return printed.literal
        try:
            text = render_value(compute())
            self.spend_steps(1 + len(text) // 100)
            if isinstance(text, Traced):
                self.spend_steps(len(text.runs))
        except Exception as error:
            located_error = self._locate_error(error, printed.tag, exact=False)
            if (
                not isinstance(located_error, TemplateFailure)
                or located_error.finding.rule != "undefined-name"
                or len(self._failures) >= MAX_PLACES
            ):
                raise located_error from error
            self._failures.append(located_error)  # go on, to find more failures; the page is not published
            return traced.ensure_traced("")
        if not isinstance(text, Traced):
            text = traced.trace_to_span(text, printed.tag)
        if printed.indentation and (text.block or (printed.is_call and "\n" in text.rstrip("\n"))):
            text = texts.indent_text(text, printed.indentation)
        return self._add_tag(text, printed.tag)

    def _add_tag(self, text: Traced, tag: Span) -> Traced:
        extended_chains: dict[int, tuple[Span, ...]] = {}  # runs with the same call chain keep sharing one tuple
        runs = []
        for run in text.runs:
            if run.span is None:
                runs.append(Run(run.length, tag))
                continue
            via = extended_chains.get(id(run.via)) or extended_chains.setdefault(id(run.via), (*run.via, tag))
            runs.append(Run(run.length, run.span, run.aligned, via))
        return Traced(text, runs, block=text.block)

    def _indent_block(self, text: str, index: int) -> Traced:
        """Indent all lines of an included text like its tag, unless they have that indentation already."""
        text, printed = traced.ensure_traced(text), self.outputs[index]
        lines = filter(None, traced.strip_origins(text).split("\n"))
        if not text.block and all(line.startswith(printed.indentation) for line in lines):
            return text
        return self._add_tag(texts.indent_text(text, printed.indentation, first=True), printed.tag)

    def record_loading(self, index: int) -> None:
        """Record the tag that loads a template, for the error if the template is not found."""
        self._loading = self.places[index]

    def verify(self, index: int, value: Any, context: Context) -> Any:
        self.spend_steps(1 + template_limits.compute_cost(value))
        if isinstance(value, MissingName):
            self._mark_missing(value, self.places[index], context)
        return value

    def evaluate(self, index: int, compute: Callable[[], Any], context: Context) -> Any:
        span = self.places[index]
        self._calls.append(span)
        try:
            value = compute()
            self.spend_steps(template_limits.compute_cost(value))
        except Exception as error:
            raise self._locate_error(error, span) from error
        finally:
            self._calls.pop()
        if isinstance(value, MissingName):
            self._mark_missing(value, span, context)
        return value

    def guard(self, index: int, compute: Callable[[], Any]) -> Any:
        """Compute a statement's value; an error without a location gets that of the tag."""
        try:
            return compute()
        except Exception as error:
            raise self._locate_error(error, self.places[index], exact=False) from error

    @property
    def current_call(self) -> Span:
        """The call that is running."""
        return self._calls[-1]

    @property
    def active_call(self) -> Span | None:
        """The running call, as in `current_call`; None while no template of this environment runs."""
        return self._calls[-1] if self._calls else None

    def _mark_missing(self, value: MissingName, span: Span, context: Context) -> None:
        if getattr(value, "_span", None) is not None:
            return
        value._span = span
        if (missing := undefined.get_missing_argument(value)) and self.active_call is not None:
            value._span, value._text = self.active_call, f"this call does not give `{missing}`, which the macro prints"
            return
        if isinstance(value._undefined_obj, Namespace):
            value._about = value._undefined_obj.about
        if message := undefined.describe_undefined(value, span, context.get_all(), self._page_names, self):
            value._text = message

    def _locate_error(self, error: Exception, span: Span, *, exact: bool = True) -> Exception:
        """Return a runtime error with a location: `span`, where the error has none."""
        if isinstance(error, TemplateFailure | TemplateSyntaxError):
            return error
        if isinstance(error, TemplateCallError):
            return _locate_call_error(error, span, exact)
        repeated_call = self._find_repeated() if isinstance(error, RecursionError) else None
        if repeated_call is not None:
            return build_failure(self._describe_cycle(repeated_call.source), repeated_call, "invalid-template")
        if isinstance(error, SyntaxError | RecursionError):
            return build_failure("tags or expressions are nested too deeply", span, "invalid-template", exact=False)
        if isinstance(error, TemplateNotFound) and self._loading:
            span, exact = self._loading, True
        if (unknown := jinja_errors.get_unknown_name(error)) and (start := span.text.find(unknown)) >= 0:
            span, exact = span.cut(start, start + len(unknown)), True
        failure = build_failure(jinja_errors.explain_error(error, self._names), span, "invalid-template", exact=exact)
        if isinstance(error, limited_process.RenderingTimeout):
            self.timeout_finding = self.timeout_finding or failure.finding
        return failure

    def _find_repeated(self) -> Span | None:
        """Return what calls itself: the first of the calls open most often, or the last loaded template."""
        calls = Counter(self._calls)
        most = max(calls.values(), default=0)  # in a cycle, some are open once less than others
        return next((call for call, count in calls.items() if 2 < most <= count + 1), self._loading)

    def _describe_cycle(self, source: Source) -> str:
        """Describe endless recursion: templates that load each other through `source`'s, or else macros."""
        start = next((name for name, parsed in self.parsed.items() if parsed.source is source), "")
        paths = [[start]]
        for path in paths:
            following = self._parts.get(path[-1], set())
            if start in following:
                return f"`{start}` loads itself: {' > '.join([*path, start])}"
            paths += [[*path, name] for name in sorted(following) if not any(name in seen for seen in paths)]
        return "macros or includes call each other endlessly"

    def join(self, values: Iterable[Any]) -> Traced:
        """Concatenate values, for the `~` operator."""
        return texts.concat_texts(map(render_value, values))

    # Lookups: by key only in our own data, sandboxed elsewhere.

    def getattr(self, obj: Any, attribute: str) -> Any:
        if isinstance(obj, Namespace):
            return obj[attribute] if attribute in obj else self.undefined(obj=obj, name=attribute)
        if isinstance(obj, Traced) and attribute not in undefined.STR_NAMES:
            return self.undefined(obj=obj, name=attribute)
        return super().getattr(obj, attribute)

    def getitem(self, obj: Any, argument: Any) -> Any:
        if isinstance(obj, Namespace):
            if isinstance(argument, MissingName):
                raise argument._build_error()
            if isinstance(argument, list | set | Mapping):
                raise TemplateCallError(
                    "a name in brackets is one text in quotes, and no list", rule="invalid-template"
                )
            return obj[argument] if argument in obj else self.undefined(obj=obj, name=argument)
        if isinstance(obj, Traced) and isinstance(argument, str) and argument not in undefined.STR_NAMES:
            return self.undefined(obj=obj, name=argument)
        return super().getitem(obj, argument)

    def wrap_str_format(self, value: Any) -> Callable[..., str] | None:
        owner = getattr(value, "__self__", None)
        if not isinstance(owner, str) or value.__name__ not in ("format", "format_map"):
            return None

        def format_(*args: Any, **kwargs: Any) -> str:
            return format_fields(self, owner, args, kwargs)

        def format_map(names: Mapping[str, Any]) -> str:
            return format_fields(self, owner, (), names)

        return format_ if value.__name__ == "format" else format_map

    def is_safe_attribute(self, obj: Any, attr: str, value: Any) -> bool:
        return attr not in _BYTES_METHODS and super().is_safe_attribute(obj, attr, value)

    # Limits: the sandbox stops attribute escapes, not sizes.

    def call(self, context: Context, obj: Any, /, *args: Any, **kwargs: Any) -> Any:
        owner = getattr(obj, "__self__", None)
        if (getattr(obj, "__module__", None) or "").startswith(_OURS):
            check_names((*args, *kwargs.values()))
        if isinstance(owner, str):
            if obj.__name__ == "join":
                args = tuple(arg if isinstance(arg, str) else list(arg) for arg in args)
            values = [*args, *kwargs.values()]
            template_limits.check_call(obj.__name__, owner, values)
            self.spend_steps(template_limits.compute_call_cost(obj.__name__, owner, values))
        return super().call(context, obj, *args, **kwargs)

    def call_binop(self, context: Context, operator: str, left: Any, right: Any) -> Any:
        if operator == "%" and isinstance(left, str):
            return format_percent(left, right)
        template_limits.check_operator(operator, left, right)
        value = super().call_binop(context, operator, left, right)
        self.spend_steps(template_limits.compute_cost(value))
        return value

    def spend_steps(self, steps: int = 1) -> None:
        """Count work done for the page.

        Raises: LimitExceeded if the page takes too many steps.
        """
        self._steps += steps
        check_limit(self._steps <= MAX_STEPS, f"the page takes more than {MAX_STEPS:,} steps: are there nested loops?")

    def _count_rounds(self, values: Iterable[Any]) -> Iterator[Any]:
        """Return the values of a `for` loop, each counted as a step.

        Raises: TemplateCallError if the value is text from the data, whose letters it would loop over.
        """
        if isinstance(values, Traced) and (values.block or texts.is_of_data(values)):
            message = "`rows('…')` gives the rows of a table" if values.block else "write a list there: [first, second]"
            raise TemplateCallError(f"a loop over text gives its letters; {message}", rule="invalid-template")
        return map(self._count_round, iter(values))

    def _count_round(self, value: Any) -> Any:
        self.spend_steps()
        return value

    # Called by the rest of the tool.

    def find_literals(self, names: Iterable[str]) -> tuple[Span, ...]:
        """Return the spans of literal text in the named templates, as far as these were compiled."""
        sources = {self.parsed[name].source for name in names if name in self.parsed}
        printed_nodes = (printed for printed in self.outputs.values() if printed.tag.source in sources)
        texts = (printed for printed in printed_nodes if printed.literal is not None and str.strip(printed.literal))
        return tuple(text.tag for text in texts if text.literal and text.literal.runs[0].span == text.tag)

    def parse_tree(self, name: str) -> nodes.Template | None:
        """Return a template's syntax tree, with offsets from `get_offset`; None if it does not parse."""
        source = self._load(name)
        if source is None:
            return None
        self.parsed[name] = ParsedTemplate(source)
        try:
            return Parser(self, source.text, name).parse()
        except (TemplateSyntaxError, RecursionError):
            return None

    def check_syntax(self, name: str) -> Finding | None:
        """Return the syntax error of a template, if any."""
        try:
            with limited_process.enter_template(), Limit(TASK_SECONDS, "compiling", f"`{name}`"):
                self.get_template(name)
        except Exception as error:  # noqa: BLE001 - whatever compiling a stranger's template raises, it is theirs
            return self._build_failure(error, name).finding
        return None

    def render_traced(self, name: str, variables: Mapping[str, Any]) -> Traced:
        """Render a template to text with origins.

        Raises: TemplateFailure if it can't be rendered.
        """
        self._calls.clear()
        self._failures = []
        self._page_names = frozenset(variables)
        self._steps = 0
        if self.timeout_finding:
            raise TemplateFailure(self.timeout_finding)
        try:
            with limited_process.enter_template(), Limit(TASK_SECONDS, "rendering", f"`{name}`"):
                text = self.render_included(name, variables)
            if self._failures:
                first, *others = self._failures
                raise TemplateFailure(first.finding, first.about, tuple(others))
            if surrogate := _SURROGATE.search(text):
                raise build_failure(
                    "half of a pair of surrogates is no character", self._find_origin(text, surrogate.start(), name)
                )
            return text
        except Exception as error:
            failure = self._build_failure(error, name)
            raise failure if failure.others else failure.add_earlier(self._failures) from error

    def _find_origin(self, text: Traced, offset: int, name: str) -> Span:
        return text.find_run(offset)[0].span or self.parsed[name].get_line_span(1)

    def render_included(self, name: str, variables: Mapping[str, Any]) -> Traced:
        """Render another template while one is rendered."""
        self._loading = None
        template = self.get_template(name)
        return texts.concat_texts(template.root_render_func(template.new_context(dict(variables))))

    def list_names(self) -> Iterable[str]:
        """Return the names of all templates."""
        return self._names()

    def find_source(self, name: str) -> Source | None:
        """Return the source of a template, if it exists."""
        return self.parsed[name].source if name in self.parsed else self._load(name)

    def _build_failure(self, error: Exception, name: str) -> TemplateFailure:
        """Return the failure of a template for an error, with its location."""
        if isinstance(error, TemplateFailure):
            return error
        parsed = self.parsed.get(getattr(error, "name", None) or name) or ParsedTemplate(Source(name, ""))
        if isinstance(error, TemplateSyntaxError):
            return jinja_errors.explain_syntax_error(parsed, error)
        line = jinja_errors.find_template_line(error.__traceback__)
        span = (
            self.parsed[line[0]].get_line_span(line[1]) if line and line[0] in self.parsed else parsed.get_line_span(1)
        )
        located = self._locate_error(error, span, exact=False)
        return located if isinstance(located, TemplateFailure) else build_failure(str(error), span, "invalid-template")


def _locate_call_error(error: TemplateCallError, span: Span, exact: bool) -> TemplateFailure:
    """Return a call's failure, located at the wrong argument; with both spans where that is in the data."""
    location = get_span(error.at) or span
    related = (*error.related, *([Related(span, "used here")] if location.source is not span.source else []))
    is_exact = exact or location is not span
    return build_failure(error.message, location, error.rule, related, exact=is_exact, about=error.about)


__all__ = [
    "ANY",
    "MOST",
    "LazyValue",
    "Namespace",
    "TemplateCallError",
    "TemplateEnvironment",
    "TemplateFailure",
    "get_offset",
    "get_span",
    "render_value",
]
