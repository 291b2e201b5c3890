"""A page as rules see it: its prose without its markup, and the place of every word in the page."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import count

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tutorial_tool.markdown.document import MASK, Document, Range
from tutorial_tool.markdown.parser import Dialect


def prose(text: str, dialect: Dialect = Dialect.GFM) -> list[tuple[str, str]]:
    return [(found.kind, str(found).replace(MASK, "@")) for found in Document(text, dialect).get_prose()]


def at(text: str, place: Range | None) -> str | None:
    return None if place is None else text[slice(*place)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("# A *b* {: #c }", [("heading", "A b")]),
        ('A [b `c`](d "e") f', [("paragraph", "A b @ f")]),
        ("A&nbsp;b \\* c &lt;", [("paragraph", "A\u00a0b * c <")]),
        ("a\nb  \nc", [("paragraph", "a\nb\nc")]),
        ("- a\n- > b\n\n1. c", [("item", "a"), ("quote", "b"), ("item", "c")]),
        ("> [!TIP]\n> a", [("quote", "@\na")]),
        ("a ![b *c*](d)", [("paragraph", "a @"), ("alt", "b c")]),
        ("|a|b \\| c|\n|-|-|\n|`d`|e|", [("cell", "a"), ("cell", "b | c"), ("cell", "e")]),
        ("see https://a.b/c or d@e.fg", [("paragraph", "see @ or @")]),
        ("a {{ b }} {% c %} <b>d</b> <kbd>e</kbd> f<br>g", [("paragraph", "a @ @ d @ f\ng")]),
        ("<p>a <b>b</b> &amp; c<br/>d</p>\n<td>e</td>", [("html", "a b & c\nd"), ("html", "e")]),
        ('<aside title="a">\n<img src="b" alt="c">d\n</aside>', [("html", "d"), ("alt", "a"), ("alt", "c")]),
        ("<script>a</script>\n\n<!-- b -->\n\n<pre>c</pre>", []),
        ("<p>1 < 2 words", [("html", "1 < 2 words")]),
        ("```\na\n```\n\n    b\n\n{{ c }}\n\n---", []),
        ("a[^1]\n\n[^1]: b", [("paragraph", "a@"), ("paragraph", "b")]),
        ("$$\na\n$$\n\nb $$c$$", [("paragraph", "b @")]),
        ("---\ntitle: a\n---\nb", [("paragraph", "b")]),
        ("+++\ntitle = 1\n+++\nb", [("paragraph", "b")]),
    ],
)
def test_prose_is_what_is_read(text: str, expected: list[tuple[str, str]]) -> None:
    assert prose(text) == expected


@pytest.mark.parametrize(
    ("dialect", "text", "expected"),
    [
        (Dialect.PYTHON_MARKDOWN, '!!! note "A *b*"\n    c\n', [("title", "A b"), ("paragraph", "c")]),
        (Dialect.PYTHON_MARKDOWN, '=== "a"\n\n    - b\n', [("title", "a"), ("item", "b")]),
        (Dialect.PYTHON_MARKDOWN, "*[AB]: c", [("paragraph", "@ c")]),
        (
            Dialect.MDX,
            "import A from 'b'\n\n<A b={{c: 1}} title=\"d\">\n  e {f}\n</A>",
            [("alt", "d"), ("paragraph", "e @")],
        ),
        (Dialect.DOCUSAURUS, ":::tip[a]\nb\n:::", [("title", "a"), ("paragraph", "b")]),
        (Dialect.HUGO, '{{< tab "a" >}}\nb {{% c %}}\n{{< /tab >}}', [("paragraph", "b @")]),
        (
            Dialect.HUGO,
            'a {{< figure src="b" alt="c" >}}\n\n{{< figure src="d"\n title="e" caption=`f` >}}\n\n{{</* figure alt="g" */>}}',
            [("paragraph", "a @"), ("alt", "c"), ("alt", "f"), ("alt", "e")],
        ),
        (Dialect.HUGO, 'a <a href="{{< ref "b" >}}" title="c">d</a>', [("paragraph", "a d"), ("alt", "c")]),
        (Dialect.MYST, "```{admonition} a *b*\n:class: c\nd {e}`f`\n```", [("title", "a b"), ("paragraph", "d @")]),
        (Dialect.MYST, "```{figure} a.png\n:alt: b\n\nc\n```", [("paragraph", "c")]),
    ],
)
def test_prose_of_one_dialect(dialect: Dialect, text: str, expected: list[tuple[str, str]]) -> None:
    assert prose(text, dialect) == expected


# Each word of a generated page stands once, so that its place is known


def _indented(body: str, by: str = "    ") -> str:
    return "\n".join(by + line if line else "" for line in body.split("\n"))


def _quoted(body: str) -> str:
    return "\n".join(f"> {line}".rstrip() for line in body.split("\n"))


LEAVES = [
    "W W\nW W", "W *W **W*** W", "W [W _W_](x.y) ![W W](x.y)", "# W W", "## W {: #x }", "W W\n---", "| W | **W** |\n|---|:-:|\n| W | W \\| W |",
    "W <b>W</b> W", "W `x` W {{ x }} W", "W &amp; W \\* W", "W W  \nW", "[W W][x]\n\n[x]: x.y", "<p>W <i>W</i></p>", "# W #\nW\tW",
]  # fmt: skip
CONTAINERS: dict[str, Callable[[str], str]] = {
    "quote": _quoted,
    "bullet": lambda body: "- W\n\n" + _indented(body),
    "first": lambda body: "1.  " + _indented(body).lstrip(),
    "admonition": lambda body: '!!! note "W W"\n\n' + _indented(body),
    "collapsed": lambda body: "???+ tip\n" + _indented(body),
    "tab": lambda body: '=== "W"\n\n' + _indented(body),
    "slashes": lambda body: f"/// note | W\n\n{body}\n\n///",
    "colons": lambda body: f":::tip[W W]\n\n{body}\n\n:::",
    "definition": lambda body: "W\n\n:   W\n\n" + _indented(body),
    "footnote": lambda body: "[^x]: W\n\n" + _indented(body),
    "tabs": lambda body: "- W\n\n" + _indented(body, "\t"),
}


@st.composite
def pages(draw: st.DrawFn) -> tuple[str, list[str]]:
    """A page of nested containers, and its words in their order."""
    text = ""
    for _ in range(draw(st.integers(1, 3))):
        body = "\n\n".join(draw(st.lists(st.sampled_from(LEAVES), min_size=1, max_size=3)))
        for name in draw(st.lists(st.sampled_from(list(CONTAINERS)), max_size=4)):
            body = CONTAINERS[name](body)
        text += body + "\n\n"
    numbers = count(1)
    text = re.sub("W", lambda _: f"word{next(numbers)}", text)
    return text, re.findall(r"word\d+", text)


@given(pages())
def test_every_word_in_nested_containers_is_prose_and_stands_where_it_was_typed(page: tuple[str, list[str]]) -> None:
    text, words = page
    found = []
    for passage in Document(text, Dialect.PYTHON_MARKDOWN).get_prose():
        for match in re.finditer(r"word\d+", passage):
            start, end = passage.locate(match)
            assert text[start:end] == match[0]
            found.append(match[0])
    assert sorted(found) == sorted(words)


def test_the_place_of_a_passage_goes_over_what_is_masked() -> None:
    text = "a **b `c`** d"
    (passage,) = Document(text).get_prose()
    assert str(passage) == f"a b {MASK} d"
    assert at(text, passage.locate(0, len(passage))) == text
    assert at(text, passage.locate(2, 5)) == "b `c`"
    assert passage.place == (0, len(text))


@pytest.mark.parametrize(
    ("text", "old", "new", "expected"),
    [
        ("It is rather then that.", "rather then", "rather than", "It is rather than that."),
        ("It is rather **then** that.", "rather then", "rather than", "It is rather **than** that."),
        ("It is rather<b> then</b> that.", "rather then", "rather than", "It is rather<b> than</b> that."),
        ("It is *rather* then\n  that.", "rather then that", "rather than that", "It is *rather* than\n  that."),
        ("You **set**up a lamp.", "setup", "set up", None),
        ("It allows you *forward* it.", "you forward", "you to forward", None),
    ],
)
def test_an_edit_writes_over_no_markup(text: str, old: str, new: str, expected: str | None) -> None:
    (found,) = Document(text, Dialect.GFM).get_prose()
    start = found.replace("\n", " ").index(old)
    edit = found.build_edit(start, start + len(old), new)
    assert (text[: edit[0]] + edit[2] + text[edit[1] :] if edit else None) == expected


def test_headings() -> None:
    text = "# 4.1 Go *on* {: #go .x }\n\nNext\n----\n\n### 2) End {#end}\n"
    headings = Document(text, Dialect.PYTHON_MARKDOWN).headings
    assert [(h.level, str(h.text), h.id, h.number) for h in headings] == [
        (1, "4.1 Go on", "go", "4.1 "),
        (2, "Next", None, ""),
        (3, "2) End", "end", "2) "),
    ]
    assert [text[h.content_start : h.content_end] for h in headings] == ["4.1 Go *on*", "Next", "2) End"]
    assert [at(text, h.attrs) for h in headings] == ["{: #go .x }", None, "{#end}"]


def test_links() -> None:
    text = 'a [b *c*](d.md#e "f") <https://g.h> [i][j] <a class=k href="l">m <b>n</b></a>\n\n[j]: o.md\n\n<p><a href=p>q</a></p>'
    links = Document(text).links
    assert [(link.kind, link.href, at(text, link.place), str(link.text), link.title) for link in links] == [
        ("inline", "d.md#e", "d.md#e", "b c", "f"),
        ("autolink", "https://g.h", "https://g.h", MASK, ""),
        ("reference", "o.md", None, "i", ""),
        ("html", "l", "l", "m n", ""),
        ("html", "p", "p", "q", ""),
    ]
    assert [text[link.start : link.end] for link in links[:3]] == ['[b *c*](d.md#e "f")', "<https://g.h>", "[i][j]"]


def test_images() -> None:
    text = "![a *b*](c.png 'd') ![](e.png) ![f][g]\n\n[g]: h.png\n\n<img src=\"i.png\"> <img alt='' src=j.png>\n"
    text += '\n<picture>\n<source srcset="k.webp 2x">\n<img src="l.png" alt="m">\n</picture>\n'
    found = [(i.kind, i.src, at(text, i.place), i.alt, at(text, i.alt_place)) for i in Document(text).images]
    assert found == [
        ("inline", "c.png", "c.png", "a *b*", "a *b*"),
        ("inline", "e.png", "e.png", "", ""),
        ("reference", "h.png", None, "f", "f"),
        ("html", "i.png", "i.png", None, None),
        ("html", "j.png", "j.png", "", ""),
        ("source", "k.webp", "k.webp 2x", None, None),
        ("html", "l.png", "l.png", "m", "m"),
    ]


def test_images_of_shortcodes_and_directives() -> None:
    shortcodes = '{{< figure src="a.png" alt="b" >}} {{% figure src=c.png caption="d" %}}\n\n{{< figure src="e.png"\n  title="f" >}}'
    directives = "```{figure} a.png\n:name: b\n:alt: c\n\nd\n```\n\n:::{image} ../e.png\n:width: 3\n:::\n"
    found = {
        dialect: [
            (i.kind, i.src, at(text, i.place), i.alt, at(text, i.alt_place)) for i in Document(text, dialect).images
        ]
        for dialect, text in ((Dialect.HUGO, shortcodes), (Dialect.MYST, directives))
    }
    assert found == {
        Dialect.HUGO: [
            ("shortcode", "a.png", "a.png", "b", "b"),
            ("shortcode", "c.png", "c.png", "d", None),
            ("shortcode", "e.png", "e.png", None, None),
        ],
        Dialect.MYST: [("directive", "a.png", "a.png", "c", "c"), ("directive", "../e.png", "../e.png", None, None)],
    }


def test_links_that_name_pages() -> None:
    text = '[a]({{< ref "b.md#c" >}}) [d]({{< relref path="e" >}}) [f]({% link g.md %}#h) [i]({{< j "k" >}})'
    hugo, jekyll = (
        [(link.kind, link.href) for link in Document(text, d).links] for d in (Dialect.HUGO, Dialect.KRAMDOWN)
    )
    assert hugo == [("ref", "b.md#c"), ("ref", "e"), ("liquid", "g.md"), ("inline", '{{< j "k" >}}')]
    assert jekyll == hugo


def test_definitions_that_name_pages() -> None:
    document = Document('[a] [b]\n\n[a]: {{< ref "c d.md#e" >}}\n[b]: {{% relref "/f" %}} "G"\n', Dialect.HUGO)
    assert [at(document.text, one.place) for one in document.definitions] == [
        '{{< ref "c d.md#e" >}}',
        '{{% relref "/f" %}}',
    ]


def test_tables_have_their_cells_as_typed() -> None:
    text = "- | a | b |\n  |---|---|\n  | c |\n  | d \\| e | `f` | g |\n"
    (table,) = Document(text).tables
    assert [[text[cell.start : cell.end] for cell in row] for row in (table.header, *table.rows)] == [
        ["a", "b"],
        ["c"],
        ["d \\| e", "`f`", "g"],
    ]
    assert at(text, table.delimiter) == "  |---|---|"
    assert [str(cell.text) for cell in table.header] == ["a", "b"]


def test_a_table_whose_delimiter_row_does_not_fit_is_none() -> None:
    text = "| a | b |\n|---|---|---|\n| c | d |\n\nNo | table\n"
    document = Document(text)
    assert document.tables == []
    assert [at(text, place) for place in document.broken_tables] == ["| a | b |\n|---|---|---|\n| c | d |"]


def test_tags_have_the_places_of_their_attributes() -> None:
    text = '<A b={{c: "d"}} e=f G="h > i" j>\n\n</A>'
    first, last = Document(text, Dialect.MDX).tags
    assert (first.name, first.closing, last.name, last.closing) == ("A", False, "A", True)
    assert {name: text[a.start : a.end] for name, a in first.attributes.items()} == {
        "b": '{c: "d"}',
        "e": "f",
        "g": "h > i",
        "j": "j",
    }


def test_anchors_are_what_is_written_out() -> None:
    text = '# A {: #b .c }\n\nD {: #e }\n\n<a id="f"></a> <a name="g"></a> <p id=h>\n'
    anchors = Document(text, Dialect.PYTHON_MARKDOWN).anchors
    assert {name: at(text, place) for name, place in anchors.items()} == {n: n for n in "befgh"}


def test_code() -> None:
    text = "a `b` c\n\n```js\nd\n```\n"
    document = Document(text)
    assert [(block.info, block.text) for block in document.code_blocks] == [("js", "d")]
    assert [at(text, place) for place in document.code_spans] == ["`b`"]


FRONT_MATTER = {
    "---\ntitle: Set it up  # for all\ndescription: 'How to: begin'\n---\n\nText.\n": [
        ("heading", "Set it up"),
        ("paragraph", "How to: begin"),
        ("paragraph", "Text."),
    ],
    "---\ntitle: A: B\nsummary: >-\n  Long\ndescription: Runs on\n  here\n---\nText.\n": [("paragraph", "Text.")],
    "---\ntitle: The {{ name }}\nlinkTitle: `run`\nother: Words\n---\nText.\n": [("paragraph", "Text.")],
    "title: No front matter\n": [("paragraph", "title: No front matter")],
    '+++\ntitle = "Set it up"\n+++\nText.\n': [("heading", "Set it up"), ("paragraph", "Text.")],
}


@pytest.mark.parametrize("text", FRONT_MATTER)
def test_texts_are_those_of_the_front_matter_too(text: str) -> None:
    texts = Document(text, Dialect.HUGO).texts
    assert [(prose.kind, str(prose)) for prose in texts] == FRONT_MATTER[text]
    assert all(text[slice(*prose.place)] == prose for prose in texts)


def test_words_are_those_of_the_prose() -> None:
    assert Document("The *Page's* `code` [link](target.md)").words == {"the", "page's", "link"}


@pytest.mark.parametrize(
    ("text", "lang"),
    [
        ("Click **Save**.", None),
        ("---\nlang: ja\n---\nClick", "ja"),
        ("保存をクリックすると、設定が保存されます。", "ja"),
        ("Нажмите кнопку, чтобы сохранить.", "ru"),
        (
            "Die Seite ist nicht für den Test, und der Text wird mit einem Wort auf das Ende des Satzes gebracht. " * 2,
            "de",
        ),
        ("Ta strona jest krótka, ale to nie jest problem: kliknij Zapisz, aby dodać plik do projektu. " * 2, "pl"),
        ("Bu sayfa kısa, ama bu bir sorun değil: projeye bir dosya eklemek için Kaydet düğmesine basın. " * 2, "tr"),
        ("Hẹn gặp lại: bạn có thể sử dụng trang này để thêm một tệp, và không cần làm gì khác với nó. " * 2, "vi"),
        (
            "Šis puslapis yra trumpas, bet tai nėra problema: spustelėkite Išsaugoti, kad pridėtumėte failą čia. " * 2,
            "und",
        ),
        ("This is the page that you read, with a naïve word in it, for the test of all its words. " * 2, "en"),
    ],
)
def test_the_language_shows(text: str, lang: str) -> None:
    document = Document(text)

    assert (document.stated_lang or document.detected_language.code) == lang


def test_what_a_component_is_given_is_no_prose() -> None:
    text = (
        '# Props\n\n<Table\n  content={[\n    { text: "With {one} brace" },\n\n'
        "    { of: [{ parts: [{ text: <>A <b>second's</b> one</> }] }] },\n  ]}\n/>\n\nAfter the table.\n"
    )

    assert [str(prose) for prose in Document(text, Dialect.MDX).get_prose()] == ["Props", "After the table."]
