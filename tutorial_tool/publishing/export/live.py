"""Continuous rendering, with error messages in pages that cannot be rendered."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path

from tutorial_tool import data
from tutorial_tool.core.diagnostics import InvalidInput
from tutorial_tool.publishing import draft_marks, export, theme
from tutorial_tool.publishing.export import DOCS, Options, languages
from tutorial_tool.site import Layout, Memory, Page, Site, loading

_ERROR = "# Build error\n\nThis page comes back once it is fixed.\n\n~~~~~~ text\n{}\n~~~~~~\n"


@dataclass
class Rendering:
    """A project rendered to a folder as Markdown. `configure` applies the configuration to a site.

    Unchanged files are not touched. With `drafts`, draft pages are written, with a list of what they lack.
    """

    folder: Path
    layout: Layout
    options: Options
    configure: Callable[[Site], object]
    force: bool = False
    drafts: bool = False
    script: bytes = b""  # Appended to the pages' script
    memory: Memory = field(default_factory=Memory)
    pages: list[Page] = field(default_factory=list)
    files: dict[str, bytes] = field(default_factory=dict)
    rendered: export.RenderedPages = field(default_factory=export.RenderedPages)
    translated: dict[str, Rendering] = field(default_factory=dict)  # By language

    def write_pages(self) -> tuple[Site, int]:
        """Write the pages; return the site and the number of files.

        Raises: InvalidInput if the project can't be rendered; otherwise as `export.write_files`.
        """
        loaded, files = self.build_files()
        for place in (page.place for page in loaded.pages if page.place and page.place.draft):
            path, missing = f"{DOCS}/{place.path}", map(str, loaded.unfinished_by_address.get(place.address, ()))
            note = f"{draft_marks.NOTE}\n\n~~~~~~ text\n{chr(10).join(missing)}\n~~~~~~\n"
            if path in files:
                files[path] = _replace_body(files[path], note, keep_body=True)
        for path in (path for path in files if path.endswith(theme.SCRIPTS[0])):
            files[path] += self.script
        count = export.write_files(self.folder, files, force=self.force)
        self.pages, self.files = loaded.pages, files
        return loaded, count

    def build_files(self) -> tuple[Site, dict[str, bytes]]:
        """Return the site and its files, including other languages at the generator's paths for them."""
        loaded = loading.load(self.layout, memory=self.memory, drafts=self.drafts).require_valid()
        self.configure(loaded)
        files = export.build_files(loaded, self.options, self.rendered)
        for language in loaded.catalogs if not self.layout.lang else ():
            layout = replace(self.layout, lang=language)
            other = self.translated.setdefault(language, Rendering(self.folder, layout, self.options, self.configure))
            files |= languages.relocate_files(other.build_files()[1], files, language, self.options.engine)
        return loaded, files

    def write_errors(self, error: InvalidInput) -> None:
        """Write the errors into the pages of the files that have them, or else into all generated pages."""
        paths = {finding.span.path for finding in error.findings}
        generated = [page for page in self.pages if page.generated]
        templates = f"{self.layout.templates}/"
        affected = [p for p in generated if paths & {p.source.path, *(templates + name for name in p.used_files)}]
        text = _ERROR.format("\n".join(map(str, error.findings)))
        broken = {f"{DOCS}/{page.path}" for page in affected or generated} & self.files.keys()
        files = self.files | {path: _replace_body(self.files[path], text) for path in broken}
        export.write_files(self.folder, files, force=True)


def _replace_body(old: bytes, text: str, *, keep_body: bool = False) -> bytes:
    """Replace or extend a page's text below its front matter: navigation and title stay."""
    page = old.decode()
    body = data.find_body_start(page)
    return (page[:body] + "\n" * bool(body) + text + (f"\n{page[body:]}" if keep_body else "")).encode()
