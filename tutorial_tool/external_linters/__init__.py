"""External linters: they check the published pages, and findings are reported at the sources."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path

from tutorial_tool.cache.workers import MAX_PROCESSES
from tutorial_tool.config.settings import Config
from tutorial_tool.core.diagnostics import Finding
from tutorial_tool.core.grouping import group_by, group_pairs
from tutorial_tool.external_linters import running
from tutorial_tool.external_linters.running import LinterFailed
from tutorial_tool.external_linters.table import TOOLS, format_documentation
from tutorial_tool.external_linters.tool import LintedFiles, Remark, Tool
from tutorial_tool.fs import files, git
from tutorial_tool.site import Page, Site


# Remarks of other tools as findings, at the source of the text that they are about.
def build_findings(tool: Tool, page: Page, remarks: Iterable[Remark]) -> Iterator[Finding]:
    """Yield the findings of a page; remarks of one rule on one span are merged.

    Findings in generated text (the pipes of a table, the fence around a code file) are reported at the tag that created
    it: there, an author can change the context, or ignore the rule.
    """
    groups = group_by(remarks, lambda remark: (remark.code, remark.start, remark.end))
    for (code, _, _), group in groups.items():
        first = group[0]
        message = "; ".join(dict.fromkeys(" ".join(remark.message.split()) for remark in group))
        finding = page.flag(_locate_remark(page, first), message, severity=first.severity)
        yield replace(finding, rule=f"{tool.name}/{code}")


def _locate_remark(page: Page, remark: Remark) -> tuple[int, int]:
    """Return the span to report: for a line, what its author typed in the page's own file, or its start."""
    if not remark.is_whole_line or remark.start >= remark.end:
        return remark.start, remark.end
    offset = remark.start
    for run in page.text.get_runs_between(remark.start, remark.end):
        if run.aligned and not run.via and run.span is not None and run.span.source is page.source:
            return offset, offset + run.length
        offset += run.length
    return remark.start, remark.start + 1


__all__ = ["TOOLS", "ExternalLinters", "format_documentation"]

_RemarksByTool = dict[str, dict[str, list[Remark]]]  # Each tool's remarks on each page
_Task = tuple[Tool, list[str], list[str]]


class ExternalLinters:
    """The external linters of a run. Each runs again only on changed pages, as after a fix."""

    def __init__(self, *, named: Iterable[str] = (), needed: bool = True, seconds: float = git.TREE_SECONDS) -> None:
        self.named, self.needed, self.seconds = frozenset(named), needed, seconds
        """`named` are those that the command line names, not a file that someone else may have changed."""
        self.ran: set[str] = set()
        """The tools that checked all requested files."""
        self.missing: dict[str, str] = {}
        """Tools that are not installed, each with a message."""
        self.failed: dict[str, str] = {}
        """Tools that failed, each with a message."""
        self.unasked: set[str] = set()
        """Tools that were not started, since all of their rules are off."""
        self._programs: dict[str, str] = {}
        """Paths of the tools: an old revision in another folder is checked by the same ones."""
        self._cached: dict[tuple[object, ...], _RemarksByTool] = {}

    def list_failures(self) -> tuple[str, ...]:
        """Return why linters failed. A missing one counts if they are `needed`."""
        return (*(self.missing.values() if self.needed else ()), *self.failed.values())

    def iter_notes(self) -> Iterator[str]:
        """Yield notes on linters that did not run and need not."""
        yield from () if self.needed else self.missing.values()
        for name in sorted(self.unasked):
            yield f"{name} was not run: all of its rules are ignored; `--extend-select {name}` enables them."

    def collect_findings(self, site: Site, config: Config) -> Iterator[Finding]:
        """Yield the linters' findings on a site, named after their rules, with the linters' severities."""
        pages = _select_pages(site, config)
        requested = [tool for name in config.with_ if (tool := self._select_tool(TOOLS[name], config))]
        remarks_by_tool = self._run_tools(requested, site, pages)
        for tool in requested:
            for path, remarks in remarks_by_tool.get(tool.name, {}).items():
                yield from build_findings(tool, pages[path], remarks)

    def _select_tool(self, tool: Tool, config: Config) -> Tool | None:
        if not config.can_run_tool(tool.name):
            self.unasked.add(tool.name)
        elif tool.from_npm and tool.name not in self.named:
            self.failed[tool.name] = (
                f"{tool.name} was not run: it runs JavaScript from the repository, so it starts only if the command "
                f"line names it: --with {','.join(config.with_)}"
            )
        else:
            return tool
        return None

    def _run_tools(self, tools: Sequence[Tool], site: Site, pages: Mapping[str, Page]) -> _RemarksByTool:
        texts = {path: page.plain for path, page in pages.items()}
        key = (site.layout.root, tuple(tool.name for tool in tools), tuple(texts.items()))
        if key not in self._cached:
            self._cached.clear()
            self._cached[key] = self._run_uncached(tools, site, pages, texts) if texts else {}
        return self._cached[key]

    def _run_uncached(
        self, tools: Iterable[Tool], site: Site, pages: Mapping[str, Page], texts: Mapping[str, str]
    ) -> _RemarksByTool:
        remarks_by_tool: _RemarksByTool = defaultdict(lambda: defaultdict(list))
        root = Path(os.path.normpath(site.layout.root.absolute()))
        tasks = [task for tool in tools for task in self._build_tasks(tool, pages, root)]
        if not tasks:
            return remarks_by_tool
        figures = [f"{_get_docs_prefix(site)}{path}" for path in site.figures if files.explain_unsafe(path) is None]
        with mirror_project(root, texts, figures) as folder, ThreadPoolExecutor(MAX_PROCESSES) as pool:
            linted = LintedFiles(texts, folder)
            for remarks, (tool, *_) in zip(
                pool.map(lambda task: self._run_task(task, linted, folder), tasks), tasks, strict=True
            ):
                for remark in remarks:
                    remarks_by_tool[tool.name][remark.path].append(remark)
        return remarks_by_tool

    def _build_tasks(self, tool: Tool, pages: Mapping[str, Page], root: Path) -> Iterator[_Task]:
        sys.audit(
            "tutorial_tool.external_linters", tool.name
        )  # not for the cache of runs: the result depends on more files than this process opens
        path = self._programs.get(tool.name) or running.find_program(tool, root)
        if path is None:
            self.missing[tool.name] = f"`{tool.name}`, which `with` names, is not installed: {tool.install}"
            return
        self._programs[tool.name] = path
        self.ran.add(tool.name)
        suffixes = tool.suffixes or ("",)
        linted = ((page.dialect, name) for name, page in pages.items() if name.lower().endswith(suffixes))
        for dialect, names in group_pairs(linted).items():
            for chunk in running.split_chunks(names):
                yield tool, [path, *tool.options, *tool.for_dialect(dialect, root)], chunk

    def _run_task(self, task: _Task, texts: LintedFiles, folder: Path) -> list[Remark]:
        tool, program, chunk = task
        try:
            return running.run_tool(tool, program, chunk, texts, folder, seconds=self.seconds)
        except LinterFailed as problem:
            self.ran.discard(tool.name)
            self.failed[tool.name] = str(problem)
            return []


def _get_docs_prefix(site: Site) -> str:
    """Return the docs folder as a prefix of paths relative to the root."""
    return "" if site.layout.docs in ("", ".") else f"{site.layout.docs.rstrip('/')}/"


def _select_pages(site: Site, config: Config) -> dict[str, Page]:
    """Return the pages by published path below the root, without excluded ones."""
    docs = _get_docs_prefix(site)
    pages = {f"{docs}{page.path}": page for page in site.pages if not config.excludes(page.source.path)}
    return {path: page for path, page in pages.items() if files.explain_unsafe(path) is None or not site.is_project}


# A private folder that mirrors the project with its published pages, for the tools to check.


_REPOSITORY_FOLDERS = frozenset((".git", ".hg", ".svn"))
"""Folders that are not mirrored: with them, tools would skip ignored files, such as rendered pages."""


@contextmanager
def mirror_project(root: Path, texts: Mapping[str, str], others: Iterable[str]) -> Iterator[Path]:
    """Mirror `root` in a temporary private folder, and yield its mirrored path.

    Paths are relative to `root`. `texts` are the pages; `others` are files that will exist once the site is built.

    Raises: OSError.
    """
    root = Path(os.path.normpath(root))
    contents = {**dict.fromkeys(others, ""), **texts}
    pages = {Path(os.path.normpath(root / path)): text for path, text in contents.items()}
    repository = git.find_repository(root) or root  # tools search the repository for their configuration
    top = Path(os.path.commonpath([repository, *(page.parent for page in pages)]))
    with tempfile.TemporaryDirectory(prefix="tutorial-tool-", ignore_cleanup_errors=True) as folder:
        new = Path(folder).resolve() / (top.name or "root")
        inner = {parent for page in (root / "_", *pages) for parent in page.parents if parent.is_relative_to(top)}
        for old in sorted(inner, key=lambda path: len(path.parts)):
            _link_folder(old, new / old.relative_to(top), {*inner, *pages})
        for page, text in pages.items():
            (new / page.relative_to(top)).write_text(text, encoding="utf-8", errors="surrogatepass", newline="")
        yield new / root.relative_to(top)


def _link_folder(old: Path, new: Path, excluded: set[Path]) -> None:
    """Create a folder with links to the content of the old one, except `excluded`."""
    new.mkdir(parents=True, exist_ok=True)
    with suppress(FileNotFoundError, NotADirectoryError), os.scandir(old) as entries:
        for entry in entries:
            if old / entry.name not in excluded and entry.name not in _REPOSITORY_FOLDERS:
                _link_or_copy(Path(entry.path).absolute(), new / entry.name)


def _link_or_copy(old: Path, new: Path) -> None:
    try:
        new.symlink_to(old)
    except OSError:
        if old.is_file():
            shutil.copyfile(old, new)
