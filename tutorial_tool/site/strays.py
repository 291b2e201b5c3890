"""Pictures of an author's own that stand nearly where a figure looks for one, and so are not shown."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Iterator

from tutorial_tool.core.diagnostics import Finding, Related, Severity, nearest
from tutorial_tool.core.source import Source
from tutorial_tool.site import Site
from tutorial_tool.templating.functions import PICTURES, Figure

_NEARLY, _FOLDER = 0.75, 0.6
"""How like the name of a picture is that is meant by another, and that of a folder on the way to the same name."""


def of(site: Site, names: Iterable[str]) -> Iterator[Finding]:
    """What is told of the files of the docs folder, by path, at the figure that each is meant for."""
    wanted: dict[str, Figure] = {}
    for page in site.pages:
        for figure in page.figures:
            wanted.setdefault(posixpath.splitext(figure.path)[0], figure)
    if not wanted:
        return
    reported = {item.span.path for finding in site.findings for item in finding.related}
    known = {
        *site.model.platforms,
        *(id_ for tutorial in site.model.tutorials.values() for id_ in (tutorial.id, *tutorial.steps)),
    }
    for name in names:
        path, (stem, suffix) = f"{site.layout.docs}/{name}", posixpath.splitext(name)
        if suffix.lower() in PICTURES and path not in reported and (meant := _meant(stem, wanted, known)):
            place = f"{site.layout.docs}/{meant}{suffix.lower()}"
            message, figure = f"`{path}` is not shown: the image of this figure is `{place}`", wanted[meant]
            related = (Related(Source(path, "").span(0), "the image that is not shown"),)
            platforms = (figure.place.platform.id,)
            yield Finding("missing-figure", Severity.HINT, message, figure.call, platforms, related)


def _meant(stem: str, wanted: dict[str, Figure], known: set[str]) -> str | None:
    """The path that one is meant for: it differs by case, or in one part that is nearly the same and nothing's name."""
    parts = stem.split("/")
    for other in wanted:
        if other.lower() == stem.lower():
            return other
        odd = [pair for pair in zip(parts, other.split("/"), strict=False) if pair[0] != pair[1]]
        if len(odd) == 1 and other.count("/") == stem.count("/"):
            (value, asked), *_ = odd
            is_name = value in known or any(value in text.split("/") for text in wanted)
            if (
                not is_name
                and not value.isdigit()
                and nearest(value, [asked], _NEARLY if odd[0][0] == parts[-1] else _FOLDER)
            ):
                return other
    return None
