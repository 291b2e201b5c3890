"""Draw figures from the data where an author has provided no image: SVG, from Jinja2 templates.

`figure('menu')` is drawn by `figures/menu.svg.j2` of the project's templates, or by the template of its `kind`, the
project's or a built-in one; otherwise, a frame shows its alt text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from tutorial_tool.core import lazy_re
from tutorial_tool.core.diagnostics import Finding, Severity, build_error, format_suggestion
from tutorial_tool.core.source import Source, Span
from tutorial_tool.core.traced import Traced, strip_origins
from tutorial_tool.data import Scalar
from tutorial_tool.data.model.parts import Row, Table
from tutorial_tool.data.toggle_words import get_state
from tutorial_tool.site.figures.shapes import validate_argument, validate_selection
from tutorial_tool.site.figures.svg import FOLDER, SUFFIX, FigureEnvironment, find_problem, is_shipped, load_shipped
from tutorial_tool.templating.environment import LazyValue, Namespace, TemplateCallError, TemplateFailure, render_value
from tutorial_tool.templating.places import Figure, Library

PLACEHOLDER = f"{FOLDER}/placeholder{SUFFIX}"
_OPTIONS = ("kind", "needs")  # Options of any figure call, besides its texts
_STEP_VARIABLES = ("platform", "platforms", "step", "tutorial", "rows")
"""Names of a step's template that are available in figures."""
_NOT_PROSE = lazy_re.compile(
    r"^[ \t]*(?:\||!\[)[^\n]*$|^([ \t]*(?:`{3,}|~{3,})).*?(?:^\1|\Z)|<!--.*?-->", re.MULTILINE | re.DOTALL
)
_WORD = lazy_re.compile(r"\{(\w+)\}")
_ANY = r"[^|\n]+?"
_CELL = "| "  # Precedes a requested cell, to distinguish it from words in the prose
_MIN_CELL_CHARACTERS = 8  # Minimum number of characters besides its words that identify a cell
_MARKUP = lazy_re.compile(
    r"\*\*|__|`|(?<!\w)[*_](?=\S)|(?<=\S)[*_](?!\w)|\\(?=[\W_])|\[(?=[^\]]*\]\()|(?<=\])\([^)]*\)|\]"
)


class FigureRenderer:
    """The renderer of a site's figures.

    An `environment` of an earlier renderer keeps its compiled templates that are still valid.
    """

    def __init__(self, library: Library, environment: FigureEnvironment | None = None) -> None:
        self.library = library
        names = [name for name in library.names if name.startswith(f"{FOLDER}/") and name.endswith(".j2")]
        if environment is None:
            environment = FigureEnvironment(library.source_of, lambda: names)
            environment.filters |= {"checked": validate_argument, "chosen": validate_selection}
        else:
            sources = ((name, parsed.source) for name, parsed in environment.parsed.items())
            changed = [name for name, source in sources if _get_current_template(library, name) is not source]
            environment.update_sources(changed, library.source_of, lambda: names)
        self.environment = environment
        self.names = frozenset(names)

    def draw_figure(self, figure: Figure, variables: Mapping[str, Any], text: str) -> Iterator[Finding]:
        """Draw a figure of a page with this text: set its `svg`, and yield the findings."""
        try:
            name = self._choose_template(figure)
            if name == PLACEHOLDER and figure.kind is None:
                yield self._report_missing(figure)
            figure.template = name if name in self.names else ""
            figure.svg = self._draw_template(figure, name, variables, text)
        except TemplateFailure as failure:
            finding = failure.finding
            yield replace(finding, span=figure.call, exact=False) if is_shipped(finding.span) else finding

    def draw_frame(self, figure: Figure, variables: Mapping[str, Any], text: str) -> None:
        """Draw a frame in place of a figure that cannot be drawn."""
        figure.template = ""
        figure.svg = self._draw_template(replace(figure, given={}), PLACEHOLDER, variables, text)

    def is_unchanged(self, figure: Figure, earlier: Figure, text: str) -> bool:
        """Return whether drawing a figure gives the same as `earlier`, by the same templates and data."""
        values = ((f.path, f.name, f.alt, f.kind, sorted(f.given)) for f in (figure, earlier))
        if len(set(map(repr, values))) > 1 or not all(
            _are_equal(figure.given[key], earlier.given[key]) for key in figure.given
        ):
            return False
        prose = _extract_prose(text) if earlier.answers else ""
        return all(_is_mentioned(text, prose, request) is answer for request, answer in earlier.answers.items())

    def _choose_template(self, figure: Figure) -> str:
        own_template = f"{FOLDER}/{figure.name}{SUFFIX}"
        if own_template in self.names:
            return own_template
        if figure.kind is None:
            return PLACEHOLDER
        kind: object = figure.kind
        if not isinstance(kind, str):
            text = f"`kind` should be text, and is one of: {', '.join(self.kinds)}"
            raise TemplateFailure(build_error("invalid-template", text, figure.call))
        name = f"{FOLDER}/{strip_origins(figure.kind)}{SUFFIX}"
        if name not in self.names and name not in load_shipped():
            hint = format_suggestion(figure.kind, self.kinds) or f"; use one of: {', '.join(self.kinds)}"
            message = f"unknown figure kind `{strip_origins(figure.kind)}` (no `{name}`){hint}"
            raise TemplateFailure(build_error("undefined-name", message, _get_argument_span(figure.kind, figure.call)))
        return name

    @property
    def kinds(self) -> list[str]:
        names = (name.removeprefix(f"{FOLDER}/") for name in {*self.names, *load_shipped()})
        return sorted(name.removesuffix(SUFFIX) for name in names if name.endswith(SUFFIX))

    def _report_missing(self, figure: Figure) -> Finding:
        library = self.library
        message = (
            f"no image for `{figure.name}`: a frame is shown. Add an image at {library.docs}/{figure.wanted}, "
            f"write {library.templates}/{FOLDER}/{figure.name}{SUFFIX}, or use a `kind`"
        )
        return Finding("missing-figure", Severity.HINT, message, figure.call, (figure.place.platform.id,))

    def _draw_template(self, figure: Figure, name: str, variables: Mapping[str, Any], text: str) -> str:
        arguments = _FigureArguments(figure)
        page = _PageView(figure, self.library, variables["rows"], text, arguments.requested)
        shared = {key: variables[key] for key in _STEP_VARIABLES}
        names = {**shared, "figure": arguments, "spoken": page.spoken, "settings": page.settings}
        drawing = self.environment.render_traced(name, names)
        figure.answers = page.answers
        if unused := [key for key in figure.given if key not in arguments.requested]:
            hint = format_suggestion(unused[0], [*_OPTIONS, *(arguments.requested - set(figure.given))])
            message = f"the figure's template `{name}` does not use `{unused[0]}`{hint}"
            raise TemplateFailure(
                build_error("undefined-name", message, _get_argument_span(figure.given[unused[0]], figure.call))
            )
        if problem := find_problem(drawing):
            span = self._find_origin(self._trace_drawing(name, names), problem.offset, name)
            raise TemplateFailure(build_error("invalid-template", problem.message, span))
        return strip_origins(drawing).strip() + "\n"

    def _trace_drawing(self, name: str, names: Mapping[str, Any]) -> Traced:
        self.environment.tracing = True
        try:
            return self.environment.render_traced(name, names)
        finally:
            self.environment.tracing = False

    def _find_origin(self, drawing: Traced, offset: int, name: str) -> Span:
        template_span = self.environment.parsed[name].source.span(0)
        if not drawing:
            return template_span
        run, start = drawing.find_run(min(offset, len(drawing) - 1))
        if run.span is None:
            return template_span
        index = offset - start
        return run.span.cut(index, index + 1) if run.aligned and index < run.length else run.span


def _get_current_template(library: Library, name: str) -> Source | None:
    """Return the current template of a figure, or None if it is gone or unreadable."""
    try:
        return library.source_of(name) or load_shipped().get(name)
    except TemplateFailure:
        return None


class _FigureArguments(Namespace):
    """`figure` in a template: its id, text, path, and call arguments. Records which are requested."""

    def __init__(self, figure: Figure) -> None:
        fields = {**figure.given, "id": figure.name, "alt": figure.alt}
        super().__init__(f"figure `{figure.name}`", fields, figure.call)
        self.requested: set[str] = set()

    def __getitem__(self, key: str) -> Any:
        self.requested.add(key)
        return super().__getitem__(key)


class _PageView:
    """The functions about the page that a figure's template can call."""

    def __init__(
        self, figure: Figure, library: Library, rows: Callable[[str], Any], text: str, requested: set[str]
    ) -> None:
        self._figure, self._library, self._rows, self._requested = figure, library, rows, requested
        self._text, self._prose = text, _extract_prose(text)
        self.answers: dict[str, bool] = {}

    def spoken(self, text: str) -> bool:
        """Return whether the step's text mentions something by name, outside tables, images and code."""
        text = strip_origins(validate_argument(text, "spoken"))
        return self._record_answer(text)

    def _record_answer(self, requested: str) -> bool:
        return self.answers.setdefault(requested, _is_mentioned(self._text, self._prose, requested))

    def settings(self, name: str, column: str | None = None, only: Sequence[str] | None = None) -> list[Namespace]:
        """Return a table's rows on this platform.

        Each has `id`, `name`, `value`, `state` (`on`, `off` or nothing) and `spoken`. `column` holds the values: if
        omitted, the first whose words the data declares, or the second column.
        """
        self._rows(name)  # records that the table is used, and reports a missing one
        table, platform = self._library.model.tables[strip_origins(name)], self._figure.place.platform
        self._requested |= self._find_given_words(table)
        shown, only = _get_column(table, validate_argument(column, "column") or None), validate_argument(only, "only")
        rows = {row.id: row for row in table.get_rows(platform, drafts=self._library.drafts)}
        for id_ in only:
            if id_ not in table.rows:
                raise TemplateCallError(
                    f"table `{name}` has no row `{id_}`{format_suggestion(id_, table.rows)}", at=id_
                )
        expected = [rows[strip_origins(id_)] for id_ in only if id_ in rows] if only else list(rows.values())
        return [self._build_setting(table, row, shown) for row in expected]

    def _build_setting(self, table: Table, row: Row, column: str) -> Namespace:
        platform = self._figure.place.platform
        key, cell = row.get_cell(next(iter(table.columns)), platform), row.get_cell(column, platform)
        name, value = (strip_markdown(self._fill_words(scalar.text)) if scalar else "" for scalar in (key, cell))
        state = get_state(value, self._library.model.states) if column in table.values else None
        fields = {
            "id": row.id,
            "name": name,
            "value": value,
            "state": "" if state is None else "on" if state.on else "off",
            "spoken": LazyValue(partial(self.spoken, name)),
        }
        return Namespace(f"setting `{row.id}`", fields, row.key)

    def _fill_words(self, text: str) -> str:
        """Fill a cell with the words that the figure's call sets, as a table's call does."""
        for name, word in self._figure.given.items():
            if f"{{{name}}}" in text:
                text = text.replace(f"{{{name}}}", render_value(validate_argument(word, name)))
        unfilled = _WORD.search(text)
        if unfilled and self._record_answer(_CELL + strip_origins(text)):
            message = f"the table on this page sets `{unfilled[0]}`: set it here, too, as `{unfilled[1]}=…`"
            raise TemplateCallError(message, at=self._figure.given.get("table"), rule="invalid-template")
        return text

    def _find_given_words(self, table: Table) -> set[str]:
        """Return the words that the figure's call sets for any cell of a table, shown or not."""
        texts = [cell.text for row in table.rows.values() for cell in _iter_cells(row)]
        return {name for name in self._figure.given if any(f"{{{name}}}" in text for text in texts)}


def _iter_cells(row: Row) -> Iterator[Scalar]:
    """Yield the cells of a row, on all platforms."""
    yield from row.cells.values()
    for override in row.on.values():
        yield from override.cells.values()


def _extract_prose(text: str) -> str:
    return _NOT_PROSE.sub("", strip_origins(text))


def _is_mentioned(text: str, prose: str, requested: str) -> bool:
    """Return whether the page's prose mentions the request, or a table has the requested cell filled."""
    if requested.startswith(_CELL):
        return _contains_filled_cell(strip_origins(text), requested[len(_CELL) :])
    return re.search(rf"(?<!\w){re.escape(requested)}(?!\w)", prose) is not None


def _contains_filled_cell(text: str, cell: str) -> bool:
    """Return whether a table of a page has the cell with its `{word}` filled, and nowhere literally."""
    cell = cell.strip().replace("|", "\\|").replace("\n", "<br>")
    parts = [re.escape(part) for part in _WORD.split(cell)[::2]]
    if cell in text or sum(map(len, parts)) < _MIN_CELL_CHARACTERS:
        return False
    return re.search(rf"(?:^|\|)[ \t]*{_ANY.join(parts)}[ \t]*(?:\||$)", text, re.MULTILINE) is not None


def _are_equal(left: object, right: object) -> bool:
    """Return whether two arguments of a call are plain values, and equal."""
    if isinstance(left, list | tuple) and isinstance(right, list | tuple):
        return len(left) == len(right) and all(map(_are_equal, left, right))
    return isinstance(left, str | int | float | None) and type(left) is type(right) and left == right


def _get_column(table: Table, column: str | None) -> str:
    if column is None:
        return next(iter(table.values), [*table.columns][min(1, len(table.columns) - 1)])
    if column not in table.columns:
        raise TemplateCallError(
            f"table `{table.id}` has no column `{column}`{format_suggestion(column, table.columns)}", at=column
        )
    return strip_origins(column)


def strip_markdown(text: str) -> str:
    """Return a cell's Markdown as readers see it, on one line."""
    return " ".join(_MARKUP.sub("", strip_origins(text)).split())


def _get_argument_span(argument: Any, call: Span) -> Span:
    """Return the span of an argument if it is known, else that of the call."""
    run = argument.runs[0] if isinstance(argument, Traced) and argument.runs else None
    return run.span if run and run.span else call
