"""Where the names of a project are defined and used: `tutorial-tool where`, and `uses` as a library."""

from __future__ import annotations

import json
from contextlib import chdir
from pathlib import Path
from textwrap import dedent

import pytest
from click.testing import CliRunner, Result

from tutorial_tool import site
from tutorial_tool.cli import main
from tutorial_tool.site import loading, symbols
from tutorial_tool.site.symbols import Name, Occurrence, SymbolIndex, SymbolKind
from tutorial_tool.site.symbols.matching import find_names, format_hint

TREE = {
    "platforms.yaml": """\
        platforms:
          harbour:
            name: Harbour
            labels: {berth: Berth}
            values:
              "mooring line": two ropes
              crew: {pilot: Ada}
              app: The Quay
            can: [night-entry]
          river:
            name: River
            extends: harbour
            labels: {berth: Landing}
        groups:
          tidal: [harbour]
        tutorials:
          arrival:
            title: Arrival
            steps:
              - approach
              - {id: moor, only: [harbour, river]}
            on:
              river: {titles: {moor: Tie up}}
        tables:
          lights:
            columns: {light: Light, state: State}
            values: {state: [Lit, Dark]}
            rows:
              mast: {light: "Mast of {app}", state: Lit}
              stern: {light: Stern, state: Dark, on: {tidal: {state: Lit, because: tide}}}
        """,
    "site_templates/macros/say.md.j2": """\
        {% macro berth(role) %}Look for **{{ platform.label(role) }}**.{% endmacro %}
        """,
    "site_templates/steps/approach.md.j2": """\
        ---
        title: Approach
        ---
        {% from "macros/say.md.j2" import berth with context %}
        {% set crew = platform.values.crew %}

        {{ berth('berth') }} Ask {{ crew.pilot }}. Then {{ link('moor#tie') }}.

        {% if platform.id == 'harbour' and false %}{{ platform.values.app }}{% endif %}

        {{ table('lights', app=platform.values.app) }}

        {% for light in rows('lights') %}{{ light.state }} {% endfor %}
        """,
    "site_templates/steps/moor.md.j2": """\
        ---
        title: Moor
        ---
        ## Tie the boat {: #tie }

        {{ part('knots') }}

        Use {{ platform.values['mooring line'] }}{% if platform.can('night-entry') %}, also at night{% endif %}.
        """,
    "site_templates/steps/moor/knots.md": "A bowline.\n",
    "site_templates/steps/moor/knots.tidal.md": "A bowline with slack for the tide.\n",
}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    for name, text in TREE.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(dedent(text), encoding="utf-8")
    return tmp_path


@pytest.fixture
def found(project: Path) -> SymbolIndex:
    read = loading.load(site.Layout.find(project)).require_valid()
    return symbols.build_index(read)


def where(project: Path, *arguments: str) -> Result:
    with chdir(project):
        return CliRunner().invoke(main, ["where", *arguments])


def marked(place: Occurrence) -> str:
    """A place as people see it: the line of its file, and the name in it marked."""
    span = place.span
    if span.start == span.end:
        return span.path
    line = span.source.get_line_start(span.position.line), span.source.get_line_end(span.position.line)
    text = span.source.text
    return f"{text[line[0] : span.start].lstrip()}⟦{span.text}⟧{text[span.end : line[1]]}"


def used(found: SymbolIndex, kind: SymbolKind, id_: str) -> list[str]:
    return [marked(place) for place in found.uses.get(Name(kind, id_), ())]


def defined(found: SymbolIndex, kind: SymbolKind, id_: str) -> list[str]:
    return [marked(place) for place in found.definitions.get(Name(kind, id_), ())]


# --- The library


def test_an_exact_place_is_the_name_and_nothing_else(found: SymbolIndex) -> None:
    exact = [place for name in found.names for place in found.list_places(name) if place.exact]
    assert len(exact) > 40
    assert [place for place in exact if place.span.text != place.name.word] == []


def test_a_value_is_found_through_an_alias_a_branch_and_a_cell(found: SymbolIndex) -> None:
    assert defined(found, SymbolKind.VALUE, "crew.pilot") == ["crew: {⟦pilot⟧: Ada}"]
    assert used(found, SymbolKind.VALUE, "crew.pilot") == [
        "{{ berth('berth') }} Ask {{ crew.⟦pilot⟧ }}. Then {{ link('moor#tie') }}."
    ]
    assert used(found, SymbolKind.VALUE, "app") == [
        'mast: {light: "Mast of {⟦app⟧}", state: Lit}',
        "{% if platform.id == 'harbour' and false %}{{ platform.values.⟦app⟧ }}{% endif %}",
        "{{ table('lights', app=platform.values.⟦app⟧) }}",
    ]


def test_a_name_in_quotes_is_its_characters_without_them(found: SymbolIndex) -> None:
    assert defined(found, SymbolKind.VALUE, "mooring line") == ['"⟦mooring line⟧": two ropes']
    assert [line[:37] for line in used(found, SymbolKind.VALUE, "mooring line")] == [
        "Use {{ platform.values['⟦mooring line"
    ]


def test_a_label_that_a_macro_is_given_is_found_where_it_is_written(found: SymbolIndex) -> None:
    assert used(found, SymbolKind.LABEL, "berth") == [
        "{{ berth('⟦berth⟧') }} Ask {{ crew.pilot }}. Then {{ link('moor#tie') }}."
    ]
    assert [page.platform for page in found.find_pages(Name(SymbolKind.LABEL, "berth"))] == ["harbour", "river"]


def test_a_link_names_a_step_and_a_section(found: SymbolIndex) -> None:
    assert used(found, SymbolKind.STEP, "arrival/moor") == [
        "river: {titles: {⟦moor⟧: Tie up}}",
        "{{ berth('berth') }} Ask {{ crew.pilot }}. Then {{ link('⟦moor⟧#tie') }}.",
    ]
    assert used(found, SymbolKind.SECTION, "arrival/moor#tie") == [
        "{{ berth('berth') }} Ask {{ crew.pilot }}. Then {{ link('moor#⟦tie⟧') }}."
    ]
    assert defined(found, SymbolKind.SECTION, "arrival/moor#tie") == ["## Tie the boat {: #⟦tie⟧ }"]


def test_words_columns_and_rows_of_a_table(found: SymbolIndex) -> None:
    assert used(found, SymbolKind.WORD, "lights.state.Lit") == [
        'mast: {light: "Mast of {app}", state: ⟦Lit⟧}',
        "stern: {light: Stern, state: Dark, on: {tidal: {state: ⟦Lit⟧, because: tide}}}",
    ]
    assert used(found, SymbolKind.COLUMN, "lights.state")[-1] == (
        "{% for light in rows('lights') %}{{ light.⟦state⟧ }} {% endfor %}"
    )
    assert len(used(found, SymbolKind.TABLE, "lights")) == 2


def test_platforms_and_groups_are_used_in_data_templates_and_names_of_files(found: SymbolIndex) -> None:
    assert used(found, SymbolKind.PLATFORM, "harbour") == [
        "extends: ⟦harbour⟧",
        "tidal: [⟦harbour⟧]",
        "- {id: moor, only: [⟦harbour⟧, river]}",
        "{% if platform.id == '⟦harbour⟧' and false %}{{ platform.values.app }}{% endif %}",
    ]
    assert used(found, SymbolKind.GROUP, "tidal") == [
        "stern: {light: Stern, state: Dark, on: {⟦tidal⟧: {state: Lit, because: tide}}}",
        "site_templates/steps/moor/knots.tidal.md",
    ]


def test_the_names_at_a_place(found: SymbolIndex) -> None:
    text = found.site.sources["platforms.yaml"].text
    at = text.index("app: The Quay") + 1
    assert [str(place.name) for place in found.find_places_at("platforms.yaml", at)] == ["value app"]
    assert found.find_places_at("platforms.yaml", text.index("Arrival") + 1) == ()


def test_pages_of_one_definition(found: SymbolIndex) -> None:
    own, inherited = found.definitions[Name(SymbolKind.LABEL, "berth")]
    assert [page.platform for page in found.find_place_pages(own)] == ["harbour"]
    assert [page.platform for page in found.find_place_pages(inherited)] == ["river"]


def test_a_template_that_does_not_parse_hides_nothing_else(project: Path) -> None:
    (project / "site_templates/steps/moor.md.j2").write_text("---\ntitle: Moor\n---\n{{ platform.\n")
    found = symbols.build_index(loading.load(site.Layout.find(project)))
    assert len(used(found, SymbolKind.TABLE, "lights")) == 2


def test_what_a_word_of_the_command_line_means(found: SymbolIndex) -> None:
    names = found.names
    assert [str(name) for name in find_names("platform.values.app", names)] == ["value app"]
    assert [str(name) for name in find_names("platform.berth", names)] == ["label berth"]
    assert [str(name) for name in find_names("lights.mast", names)] == ["row lights.mast"]
    assert [str(name) for name in find_names("berth", names)] == ["label berth", "macro macros/say.md.j2:berth"]
    assert [str(name) for name in find_names("berth", names, [SymbolKind.LABEL])] == ["label berth"]
    assert format_hint("ligths", names) == "; did you mean `lights`?"


# --- The command


def test_a_label_with_its_places_and_pages(project: Path) -> None:
    ran = where(project, "berth", "--kind", "label")
    assert ran.exit_code == 0
    assert ran.output == dedent("""\
        label berth
          defined:
            platforms.yaml:4:14   harbour: Berth
            platforms.yaml:13:14  river: Landing
          used:
            site_templates/steps/approach.md.j2:7:11  approach (all platforms)
          2 pages:
            approach (all platforms)
        """)


def test_a_macro_says_by_way_of_what_it_is_used(project: Path) -> None:
    ran = where(project, "label.berth", "macros/say.md.j2")
    assert ran.exit_code == 2  # one name at a time
    ran = where(project, "macros/say.md.j2")
    assert "site_templates/steps/approach.md.j2:4:10  import" in ran.output


def test_a_page_kept_by_hand_wins_and_is_told(project: Path) -> None:
    copy = project / "docs_src/arrival/river/moor.md"
    copy.parent.mkdir(parents=True)
    copy.write_text("# Tie up\n\n## Tie the boat {: #tie }\n\nBy hand.\n")
    ran = where(project, "moor")
    told = "docs_src/arrival/river/moor.md:1:1   kept manually for `river`, and wins over the template"
    assert told in ran.output
    assert where(project, "knots").output.count("(harbour)") == 2


def test_what_nothing_uses_is_told(project: Path) -> None:
    data = project / "platforms.yaml"
    data.write_text(data.read_text().replace("labels: {berth: Berth}", "labels: {berth: Berth, buoy: Buoy}"))
    assert where(project, "buoy").output == dedent("""\
        label buoy
          defined:
            platforms.yaml:4:28  harbour: Buoy
          used nowhere
          on no page
        """)


def test_a_text_of_a_page_comes_from_lines_of_templates_and_data(project: Path) -> None:
    done = where(project, "for Landing")
    assert done.stdout.splitlines() == [
        "    site_templates/macros/say.md.j2:1:29  approach (river)",
        "    platforms.yaml:13:21                  approach (river)",
    ]
    assert "approach.md.j2" in where(project, "Ask Ada. Then step").stdout  # A link, of which readers see the text
    assert where(project, "for **Pier**.").stderr.endswith("; no page has this text: try fewer words\n")


def test_an_unknown_name(project: Path) -> None:
    ran = where(project, "bert")
    assert ran.exit_code == 2
    assert ran.stderr == "tutorial-tool: unknown name `bert`; did you mean `berth`?\n"


def test_outside_of_a_project(tmp_path: Path) -> None:
    ran = where(tmp_path, "berth")
    assert ran.exit_code == 2
    assert "there is no platforms.yaml in" in ran.stderr


def test_json_has_every_place(project: Path) -> None:
    (told,) = json.loads(where(project, "lights.stern", "--json").output)
    assert (told["kind"], told["id"], told["uses"]) == ("row", "lights.stern", [])
    assert told["definitions"][0] | {"value": ""} == {
        "path": "platforms.yaml",
        "line": 30,
        "column": 7,
        "end_line": 30,
        "end_column": 12,
        "exact": True,
        "how": "",
        "platform": None,
        "value": "",
    }
    assert [page["platform"] for page in told["pages"]] == ["harbour", "river"]


def test_data_that_is_wrong_still_has_names(project: Path) -> None:
    data = project / "platforms.yaml"
    data.write_text(data.read_text().replace("extends: harbour", "extends: harbor"))
    ran = where(project, "pilot")
    assert ran.exit_code == 0
    assert "site_templates/steps/approach.md.j2:7:34" in ran.stdout
    assert "unknown platform `harbor`; did you mean `harbour`?" in ran.stderr


def test_a_folder_of_the_project_will_do(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wanted = where(project, "pilot").output.replace("platforms.yaml:", "../../platforms.yaml:")
    wanted = wanted.replace("site_templates/steps/", "../../site_templates/steps/")
    monkeypatch.chdir(project / "site_templates" / "steps")
    ran = CliRunner().invoke(main, ["where", "pilot"])
    assert (ran.exit_code, ran.output) == (0, wanted)


def test_all_names(project: Path) -> None:
    lines = where(project, "--kind", "table", "--kind", "figure").output.splitlines()
    assert lines == ["table     lights"]
