"""What stands on the page of one platform and is another one's: for the rule `foreign-name`."""

from __future__ import annotations

from typing import NamedTuple

from tutorial_tool.markdown.document import Range


class Foreign(NamedTuple):
    """A literal on a page of `name` that is that of `other`, where `own` stands elsewhere.

    `there` is such a place of the same page; None where it is on the platform's page of another step. Where the literal
    has that platform's name in it, nothing must stand elsewhere: `third` is a copy that has its own name here.
    `usual` is what all others have, where that is one thing.
    """

    name: str
    other: str
    text: str
    own: str
    place: Range
    there: Range | None
    third: str = ""
    usual: str = ""
