"""Links that lead to no page and no file."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from posixpath import basename, splitext

from tutorial_tool import links
from tutorial_tool.core import lazy_re
from tutorial_tool.core.diagnostics import Finding, Severity, did_you_mean
from tutorial_tool.core.source import Span
from tutorial_tool.links import Addresses, Reference, Target, suggestions
from tutorial_tool.links.snippets import may_bring
from tutorial_tool.links.suggestions import Suggestion
from tutorial_tool.markdown.document import MASK, Document, Prose, Range
from tutorial_tool.markdown.parser import Dialect
from tutorial_tool.rules import rule
from tutorial_tool.rules._shared import _doubts, _footnotes, _versions
from tutorial_tool.site import Page, PageFix, Site, page_facts
from tutorial_tool.site.having import having

_BARE_HOST = lazy_re.compile(
    r"(?:www\.[\w-]+\.\w[\w.-]*|[\w-]+(?:\.[\w-]+)*\.(?:com|net|io|dev|gov|edu|org(?=[/:?#])))(?:[/:?#].*)?",
    re.IGNORECASE,
)
"""A host without a scheme; `notes.org` may be a file."""
_ANCHOR = lazy_re.compile(r"\[\]\([ \t]*\)\{[:#]")
"""A link without text and address, with an id: a place that other pages lead to."""
_SOURCE = lazy_re.compile(r"/|^www\.|@|\.(?:md|rst|txt|ipynb)(?:#|$)")
_NUMBERED = lazy_re.compile(r"(^|/)\d+[-_.][ ]?(?=[^\W\d_])")
_BARE_MAIL = lazy_re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
_BROKEN_SCHEME = lazy_re.compile(r"h{1,2}t{1,3}p{1,2}(s?)(?::/{0,3}|//)(?=[\w-]+\.\w)", re.IGNORECASE)
_GOOD_SCHEME = lazy_re.compile(r"https?://(?!/)", re.IGNORECASE)
_FOR_WRITERS = lazy_re.compile(
    r"(?:agents|claude|gemini|contributing|copilot-instructions|skill)\b|.*style[-_ ]?guide", re.IGNORECASE
)
"""Files in which people and programs are told how to write."""
_QUOTED = lazy_re.compile(r"[\"“]([^\"“”\n]*)[\"”]")
_LINK = lazy_re.compile(r"\[[^\[\]]*\]\([^()\s]*\)")
_WORDS_AROUND = lazy_re.compile(r"\w|\.\.\.|…")
_BRACKETED = lazy_re.compile(r"\((https?://[^\s()]+)\)")
_TWICE = lazy_re.compile(r"(?:https?:/{2,3})+(?=https?:?/{2,3}[\w-]+\.\w)", re.IGNORECASE)
"""A scheme before another one."""
_SCHEME = lazy_re.compile(r"^(https?):?/{2,3}", re.IGNORECASE)
_EXCHANGED = lazy_re.compile(r"\[(https?://[^\s\[\]()]+)\]\(([\w-]+(?: [\w-]+)*)\)")
"""A link whose text is an address, and whose address is a word."""
_UNREAD = lazy_re.compile(r"\[([^\[\]\n]{1,200})\]\((#[^()\s]*+[ \t][^()\n]*+|/[^()\s]*+[ \t][^()\n]*+)\)")
"""A link whose address has a space: CommonMark takes it for text."""
_WHOLE = lazy_re.compile(r"[ \t](?:=\d*%?x\d*%?|\"[^\"]*\"|'[^']*')$")
"""The size of a picture behind its address, as Azure DevOps and a plugin of markdown-it have it; a title."""
_REFERENCE = lazy_re.compile(r"(?<![\w\]])\[(?=[^\[\]\n]*[^\W\d_])([^\[\]\n]{2,200})\]\[([^\[\]\n]{0,200})\]")
_UNDEFINING = lazy_re.compile(r"^[ ]{0,3}(\[[^\[\]\n]+\])[ \t]+<?https?://[^\s<>]+>?[ \t]*$", re.MULTILINE)
"""A line that would be a definition."""
_DEFINING = lazy_re.compile(r"^[ ]{0,3}\[([^\[\]\n]+)\]:[ \t]", re.MULTILINE)
"""A line that defines a reference."""
_OUTSIDE = frozenset(("autorefs", "mkdocstrings", "ezlinks", "roamlinks"))
"""Plugins of MkDocs that know references which no page defines."""
_NEAR = 0.85
"""How alike a label is, of 1, that may be meant."""
_FEW = 5
"""How many references may lack a definition, however few have one."""


@rule("navigation", Severity.ERROR, yields_to=("foreign-link", "base-path-drift", "unsafe-url"))
def check(site: Site) -> Iterator[Finding]:
    return _versions.once(_found(site))


def _found(site: Site) -> Iterator[Finding]:
    of = links.of(site)
    has_numbers = any(_NUMBERED.search(page.path) for page in site.pages)
    for page in site.pages:
        for reference, target in of.links(page):
            if target.kind != "page" and (label := of.labels.lost(page, reference)):
                yield from _label(of, page, reference, label)
                continue
            if target.kind in ("missing", "unknown") and (meant := of.labels.document(page, reference)):
                fix = PageFix(f"name `{meant}`", ((*reference.place, meant),), safe=False)
                told = f"no page and no label is called `{reference.href}`; did you mean `{meant}`?"
                yield page.flag(reference.place, told, fix=fix)
                continue
            if reference.is_image or (target.kind == "missing" and _is_elsewhere(of, page, reference)):
                continue
            if target.kind == "missing" and of.doubts.about("page", page, reference):
                continue
            if not (has_numbers and target.kind == "missing" and _is_numbered(of, page, reference)):
                yield from _link(of, page, reference, target)
    yield from _doubts.hints(of, "page")
    yield from _pasted(of)
    for page in having(site, may_bring):
        yield from _not_brought(of, page)
    for page, notes in having(site, _footnotes.of_page).items():
        yield from _of_footnotes(of, page, notes)
    yield from _undefined(of)
    yield from _of_navigation(of, site)
    yield from _unpublished(of, site)


def _of_navigation(of: Addresses, site: Site) -> Iterator[Finding]:
    """What the navigation names, and is not there."""
    for entry in of.nav:
        if entry.target.kind == "missing":
            near = of.suggestions.near(entry.tree, entry.path)
            yield Finding("", Severity.OFF, f"the navigation names `{entry.path}`, which is no page{near}", entry.span)
    for lost in of.nav_lost:
        near = f"; did you mean `{lost.meant}`?" if lost.meant else ""
        yield Finding(
            "", Severity.OFF, f"the navigation names `{lost.name}`, which is no {lost.wanted}{near}", lost.span
        )
    known = site.model.tutorials
    for id_, span in of.nav_tutorials if known else ():
        if id_ not in known:
            message = f"the navigation names a tutorial `{id_}`, which the data does not have{did_you_mean(id_, known)}"
            yield Finding("", Severity.OFF, message, span)


def _unpublished(of: Addresses, site: Site) -> Iterator[Finding]:
    """Pages of tutorials that are not published, while the navigation and the platforms' links lead to them."""
    out: dict[Span, list[Page]] = {}
    for page in site.pages if of.excludes else ():
        if page.place and (pattern := of.excluded_by(page)):
            out.setdefault(pattern, []).append(page)
    for pattern, pages in out.items():
        many = "a page" if len(pages) == 1 else f"{len(pages)} pages"
        message = (
            f"`{pattern.text}` keeps {many} of tutorials from being published that the navigation and other platforms "
            "lead to: name who has them in the data instead, with `only` or `platforms`"
        )
        yield Finding("", Severity.OFF, message, pattern)


def _link(of: Addresses, page: Page, reference: Reference, target: Target) -> Iterator[Finding]:
    href, place = reference.href, reference.place
    if not href.strip():
        is_anchor = _ANCHOR.match(page.document.text, place.start - 3)
        if reference.kind == "inline" and not is_anchor and not of.is_draft(page, reference):
            around = place.start - 1, place.end + 1  # the parentheses
            yield page.flag(around, "the link has no address")
        return
    if bare := _BRACKETED.fullmatch(href):
        message = "the address stands in two pairs of parentheses, of which one is part of it"
        yield page.flag(place, message, replace=bare[1])
        return
    if twice := _TWICE.match(href):
        rest = _SCHEME.sub(r"\1://", href[twice.end() :])
        yield page.flag(place, f"the scheme stands twice; it should be `{rest}`", replace=rest)
        return
    slip = _BROKEN_SCHEME.match(href) if href[:1] in "hH" and not _GOOD_SCHEME.match(href) else None
    if slip:
        wanted = f"http{slip[1].lower()}://{href[slip.end() :]}"
        yield page.flag(place, f"`{slip[0]}` is no scheme; it should be `http{slip[1].lower()}://`", replace=wanted)
    elif target.kind in ("missing", "unknown") and (
        finding := _exchanged(page, reference) or _without_scheme(page, href, place)
    ):
        yield finding
    elif target.kind == "missing":
        is_sure = of.is_known(of.tree(page)) or _names_file(href) or _lacks_slash(of, page, reference)
        found = replace(_missing(of, page, reference), why=_doubts.evidence(of, "page", page, reference))
        yield found if is_sure else replace(found, severity=Severity.WARNING)


def _names_file(href: str) -> bool:
    """Whether an address names the file of a page, counted from its own: that is so whoever publishes it."""
    path = href.partition("#")[0]
    return not path.startswith("/") and path.endswith((".md", ".mdx", ".markdown"))


def _lacks_slash(of: Addresses, page: Page, reference: Reference) -> bool:
    """Whether an address that leads nowhere does so for want of a slash at its beginning."""
    is_bare = not reference.is_path and not reference.href.startswith(("/", "."))
    return is_bare and of.resolve(page, f"/{reference.href}").kind in ("page", "file")


def _label(of: Addresses, page: Page, reference: Reference, label: str) -> Iterator[Finding]:
    """A slip in a label of Sphinx: one that is like no other may be that of a program, or of another project."""
    if near := suggestions.best(label, sorted(of.labels.known(of.tree(page))), _NEAR):
        mark = "#" * reference.href.startswith("#")
        fix = PageFix(f"name `{mark}{near}`", ((*reference.place, f"{mark}{near}"),), safe=False)
        yield page.flag(reference.place, f"no page has the label `{label}`; did you mean `{mark}{near}`?", fix=fix)


def _is_elsewhere(of: Addresses, page: Page, reference: Reference) -> bool:
    """Whether an address counts from the pages that bring this one in, or is no source's, and Sphinx may know it: a
    label, something documented in code, its output."""
    if page.dialect is Dialect.MYST and reference.kind not in ("toctree", "doc"):
        return reference.href.endswith(".html") or not _SOURCE.search(reference.href)
    if not reference.is_path and of.is_right_elsewhere(page, reference.href):
        return True
    return of.is_snippet(page) or of.labels.is_target(page, reference.href) or _is_sample(page, reference)


def _is_sample(page: Page, reference: Reference) -> bool:
    """Whether rules for those who write quote a link as what another page should have, with words around it."""
    if not _FOR_WRITERS.match(basename(page.path)):
        return False
    text = page.plain
    start, end = text.rfind("\n", 0, reference.place.start) + 1, reference.place.end
    stop = (text.find("\n", end) + 1 or len(text) + 1) - 1
    for quoted in _QUOTED.finditer(text, start, stop):
        if quoted.start() < reference.place.start and end < quoted.end():
            return _WORDS_AROUND.search(_LINK.sub("", quoted[1])) is not None
    return False


def _is_numbered(of: Addresses, page: Page, reference: Reference) -> bool:
    """Whether a page answers whose file has a number before its name, which many generators leave out of addresses."""
    path = reference.href.partition("#")[0].rstrip("/")
    if of.tree(page).is_exact:
        return False
    found = of.suggestions.page(page, reference.href, raw=reference.raw, kind=reference.kind)
    if not found or not _NUMBERED.search(found.address):
        return False
    names = found.address.partition("#")[0], path
    steps = [_NUMBERED.sub(r"\1", splitext(name)[0]).removeprefix("./") for name in names]
    return steps[0].removesuffix("/index") == steps[1]


def _exchanged(page: Page, reference: Reference) -> Finding | None:
    """An address in the place of a link's text, and a text in that of its address."""
    text, place = page.document.text, reference.place
    start = text.rfind("[", 0, place.start) if reference.kind == "inline" else -1
    found = _EXCHANGED.match(text, start) if start >= 0 else None
    if found is None or found.start(2) != place.start:
        return None
    fix = PageFix("exchange them", ((*found.span(), f"[{found[2]}]({found[1]})"),), safe=False)
    return page.flag(place, f"`{reference.href}` leads nowhere: text and address of this link are exchanged", fix=fix)


def _without_scheme(page: Page, href: str, place: Range) -> Finding | None:
    """Addresses of other hosts and of people that lack what they should begin with."""
    if _BARE_MAIL.fullmatch(href):
        wanted = f"mailto:{href}"
    elif _BARE_HOST.fullmatch(href) and not href.lower().endswith((".md", ".html")):
        wanted = f"https://{href}"
    else:
        return None
    begin = wanted.removesuffix(href)
    return page.flag(place, f"`{href}` lacks `{begin}`, and so means a page of this site", replace=wanted)


def _missing(of: Addresses, page: Page, reference: Reference) -> Finding:
    href, place = reference.href, reference.place
    path, mark, fragment = href.partition("#")
    if not reference.is_path and (moved := of.redirects.moved(page, path)):
        address = of.suggestions.written(page, moved, path, raw=reference.raw) + mark + fragment
        fix = PageFix(f"lead to `{address}`", ((*place, address),))
        return page.flag(place, f"`{path}` has moved to `{address}`", fix=fix)
    if reference.kind == "html" and path.endswith((".md", ".markdown")) and (meant := of.published(page, path)):
        address = meant + mark + fragment
        fix = PageFix(f"lead to `{address}`", ((*place, address),))
        message = f"`{path}` is not published: links in HTML are not rewritten, and this one should be `{address}`"
        return page.flag(place, message, fix=fix)
    if reference.kind == "ref" and (other := of.readings.of_hugo(page, path)) is not None:
        name = other.path if isinstance(other, Page) else path
        told = f"`{path}` is there in another language only, as `{name}`: translate it, or give a `lang`"
        return page.flag(place, told)
    if outside := of.outside(page, path):
        return page.flag(place, f"`{path}` stands outside `{outside}`, and so is not published")
    if of.marked.find(of.pages.file(page), href):
        return _behind_mark(of, page, reference)
    if _lacks_slash(of, page, reference):
        slash = PageFix(f"lead to `/{href}`", ((*place, f"/{href}"),), safe=False)
        return page.flag(place, f"`{href}` leads nowhere; did you mean `/{href}`?", fix=slash)
    found = of.suggestions.page(page, href, raw=reference.raw, kind=reference.kind)
    other = of.resolve(page, found.address, raw=reference.raw).page if found and page.place else None
    if other is not None and other.place and other.platform != page.platform:
        return page.flag(place, f"`{path}` leads to no page or file{_lacking(page, other)}")
    near = f"; did you mean `{found.address}`?" if found else ""
    edits = ((*place, found.address),) if found else ()
    is_safe = found is not None and found.sure and of.is_proven(page, "page", reference)
    guess = PageFix(f"lead to `{found.address}`", edits, is_safe) if found and not _is_own(of, page, found) else None
    return page.flag(place, f"`{path}` leads to no page or file{near}", fix=guess)


def _is_own(of: Addresses, page: Page, found: Suggestion) -> bool:
    """Whether what is suggested is the very page that a link stands on: nobody meant that."""
    path = found.address.partition("#")[0]
    return of.resolve(page, path).page is page


def _behind_mark(of: Addresses, page: Page, reference: Reference) -> Finding:
    """A path from the folder of all pages, behind the mark that generators have for that."""
    meant = of.marked.meant(of.pages.file(page), reference.href)
    near = f"; did you mean `{meant}`?" if meant else ""
    fix = PageFix(f"lead to `{meant}`", ((*reference.place, meant),), safe=False) if meant else None
    return page.flag(reference.place, f"`{reference.href.partition('#')[0]}` leads to no page or file{near}", fix=fix)


def _not_brought(of: Addresses, page: Page) -> Iterator[Finding]:
    """Files that are to stand here, as a snippet or an include, and are not there."""
    for one in of.lost(page):
        beside = (of.disk.entries(folder).items() for folder in one.folders)
        names = sorted({name for entries in beside for name, is_folder in entries if not is_folder})
        near = suggestions.best(basename(one.name), names, suggestions.NEAR_BESIDE)
        wanted = one.name[: -len(basename(one.name))] + near if near else ""
        fix = PageFix(f"bring in `{wanted}`", ((one.start, one.end, wanted),), safe=False) if near else None
        meant = f"; did you mean `{wanted}`?" if near else ""
        yield page.flag((one.start, one.end), f"there is no file `{one.name}` to bring in here{meant}", fix=fix)


def _lacking(page: Page, other: Page) -> str:
    """Why a page's platform has no page of a step that another platform has."""
    if page.place is None or other.place is None or page.tutorial != other.tutorial:
        return ""
    reason = page.place.tutorial.absence(other.place.step, page.place.platform)
    if reason is None:
        return ""
    return f": {page.place.platform.name} does not have the step `{other.step}`" + (f" ({reason})" if reason else "")


def _pasted(of: Addresses) -> Iterator[Finding]:
    """The text of a heading as an address."""
    for page, (href, place) in ((page, each) for page, found in having(of.site, _unread).items() for each in found):
        meant = of.anchor_of_heading(page, href.lstrip("#")) if href.startswith("#") else None
        if meant:
            message = f"`{href}` is the text of a heading, not an address; its anchor is `#{meant}`"
            yield page.flag(place, message, replace=f"#{meant}")
        else:
            yield page.flag(place, f"`{href}` is no address: it holds a space")


@page_facts.of_each
def _unread(page: Page) -> tuple[tuple[str, Range], ...]:
    """What stands in the text as if it were an address."""
    text = page.document.text
    if "](#" not in text and "](/" not in text:
        return ()
    texts = (prose for prose in page.document.prose() if "](" in prose)
    found = ((prose, match) for prose in texts for match in _UNREAD.finditer(prose) if not _WHOLE.search(match[2]))
    return tuple((match[2], prose.at(match.start(2), match.end(2))) for prose, match in found)


def _of_footnotes(of: Addresses, page: Page, notes: Iterable[_footnotes.Footnote]) -> Iterator[Finding]:
    """References to footnotes that nothing defines, and footnotes that nothing refers to, where the page has all."""
    if _may_be_defined_elsewhere(of, page):
        return
    for label, place, is_lost, meant in notes:
        if not is_lost:
            message = f"nothing refers to the footnote `{label}`: few engines show it"
            yield page.flag(place, message, severity=Severity.HINT)
            continue
        near = f"; did you mean `{meant}`?" if meant else ""
        fix = PageFix(f"refer to `{meant}`", ((place.start + 2, place.end - 1, meant),), safe=False) if meant else None
        message = f"nothing defines the footnote `{label}`, so this is printed as it stands{near}"
        yield page.flag(place, message, fix=fix)


def _may_be_defined_elsewhere(of: Addresses, page: Page) -> bool:
    """Whether a build may bring in what a page does not define, or the page is itself brought in."""
    config = of.tree(page).config
    appended = config is not None and "auto_append" in config.text
    return appended or of.is_snippet(page) or of.brings_text(page)


def _undefined(of: Addresses) -> Iterator[Finding]:
    """References that nothing defines: Markdown prints them as they stand.

    Some sites append definitions to each page, or know the ids of all headings; there, few pages have their own, and
    nothing is said. A page that is linted without its neighbours has to define most of its own.
    """
    asked = ((page, labels) for page, labels in having(of.site, _labels).items() if not _is_settled(of, page))
    found = [(page, place, label) for page, labels in asked for place, label in labels]
    if not found:
        return
    defined = sum(one.kind == "definition" for page in of.site.pages for one in of.references(page))
    used: dict[tuple[Page, str], list[tuple[Range, str]]] = {}
    for page, place, label in found:
        used.setdefault((page, " ".join(label.lower().split())), []).append((place, label))
    undefining: dict[Page, dict[str, re.Match[str]]] = {}
    is_certain = len(found) <= max(_FEW if of.is_whole else 0, defined // 4)
    for (page, wanted), ((first, label), *others) in used.items():
        if page.dialect is Dialect.HUGO and wanted in page.kept(_written_labels):
            continue  # its address holds a shortcode, which Hugo writes out first
        if page not in undefining:
            undefining[page] = {one[1][1:-1].lower(): one for one in _UNDEFINING.finditer(page.plain)}
        if slip := undefining[page].get(wanted):
            related = [(page, place, "used here") for place in (first, *(place for place, _ in others))]
            message = f"a colon is missing behind `{slip[1]}`: this defines nothing, and what refers to it is no link"
            yield page.flag(slip.span(1), message, related=related)
        elif is_certain:
            related = [(page, place, "here too") for place, _ in others]
            message = f"nothing defines the reference `{label}`, so this is printed as it stands"
            yield page.flag(first, message, related=related)


def _is_settled(of: Addresses, page: Page) -> bool:
    """Whether a page may well refer to what it does not define."""
    return _may_be_defined_elsewhere(of, page) or not of.plugins(page).isdisjoint(_OUTSIDE)


@page_facts.of_each
def _labels(page: Page) -> tuple[tuple[Range, str], ...]:
    """What looks like a reference in the text of a page, with its label."""
    return tuple(_labels_in(page.document))


@page_facts.of_each
def _written_labels(page: Page) -> frozenset[str]:
    """The labels before a colon at the beginning of a line, whatever follows."""
    return frozenset(" ".join(found[1].lower().split()) for found in _DEFINING.finditer(page.plain))


def _labels_in(document: Document) -> Iterator[tuple[Range, str]]:
    for prose in document.prose() if "][" in document.text else ():
        for match in _REFERENCE.finditer(prose) if "][" in prose and prose.kind not in ("alt", "html") else ():
            label = match[2] or match[1]
            is_label = any(char.isalpha() for char in label) and MASK not in label
            is_index = match[1] == match[2] and len(label.split()) == 1
            if is_label and not is_index and not _is_synopsis(match) and not _are_tags(document.text, prose, match):
                yield prose.at(match), label


def _is_synopsis(match: re.Match[str]) -> bool:
    """Whether brackets stand around what may be left out: `[host][,port]`, `[host][port][path]`."""
    if all(_RANGES.fullmatch(part) for part in match.groups() if part):
        return True  # of a regular expression: `[A-Z][a-z]+`
    return any(part[:1] in (",", "|", " ") for part in match.groups()) or match.string.startswith("[", match.end())


_RANGES = lazy_re.compile(r"\^?(?:[A-Za-z0-9]-[A-Za-z0-9]|\\\w|[_.$^+*/-])+")
"""Characters of a regular expression."""
_TAG = lazy_re.compile(r"(?:[^\s\[\]]*[A-Z][^\s\[\]]*|[\d.]+)(?: [^\s\[\]]+){0,2}")
_MARKS = lazy_re.compile(r"[0-9a-f]{7,40}|v?\d+(?:\.\d+)+\S*")
_AHEAD = lazy_re.compile(r"[ \t>]*+(?:[-*+]|\d+[.)])[ \t]+(?:\[[^\[\]\n]*+\](?:\([^()\n]*+\))?+|[^\w\n\[\]]|_)*+")
"""What may stand before tags in an item: others, and links to issues."""


def _are_tags(text: str, prose: Prose, match: re.Match[str]) -> bool:
    """Whether two words in brackets are tags of an entry, `[iOS][Android] Fix …`, or commits and versions."""
    if not match[2]:
        return False
    if _MARKS.fullmatch(match[1]) and _MARKS.fullmatch(match[2]):
        return True
    start = prose.at(match).start
    begins = _AHEAD.fullmatch(text, text.rfind("\n", 0, start) + 1, start) and prose[match.end() :].strip()
    if not begins:
        return False
    return bool(_TAG.fullmatch(match[1]) and _TAG.fullmatch(match[2])) or _begins_an_item(text, match[2])


def _begins_an_item(text: str, label: str) -> bool:
    """Whether an item begins with a word in brackets, and no address behind it."""
    found = re.compile(rf"^[ \t]*(?:[-*+]|\d+[.)])[ \t]+\[{re.escape(label)}\][ \t]", re.MULTILINE)
    return found.search(text) is not None
