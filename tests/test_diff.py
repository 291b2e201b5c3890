"""`tutorial-tool diff`: what readers see change between two revisions."""

from __future__ import annotations

import json
import re
import shutil
from html.parser import HTMLParser
from pathlib import Path
from textwrap import dedent

import pytest
from click.testing import CliRunner, Result
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from tests.repository import Repository
from tutorial_tool.cli import main
from tutorial_tool.core.source import Source
from tutorial_tool.core.traced import trace_span
from tutorial_tool.diff import Difference, markdown, pages, rendered_pages
from tutorial_tool.diff.rendered_pages import NothingRendered, Selection
from tutorial_tool.diff.words import split_pieces
from tutorial_tool.markdown.parser import Dialect
from tutorial_tool.site import Page

TREE = {
    "platforms.yaml": """\
        platforms:
          lake: {name: Lake, labels: {gauge: Lake gauge}}
          river: {name: River, labels: {gauge: Stream gauge}}
          sea: {name: Sea, labels: {gauge: Tide gauge}}
        tutorials:
          water:
            title: Water
            path: "{platform}/{step}"
            steps: [measure, report]
        tables:
          levels:
            columns: {level: Level, advice: Advice}
            rows:
              low: {level: Low, advice: Wait for rain.}
              high: {level: High, advice: Close the gate., on: {sea: {advice: Watch the tide., because: tide}}}
        """,
    "site_templates/steps/measure.md.j2": """\
        ---
        title: Measure
        ---

        Read the {{ platform.label('gauge') }} of your {{ platform.name }} in the morning.

        ## Prepare the gauge {: #prepare }

        Clean the gauge with a soft brush. Then wait for ten minutes.

        ## Read the level {: #read }

        {{ table('levels') }}

        {{ part('hint') }}
        """,
    "site_templates/steps/measure/hint.md": "Write the number into the book.\n",
    "site_templates/steps/measure/hint.sea.md": "Write both numbers into the book.\n",
    "site_templates/steps/report.md.j2": """\
        ---
        title: Report
        ---

        Send the number from {{ link('measure') }} to the office.
        """,
    "docs_src/index.md": "# Water\n\nHow much water there is.\n",
}


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repository:
    made_ = Repository(tmp_path / "project")
    made_.commit("First", {name: dedent(text) for name, text in TREE.items()})
    monkeypatch.chdir(made_.folder)
    return made_


def diff(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["diff", *arguments])


def text(*arguments: str) -> str:
    ran = diff("HEAD", *arguments)
    assert ran.exit_code == 0, ran.output
    return ran.output


MEASURE = "site_templates/steps/measure.md.j2"
REPORT = "site_templates/steps/report.md.j2"


# --- What is told


def test_a_sentence_that_all_platforms_share(project: Repository) -> None:
    project.edit(MEASURE, "a soft brush", "a wet cloth")
    assert text() == dedent("""\
        water/measure
          sentence in “Prepare the gauge”
            - Clean the gauge with a ⟦soft brush⟧.
            + Clean the gauge with a ⟦wet cloth⟧.
              all 3 platforms · site_templates/steps/measure.md.j2:9:24

        HEAD → the working tree: 3 of 7 pages change, in 1 place.
        """)


def test_a_sentence_with_names_of_the_platforms_is_one_change(project: Repository) -> None:
    project.edit(MEASURE, "in the morning", "at noon")
    told = text()
    assert "- Read the Lake gauge of your Lake ⟦in the morning⟧." in told
    assert "all 3 platforms" in told
    assert "River" not in told


def test_a_label_changes_on_one_platform_and_its_source_is_the_data(project: Repository) -> None:
    project.edit("platforms.yaml", "gauge: Stream gauge", "gauge: Staff gauge")
    assert "only River · platforms.yaml:3:40" in text()


def test_rows_are_told_by_row_and_column_and_others_by_what_they_have_instead(project: Repository) -> None:
    project.edit("platforms.yaml", "Close the gate.", "Close both gates.")
    told = text()
    assert "  row “High” in “Read the level”" in told
    assert "- Advice: Close ⟦the gate⟧." in told
    assert "2 of 3 platforms change alike; Sea stays as it is · platforms.yaml:15:41" in told


def test_rows_come_and_go(project: Repository) -> None:
    project.edit(
        "platforms.yaml", "low: {level: Low, advice: Wait for rain.}", "flood: {level: Flood, advice: Leave now.}"
    )
    told = text()
    assert "gone row “Low”" in told
    assert "new row “Flood”" in told
    assert "platforms.yaml:14:20 at HEAD" in told


def test_a_part_of_one_platform(project: Repository) -> None:
    project.edit("site_templates/steps/measure/hint.md", "the book", "the new book")
    told = text()
    assert "only Lake and River · site_templates/steps/measure/hint.md:1:27" in told


def test_a_moved_section_is_told_as_moved_and_its_text_is_not(project: Repository) -> None:
    path = project.folder / MEASURE
    before, first, second = path.read_text().split("\n## ")
    path.write_text("\n## ".join([before, second.rstrip("\n") + "\n", first]))
    told = text()
    assert "section “Prepare the gauge” moved: was at the beginning, is after “Read the level”" in told
    assert "1 place." in told


def test_a_renamed_step_keeps_its_page_and_links_that_follow_are_no_change(project: Repository) -> None:
    project.edit("platforms.yaml", "steps: [measure, report]", "steps: [gauge, report]")
    project.edit(REPORT, "link('measure')", "link('gauge')")
    shutil.move(project.folder / MEASURE, project.folder / MEASURE.replace("measure", "gauge"))
    shutil.move(project.folder / MEASURE.removesuffix(".md.j2"), project.folder / "site_templates/steps/gauge")
    told = text()
    assert "URL changed; the old URL has no redirect" in told
    assert "- /lake/⟦measure⟧/" in told
    assert "water/report" not in told
    assert "navigation" not in told


def test_a_redirect_of_a_renamed_page_is_seen(project: Repository) -> None:
    page = "# Rain\n\nHow much rain there was. Measure it in the garden each morning.\n"
    project.commit("Rain", {"mkdocs.yml": "site_name: Water\ndocs_dir: docs_src\n", "docs_src/rain.md": page})
    (project.folder / "docs_src/rain.md").rename(project.folder / "docs_src/rainfall.md")
    assert "- /⟦rain⟧/" in text()
    assert "the old URL has no redirect" in text()
    plugin = "plugins:\n  - redirects:\n      redirect_maps: {rain.md: rainfall.md}\n"
    project.write({"mkdocs.yml": f"site_name: Water\ndocs_dir: docs_src\n{plugin}"})
    assert "the old URL has a redirect" in text()
    assert "Note: mkdocs.yml has changed" in text()


def test_another_order_changes_numbers_and_navigation(project: Repository) -> None:
    project.edit("platforms.yaml", "steps: [measure, report]", "steps: [report, measure]")
    told = text()
    assert "water: navigation" in told
    assert "- ⟦measure, report⟧" in told or "order of the steps" in told
    assert told.count("step number") == 2
    assert "  reference follows a new number\n    - step ⟦1⟧\n    + step ⟦2⟧\n" in told


NEXT = "---\ntitle: {0}\n---\n\n{0} it with care.\n\nThen go on with {{{{ link(step.next) }}}}, near your {{{{ platform.label('gauge') }}}}.\n"


def test_a_text_that_another_page_says_is_told_where_it_is_printed(project: Repository) -> None:
    unnumbered = TREE["platforms.yaml"].replace("path:", "numbering: {steps: false}\n            path:")
    unnumbered = dedent(unnumbered).replace("[measure, report]", "[begin, measure, report]")
    begin = "site_templates/steps/begin.md.j2"
    project.commit("Steps", {"platforms.yaml": unnumbered, begin: NEXT.format("Begin")})
    project.write({"platforms.yaml": unnumbered.replace("[begin, measure, report]", "[begin, report, measure]")})
    told = text("--step", "begin")
    assert "[⟦Report⟧](⟦report⟧.md)" in told
    assert f"all 3 platforms · {begin}:7:17\n" in told  # neither report.md.j2 nor its title has changed
    project.write({"platforms.yaml": unnumbered, REPORT: TREE[REPORT].replace("title: Report", "title: Tell")})
    project.write(
        {REPORT: dedent(TREE[REPORT]), MEASURE: dedent(TREE[MEASURE]).replace("title: Measure", "title: Look")}
    )
    assert f"all 3 platforms · {MEASURE}:2:8\n" in text("--step", "begin")


def test_a_name_of_one_platform_that_changes_with_the_sentence_is_no_change_of_all(project: Repository) -> None:
    data = dedent(TREE["platforms.yaml"])
    for name, port in (("Lake", "/dev/lake0"), ("River", "/dev/cu1"), ("Sea", "COM4")):
        data = data.replace(f"{{name: {name}, ", f"{{name: {name}, values: {{port: {port}}}, ")
    template = (
        "---\ntitle: Measure\n---\n\nChoose **{{ platform.values.port }}** as the port, and a rate of 9600 baud.\n"
    )
    project.commit("Ports", {"platforms.yaml": data, MEASURE: template})
    project.write({"platforms.yaml": data.replace("COM4", "COM5"), MEASURE: template.replace("a rate of ", "")})
    told = " ".join(text("--step", "measure").split())
    assert "2 of 3 platforms change alike; Sea changes differently" in told
    assert "- Choose **⟦COM4⟧** as the port, and ⟦a rate of⟧ 9600 baud. + Choose **⟦COM5⟧** as" in told


def test_values_that_platforms_exchange_are_told_in_the_data(project: Repository) -> None:
    labels = {"Lake gauge": "Tide gauge", "Tide gauge": "Lake gauge"}
    data = re.sub("|".join(labels), lambda found: labels[found[0]], dedent(TREE["platforms.yaml"]))
    block = [
        re.sub(r"\{name: (\w+), labels: \{gauge: ([^}]+)\}\}", r"\n    name: \1\n    labels:\n      gauge: \2", one)
        for one in (dedent(TREE["platforms.yaml"]), data)
    ]
    project.commit("Blocks", {"platforms.yaml": block[0]})
    project.write({"platforms.yaml": block[1]})
    told = text("--step", "measure")
    assert "platforms.yaml:5:14" in told
    assert "platforms.yaml:13:14" in told


def test_a_text_is_told_with_the_whole_of_its_links(project: Repository) -> None:
    project.edit(REPORT, "Send the number from {{ link('measure') }} to the office.", "- From {{ link('measure') }}")
    project.commit("A list")
    project.edit(REPORT, "From", "Out of")
    assert "    - ⟦From⟧ [step 1](measure.md)\n    + ⟦Out of⟧ [step 1](measure.md)\n" in text()


def test_a_reference_that_is_typed_is_a_text(project: Repository) -> None:
    project.edit(REPORT, "{{ link('measure') }}", "[step 1](measure.md)")
    project.commit("Typed")
    project.edit(REPORT, "step 1", "step 3")
    assert "[step ⟦3⟧](measure.md)" in text()
    assert "follows" not in text()


def test_a_platform_that_changes_otherwise_does_not_stay_as_it_is(project: Repository) -> None:
    three = "steps: [measure, {id: watch, only: [sea]}, report, check]"
    page = "---\ntitle: {}\n---\n\nIt is done.\n"
    more = {f"site_templates/steps/{step}.md.j2": page.format(step) for step in ("watch", "check")}
    project.edit("platforms.yaml", "steps: [measure, report]", three)
    project.commit("More steps", more)
    project.edit("platforms.yaml", "report, check]", "check, report]")
    told = " ".join(text().split())
    assert "Sea changes differently" in told
    assert "stays as it is" not in told
    assert "stay as they are" not in told


def test_steps_and_platforms_come_and_go(project: Repository) -> None:
    project.edit("platforms.yaml", "steps: [measure, report]", "steps: [measure]")
    project.edit(
        "platforms.yaml", "  sea: {name: Sea", "  pond: {name: Pond, labels: {gauge: Pond gauge}}\n  sea: {name: Sea"
    )
    project.edit(MEASURE, "Then wait", "Now wait")
    told = text()
    assert "page gone: /lake/report/ has no redirect" in told
    assert "page new: /pond/measure/" in told
    assert "3 of 4 platforms change alike; Pond is new" in told


def test_titles_descriptions_code_and_alternative_texts(project: Repository) -> None:
    page = "---\ntitle: Pump\ndescription: {}\n---\n\n![{}](pump.png)\n\n```sh\n{}\n```\n"
    project.commit("Pump", {"docs_src/pump.md": page.format("Pumps.", "A pump", "pump start")})
    project.write({"docs_src/pump.md": page.format("All pumps.", "The pump", "pump --start").replace("Pump", "Pumps")})
    told = text()
    for kind in ("  title", "  description", "  alt text", "  code"):
        assert f"\n{kind}\n" in told
    assert "    + pump --start" in told


def test_pictures_are_compared_by_their_bytes(project: Repository) -> None:
    picture = project.folder / "docs_src/pump.png"
    picture.write_bytes(b"\x89PNG one")
    project.commit("Pump", {"docs_src/pump.md": "# Pump\n\n![A pump](pump.png)\n"})
    picture.write_bytes(b"\x89PNG two")
    told = text()
    assert "different image at pump.png" in told
    assert "Note: 1 other file of the docs folder changed: pump.png." in told


def test_a_picture_whose_name_no_file_can_have_stops_nothing(project: Repository) -> None:
    project.edit("docs_src/index.md", "How much", f"![A pump](/{300 * 'p'}.png) How much")
    project.commit("A picture")
    project.edit("docs_src/index.md", "water there", "rain there")
    assert "⟦rain⟧ there is" in text()


def test_a_heading_without_its_anchor(project: Repository) -> None:
    project.edit(MEASURE, "{: #prepare }", "{: #clean }")
    assert "anchor gone: #prepare “Prepare the gauge”; links from elsewhere go to the top of the page" in text()


def test_other_blocks_around_the_same_words_are_markup(project: Repository) -> None:
    project.edit("docs_src/index.md", "How much water", "> How much water")
    assert "markup: same words, different structure" in text()


def test_what_stands_around_the_pages(project: Repository) -> None:
    steps = "steps: [measure, {id: report, not-on: {lake: Nobody asks}}]"
    project.edit("platforms.yaml", "steps: [measure, report]", steps)
    project.commit("Reason")
    project.edit("platforms.yaml", "Nobody asks", "The office knows")
    project.edit("platforms.yaml", "name: River", "name: Stream")
    project.edit("platforms.yaml", "tables:", "strings: {next: Onwards}\ntables:")
    project.edit(MEASURE, "title: Measure", "title: Measure\nhide: [toc]")
    told = text()
    assert "  name of the platform\n    - ⟦River⟧\n    + ⟦Stream⟧\n" in told
    assert "- ⟦Nobody asks⟧" in told
    assert "Note: `strings` has changed: next." in told
    assert "new front matter “hide”\n    + [toc]\n      all 3 platforms" in told


# --- What is not told


def test_a_refactoring_changes_nothing(project: Repository) -> None:
    """A macro, a value and another file instead of typed text: the pages are the same."""
    project.write(
        {"site_templates/macros/clean.j2": "{% macro clean(with) %}Clean the gauge with {{ with }}.{% endmacro %}"}
    )
    project.edit(MEASURE, "Clean the gauge with a soft brush.", "{{ clean('a soft brush') }}")
    project.edit(MEASURE, "---\n\nRead", "---\n{% from 'macros/clean.j2' import clean %}\n\nRead")
    project.edit("platforms.yaml", "platforms:", "include: [tables.yaml]\nplatforms:")
    data = (project.folder / "platforms.yaml").read_text()
    start = data.index("tables:\n")
    project.write({"platforms.yaml": data[:start], "tables.yaml": data[start:]})
    ran = diff("HEAD", "--exit-code")
    assert (ran.exit_code, ran.output) == (0, "HEAD → the working tree: Nothing changed for readers.\n")


def test_a_page_that_moves_from_a_copy_to_a_template_is_the_same(project: Repository) -> None:
    """What `adopt` promises, seen by readers: the copy goes, the template makes the same page."""
    assert CliRunner().invoke(main, ["render", "build", "--no-front-matter"]).exit_code == 0
    copies = {path: (project.folder / "build/docs" / path).read_text() for path in ("lake/report.md", "sea/report.md")}
    shutil.rmtree(project.folder / "build")
    title = "---\ntitle: Step 2. Report\n---\n\n"
    texts = {f"docs_src/{path}": title + text.partition("\n\n")[2] for path, text in copies.items()}
    project.commit("By hand", texts)
    for path in texts:
        (project.folder / path).unlink()
    assert "Nothing changed for readers." in text()


def test_wrapped_lines_and_silencing_comments_are_no_change(project: Repository) -> None:
    project.edit(MEASURE, "soft brush. Then wait", "soft\nbrush. Then\nwait")
    project.edit("docs_src/index.md", "How", "<!-- tutorial-tool: ignore[misspelling] a name -->\nHow")
    assert "Nothing changed for readers." in text()


PAGE = """\
# Boat

Row *slowly* along the `shore`, then
turn.  Rest.

- Oars
- Rope

  A long one.

1. Push
2. Pull

> Never alone.

| Part | Use |
| --- | --- |
| Keel | Straight on |

    code stays

```sh
row --fast
```

![A boat](boat.png) and [a lake](lake.md#north).
"""


@given(st.lists(st.tuples(st.sampled_from("delete indent join blank swap type strip double".split()), st.integers(0, 26),
       st.integers(0, 40)), min_size=1, max_size=2))  # fmt: skip
def test_silence_is_a_proof(edits: list[tuple[str, int, int]]) -> None:
    """Where no change is told, a Markdown renderer that knows nothing of us makes the same HTML of both pages."""
    lines = PAGE.split("\n")
    for how, line, column in edits:
        line %= len(lines)
        text = lines[line]
        match how:
            case "delete":
                del lines[line]
            case "indent":
                lines[line] = f"    {text}"
            case "join":
                lines[line : line + 2] = [" ".join(part.lstrip() for part in lines[line : line + 2])]
            case "blank":
                lines.insert(line, "")
            case "swap":
                lines[line], lines[-1 - line] = lines[-1 - line], lines[line]
            case "type":
                lines[line] = text[:column] + "*`x ]#"[column % 6] + text[column + 1 :]
            case "strip":
                lines[line] = text.strip()
            case "double":
                lines[line] = text.replace(" ", "  ")
    edited = "\n".join(lines)
    if not pages.find_changes(written(PAGE), written(edited)):
        assert html_of(edited) == html_of(PAGE)


def written(text_: str) -> Page:
    source = Source("boat.md", text_)
    return Page("boat.md", source, trace_span(source.get_full_span()), dialect=Dialect.COMMONMARK)


def html_of(text_: str) -> str:
    return " ".join(MarkdownIt("commonmark").enable("table").render(text_).split())


# --- Revisions


def test_two_revisions_a_range_and_the_default(project: Repository) -> None:
    project.edit(MEASURE, "soft", "stiff")
    second = project.commit("Second")
    project.edit(MEASURE, "stiff", "wet")
    assert "+ Clean the gauge with a ⟦stiff⟧ brush." in diff(f"HEAD~1..{second}").output
    assert diff("HEAD~1..HEAD").output == diff("HEAD~1..").output
    assert "- Clean the gauge with a ⟦stiff⟧ brush." in diff().output


def test_without_a_revision_a_branch_is_compared_with_where_it_began(project: Repository) -> None:
    project.git("switch", "-q", "-c", "topic")
    project.edit(MEASURE, "soft", "stiff")
    project.commit("Topic")
    project.edit(REPORT, "office", "board")
    told = diff().output
    assert "⟦stiff⟧" in told
    assert "⟦board⟧" in told


def test_nothing_of_the_repository_is_touched(project: Repository) -> None:
    project.edit(MEASURE, "soft", "stiff")
    project.git("add", REPORT)
    before = project.git("status", "--porcelain"), (project.folder / ".git/index").read_bytes()
    diff("HEAD")
    assert before == (project.git("status", "--porcelain"), (project.folder / ".git/index").read_bytes())


def test_exit_codes(project: Repository) -> None:
    assert diff("HEAD", "--exit-code").exit_code == 0
    project.edit(MEASURE, "soft", "stiff")
    assert diff("HEAD").exit_code == 0
    assert diff("HEAD", "--exit-code").exit_code == 1
    ran = diff("HAED")
    assert (ran.exit_code, ran.stderr) == (2, "tutorial-tool: there is no revision `HAED` here; did you mean `HEAD`?\n")


def test_filters(project: Repository) -> None:
    project.edit(MEASURE, "soft", "stiff")
    project.edit(REPORT, "office", "board")
    assert "stiff" not in text("--step", "report")
    assert "1 of 2 pages" in text("--platform", "sea", "--step", "measure") or "1 of 1 page" in text(
        "--platform", "sea", "--step", "measure"
    )
    assert "board" not in text("--paths", MEASURE)
    assert diff("--paths", "docs_src").exit_code == 0
    assert (
        "Error: `site_tmplates` is no page, file, or folder on either side" in diff("--paths", "site_tmplates").output
    )
    ran = diff("HEAD", "--step", "nowhere")
    assert ran.exit_code == 2
    assert "no page of step `nowhere` on either side" in ran.output
    assert "no page of step `mesure` on either side; did you mean `measure`?" in diff("--step", "mesure").output
    said = diff("--step", "measure", "--platform", "rivr").output
    assert "no page of platform `rivr` on either side; did you mean `river`?" in said


def test_a_folder_that_is_new_has_new_pages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    repository = Repository(tmp_path)
    repository.commit("First", {"README.md": "# Readme\n"})
    repository.write({"docs/page.md": "# Page\n\nNew.\n"})
    monkeypatch.chdir(tmp_path / "docs")
    assert "page new" in diff("HEAD").output


def test_projects_that_use_the_same_ids_are_compared_each_with_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository = Repository(tmp_path)
    tree = {f"{folder}/{name}": dedent(text) for folder in ("north", "far/south") for name, text in TREE.items()}
    repository.commit("Two", tree | {"north/index.md": "# North\n\nNot in the docs folder.\n"})
    repository.edit("far/south/platforms.yaml", "Lake gauge", "Loch gauge")
    repository.edit("north/docs_src/index.md", "How much", "So much")
    repository.edit("far/south/platforms.yaml", "[measure, report]", "[report, measure]")
    repository.edit("north/platforms.yaml", "tutorials:", "strings: {step: 'part {number}'}\ntutorials:")
    repository.write(
        {"far/south/mkdocs.yml": "site_name: South\ndocs_dir: docs_src\n", "far/south/docs_src/pump.png": "x"}
    )
    monkeypatch.chdir(tmp_path)
    told = diff("HEAD").output
    assert "far/south/water: navigation\n  order of the steps" in told
    assert "Read the ⟦Loch⟧ gauge of your Lake in the morning.\n      only Lake · far/south/platforms.yaml:2:38" in told
    assert (
        "from [⟦part⟧ 1](measure.md) to the office.\n      all 3 platforms · north/site_templates/steps/report" in told
    )
    assert "+ ⟦So⟧ much water there is.\n      north/docs_src/index.md:3:1" in told
    assert "north: `strings` has changed: step" in told
    assert "far/south/mkdocs.yml has changed" in told
    assert "1 other file of the docs folder changed: far/south/pump.png" in told
    assert "10 of 15 pages change" in told
    assert "north/docs_src/index.md" not in diff("HEAD", "--paths", "far").output
    repository.edit("north/platforms.yaml", "platforms:", "plattforms:")
    broken = repository.commit("Broken")
    repository.edit("far/south/platforms.yaml", "Loch gauge", "Mere gauge")
    ran = diff(broken)
    assert ran.exit_code == 2
    assert "⟦Mere⟧ gauge" in ran.output, "one project that is broken hides no other"
    monkeypatch.chdir(tmp_path / "far/south/docs_src")
    assert " · ../platforms.yaml:2:38\n" in diff(broken).output, "as the linter tells places"


# --- Trees without data


def copy(name: str, brush: str = "soft brush") -> str:
    return (
        f"# Measure a {name}\n\nRead the gauge of your {name} in the morning.\n\nClean the gauge with a {brush}. "
        f"Then wait for ten minutes.\n\nWrite the number into the book. The {name} rises in spring.\n"
    )


def test_copies_are_folded_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    repository = Repository(tmp_path)
    repository.commit("Copies", {f"docs/{n.lower()}/measure.md": copy(n) for n in ("Lake", "River", "Pond")})
    repository.write({f"docs/{n.lower()}/measure.md": copy(n, "wet cloth") for n in ("Lake", "River")})
    monkeypatch.chdir(tmp_path)
    told = diff("HEAD").output
    assert "2 of 3 platforms change alike; Pond stays as it is" in told
    assert told.count("⟦wet cloth⟧") == 1


# --- What does not render


COPY = "# Step 1. Measure\n\nRead the gauge of your {0} in the morning.\n\n## 1.1 Clean it{1}\n\nTake a brush.\n"


@pytest.mark.parametrize("front", ["---\ntitle: Measure\n---\n", "# Measure\n"])
def test_numbers_and_titles_that_the_tool_computes_as_they_were_typed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, front: str
) -> None:
    names = {"lake": "Lake", "sea": "Sea"}
    typed = {f"docs/{id_}/measure.md": COPY.format(name, "") for id_, name in names.items()}
    made_ = Repository(tmp_path / "project")
    made_.commit("Copies", {"mkdocs.yml": "site_name: Water\n", **typed})
    for path in typed:
        (made_.folder / path).unlink()
    body = COPY.format("{{ platform.name }}", " {{: #11-clean-it }}").partition("\n")[2].replace("1.1 ", "")
    data = TREE["platforms.yaml"].partition("tables:")[0]
    data = dedent(data).replace("steps: [measure, report]", "steps: [measure]")
    data = "".join(line for line in data.splitlines(keepends=True) if "river" not in line)
    made_.write({"platforms.yaml": data, MEASURE: front + body.replace("{{:", "{:").replace("}}\n", "}\n")})
    monkeypatch.chdir(made_.folder)
    gone = (
        "water/measure\n"
        "  anchor gone: #step-1-measure “Step 1. Measure”; links from elsewhere go to the top of the page\n"
        "      both platforms\n\n"
    )
    assert text().partition("Note:")[0].partition("HEAD")[0] == gone
    made_.write({MEASURE: (made_.folder / MEASURE).read_text().replace(" {: #11-clean-it }", "")})
    assert "anchor gone: #11-clean-it “Clean it”" in text()


def test_a_title_that_moves_out_of_its_heading(project: Repository) -> None:
    front = "---\ntitle: Measure\n---"
    project.edit(MEASURE, front, "# Measure")
    assert "Nothing changed for readers" in text()
    project.commit("A heading")
    project.edit(MEASURE, "# Measure", front)
    assert text() == dedent("""\
        water/measure
          anchor gone: #measure “Step 1. Measure”; links from elsewhere go to the top of the page
              all 3 platforms

        HEAD → the working tree: 3 of 7 pages change, in 1 place.
        """)


def test_a_tutorial_that_gets_another_id_and_title(project: Repository) -> None:
    project.edit("platforms.yaml", "  water:\n    title: Water\n", "  gauges:\n    title: Gauges\n")
    assert "gauges: navigation\n  title\n    - ⟦Water⟧\n    + ⟦Gauges⟧\n      all 3 platforms" in text()


def test_one_of_a_platforms_words_that_changes_beside_its_name(project: Repository) -> None:
    project.edit("platforms.yaml", "name: Lake, labels: {", "name: Lake, values: {tool: brush}, labels: {")
    project.edit("platforms.yaml", "name: Sea, labels: {", "name: Sea, values: {tool: brush}, labels: {")
    project.edit("platforms.yaml", "name: River, labels: {", "name: River, values: {tool: net}, labels: {")
    project.edit(MEASURE, "a soft brush", "the {{ platform.values.tool }} for the {{ platform.name }}")
    project.commit("Tools")
    for name in ("Lake", "Sea"):
        project.edit("platforms.yaml", f"{name}, values: {{tool: brush}}", f"{name}, values: {{tool: broom}}")
    told = text()
    assert told.count("+ Clean the gauge with the ⟦broom⟧ for the ") == 1
    assert "      only Lake and Sea · platforms.yaml:2:37, platforms.yaml:4:" in told


def test_copies_that_get_another_name_are_told_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    repository = Repository(tmp_path)
    names = ("Lake", "River", "Pond")
    repository.commit("Copies", {f"docs/measure-{n.lower()}.md": copy(n) for n in names})
    monkeypatch.chdir(tmp_path)
    for name in ("lake", "river", "pond"):
        (tmp_path / f"docs/measure-{name}.md").rename(tmp_path / f"docs/gauge-{name}.md")
    told = diff("HEAD").output
    assert told.count("URL changed") == 1
    assert "all 3 platforms" in told
    repository.commit("Renamed", {})
    (tmp_path / "docs/gauge-pond.md").rename(tmp_path / "docs/gauge-pool.md")
    told = diff("HEAD").output
    assert "page new" not in told
    assert "    - /docs/⟦gauge-pond⟧/\n    + /docs/⟦gauge-pool⟧/\n" in told


def test_a_heading_with_a_platforms_name_stands_for_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    repository = Repository(tmp_path)
    text = "# Measure the {0}\n\nClean the gauge of the {0} with a {1}.\n\nThen wait for ten minutes, and read it.\n"
    names = ("Lake", "River", "Pond")
    repository.commit("Copies", {f"docs/{n.lower()}/measure.md": text.format(n, "brush") for n in names})
    repository.write({f"docs/{n.lower()}/measure.md": text.format(n, "cloth") for n in names})
    monkeypatch.chdir(tmp_path)
    assert "sentence in “Measure the …”\n" in diff("HEAD").output


def test_files_that_adopting_left_alone_have_not_changed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made_ = Repository(tmp_path / "lakes")
    page = "# Fill a {0}\n\nOpen the gate of the {0}, and wait.\n\nThen close it.\n\n![A gate](../gate.png)\n"
    files = {f"docs/{name}/fill.md": page.format(name.title()) for name in ("lake", "pond", "river")}
    made_.commit("First", {**files, "docs/gate.png": "a picture", "mkdocs.yml": "site_name: Lakes\n"})
    monkeypatch.chdir(made_.folder)
    adopted = CliRunner().invoke(main, ["adopt", "docs", "--into", ".", "--remove-copies"])
    assert adopted.exit_code == 0, adopted.output
    assert "fill" not in text()
    assert "docs folder" not in text()


def test_an_old_revision_with_a_broken_template_is_compared_as_far_as_it_goes(project: Repository) -> None:
    project.edit(REPORT, "{{ link('measure') }}", "{{ link('mesure') }}")
    broken = project.commit("Broken")
    project.edit(REPORT, "{{ link('mesure') }}", "{{ link('measure') }}")
    project.edit(MEASURE, "soft", "stiff")
    ran = diff(broken)
    assert ran.exit_code == 0
    assert "⟦stiff⟧" in ran.output
    assert (
        f"Problem: {broken[:10]}: site_templates/steps/report.md.j2:5:31: undefined-name: unknown step `mesure`"
        in ran.output
    )
    assert "not rendered, and so not compared: report (lake), report (river), report (sea)" in ran.output
    assert "page new" not in ran.output


def test_an_old_revision_with_broken_data_leaves_the_hand_written_pages(project: Repository) -> None:
    project.edit("platforms.yaml", "platforms:", "plattforms:")
    project.commit("Broken")
    project.edit("platforms.yaml", "plattforms:", "platforms:")
    project.edit("docs_src/index.md", "How much", "So much")
    ran = diff("HEAD")
    assert ran.exit_code == 0
    assert "⟦So⟧ much water" in ran.output
    assert "the data has errors, so no page of its steps could be rendered" in ran.output


def test_what_cannot_be_rendered_is_told_beside_a_file_too(project: Repository) -> None:
    project.edit(REPORT, "{{ link('measure') }}", "{{ link('mesure') }}")
    for option in ("--output-file", "--html"):
        ran = diff("HEAD", option, "changes")
        assert ran.exit_code == 2
        assert "site_templates/steps/report.md.j2:5:31: undefined-name: unknown step `mesure`" in ran.stderr
        assert (project.folder / "changes").is_file()


def test_a_page_that_cannot_be_read_is_neither_new_nor_gone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    repository = Repository(tmp_path)
    repository.commit("Pages", {"one.md": "# One\n", "two.md": "# Two\n"})
    (tmp_path / "one.md").write_bytes(b"# \xe9\n")
    repository.write({"two.md": "# Twice\n"})
    monkeypatch.chdir(tmp_path)
    ran = diff("HEAD")
    told = ran.output
    assert ran.exit_code == 2
    assert "Problem: the working tree: one.md:1:3: unreadable-file: byte 2 (0xe9, line 1) is not UTF-8" in told
    assert "not rendered, and so not compared: one.md" in told
    assert told.endswith("1 of 1 page changes, in 2 places.\n")


def test_two_broken_sides_end_the_run(project: Repository) -> None:
    project.edit("platforms.yaml", "platforms:", "plattforms:")
    project.commit("Broken")
    project.edit("platforms.yaml", "tutorials:", "tutorial:")
    ran = diff("HEAD")
    assert ran.exit_code == 2
    assert "cannot render either side" in ran.stderr
    with pytest.raises(NothingRendered):
        rendered_pages.compare_revisions(project.folder, "HEAD", None)


# --- Markdown for a pull request

HOSTILE = "Ask @team about #12.\n\n</details>\n\n```` ```diff\n<script>alert(1)</script> `` ` <b>bold</b> [x](javascript:1) ![i](//h/p)"


def test_nothing_in_a_page_breaks_out_of_the_comment(project: Repository) -> None:
    project.write({"docs_src/index.md": f"# @team </summary> `` <img src=x> [a](//h)\n\n{HOSTILE}\n"})
    comment = text("--output-format", "markdown")
    rendered = MarkdownIt("gfm-like", {"linkify": False}).render(comment)

    class Tags(HTMLParser):
        def __init__(self) -> None:
            super().__init__()
            self.open: list[str] = []
            self.seen: set[str] = set()
            self.mentions: list[str] = []

        def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
            self.seen.add(tag)
            self.open.append(tag)

        def handle_endtag(self, tag: str) -> None:
            assert self.open.pop() == tag

        def handle_data(self, data: str) -> None:
            if "@team" in data and not {"code", "pre"} & set(self.open):
                self.mentions.append(data)

    tags = Tags()
    tags.feed(rendered)
    assert tags.open == []
    assert tags.mentions == []
    assert tags.seen == {"details", "summary", "p", "strong", "code", "pre", "ul", "li", "sub"}


def test_a_comment_fits_and_says_what_is_left_out(project: Repository) -> None:
    many = {
        f"docs_src/page{n}.md": f"# Page {n}\n\n" + "\n\n".join(f"Line {i} of {n}." * 9 for i in range(40))
        for n in range(30)
    }
    project.commit("Many", many)
    project.write({name: page.replace("Line", "Row") for name, page in many.items()})
    comment = text("--output-format", "markdown")
    assert 20_000 < len(comment.encode()) < 61_000
    assert re.search(r"…and [\d,]+ changes in \d+ more steps, which do not fit into a comment\.\n$", comment)
    assert comment.count("<details>") == comment.count("</details>")


def test_the_comment_of_no_change(project: Repository) -> None:
    assert text("--output-format", "markdown").startswith(f"{markdown.MARK}\n**Nothing changed for readers.**\n")


def test_a_cell_with_a_word_of_each_platform_in_it_is_told_once_where_it_changed(project: Repository) -> None:
    project.edit("platforms.yaml", "{gauge: Lake gauge}}", "{gauge: Lake gauge}, values: {port: '4410'}}")
    project.edit("platforms.yaml", "{gauge: Stream gauge}}", "{gauge: Stream gauge}, values: {port: '4411'}}")
    project.edit("platforms.yaml", "{gauge: Tide gauge}}", "{gauge: Tide gauge}, values: {port: '4412'}}")
    project.edit("platforms.yaml", "Wait for rain.", "'Send each on {port}.'")
    project.edit("site_templates/steps/measure.md.j2", "table('levels')", "table('levels', port=platform.values.port)")
    project.commit("Ports")
    project.edit("platforms.yaml", "Send each", "Send every")
    told = text()
    assert "Send ⟦every⟧ on 4410." in told
    assert told.count("Send ⟦every⟧") == 1
    assert re.search(r"all 3 platforms · platforms\.yaml:14:\d+", told)


# --- JSON and HTML


def test_json(project: Repository) -> None:
    project.edit("platforms.yaml", "Close the gate.", "Close both gates.")
    told = json.loads(text("--output-format", "json"))
    (step,) = told["steps"]
    (change,) = step["changes"]
    assert (told["changed_pages"], told["pages"], step["name"]) == (2, 7, "water/measure")
    assert change["cells"] == [{"column": "Advice", "old": "Close the gate.", "new": "Close both gates."}]
    assert (change["platforms"], change["others"]) == (["lake", "river"], {"sea": "stays as it is"})
    assert change["sources"]["lake"] == {"path": "platforms.yaml", "line": 15, "column": 41}
    assert step["pages"]["lake"]["address"] == "/lake/measure/"


def test_a_page_asks_no_host_and_runs_nothing(project: Repository) -> None:
    project.write({"docs_src/index.md": f"# Water\n\n{HOSTILE}\n"})
    file = project.folder / "out.html"
    assert "See out.html" in text("--html", "out.html")
    page = file.read_text(encoding="utf-8")
    assert "default-src 'none'" in page
    assert "<script" not in page
    assert not re.search(r'(?:src|href)="(?!#|data:)', page)
    assert "The whole page" in page


def test_the_text_is_as_wide_as_the_terminal(project: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    project.edit(MEASURE, "Clean the gauge", "Before you read it, clean the whole gauge from top to bottom")
    monkeypatch.setenv("COLUMNS", "50")
    lines = text().splitlines()
    assert max(len(line) for line in lines if "site_templates" not in line and "→" not in line) <= 50
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert "\x1b[32m" in text()


def test_words_that_changed_are_stretches() -> None:
    told = [(p.how, p.text) for p in split_pieces("Click the red button.", "Click the big green button.")]
    assert told == [("same", "Click the "), ("old", "red"), ("new", "big green"), ("same", " button.")]


def test_as_a_library(project: Repository) -> None:
    project.edit(MEASURE, "soft", "stiff")
    found: Difference = rendered_pages.compare_revisions(project.folder, "HEAD", None, Selection(platforms=["sea"]))
    assert [step.name for step in found.changed_steps] == ["water/measure"]
    assert found.count_changed_pages() == 1
