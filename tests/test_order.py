"""The order of pages, wherever it is said, and what the rules about order and references find in labelled trees."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from tests import project
from tests.work import soon
from tutorial_tool import links, site
from tutorial_tool.config.settings import Config
from tutorial_tool.fs import files
from tutorial_tool.links.typed_neighbors import find_typed_neighbors
from tutorial_tool.linter import engine
from tutorial_tool.markdown.document import Document, Range
from tutorial_tool.site import Page, Site
from tutorial_tool.variants import ordering
from tutorial_tool.variants.ordering import StepNumber, numbers

SITES = Path(__file__).parent / "sites"
RULES = (
    "link-title-mismatch",
    "stale-step-reference",
    "step-number-mismatch",
    "typed-navigation",
    "typed-number",
    "vague-link-text",
    "prev-next-mismatch",
)

TREES = sorted(path.name for path in SITES.glob("order-*"))


def load(root: Path) -> Site:
    if (root / "platforms.yaml").is_file():
        return project.load(root)
    return site.load_plain(files.find(root, (".md",)), root)


def written(root: Path, pages: dict[str, str]) -> Site:
    """A tree of these pages."""
    for path, text in pages.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, encoding="utf-8")
    return load(root)


def page(read: Site, path: str) -> Page:
    return next(page for page in read.pages if page.path == path)


def test_an_order_belongs_to_its_patterns(tmp_path: Path) -> None:
    read = written(tmp_path, {f"docs/{name}/a.md": f"# {name}\n" for name in ("x", "y")})
    plain, configured = ordering.get_order(read), ordering.get_order(read, ["docs/{platform}/a.md"])
    assert plain is ordering.get_order(read)
    assert configured is ordering.get_order(read, ("docs/{platform}/a.md",))
    assert [len(order.steps) for order in (plain, configured)] == [0, 1]


# Labelled trees


@cache
def found(name: str) -> frozenset[str]:
    """What the rules find in a tree: `path:line rule`."""
    read = load(SITES / name)
    rules = RULES if read.is_project else tuple(rule for rule in RULES if not rule.startswith("typed-"))
    told = engine.run(read, Config(SITES / name).merge_command_line(select=rules))
    return frozenset(f"{f.span.path}:{f.span.position.line} {f.rule}" for f in told)


def labelled(name: str) -> set[str]:
    """The faults that were put into a tree."""
    return set((SITES / name / "faults.txt").read_text(encoding="utf-8").splitlines())


@pytest.mark.parametrize("name", TREES)
def test_every_finding_in_a_tree_is_a_fault(name: str) -> None:
    assert found(name) - labelled(name) == set()


@pytest.mark.parametrize("rule", RULES)
def test_nine_in_ten_faults_are_found(rule: str) -> None:
    wanted = {(name, fault) for name in TREES for fault in labelled(name) if fault.endswith(f" {rule}")}
    got = {(name, fault) for name, fault in wanted if fault in found(name)}
    assert wanted
    assert len(got) >= 0.9 * len(wanted), sorted(wanted - got)


# Order


def paths(read: Site, start: str) -> list[str]:
    """The pages that a page is one of, in their order."""
    sequence = ordering.get_order(read).get_walk(page(read, start))
    return [page.path for page in sequence.pages] if sequence else []


def test_front_matter_orders_the_pages_of_a_folder(tmp_path: Path) -> None:
    read = written(
        tmp_path,
        {
            "a/walk.md": "---\norder: 3\n---\n",
            "a/pack.md": '---\ntitle: Pack\norder: "1.5"\n---\n',
            "a/draft.md": "---\norder: 2\ndraft: true\n---\n",
            "a/none.md": "# None\n",
            "b/other.md": "---\norder: 2\n---\n",
            "c/one.md": "---\nsidebar:\n  label: One\n  order: 2\n---\n",
            "c/two.md": "---\nsidebar:\n  order: 1\n---\n",
            "d/one.md": "+++\nweight = 2\n[params]\nweight = 9\n+++\n",
            "d/two.md": '{\n  "title": "Two",\n  "weight": 1\n}\n',
            "d/three.md": "+++\nweight=3\n+++\n",
            "d/draft.md": "+++\nweight = 4\ndraft = true\n+++\n",
        },
    )
    assert paths(read, "a/walk.md") == ["a/pack.md", "a/walk.md"]
    assert paths(read, "c/one.md") == ["c/two.md", "c/one.md"]
    assert paths(read, "d/one.md") == ["d/two.md", "d/one.md", "d/three.md"]
    assert paths(read, "b/other.md") == paths(read, "a/draft.md") == paths(read, "a/none.md") == []


def test_names_and_titles_order_three_pages_or_more(tmp_path: Path) -> None:
    read = written(
        tmp_path,
        {
            **{f"names/{number:02}-page/index.md": "# Page\n" for number in (10, 9, 11)},
            **{f"titles/{name}.md": f"# Step {number}. Page\n" for number, name in enumerate("cab", 1)},
            **{f"two/{number}-page.md": "# Page\n" for number in (1, 2)},
            **{f"no/{name}.md": "# Page\n" for name in ("404", "2024-01-01-news", "3d-models", "v2", "4.2")},
        },
    )
    assert paths(read, "names/09-page/index.md") == [f"names/{n}-page/index.md" for n in ("09", "10", "11")]
    assert paths(read, "titles/c.md") == ["titles/c.md", "titles/a.md", "titles/b.md"]
    assert paths(read, "two/1-page.md") == paths(read, "no/404.md") == []


def test_copies_of_a_step_in_one_folder_follow_those_in_the_next(tmp_path: Path) -> None:
    steps = enumerate(("pack", "walk", "rest"), 1)
    read = written(
        tmp_path,
        {
            f"{step}/{who}.md": f"---\ntitle: Step {number}. {step.title()}\norder: {number}\n---\n"
            for number, step in steps
            for who in ("cat", "dog")
        },
    )
    assert paths(read, "walk/dog.md") == ["pack/dog.md", "walk/dog.md", "rest/dog.md"]


def test_a_nav_leads_through_all_its_sections(tmp_path: Path) -> None:
    (tmp_path / "mkdocs.yml").write_text(
        "site_name: S\nnav:\n  - index.md\n  - Tour:\n      - Walk: b.md\n      - a.md\n  - https://example.org\n"
    )
    read = written(tmp_path, {f"docs/{name}.md": f"# {name}\n" for name in ("a", "b", "index", "z")})
    assert paths(read, "docs/a.md") == ["docs/index.md", "docs/b.md", "docs/a.md"]
    entry = ordering.get_order(read).entries[page(read, "docs/b.md")]
    assert (entry.title, entry.sections) == ("Walk", ("Tour",))
    assert paths(read, "docs/z.md") == []


def test_a_tutorial_is_in_the_order_of_its_data(tmp_path: Path) -> None:
    read = project.load(project.write(tmp_path))
    sequence = ordering.get_order(read).get_walk(project.page(read, "otter/prepare"))
    assert sequence is not None
    assert [page.step for page in sequence.pages] == ["welcome", "prepare", "finish"]
    assert {page.platform for page in sequence.pages} == {"otter"}


@pytest.mark.parametrize(
    ("title", "number", "rest"),
    [
        ("Step 4. Create", 4, "Create"),
        ("step 12: Create", 12, "Create"),
        ("Schritt 3 – Los", 3, "Los"),
        ("4. Create", 4, "Create"),
        ("4) Create", 4, "Create"),
        ("Step 4", 4, ""),
        ("4 ways to create", None, ""),
        ("4.1 Create", None, ""),
        ("Step 4.1 Create", None, ""),
        ("2024: a year", None, ""),
        ("Windows 10: Install", None, ""),
        ("3.x.x to 4.x.x", None, "3.x.x to 4.x.x"),
    ],
)
def test_a_title_begins_with_a_step_number(title: str, number: int | None, rest: str) -> None:
    read: StepNumber | None = numbers.parse_step_number(numbers.Title(title, Range(0, len(title))))
    assert (read.number, read.title) == (number, rest) if read else number is None


def test_the_numbers_of_headings() -> None:
    text = "# Step 2: A\n\n## 2.1 B\n\n### 2.1.1. C\n\n## 4 ways\n\n## 3. D\n\n## Section 4.1 — E\n\n## 1.2.3-rc\n"
    assert [numbers.format_number(found.number) for found in numbers.find_heading_numbers(Document(text))] == [
        "2", "2.1", "2.1.1", "3", "4.1",
    ]  # fmt: skip


# Previous and next


@pytest.mark.parametrize(
    "line",
    [
        "[Next](b.md)",
        "[Next: Walk](b.md)",
        "[Next >> Walk](b.md)",
        "[Next step: Walk »](b.md)",
        "[Walk](a.md) | [Next – Walk](b.md)",
        "Next: [Walk](b.md)",
        "**Next step:** [Walk](b.md).",
        "- Next up: [Walk](b.md)",
        "| [Previous](a.md) | [Next](b.md) |",
        "[← Pack](a.md) · [Walk →](b.md)",
        '<a href="b.md" style="float:right">Next >> Walk</a>',
        '<a href="b.md">Next &raquo;</a>',
        "<b>Next:</b> <a href='b.md'>Walk</a>",
    ],
)
def test_a_line_that_leads_to_the_next_page(line: str, tmp_path: Path) -> None:
    read = written(tmp_path, {"a.md": f"# Pack\n\n{line}\n", "b.md": "# Walk\n"})
    on = [one for one in find_typed_neighbors(page(read, "a.md"), links.get_addresses(read)) if one.direction == "next"]
    assert [(one.target and one.target.path, one.name) for one in on] == [("b.md", "Walk" if "Walk" in line else "")]


@pytest.mark.parametrize(
    "line",
    [
        "See the [next](b.md) page.",
        "The [next generation of walks](b.md).",
        "Next, read [Walk](b.md).",
        "Next: [walk](b.md) to the end of the road.",
        "Next: [walk](b.md) | [swim](a.md)",
        "Next steps: [Walk](b.md)",
        "[Get started →](b.md)",
        "It is made with [Next](https://example.org/next).",
        "[Previous versions](b.md)",
        "`[Next](b.md)`",
        "[Next](#pack)",
        "[Next](a.md#pack)",
    ],
)
def test_a_line_that_only_looks_like_it(line: str, tmp_path: Path) -> None:
    read = written(tmp_path, {"a.md": f"# Pack\n\n{line}\n", "b.md": "# Walk\n"})
    assert find_typed_neighbors(page(read, "a.md"), links.get_addresses(read)) == []


@pytest.mark.parametrize(
    "front", ["next: ./b.md", "next: b", 'pagination_next: "b"', "next:\n  text: Walk\n  link: /b", "next_page: /b/"]
)
def test_front_matter_that_leads_to_the_next_page(front: str, tmp_path: Path) -> None:
    read = written(tmp_path, {"a.md": f"---\n{front}\n---\n\n# Pack\n", "b.md": "# Walk\n"})
    (one,) = find_typed_neighbors(page(read, "a.md"), links.get_addresses(read))
    assert (one.direction, one.target and one.target.path) == ("next", "b.md")


@pytest.mark.parametrize("front", ["next: false", "pagination_next: null", "next: 'Walk | The tour'", "next: Walk"])
def test_front_matter_that_names_no_page(front: str, tmp_path: Path) -> None:
    read = written(tmp_path, {"a.md": f"---\n{front}\n---\n\n# Pack\n", "b.md": "# Walk\n"})
    assert find_typed_neighbors(page(read, "a.md"), links.get_addresses(read)) == []


# References

GARDEN = """\
# Garden

## 1 Dig

### 1.1 Spade

Dig.

### 1.2 Hole

Deep.

## 2 Plant

### 2.1 Seed

{line}

### 2.2 Soil

Soft.

## 3 Water

### 3.1 Jar

Blue.

### 3.2 Hose

Green.
"""


def stale(line: str, folder: Path) -> list[str]:
    """What is said of a line in section 2.1 of the garden."""
    read = written(folder, {"garden.md": GARDEN.format(line=line)})
    told = engine.run(read, Config(folder).merge_command_line(select=("stale-step-reference",)))
    return [finding.span.text for finding in told]


@pytest.mark.parametrize(
    ("line", "wrong"),
    [
        ("If you just completed step 3.1, go on.", "step 3.1"),
        ("Having just completed Step 3.1, rest.", "Step 3.1"),
        ("You've just finished step 3.2.", "step 3.2"),
        ("Use the jar that you filled in step 3.1.", "step 3.1"),
        ("You already filled the jar in step 3.1.", "step 3.1"),
        ("We made the jar in step 3.1.", "step 3.1"),
        ("In the previous step 3.1 you saw it.", "step 3.1"),
        ("Earlier in section 3.2 we spoke of hoses.", "section 3.2"),
        ("Take it from step 3.1 above.", "step 3.1"),
        ("It is explained in section 1.2 below.", "section 1.2"),
        ("In the next section 1.1, you dig.", "section 1.1"),
        ("Later in step 1.2 you dig.", "step 1.2"),
        ("Use the hole you dug in step 1.4.", "step 1.4"),
        ("As in sections 1.1, 1.3 and 2.2.", "1.3"),
        ("Steps 2.1–2.3 take an hour.", "2.3"),
        ("Read **step\n2.7** again.", "step\n2.7"),
    ],
)
def test_a_reference_that_is_stale(line: str, wrong: str, tmp_path: Path) -> None:
    assert stale(line, tmp_path) == [wrong]


@pytest.mark.parametrize(
    "line",
    [
        "See section 3.2. You did this in step 1.1. In the next step 2.2, you need soil.",
        "After you have completed step 3.1, come back.",
        "You need the jar in step 3.1. You will fill the jar in step 3.1.",
        "Once you've filled the jar in step 3.1, it is full.",
        "If you already completed step 3.1, skip this. If you filled it in step 3.1 too full, it spills.",
        "You created the file that is used in step 3.1. You learned what happens in step 3.1.",
        "You just filled the jar and now move to step 3.1. You proceed in step 3.1 with it.",
        "In the last step 3.2 you rest. You can repeat step 1.2 later.",
        "You might have seen in step 3.1 that it rains.",
        "As section 9.2 of the Garden Act says.",
        "See Section 4.2 in the Spade Guide, or Section 4.2 in [Spades](https://spades.example).",
        "The RFC has more. Section 7.3 is long.",
        "As the vendor's section 8.1 says. Kubernetes Section 5.4 is long.",
        "Section 9.2 has more.",
        "In Smith (2019), section 4.2, it is told. See ISO 9001: section 4.4 is strict.",
        "The [section 9.2](https://spades.example) tells it.",
        "Needs version 7.3 and iOS 9.2. The size is set in steps of 0.5, in a step 0.5 wide.",
        "Step 5 is an item of a list. Firmware section 5.4b is another's.",
        "Read `step 9.9`.\n\n```text\nstep 9.9\n```\n\n<!-- step 9.9 -->",
    ],
)
def test_a_reference_that_is_right_or_not_ours(line: str, tmp_path: Path) -> None:
    assert stale(line, tmp_path) == []


def test_a_page_that_speaks_of_another_document_all_along(tmp_path: Path) -> None:
    line = "Section 7.1 says so, sections 8.2 and 8.3 agree, and section 9.4 does not."
    assert stale(line, tmp_path) == []


def test_a_number_on_a_page_beside_it_exists(tmp_path: Path) -> None:
    chapters = {
        f"{name}.md": f"## {n}. {name}\n\n### {n}.1 One\n\nSee section 3.2.\n\n### {n}.2 Two\n"
        for n, name in enumerate(("dig", "plant", "water"), 1)
    }
    read = written(
        tmp_path, {"all.md": "## 1. A\n\n## 2. B\n\n### 2.1 C\n\n### 2.2 D\n\nSee section 3.2.\n", **chapters}
    )
    assert engine.run(read, Config(tmp_path).merge_command_line(select=("stale-step-reference",))) == []


@pytest.mark.parametrize(
    "text",
    [
        "step 4.1 " * 3_000,
        "## 1.1 A\n\nstep 1.9\n\n" * 1_000,
        "[Next](a.md) | " * 2_000,
        "Next: [a](a.md)\n" * 2_000,
        "[«" * 3_000 + "](a.md)",
        "---\n" + "next:\n" + " link: a\n" * 2_000 + "---\n",
        "1. a\n    1. b\n" * 1_500 + "\n\nstep 2.3\n",
        "| next " * 2_000 + "[a](a.md)",
    ],
    ids=range(8),
)
def test_hostile_text_takes_no_longer_than_any_other(text: str, tmp_path: Path) -> None:
    read = written(tmp_path, {"a.md": text})
    for one in read.pages:
        assert one.document.links is not None
        assert one.document.get_prose() is not None
    soon(lambda: engine.run(read, Config(tmp_path).merge_command_line(select=RULES)))


def test_a_step_that_cannot_be_rendered_keeps_its_place(tmp_path: Path) -> None:
    names = ("one", "two", "three", "four", "five")
    data = (
        f"platforms: {{a: {{name: A}}, b: {{name: B}}}}\ntutorials: {{t: {{title: T, steps: [{', '.join(names)}]}}}}\n"
    )
    (tmp_path / "platforms.yaml").write_text(data)
    (tmp_path / "site_templates/steps").mkdir(parents=True)
    for name in names:
        text = "{{ nobody }}" if name == "two" else "Text."
        (tmp_path / f"site_templates/steps/{name}.md.j2").write_text(f"---\ntitle: The {name}\n---\n\n{text}\n")
    found = engine.run(project.load(tmp_path), Config())
    assert {finding.rule for finding in found} == {"undefined-name"}
