"""Findings in MkDocs' log, and errors that end a build."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import NoReturn

import click
from mkdocs.exceptions import Abort, PluginError

from tutorial_tool.config.settings import ConfigError
from tutorial_tool.core.diagnostics import Finding, Severity
from tutorial_tool.publishing import render_timeout

_log = logging.getLogger("mkdocs.plugins.tutorial")


@contextmanager
def abort_on_config_error() -> Iterator[None]:
    """Abort the build on an invalid configuration."""
    try:
        yield
    except ConfigError as error:
        raise Abort(str(error)) from error


def log_findings(findings: Iterable[Finding], ends_on: Severity | None = None) -> None:
    """Log findings; a strict build ends on warnings, so only those at `ends_on` or above are warnings."""
    for finding in findings:
        is_grave = finding.severity.is_at_least(ends_on or Severity.WARNING)
        _log.log(logging.WARNING if is_grave else logging.INFO, "%s", finding)


def fail_strict_build(findings: Iterable[Finding], ends_on: Severity) -> None:
    """Abort a strict build with findings. With `-q`, none has been printed yet."""
    failing = [finding for finding in findings if finding.severity.is_at_least(ends_on)]
    if not failing:
        return
    if not _log.isEnabledFor(logging.WARNING):
        click.echo("\n".join(map(str, failing)), err=True)
    raise Abort(f"The tutorial has {len(failing)} finding{'s' * (len(failing) > 1)}, and the build is strict.")


def raise_timeout(path: str) -> NoReturn:
    """Raise the error that ends a page conversion that takes too long."""
    raise PluginError(
        f"{path}: Python-Markdown takes more than {render_timeout.SECONDS:g} s for this page. "
        "Such text is rarely prose: put it into a code block, or into a file of its own"
    )
