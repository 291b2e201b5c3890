"""External links: each is asked once a run whether it is still there, and once a day at most by one user."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from html import unescape
from urllib.parse import unquote, urlsplit

from tutorial_tool import addresses
from tutorial_tool.config import Config
from tutorial_tool.document import Range
from tutorial_tool.external import kept
from tutorial_tool.external.asking import Answer, Asker, Manners
from tutorial_tool.external.guard import Guard, matches
from tutorial_tool.finding import Finding, Severity
from tutorial_tool.site import Page, PageFix, Site

__all__ = ["Links", "Manners"]

_WORKERS = 8
_PER_HOST = 3
_MANY = 20
"""Links to one host for which a further worker is worth it; the pause between two requests holds for all of them."""
_WEB = re.compile(r"(?:https?:)?//[^/]", re.IGNORECASE)
_RESERVED = re.compile(r"(?:.*\.)?(?:example\.(?:com|org|net)|example|test|invalid|localhost)", re.IGNORECASE)
"""Names that stand for any host (RFC 2606, RFC 6761)."""
_STANDS_FOR = re.compile(r"[{}<>$*|\\^`\s\[\]…\ufffc]|//(?:[^/]*\.)?(?:your|example)[\w-]*\.", re.IGNORECASE)
"""An address that stands for others: with a blank to fill in, or a host of the reader's own."""
_OF_SCRIPTS = re.compile(r"[!/?]|:~:|L\d|.*[=&:]")
"""Fragments that a page's scripts make sense of."""
_SHOWN = 5


class Links:
    """The external links of a run, and what their hosts answered."""

    def __init__(self, manners: Manners | None = None) -> None:
        self.manners = manners or Manners()
        self.known = kept.load()
        self.asked: dict[str, Answer] = {}
        self.read: set[str] = set()

    def findings(self, site: Site, config: Config) -> Iterator[Finding]:
        """What is wrong with the external links of a site; hosts are asked what is not known yet."""
        links = list(_links(site, config))
        fragments: dict[str, set[str]] = defaultdict(set)
        for _, _, url in links:
            address, _, fragment = url.partition("#")
            fragments[address].update([fragment] if fragment and not _OF_SCRIPTS.match(fragment) else ())
        self._ask({url: wanted for url, wanted in fragments.items() if not self._is_known(url, wanted)}, config)
        online = any(answer.kind in ("there", "gone") for answer in self.asked.values())
        for page, place, url in links:
            address, _, fragment = url.partition("#")
            answer = self.asked.get(address) or self.known[address]
            yield from _told(page, place, url, answer, fragment in fragments[address], online=online)

    def notes(self) -> Iterator[str]:
        """What could not be checked, for people."""
        lost = {url: answer for url, answer in self.asked.items() if answer.kind in ("unchecked", "no-host")}
        if not any(answer.kind in ("there", "gone") for answer in self.asked.values()):
            if lost:
                yield f"No host could be reached: {_count(len(lost))} not checked."
            return
        causes = Counter((urlsplit(url).netloc, one.why) for url, one in lost.items() if one.kind == "unchecked")
        if causes:
            shown = [f"{host} {why}" + (f" ({n})" if n > 1 else "") for (host, why), n in causes.most_common(_SHOWN)]
            more = ", and others" if len(causes) > _SHOWN else ""
            yield f"{_count(causes.total())} not checked: {', '.join(shown)}{more}."

    def _is_known(self, url: str, wanted: set[str]) -> bool:
        if url in self.asked:
            return not wanted or url in self.read
        answer = self.known.get(url)
        return answer is not None and (not wanted or wanted <= (answer.ids or frozenset()))

    def _ask(self, wanted: Mapping[str, set[str]], config: Config) -> None:
        """Ask for addresses, many hosts at a time. What was answered is kept, even if the rest is not waited for."""
        asker = Asker(Guard(config.external_allow), self.manners)

        def ask(urls: Sequence[str]) -> None:
            for url in urls:
                if not asker.stopped.is_set():
                    self.asked[url] = asker.ask(url, read=bool(wanted[url]))

        self.read |= {url for url, fragments in wanted.items() if fragments}
        with ThreadPoolExecutor(_WORKERS) as pool:
            try:
                list(pool.map(ask, _parts(wanted)))
            except BaseException:
                asker.stopped.set()
                pool.shutdown(wait=False, cancel_futures=True)
                raise
            finally:
                answers = {url: self.asked[url] for url in wanted if url in self.asked}
                kept.keep({url: _needed(answer, wanted[url]) for url, answer in answers.items()})


def _needed(answer: Answer, wanted: set[str]) -> Answer:
    """An answer with those anchors only that links ask for."""
    return replace(answer, ids=None if answer.ids is None else answer.ids & wanted)


def _parts(urls: Iterable[str]) -> list[list[str]]:
    """The addresses of each host, apart; those of a host with many in a few parts."""
    by_host: dict[str, list[str]] = defaultdict(list)
    for url in urls:
        by_host[urlsplit(url).netloc.lower()].append(url)
    parts = []
    for of_host in by_host.values():
        count = min(_PER_HOST, 1 + len(of_host) // _MANY)
        parts += [of_host[number::count] for number in range(count)]
    return parts


def _links(site: Site, config: Config) -> Iterator[tuple[Page, Range, str]]:
    """The links and pictures of a site that lead to other hosts, with their places."""
    read = addresses.of(site)
    for page in site.pages:
        own = read.tree(page).origin.lower()
        for reference in read.references(page):
            url = unescape(reference.href).strip()
            if not _WEB.match(url) or _STANDS_FOR.search(url):
                continue
            url = f"https:{url}" if url.startswith("//") else url
            host = _host(url)
            if not host or _RESERVED.fullmatch(host) or matches(config.external_ignore, url):
                continue
            if not own or not f"{url}/".lower().startswith(f"{own}/"):
                yield page, reference.place, url


def _host(url: str) -> str:
    """The host of a URL; nothing where it has none that could be asked."""
    try:
        parts = urlsplit(url)
        return (parts.hostname or "") if parts.port != 0 else ""
    except ValueError:
        return ""


# Telling


def _told(page: Page, place: Range, url: str, answer: Answer, checked: bool, *, online: bool) -> Iterator[Finding]:
    """The findings of one link. `checked` tells whether its fragment was looked for."""
    address, _, fragment = url.partition("#")
    if answer.kind == "gone" or (answer.kind == "no-host" and online):
        yield replace(page.flag(place, f"`{address}` cannot be opened: {_sentence(answer)}"), rule="unreachable-link")
    elif answer.kind == "there" and checked and answer.ids is not None and unquote(fragment) not in answer.ids:
        message = f"`{address}` has no `#{fragment}`"
        yield replace(page.flag(place, message, severity=Severity.HINT), rule="unreachable-link")
    elif answer.moved and answer.moved.rstrip("/") != address.rstrip("/"):
        yield replace(_moved(page, place, url, answer.moved), rule="moved-link")


def _sentence(answer: Answer) -> str:
    return answer.why if answer.kind == "no-host" or answer.why.startswith("the ") else f"it {answer.why}"


def _moved(page: Page, place: Range, url: str, moved: str) -> Finding:
    """An address that has moved for good. A home page is where hosts send readers of what they threw away."""
    if urlsplit(moved).path in ("", "/") and urlsplit(url).path not in ("", "/"):
        return page.flag(place, f"`{url}` leads to the home page `{moved}` now")
    fragment = url.partition("#")[2]
    new = moved if not fragment or "#" in moved else f"{moved}#{fragment}"
    text = new.replace("(", "%28").replace(")", "%29").replace(" ", "%20")
    fix = PageFix(f"replace by `{text}`", ((*place, text),), safe=False)
    return page.flag(place, f"`{url}` has moved for good to `{new}`", fix=fix)


def _count(number: int) -> str:
    return f"{number} external link was" if number == 1 else f"{number} external links were"
