"""Where a fault of a built site comes from: a page's source, the configuration, the theme; else the file itself."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cached_property
from html import unescape
from pathlib import Path
from urllib.parse import unquote

from tutorial_tool import links
from tutorial_tool.core.diagnostics import Finding, Severity, format_suggestion
from tutorial_tool.core.source import Source, Span
from tutorial_tool.fs import files
from tutorial_tool.links import Reference
from tutorial_tool.links.built_site.faults import Fault
from tutorial_tool.links.built_site.folder import Folder
from tutorial_tool.markdown.document import Range
from tutorial_tool.markdown.headings import python_markdown_slug
from tutorial_tool.site import Page, Site

_SHORTEST = 4  # Characters that an address has at least to be looked for in a text without knowing what it is there


class Places:
    """Finds the sources of faults. `pages` are those of the site by their built file.

    `root` is the folder that findings name paths from; `beside` are files that write into every page: the
    configuration, the theme's own templates.
    """

    def __init__(
        self, site: Site, folder: Folder, pages: Mapping[str, Page], root: Path, beside: Iterable[Path]
    ) -> None:
        self.folder, self.pages, self.root, self._beside = folder, pages, root, tuple(beside)
        self.addresses = links.of(site)
        self.built = {page: file for file, page in pages.items()}

    @cached_property
    def beside(self) -> list[Source]:
        return [source for path in self._beside if isinstance(source := files.read(path, root=self.root), Source)]

    def findings(self, faults: Iterable[Fault]) -> Iterator[Finding]:
        """A finding for each place; what stands on no page itself is told once, for all pages that show it."""
        shared: dict[tuple[str, str, str], list[Fault]] = defaultdict(list)
        for fault in faults:
            page = self.pages.get(fault.file)
            places = dict.fromkeys(self._on(page, fault)) if page else {}
            for place in places if page else ():
                assert page is not None
                yield replace(page.flag(place, self._message(fault)), rule=fault.rule)
            if not places:
                what = fault.value if fault.rule == "duplicate-id" else fault.target
                shared[fault.rule, what, fault.fragment].append(fault)
        for of_one in shared.values():
            yield self._shared(of_one)

    def _message(self, fault: Fault) -> str:
        if fault.rule == "duplicate-id":
            return f"the id `{fault.value}` is repeated on the published page; links go to the first one"
        if fault.rule == "broken-anchor":
            near = format_suggestion(fault.fragment, sorted(self.folder.ids(fault.target)))
            return f"`{fault.value}`: the published page has no `#{fault.fragment}`{near}"
        what = "image" if fault.rule == "missing-image" else "link target"
        return f"{what} `{fault.value}` not found in the built site"

    # On a page

    def _on(self, page: Page, fault: Fault) -> Iterator[Range]:
        """Where a fault stands on a page: an address or id as written, one that was rewritten, or its letters."""
        if fault.rule == "duplicate-id":
            yield from self._ids(page, fault.value)
            return
        references = self.addresses.pages.references(page)
        ranges = [reference.place for reference in references if _plain(reference.href) == _plain(fault.value)]
        ranges = ranges or [reference.place for reference in references if self._leads(page, reference, fault)]
        at = page.document.text.find(fault.value) if not ranges and len(fault.value) >= _SHORTEST else -1
        yield from ranges if at < 0 else (Range(at, at + len(fault.value)),)

    def _leads(self, page: Page, reference: Reference, fault: Fault) -> bool:
        """Whether a link, whose address the site generator rewrote, leads where the fault does."""
        if not fault.fragment or unquote(reference.href.rpartition("#")[2]) != fault.fragment:
            return False
        target = self.addresses.resolve(page, reference.href, raw=reference.raw)
        return target.page is not None and self.built.get(target.page) == fault.target

    def _ids(self, page: Page, id_: str) -> Iterator[Range]:
        """The second place that makes an id: written out, or a heading's."""
        document = page.document
        written = re.compile(rf"(?:\bid=[\"']?|#)({re.escape(id_)})(?=[\"'\s}}>])")
        places = [Range(*match.span(1)) for match in written.finditer(document.text)]
        places += [
            Range(heading.content_start, heading.content_end)
            for heading in document.headings
            if heading.id is None and python_markdown_slug(str(heading.text)) == id_
        ]
        yield from sorted(places)[1:2] or places[:1]

    # Elsewhere

    def _shared(self, faults: list[Fault]) -> Finding:
        first, count = faults[0], len({fault.file for fault in faults}) - 1
        others = f", here and on {count} other page{'s' * (count > 1)}" if count else ""
        span = self._written(first) or self._built(first)
        named = first if first.rule == "duplicate-id" else first._replace(value=_shown(first))
        return Finding(first.rule, Severity.OFF, self._message(named) + others, span, exact=False)

    def _written(self, fault: Fault) -> Span | None:
        """The place in the configuration, or in the theme's templates, that names what lacks."""
        if fault.rule == "duplicate-id":
            return None
        wanted = [text for text in dict.fromkeys((fault.target, fault.value.lstrip("./"))) if len(text) >= _SHORTEST]
        for source in self.beside:
            for text in wanted:
                if match := re.search(rf"(?<![\w.-])(?<!\w/){re.escape(text)}(?![\w-]|/\w)", source.text):
                    return source.span(*match.span())
        return None

    def _built(self, fault: Fault) -> Span:
        """The tag in the built file."""
        source = Source(files.format_path(self.folder.folder / fault.file, self.root), self.folder.html(fault.file))
        start = min(fault.start, len(source.text))
        end = source.get_line_end(source.get_position(start).line)
        return source.span(start, source.text.find(">", start, end) + 1 or end)


def _shown(fault: Fault) -> str:
    """An address as it is from the site's folder, which pages write in many ways."""
    path = fault.target.removesuffix("index.html") if fault.fragment else fault.target
    return f"{path}#{fault.fragment}" if fault.fragment else path


def _plain(href: str) -> str:
    return unquote(unescape(href)).strip().removeprefix("./")
