"""Code that several steps show alike, as one file for each platform, which the data names."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from tutorial_tool.adopt.base import Base
from tutorial_tool.adopt.names import Names
from tutorial_tool.adopt.template import Written

FOLDER = "samples"
"""Where such files are, relative to the project."""
_NO_CODE = (".md", ".j2")
Files = dict[str, tuple[str, str]]
"""Where the code of one call stands in a step's folder, by what follows the name: the path, and the text."""


@dataclass
class Samples:
    """Files of code by their path in the project, and what the data says of each platform: its code by name."""

    files: dict[str, str] = field(default_factory=dict)
    named: dict[str, dict[str, str]] = field(default_factory=dict)


def taken_out(written: Iterable[Written], names: Names, base: Base) -> Samples:
    """The code that two steps or more show alike, by one name. It stands in their own files no more."""
    out = Samples()
    having: dict[tuple[tuple[str, str], ...], list[tuple[Written, str, Files]]] = {}
    for each in written:
        for name, files in _calls(each).items():
            texts = tuple(sorted((end, text) for end, (_, text) in files.items()))
            having.setdefault(texts, []).append((each, name, files))
    for texts, calls in having.items():
        name = calls[0][1]
        elsewhere = any(known == name for other, own in having.items() if other != texts for _, known, _ in own)
        if len(calls) < 2 or elsewhere or _stands(base, name):
            continue
        for end, text in texts:
            path = f"{FOLDER}/{name}{end}"
            out.files[path] = text
            owner = end.split(".")[1]
            for platform in names.groups.get(owner, frozenset([owner])):
                out.named.setdefault(platform, {})[name] = path
        for each, known, files in calls:
            for path, _ in files.values():
                del each.files[path]
            for path, text in each.files.items():
                each.files[path] = text.replace(f"{{{{ code('{known}'", f"{{{{ code('{name}'")
    return out


def _calls(written: Written) -> Mapping[str, Files]:
    """The code files of a step by the name that its template calls, each with its owner and suffix."""
    out: dict[str, Files] = {}
    for path, text in written.files.items():
        name, dot, end = posixpath.basename(path).partition(".")
        if posixpath.dirname(path) == written.folder and end.count(".") == 1 and not end.endswith(_NO_CODE):
            out.setdefault(name, {})[dot + end] = path, text
    return out


def _stands(base: Base, name: str) -> bool:
    """Whether a project that stands has code of this name: it would be told to be this."""
    known = any(name in platform.code for platform in base.model.platforms.values())
    return known or any(posixpath.basename(path).startswith(f"{name}.") for path in base.texts)
