"""Merges findings that occur in several versions of a page: only the newest version is reported."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from tutorial_tool.core import lazy_re
from tutorial_tool.core.diagnostics import Finding

_VERSIONED = lazy_re.compile(
    r"(?:^|(?<=[/`]))(?:(?:\w+_)?versioned_docs/version-(?P<of_docusaurus>[^/`]+)|v?(?P<numbered>\d+\.[\d.]*[\dx]))/"
)
"""A folder with a version of all pages: Docusaurus's, or one named by a number."""
_FOLDER = lazy_re.compile(
    r"(?P<before>^|`)(?:[\w.-]+/)*?(?:(?:\w+_)?versioned_docs/version-[^/`]+|v?\d+\.[\d.]*[\dx]"
    r"|docs|master|main|latest|next|current)/"
)
"""The folder of a version or of the current pages, with its parent folders."""


def merge_versions(findings: Iterable[Finding]) -> Iterator[Finding]:
    """Yield findings without those that a newer version of their page has, too."""
    findings = list(findings)
    groups: dict[tuple[str, str], list[Finding]] = {}
    if not any(_VERSIONED.search(finding.span.path) for finding in findings):
        yield from findings
        return
    for finding in findings:
        texts = finding.span.path, finding.message.partition("; did you mean")[0]
        path, message = (_FOLDER.sub(r"\g<before>", text) for text in texts)
        groups.setdefault((path, message), []).append(finding)
    for group in groups.values():
        newest = max(_get_age(finding.span.path) for finding in group)
        yield from (finding for finding in group if _get_age(finding.span.path) == newest)


def _get_age(path: str) -> tuple[bool, tuple[int, ...], str]:
    """Return the sort key of a path's version: the unversioned, current pages are the newest."""
    match = _VERSIONED.search(path)
    version = (match["of_docusaurus"] or match["numbered"]) if match else ""
    return match is None, tuple(int(number) for number in re.findall(r"\d+", version)), version
