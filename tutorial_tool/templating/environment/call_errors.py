"""Errors in templates: failed calls, and failures with their location."""

from __future__ import annotations

from collections.abc import Iterable

from tutorial_tool.core.diagnostics import Finding, Related, Severity
from tutorial_tool.core.source import Span
from tutorial_tool.core.traced import Traced

ANY = ("any",)  # Any section of the data


class TemplateCallError(Exception):
    """A template asks for something that the data does not have; the call's location is added later.

    `at` is the wrong argument: if it is traced, the error points to it. `about` names the sections of the data that may
    be wrong, and the step whose text is missing.
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


class TemplateFailure(Exception):
    """A template could not be rendered; the finding has the location and the reason.

    `about` names the sections of the data that may be to blame; none if only the template is. `others` are further
    failures of the same template.
    """

    def __init__(self, finding: Finding, about: tuple[str, ...] = (), others: tuple[TemplateFailure, ...] = ()) -> None:
        super().__init__(finding.message)
        self.finding, self.about, self.others = finding, about, others

    def add_earlier(self, met: Iterable[TemplateFailure]) -> TemplateFailure:
        """Add failures that occurred before this one, and return this."""
        self.others = tuple(other for other in met if other is not self)
        return self


def build_failure(
    message: str,
    span: Span,
    rule: str = "undefined-name",
    related: tuple[Related, ...] = (),
    *,
    exact: bool = True,
    about: tuple[str, ...] = (),
) -> TemplateFailure:
    return TemplateFailure(Finding(rule, Severity.ERROR, message, span, related=related, exact=exact), about)


def get_span(value: object) -> Span | None:
    """Return the span of a whole traced argument, or None."""
    if not isinstance(value, Traced) or not value.runs:
        return None
    first, last = value.runs[0].span, value.runs[-1].span
    if first is None or last is None or first.source is not last.source or last.end < first.start:
        return first
    return Span(first.source, first.start, last.end)
