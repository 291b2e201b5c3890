"""The origin of a fault in a built site: a page's source, the configuration or theme, else the built file."""

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
from tutorial_tool.markdown.headings import build_python_markdown_slug
from tutorial_tool.site import Page, Site

_SHORTEST = 4  # Minimum length in characters of a URL that is searched for in text of unknown kind


class FaultLocator:
    """Locates the sources of faults. `pages` maps built files to pages of the site.

    Findings name paths relative to `root`; `beside` are files written into every page: the configuration, the theme's
    own templates.
    """

    def __init__(
        self, site: Site, folder: Folder, pages: Mapping[str, Page], root: Path, beside: Iterable[Path]
    ) -> None:
        self.folder, self.pages, self.root, self._beside = folder, pages, root, tuple(beside)
        self.addresses = links.get_addresses(site)
        self.built = {page: file for file, page in pages.items()}

    @cached_property
    def shared_sources(self) -> list[Source]:
        return [source for path in self._beside if isinstance(source := files.read(path, root=self.root), Source)]

    def build_findings(self, faults: Iterable[Fault]) -> Iterator[Finding]:
        """Yield a finding for each span; a fault from outside the pages is reported once for all of them."""
        shared: dict[tuple[str, str, str], list[Fault]] = defaultdict(list)
        for fault in faults:
            page = self.pages.get(fault.file)
            places = dict.fromkeys(self._locate_on_page(page, fault)) if page else {}
            if page and places:
                message = self._format_message(fault)
                yield from (replace(page.flag(place, message), rule=fault.rule) for place in places)
            else:
                what = fault.value if fault.rule == "duplicate-id" else fault.target
                shared[fault.rule, what, fault.fragment].append(fault)
        for of_one in shared.values():
            yield self._build_shared_finding(of_one)

    def _format_message(self, fault: Fault) -> str:
        if fault.rule == "duplicate-id":
            return f"the id `{fault.value}` is repeated on the published page; links go to the first one"
        if fault.rule == "broken-anchor":
            near = format_suggestion(fault.fragment, sorted(self.folder.get_ids(fault.target)))
            return f"`{fault.value}`: the published page has no `#{fault.fragment}`{near}"
        what = "image" if fault.rule == "missing-image" else "link target"
        return f"{what} `{fault.value}` not found in the built site"

    # On a page

    def _locate_on_page(self, page: Page, fault: Fault) -> Iterator[Range]:
        """Yield the spans of a fault on a page: the URL or id as written, or rewritten, or its text."""
        if fault.rule == "duplicate-id":
            yield from self._locate_duplicate_id(page, fault.value)
            return
        references = self.addresses.pages.get_references(page)
        ranges = [
            reference.place
            for reference in references
            if _normalize_href(reference.href) == _normalize_href(fault.value)
        ]
        ranges = ranges or [reference.place for reference in references if self._matches_target(page, reference, fault)]
        at = page.document.text.find(fault.value) if not ranges and len(fault.value) >= _SHORTEST else -1
        yield from ranges if at < 0 else (Range(at, at + len(fault.value)),)

    def _matches_target(self, page: Page, reference: Reference, fault: Fault) -> bool:
        """Return whether a link whose URL the site generator rewrote has the target of the fault."""
        if not fault.fragment or unquote(reference.href.rpartition("#")[2]) != fault.fragment:
            return False
        target = self.addresses.resolve_href(page, reference.href, raw=reference.is_raw)
        return target.page is not None and self.built.get(target.page) == fault.target

    def _locate_duplicate_id(self, page: Page, id_: str) -> Iterator[Range]:
        """Yield the second span that creates an id, written or from a heading, or else the only one."""
        document = page.document
        written = re.compile(rf"(?:\bid=[\"']?|#)({re.escape(id_)})(?=[\"'\s}}>])")
        places = [Range(*match.span(1)) for match in written.finditer(document.text)]
        places += [
            Range(heading.content_start, heading.content_end)
            for heading in document.headings
            if heading.id is None and build_python_markdown_slug(str(heading.text)) == id_
        ]
        yield from sorted(places)[1:2] or places[:1]

    # Elsewhere

    def _build_shared_finding(self, faults: list[Fault]) -> Finding:
        first, count = faults[0], len({fault.file for fault in faults}) - 1
        others = f", here and on {count} other page{'s' * (count > 1)}" if count else ""
        span = self._find_shared_span(first) or self._find_built_span(first)
        named = first if first.rule == "duplicate-id" else first._replace(value=_format_url(first))
        return Finding(first.rule, Severity.OFF, self._format_message(named) + others, span, exact=False)

    def _find_shared_span(self, fault: Fault) -> Span | None:
        """Return the span in the configuration or the theme's templates that names the missing target."""
        if fault.rule == "duplicate-id":
            return None
        expected = [text for text in dict.fromkeys((fault.target, fault.value.lstrip("./"))) if len(text) >= _SHORTEST]
        for source in self.shared_sources:
            for text in expected:
                if match := re.search(rf"(?<![\w.-])(?<!\w/){re.escape(text)}(?![\w-]|/\w)", source.text):
                    return source.span(*match.span())
        return None

    def _find_built_span(self, fault: Fault) -> Span:
        """Return the span of the tag in the built file."""
        name = files.format_path(self.folder.folder / fault.file, self.root)
        source = Source(name, self.folder.read_html(fault.file))
        start = min(fault.start, len(source.text))
        end = source.get_line_end(source.get_position(start).line)
        return source.span(start, source.text.find(">", start, end) + 1 or end)


def _format_url(fault: Fault) -> str:
    """Return a URL relative to the site's root, since pages write it in many ways."""
    path = fault.target.removesuffix("index.html") if fault.fragment else fault.target
    return f"{path}#{fault.fragment}" if fault.fragment else path


def _normalize_href(href: str) -> str:
    return unquote(unescape(href)).strip().removeprefix("./")
