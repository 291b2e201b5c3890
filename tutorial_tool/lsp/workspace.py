"""Keep the texts open in an editor, saved or not, and all findings in them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain
from pathlib import Path

from tutorial_tool.config import settings
from tutorial_tool.core.diagnostics import Finding
from tutorial_tool.core.grouping import group_by, group_pairs
from tutorial_tool.core.source import Source
from tutorial_tool.fs import files
from tutorial_tool.linter import engine
from tutorial_tool.linter.targets import Target
from tutorial_tool.lsp import folders
from tutorial_tool.lsp.folders import FoundTargets
from tutorial_tool.site import Memory, Site, symbols
from tutorial_tool.site.symbols import SymbolIndex


class StaleTexts(Exception):
    """The texts have changed since the work began, so its result is obsolete."""


@dataclass(frozen=True)
class CheckedTarget:
    """A project or tree as it was read, and its findings."""

    target: Target
    site: Site
    findings: tuple[Finding, ...]
    texts: Mapping[str, str]  # Open texts, by path as in findings

    @cached_property
    def symbol_index(self) -> SymbolIndex:
        """The definitions and uses of a project's names."""
        return symbols.build_index(self.site, self._read)

    def _read(self, name: str) -> Source | Finding:
        if name in self.texts:
            return Source(name, self.texts[name])
        return files.read(self.get_path(name), root=self.target.root)

    def get_path(self, name: str) -> Path:
        """Return the path of a file that a finding names."""
        return self.target.root / name

    def get_name(self, path: Path) -> str:
        """Return the name of a file in findings."""
        return files.format_path(path, self.target.root)

    def get_source(self, path: Path) -> Source | None:
        """Return a file as it was read; None if it was not."""
        name = self.get_name(path)
        source = self.site.sources.get(name)
        is_template = self.site.is_project and name.startswith(f"{self.site.layout.templates}/")
        if source is None and name in self.texts and (is_template or path in self.target.paths):
            return Source(name, self.texts[name])  # a template that no page uses, or a page skipped by this quick check
        return source

    @cached_property
    def by_file(self) -> Mapping[Path, list[Finding]]:
        """The findings at each of their places, by file."""
        return group_by(
            chain.from_iterable(map(engine.repeat_at_related, self.findings)),
            lambda finding: self.get_path(finding.span.path),
        )


@dataclass(frozen=True)
class Snapshot:
    """All findings in the texts of one version. `problems` are findings in configuration files."""

    version: int = -1
    checked: tuple[CheckedTarget, ...] = ()
    problems: tuple[tuple[Path, Finding], ...] = ()

    @property
    def by_file(self) -> dict[Path, list[Finding]]:
        """The findings of each file that has any."""
        out = group_pairs(self.problems)
        for checked in self.checked:
            for path, findings in checked.by_file.items():
                out.setdefault(path, []).extend(findings)
        return out

    def find_checked(self, path: Path) -> CheckedTarget | None:
        """Return the project that reads a file, or else the tree that contains it."""
        readers = [checked for checked in self.checked if checked.get_source(path) is not None]
        enclosing = [c for c in self.checked if c.target.layout is not None and path.is_relative_to(c.target.root)]
        return next(iter((*readers, *enclosing)), None)


@dataclass
class Workspace:
    """The folders and open texts of an editor. Each change makes a new `version`."""

    folders: list[Path] = field(default_factory=list)
    texts: dict[Path, str] = field(default_factory=dict)
    version: int = 0
    last_edited: Path | None = field(default=None, init=False)  # The file last changed in the editor
    _disk_version: int = field(default=0, init=False)  # Counts changes to files on disk, and to which of them are open
    _found_targets: tuple[int, FoundTargets] | None = field(default=None, init=False)
    _memories: dict[tuple[object, ...], Memory] = field(default_factory=dict, init=False)
    """The memory of each project or tree, kept between runs."""

    def set_text(self, path: Path, text: str) -> None:
        """Set the text of a file that was opened or changed."""
        self._disk_version += path not in self.texts
        self.texts[path] = text
        self.last_edited = path
        self.version += 1

    def close_text(self, path: Path) -> None:
        """Close a text: the file on disk applies again."""
        if self.texts.pop(path, None) is not None:
            self.record_change()

    def record_change(self) -> None:
        """Record that files were added, removed or changed on disk."""
        self._disk_version += 1
        self.version += 1

    def lint(self, is_stale: Callable[[], bool] = lambda: False) -> Snapshot:
        """Return all findings in the current texts.

        Raises: StaleTexts: `is_stale` returned true.
        """
        version, texts, found_targets = self.version, dict(self.texts), self._find_targets()
        checked, problems = [], list(found_targets.problems)
        for target in found_targets.targets:
            if is_stale():
                raise StaleTexts
            try:
                memory = self._memories.setdefault(folders.get_key(target), Memory(is_stored=True))
                checked.append(_check_target(target, texts, memory))
            except settings.ConfigError as error:  # a file named in the configuration cannot be read
                problems += [folders.parse_problem(line, target.root) for line in error.problems]
        keys = set(map(folders.get_key, found_targets.targets))
        self._memories = {key: memory for key, memory in self._memories.items() if key in keys}
        return Snapshot(version, tuple(checked), tuple(problems))

    def _find_targets(self) -> FoundTargets:
        """Return the targets of the folders and texts; search again if files may have come or gone."""
        disk_version = self._disk_version  # changes during the search are left to the next run
        if self._found_targets is None or self._found_targets[0] != disk_version:
            self._found_targets = disk_version, folders.find_targets(list(self.folders), list(self.texts))
        return self._found_targets[1]


def _check_target(target: Target, texts: Mapping[Path, str], memory: Memory) -> CheckedTarget:
    overlay = {files.format_path(path, target.root): text for path, text in texts.items()}
    linted = target.lint(overlay, memory)
    new_findings = target.compare_with_baseline(linted.findings).new.values()
    return CheckedTarget(
        target, linted.site, tuple(finding for finding in new_findings if target.is_requested(finding)), overlay
    )
