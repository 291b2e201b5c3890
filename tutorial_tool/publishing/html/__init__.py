"""What is done to the HTML of a page before it is published: its pictures and its tables.

The text of a page is the same for every engine: pictures are pictures, and tables are tables. Where our plugin
publishes, figures are written into the page, pictures get their sizes, and tables scoped headers, badges and a place to
scroll.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from tutorial_tool.data.toggle_words import state_of
from tutorial_tool.publishing.html.pictures import Picture, pictures, size_of, with_pictures
from tutorial_tool.publishing.html.tables import Cells, StateTable, with_tables
from tutorial_tool.site import Page, Site
from tutorial_tool.site.figures import unmarked

__all__ = ["Context", "Picture", "StateTable", "page", "pictures", "size_of", "tables_of"]

DARK = {"material": '[data-md-color-scheme="slate"]', "mkdocs": '[data-bs-theme="dark"]'}
"""What selects a page in dark colours, by theme."""


@dataclass(frozen=True)
class Context:
    """What the HTML of a page needs to know.

    `picture` gives what stands at an address that the page names in `src`, or None where that is not one of the site.
    `tables` are those of the data that the page shows, `words` the fixed words of the project. `dark` selects a page in
    dark colours; None where the theme has none. `made` is what was made of tables on other pages with these `tables`.
    """

    picture: Callable[[str], Picture | None]
    tables: Sequence[StateTable] = ()
    words: Mapping[str, str] = field(default_factory=dict)
    dark: str | None = DARK["material"]
    made: dict[str, Cells] = field(default_factory=dict)


def tables_of(site: Site, shown: Page | None) -> list[StateTable]:
    """The tables of the data as they may stand on a page: those that its template shows, and all of them whole."""
    declared = site.model.tables
    wanted = [*(sorted(shown.tables) if shown else ()), *((id_, tuple(declared[id_].columns)) for id_ in declared)]
    return [
        StateTable(
            tuple(unmarked(declared[id_].columns[column]) for column in columns),
            columns[:1] == tuple(declared[id_].columns)[:1],
            {
                columns.index(column): {unmarked(word): _is_on(word, site) for word in words}
                for column, words in declared[id_].values.items()
                if column in columns
            },
        )
        for id_, columns in wanted
    ]


def _is_on(word: str, site: Site) -> bool | None:
    """Whether a word says that a setting is on; None where it says neither."""
    state = state_of(unmarked(word), site.model.states)
    return state.on if state else None


def page(html: str, context: Context) -> str:
    """A page's content as it is published."""
    if "<img" in html:
        html = with_pictures(html, context.picture, context.dark)
    return with_tables(html, context.tables, context.words, context.made) if "<table" in html else html
