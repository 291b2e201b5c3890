"""What people have to know of a project that copies became: what to look at, to mend, to copy or to take away."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from tutorial_tool import lazy_re
from tutorial_tool.adopt import topics
from tutorial_tool.adopt.along import Along
from tutorial_tool.adopt.copies import TOML, CopySet
from tutorial_tool.adopt.naming import slug
from tutorial_tool.adopt.project import Project
from tutorial_tool.adopt.standing import Standing
from tutorial_tool.site import Layout

SPACES = slug(topics.SPACES)
"""The ability that stands for white space."""
MOST = 5
"""Things that are named in a note."""
_JSX = lazy_re.compile(r"^(?:import|export) .+|^<[A-Z]\w*", re.MULTILINE)


def rows(project: Project, layout: Layout) -> Iterator[str]:
    """The rows that a copy lacked, or had in another place: nobody but the author knows why."""
    every = [(f"{id_}/{row_id}", row) for id_, table in project.tables.items() for row_id, row in table.rows.items()]
    lacking = [_on(id_, row.lacking - row.elsewhere) for id_, row in every if row.lacking - row.elsewhere]
    if lacking:
        yield (
            f"Rows that a copy lacked: {_first(lacking)}. Say why in their `omit` in {layout.data}, "
            "or delete that, and the row is shown there, too."
        )
    if elsewhere := [_on(id_, row.elsewhere) for id_, row in every if row.elsewhere]:
        yield (
            f"Rows that stand in another place on some platforms, and so twice in {layout.data}: {_first(elsewhere)}. "
            "Where one place would do, delete the other row, and `omit`."
        )


def _on(id_: str, platforms: frozenset[str]) -> str:
    return f"{id_} ({', '.join(sorted(platforms))})"


def spaces(project: Project) -> Iterator[str]:
    """The abilities that stand for nothing but white space."""
    if any(ability.startswith(SPACES) for ability in project.names.abilities):
        yield (
            f"White space in which alone copies differ is kept, by the ability `{SPACES}`: take it out of the "
            "templates, or let --unify level it."
        )


def left_behind(beside: Along, layout: Layout) -> Iterator[str]:
    told = [f"{path} ({place})" for path, place in beside.behind.items()]
    if told:
        what, it = ("1 page is", "it") if len(told) == 1 else (f"{len(told)} pages are", "them")
        yield (
            f"{what} linked, and not in the project: {_first(told)}. Copy {it} to {layout.docs}, or adopt --into the "
            f"folder of the site that has {it}."
        )


def _first(told: Sequence[str]) -> str:
    """The first of some things, and how many more there are."""
    more = f", and {len(told) - MOST} more" if len(told) > MOST else ""
    return ", ".join(told[:MOST]) + more


def navigated(site: Standing | None, folder: Path, adopted: Sequence[CopySet]) -> Iterator[str]:
    """That a `nav` names pages one by one, and need not."""
    named = set(site.pages(folder)) if site else set()
    told = [one.tutorial for one in adopted if any(copy.source.path in named for copy in one.copies.values())]
    if site and told:
        marks = ", ".join(f"`tutorial:{id_}`" for id_ in dict.fromkeys(told))
        yield f"The `nav` of {site.name} names the pages, as before; {marks} instead would list them from the data."


def formats(adopted: Sequence[CopySet]) -> Iterator[str]:
    """What the engine of the project does not read as the copies' engine did."""
    copies = [copy for one in adopted for copy in one.copies.values()]
    others = [path for copy in copies if not (path := copy.source.path).endswith(".md")]
    if others:
        what = "1 copy does not end in .md, and its page does"
        many = f"{len(others)} copies do not end in .md, and their pages do"
        yield f"{what if len(others) == 1 else many}. The first: {others[0]}"
    if jsx := [copy.source.path for copy in copies if copy.source.path.endswith(".mdx") and _JSX.search(copy.text)]:
        yield (
            "MkDocs shows imports and components of MDX as text: publish with the generator that you have, "
            f"from what `tutorial-tool render` writes, or take them out of the template. The first: {jsx[0]}"
        )
    if toml := [copy.source.path for copy in copies if copy.text.startswith(TOML)]:
        yield (
            "MkDocs shows front matter in TOML (+++) as text: write it as YAML (---) in the template. "
            f"The first: {toml[0]}"
        )


def hidden(hiding: Sequence[str]) -> Iterator[str]:
    if hiding:
        what = "1 copy still stands" if len(hiding) == 1 else f"{len(hiding)} copies still stand"
        yield (
            f"{what} in the docs folder and win over the templates: delete them, or run this with --remove-copies. "
            f"Until then a strict build fails, as no page uses the templates. The first: {hiding[0]}"
        )
