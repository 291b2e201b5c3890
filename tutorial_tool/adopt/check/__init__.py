"""Verify that a project reproduces its copies byte for byte, by rendering it."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import chain, islice
from pathlib import Path

from tutorial_tool.adopt import existing_site
from tutorial_tool.adopt.base import BaseProject, exclude_copies
from tutorial_tool.adopt.check import lost, published
from tutorial_tool.adopt.check.lost import MissingFinding
from tutorial_tool.adopt.copies import CopySet
from tutorial_tool.core.diagnostics import Finding
from tutorial_tool.data.model import DEFAULT_PATH
from tutorial_tool.linter import baseline, engine
from tutorial_tool.linter.config_lookup import LookupOptions
from tutorial_tool.markdown.document import Document
from tutorial_tool.markdown.parser import Dialect
from tutorial_tool.site import Layout, Page, Site, loading
from tutorial_tool.templating.places import PageId


def find_failures(files: Mapping[str, str], sets: Sequence[CopySet], base: BaseProject) -> dict[CopySet, str]:
    """Return the sets that are not reproduced, or that change another page, each with the reason.

    The files are rendered in a temporary folder together with those of the existing project, like any project.
    """
    rendered = _render_project(files, sets, base)
    matches = {
        copy_set: reason
        for copy_set in sets
        if (reason := _explain_failure(rendered, copy_set) or _find_error(rendered, copy_set))
    }
    changed = _find_changed_page(rendered, base, sets)
    return matches or dict.fromkeys(sets, f"{changed} would change") if changed else matches


def find_errors(files: Mapping[str, str], sets: Sequence[CopySet], base: BaseProject, root: Path) -> list[str]:
    """Return what keeps a project from rendering, or the first missing image; `root` is the docs folder."""
    rendered = _render_project(files, sets, base)
    if rendered.errors:
        return [str(finding) for finding in rendered.errors]
    lost = (picture for copy_set in sets for picture in _find_missing_images(rendered, copy_set))
    value = chain(
        (f"{picture} would not be shown" for picture in lost),
        (
            f"{picture} is outside {base.layout.docs}, and a drawn image would take its place"
            for picture in published.find_redrawn_images(rendered, sets, base, root)
        ),
    )
    return list(islice(value, 1))


def _find_missing_images(rendered: Site, copy_set: CopySet) -> Iterator[str]:
    """Yield the images of copies that their pages do not show, whatever their suffix."""
    for platform, copy in copy_set.copies.items():
        page = rendered.by_address.get(PageId(copy_set.tutorial, copy_set.step, platform))
        expected = Document(copy.text, Dialect.PYTHON_MARKDOWN)
        shown = {published.get_image_stem(image.src, page.path) for image in page.document.images} if page else set()
        sources = (image.src for image in expected.images)
        yield from (src for src in sources if published.get_image_stem(src, copy.path) not in shown)


_UNSEEN = "unused-template"


@dataclass(frozen=True)
class LintVerdict:
    """Lint results for a project: findings that fail a strict build, and findings only in the copies."""

    failing: tuple[Finding, ...]
    missing: tuple[MissingFinding, ...]


def lint_project(
    files: Mapping[str, bytes], sets: Sequence[CopySet], base: BaseProject, root: Path, *, hidden: bool = False
) -> LintVerdict:
    """Lint a project with its own configuration; images may be empty files.

    Findings that failed a build before are left out. `root` is the folder that the copies' paths are relative to. If
    the copies stay, the templates are `hidden`: that a build does not use them yet is not reported.

    Raises: settings.ConfigError.
    """
    folder = base.layout.root
    config = LookupOptions(folder).load_config(folder)
    known = {_get_key(finding) for finding in (engine.run(base.site, config) if base.site else ())}
    published_files = {**published.find_static_files(base), **_read_configuration(base), **files}
    with _write_project(published_files, sets, base) as layout:
        loaded = loading.load(layout)
        findings = loaded.errors or engine.run(loaded, config)
        gone = () if loaded.errors else tuple(lost.find_missing(loaded, findings, sets, root))
    if hidden:
        with _write_project(published_files, (), base) as layout:
            loaded = loading.load(layout)
            findings = loaded.errors or engine.run(loaded, config)
            findings = [finding for finding in findings if finding.rule != _UNSEEN or finding.span.path not in files]
    going = [root / copy.source.path for copy_set in sets for copy in copy_set.copies.values()]
    new = baseline.compare(findings, baseline.get_configured(config), folder, going).new.values()
    severe = (finding for finding in new if finding.severity.is_at_least(config.fail_on))
    failing = (finding for finding in severe if _get_key(finding) not in known)
    return LintVerdict(tuple(failing), gone)


def _get_key(finding: Finding) -> tuple[str, str, str]:
    return finding.rule, finding.span.path, finding.message


def _read_configuration(base: BaseProject) -> dict[str, bytes]:
    """Read the site's configuration, which says where pages are, and how they are parsed."""
    index = existing_site.find_configuration(base.layout.root)
    paths = index.list_files(base.layout.root) if index else ()
    return {path: (base.layout.root / path).read_bytes() for path in paths}


def _render_project(files: Mapping[str, str], sets: Sequence[CopySet], base: BaseProject) -> Site:
    with _write_project({path: text.encode() for path, text in files.items()}, sets, base) as layout:
        return loading.load(layout)


@contextmanager
def _write_project(files: Mapping[str, bytes], sets: Sequence[CopySet], base: BaseProject) -> Iterator[Layout]:
    """Write the resulting project to a temporary folder."""
    with tempfile.TemporaryDirectory(prefix="tutorial-tool-") as name:
        root = Path(name)
        for path, content in {**exclude_copies(base, sets), **files}.items():
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_bytes(content)
        yield replace(base.layout, root=root)


def _explain_failure(rendered: Site, copy_set: CopySet) -> str | None:
    for platform, copy in copy_set.copies.items():
        page = rendered.by_address.get(PageId(copy_set.tutorial, copy_set.step, platform))
        if page is None:
            first_error = _find_error(rendered, copy_set) or next(map(str, rendered.errors), None)
            return first_error or f"{copy.path} was not rendered"
        if page.encode_file() != copy.expected:
            return _describe_difference(page, copy.expected.decode(), copy.path)
        if page.path != copy.path and copy.pattern != DEFAULT_PATH:
            return f"{copy.path} would be at {page.path}"
    return None


def _find_changed_page(rendered: Site, base: BaseProject, sets: Sequence[CopySet]) -> str | None:
    """Return the first page of the existing project that would change."""
    adopted = {PageId(item.tutorial, item.step, platform) for item in sets for platform in item.platforms}
    for address, page in base.site.by_address.items() if base.site else ():
        after = rendered.by_address.get(address)
        if address not in adopted and (after is None or after.encode_file() != page.encode_file()):
            return page.path
    return None


def _find_error(rendered: Site, copy_set: CopySet) -> str | None:
    """Return an error in a set's files: its pages would be reproduced, but no build would pass."""
    own = (f"/{copy_set.step}.md.j2", f"/{copy_set.step}/")
    return next((str(error) for error in rendered.errors if any(name in error.span.path for name in own)), None)


def _describe_difference(page: Page, expected: str, path: str) -> str:
    got = page.encode_file().decode()
    at = next((i for i, (a, b) in enumerate(zip(got, expected, strict=False)) if a != b), min(len(got), len(expected)))
    line = expected.count("\n", 0, at) + 1
    return f"{path}:{line}: it would read {got[at : at + 20]!r}, not {expected[at : at + 20]!r}"
