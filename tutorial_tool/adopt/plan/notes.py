"""Notes on the adopted project for the user: what to check, fix, copy, or remove."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from tutorial_tool.adopt.copies import TOML, CopySet
from tutorial_tool.adopt.existing_site import DOCS, SiteConfiguration
from tutorial_tool.adopt.names.renaming import list_names, score_vagueness
from tutorial_tool.adopt.plan.companion_files import LinkedFiles
from tutorial_tool.adopt.project import AdoptedProject
from tutorial_tool.core import lazy_re
from tutorial_tool.core.diagnostics import format_count, join_names
from tutorial_tool.site import Layout

NEW_SITE = "mkdocs.yml is new: if another generator publishes your pages, delete it, and use `tutorial-tool render`."
_JSX = lazy_re.compile(r"^(?:import|export) .+|^<[A-Z]\w*", re.MULTILINE)


def describe_rows(project: AdoptedProject, layout: Layout) -> Iterator[str]:
    """Yield notes on rows that a copy lacked or had in another position: only the author knows why."""
    tables = project.tables.items()
    stated = [(f"{id_}/{row_id}", row, table) for id_, table in tables for row_id, row in table.rows.items()]
    few = [_format_platforms(id_, frozenset(row.only)) for id_, row, _ in stated if row.only]
    if few:
        advice = f"To show a row on more platforms, add them to `only` in {layout.data}."
        yield f"Rows that few copies have: {join_names(few, limit=5)}. {advice}"
    requested = [(id_, row, table) for id_, row, table in stated if not row.only]
    lacking = [
        (_format_platforms(id_, gone), row, table)
        for id_, row, table in requested
        if (gone := row.lacking - row.elsewhere)
    ]
    if lacking:
        message = join_names([on for on, _, _ in lacking], limit=5)
        are_whole = all(row.cells.keys() == table.titles.keys() for _, row, table in lacking)
        otherwise = "or delete that, and the row is shown there, too" if are_whole else "or write the row's cells there"
        yield f"Rows that a copy lacked: {message}. Say why in their `omit` in {layout.data}, {otherwise}."
    if elsewhere := [_format_platforms(id_, row.elsewhere) for id_, row, _ in stated if row.elsewhere]:
        yield (
            f"Rows in another position on some platforms are listed twice in {layout.data}: "
            f"{join_names(elsewhere, limit=5)}. If one position is enough, delete the other row and its `omit`."
        )


def describe_names(project: AdoptedProject) -> Iterator[str]:
    """Yield a note on the vaguest names."""
    places = [(name, place) for own in list_names(project.files).values() for name, (place, _) in own.items()]
    worst = [f"`{name}` ({place})" for name, place in places if score_vagueness(name) > 1]
    if worst:
        names = join_names(worst, limit=5)
        yield f"Names that say little: {names}. `--names FILE` lists all names, and renames them at once."


def _format_platforms(id_: str, platforms: frozenset[str]) -> str:
    return f"{id_} ({', '.join(sorted(platforms))})"


def describe_left_behind(beside: LinkedFiles, layout: Layout) -> Iterator[str]:
    reported = [f"{path} ({place})" for path, place in beside.left_behind.items()]
    if reported:
        what, it = ("1 page is", "it") if len(reported) == 1 else (f"{len(reported)} pages are", "them")
        yield (
            f"{what} linked, and not in the project: {join_names(reported, limit=5)}. Copy {it} to {layout.docs}, "
            f"or adopt --into the folder of the site that has {it}."
        )


def describe_files_above(beside: LinkedFiles, root: Path, layout: Layout) -> Iterator[str]:
    """Yield a note on linked files above the copies' docs folder, which the project's pages cannot reach."""
    reported = [f"{os.path.relpath(path, root)} ({place})" for path, place in beside.above.items()]
    if reported:
        what, it = ("1 file is", "it") if len(reported) == 1 else (f"{len(reported)} files are", "them")
        whole = os.path.relpath(os.path.commonpath([root, *beside.above]))
        advice = (
            f"Copy {it} to {layout.docs}, and update the links."
            if root.name in DOCS
            else f"`adopt {whole}` takes the pages with the folders around them, and what they link."
        )
        yield f"{what} above {root.name}, and the links to {it} break: {join_names(reported, limit=5)}. {advice}"


def describe_navigation(site: SiteConfiguration | None, folder: Path, adopted: Sequence[CopySet]) -> Iterator[str]:
    """Yield notes on a `nav` that lists pages one by one, which is not necessary."""
    named = set(site.list_nav_pages(folder)) if site else set()
    for id_ in dict.fromkeys(copy_set.tutorial for copy_set in adopted):
        own = (item.copies.values() for item in adopted if item.tutorial == id_)
        pages = [copy.source.path for copies in own for copy in copies]
        count = sum(page in named for page in pages)
        if site and count == len(pages):
            what = f"`tutorial:{id_}` instead would list them from the data"
            yield f"The `nav` of {site.name} names the pages, as before; {what}."
        elif site and count:
            yield (
                f"The `nav` of {site.name} names {count} of {len(pages)} pages: the others follow the steps "
                f"before them, or the whole `nav`. Write `tutorial:{id_}` where all of them should be, or name them, "
                "too."
            )
        elif site and named:
            where = "they are in a section of their own after it"
            advice = f"Write `tutorial:{id_}` where that should be."
            yield f"The `nav` of {site.name} names none of the pages: {where}. {advice}"


def describe_formats(adopted: Sequence[CopySet], *, is_mkdocs: bool) -> Iterator[str]:
    """Yield notes on formats that the project's site generator does not read like that of the copies."""
    copies = [copy for copy_set in adopted for copy in copy_set.copies.values()]
    others = [path for copy in copies if not (path := copy.source.path).endswith(".md")]
    if others:
        many = format_count(len(others), "copy does", "copies do")
        yield f"The pages end in `.md`; {many} not. The first: {others[0]}. `tutorial-tool lint --fix` corrects links."
    if not is_mkdocs:
        return
    if jsx := [copy.source.path for copy in copies if copy.source.path.endswith(".mdx") and _JSX.search(copy.text)]:
        yield (
            "MkDocs shows imports and components of MDX as text: publish with the generator that you have, "
            f"from what `tutorial-tool render` writes, or take them out of the template. The first: {jsx[0]}"
        )
    if toml := [copy.source.path for copy in copies if copy.text.startswith(TOML)]:
        advice = "write it as YAML (---) in the template"
        yield f"MkDocs shows front matter in TOML (+++) as text: {advice}. The first: {toml[0]}"


def describe_shadowing(shadowing: Sequence[str]) -> Iterator[str]:
    if shadowing:
        what = "1 copy is left" if len(shadowing) == 1 else f"{len(shadowing)} copies are left"
        yield (
            f"{what} in the docs folder and win over the templates: delete them, or run this with --remove-copies. "
            f"Until then a strict build fails, as no page uses the templates. The first: {shadowing[0]}"
        )
