"""A template, part or code file that no page uses."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator

from tutorial_tool.core import lazy_re
from tutorial_tool.core.diagnostics import Finding, Severity, format_suggestion
from tutorial_tool.core.source import Source
from tutorial_tool.rules import rule
from tutorial_tool.site import Project, Site

_STEP = lazy_re.compile(r"steps/(?:[\w-]+/)?(?P<step>[\w-]+)\.md\.j2")  # The template of a step


@rule("project", Severity.WARNING)
def check(project: Project) -> Iterator[Finding]:
    site = project.site
    if site.errors:
        return  # what unrendered templates use is unknown
    folder = site.layout.templates
    for name in sorted(site.template_names - _find_used(site)):
        if name.startswith(("steps/", "figures/")) or name.endswith(".md.j2"):
            yield project.flag(Source(f"{folder}/{name}", "").span(0), f"unused file{_explain_unused(project, name)}")


def _find_used(site: Site) -> set[str]:
    """Return the names of files that a page uses, or a finding names: a typo is not reported twice."""
    folder = f"{site.layout.templates}/"
    used = {name for page in (*site.pages, *site.hidden) for name in page.used_files}
    used |= {span.source.path.removeprefix(folder) for span in site.literals}
    used |= {path.removeprefix(folder) for path in site.sources if path.startswith(folder)}
    return used | {item.span.path.removeprefix(folder) for finding in site.findings for item in finding.related}


def _explain_unused(project: Project, name: str) -> str:
    """Explain why no page uses a file, as far as its name shows."""
    if template := _STEP.fullmatch(name):
        return _explain_unused_step(project, template["step"])
    step, (stem, *suffixes) = posixpath.basename(posixpath.dirname(name)), posixpath.basename(name).split(".")
    kind = "part" if suffixes == ["md"] or suffixes[1:] == ["md"] else "code"
    if step not in _get_step_ids(project) or len(suffixes) < 2 or (kind, stem) not in project.site.requested_names:
        return ""
    id_, ids = suffixes[0], (*project.model.platforms, *project.model.groups)
    return "" if id_ in ids else f": no platform or group `{id_}`{format_suggestion(id_, ids)}"


def _explain_unused_step(project: Project, step: str) -> str:
    if step not in _get_step_ids(project):
        return f": no tutorial has a step `{step}`; add it to `steps` in {project.site.layout.data}"
    pages = [page.source.path for page in project.site.pages if page.place and page.step == step]
    return f": a page of the step replaces it on each platform, such as `{min(pages)}`" if pages else ""


def _get_step_ids(project: Project) -> set[str]:
    return {id_ for tutorial in project.model.tutorials.values() for id_ in tutorial.steps}
