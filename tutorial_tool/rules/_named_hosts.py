"""Links whose text is itself an address, of another host than the one that they lead to."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple
from urllib.parse import SplitResult

from tutorial_tool import gist, lazy_re
from tutorial_tool.addresses.tree import split
from tutorial_tool.document import Range
from tutorial_tool.site import Page

_ADDRESS = lazy_re.compile(
    r"(?P<code>`?)(?P<scheme>https?://)?(?P<host>(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+(?P<end>[a-z]{2,}))(?::\d+)?"
    r"(?P<path>/[^\s\]`]*)?(?P=code)(?=\]|$)",
    re.IGNORECASE,
)
_ENDS = frozenset(
    """com net org io dev app ai co gov edu cloud sh me info biz us uk de fr nl eu ch at es it pl se no fi dk be jp cn
    kr in au br ca ru cz""".split()
)
"""What the hosts end in that people name without a scheme: `node.js/x` is a path."""
_SAMPLE = lazy_re.compile(r"example|localhost|(?:^|[.-])(?:your|my)|\.(?:test|local|invalid|internal)$", re.IGNORECASE)
"""Hosts that stand for those of a reader."""
_SHORT = frozenset("aka.ms bit.ly git.io goo.gl t.co tinyurl.com youtu.be amzn.to lnkd.in forms.gle app.link".split())
"""Hosts that only send on."""
_SECOND = frozenset("ac co com edu gov net org or ne".split())


class Misleading(NamedTuple):
    """A link that names one host and leads to another. `is_sure` where it names more than a host: a bare one may be
    what a link tells about."""

    place: Range
    named: str
    leads_to: str
    is_sure: bool


@gist.of_each
def of_page(page: Page) -> tuple[Misleading, ...]:
    """The misleading links of a page."""
    return tuple(_found(page)) if "://" in page.plain else ()


def _found(page: Page) -> Iterator[Misleading]:
    for link in page.document.links:
        if link.kind not in ("inline", "reference", "html") or not link.href.startswith(("http://", "https://")):
            continue
        is_html, target = link.kind == "html", split(link.href)
        said = _ADDRESS.match(link.text.strip()) if is_html else _ADDRESS.match(page.plain, link.start + 1)
        if said is None or not target.hostname or not (said["scheme"] or said["end"].lower() in _ENDS):
            continue
        is_bare = not (said["scheme"] or said["path"])
        if is_bare and (said["code"] or said["host"].count(".") < 2):
            continue  # a product may be called so
        host, other = (name.lower().removeprefix("www.") for name in (said["host"], target.hostname))
        if not _is_right(host, said["path"] or "", other, target):
            is_sure = bool(said["scheme"] or len(said["path"] or "") > 1)
            yield Misleading(Range(link.start, link.end), host, other, is_sure)


def _is_right(host: str, path: str, other: str, target: SplitResult) -> bool:
    """Whether a host may answer for another: one of the same owner or name, a sample, one that sends on, or one that
    has moved with all of its pages."""
    if _domain(host) == _domain(other) or _SHORT & {_domain(host), _domain(other)}:
        return True
    if _SAMPLE.search(host) or _SAMPLE.search(other):
        return True
    name = _domain(host).partition(".")[0]
    address = f"{other}{target.path}?{target.query}".lower()
    if host in address or name in other or _domain(other).partition(".")[0] in host:
        return True
    last = path.rstrip("/").rpartition("/")[2]
    return name in address if not last else target.path.rstrip("/").endswith(f"/{last}")


def _domain(host: str) -> str:
    """What somebody owns of a host: `docs.shop.co.uk` is of `shop.co.uk`."""
    parts = host.split(".")
    return ".".join(parts[-3:] if len(parts[-1]) == 2 and parts[-2:-1] and parts[-2] in _SECOND else parts[-2:])
