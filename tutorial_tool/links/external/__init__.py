"""External links: each is checked at most once per run; one that works is not checked again for a day."""

from __future__ import annotations

import json
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from urllib.parse import unquote, urlsplit

from tutorial_tool.cache import store
from tutorial_tool.cache.workers import MAX_PROCESSES
from tutorial_tool.config.settings import Config
from tutorial_tool.core.diagnostics import MAX_NAMED, Finding, Severity
from tutorial_tool.core.grouping import group_by
from tutorial_tool.links.external import links
from tutorial_tool.links.external.checker import Answer, LinkChecker, RequestPolicy
from tutorial_tool.links.external.guard import Guard
from tutorial_tool.links.external.links import Link
from tutorial_tool.site import Site


# Convert a host's answer into a finding, or none.
def report_link(link: Link, answer: Answer, *, online: bool) -> Iterator[Finding]:
    """Yield the findings of a link. An unknown host counts only if other hosts could be reached."""
    if answer.kind == "gone" or (answer.kind == "no-host" and online):
        why = f"it {answer.why}" if answer.why.startswith(("answers", "leads")) else answer.why
        yield replace(link.flag(f"`{link.address}` cannot be opened: {why}"), rule="unreachable-link")
    elif answer.kind == "there" and answer.ids is not None and unquote(link.fragment) not in {"", *answer.ids}:
        message = f"`{link.address}` has no `#{link.fragment}`"
        yield replace(link.flag(message, severity=Severity.HINT), rule="unreachable-link")
    elif answer.moved and answer.moved.rstrip("/") != link.address.rstrip("/"):
        yield replace(_report_moved(link, answer.moved), rule="moved-link")


def _report_moved(link: Link, moved: str) -> Finding:
    """Return a finding for a permanent redirect, with a fix unless it is to the home page.

    Hosts redirect removed pages there.
    """
    if urlsplit(moved).path in ("", "/") and urlsplit(link.url).path not in ("", "/"):
        return link.flag(f"`{link.url}` leads to the home page `{moved}` now")
    fragment = link.url.partition("#")[2]
    new = moved if not fragment or "#" in moved else f"{moved}#{fragment}"
    new = new.replace("(", "%28").replace(")", "%29").replace(" ", "%20")
    return link.flag(f"`{link.url}` has moved permanently to `{new}`", new=new)


__all__ = ["Links", "RequestPolicy"]

_HOURS = 24.0  # How long a good answer stays valid
_PER_HOST = 3
_MANY = 20
"""Links per host that justify one more worker; all workers share the pause between two requests to a host."""


class Links:
    """The external links of a run, and the answers of their hosts."""

    def __init__(self, manners: RequestPolicy | None = None) -> None:
        self.manners = manners or RequestPolicy()
        self.known: dict[str, Answer] = {}
        self.asked: dict[str, Answer] = {}
        self.read: set[str] = set()

    def check_site(self, site: Site, config: Config) -> Iterator[Finding]:
        """Yield the findings of a site's external links, after requesting those not known yet."""
        matches = list(links.find_checkable(site, config))
        fragments: dict[str, set[str]] = defaultdict(set)
        for link in matches:
            fragments[link.address].update([link.fragment] if link.fragment else ())
        self.known |= _load_answers(fragments)
        self._ask_hosts({url: wanted for url, wanted in fragments.items() if not self._is_known(url, wanted)}, config)
        for link in matches:
            answer = self.asked.get(link.address) or self.known[link.address]
            yield from report_link(link, answer, online=self.is_online)

    def describe_unchecked(self) -> Iterator[str]:
        """Yield notes for the user about links that could not be checked."""
        if self.asked and not self.is_online:
            yield f"No host could be reached; {_format_count(len(self.asked))} not checked."
            return
        lost = {url: answer for url, answer in self.asked.items() if answer.kind in ("closed", "unchecked")}
        causes = Counter((urlsplit(url).netloc, answer.why) for url, answer in lost.items())
        if causes:
            shown = [f"{host} {why}" + (f" ({n})" if n > 1 else "") for (host, why), n in causes.most_common(MAX_NAMED)]
            more = ", and others" if len(causes) > MAX_NAMED else ""
            yield f"{_format_count(causes.total())} not checked: {', '.join(shown)}{more}."

    @property
    def is_online(self) -> bool:
        """Whether any host responded."""
        return any(answer.kind not in ("no-host", "unchecked") for answer in self.asked.values())

    def _is_known(self, url: str, expected: set[str]) -> bool:
        if url in self.asked:
            return not expected or url in self.read
        answer = self.known.get(url)
        return answer is not None and (not expected or expected <= (answer.ids or frozenset()))

    def _ask_hosts(self, expected: Mapping[str, set[str]], config: Config) -> None:
        """Check URLs on many hosts in parallel. Answers so far are saved even if the run is interrupted."""
        asker = LinkChecker(Guard(config.external_allow), self.manners)

        def ask(urls: Sequence[str]) -> None:
            for url in urls:
                if not asker.stopped.is_set():
                    self.asked[url] = asker.check_url(url, read=bool(expected[url]))

        self.read |= {url for url, fragments in expected.items() if fragments}
        with ThreadPoolExecutor(MAX_PROCESSES) as pool:
            try:
                list(pool.map(ask, _group_by_host(expected)))
            except BaseException:
                asker.stopped.set()
                pool.shutdown(wait=False, cancel_futures=True)
                raise
            finally:
                answers = {url: self.asked[url] for url in expected if url in self.asked}
                needed = {url: answer.ids and answer.ids & expected[url] for url, answer in answers.items()}
                _save_answers({url: replace(answer, ids=needed[url]) for url, answer in answers.items()})


def _group_by_host(urls: Iterable[str]) -> list[list[str]]:
    """Group URLs by host; those of a host with many are split into a few groups."""
    parts = []
    for of_host in group_by(urls, lambda url: urlsplit(url).netloc.lower()).values():
        count = min(_PER_HOST, 1 + len(of_host) // _MANY)
        parts += [of_host[number::count] for number in range(count)]
    return parts


def _format_count(number: int) -> str:
    return f"{number} external link was" if number == 1 else f"{number} external links were"


def _load_answers(urls: Iterable[str]) -> dict[str, Answer]:
    """Return the answers of earlier runs that are still valid, so that they are not requested again."""
    keys, answers, now = {_digest_url(url): url for url in urls}, {}, time.time()
    for key, value in store.read(keys).items():
        at, moved, ids = json.loads(value)
        if now - _HOURS * 3600 < at <= now + 1:
            answers[keys[key]] = Answer("there", moved=moved, ids=None if ids is None else frozenset(ids))
    return answers


def _save_answers(answers: Mapping[str, Answer]) -> None:
    """Save the good answers only: a broken link may be fixed by the next run."""
    good = [(url, answer) for url, answer in answers.items() if answer.kind == "there"]
    rows = (
        (url, [time.time(), answer.moved, None if answer.ids is None else sorted(answer.ids)]) for url, answer in good
    )
    store.write({_digest_url(url): json.dumps(row).encode() for url, row in rows})


def _digest_url(url: str) -> bytes:
    return store.digest_key("external link", url)
