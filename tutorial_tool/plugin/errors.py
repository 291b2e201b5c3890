"""What is wrong, in MkDocs' log, and as pages where nothing else can be shown."""

from __future__ import annotations

import html
import logging
from collections.abc import Iterable, Sequence
from typing import Any, NoReturn

import click
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import Abort, PluginError
from mkdocs.structure.files import File, Files

from tutorial_tool import patience
from tutorial_tool.finding import Finding, Severity
from tutorial_tool.plugin.pages import put
from tutorial_tool.site import Site

_log = logging.getLogger("mkdocs.plugins.tutorial")


def log(findings: Iterable[Finding]) -> None:
    for finding in findings:
        level = logging.INFO if finding.severity is Severity.HINT else logging.WARNING
        _log.log(level, "%s", finding)


def end_strictly(findings: Iterable[Finding]) -> None:
    """End a build that is strict, if something was found. With `-q` no finding was printed yet."""
    failing = [finding for finding in findings if finding.severity.reaches(Severity.WARNING)]
    if not failing:
        return
    if not _log.isEnabledFor(logging.WARNING):
        click.echo("\n".join(map(str, failing)), err=True)
    raise Abort(f"The tutorial has {len(failing)} finding{'s' * (len(failing) > 1)}, and the build is strict.")


def take_too_long(path: str) -> NoReturn:
    """What ends the conversion of a page that would take for ever."""
    raise PluginError(
        f"{path}: Python-Markdown takes more than {patience.SECONDS:g} s for this page. Such text is rarely prose: "
        "put it into a code block, or into a file of its own"
    )


def add_pages(
    site: Site, last: Sequence[str], last_nav: list[Any] | None, files: Files, config: MkDocsConfig
) -> list[Any] | None:
    """Every page of the last good build, at its address, with the error: a tab reloads when it is mended.

    Returns the navigation.
    """
    present = [file.src_uri for file in files.documentation_pages()]
    named = [place.path for place in site.places.values()]
    content = _markdown(site.errors)
    for path in dict.fromkeys([*last, *present, *named, *(() if present or named else ("index.md",))]):
        put(files, File.generated(config, path, content=content))
    return last_nav or list(dict.fromkeys([*present, *named])) or None


def _markdown(errors: Iterable[Finding]) -> str:
    items = "\n".join(
        f"<li><p><strong>{html.escape(str(finding.span))}</strong>: {html.escape(finding.message)}</p>"
        f"<pre><code>{html.escape(finding.span.source.line_text(finding.span.position.line)) or ' '}</code></pre></li>"
        for finding in errors
    )
    return f"---\ntitle: This page cannot be built\n---\n\n<ul>\n{items}\n</ul>\n"
