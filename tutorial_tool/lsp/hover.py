"""What shows over a place: what a tag prints on each platform, who uses a name of the data, what a rule finds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from tutorial_tool import rules
from tutorial_tool.core.source import Source, Span
from tutorial_tool.lsp import named, printed, tags
from tutorial_tool.lsp.silence import File
from tutorial_tool.lsp.workspace import Checked
from tutorial_tool.markdown import directive_comments
from tutorial_tool.site import Site
from tutorial_tool.site.symbols import Place


class Shown(NamedTuple):
    """Markdown, and the place that it is about."""

    text: str
    span: Span


def at(checked: Checked, rendered: Site, file: File, offset: int) -> Shown | None:
    """What shows over an offset. `rendered` is the site as it was when its pages could be rendered last."""
    return (
        _rule(file, offset)
        or (_in_template(checked, rendered, file.source, offset) if file.template else None)
        or _in_data(checked, file.source, offset)
    )


def _rule(file: File, offset: int) -> Shown | None:
    """The name of a rule in a comment that silences it."""
    source, (start, end) = file.source, file.yaml
    comments = directive_comments.in_yaml(source, start, end) if start <= offset < end else []
    if not source.path.endswith((".yaml", ".yml")):
        comments += directive_comments.in_markdown(source.text, file.dialect, template=file.template)
    for comment in comments:
        for first, last in comment.names:
            rule = rules.all_rules().get(source.text[first:last])
            if rule is not None and first <= offset <= last:
                more = f"`tutorial-tool explain {rule.name}` has the details."
                return Shown(f"**{rule.name}** ({rule.group})\n\n{rule.summary}\n\n{more}", source.span(first, last))
    return None


def _in_template(checked: Checked, rendered: Site, source: Source, offset: int) -> Shown | None:
    tag = tags.at(source.text, offset)
    if tag is None:
        return None
    old = _as_rendered(rendered, source, tag) if tag.prints else None
    shown = printed.texts(rendered, old) if old else {}
    places = named.at(checked, source.path, offset)
    text = "\n\n".join(filter(None, [printed.describe(shown), *_names(checked, places, shown)]))
    span = places[0].span if places else source.span(tag.start, tag.end)
    return Shown(text, span) if text else None


def _as_rendered(rendered: Site, source: Source, tag: tags.Tag) -> Span | None:
    """A tag in the text from which the pages were made: the nearest one that says the same."""
    old = rendered.sources.get(source.path)
    if old is None:
        return None
    value = source.text[tag.start : tag.end]
    same = [old.span(t.start, t.end) for t in tags.tags(old.text) if old.text[t.start : t.end] == value]
    return min(same, key=lambda span: abs(span.start - tag.start), default=None)


def _names(checked: Checked, places: tuple[Place, ...], shown: Mapping[str, list[str]]) -> Iterator[str]:
    """What is known of the names at a place of a template, beside what is `shown` of it already."""
    for place in places:
        reported = named.texts_by_name(checked.site.model, checked.uses, place.name)
        rows = [f"- {', '.join(names)}: `{text}`" for text, names in reported.items()] if reported != shown else []
        where = [str(span) for span in named.locations(checked.uses, [place.name])]
        defined = f"Defined in {', '.join(where[: named.MAX_SHOWN])}" if where else ""
        yield "\n\n".join(filter(None, [named.title(place.name), "\n".join(rows), defined]))


def _in_data(checked: Checked, source: Source, offset: int) -> Shown | None:
    """Who uses what stands in the data: the name at a place, else the one whose value it is."""
    if source.path not in checked.site.data_files:
        return None
    uses, places = checked.uses, named.at(checked, source.path, offset)
    place = places[0] if places else named.around(uses, source.path, offset)
    if place is None:
        return None
    names = [item.name for item in places] or [place.name]
    asked = list(named.used(uses, names))
    shown = list(named.pages(page for name in names for page in uses.pages(name)))
    table = place.name.table
    unasked = f"Shown by table `{table}`." if table else "No template or data names it."
    parts = [
        named.title(place.name),
        "\n".join(["Used in", "", *asked]) if asked else unasked,
        "\n".join(["Seen on", "", *shown]) if shown else "",
    ]
    return Shown("\n\n".join(filter(None, parts)), place.span)
