"""A project that starts from copies: adopted, with the pictures that they show."""

from __future__ import annotations

import posixpath
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from tutorial_tool import adopt, data
from tutorial_tool.adopt import Adoption, base, check, plan, report, sets, worth
from tutorial_tool.adopt.data import scalar
from tutorial_tool.core.errors import TutorialToolError
from tutorial_tool.core.source import Source
from tutorial_tool.data.model import DEFAULT_PATH
from tutorial_tool.site import DATA

_SITE = ("mkdocs.yml", "index.md")  # What adopting writes for a folder without a site, and `init` writes better


class NothingAdopted(TutorialToolError):
    """No copies here can be adopted; the message says why."""


@dataclass(frozen=True)
class Adopted:
    """The files of the tutorial by path, where its first page stands below the docs folder, and notes for people."""

    files: dict[str, bytes]
    start: str
    tutorial: str
    notes: tuple[str, ...]


def adopted(paths: Sequence[Path], folder: Path) -> Adopted:
    """What the copies at some paths become in a folder.

    Raises `NothingAdopted`, `adopt.merge.Conflict`, and `finding.Error` for a project there that cannot be rendered.
    """
    standing = base.of(folder)
    docs = standing.layout.root / standing.layout.docs
    index = sets.find(paths, docs=docs, patterns=standing.patterns)
    if not index.sets:
        raise NothingAdopted(sets.NONE)
    chosen = worth.chosen(index, standing)
    adoption = adopt.adopt(chosen.sets, standing, display=chosen.display, wishes=adopt.Wishes(root=index.root))
    poor = {
        copy_set: reason.replace("--step", "`tutorial-tool adopt` with --step")
        for copy_set, reason in chosen.poor.items()
    }
    left = [*index.unreadable, *(f"{copy_set}: left as copies: {reason}" for copy_set, reason in poor.items())]
    left += report.left(adoption)
    if adoption.project is None:
        raise NothingAdopted("\n".join(["nothing could be adopted", *left]))
    planned = plan.plan(standing, adoption, index.root, force=True)
    own = {path: text for path, text in planned.files.items() if posixpath.basename(path) not in _SITE}
    pair = (*left, *report.summary(adoption), report.proof(adoption, changed=False), *report.open_choices(adoption))
    lost = check.judged(planned.files, adoption.adopted, standing, index.root).lost
    pair = (*pair, *planned.notes, *report.laundered(adoption, lost, written=True))
    first = _first(adoption)
    return Adopted(own, *first, tuple(pair))


def titled(adopted: Adopted, title: str) -> Adopted:
    """The same with a title that somebody wants for its first tutorial."""
    source = Source(DATA, adopted.files[DATA].decode())
    node = data.at(data.load_yaml(source).node, "tutorials", adopted.tutorial, "title")
    if node is None:
        return adopted
    text = source.text[: node.span.start] + scalar(title) + source.text[node.span.end :]
    return replace(adopted, files={**adopted.files, DATA: text.encode()})


def _first(adoption: Adoption) -> tuple[str, str]:
    """Where the first page of the first tutorial stands, and that tutorial."""
    first = min(adoption.adopted, key=lambda copy_set: (copy_set.tutorial, copy_set.place))
    platform, copy = next(iter(first.copies.items()))
    usual = DEFAULT_PATH.format(tutorial=first.tutorial, platform=platform, step=first.step)
    path = usual if copy.pattern == DEFAULT_PATH else posixpath.splitext(copy.path)[0]
    return f"{path}.md", first.tutorial
