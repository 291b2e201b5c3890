"""Comments silence findings where they stand, say so when they do nothing, and never reach the published page."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests import project
from tests.project import DATA, TEMPLATES
from tutorial_tool import site
from tutorial_tool.config.settings import Config
from tutorial_tool.core.diagnostics import Severity
from tutorial_tool.core.source import Source
from tutorial_tool.core.traced import Traced, trace_span
from tutorial_tool.linter import engine
from tutorial_tool.markdown import directive_comments
from tutorial_tool.markdown.parser import Dialect
from tutorial_tool.site import loading

ONLY = Config(select=("repeated-word", "unused-ignore", "unknown-ignore"))
IGNORE = "<!-- tutorial-tool: ignore[repeated-word] a quotation -->"


def linted(folder: Path, text: str, name: str = "page.md", told: Config = ONLY) -> list[str]:
    """The findings of one page, as `line:column rule`."""
    (folder / name).write_text(text, encoding="utf-8")
    found = engine.run(site.load_plain([folder / name], folder), replace(told, root=folder))
    return [f"{f.span.position.line}:{f.span.position.column} {f.rule}" for f in found]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (f"Open the the menu. {IGNORE}\n", []),
        (f"Open the the menu. {IGNORE}\n\nOpen the the menu.\n", ["3:6 repeated-word"]),
        (f"{IGNORE}\nOpen the\nthe menu.\n\nOpen the the menu.\n", ["5:6 repeated-word"]),
        (f"{IGNORE}\n\nOpen it,\nthen the the menu.\n", []),
        (f"{IGNORE}\n<!-- another tool: off -->\nOpen the the menu.\n\nA a menu.\n", ["5:1 repeated-word"]),
        (f"{IGNORE}\n\n<!-- another\ntool: off -->\n\nOpen the the menu.\n\nA a menu.\n", ["8:1 repeated-word"]),
        (f"{IGNORE}\n\n- Open the the menu.\n- Open it.\n\n  Open a a menu.\n\nA a menu.\n", ["8:1 repeated-word"]),
        (f"1. Open it.\n\n    {IGNORE}\n\n    Open the the menu.\n\n2. Open a a menu.\n", ["7:9 repeated-word"]),
        (f"- {IGNORE}\n  Open the the menu.\n- Open a a menu.\n", ["3:8 repeated-word"]),
        (f"> {IGNORE}\n> Open the the menu.\n\nA a menu.\n", ["4:1 repeated-word"]),
        (f"{IGNORE}\n\n| A | B |\n| - | - |\n| the the | b |\n\nA a menu.\n", ["7:1 repeated-word"]),
        (f"| A | B |\n| - | - |\n| the the | b | {IGNORE}\n| a a | b |\n", ["4:3 repeated-word"]),
        (f"Open it.\n\nOpen the the menu.\n{IGNORE.replace('ignore[', 'ignore-file[')}\n\nA a menu.\n", []),
        ("<!-- tutorial-tool: ignore[mojibake,  repeated-word] -->\n\nOpen the the menu.\n", []),
        ("<!-- tutorial-tool:\nignore[repeated-word]\nfor a reason -->\n\nOpen the the menu.\n", []),
    ],
)
def test_what_a_comment_covers(tmp_path: Path, text: str, found: list[str]) -> None:
    assert linted(tmp_path, text) == found


def test_a_comment_that_silences_nothing_is_a_finding_at_the_name(tmp_path: Path) -> None:
    assert linted(tmp_path, f"{IGNORE}\n\nOpen the menu.\n") == ["1:28 unused-ignore"]
    both = "<!-- tutorial-tool: ignore[repeated-word, repeated-word] -->\n\nOpen the the menu.\n"
    assert linted(tmp_path, both) == []


def test_of_a_mistake_in_several_places_those_with_a_comment_are_silent(tmp_path: Path) -> None:
    comment = "<!-- tutorial-tool: ignore[missing-alt] decoration -->"
    images = [f"![]({name}.png)\n" for name in "abc"]

    def lint(*silenced: int) -> list[tuple[int, str, list[str]]]:
        parts = [f"{comment}\n{image}" if index in silenced else image for index, image in enumerate(images)]
        (tmp_path / "page.md").write_text("\n".join(["# Page\n", *parts]))
        for name in "abc":
            (tmp_path / f"{name}.png").touch()
        found = engine.run(site.load_plain([tmp_path / "page.md"], tmp_path), replace(ONLY, select=None, root=tmp_path))
        return [(f.span.position.line, f.message, [item.message for item in f.related]) for f in found]

    lacks = "image `{}.png` has no alt text{}".format
    assert lint() == [(3, lacks("a", " (and 2 more on this page)"), ["also `b.png`", "also `c.png`"])]
    assert lint(0) == [(6, lacks("b", " (and 1 more on this page)"), ["also `c.png`"])]
    assert lint(1) == [(3, lacks("a", " (and 1 more on this page)"), ["also `c.png`"])]
    assert lint(0, 2) == [(6, lacks("b", ""), [])]
    assert lint(0, 1, 2) == []


def test_a_mistake_on_several_pages_is_silent_on_those_that_ignore_it(tmp_path: Path) -> None:
    usual = " ".join(f"Order {number} is cancelled, and a cancelled order is gone." for number in range(30))
    for name in "abcdefg":
        (tmp_path / f"{name}.md").write_text(f"# Page\n\nOrder {name} is canceled.\n")
    (tmp_path / "usual.md").write_text(f"# Page\n\n{usual}\n")
    pages = site.load_plain(sorted(tmp_path.glob("*.md")), tmp_path)

    def lint(*ignoring: str) -> list[tuple[str, int]]:
        found = engine.run(pages, Config(tmp_path, per_file_ignores=tuple((name, ("text",)) for name in ignoring)))
        return [(f.span.path, len(f.related)) for f in found if f.rule == "inconsistent-spelling"]

    assert lint() == [("a.md", 7)]
    assert lint("a.md") == [("b.md", 6)]
    assert lint("b.md", "g.md") == [("a.md", 5)]
    assert lint("*.md") == []


def test_a_fix_leaves_the_places_that_a_comment_silences(tmp_path: Path) -> None:
    comment = "<!-- tutorial-tool: ignore[inconsistent-name] its own name -->"
    (tmp_path / "page.md").write_text(f"# Page\n\nAsk Github.\n\n{comment}\nAsk Github.\n\nGitHub and Github.\n")
    found = engine.run(site.load_plain([tmp_path / "page.md"], tmp_path), replace(ONLY, select=None, root=tmp_path))
    (fix,) = (finding.fix for finding in found)
    assert fix is not None
    assert [edit.span.position.line for edit in fix.edits] == [3, 8]


def test_rules_that_did_not_run_leave_their_comments_alone(tmp_path: Path) -> None:
    text = f"{IGNORE}\n\nOpen the menu.\n"
    assert linted(tmp_path, text, told=replace(ONLY, ignore=("repeated-word",))) == []
    assert linted(tmp_path, text, told=replace(ONLY, per_file_ignores=(("*.md", ("text",)),))) == []
    german = text.replace("Open the menu.", "Öffnen Sie das Menü und wählen Sie dann die Einstellungen für Ihr Gerät.")
    assert linted(tmp_path, f"---\nlang: de\n---\n\n{german}") in ([], ["5:28 unused-ignore"])


def test_rules_that_know_the_site_and_tell_of_a_page_are_counted(tmp_path: Path) -> None:
    told = Config(select=("broken-link", "missing-image", "misspelling", "drifted-wording", "unused-ignore"))
    comment = "<!-- tutorial-tool: ignore[broken-link, missing-image, misspelling, drifted-wording] -->"
    bad = "I recieve ![it](no.png) from [there](no.md)."
    assert linted(tmp_path, f"{bad} {comment}\n", told=told) == []
    assert linted(tmp_path, f"Fine. {comment}\n", told=told) == [f"1:{at} unused-ignore" for at in (34, 47, 62)]


def test_names_that_do_not_exist(tmp_path: Path) -> None:
    read = "<!-- tutorial-tool: ignore[repeated-wrod, text, typos/thi] -->\n"
    (tmp_path / "page.md").write_text(read, encoding="utf-8")
    found = engine.run(site.load_plain([tmp_path / "page.md"], tmp_path), ONLY)
    assert [f"{f}" for f in found] == [
        "page.md:1:28: unknown-ignore: unknown rule `repeated-wrod`; did you mean `repeated-word`?",
        "page.md:1:43: unknown-ignore: `text` is a group; name the rules to suppress",
    ]


@pytest.mark.parametrize("comment", ["ignore", "ignore[]", "ignroe[repeated-word]", ""])
def test_a_comment_that_says_nothing_is_a_finding(tmp_path: Path, comment: str) -> None:
    assert linted(tmp_path, f"Text.\n\n<!-- tutorial-tool: {comment} -->\n") == ["3:1 unknown-ignore"]


@pytest.mark.parametrize(
    "text",
    [
        f"`{IGNORE}`\n",
        f"```html\n{IGNORE}\n```\n",
        f"    {IGNORE}\n",
        f"- An example:\n\n    ```html\n    {IGNORE}\n    ```\n",
        f"`{IGNORE.replace('-tool', '_tool')}`\n",
    ],
)
def test_comments_in_code_are_examples(tmp_path: Path, text: str) -> None:
    assert linted(tmp_path, text) == []
    assert directive_comments.strip_comments(text) == text


@pytest.mark.parametrize(
    ("comment", "better"),
    [
        ("<!-- tutorial_tool: ignore[repeated-word] -->", "<!-- tutorial-tool: ignore[repeated-word] -->"),
        ("<!-- tutorial-tool ignore repeated-word a name -->", "<!-- tutorial-tool: ignore[repeated-word] -->"),
        ("<!-- tutorial-tool-disable -->", "<!-- tutorial-tool: ignore[rule-name] -->"),
        ("<!-- Tutorial-Tool: ignore[no-rule] -->", "<!-- tutorial-tool: ignore[rule-name] -->"),
        ("{/* tutorial-tool: ignore[repeated-word] */}", "<!-- tutorial-tool: ignore[repeated-word] -->"),
        ("{# tutorial-tool: ignore[repeated-word] #}", "<!-- tutorial-tool: ignore[repeated-word] -->"),
    ],
)
def test_what_was_meant_for_a_comment_is_a_finding(tmp_path: Path, comment: str, better: str) -> None:
    (tmp_path / "page.md").write_text(f"Text.\n\n{comment}\n\nMore of it.\n", encoding="utf-8")
    found = engine.run(site.load_plain([tmp_path / "page.md"], tmp_path), ONLY)
    assert [f"{f}" for f in found] == [
        f"page.md:3:1: unknown-ignore: this comment suppresses nothing; write `{better}`"
    ]


@pytest.mark.parametrize(
    "comment",
    [
        "<!-- tutorial_tool reads this page -->",
        "<!-- our tutorial-tool: ignores some -->",
        "<!-- tutorial tool skip this -->",
        "<!-- tutorial-tool ignore comments are explained below -->",
        "<!-- tutorial tools: skip this in the workshop -->",
    ],
)
def test_other_comments_are_left_alone(tmp_path: Path, comment: str) -> None:
    assert linted(tmp_path, f"Text.\n\n{comment}\n\nMore of it.\n") == []


def test_what_was_meant_for_a_comment_in_front_matter_and_data(tmp_path: Path) -> None:
    front = "---\n# tutorial_tool: ignore[repeated-word]\ntitle: 'a # tutorial_tool: ignore'\n---\n\nText.\n"
    assert linted(tmp_path, front) == ["2:1 unknown-ignore"]
    data = DATA.replace("      sound:", "      # tutorial_tool: ignore[repeated-word]\n      sound:")
    assert found_in(tmp_path / "a", data) == ["platforms.yaml:22:7 unknown-ignore "]


def test_comments_of_mdx(tmp_path: Path) -> None:
    text = "{/* tutorial-tool: ignore[repeated-word] so */}\n\nOpen the the menu.\n\nOpen a a menu.\n"
    assert linted(tmp_path, text, "page.mdx") == ["5:6 repeated-word"]


def test_comments_of_front_matter(tmp_path: Path) -> None:
    told = Config(select=("front-matter", "unused-ignore"))
    front = "---\ntitle: a\n{}title: b\norder: 1\norder: 2\n---\n"
    assert linted(tmp_path, front.format(""), told=told) == ["3:1 front-matter", "5:1 front-matter"]
    comment = "# tutorial-tool: ignore[front-matter] both are read\n"
    assert linted(tmp_path, front.format(comment), told=told) == ["6:1 front-matter"]


def test_comments_of_front_matter_in_toml(tmp_path: Path) -> None:
    told = Config(select=("broken-link", "front-matter", "unused-ignore"))
    comment = "# tutorial-tool: ignore[broken-link] written later"
    text = (
        f'+++\n{comment}\nnext = "./a.md"\nprev = "./b.md" {comment}\ntitle = "{comment}"\n[x]\n{comment}\ny = 1\n+++\n'
    )
    assert linted(tmp_path, text.replace(comment, ""), told=told) == ["3:9 broken-link", "4:9 broken-link"]
    assert linted(tmp_path, text, told=told) == ["7:25 unused-ignore"]
    twice = "+++\ntitle = 1\n{}title = 2\n+++\n"
    assert linted(tmp_path, twice.format(""), told=told) == ["3:10 front-matter"]
    assert linted(tmp_path, twice.format("# tutorial-tool: ignore[front-matter]\n"), told=told) == []


# In a project


def found_in(folder: Path, data: str = DATA, templates: dict[str, str] = TEMPLATES) -> list[str]:
    read = loading.load(site.Layout.find(project.write(folder, data, templates)))
    return [f"{f.span} {f.rule} {','.join(f.platforms)}" for f in engine.run(read, ONLY)]


def test_comments_in_data_cover_the_next_entry(tmp_path: Path) -> None:
    data = DATA.replace("setting: Sound", "setting: The the sound")
    assert found_in(tmp_path / "a", data) == ["platforms.yaml:22:24 repeated-word swan,otter"]
    comment = "      # tutorial-tool: ignore[repeated-word] as on the screen\n      sound:"
    assert found_in(tmp_path / "b", data.replace("      sound:", comment)) == []
    behind = data.replace(
        "value: Enabled}\n      light", "value: Enabled}  # tutorial-tool: ignore[repeated-word]\n      light"
    )
    assert found_in(tmp_path / "c", behind) == []
    wings = data.replace("      wings:", comment.replace("sound:", "wings:"))
    assert found_in(tmp_path / "d", wings) == [
        "platforms.yaml:22:24 repeated-word swan,otter",
        "platforms.yaml:28:31 unused-ignore ",
    ]


def test_comments_in_templates_cover_the_next_line(tmp_path: Path) -> None:
    step = "steps/finish.md.j2"
    told = {**TEMPLATES, step: TEMPLATES[step].replace("Done.", "Done the the work.\nDone a a work.")}
    assert len(found_in(tmp_path / "a", templates=told)) == 2
    comment = "{# tutorial-tool: ignore[repeated-word] a verse #}"
    line = told[step].index("Done the")
    first = {**told, step: told[step][:line] + comment + "\n" + told[step][line:]}
    found = found_in(tmp_path / "b", templates=first)
    assert [entry.split(":", 1)[1].split(" ", 1)[1] for entry in found] == ["repeated-word swan,otter"]
    behind = {**told, step: told[step].replace("the the work.", f"the the work. {comment}")}
    assert len(found_in(tmp_path / "c", templates=behind)) == 1
    block = {**told, step: told[step][:line] + "<!-- tutorial-tool: ignore[repeated-word] -->\n\n" + told[step][line:]}
    assert found_in(tmp_path / "d", templates=block) == []


def test_nothing_is_called_unused_while_pages_cannot_be_rendered(tmp_path: Path) -> None:
    step = "steps/finish.md.j2"
    text = TEMPLATES[step].replace("Done.", "{# tutorial-tool: ignore[repeated-word] #}\nDone. {{ nothing }}")
    told = ["site_templates/steps/finish.md.j2:10:10 undefined-name swan,otter"]
    assert found_in(tmp_path, templates={**TEMPLATES, step: text}) == told


def test_what_keeps_pages_from_being_looked_at_cannot_be_silenced(tmp_path: Path) -> None:
    step = "steps/finish.md.j2"
    text = TEMPLATES[step].replace("Done.", "{# tutorial-tool: ignore[undefined-name] #}\nDone. {{ nothing }}")
    root = project.write(tmp_path, templates={**TEMPLATES, step: text})
    for told in (ONLY, Config(root=root, ignore=("undefined-name",)), Config(root=root, select=("text",))):
        found = engine.run(project.load(root), told)
        assert [finding.rule for finding in found if finding.severity is Severity.ERROR] == ["undefined-name"]


# Publishing


@pytest.mark.parametrize(
    ("text", "published"),
    [
        (f"A b. {IGNORE}\nC.\n", "A b.\nC.\n"),
        (f"A b. {IGNORE} C.\n", "A b. C.\n"),
        (f"A\n\n{IGNORE}\n\nB\n", "A\n\nB\n"),
        (f"A\n\n{IGNORE}\nB\n", "A\n\nB\n"),
        (f"A\n\n{IGNORE}\n{IGNORE}\n\nB\n", "A\n\nB\n"),
        (f"{IGNORE}\n\nB\n", "B\n"),
        (f"---\ntitle: a\n---\n\n{IGNORE}\n\nB\n", "---\ntitle: a\n---\n\nB\n"),
        (f"1. A\n\n    {IGNORE}\n\n    B\n", "1. A\n\n    B\n"),
        (f"| a | b | {IGNORE}\n| - | - |\n", "| a | b |\n| - | - |\n"),
        (f"A {IGNORE}", "A"),
        (f"A\n{IGNORE}", "A\n"),
        ("A <!-- another comment -->\n", "A <!-- another comment -->\n"),
    ],
)
def test_comments_are_not_published(text: str, published: str) -> None:
    assert directive_comments.strip_comments(text) == published


def test_what_is_published_keeps_its_origins() -> None:
    source = Source("page.md", f"A b. {IGNORE}\n\nC d.\n")
    published = directive_comments.strip_comments(trace_span(source.get_full_span()))
    assert isinstance(published, Traced)
    run, start = published.find_run(published.index("C"))
    assert run.span is not None
    assert run.span.cut(published.index("C") - start, published.index("C") - start + 1).position == (3, 1)


PIECES = st.lists(
    st.sampled_from(["A b.", "\n", "\n\n", " ", "    ", "- ", "> ", IGNORE, "`", "```\n", "| a |"]), max_size=12
)


@given(PIECES.map("".join), st.sampled_from(list(Dialect)))
def test_stripping_takes_comments_and_white_space_only(text: str, dialect: Dialect) -> None:
    published = directive_comments.strip_comments(text, dialect)
    kept = [c for c in "".join(text.split()) if c]
    rest = list("".join(published.split()))
    assert (len(kept) - len(rest)) % len("".join(IGNORE.split())) == 0
    assert "".join(rest).replace("".join(IGNORE.split()), "") == "".join(kept).replace("".join(IGNORE.split()), "")
