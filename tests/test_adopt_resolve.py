"""What `adopt --resolve` changes, and what it leaves to each platform: no reader loses a fact."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.test_adopt import rendered, run, written
from tests.test_adopt_drift import COMMON, FRONT, adopted, body, commit, copies
from tutorial_tool.adopt import sets
from tutorial_tool.adopt.resolve import Evidence
from tutorial_tool.adopt.resolve.decisions import Stake, has_same_words
from tutorial_tool.cli import main


def resolved(folder: Path, **texts: str) -> str:
    """What settling the drift of these copies prints."""
    return adopted(copies(folder / "docs", **texts), folder / "out", "--resolve", "--yes")


def shown(folder: Path, platform: str) -> str:
    """What a platform's page says behind the common text."""
    return rendered(folder / "out")[f"guides/{platform}/pair.md"].decode().partition(COMMON)[2]


# What readers would lose


@pytest.mark.parametrize(
    ("one", "other", "stake"),
    [
        ("You need Node 18 or later.", "You need Python 3.9 or later, and pip.", Stake.NUMBER),
        ("Wait for 30 seconds.", "Wait for 30 minutes.", Stake.NUMBER),
        ("A scene has up to 5 lamps.", "A scene has over 5 lamps.", Stake.WORDING),
        ("Always expose the port.", "Never expose the port.", Stake.OPPOSITE),
        ("A scene has at most a few lamps.", "A scene has at least a few lamps.", Stake.OPPOSITE),
        ("See [grpc][] first.", "See [grpc-php][] first.", Stake.CODE),
        ("See [it](a.md) first.", "See [it](b.md) first.", Stake.TARGET),
        ("Open the sample app in Xcode.", "Open the sample app.", Stake.ADDITION),
        ("Enter your new key and secret.", "Enter your new key.", Stake.ADDITION),
        ("Send it to Braze as a cohort.", "Send it to LinkedIn as a cohort.", Stake.WORDING),
        ("They post event data.", "They posts event data.", Stake.WORDING),
        ("It is sent from that data.", "It is sent from the data.", Stake.WORDING),
        ("It starts on first page load.", "It starts on first app launch.", Stake.WORDING),
        ("The method is empty. You can fill it.", "The method is empty, you can fill it.", Stake.ADDITION),
        ("The lamp shows its colour.", "The lamp shows its color.", Stake.SPELLING),
        ("The IP Address is a real-time value", "The IP address is a real time value.", Stake.SPELLING),
    ],
)
def test_what_readers_would_lose_is_known(one: str, other: str, stake: Stake, tmp_path: Path) -> None:
    found = sets.find((copies(tmp_path, ios=f"{one}\n", web=f"{other}\n"),))
    choices = list(Evidence.collect(found.sets, found.root).find_choices(found.sets[0]))
    assert [(choice.stake, choice.winner) for choice in choices] == [(stake, None)]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("log in", "login"), ("the NodeJS kit", "the Nodejs kit"), ("5 Mb", "5 MB"), ("four lamps", "for lamps"),
        ("planned", "planed"), ("-20", "20"), ("1.0", "10"), ("don't", "do not"), ("yours", "your"),
    ],
)  # fmt: skip
def test_what_is_more_than_a_spelling(one: str, other: str) -> None:
    assert not has_same_words(one, other)


def test_no_date_and_no_majority_takes_a_fact(tmp_path: Path) -> None:
    text = "You need {}.\n\nThe port is {}, and you {} expose it.\n\nWait for {} seconds.\n\nOpen the sample app{}.\n"
    old = text.format("Node 18 or later", 3000, "always", 30, " in Xcode")
    new = text.format("Python 3.9 or later, and pip", 8000, "never", 60, "")
    folder = copies(tmp_path / "docs", node=old)
    commit(folder, "2026-01-02T00:00:00Z")
    written(folder, {f"guides/{name}/pair.md": FRONT + COMMON + new for name in ("python", "ruby")})
    commit(folder, "2026-03-04T00:00:00Z")
    out = adopted(folder, tmp_path / "out", "--resolve", "--yes")
    assert "Stays open, numbers and units: " in out
    assert "takes" not in out
    assert shown(tmp_path, "node") == old


def test_ids_and_titles_in_front_matter_stay(tmp_path: Path) -> None:
    page = "---\ntitle: {} Destination\nid: {}\n---\n\n" + COMMON
    own = {"ios": ("Koala", "srv-1"), "web": ("Koala (Cloud)", "srv-2"), "tv": ("Koala (Cloud)", "srv-2")}
    pages = {f"guides/{name}/pair.md": page.format(*said) for name, said in own.items()}
    out = adopted(written(tmp_path / "docs", pages), tmp_path / "out", "--resolve", "--yes")
    assert "Stays open, front matter: " in out
    assert rendered(tmp_path / "out")["guides/ios/pair.md"].decode() == pages["guides/ios/pair.md"]


def test_a_reference_that_a_copy_lacks_is_not_put_there(tmp_path: Path) -> None:
    text = "Read [{0}][] before you go on with {1}.\n\n[{0}]: https://example.com/{0}\n"
    own = {"php": ("grpc", "PHP"), "dart": ("grpc-dart", "Dart"), "ruby": ("grpc-ruby", "Ruby")}
    resolved(tmp_path, **{name: text.format(*said) for name, said in own.items()})
    assert shown(tmp_path, "php") == text.format("grpc", "PHP")


def test_a_picture_that_exists_is_not_exchanged_for_one_that_does_not(tmp_path: Path) -> None:
    text = "![The home screen]({}-shots/home.png)\n"
    folder = copies(
        tmp_path / "docs",
        android=text.format("web"),
        web=text.format("web"),
        tv=text.format("tv"),
        ios=text.format("ios"),
    )
    for name in ("android/web", "web/web", "tv/tv", "ios/ios"):
        written(folder, {f"guides/{name}-shots/home.png": "x"})
    adopted(folder, tmp_path / "out", "--resolve", "--yes")
    assert shown(tmp_path, "android") == text.format("web")


# What is resolved


def test_the_spelling_of_most_copies_stays(tmp_path: Path) -> None:
    text = "The IP {} is a text.\n"
    out = resolved(tmp_path, ios=text.format("Address"), web=text.format("address"), tv=text.format("address"))
    assert "Resolved, spelling: 1 choice\n" in out
    assert "because: 2 of 3 copies\n" in out
    assert body(tmp_path / "out") == text.format("address")


def test_of_two_spellings_the_newer_one_stays(tmp_path: Path) -> None:
    text = "It keeps the {} on.\n"
    folder = copies(tmp_path, ios=text.format("colour"), web=text.format("colour"))
    commit(folder, "2026-01-02T00:00:00Z")
    written(folder, {"guides/ios/pair.md": FRONT + COMMON + text.format("color")})
    commit(folder, "2026-03-04T00:00:00Z")
    assert "  because: newer: 2026-03-04\n" in adopted(folder, tmp_path / "out", "--resolve", "--yes")
    assert body(tmp_path / "out") == text.format("color")


def test_a_spelling_stays_where_its_sentence_differs_otherwise(tmp_path: Path) -> None:
    text = "The {} of a lamp is a matter of taste for {}.\n"
    out = resolved(
        tmp_path,
        ios=text.format("colour", "its owner"),
        web=text.format("color", "everybody"),
        tv=text.format("color", "everybody"),
    )
    assert "because: the wording differs: a platform may need it\n" in out
    assert shown(tmp_path, "ios") == text.format("colour", "its owner")


def test_the_plan_is_written_after_a_question(tmp_path: Path) -> None:
    text = "The lamp shows its {}.\n"
    folder = copies(tmp_path, ios=text.format("colour"), tv=text.format("color"), web=text.format("color"))
    arguments = ["adopt", str(folder), "--into", str(tmp_path / "out"), "--resolve"]
    for answer in ("", "n\n"):
        done = CliRunner().invoke(main, arguments, input=answer)
        assert (done.exit_code, (tmp_path / "out").exists()) == (2, False)
        assert "nothing was written: --yes writes the plan" in done.output
    assert CliRunner().invoke(main, arguments, input="y\n").exit_code == 0
    assert body(tmp_path / "out") == text.format("color")


# A mistake tells which spelling loses


def test_a_mistake_does_not_tell_which_sentence_is_right(tmp_path: Path) -> None:
    own = "Set the alarm and it's sound.\n"
    out = resolved(tmp_path, ios="Set the colour, its warmth, and the scenes of every room.\n", web=own)
    assert "because: the wording differs: a platform may need it\n" in out
    assert shown(tmp_path, "web") == own


def test_a_mistake_decides_nothing_in_a_sentence_that_differs_elsewhere_too(tmp_path: Path) -> None:
    out = resolved(tmp_path, ios="In teh dark, it takes 20 seconds.\n", web="In the dark, it takes 30 seconds.\n")
    assert "because: a number or what it counts differs: each may be right\n" in out
    assert "misspelling: `teh` should read `the` [ios]" in out


def test_what_is_found_in_a_link_tells_nothing_of_its_address(tmp_path: Path) -> None:
    text = "| Notice |\n| --- |\n| This kit is old. How to leave it is told [here](https://example.com/{}/#leave). |\n"
    resolved(tmp_path, **{name: text.format(at) for name, at in (("ios", "a"), ("web", "b"), ("tv", "b"))})
    assert "https://example.com/a/#leave" in shown(tmp_path, "ios")


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


# What is code without marks, and what stands elsewhere


@pytest.mark.parametrize(
    "line", ['<Snippet text="touch {}" />', '{{% include file="{}" %}}', '<Card\n  command="touch {}"\n/>']
)
def test_what_a_component_gets_is_code(tmp_path: Path, line: str) -> None:
    texts = dict.fromkeys(("web", "tv"), line.replace("{}", "env-local") + "\n")
    resolved(tmp_path, ios=line.replace("{}", "env") + "\n", **texts)
    assert shown(tmp_path, "ios") == line.replace("{}", "env") + "\n"


def test_what_stands_in_a_component_is_its_own(tmp_path: Path) -> None:
    line = "<Signature>isLit(): {}</Signature>\n"
    resolved(tmp_path, web=line.format("boolean"), kotlin=line.format("Boolean"), tv=line.format("boolean"))
    assert shown(tmp_path, "kotlin") == line.format("Boolean")


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
    assert "because: labels or code differ: each may be right\n" in out
    assert shown(tmp_path, "ios") == text.format("index route", "src/index.tsx")


def test_what_front_matter_says_of_a_page_is_its_own(tmp_path: Path) -> None:
    pages = {
        f"guides/{name}/pair.md": f"---\ntitle: Pair a lamp\ndescription: {told}\n---\n\n{COMMON}"
        for name, told in (
            ("ios", "Add a lamp to an existing home, and keep its scenes."),
            ("web", "Learn how to pair your first lamp in ten minutes."),
            ("tv", "Learn how to pair your first lamp in ten minutes."),
        )
    }
    out = adopted(written(tmp_path / "docs", pages), tmp_path / "out", "--resolve", "--yes")
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


def test_what_each_platform_calls_its_own_is_no_choice(tmp_path: Path) -> None:
    text = "It keeps the {} on.\n"
    out = resolved(tmp_path, ios=text.format("light"), web=text.format("lamp"), tv=text.format("bulb"))
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


def test_a_name_with_its_version_stays(tmp_path: Path) -> None:
    text = "This is the kit for {}, and for its users.\n"
    names = {"ios": "iOS", "web": "Web", "tv": "TV 3"}
    texts = {name: f"The app for {own.split()[0]} is free.\n\n{text.format(own)}" for name, own in names.items()}
    resolved(tmp_path, **texts)
    assert shown(tmp_path, "tv") == texts["tv"]


def test_a_label_that_one_copy_writes_a_letter_off_is_an_open_choice(tmp_path: Path) -> None:
    text = "# Pair\n\nA lamp is paired once, and stays paired until you reset it.\n\nOpen **{}**, and click **{}**.\n"
    own = {"ios": ("Depots", "Add it"), "web": ("Depot", "Take it"), "tv": ("Depots", "Put it in")}
    written(tmp_path, {f"docs/{id_}/pair.md": text.format(*said) for id_, said in own.items()})
    told = run(tmp_path / "docs", "--into", tmp_path / "out").output
    assert "1 choice open" in told
    assert "Depot**, and click **Take it**." in told
