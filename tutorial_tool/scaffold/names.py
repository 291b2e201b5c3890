"""Ids for what people name: short, of ASCII letters and digits, each once."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

from tutorial_tool.fs import files

_SIGNS = str.maketrans({"+": " plus ", "#": " sharp ", "&": " and ", "@": " at ", "ß": "ss", "ø": "o", "ł": "l"})
LONGEST = 40
"""Characters of an id that is made of a name."""


def tidy(name: str) -> str:
    """A name on one line: runs of white space are one space, and characters that nobody sees are gone."""
    seen = "".join(
        char for char in name if unicodedata.category(char) not in ("Cc", "Cs", "Co", "Cn") or char.isspace()
    )
    return " ".join(seen.split())


def id_of(name: str, otherwise: str) -> str:
    """The id of a name, such as `ios-ipados` of `iOS / iPadOS`; `otherwise` where it has no letters to make one of."""
    plain = unicodedata.normalize("NFKD", name.lower().translate(_SIGNS)).encode("ascii", "ignore").decode()
    made = "-".join(re.findall(r"[a-z0-9]+", plain))
    made = made[:LONGEST].strip("-") if len(made) > LONGEST else made
    return made if made and not files.unsafe(made) else f"{otherwise}-{made}".rstrip("-")


def ids_of(names: Iterable[str], otherwise: str, *, taken: Iterable[str] = ()) -> dict[str, str]:
    """Map ids to names, in their order, each name once. An id that is taken gets a number behind it."""
    out: dict[str, str] = {}
    gone = set(taken)
    for name in dict.fromkeys(names):
        wanted = id_of(name, otherwise)
        id_ = next(id_ for id_ in (wanted, *(f"{wanted}-{n}" for n in range(2, len(gone) + 3))) if id_ not in gone)
        gone.add(id_)
        out[id_] = name
    return out
