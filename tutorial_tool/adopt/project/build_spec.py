"""What to build from copies: which of them become templates, and how."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tutorial_tool.adopt.base import BaseProject
from tutorial_tool.adopt.copies import CopySet
from tutorial_tool.adopt.lines import Column
from tutorial_tool.adopt.names.renaming import Renames

if TYPE_CHECKING:
    from tutorial_tool.adopt.normalize import NormalizedSets


@dataclass(frozen=True)
class BuildSpec:
    """What to build: sets that become templates, `others` of their tutorials that stay copies, and where.

    Sets in `plain` are written without tables as data and files. With `computed`, the project prints the numbers and
    links that were removed from its copies; its images become calls if `replaces_images` is set. `site_name` is the
    title of a tutorial that is named only after its docs folder; `renames` are names that the user requested.
    """

    sets: Sequence[CopySet]
    columns: Mapping[CopySet, Sequence[Column]]
    base: BaseProject
    others: Sequence[CopySet] = ()
    display: Mapping[str, str] = field(default_factory=dict)
    plain: frozenset[CopySet] = frozenset()
    normalized: NormalizedSets | None = None
    computed: bool = False
    replaces_images: bool = True
    site_name: str = ""
    renames: Renames = field(default_factory=Renames)
