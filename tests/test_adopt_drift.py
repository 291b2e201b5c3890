"""`adopt --resolve` and `--normalize`: drift is settled by evidence, and the tool computes what people typed."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.test_adopt import rendered, run, shown, written
from tutorial_tool.adopt import adopt, base, check, report, sets
from tutorial_tool.adopt.resolve.whitespace import _unify_line_breaks
from tutorial_tool.cli import main
from tutorial_tool.config.settings import Config
from tutorial_tool.linter.engine import run as lint
from tutorial_tool.site import Layout
from tutorial_tool.site.loading import load

FRONT = "---\ntitle: Step 2. Pair a lamp\n---\n\n"
COMMON = (
    "A lamp is paired once, and stays paired until you reset it.\n\nOpen the app and sign in with your account.\n\n"
    "The app looks for lamps that are near.\n\n"
)


def copies(folder: Path, **texts: str) -> Path:
    """Copies of a step, by platform, with text that all share."""
    return written(folder, {f"guides/{name}/pair.md": FRONT + COMMON + text for name, text in texts.items()})


def adopted(folder: Path, into: Path, *options: str | Path) -> str:
    """What `adopt` prints."""
    done = run(folder, "--into", into, *options)
    assert done.exit_code == 0, done.output
    return done.output


def body(project: Path) -> str:
    """What the template of the step says behind the common text."""
    return (project / "site_templates/steps/pair.md.j2").read_text(encoding="utf-8").partition(COMMON)[2]


def test_what_other_rules_find_decides_first(tmp_path: Path) -> None:
    folder = copies(
        tmp_path, ios="It keeps the light on.\n", web="It keeps teh light on.\n", tv="It keeps teh light on.\n"
    )
    out = adopted(folder, tmp_path / "out", "--resolve", "--yes")
    assert "  takes `It keeps the light on.` (ios; guides/ios/pair.md:11:1)\n" in out
    assert (
        "  drops `It keeps teh light on.` (tv, web; guides/tv/pair.md:11:1)\n  because: misspelling in the other\n"
        in out
    )
    assert body(tmp_path / "out") == "It keeps the light on.\n"


def commit(folder: Path, day: str) -> None:
    name = ["-c", "user.name=Ada", "-c", "user.email=ada@example.com"]
    for command in (["init", "-q"], ["add", "."], [*name, "commit", "-q", "-m", "Pages"]):
        dates = {"GIT_AUTHOR_DATE": day, "GIT_COMMITTER_DATE": day, "PATH": "/usr/bin:/bin", "HOME": str(folder)}
        subprocess.run(["git", *command], cwd=folder, env=dates, check=True)


def test_what_nothing_speaks_for_stays_open(tmp_path: Path) -> None:
    folder = copies(tmp_path, ios="It keeps the light on.\n", web="It keeps the lamp on.\n")
    out = adopted(folder, tmp_path / "out", "--resolve", "--yes")
    assert "  because: the wording differs: a platform may need it\n" in out
    assert "1 choice open" in out
    assert body(tmp_path / "out") == "It keeps the {{ drift('light', {'web': 'lamp'}) }} on.\n"


def test_a_text_that_is_taken_over_names_its_new_platform(tmp_path: Path) -> None:
    folder = copies(
        tmp_path,
        ios="You see the lamp in the iOS app.\n",
        web="The lamp is shown by the Web app in a moment.\n",
        tv="The lamp is shown by the TV app in a moment.\n",
    )
    adopted(folder, tmp_path / "out", "--resolve", "--yes")
    assert "'tv': 'The lamp is shown by the TV app in a moment.'" in body(tmp_path / "out")


def test_code_and_labels_are_nobodys_drift(tmp_path: Path) -> None:
    texts = {name: f"Add `{code}`, and select **{label}**.\n" for name, code, label in (
        ("ios", "lamp-kit", "Home"), ("web", "@example/lamp", "Devices"), ("tv", "@example/lamp", "Devices"),
    )}  # fmt: skip
    out = adopted(copies(tmp_path, **texts), tmp_path / "out", "--resolve", "--yes")
    assert "because" not in out
    assert "0 choices open" in out
    assert body(tmp_path / "out") == (
        "Add `{{ platform.values.package }}`, and select **{{ platform.label('label') }}**.\n"
    )


def test_what_differs_everywhere_may_be_meant(tmp_path: Path) -> None:
    text = "{} the lamp.\n\nThen {} the room.\n"
    tap, click = text.format("Tap", "tap"), text.format("Click", "click")
    folder = copies(tmp_path, ios=tap, tv=tap, web=click)
    out = adopted(folder, tmp_path / "out", "--resolve", "--yes")
    assert "; 0 choices open." in out
    assert body(tmp_path / "out") == (
        "{{ drift('Tap', {'web': 'Click'}) }} the lamp.\n\nThen {{ drift('tap', {'web': 'click'}) }} the room.\n"
    )


def test_numbers_addresses_and_what_one_says_more_are_no_drift(tmp_path: Path) -> None:
    text = "It needs {} MB of storage.\n\nYou get a mail{}.\n\nRead [the notes](https://example.com/{}).\n"
    folder = copies(
        tmp_path,
        ios=text.format(20, "", "notes"),
        tv=text.format(20, "", "notes"),
        web=text.format(30, ", and a message in the app", "browsers"),
    )
    out = adopted(folder, tmp_path / "out", "--resolve", "--yes")
    assert "because: a number or what it counts differs: each may be right\n" in out
    assert "because: links or paths differ: each may be right\n" in out
    assert "because: one text says more than another: that may be intended\n" in out
    text = body(tmp_path / "out")
    assert "You get a mail{{ drift('', {'web': ', and a message in the app'}) }}." in text
    assert text.count("{{ platform.values.") == 2


def test_white_space_alone_is_levelled_and_told(tmp_path: Path) -> None:
    ios = "One  line.  \n\n\nAnother.\n\n- A list\n- of two"
    folder = copies(tmp_path, ios=ios, web="One line.\n\nAnother.\n\n- A list\n- of two\n")
    plain = adopted(folder, tmp_path / "plain", "--exact-whitespace")
    assert "trailing-space" not in (tmp_path / "plain/platforms.yaml").read_text()
    assert "can: [stray-white-space]" in (tmp_path / "plain/platforms.yaml").read_text()
    assert "open: " not in plain
    out = adopted(folder, tmp_path / "out")
    assert "Rendered and compared: all 2 pages are identical except for whitespace.\n" in out
    assert "guides/pair: only whitespace differed in 3 places: made the same on ios\n" in out
    assert body(tmp_path / "out") == "One line.\n\nAnother.\n\n- A list\n- of two\n"
    assert "can:" not in (tmp_path / "out/platforms.yaml").read_text()


def test_blank_lines_of_one_copy_alone_stay_between_its_paragraphs(tmp_path: Path) -> None:
    """Two of them were removed, and so two paragraphs became one; imports of a module were joined like prose."""
    section = "## Consent\n\nAsk first.\n\n\nThen wait.\n\n"
    imports = "import A from 'a.mdx'\nimport B from 'b.mdx'\n{}\n"
    ios, web = section + imports.format(""), imports.format("import C from 'c.mdx'\n")
    out = adopted(copies(tmp_path, ios=ios, web=web, tv=imports.format("")), tmp_path / "out")
    assert "only whitespace differed in 1 place: made the same on ios\n" in out
    assert "Ask first.\n\nThen wait.\n\n{% endif %}\nimport A from 'a.mdx'\nimport B" in body(tmp_path / "out")


def test_a_paragraph_with_a_word_more_is_wrapped_like_the_first(tmp_path: Path) -> None:
    text = "Pairing lets {}people near the lamp use it{}without an app. This takes a minute, at most{}two of them.\n"
    ios, web = text.format("", " ", "\n"), text.format("the ", "\n", " ")
    out = adopted(copies(tmp_path, ios=ios, web=web, tv=ios), tmp_path / "out")
    assert "only whitespace differed in 1 place: made the same on web\n" in out
    assert body(tmp_path / "out") == (
        "Pairing lets{{ drift('', {'web': ' the'}) }} people near the lamp use it without an app. "
        "This takes a minute, at most\ntwo of them.\n"
    )
    lines = {
        "ios": ["It takes a minute, and", "two - or so - at most."],
        "web": ["It takes a minute, or", "so, and", "two", "- or so - at most."],
    }
    assert _unify_line_breaks(lines)["web"] == "It takes a minute, or so, and\ntwo - or so - at most."
    assert _unify_line_breaks(
        {"web": ["It takes a minute - or", "two at most."], "ios": ["It takes a", "minute", "- or two at most."]}
    )
    assert not _unify_line_breaks(
        {"web": ["It takes a minute", "- or two at most."], "ios": ["It takes a minute - or", "two at most."]}
    )


def test_spaces_in_front_matter_are_levelled_where_it_says_the_same(tmp_path: Path) -> None:
    """The stranger's template had a `drift()` of a single space, and adopting said that no choice was open."""
    text = "---\ntitle: Pair\nicon: {}\nlabel: {}\nsummary: >-\n  {}\n---\n\nTap the lamp.\n"
    pages = {
        "ios": ("{ a: lamp }", "a b", "Bluetooth first,\n  and then Wi-Fi"),
        "web": ("{a: lamp}", "ab", "How a browser\n  finds lamps"),
        "tv": ("{a: lamp}", "ab", "Television: no\n  app is needed"),
    }
    folder = written(tmp_path / "d", {f"guides/{id_}/pair.md": text.format(*own) for id_, own in pages.items()})
    out = adopted(folder, tmp_path / "out")
    assert "guides/pair: only whitespace differed in 2 places: made the same on ios, tv, web\n" in out
    template = (tmp_path / "out/site_templates/steps/pair.md.j2").read_text()
    assert (
        "icon: {a: lamp}\nlabel: {{ platform.values.label }}\nsummary: >-\n  {{ platform.values.summary }}\n"
        in template
    )


def test_indentation_of_front_matter_is_unified_only_if_it_says_the_same(tmp_path: Path) -> None:
    """One line got another copy's indentation, the next one kept its own: the copies were refused."""
    text = "---\ntitle: Pair\nsidebar:\n{0}label: Pair\n{0}order: {1}\n{2}---\n\nTap the lamp.\n"
    pages = {"ios": ("  ", 1, ""), "web": ("    ", 2, ""), "tv": ("    ", 3, "")}
    front = text[: text.index("{2}")].format("    ", "{{ platform.values.order }}")
    for own, expected in ("", front), ("  badge: new\n", None):
        pages["ios"] = (*pages["ios"][:2], own)
        root = tmp_path / f"copies{len(own)}"
        folder = written(root / "d", {f"guides/{id_}/pair.md": text.format(*own) for id_, own in pages.items()})
        adopted(folder, root / "out")
        template = (root / "out/site_templates/steps/pair.md.j2").read_text()
        assert expected is None or template.startswith(expected)


def test_a_hard_line_break_and_a_row_with_a_space_behind_it(tmp_path: Path) -> None:
    text = "Tap the lamp.{}\nThen tap it again.\n\n| Setting | Value |\n| --- | --- |\n| Wake | {} |{}\n"
    folder = copies(
        tmp_path, ios=text.format("  ", "On", " "), web=text.format("", "Off", ""), tv=text.format("", "On", "")
    )
    adopted(folder, tmp_path / "out")
    written = body(tmp_path / "out")
    assert written.endswith("\n{{ table('settings') }}\n")
    assert "Tap the lamp.  \n" in written


def test_blanks_in_one_empty_line_do_not_keep_a_step_from_being_shared(tmp_path: Path) -> None:
    text = "Tap the lamp in the {} app.\n{}\nThen tap it again in the {} app.\n"
    folder = copies(tmp_path, ios=text.format("iOS", "", "iOS"), web=text.format("Web", "  ", "Web"))
    adopted(folder, tmp_path / "out")
    assert body(tmp_path / "out").count("{{ platform.name }}") == 2


def test_white_space_that_readers_see_stays(tmp_path: Path) -> None:
    folder = copies(tmp_path, ios="One\n\n    two.\n", web="One\n\ntwo.\n", tv="One\n\ntwo.\n")
    adopted(folder, tmp_path / "out", "--resolve", "--yes")
    assert "    two." in body(tmp_path / "out")


def test_what_only_some_have_is_kept(tmp_path: Path) -> None:
    folder = copies(tmp_path, ios="## Consent\n\nAsk first.\n", web="", tv="")
    adopted(folder, tmp_path / "out", "--resolve", "--yes")
    assert "Ask first." in body(tmp_path / "out")


def test_spaces_in_tables_keep_no_table_from_being_data(tmp_path: Path) -> None:
    table = "| Setting | Value |\n|---|---|\n| Wake | {} | \n"
    folder = copies(tmp_path, ios=table.format("On"), web=table.format("Off"), tv=table.format("Off"))
    out = adopted(folder, tmp_path / "out", "--resolve", "--yes")
    assert body(tmp_path / "out") == "{{ table('settings', delimiter='|---|---|') }}\n"
    assert "because: one text says the opposite of another: choose manually\n" in out


def test_rows_that_are_typed_in_other_ways_keep_no_table_from_being_data(tmp_path: Path) -> None:
    table = "| Setting | Value |\n| --- | --- |\n| Wake | {} |\n{}\n"
    rows = table.format("On", "| Fade |2 s|"), table.format("Off", "| Fade | 2 s |")
    folder = copies(tmp_path, ios=rows[0], web=rows[1], tv=rows[1])
    out = adopted(folder, tmp_path / "out")
    assert body(tmp_path / "out") == "{{ table('settings') }}\n"
    assert "all 3 pages are identical except for whitespace" in out


def test_prose_that_is_wrapped_in_other_places_is_one_text(tmp_path: Path) -> None:
    folder = copies(
        tmp_path,
        ios="The iOS app keeps the lamp on until you turn\nit off.\n",
        web="The Web app keeps the lamp on until you\nturn it off.\n",
    )
    adopted(folder, tmp_path / "out")
    assert body(tmp_path / "out") == "The {{ platform.name }} app keeps the lamp on until you turn\nit off.\n"
    adopted(folder, tmp_path / "exact", "--exact-whitespace")
    assert body(tmp_path / "exact") == "{{ part('pair') }}\n"


def test_a_person_is_asked(tmp_path: Path) -> None:
    folder = copies(
        tmp_path, ios="It keeps the colour on.\n", web="It keeps the color on.\n", tv="It keeps the color on.\n"
    )
    arguments = ["adopt", str(folder), "--into", str(tmp_path / "out"), "--resolve", "--interactive"]
    done = CliRunner().invoke(main, arguments, input="1\n")
    assert done.exit_code == 0, done.output
    assert "Use which text, 0 to keep all (2 of 3 copies), ? for help [2]: 1" in done.output
    assert body(tmp_path / "out") == "It keeps the colour on.\n"


def test_the_choices_are_a_page(tmp_path: Path) -> None:
    folder = copies(tmp_path, ios="Is it a | b?\n", web="Is it a lamp?\n", tv="Is it a lamp?\n")
    adopted(folder, tmp_path / "out", "--resolve", "--yes", "--report", tmp_path / "report.md")
    assert (tmp_path / "report.md").read_text() == (
        "# What adopting chose\n\n| Step | Copies | Shared | Choices | Open |\n| --- | --- | --- | --- | --- |\n"
        "| `guides/pair` | 3 | 98% | 1 | 1 |\n\n" + "\n".join(report.MEASURES) + "\n\n"
        "## guides/pair\n\nIn: `sentence`\n\n"
        "| Text | Platforms | Place | |\n| --- | --- | --- | --- |\n"
        "| `Is it a \\| b?` | ios | `guides/ios/pair.md:11:1` | kept |\n"
        "| `Is it a lamp?` | tv, web | `guides/tv/pair.md:11:1` | kept |\n\n"
        "Reason: the wording differs: a platform may need it.\n"
    )
    again = run(folder, "--into", tmp_path / "again", "--resolve", "--yes", "--report", tmp_path / "report.md")
    assert (again.exit_code, (tmp_path / "again").exists()) == (2, False)


# What the tool computes

PAGE = """\
---
title: "Step 2. Pair a lamp"
---
<a href="/guides/{0}/start/"><< Previous</a>

A lamp is paired once, and stays paired until you reset it.

## 2.1 Find the lamp

1. Open the {1} app.

![](/images/{0}/pair/open.png)

2. Select the lamp, as section 2.2 tells.

<aside>
    This takes a minute.
</aside>

## 2.2 Select the lamp

If you have just finished step 9.9, the lamp blinks.

<a href="/guides/{0}/start/"><< Previous</a>
"""


def modern(tmp_path: Path) -> Path:
    names = (("ios", "iOS"), ("web", "Web"), ("tv", "TV"))
    folder = written(tmp_path / "docs", {f"guides/{id_}/pair.md": PAGE.format(id_, name) for id_, name in names})
    adopted(folder, tmp_path / "out", "--normalize")
    return tmp_path / "out"


def test_what_is_typed_becomes_what_the_tool_computes(tmp_path: Path) -> None:
    assert (modern(tmp_path) / "site_templates/steps/pair.md.j2").read_text() == (
        "---\n"
        'title: "Pair a lamp"\n'
        "---\n"
        "A lamp is paired once, and stays paired until you reset it.\n\n"
        "## Find the lamp\n\n"
        "1. Open the {{ platform.name }} app.\n\n"
        "    {{ figure('open', alt='Open the ' ~ platform.name ~ ' app') }}\n\n"
        "2. Select the lamp, as {{ link('#select-the-lamp') }} tells.\n\n"
        "!!! note\n\n"
        "    This takes a minute.\n\n"
        "## Select the lamp\n\n"
        "If you have just finished the previous step, the lamp blinks.\n"
    )


def test_the_page_prints_the_numbers(tmp_path: Path) -> None:
    page = rendered(modern(tmp_path))["guides/tv/pair.md"].decode()
    assert "title: Step 1. Pair a lamp\n" in page
    assert "## 1.1 Find the lamp {: #find-the-lamp }" in page
    assert "as [step 1.2](#select-the-lamp) tells" in page
    assert "![Open the TV app](../../images/tv/pair/open.svg)" in page


def test_the_pages_have_no_finding_about_drift_navigation_or_markup(tmp_path: Path) -> None:
    folder = modern(tmp_path)
    found = lint(load(Layout.find(folder)).require_valid(), Config(folder, select=("drift", "navigation", "markup")))
    assert [str(finding) for finding in found if finding.rule != "absolute-path"] == []


INSTALL = "# Step 1: Install it\n\nIt runs on {0}.\n\n## 1.1 Take the package\n\nOpen the newest one.\n"
SET_UP = """\
# Step 2: Set it up

You need the key of [step 1.1](1-install.md#11-take-the-package) on {0}, and [all that step 1.1 shows](1-install.md).
See [the package](1-install.md#11-take-the-package), [Section 2.1](1-install.md), and [step 2.1](#21-write-the-key).

## 2.1 Write the key

Write it into the file, and save that.
"""


def steps_with_headings(folder: Path) -> Path:
    for name, text in (("1-install", INSTALL), ("2-set-up", SET_UP)):
        written(folder, {f"{platform}/{name}.md": text.format(platform) for platform in ("linux", "macos", "windows")})
    return folder


def test_a_link_whose_text_is_a_typed_number_becomes_a_link_as_a_whole(tmp_path: Path) -> None:
    out = adopted(steps_with_headings(tmp_path / "docs"), tmp_path / "out", "--normalize")
    assert (tmp_path / "out/site_templates/steps/2-set-up.md.j2").read_text() == (
        "# Set it up\n\n"
        "You need the key of {{ link('1-install#take-the-package') }} on {{ platform.id }}, and "
        "[all that step 1.1 shows](1-install.md).\n"
        "See [the package](1-install.md#take-the-package), [Section 2.1](1-install.md), and "
        "{{ link('#write-the-key') }}.\n\n"
        "## Write the key\n\n"
        "Write it into the file, and save that.\n"
    )
    assert ": `step 1.1` is in a link that says more, and stays (also on macos, windows)\n" in out
    assert ": `Section 2.1` is in a link that points elsewhere, and stays (also on macos, windows)\n" in out


def test_the_number_of_a_title_that_is_a_heading_is_computed(tmp_path: Path) -> None:
    adopted(steps_with_headings(tmp_path / "docs"), tmp_path / "out", "--normalize")
    assert "numbering" not in (tmp_path / "out/platforms.yaml").read_text()
    assert rendered(tmp_path / "out")["linux/1-install.md"].decode() == (
        "# Step 1: Install it {: #install-it }\n\nIt runs on linux.\n\n"
        "## 1.1 Take the package {: #take-the-package }\n\nOpen the newest one.\n"
    )


def test_anchors_that_other_pages_link_to_or_the_inventory_has_stay(tmp_path: Path) -> None:
    docs = steps_with_headings(tmp_path / "docs")
    told = {"url": "/linux/2-set-up/", "title": "Set it up", "anchors": ["21-write-the-key"]}
    written(
        tmp_path,
        {
            "mkdocs.yml": "site_name: X\n",
            "docs/index.md": "# Home\n\nSee [step 1](linux/1-install.md#step-1-install-it).\n",
            "tutorial-tool.toml": 'inventory = "inventory.json"\n',
            "inventory.json": json.dumps({"version": 1, "pages": [told]}),
        },
    )
    adopted(docs, tmp_path, "--step", "1-install", "--normalize", "--remove-copies")
    install = (tmp_path / "site_templates/steps/1-install.md.j2").read_text()
    assert "# Install it {: #step-1-install-it }\n" in install
    assert "## Take the package {: #11-take-the-package }\n" in install  # the copies of the other step link to it
    adopted(docs, tmp_path, "--step", "2-set-up", "--normalize", "--remove-copies")
    assert "## Write the key {: #21-write-the-key }\n" in (tmp_path / "site_templates/steps/2-set-up.md.j2").read_text()


def test_a_step_numbers_what_was_typed_in_it_where_its_tutorial_numbers_nothing(tmp_path: Path) -> None:
    docs = steps_with_headings(tmp_path / "docs")
    written(tmp_path, {"mkdocs.yml": "site_name: X\n"})
    adopted(docs, tmp_path, "--step", "1-install", "--remove-copies")
    adopted(docs, tmp_path, "--step", "2-set-up", "--normalize", "--remove-copies")
    assert rendered(tmp_path)["linux/2-set-up.md"].decode().startswith("# Step 2. Set it up {: #set-it-up }\n")


def test_pictures_that_cannot_be_figures_keep_no_numbers_typed(tmp_path: Path) -> None:
    page = "# Step 1: Install it\n\nIt runs on {0}.\n\nOpen it, and wait.\n\n![The sign](img/sign-{0}.png)\n"
    names = ("linux", "macos", "windows")
    docs = written(tmp_path / "docs", {f"{id_}/install.md": page.format(id_) for id_ in names})
    written(docs, {f"{id_}/img/sign-{id_}.png": id_ for id_ in names})
    adopted(docs, tmp_path / "out", "--normalize")
    assert rendered(tmp_path / "out")["linux/install.md"].decode().startswith("# Step 1: Install it")


@pytest.mark.parametrize(
    ("name", "images"),
    [
        ("{}-settings", "img/{platform}-{figure}.png"),
        ("settings.{}", "img/{figure}.{platform}.png"),
        ("{}/settings", "img/{platform}/{figure}.png"),
        ("{}/settings-{}", "img/{platform}/{figure}-{platform}.png"),
        ("{}/pair/settings", "img/{platform}/{step}/{figure}.png"),
        ("{}", ""),
        ("a-{}-b", ""),
    ],
)
def test_each_page_goes_on_to_show_its_own_picture(tmp_path: Path, name: str, images: str) -> None:
    text = "# Pair a lamp\n\nPair it with the {0} app, and wait.\n\n![The settings](../img/{1}.png)\n\nIt blinks.\n"
    names = {id_: name.replace("{}", id_) for id_ in ("ios", "web", "tv")}
    docs = written(tmp_path / "docs", {f"{id_}/pair.md": text.format(id_, own) for id_, own in names.items()})
    written(docs, {f"img/{own}.png": own for own in names.values()})
    adopted(docs, tmp_path / "out", "--normalize")
    said = (tmp_path / "out/platforms.yaml").read_text()
    assert (f"images: {images}\n" in said) if images else ("images:" not in said)
    assert ("figure('settings'" in (tmp_path / "out/site_templates/steps/pair.md.j2").read_text()) == bool(images)
    for id_, own in names.items():
        assert f"](../img/{own}.png)" in rendered(tmp_path / "out")[f"{id_}/pair.md"].decode()


def test_a_picture_that_would_be_lost_is_found(tmp_path: Path) -> None:
    pages = {f"guides/{id_}/pair.md": f"{FRONT}{COMMON}![A](../img/{id_}.png)\n" for id_ in ("ios", "web", "tv")}
    found = sets.find([written(tmp_path, pages)]).sets
    made = adopt(found, base.build_empty()).project
    assert made is not None
    files = {path: text.replace("../img/", "../pictures/") for path, text in made.files.items()}
    assert check.find_errors(made.files, found, base.build_empty(), tmp_path) == []
    assert check.find_errors(files, found, base.build_empty(), tmp_path) == ["../img/ios.png would not be shown"]


def test_a_link_with_an_arrow_at_the_end_of_a_page_goes(tmp_path: Path) -> None:
    first = "# Install\n\nInstall the app on {0}, and wait for it.\n\n[Pair a lamp →](./pair.md)\n"
    second = "# Pair a lamp\n\nPair it on {0}, and see [the app →](install.md) blink.\n\n[← Install](install.md)\n"
    names = {"ios": "iOS", "web": "Web", "tv": "TV"}
    docs = written(tmp_path / "docs", {f"{id_}/install.md": first.format(name) for id_, name in names.items()})
    written(docs, {f"{id_}/pair.md": second.format(name) for id_, name in names.items()})
    adopted(docs, tmp_path / "out", "--normalize")
    texts = [(tmp_path / f"out/site_templates/steps/{step}.md.j2").read_text() for step in ("install", "pair")]
    assert texts[0].endswith("and wait for it.\n")
    assert texts[1].endswith("see [the app →](install.md) blink.\n")


def test_a_link_to_a_page_that_is_no_step_stays(tmp_path: Path) -> None:
    text = "# Pair a lamp\n\nPair it on {0}, and wait until it blinks twice.\n\nNext: [Verify](verify.md)\n"
    names = {"ios": "iOS", "web": "Web", "tv": "TV"}
    docs = written(tmp_path / "docs", {f"pair-{id_}.md": text.format(name) for id_, name in names.items()})
    written(docs, {"verify.md": "# Verify\n\nIt works.\n"})
    adopted(docs, tmp_path / "out", "--normalize")
    assert "Next: [Verify](verify.md)\n" in (tmp_path / "out/site_templates/steps/pair.md.j2").read_text()


def test_a_platform_more_is_data_only(tmp_path: Path) -> None:
    folder = modern(tmp_path)
    data = folder / "platforms.yaml"
    data.write_text(data.read_text().replace("platforms:\n", "platforms:\n  car: {name: Car}\n", 1))
    assert "Open the Car app" in rendered(folder)["guides/car/pair.md"].decode()


def test_the_copies_are_not_touched(tmp_path: Path) -> None:
    folder = copies(tmp_path / "docs", ios="One.\n", web="Two.\n", tv="Two.\n")
    before = shown(folder)
    adopted(folder, tmp_path / "out", "--resolve", "--yes", "--normalize")
    assert shown(folder) == before


# What is no evidence, and what is more than that


def test_a_name_is_never_settled_however_new_it_is(tmp_path: Path) -> None:
    text = "You see the lamp in your {} app.\n"
    folder = copies(tmp_path, ios=text.format("iOS"), android=text.format("Android"), web=text.format("Web"))
    commit(folder, "2026-01-02T00:00:00Z")
    written(folder, {"guides/web/pair.md": FRONT + COMMON + text.format("iOS")})
    commit(folder, "2026-03-04T00:00:00Z")
    out = adopted(folder, tmp_path / "out", "--resolve", "--yes")
    assert "Stays open, names: 1 choice\n" in out
    assert body(tmp_path / "out") == text.format("{{ drift(platform.name, {'web': 'iOS'}) }}")


def test_addresses_and_paths_in_quotes_are_no_spelling(tmp_path: Path) -> None:
    text = "Log in with your work email: https://example.com{}\n\nimport Card from {}/cards/Lamp{};\n"
    own = {"ios": ("/", "'", "'"), "tv": ("/", "'", "'"), "web": ("", '"', '"')}
    folder = copies(tmp_path, **{platform: text.format(*signs) for platform, signs in own.items()})
    adopted(folder, tmp_path / "out", "--resolve", "--yes")
    assert "{{ platform.values.url }}" in body(tmp_path / "out")
    assert "drift('import Card" in body(tmp_path / "out")


def test_a_name_in_one_copy_of_two_that_may_be_meant_stays_open(tmp_path: Path) -> None:
    text = "The lamp speaks to the {} app, which runs on every phone that has {}.\n"
    folder = copies(tmp_path, ios=text.format("iOS", "a radio"), android=text.format("Android", "a radio"))
    adopted(folder, tmp_path / "out", "--resolve", "--yes")
    assert body(tmp_path / "out") == text.format("{{ platform.name }}", "a radio")


def test_an_edit_that_is_minutes_old_or_not_committed_outweighs_no_majority(tmp_path: Path) -> None:
    text = "It keeps the {} on.\n"
    folder = copies(tmp_path, ios=text.format("color"), web=text.format("color"), tv=text.format("color"))
    commit(folder, "2026-01-02T10:00:00Z")
    written(folder, {"guides/ios/pair.md": FRONT + COMMON + text.format("colour")})
    assert "  because: 2 of 3 copies\n" in adopted(folder, tmp_path / "edited", "--resolve", "--yes")
    commit(folder, "2026-01-02T10:05:00Z")
    assert "  because: 2 of 3 copies\n" in adopted(folder, tmp_path / "committed", "--resolve", "--yes")
    assert body(tmp_path / "committed") == body(tmp_path / "edited") == text.format("color")


def test_without_resolve_the_open_choices_and_what_rules_find_there_are_told(tmp_path: Path) -> None:
    right = "It keeps the light on.\n"
    folder = copies(tmp_path, ios="It keeps teh light on.\n", web=right, tv=right)
    out = adopted(folder, tmp_path / "out", "--dry-run")
    assert "Fix these before you adopt:\nwarning: guides/ios/pair.md:11:10: misspelling: `teh` should" in out
    out = adopted(folder, tmp_path / "out")
    assert "Mend these" not in out
    assert out.endswith(
        "`mkdocs build --strict` fails on these:\n"
        "warning: site_templates/steps/pair.md.j2:11:35: misspelling: `teh` should read `the` [ios]\n"
    )
    assert "open: " not in out
    out = adopted(copies(tmp_path, ios=right, web=right, tv=right.replace("light", "lamp")), tmp_path / "other")
    assert "open: guides/ios/pair.md:11:1: `It keeps the light on.` (ios, web) or `It keeps the lamp on.` (tv)\n" in out
    assert "To list it in a file, use `--report FILE.md`. To resolve differences, add `--resolve`.\n" in out


def test_choices_that_were_not_asked_for_are_told_once(tmp_path: Path) -> None:
    text = "It keeps the {} on.\n"
    out = adopted(copies(tmp_path, ios=text.format("light"), web=text.format("lamp")), tmp_path / "out", "--normalize")
    assert out.count("`It keeps the light on.`") == 1
    assert "because" not in out


def test_a_person_may_ask_what_the_answers_mean(tmp_path: Path) -> None:
    folder = copies(tmp_path, ios="It keeps the light on.\n", web="It keeps the lamp on.\n")
    arguments = ["adopt", str(folder), "--into", str(tmp_path / "out"), "--interactive"]
    alone = CliRunner().invoke(main, arguments)
    assert (alone.exit_code, "give both, --resolve --interactive" in alone.output) == (2, True)
    done = CliRunner().invoke(main, [*arguments, "--resolve"], input="?\n7\n2\n")
    assert done.exit_code == 0, done.output
    assert "0: each copy keeps its text, as a value in the data.\n" in done.output
    assert "`7` is not one of 0, 1, 2\n" in done.output
    assert body(tmp_path / "out") == "It keeps the lamp on.\n"


def test_a_value_has_both_signs_of_what_is_bold_and_no_empty_word_as_its_name(tmp_path: Path) -> None:
    folder = copies(
        tmp_path,
        ios="To leave a scene once, open the scene and then select **Skip once**. It charges teh battery.\n",
        web="To quit a mood now, open the mood and then tap **Leave once**. It charges the battery.\n",
        tv="To quit a mood now, open the mood and then tap **Leave once**. It charges the battery.\n",
    )
    adopted(folder, tmp_path / "out")
    data = (tmp_path / "out/platforms.yaml").read_text()
    assert "**Skip once**" in data or "Skip**" not in data
    assert all(line.count("**") % 2 == 0 for line in data.splitlines())
    assert " the: " not in data


def test_tabs_of_code_answer_to_code(tmp_path: Path) -> None:
    tabs = "<Tabs>\n<Tab>\n\n```swift\nlamp()\n```\n\n</Tab>\n<Tab>\n\n```objc\nstart(lamp);\n```\n\n</Tab>\n</Tabs>\n"
    text = "The {} app starts the lamp:\n\n{}\nThen hold its button for five seconds.\n"
    code = {"ios": tabs, "tv": "```kotlin\nLamp()\n```\n", "web": "```js\nnew Lamp();\n```\n"}
    folder = copies(tmp_path, **{name: text.format(name, own) for name, own in code.items()})
    adopted(folder, tmp_path / "out")
    assert body(tmp_path / "out") == text.format("{{ platform.id }}", "{{ part('pair') }}\n")


def test_a_line_of_blanks_in_indented_code_takes_no_files_from_the_step(tmp_path: Path) -> None:
    text = "1. Start it:\n\n    ```{0}\n    {1}\n    \n    stop()\n    ```\n\n2. Run this:\n\n    ```{0}\n    {1}\n    run()\n    ```\n"
    folder = copies(tmp_path, ios=text.format("swift", "let a"), web=text.format("js", "const a"))
    out = adopted(folder, tmp_path / "out")
    assert "written without" not in out
    assert "{{ code(" in body(tmp_path / "out")


def test_hidden_numbers_of_lists_differ_in_nothing_that_readers_see(tmp_path: Path) -> None:
    text = "Pair the lamp with your phone.\n\n1. Open the app.\n{}{}. Wait until it blinks.\n{}. Close the app.\n"
    folder = copies(
        tmp_path, ios=text.format("2. Allow the network.\n", 3, 4), web=text.format("", 2, 3), tv=text.format("", 2, 3)
    )
    out = adopted(folder, tmp_path / "out")
    start = "1. Open the app.\n{% if platform.can('allow-network') %}\n1. Allow the network.\n{% endif %}\n1. Wait"
    assert start in body(tmp_path / "out")
    assert "all 3 pages are identical except for whitespace and list markers." in out


def test_bullets_of_lists_and_tabs_differ_in_nothing_that_readers_see(tmp_path: Path) -> None:
    text = "{0} Open the app.\n{0} Wait for the lamp.\n\nThe lamp may be far away.\n\n!!! note\n\n{1}Take it.\n"
    folder = copies(
        tmp_path,
        ios=text.format("*", "    "),
        web=text.format("-", "\t").replace("far", "too far"),
        tv=text.format("-", "    ").replace("Open", "Start"),
    )
    out = adopted(folder, tmp_path / "out")
    assert "except for whitespace and list markers." in out
    assert body(tmp_path / "out") == (
        "- {{ drift('Open', {'tv': 'Start'}) }} the app.\n- Wait for the lamp.\n\n"
        "The lamp may be {{ drift('', {'web': 'too '}) }}far away.\n\n!!! note\n\n    Take it.\n"
    )


def test_quotes_of_equal_values_differ_in_nothing_that_readers_see(tmp_path: Path) -> None:
    fronts = {
        "ios": "title: 'Pair it'\nversion: 2",
        "web": 'title: "Pair it"\nversion: 2',
        "tv": "title: Pair it\nversion: '2'",
    }
    pages = {f"guides/{name}/pair.md": f"---\n{front}\n---\n\n{COMMON}" for name, front in fronts.items()}
    assert "except for whitespace and quotes." in adopted(written(tmp_path, pages), tmp_path / "out")
    lines = (tmp_path / "out/site_templates/steps/pair.md.j2").read_text().splitlines()
    assert (lines[1], lines[2].count("drift(")) == ("title: Pair it", 2)


def test_lists_that_only_their_bullets_divide_stay_two(tmp_path: Path) -> None:
    folder = copies(
        tmp_path, ios="- Open the app.\n- Wait.\n\n* Close it.\n", web="* Open the app.\n* Wait.\n\n- Close it.\n"
    )
    assert "list markers" not in adopted(folder, tmp_path / "out")


def test_text_of_a_platform_behind_its_part_is_in_the_same_file(tmp_path: Path) -> None:
    text = "## Set the length\n\n{}\n\n## Go on\n\nClose the app.\n"
    sentence = "Use the `{}` property, which takes the time in {} for as long as the {} is on, and not longer."
    ios, tv, web = (
        sentence.format(name, unit, thing)
        for name, unit, thing in (("lampTime", "ticks", "kit"), ("time", "seconds", "set"), ("span", "hours", "tab"))
    )
    more = f"{web}\n\nIf the lamp is far, add a check:\n\n```js\nif (lamp.far) wait();\n```\n\nThis needs the kit."
    folder = copies(tmp_path, ios=text.format(ios), tv=text.format(tv.upper()), web=text.format(more))
    adopted(folder, tmp_path / "out")
    assert body(tmp_path / "out") == text.format("{{ part('set-the-length') }}")
    assert (tmp_path / "out/site_templates/steps/pair/set-the-length.web.md").read_text() == f"{more}\n"


def test_a_section_behind_a_part_that_some_lack_takes_no_blank_line_from_it(tmp_path: Path) -> None:
    text = "## Install the kit\n\n{}\n\n{}## Go on\n\nClose the app.\n"
    section = "## Import the kit\n\nAdd the import to the first file of your app.\n\n"
    code = {"ios": "```swift\npod(1)\nkit()\n```", "tv": "```kotlin\nnpm(1)\nkit()\n```", "web": "```html\n<kit>\n```"}
    folder = copies(
        tmp_path, **{name: text.format(own, "" if name == "web" else section) for name, own in code.items()}
    )
    adopted(folder, tmp_path / "out")
    condition = f"{{% if platform.can('import-the-kit') %}}\n{section}{{% endif %}}\n"
    assert body(tmp_path / "out") == text.format("{{ code('install-the-kit') }}", condition)


def test_attributes_of_a_tag_are_compared_by_their_names(tmp_path: Path) -> None:
    card = '<Card\n  title="Logs"\n  text="{}"\n/>\n\n<Card\n  title="Keys"\n  text="Where keys are kept."\n/>\n'
    folder = copies(tmp_path, ios=card.format("Read what the app writes."), web=card.format("See the console."))
    adopted(folder, tmp_path / "out")
    assert '  title="Logs"\n  text="{{ platform.values.text }}"\n/>\n' in body(tmp_path / "out")


def test_a_paragraph_is_divided_only_where_a_line_ends_with_a_sentence(tmp_path: Path) -> None:
    end = " property\nof the kit, which tells you when the state of the lamp changes.\n"
    folder = copies(
        tmp_path,
        ios=f"In Swift, listen to the published `Lamp.shared.state` for which the app has a{end}",
        web=f"If the page should know more, pass a callback, or use the `change` event and its{end}",
    )
    adopted(folder, tmp_path / "out")
    assert body(tmp_path / "out") == "{{ part('pair') }}\n"


def test_the_order_of_fields_is_that_of_most(tmp_path: Path) -> None:
    fields = {"title": "title: Pair\n", "tags": "tags:\n  - lamp\n", "layout": "layout: post\n"}
    orders = {"ios": ("title", "tags", "layout"), "web": ("title", "tags", "layout"), "tv": ("layout", "title", "tags")}
    texts = {p: f"---\n{''.join(map(fields.__getitem__, own))}---\n\n{COMMON}" for p, own in orders.items()}
    folder = written(tmp_path, {f"guides/{platform}/pair.md": text for platform, text in texts.items()})
    out = adopted(folder, tmp_path / "out")
    assert "guides/pair: the fields of front matter have the same order everywhere now\n" in out
    assert "are identical except for whitespace and the order of fields." in out
    assert (tmp_path / "out/site_templates/steps/pair.md.j2").read_text() == texts["ios"]
    adopted(folder, tmp_path / "exact", "--exact-whitespace")
    assert rendered(tmp_path / "exact")["guides/tv/pair.md"].decode() == texts["tv"]


def test_sections_that_some_lack_are_one_condition(tmp_path: Path) -> None:
    log = "## History\n\n### First\n\nThe first one.\n\n### Second\n\nThe second one.\n"
    adopted(copies(tmp_path, ios=log, web=log, tv=log, car=""), tmp_path / "out")
    assert body(tmp_path / "out") == "{% if platform.can('history') %}\n" + log + "{% endif %}\n"


def test_a_blank_line_stays_above_the_heading_of_a_section_that_some_lack(tmp_path: Path) -> None:
    end = "\n## See also\n\nRead all about lamps.\n"
    swift, script = "{% tabs %}\n{% code Lamp %}\n{% end %}\n{% endtabs %}\n", "`[Class]`\n\n{% script lamp.js %}\n"
    texts = {"ios": f"{swift}{end}", "web": f"{script}{end}", "tv": f"Ask the `tv` group.\n{end}"}
    own = {p: f"## Pair\n\n{text}" for p, text in {**texts, "car": "Ask a dealer.\n"}.items()}
    adopted(copies(tmp_path, **own), tmp_path / "out")
    assert body(tmp_path / "out") == (
        "## Pair\n\n{{ part('pair') }}\n{% if platform.can('see-also') %}\n\n## See also\n\nRead all about lamps.\n{% endif %}\n"
    )


def test_a_field_that_some_lack_stays_in_its_place(tmp_path: Path) -> None:
    front = "---\ntitle: Pair\n{}---\n\n" + COMMON
    own = {"ios": "domain: lamp.example\n", "web": "domain: lamp.example/\n", "tv": ""}
    folder = written(tmp_path, {f"guides/{name}/pair.md": front.format(text) for name, text in own.items()})
    adopted(folder, tmp_path / "out")
    template = (tmp_path / "out/site_templates/steps/pair.md.j2").read_text()
    assert "{% if platform.can('domain') %}\ndomain: lamp.example{{ drift('', {'web': '/'}) }}\n{% endif %}" in template
    assert "part(" not in template


def test_what_only_addresses_labels_and_first_words_tell_apart_is_one_line(tmp_path: Path) -> None:
    text = "{0}lamp kit can be paired with all phones.\n\nSee [object]({1}).\n\n- **Usage:** {2}\n"
    folder = copies(
        tmp_path,
        ios=text.format("The ", "/ios/guides/first/steps/with/lamps#list", "set `Lamp.pair(with: phone)` in a view."),
        web=text.format("", "../rooms-and-lamps/objects.md", "`pair(lamp)`"),
        tv=text.format("", "https://lamp.example/all/of/them/on/tv", '`<lamp pair="phone" />`'),
        car=text.format("", "./x", "`lamp --pair`"),
    )
    adopted(folder, tmp_path / "out")
    assert body(tmp_path / "out") == (
        "{{ drift('', {'ios': 'The '}) }}lamp kit can be paired with all phones.\n\n"
        "See [object]({{ platform.values.page }}).\n\n- **Usage:** {{ platform.values.usage }}\n"
    )


def test_files_are_named_by_their_kind(tmp_path: Path) -> None:
    code = "```sh\n{0}\n{1}\n```\n\nIt {2}.\n\n"
    texts = (("pair", "blinks"), ("restart", "is on"))
    own = {p: "".join(code.format(p, *text) for text in texts) for p in ("ios", "web")}
    adopted(copies(tmp_path, **{p: f"## Pair\n\n{text}" for p, text in own.items()}), tmp_path / "out")
    assert re.findall(r"code\('([\w-]+)'", body(tmp_path / "out")) == ["pair", "pair-code"]


def test_items_right_below_a_paragraph_are_lines_of_their_own(tmp_path: Path) -> None:
    text = "To end the setup, do one of these:{}\n* Press the button{}\n* Wait{}\n\nThat is all.\n"
    folder = copies(tmp_path, ios=text.format("\n", ".", "."), web=text.format("", "", ""), tv=text.format("", "", ""))
    adopted(folder, tmp_path / "out")
    item = "* {}{{{{ drift('', {{'ios': '.'}}) }}}}\n"
    assert body(tmp_path / "out").endswith(f"{item.format('Press the button')}{item.format('Wait')}\nThat is all.\n")
