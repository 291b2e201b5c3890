"""What `adopt --resolve` leaves to each platform: sentences and words of its own, and halves of a text."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tests.test_adopt import rendered, run, written
from tests.test_adopt_drift import COMMON, FRONT, adopted, body, commit, copies
from tutorial_tool.adopt.names.own_names import OwnNames
from tutorial_tool.adopt.resolve.deciding import Decision
from tutorial_tool.adopt.resolve.differences import Difference
from tutorial_tool.adopt.resolve.together import MIXED, Decided, bound


def resolved(folder: Path, **texts: str) -> str:
    """What settling the drift of these copies prints."""
    return adopted(copies(folder / "docs", **texts), folder / "out", "--resolve")


def shown(folder: Path, platform: str) -> str:
    """What a platform's page says behind the common text."""
    return rendered(folder / "out")[f"guides/{platform}/pair.md"].decode().partition(COMMON)[2]


# A mistake tells which spelling loses


def test_a_mistake_does_not_tell_which_sentence_is_right(tmp_path: Path) -> None:
    own = "Set the alarm and it's sound.\n"
    out = resolved(tmp_path, ios="Set the colour, its warmth, and the scenes of every room.\n", web=own)
    assert "because: nothing speaks for either\n" in out
    assert shown(tmp_path, "web") == own


def test_a_mistake_does_not_split_the_votes(tmp_path: Path) -> None:
    text = "It keeps {} on.\n"
    out = resolved(tmp_path, ios=text.format("teh lamp"), web=text.format("the lamp"), tv=text.format("the light"))
    assert "because: 2 of 3 copies\n" in out
    assert body(tmp_path / "out") == text.format("the lamp")


def test_a_text_with_a_mistake_is_nobody_elses(tmp_path: Path) -> None:
    most = "It keeps teh lamp on for a while.\n"
    out = resolved(tmp_path, ios=most, web=most, tv="It keeps the light on for a minute.\n")
    assert "because: misspelling in the text that would stay (2 of 3 copies)\n" in out
    assert shown(tmp_path, "tv") == "It keeps the light on for a minute.\n"


def test_a_mistake_decides_in_a_sentence_that_differs_elsewhere_too(tmp_path: Path) -> None:
    out = resolved(tmp_path, ios="In teh dark, it takes 20 seconds.\n", web="In the dark, it takes 30 seconds.\n")
    assert "because: misspelling in the other\n" in out
    assert shown(tmp_path, "ios") == "In the dark, it takes 20 seconds.\n"


def test_what_is_found_in_a_link_tells_nothing_of_its_address(tmp_path: Path) -> None:
    text = "| Notice |\n| --- |\n| This kit is old. How to leave it is told [here](https://example.com/{}/#leave). |\n"
    out = resolved(tmp_path, **{name: text.format(at) for name, at in (("ios", "a"), ("web", "b"), ("tv", "b"))})
    assert "because: addresses differ: each may be right\n" in out
    assert "https://example.com/a/#leave" in shown(tmp_path, "ios")


# Words of a platform's own


def test_code_does_not_tell_what_a_platform_says(tmp_path: Path) -> None:
    text = "Start the {0}.\n\n```text\n{1}\n```\n\n| Error | Reason |\n| --- | --- |\n| `E1` | The {0} is off. |\n"
    out = resolved(
        tmp_path,
        ios=text.format("skill", "widget start"),
        web=text.format("widget", "widget start"),
        tv=text.format("widget", "widget start"),
    )
    assert out.count("never says 'skill', and ios never 'widget': both may be meant\n") == 2
    assert "The skill is off." in shown(tmp_path, "ios")


def test_words_that_differ_in_many_places_stay_in_cells(tmp_path: Path) -> None:
    text = (
        "Start the {0}.\n\nStop the {0}.\n\nClose the {0}, or an app.\n\n"
        "| Event | When |\n| --- | --- |\n| `front` | The {0} comes to the front. |\n"
    )
    resolved(tmp_path, ios=text.format("skill"), web=text.format("app"), tv=text.format("app"))
    assert shown(tmp_path, "ios") == text.format("skill")


def test_a_word_that_stays_open_does_so_in_all_places(tmp_path: Path) -> None:
    text = (
        "A bulb is a lamp, and a lamp is a bulb.\n\nYou get a {0} of the kind that fits in {1} shops near you.\n\n"
        "| Part | What |\n| --- | --- |\n| Wake | The {0} turns on. |\n"
    )
    out = resolved(tmp_path, ios=text.format("bulb", 5), web=text.format("lamp", 9), tv=text.format("lamp", 9))
    assert "because: they differ in a number\n" in out
    assert "because: the same words stay open elsewhere\n" in out
    assert shown(tmp_path, "ios") == text.format("bulb", 5)


def test_a_term_of_two_words_is_one(tmp_path: Path) -> None:
    text = "Open a {0} request, and ask for a review.\n\nPull the branch, and merge it.\n\nA {0} request is closed by itself.\n"
    out = resolved(tmp_path, ios=text.format("merge"), web=text.format("pull"), tv=text.format("pull"))
    assert "never says 'merge request', and ios never 'pull request': both may be meant\n" in out
    assert shown(tmp_path, "ios") == text.format("merge")


def test_a_term_that_one_platform_alone_says_twice_is_its_own(tmp_path: Path) -> None:
    text = "You need a pull request.\n\nOpen a {0} request, and ask for a review.\n\nPull the branch, and merge it.\n\n{1}\n"
    texts = {name: text.format("pull", "It is closed by itself.") for name in ("web", "tv")}
    out = resolved(tmp_path, ios=text.format("merge", "A merge request is closed by itself."), **texts)
    assert "because: only ios says 'merge request', and more than once: that may be meant\n" in out
    assert "Open a merge request" in shown(tmp_path, "ios")


def test_a_word_that_one_platform_alone_says_twice_is_its_own(tmp_path: Path) -> None:
    text = "Start the {}.\n\nAn app is a thing that runs. {}\n"
    out = resolved(
        tmp_path,
        ios=text.format("skill", "A skill does so, too."),
        web=text.format("app", "It stops by itself."),
        tv=text.format("app", "It stops by itself."),
    )
    assert "because: only ios says 'skill', and more than once: that may be meant\n" in out
    assert shown(tmp_path, "ios").startswith("Start the skill.\n")


# Sentences as a whole


def test_no_half_of_a_heading_is_settled(tmp_path: Path) -> None:
    most = "## Where the lamp stays off\n"
    out = resolved(tmp_path, ios="## Turn the lamp off\n", web=most, tv=most, watch=most)
    assert "  keeps 'Turn the lamp ' (ios; guides/ios/pair.md:11:4)\n" in out
    assert shown(tmp_path, "ios") == "## Turn the lamp off\n"


def test_a_sentence_is_settled_to_what_a_copy_has(tmp_path: Path) -> None:
    text = "It keeps the {} on until {} morning comes, and the sun with it.\n"
    resolved(
        tmp_path,
        ios=text.format("light", "next"),
        web=text.format("lamp", "early"),
        tv=text.format("lamp", "next"),
    )
    assert body(tmp_path / "out") == text.format("lamp", "next")


def test_no_sentence_is_made_that_no_copy_has() -> None:
    place = Difference({}, "", sentence=("ios", 0))
    words = (
        {"ios": "x", "web": "a", "tv": "a"},
        {"ios": "b", "web": "x", "tv": "b"},
        {"ios": "c", "web": "c", "tv": "x"},
    )
    two = Decision(0, "2 of 3 copies")
    found = [Decided(texts, [place], replace(two, winner=int(texts["ios"] == "x"))) for texts in words]
    assert [one.decision for one in bound(found[:2], OwnNames(()))] == [one.decision for one in found[:2]]
    assert {one.decision for one in bound(found, OwnNames(()))} == {Decision(None, MIXED)}


def test_sentences_are_settled_one_by_one(tmp_path: Path) -> None:
    text = "It keeps the {} on for a while. It needs {} MB of storage.\n"
    resolved(tmp_path, ios=text.format("light", 5), web=text.format("lamp", 9), tv=text.format("lamp", 9))
    assert shown(tmp_path, "ios") == text.format("lamp", 5)


def test_a_date_settles_all_of_a_sentence(tmp_path: Path) -> None:
    text = "It keeps the {} on until {} morning comes, and the sun with it.\n"
    folder = copies(tmp_path, ios=text.format("lamp", "next"), web=text.format("lamp", "next"))
    commit(folder, "2026-01-02T00:00:00Z")
    written(folder, {"guides/ios/pair.md": FRONT + COMMON + text.format("bulb", "early")})
    commit(folder, "2026-03-04T00:00:00Z")
    assert "because: newer: 2026-03-04\n" in adopted(folder, tmp_path / "out", "--resolve")
    assert body(tmp_path / "out") == text.format("bulb", "early")


def test_what_a_number_counts_belongs_to_it(tmp_path: Path) -> None:
    text = (
        "You see the lamp within 30 {}, in seconds or minutes.\n\nDas dauert bis zu 5 {}, also Sekunden oder Minuten.\n"
    )
    own, most = text.format("seconds", "Sekunden"), text.format("minutes", "Minuten")
    out = resolved(tmp_path, ios=own, web=most, tv=most)
    assert out.count("because: they differ in what a number counts\n") == 2
    assert shown(tmp_path, "ios") == own


def test_a_unit_that_is_written_in_two_ways_is_drift(tmp_path: Path) -> None:
    text = "You see the lamp within 30 {}, and it takes some min or minutes more.\n"
    resolved(tmp_path, ios=text.format("min"), web=text.format("minutes"), tv=text.format("minutes"))
    assert body(tmp_path / "out") == text.format("minutes")


# Words that turn the sense around


@pytest.mark.parametrize(
    ("most", "odd", "why"),
    [
        ("Do not hold the lamp while it blinks.", "Hold the lamp while it blinks.", "'not' turns the sense around"),
        ("It never dims the lamp at night.", "It dims the lamp at night.", "'never' turns the sense around"),
        (
            "A scene has at most a few lamps.",
            "A scene has at least a few lamps.",
            "'least' and 'most' say the opposite",
        ),
        (
            "Turn the lamp on before you go on.",
            "Turn the lamp off before you go on.",
            "'off' and 'on' say the opposite",
        ),
        (
            "The lamp is enabled when you open the app.",
            "The lamp is disabled when you open the app.",
            "'disabled' and 'enabled' say the opposite",
        ),
        ("Halte die Lampe nicht fest.", "Halte die Lampe fest.", "'nicht' turns the sense around"),
        (
            "The lamp blinks before it is paired.",
            "The lamp blinks after it is paired.",
            "'after' and 'before' say the opposite",
        ),
    ],
)
def test_no_majority_turns_the_sense_around(tmp_path: Path, most: str, odd: str, why: str) -> None:
    out = resolved(tmp_path, ios=f"{odd}\n", web=f"{most}\n", tv=f"{most}\n")
    assert f"because: {why}: choose by hand\n" in out
    assert shown(tmp_path, "ios") == f"{odd}\n"


def test_what_turns_the_sense_around_is_told_first(tmp_path: Path) -> None:
    text = "Fade it {} for a moment.\n\nIt is {} that the lamp blinks.\n"
    folder = copies(
        tmp_path / "docs",
        ios=text.format("softly", "not true"),
        web=text.format("slowly", "true"),
        tv=text.format("gently now", "true"),
    )
    out = adopted(folder, tmp_path / "out")
    assert "open: " in out
    assert "not" in out.partition("open: ")[2].partition("\n")[0]


def test_a_sentence_that_is_rewritten_is_not_turned_around(tmp_path: Path) -> None:
    most = "Scenes fade slowly, so that your guests in other rooms have time for a look at every lamp.\n"
    out = resolved(tmp_path, ios="If you want so, no lamp moves or changes at once.\n", web=most, tv=most)
    assert "turns the sense around" not in out


def test_no_half_of_a_list_of_code_is_settled(tmp_path: Path) -> None:
    most = "Choose the events `paired`, `lit` and `gone`. Then wait for it.\n"
    few = "Choose the events `paired` and `lit`. Then wait for it.\n"
    out = resolved(tmp_path, ios=most, web=most, tv=most, watch=few)
    assert "because: labels or code differ: each may be right\n" in out
    assert shown(tmp_path, "watch") == few


def test_a_mistake_in_the_form_of_a_row_says_nothing_of_its_words(tmp_path: Path) -> None:
    table = "| Code | Meaning | What to do |\n| --- | --- | --- |\n| E11 | It is gone. |{} Hold it two {} away. |\n"
    british, other = table.format("", "metres"), table.format("", "meters")
    out = resolved(tmp_path, ios=table.format(" |", "meters"), web=british, tv=other)
    assert "malformed-table in the other" not in out
    assert "two metres away" not in shown(tmp_path, "tv")


def test_a_word_of_two_that_a_copy_never_says_is_not_put_there(tmp_path: Path) -> None:
    text = (
        "The lamp has a {0}, and the light stays on.\n\n| Code | Meaning |\n| --- | --- |\n| E20 | The {1} is gone. |\n"
    )
    texts = {"ios": ("dial", "dial"), "web": ("brake light", "brake light"), "tv": ("lock", "brake light")}
    out = resolved(tmp_path, **{name: text.format(*own) for name, own in texts.items()})
    assert "because: ios never says 'brake': its own word may be meant\n" in out
    assert "| E20 | The dial is gone. |" in shown(tmp_path, "ios")


# What is code without marks, and what stands elsewhere


@pytest.mark.parametrize(
    "line", ['<Snippet text="touch {}" />', '{{% include file="{}" %}}', '<Card\n  command="touch {}"\n/>']
)
def test_what_a_component_gets_is_code(tmp_path: Path, line: str) -> None:
    texts = dict.fromkeys(("web", "tv"), line.replace("{}", "env-local") + "\n")
    out = resolved(tmp_path, ios=line.replace("{}", "env") + "\n", **texts)
    assert "because: labels or code differ: each may be right\n" in out
    assert shown(tmp_path, "ios") == line.replace("{}", "env") + "\n"


def test_what_a_component_shows_to_readers_is_prose(tmp_path: Path) -> None:
    text = '<Card title="Open the {}" />\n'
    resolved(tmp_path, ios=text.format("light"), web=text.format("lamp"), tv=text.format("lamp"))
    assert body(tmp_path / "out") == text.format("lamp")


def test_a_statement_of_mdx_is_code(tmp_path: Path) -> None:
    text = "import {{ Lamp }} from '{}'\n\nThe lamp is here.\n"
    resolved(tmp_path, ios=text.format("kit"), web=text.format("lamps"), tv=text.format("lamps"))
    assert shown(tmp_path, "ios") == text.format("kit")


def test_words_beside_code_that_differs_are_its_own(tmp_path: Path) -> None:
    text = "Update the {} (`{}`) as you like, and save it.\n"
    out = resolved(
        tmp_path,
        ios=text.format("index route", "src/index.tsx"),
        web=text.format("root page", "app/page.tsx"),
        tv=text.format("root page", "app/main.tsx"),
    )
    assert "because: the code that it speaks of differs, too\n" in out
    assert shown(tmp_path, "ios") == text.format("index route", "src/index.tsx")


def test_a_text_that_names_its_own_platform_stays(tmp_path: Path) -> None:
    most = "Install the React hooks of the lamp.\n\nOpen the page of {}. Bindings are hooks, too.\n"
    texts = {name: most.format(name) for name in ("gatsby", "remix", "expo")}
    own = "Install the Svelte bindings of the lamp.\n\nOpen the page of Svelte. React has hooks, and a lamp of React too.\n"
    out = resolved(tmp_path, svelte=own, **texts)
    assert "svelte says its own name here: that may be meant\n" in out
    assert "Install the Svelte bindings of the lamp." in shown(tmp_path, "svelte")


def test_no_heading_is_put_where_the_copy_has_it_elsewhere(tmp_path: Path) -> None:
    text = "## {}\n\nThe lamp blinks.\n\n## Then\n\nIt is on.\n"
    out = resolved(
        tmp_path,
        ios="## Updates\n\nThe lamp blinks.\n\n## Then\n\nIt is on.\n\n## Upgrading\n\nTurn it off first.\n",
        web=text.format("Upgrading"),
        tv=text.format("Upgrading"),
    )
    assert "because: ios says that elsewhere: its own text here may be meant\n" in out
    assert shown(tmp_path, "ios").startswith("## Updates\n")


def test_a_sentence_that_was_pasted_from_another_section_is_not_spread(tmp_path: Path) -> None:
    text = (
        "## Rules\n\nIt lights only those lamps with the given rules. A rule is a text.\n\n"
        "## Tags\n\nIt lights only those lamps with the given {}. A tag is a text, and so are tags.\n"
    )
    out = resolved(tmp_path, ios=text.format("tags"), web=text.format("rules"), tv=text.format("rules"))
    assert "because: ios says that elsewhere: its own text here may be meant\n" in out
    assert shown(tmp_path, "ios") == text.format("tags")


def test_a_phrase_that_stands_everywhere_may_be_spread(tmp_path: Path) -> None:
    text = "Run the following command in a terminal:\n\n    lamp\n\n{} the following command in a terminal:\n\n    lamp on\n"
    resolved(tmp_path, ios=text.format("Start"), web=text.format("Run"), tv=text.format("Run"))
    assert body(tmp_path / "out") == text.format("Run")


def test_what_front_matter_says_of_a_page_is_its_own(tmp_path: Path) -> None:
    pages = {
        f"guides/{name}/pair.md": f"---\ntitle: Pair a lamp\ndescription: {told}\n---\n\n{COMMON}"
        for name, told in (
            ("ios", "Add a lamp to an existing home, and keep its scenes."),
            ("web", "Learn how to pair your first lamp in ten minutes."),
            ("tv", "Learn how to pair your first lamp in ten minutes."),
        )
    }
    out = adopted(written(tmp_path / "docs", pages), tmp_path / "out", "--resolve")
    assert "because: what a page's front matter says of it may be its own\n" in out
    assert rendered(tmp_path / "out")["guides/ios/pair.md"].decode() == pages["guides/ios/pair.md"]


def test_a_link_from_the_root_does_not_win_against_one_that_leads_nowhere(tmp_path: Path) -> None:
    text = "Read the [introduction]({}) first, or come back.\n"
    out = resolved(
        tmp_path, ios=text.format("/start.html"), web=text.format("../start.md"), tv=text.format("../start.md")
    )
    assert shown(tmp_path, "web") == text.format("../start.md")
    assert "takes '/start.html'" not in out


def test_a_fence_right_behind_text_is_no_part_of_it(tmp_path: Path) -> None:
    own = '## Errors\n\nIf you catch errors, it goes on.\n```\nlamp.on("error", () => {});\n\n```\n\n'
    text = "{}## Upgrading\n\nRun this in the folder of the kit:\n\n```shell\nlamp upgrade\n```\n\nIt does the rest.\n"
    out = resolved(tmp_path, ios=text.format(own), web=text.format(""), tv=text.format(""))
    assert "drops" not in out
    assert shown(tmp_path, "ios") == text.format(own)
    template = (tmp_path / "out/site_templates/steps/pair.md.j2").read_text(encoding="utf-8")
    assert template.count("## Upgrading") == 1


def test_what_nobody_has_to_choose_is_told_so(tmp_path: Path) -> None:
    text = "It keeps the {} on.\n"
    out = resolved(tmp_path, ios=text.format("light"), web=text.format("lamp"), tv=text.format("bulb"))
    assert "because: nothing speaks for one of them (each has its own: no open choice)\n" in out
    assert "; 0 choices open." in out


@pytest.mark.parametrize(
    ("usual", "odd"), [("20 to 60", "-20 to 60"), ("up to 5", "over 5"), ("≥ 5", "≤ 5"), ("-4", "4")]
)
def test_a_sign_or_a_bound_is_no_slip(usual: str, odd: str, tmp_path: Path) -> None:
    text = "Read it.\n\n| Sensor | Range |\n| --- | --- |\n| Air | {} |\n| Soil | 7 |\n"
    out = resolved(
        tmp_path, ios=text.format(usual), web=text.format(usual), tv=text.format(odd), car=text.format(usual)
    )
    assert "takes" not in out
    assert shown(tmp_path, "tv") == text.format(odd)


def test_a_name_with_its_version_is_no_choice(tmp_path: Path) -> None:
    text = "This is the kit for {}, and for its users.\n"
    names = {"ios": "iOS", "web": "Web", "tv": "TV 3"}
    texts = {name: f"The app for {own.split()[0]} is free.\n\n{text.format(own)}" for name, own in names.items()}
    out = resolved(tmp_path, **texts)
    assert "they differ in a number" not in out
    assert "; 0 choices open." in out
    assert shown(tmp_path, "tv") == texts["tv"]


def test_a_label_that_one_copy_writes_a_letter_off_is_an_open_choice(tmp_path: Path) -> None:
    text = "# Pair\n\nA lamp is paired once, and stays paired until you reset it.\n\nOpen **{}**, and click **{}**.\n"
    own = {"ios": ("Depots", "Add it"), "web": ("Depot", "Take it"), "tv": ("Depots", "Put it in")}
    written(tmp_path, {f"docs/{id_}/pair.md": text.format(*said) for id_, said in own.items()})
    told = run(tmp_path / "docs", "--into", tmp_path / "out").output
    assert "1 choice open" in told
    assert "'Depots' (ios, tv) or 'Depot' (web)" in told
