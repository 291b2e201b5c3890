"""The tree of a page: each node stands where it was typed, in every dialect, and no input stops the parser."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial

import markdown
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.work import seconds, soon
from tutorial_tool.markdown.parser import Block, Dialect, Inline, guess_dialect, parse_blocks, split_row

ALL = list(Dialect)


def walk(blocks: Iterable[Block]) -> Iterator[Block]:
    for block in blocks:
        yield block
        yield from walk(block.children)


def inlines(nodes: Iterable[Inline]) -> Iterator[Inline]:
    for node in nodes:
        yield node
        yield from inlines(node.children)


def outline(text: str, dialect: Dialect = Dialect.GFM) -> list[str]:
    """The blocks of a page, a line each: its kind, what it is called, and its first line as typed."""
    return [
        " ".join(filter(None, (block.kind, block.info, repr(text[block.start : block.end].partition("\n")[0]))))
        for block in walk(parse_blocks(text, dialect))
    ]


def nodes(text: str, dialect: Dialect = Dialect.GFM) -> list[str]:
    """The kind and the typed text of all inline nodes but plain text."""
    blocks = list(walk(parse_blocks(text, dialect)))
    cells = [cell.inlines for block in blocks for row in block.rows for cell in row]
    found = [node for group in (*(block.inlines for block in blocks), *cells) for node in inlines(group)]
    assert all(node.exact for node in found)
    shown = [(node.kind, text[node.start : node.end]) for node in found if node.kind not in ("text", "break")]
    return [f"{kind} {typed}" for kind, typed in shown]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("# One\n\nTwo\n===\n\n### Three ###\n", ["heading '# One'", "heading 'Two'", "heading '### Three ###'"]),
        ("a\nb\n\n---\n", ["paragraph 'a'", "rule '---'"]),
        ("> a\n>\n> b", ["quote '> a'", "paragraph '> a'", "paragraph '> b'"]),
        (
            "3. a\n   - b",
            [
                "list ordered '3. a'",
                "item '3. a'",
                "paragraph '3. a'",
                "list bullet '   - b'",
                "item '   - b'",
                "paragraph '   - b'",
            ],
        ),
        ("```js title\na\n```\nb", ["code js title '```js title'", "paragraph 'b'"]),
        ("    a\n", ["code '    a'"]),
        ("<div>\n<p>a</p>\n</div>\n", ["html '<div>'"]),
        ("|a|\n|-|\n|b|\n", ["table '|a|'"]),
        ("{{ a }}\n\n{% b %}{# c #}\n", ["macro '{{ a }}'", "macro '{% b %}{# c #}'"]),
        ("{{ a }} word {{ b }}", ["paragraph '{{ a }} word {{ b }}'"]),
        ('--8<-- "a.md"\n;--8<-- "b.md"\n', ["macro '--8<-- \"a.md\"'", "macro ';--8<-- \"b.md\"'"]),
        ("--8<--\na.md\n--8<--\nword\n", ["macro '--8<--'", "paragraph 'word'"]),
        ("$$\na\n$$\nword\n", ["macro '$$'", "paragraph 'word'"]),
        (
            "[^1]: a\n\n    b\n\nc",
            ["container footnote '[^1]: a'", "paragraph '[^1]: a'", "paragraph '    b'", "paragraph 'c'"],
        ),
        ("[a]: b\n\nc", ["paragraph 'c'"]),
    ],
)
def test_blocks_of_every_dialect(text: str, expected: list[str]) -> None:
    assert outline(text) == expected
    assert outline(text, Dialect.PYTHON_MARKDOWN) == expected


@pytest.mark.parametrize(
    ("dialect", "text", "expected"),
    [
        (
            Dialect.PYTHON_MARKDOWN,
            '!!! note "T"\n    a\n\n    b\nc',
            ["container note '!!! note \"T\"'", "paragraph '    a'", "paragraph '    b'", "paragraph 'c'"],
        ),
        (Dialect.PYTHON_MARKDOWN, "???+ tip\n    ```\n    a\n    ```", ["container tip '???+ tip'", "code '    ```'"]),
        (Dialect.PYTHON_MARKDOWN, '=== "T"\n\n    a', ["container tab '=== \"T\"'", "paragraph '    a'"]),
        (
            Dialect.PYTHON_MARKDOWN,
            "/// note | T\na\n///\nb",
            ["container note '/// note | T'", "paragraph 'a'", "paragraph 'b'"],
        ),
        (
            Dialect.PYTHON_MARKDOWN,
            "T\n:   a\n\n    b",
            ["paragraph 'T'", "container definition ':   a'", "paragraph ':   a'", "paragraph '    b'"],
        ),
        (
            Dialect.PYTHON_MARKDOWN,
            "<div markdown>\n- a\n</div>",
            ["html '<div markdown>'", "list bullet '- a'", "item '- a'", "paragraph '- a'", "html '</div>'"],
        ),
        (
            Dialect.DOCUSAURUS,
            ":::note[T]\na\n:::tip\nb\n:::\n:::\nc",
            [
                "container note ':::note[T]'",
                "paragraph 'a'",
                "container tip ':::tip'",
                "paragraph 'b'",
                "paragraph 'c'",
            ],
        ),
        (Dialect.HUGO, "{{< a >}}\nb\n{{% /a %}}", ["macro '{{< a >}}'", "paragraph 'b'", "macro '{{% /a %}}'"]),
        (
            Dialect.MDX,
            "import A from 'a'\nexport const b = {\n\n  c: 1\n}\n\nd",
            ["esm \"import A from 'a'\"", "paragraph 'd'"],
        ),
        (
            Dialect.MDX,
            "export const sample = `let a = 1\n\nlet b = \\` + 2`;\n\nd",
            ["esm 'export const sample = `let a = 1'", "paragraph 'd'"],
        ),
        (
            Dialect.MDX,
            "<A b={{c: '>'}}\n  d='<'>\n    e\n</A>",
            ["html \"<A b={{c: '>'}}\"", "paragraph '    e'", "html '</A>'"],
        ),
        (
            Dialect.MDX,
            "<Tab>\n    a\n    - b\n    # c\n    d\n    <B>\n      e\n    </B>\n    f\n</Tab>",
            [
                "html '<Tab>'",
                "paragraph '    a'",
                "list bullet '    - b'",
                "item '    - b'",
                "paragraph '    - b'",
                "heading '    # c'",
                "paragraph '    d'",
                "html '    <B>'",
                "paragraph '      e'",
                "html '    </B>'",
                "paragraph '    f'",
                "html '</Tab>'",
            ],
        ),
        (Dialect.MDX, "{/* a\n\n b */}\nc\n{d}", ["macro '{/* a'", "paragraph 'c'", "macro '{d}'"]),
        (Dialect.GFM, "{/* a\n\n # b */}\nc\n{d}", ["macro '{/* a'", "paragraph 'c'"]),
        (Dialect.GFM, "{/* a */} b\n\n{/* c", ["paragraph '{/* a */} b'", "paragraph '{/* c'"]),
        (Dialect.MDX, "import what you need", ["paragraph 'import what you need'"]),
        (
            Dialect.HUGO,
            "{{< highlight go >}}\n# a\n{{< / highlight >}}\n{{< mermaid >}}\nb",
            ["macro '{{< highlight go >}}'", "macro '{{< mermaid >}}'", "paragraph 'b'"],
        ),
        (
            Dialect.KRAMDOWN,
            "{% highlight rb %}\n# a\n{% endhighlight %}\nb\n: c",
            ["macro '{% highlight rb %}'", "paragraph 'b'", "container definition ': c'", "paragraph ': c'"],
        ),
        (
            Dialect.KRAMDOWN,
            "| a |\n| - |\n| b |\n{: .c }\n> d\n{: #e }",
            ["table '| a |'", "paragraph '{: .c }'", "quote '> d'", "paragraph '> d'", "paragraph '{: #e }'"],
        ),
        (
            Dialect.MYST,
            "````{note}\n:class: a\n\nb\n```{code} c\nd\n```\n````\ne",
            ["container note '````{note}'", "paragraph 'b'", "code {code} c '```{code} c'", "paragraph 'e'"],
        ),
        (
            Dialect.MYST,
            ":::{card} a\nb\n:::\n:::{raw} html\n*c*\n:::\nd",
            ["container card ':::{card} a'", "paragraph 'b'", "macro ':::{raw} html'", "paragraph 'd'"],
        ),
        (Dialect.MYST, "(a)=\n% b\n+++ c\n# d", ["macro '(a)='", "macro '% b'", "macro '+++ c'", "heading '# d'"]),
        (Dialect.GFM, "```{note}\na\n```", ["code {note} '```{note}'"]),
    ],
)
def test_blocks_of_one_dialect(dialect: Dialect, text: str, expected: list[str]) -> None:
    assert outline(text, dialect) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a *b* **c** ~~d~~", ["emphasis *b*", "emphasis **c**", "emphasis ~~d~~"]),
        ("a***b***c", ["emphasis ***b***", "emphasis **b**"]),
        ("__a *b*__", ["emphasis __a *b*__", "emphasis *b*"]),
        ("`a` ``b`c`` \\* &amp;", ["code `a`", "code ``b`c``", "escape \\*", "escape &amp;"]),
        ("[a *b*](c) ![d](e 'f')", ["link [a *b*](c)", "emphasis *b*", "image ![d](e 'f')"]),
        (
            "[![a](b)](c) [d][e] [f]\n\n[e]: g\n[f]: h",
            ["link [![a](b)](c)", "image ![a](b)", "link [d][e]", "link [f]"],
        ),
        ("<http://a.b> <i>c</i><br>", ["autolink <http://a.b>", "html <i>", "html </i>", "html <br>"]),
        ("a {{ b }} {% c %} {: #d } [^e]", ["macro {{ b }}", "macro {% c %}", "attrs {: #d }", "note [^e]"]),
        ("a $$*b*$$ {# *c* #}", ["macro $$*b*$$", "macro {# *c* #}"]),
        ("> [!NOTE]\n> a", ["note [!NOTE]"]),
        ("> - a *b\n>   c* `d\n>   e`", ["emphasis *b\n>   c*", "code `d\n>   e`"]),
        ("1. a\n\tb *c*\n\n\t*d*", ["emphasis *c*", "emphasis *d*"]),
        ("# # *a* #", ["emphasis *a*"]),
        ("1. # 1 *1* #", ["emphasis *1*"]),
        ("- | a | *b* |\n  |---|---|\n  | \\| *c* | d |", ["emphasis *b*", "emphasis *c*"]),
    ],
)
def test_inline_nodes_stand_where_they_were_typed(text: str, expected: list[str]) -> None:
    assert nodes(text) == expected


@pytest.mark.parametrize("dialect", [Dialect.MDX, Dialect.DOCUSAURUS])
def test_expressions_of_jsx(dialect: Dialect) -> None:
    text = "a <B c={(d) => ({e: '<'})} f>g</B> {h({i: 1})} {/* j */} k"
    tags = ["html <B c={(d) => ({e: '<'})} f>", "html </B>"]
    assert nodes(text, dialect) == [*tags, "macro {h({i: 1})}", "macro {/* j */}"]


def test_roles_of_myst() -> None:
    assert nodes("{a}`b` {c:d}``e`f`` {g} `h`", Dialect.MYST) == ["macro {a}`b`", "macro {c:d}``e`f``", "code `h`"]


@pytest.mark.parametrize(
    ("dialect", "text", "target"),
    [
        (Dialect.HUGO, '[a]({{< ref "b (c).md#d" >}})', '{{< ref "b (c).md#d" >}}'),
        (Dialect.HUGO, "![a]({{% relref path=`b` %}} 'c')", "{{% relref path=`b` %}}"),
        (Dialect.HUGO, "[a]({{< b >}}#c)", "{{< b >}}#c"),
        (Dialect.KRAMDOWN, "[a]({{ site.baseurl }}{% link b.md %}#c)", "{{ site.baseurl }}{% link b.md %}#c"),
        (Dialect.KRAMDOWN, "[a]({{ '/b' | relative_url }})", "{{ '/b' | relative_url }}"),
        (Dialect.GFM, "[a]({{b}})", "{{b}}"),
    ],
)
def test_addresses_that_an_engine_puts_in(dialect: Dialect, text: str, target: str) -> None:
    (node,) = parse_blocks(text, dialect)[0].inlines
    assert text[slice(*(node.target or (0, 0)))] == target


def test_abbreviations_of_python_markdown() -> None:
    assert nodes("*[AB]: a\n*[C]: *d*", Dialect.PYTHON_MARKDOWN) == ["note *[AB]:", "note *[C]:", "emphasis *d*"]


def test_titles_of_containers_are_markdown() -> None:
    (block,) = parse_blocks('!!! note "a [b](c) *d*"\n    e', Dialect.PYTHON_MARKDOWN)
    assert [(node.kind, node.start, node.end) for node in block.inlines if node.kind != "text"] == [
        ("link", 12, 18),
        ("emphasis", 19, 22),
    ]


@pytest.mark.parametrize(
    ("text", "target", "inner"),
    [
        ("[a](b)", "b", "a"),
        ("[a [b] `]`](<c d> 'e')", "c d", "a [b] `]`"),
        ("![a\nb](c(d)e)", "c(d)e", "a\nb"),
        ("> [a](\n> b\n> )", "b", "a"),
        ("[a\\]](b\\)c)", "b\\)c", "a\\]"),
        ("[]()", "", ""),
        ("[![a](b)](c)", "c", "![a](b)"),
    ],
)
def test_addresses_and_texts_of_links(text: str, target: str, inner: str) -> None:
    link = next(n for b in walk(parse_blocks(text)) for n in inlines(b.inlines) if n.kind in ("link", "image"))
    assert link.target is not None
    assert link.inner is not None
    assert (text[slice(*link.target)], text[slice(*link.inner)]) == (target, inner)


def test_items_know_their_number_and_indentation_as_typed() -> None:
    items = [block for block in walk(parse_blocks("1. a\n7. b\n\n  003) c\n\n> - d\n")) if block.kind == "item"]
    assert [(item.number, item.level) for item in items] == [("1", 0), ("7", 0), ("003", 2), ("", 2)]


def test_code_knows_its_inside() -> None:
    text = "> ```js\n> a\n> ```\n\n```\nb\n\n~~~\n~~~\n\n    c\n"
    blocks = [block for block in walk(parse_blocks(text)) if block.kind == "code"]
    assert [text[slice(*block.content)] for block in blocks if block.content] == ["> a", "b\n\n~~~\n~~~\n\n    c"]


@pytest.mark.parametrize(
    ("row", "cells"),
    [
        ("| a | b |", ["a", "b"]),
        ("a | b", ["a", "b"]),
        ("| a \\| b | |", ["a \\| b", ""]),
        ("| a | b | c", ["a", "b", "c"]),
        ("  > - | a |", ["a"]),
        ("1. | a | b |", ["a", "b"]),
        ("| - | 1. |", ["-", "1."]),
    ],
)
def test_cells_of_a_row_as_typed(row: str, cells: list[str]) -> None:
    assert [row[start:end] for start, end in split_row(row, 0, len(row))] == cells


@pytest.mark.parametrize(
    ("row", "cells"),
    [
        ("| `a | b` | c |", ["`a | b`", "c"]),
        ("| ``a | `b` | c`` | d |", ["``a | `b` | c``", "d"]),
        ("| `a | b |", ["`a", "b"]),
        ("| \\`a | b` |", ["\\`a", "b`"]),
        ("| a | b", ["a", "b"]),
    ],
)
def test_a_pipe_in_code_ends_no_cell_where_python_markdown_reads_it(row: str, cells: list[str]) -> None:
    assert [row[start:end] for start, end in split_row(row, 0, len(row), spans=True)] == cells
    header = "|".join("x" * len(cells))
    table = markdown.markdown(f"|{header}|\n|{'|'.join('-' * len(cells))}|\n{row}\n", extensions=["tables"])
    assert table.count("<td>") == len(cells)


@pytest.mark.parametrize(
    ("path", "text", "dialect"),
    [
        ("a.mdx", "a", Dialect.MDX),
        ("a.md", "{{< note >}}", Dialect.HUGO),
        ("a.md", '!!! note "A"\n    b', Dialect.PYTHON_MARKDOWN),
        ("a.md", "# A {: #a }", Dialect.PYTHON_MARKDOWN),
        ("a.md", '```md\n!!! note "A"\n    b\n```\n', Dialect.GFM),
        ("a.md", ":::tip\na\n:::", Dialect.DOCUSAURUS),
        ("a.md", "import A from 'a'\n\n<A />", Dialect.DOCUSAURUS),
        ("a.md", "import {\n  A,\n} from 'a'\n\n<A />", Dialect.DOCUSAURUS),
        ("a.md", "# A\n\n```js\nimport A from 'a'\n```\n\n    <A />", Dialect.GFM),
        ("a.md", "You can\nimport it with `import 'a'`.\n\n<A>", Dialect.GFM),
        ("a.md", "[a]({% link b.md %})\n{: .c }", Dialect.KRAMDOWN),
        ("a.md", "* A\n{:toc}", Dialect.KRAMDOWN),
        ("a.md", "```{note}\na\n```", Dialect.MYST),
        ("a.md", "(a-b)=\n# A", Dialect.MYST),
        ("a.md", "See {ref}`a`.", Dialect.MYST),
        ("a.md", "```{r}\na\n```", Dialect.GFM),
        ("a.md", "> [!NOTE]\n> a", Dialect.COMMONMARK),
        ("a.md", "# A\n\nb", Dialect.GFM),
    ],
)
def test_a_dialect_shows_in_a_file(path: str, text: str, dialect: Dialect) -> None:
    assert guess_dialect(path, text) == dialect


# Any input

SIGNS = [
    "a",
    " ",
    "\n",
    "\t",
    "\r",
    "\0",
    "\ud800",
    "é",
    "    ",
    *"*_`~[](){}<>!|#>-+:=$\\&;\"'^/1.",
    "!!! ",
    ":::",
    "=== ",
]
SIGNS += ["{{", "}}", "{%", "%}", "{/*", "*/}", "<!--", "-->", "<a b=", "</a>", "[^1]:", "1. ", "|-|", "```", "import "]


@given(st.lists(st.sampled_from(SIGNS), max_size=40).map("".join), st.sampled_from(ALL))
def test_any_text_has_a_tree_whose_nodes_stand_inside_each_other(text: str, dialect: Dialect) -> None:
    for block in walk(parse_blocks(text, dialect)):
        assert 0 <= block.start <= block.end <= len(text)
        assert all(block.start <= child.start <= child.end <= block.end for child in block.children)
        for node in inlines([*block.inlines, *(n for row in block.rows for cell in row for n in cell.inlines)]):
            assert block.start <= node.start <= node.end <= block.end
            if node.kind == "text" and node.exact and node.text and len(node.text) == node.end - node.start:
                typed = text[node.start : node.end].replace("\0", "\ufffd")
                assert node.text == typed


HOSTILE = [
    "[",
    "![",
    "[](",
    "*a ",
    "**a*",
    "`",
    "> ",
    "- ",
    "<",
    "<a b='",
    "<!--",
    "{",
    "{{ ",
    "{% ",
    "{# ",
    "{: ",
    "{/* a\n",
]
HOSTILE += [
    ":::note\n",
    "/// note\n",
    "!!! note\n",
    "[^a]: ",
    ":   a\n",
    "$$\n",
    "<A\n",
    "<A b={",
    "import a\n",
    "a  \n",
    "&",
    "\0",
]


@pytest.mark.parametrize("dialect", [Dialect.PYTHON_MARKDOWN, Dialect.MDX])
def test_hostile_repetition_takes_time_in_proportion(dialect: Dialect) -> None:
    for sign in HOSTILE:
        small = seconds(partial(parse_blocks, sign * 500, dialect))
        soon(partial(parse_blocks, sign * 4000, dialect), 30 * small + 0.5)


def test_deep_nesting_is_cut_off_without_losing_text() -> None:
    text = "*" * 3000 + "word" + "*" * 3000
    found = [text[n.start : n.end] for block in parse_blocks(text) for n in inlines(block.inlines) if n.text == "word"]
    assert found == ["word"]
    assert parse_blocks("> " * 3000 + "word")[0].kind == "quote"


def test_a_brace_in_a_text_of_an_expression_closes_nothing() -> None:
    tree = parse_blocks("Before {say('}')} after.\n", Dialect.MDX)

    assert [(node.kind, node.text) for node in tree[0].inlines if node.kind == "text"] == [
        ("text", "Before "),
        ("text", " after."),
    ]
