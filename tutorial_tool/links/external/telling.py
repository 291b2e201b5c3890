"""What a host's answer means for a link: a finding, or none."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from urllib.parse import unquote, urlsplit

from tutorial_tool.core.diagnostics import Finding, Severity
from tutorial_tool.links.external.asking import Answer
from tutorial_tool.links.external.links import Link


def findings(link: Link, answer: Answer, *, online: bool) -> Iterator[Finding]:
    """The findings of one link. A name that nobody has is believed only where other hosts could be reached."""
    if answer.kind == "gone" or (answer.kind == "no-host" and online):
        yield replace(link.flag(f"`{link.address}` cannot be opened: {_sentence(answer)}"), rule="unreachable-link")
    elif answer.kind == "there" and _lacks(link, answer):
        message = f"`{link.address}` has no `#{link.fragment}`"
        yield replace(link.flag(message, severity=Severity.HINT), rule="unreachable-link")
    elif answer.moved and answer.moved.rstrip("/") != link.address.rstrip("/"):
        yield replace(_moved(link, answer.moved), rule="moved-link")


def _lacks(link: Link, answer: Answer) -> bool:
    return bool(link.fragment) and answer.ids is not None and unquote(link.fragment) not in answer.ids


def _sentence(answer: Answer) -> str:
    return f"it {answer.why}" if answer.why.startswith(("answers", "leads")) else answer.why


def _moved(link: Link, moved: str) -> Finding:
    """An address that has moved for good. A home page is where hosts send readers of what they threw away."""
    if urlsplit(moved).path in ("", "/") and urlsplit(link.url).path not in ("", "/"):
        return link.flag(f"`{link.url}` leads to the home page `{moved}` now")
    fragment = link.url.partition("#")[2]
    new = moved if not fragment or "#" in moved else f"{moved}#{fragment}"
    new = new.replace("(", "%28").replace(")", "%29").replace(" ", "%20")
    return link.flag(f"`{link.url}` has moved permanently to `{new}`", new=new)
