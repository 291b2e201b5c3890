"""A template, part or code file that no page uses."""

from __future__ import annotations

from collections.abc import Iterator

from tutorial_tool.finding import Finding, Severity
from tutorial_tool.rules import rule
from tutorial_tool.site import Project
from tutorial_tool.source import Source


@rule("project", Severity.WARNING)
def check(project: Project) -> Iterator[Finding]:
    site = project.site
    if site.errors:
        return  # what was not rendered cannot tell what it would have used
    folder = site.layout.templates
    used = {name for page in site.pages for name in page.used}
    used |= {span.source.path.removeprefix(f"{folder}/") for span in site.literals}
    used |= {path.removeprefix(f"{folder}/") for path in site.sources if path.startswith(f"{folder}/")}
    used |= {item.span.path.removeprefix(f"{folder}/") for finding in site.findings for item in finding.related}
    for name in sorted(site.template_names - used):  # what is told to be meant by another name is no second finding
        if name.startswith(("steps/", "figures/")) or name.endswith(".md.j2"):
            yield project.flag(Source(f"{folder}/{name}", "").span(0), "no page uses this file")
