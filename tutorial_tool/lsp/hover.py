"""Describe the text at a position: a tag's output by platform, uses of a data name, a rule."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple

from tutorial_tool import rules
from tutorial_tool.core.diagnostics import MAX_LISTED
from tutorial_tool.core.source import Source, Span
from tutorial_tool.lsp import symbols, tag_output, tags
from tutorial_tool.lsp.suppression_comments import File
from tutorial_tool.markdown import directive_comments
from tutorial_tool.site import Site
from tutorial_tool.site.symbols import Occurrence

if TYPE_CHECKING:
    from tutorial_tool.lsp.workspace import CheckedTarget


class HoverText(NamedTuple):
    """Markdown text, and the span that it describes."""

    text: str
    span: Span


def describe_offset(checked: CheckedTarget, rendered: Site, file: File, offset: int) -> HoverText | None:
    """Return the hover text at an offset.

    `rendered` is the site as of its last successful rendering.
    """
    return (
        _describe_rule(file, offset)
        or (_describe_in_template(checked, rendered, file.source, offset) if file.template else None)
        or _describe_in_data(checked, file.source, offset)
    )


def _describe_rule(file: File, offset: int) -> HoverText | None:
    source, (start, end) = file.source, file.yaml
    comments = directive_comments.find_in_yaml(source, start, end) if start <= offset < end else []
    if not source.path.endswith((".yaml", ".yml")):
        comments += directive_comments.find_in_markdown(source.text, file.dialect, template=file.template)
    for comment in comments:
        for first, last in comment.names:
            rule = rules.get_rules().get(source.text[first:last])
            if rule is not None and first <= offset <= last:
                details = f"`tutorial-tool explain {rule.name}` has the details."
                return HoverText(
                    f"**{rule.name}** ({rule.group})\n\n{rule.summary}\n\n{details}", source.span(first, last)
                )
    return None


def _describe_in_template(checked: CheckedTarget, rendered: Site, source: Source, offset: int) -> HoverText | None:
    tag = tags.find_at(source.text, offset)
    if tag is None:
        return None
    rendered_span = _find_rendered_tag(rendered, source, tag) if tag.is_output else None
    shown = tag_output.group_texts(rendered, rendered_span) if rendered_span else {}
    places = symbols.find_places_at(checked, source.path, offset)
    text = "\n\n".join(filter(None, [tag_output.describe_texts(shown), *_describe_names(checked, places, shown)]))
    span = places[0].span if places else source.span(tag.start, tag.end)
    return HoverText(text, span) if text else None


def _find_rendered_tag(rendered: Site, source: Source, tag: tags.Tag) -> Span | None:
    """Return the span of a tag in the text that pages were rendered from: the nearest identical one."""
    old = rendered.sources.get(source.path)
    if old is None:
        return None
    text = source.text[tag.start : tag.end]
    identical = [old.span(t.start, t.end) for t in tags.find_all(old.text) if old.text[t.start : t.end] == text]
    return min(identical, key=lambda span: abs(span.start - tag.start), default=None)


def _describe_names(
    checked: CheckedTarget, places: tuple[Occurrence, ...], shown: Mapping[str, list[str]]
) -> Iterator[str]:
    """Describe the names at a place of a template, in addition to what is `shown` already."""
    for place in places:
        by_text = symbols.group_platform_texts(checked.site.model, checked.symbol_index, place.name)
        rows = [f"- {', '.join(names)}: `{text}`" for text, names in by_text.items()] if by_text != shown else []
        definitions = [str(span) for span in symbols.find_definitions(checked.symbol_index, [place.name])]
        defined = f"Defined in {', '.join(definitions[:MAX_LISTED])}" if definitions else ""
        yield "\n\n".join(filter(None, [symbols.format_title(place.name), "\n".join(rows), defined]))


def _describe_in_data(checked: CheckedTarget, source: Source, offset: int) -> HoverText | None:
    """Describe the uses of a name in the data: the one at the offset, or the one whose value contains it."""
    if source.path not in checked.site.data_files:
        return None
    index, places = checked.symbol_index, symbols.find_places_at(checked, source.path, offset)
    place = places[0] if places else symbols.find_enclosing(index, source.path, offset)
    if place is None:
        return None
    names = [item.name for item in places] or [place.name]
    uses = list(symbols.format_uses(index, names))
    pages = list(symbols.format_pages(page for name in names for page in index.find_pages(name)))
    table = place.name.table
    no_uses = f"Shown by table `{table}`." if table else "No template or data names it."
    parts = [
        symbols.format_title(place.name),
        "\n".join(["Used in", "", *uses]) if uses else no_uses,
        "\n".join(["Seen on", "", *pages]) if pages else "",
    ]
    return HoverText("\n\n".join(filter(None, parts)), place.span)
