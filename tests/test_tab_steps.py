"""Variants inside one page: tabs, components, blocks and headings as steps whose pages have the page's offsets."""

from __future__ import annotations

from pathlib import Path

import pytest

from tutorial_tool import site
from tutorial_tool.site import Page
from tutorial_tool.variants import Step, tab_steps
from tutorial_tool.variants.tabsets import find_tabsets

IOS = "Open the app on the device and wait for the event."
WEB = "Open the page in the window and wait for the event."
SYNTAXES = {
    "Material": '# Events\n\nIntro for all.\n\n=== "iOS"\n\n    {ios}\n\n=== "Web"\n\n    {web}\n\nThe end of all.\n',
    "Docusaurus": '# Events\n\nIntro for all.\n\n<Tabs groupId="os">\n<TabItem value="ios" label="iOS" default>\n\n{ios}\n\n'
    '</TabItem>\n<TabItem value="web" label="Web">\n\n{web}\n\n</TabItem>\n</Tabs>\n\nThe end of all.\n',
    "components": '# Events\n\n<Platform name="iOS">\n\n{ios}\n\n</Platform>\n\n<Platform name="Web">\n\n{web}\n\n</Platform>\n',
    "filters": "# Events\n\n<InlineFilter filters={{['iOS']}}>\n\n{ios}\n\n</InlineFilter>\n{{/* next */}}\n"
    '<InlineFilter filters={{["Web"]}}>\n\n{web}\n\n</InlineFilter>\n',
    "Hugo": '# Events\n\n{{{{< tab "iOS" >}}}}\n\n{ios}\n\n{{{{< /tab >}}}}\n{{{{< tab "Web" >}}}}\n\n{web}\n\n{{{{< /tab >}}}}\n',
    "Docsy": "# Events\n\n{{{{% tab iOS %}}}}\n\n{ios}\n\n{{{{% /tab %}}}}\n{{{{% tab Web %}}}}\n\n{web}\n\n{{{{% /tab %}}}}\n",
    "GitBook": '# Events\n\n{{% tabs %}}\n{{% tab title="iOS" %}}\n{ios}\n{{% endtab %}}\n\n{{% tab title="Web" %}}\n{web}\n'
    "{{% endtab %}}\n{{% endtabs %}}\n\nThe end of all.\n",
    "Markdoc": '# Events\n\n{{% tab label="iOS" %}}\n\n{ios}\n\n{{% /tab %}}\n\n{{% tab label="Web" %}}\n\n{web}\n\n{{% /tab %}}\n',
    "VitePress": "# Events\n\n:::tabs key:os\n== iOS {{#ios}}\n\n{ios}\n\n== Web\n\n{web}\n\n:::\n\nThe end of all.\n",
    "VuePress": "# Events\n\n:::: tabs\n@tab iOS\n{ios}\n@tab:active Web\n{web}\n::::\n\nThe end of all.\n",
    "DocFX": "# Events\n\n# [iOS](#tab/ios)\n\n{ios}\n\n# [Web](#tab/web)\n\n{web}\n\n***\n\nThe end of all.\n",
    "headings": "# Events\n\nIntro for all.\n\n## iOS\n\n{ios}\n\n## Web\n\n{web}\n\n## Next steps\n\nThe end of all.\n",
}


def load(folder: Path, text: str, name: str = "page.mdx") -> tuple[Page, tuple[Step, ...]]:
    (folder / name).write_text(text, encoding="utf-8")
    found = site.load_plain([folder / name], folder)
    return found.pages[0], tab_steps.find_tab_steps(found)


@pytest.mark.parametrize("syntax", SYNTAXES)
def test_parts_of_a_page_are_variants_with_its_offsets(tmp_path: Path, syntax: str) -> None:
    name = "page.md" if syntax not in ("Docusaurus", "components", "filters", "headings") else "page.mdx"
    page, (step,) = load(tmp_path, SYNTAXES[syntax].format(ios=IOS, web=WEB), name)
    assert list(step.pages) == ["iOS", "Web"]
    for id_, text in (("iOS", IOS), ("Web", WEB)):
        region = step.pages[id_]
        assert len(region.plain) == len(page.plain)
        (prose,) = (prose for prose in region.document.get_prose() if text in str(prose))
        at = prose.locate(str(prose).index(text), str(prose).index(text) + len(text))
        assert page.plain[at.start : at.end] == text
        finding = region.flag((at.start, at.end), "wrong")
        assert finding.span.text == text
        assert finding.span.source is page.source
    assert WEB not in step.pages["iOS"].plain
    assert "The end of all" not in step.pages["Web"].plain


def test_blocks_for_languages_are_variants(tmp_path: Path) -> None:
    _, (step,) = load(tmp_path, f"# Events\n\n:::python\n{IOS}\n:::\n\n:::js\n{WEB}\n:::\n", "page.md")
    assert list(step.pages) == ["python", "js"]


@pytest.mark.parametrize("labels", [("npm", "Yarn"), ("v1", "v2"), ("Cloud", "Basic")])
def test_other_tabs_are_not_compared_unless_they_share_their_text(tmp_path: Path, labels: tuple[str, str]) -> None:
    text = "".join(f'=== "{label}"\n\n    {{}}\n\n' for label in labels)
    assert load(tmp_path, text.format(IOS, WEB), "page.md")[1] == ()
    same = "Open the app and wait for it to begin.\n\n    Close the app and look for the event.\n\n    Then save it."
    assert len(load(tmp_path, text.format(same, same), "page.md")[1]) == (labels[0] != "v1")


def test_languages_of_one_api_are_not_compared(tmp_path: Path) -> None:
    tab = '=== "{}"\n\n    ```\n    send the event to the server now\n    ```\n\n'
    assert load(tmp_path, tab.format("Python") + tab.format("Ruby"), "page.md")[1] == ()


def test_marks_in_code_are_none(tmp_path: Path) -> None:
    page, steps = load(tmp_path, f'```md\n=== "iOS"\n\n    {IOS}\n\n=== "Web"\n\n    {WEB}\n```\n', "page.md")
    assert (find_tabsets(page), steps) == ((), ())
