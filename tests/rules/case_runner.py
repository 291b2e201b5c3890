"""Run the examples of rule pages and case files: write their files to a folder, lint and fix them there.

The format is described in `tutorial_tool/docs/rule_manual.py`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from tutorial_tool import site
from tutorial_tool.config import settings
from tutorial_tool.config.settings import Config
from tutorial_tool.core.diagnostics import Finding
from tutorial_tool.core.source import Source
from tutorial_tool.docs.rule_manual import Example, Mark
from tutorial_tool.fs import files
from tutorial_tool.linter import engine, fixer
from tutorial_tool.linter.linted_site import LintedSite
from tutorial_tool.markdown.parser import Dialect
from tutorial_tool.rules import Rule, get_rules
from tutorial_tool.site import loading

PAGES = (".md", ".mdx", ".txt", ".markdown")


@dataclass(frozen=True)
class Bench:
    """A folder with the files of an example, and the configuration that holds there."""

    root: Path
    example: Example
    config: Config

    def load(self, overlay: Mapping[str, str]) -> LintedSite:
        if self.example.is_project:
            read = loading.load(site.Layout.find(self.root), overlay)
        else:
            pages = [self.root / path for path in self.example.files if path.endswith(PAGES)]
            dialect = Dialect(self.config.dialect) if self.config.dialect else None
            read = site.load_plain(pages, self.root, overlay, dialect=dialect)
        return LintedSite(read, engine.run(read, self.config))

    def findings(self) -> list[Finding]:
        return self.load({}).findings

    def fixed(self, *, unsafe: bool) -> dict[str, str]:
        """Fix and write; returns all files of the example as they are then."""
        result = fixer.run_rounds(self.load, unsafe=unsafe)
        assert fixer.write(result, self.root) == []
        assert not result.reverted_fixes, "\n".join(map(str, result.reverted_fixes))
        return {path: self._read(path) for path in self.example.files}

    def _read(self, path: str) -> str:
        read = files.read(self.root / path, root=self.root)
        assert isinstance(read, Source)
        return read.text


def bench(root: Path, example: Example, *, only: Rule | None = None, beside: Rule | None = None) -> Bench:
    """The folder to try an example in, with one rule `only`, or with one `beside` those that are on by default."""
    for path, text in example.files.items():
        file = root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8", newline="")
    config = _configured(root, example)
    chosen = {"select": (only.name,)} if only else {"extend_select": (beside.name,)} if beside else {}
    return Bench(root, example, replace(config.merge_command_line(**chosen), **dict(example.config)))  # type: ignore[arg-type]


def _configured(root: Path, example: Example) -> Config:
    groups = {rule.name: rule.group for rule in get_rules().values()}
    config = settings.load(root / settings.OWN_FILE, groups) if settings.OWN_FILE in example.files else Config()
    return replace(config, root=root)


def describe(findings: Iterable[Finding], marks: Iterable[Mark]) -> list[str]:
    """Describe findings as marks do: with platforms only where all marks state them."""
    stated = all(mark.platforms is not None for mark in marks)
    return sorted(
        _line(f.span.path, f.span.source, f.span.start, f.span.end, f.message, f.platforms if stated else ())
        for f in findings
    )


def expected(example: Example) -> list[str]:
    """The marks of an example, in the same form."""
    stated = all(mark.platforms is not None for mark in example.marks)
    return sorted(
        _line(
            m.path,
            Source(m.path, example.files[m.path]),
            m.start,
            m.end,
            m.message,
            (m.platforms or ()) if stated else (),
        )
        for m in example.marks
    )


def _line(path: str, source: Source, start: int, end: int, message: str, platforms: tuple[str, ...]) -> str:
    (line, column), (end_line, end_column) = source.get_position(start), source.get_position(end)
    on = f" [{', '.join(platforms)}]" if platforms else ""
    return f"{path}:{line:03}:{column:03}-{end_line:03}:{end_column:03} {source.text[start:end]!r}: {message}{on}"
