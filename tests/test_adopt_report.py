"""What `adopt` tells is true: each sentence of its report is held against the copies, and against what was written."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.test_adopt import CASES, rendered, run, written
from tests.test_adopt_drift import copies
from tests.test_plugin import build
from tutorial_tool.adopt.report import excerpt

PRINTER = """\
---
title: Install the driver
---

# Install the driver

{top}Get the driver for {name} from [its page](https://inkwell.example/{id}/driver).

1. {click} the file that you downloaded.{space}
2. {click} **Install**, and wait a minute{more}.
3. The light turns {colour}. When it does not, {small} **Help**.

| Setting | Value |
| --- | --- |
| Sleep | On |
{row}| Saver | Off |

{end}
"""
PLATFORMS = {
    "windows": {"name": "Windows", "click": "Click", "colour": "green", "row": "| Sound | On |\n", "space": ""},
    "mac": {"name": "Mac", "click": "Click", "colour": "green", "row": "", "space": "  "},
    "android": {"name": "Android", "click": "Tap", "colour": "gren", "row": "| Sound | On |\n", "space": ""},
}
ENDS = {
    "windows": "Print a page to see that it works.",
    "mac": "Print a page to see that it works.\n\nKeep the driver.",
    "android": "Keep the driver.\n\nPrint a page to see that it works.",
}


def printer(folder: Path) -> Path:
    """Copies of a step that differ in habits, white space, a slip, a row, something more, and in what stands where."""
    files = {}
    for id_, own in PLATFORMS.items():
        more = ", or two on an old phone" if id_ == "android" else ""
        top = "See the notes.\n\n" if id_ == "mac" else ""
        text = PRINTER.format(id=id_, small=own["click"].lower(), more=more, top=top, end=ENDS[id_], **own)
        files[f"docs/setup/{id_}/install.md"] = text
    return written(folder, files) / "docs"


def texts(folder: Path) -> dict[str, str]:
    return {path.relative_to(folder).as_posix(): path.read_bytes().decode() for path in folder.rglob("*.md")}


def platform_of(path: str, platforms: set[str]) -> str:
    return next(part for part in re.split(r"[/.]", path) if part in platforms)


def at(files: dict[str, str], place: str) -> str:
    """The text that begins at `path:line:column`."""
    path, line, column = place.rsplit(":", 2)
    return "".join(files[path].splitlines(keepends=True)[int(line) - 1 :])[int(column) - 1 :]


_NEVER = re.compile(r"  because: (\S+) never says '(\w+)'(?:, and (\S+) never '(\w+)')?: .*")
_SIZES = re.compile(r"(\d+) pages? of (\d+) steps? on (\d+) platforms?: ([\d,]+) bytes before, .*")
_TAKES = re.compile(r"  (keeps|takes|drops)(?:, with [^:]*:)? (.*)")
_TOLD = re.compile(r"(`+) ?(.+?) ?\1 \(([\w, -]+)(?:; (\S+))?\)")


def false_claims(output: str, before: dict[str, str], after: dict[str, str]) -> Iterator[str]:
    """The lines of a report that are not true of the copies, or of the pages that came of them."""
    known = set(re.findall(r"[\w-]+", " ".join(re.findall(r"shared \((.*)\)", output))))
    own = {platform_of(path, known): " ".join(text.split()) for path, text in before.items()}
    pages = {platform_of(path, known): " ".join(text.split()) for path, text in after.items()}
    for line in output.splitlines():
        if takes := _TAKES.fullmatch(line):
            for _, quoted, platforms, place in _TOLD.findall(takes[2]):
                text = " ".join(quoted.split())
                yield from (line for _ in [0] if place and not " ".join(at(before, place).split()).startswith(text))
                yield from (line for name in platforms.split(", ") if text not in own[name])
                yield from (line for name in platforms.split(", ") if takes[1] == "keeps" and text not in pages[name])
        elif found := _NEVER.fullmatch(line):
            said = [(found[1], found[2]), *([(found[3], found[4])] if found[3] else [])]
            yield from (line for name, word in said if re.search(rf"(?i)\b{word}\b", own[name]))
        elif found := _SIZES.fullmatch(line):
            sizes = sum(len(text.encode()) for text in before.values())
            numbers = int(found[1]), int(found[3]), int(found[4].replace(",", ""))
            yield from (line for _ in [0] if numbers != (len(before), len(own), sizes))


@pytest.mark.parametrize("case", ["printer", *sorted(path.name for path in CASES.iterdir())])
def test_every_claim_is_true(case: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")  # places are told from the folder of the copies on, then
    copies = printer(tmp_path) if case == "printer" else CASES / case / "copies"
    done = run(copies, "--into", tmp_path / "out", "--resolve", "--yes")
    assert done.exit_code == 0, done.output
    pages = {path: content.decode() for path, content in rendered(tmp_path / "out").items()}
    assert list(false_claims(done.output, texts(copies), pages)) == []
    wrote = re.findall(r"^Wrote (.*)$", done.output, re.MULTILINE)
    assert sorted(wrote) == sorted(
        path.relative_to(tmp_path / "out").as_posix() for path in (tmp_path / "out").rglob("*") if path.is_file()
    )


def test_the_checker_of_claims_finds_false_ones(tmp_path: Path) -> None:
    copies = texts(printer(tmp_path))
    head = "setup/install: 3 copies, 90% shared (android, mac, windows)\n"
    false = [
        "  keeps `Tap` (mac; setup/mac/install.md:9:4)",
        "  takes `Tap` (android; setup/android/install.md:9:5)",
        "  because: mac never says 'click': its own word may be meant",
        "3 pages of 1 step on 3 platforms: 1,000 bytes before, 900 after",
    ]
    for line in false:
        assert list(false_claims(f"{head}{line}\n", copies, copies)), line


def test_rows_that_a_copy_lacked_are_to_be_explained(tmp_path: Path) -> None:
    out = run(printer(tmp_path), "--into", tmp_path / "out", "--resolve", "--yes").output
    assert "Rows that a copy lacked: settings/sound (mac). Say why in their `omit` in platforms.yaml" in out
    assert "omit: TODO say why; the copy for Mac had no such row" in (tmp_path / "out/platforms.yaml").read_text()


# What is linked and shown


LINKED = """\
---
title: Install
image: /images/card.png
---

# Install on {name}

Read the [safety notes](../safety.md) and get the [form](../form.pdf) first, then open the app and wait for a minute.

![The lamp](../images/{id}/lamp.png)

![The box](/images/box.png)

[Run it](../run.sh), or see [what is new](https://example.com/{id}).
"""


def linked(folder: Path) -> Path:
    """Copies that link a page, and show pictures, beside them."""
    files = {
        f"docs/{id_}/install.md": LINKED.format(id=id_, name=name) for id_, name in (("ios", "iOS"), ("web", "Web"))
    }
    others = (
        "safety.md",
        "form.pdf",
        "images/ios/lamp.png",
        "images/web/lamp.png",
        "images/box.png",
        "images/card.png",
        "run.sh",
    )
    return written(folder, {**files, **{f"docs/{name}": f"# {name}\n" for name in others}}) / "docs"


def test_pictures_and_files_go_along_and_pages_are_named(tmp_path: Path) -> None:
    out = run(linked(tmp_path), "--into", tmp_path / "out").output
    assert "Copied 5 files that the pages show or link, the first: docs_src/form.pdf\n" in out
    assert "1 page is linked, and not in the project: safety.md (ios/install.md:8:25). Copy it to docs_src" in out
    assert (tmp_path / "out/docs_src/images/web/lamp.png").read_text() == "# images/web/lamp.png\n"
    assert not (tmp_path / "out/docs_src/run.sh").exists()


def test_what_a_strict_build_fails_on_is_told_before(tmp_path: Path) -> None:
    out = run(linked(tmp_path), "--into", tmp_path / "out").output
    told = out.partition("`mkdocs build --strict` fails on these:\n")[2].splitlines()
    assert [re.search(r"broken-link: link target `[^`]*`", line)[0] for line in told] == [  # type: ignore[index]
        "broken-link: link target `../safety.md`",
        "broken-link: link target `../run.sh`",
    ]
    failed = build(tmp_path / "out", "--strict")
    assert failed.returncode != 0
    assert all(line.partition(": ")[2] in failed.stderr for line in told)
    written(tmp_path / "out/docs_src", {"safety.md": "# Safety\n", "run.sh": "true\n"})
    done = build(tmp_path / "out", "--strict")
    assert done.returncode == 0, done.stderr


def test_a_project_that_builds_strictly_has_nothing_to_tell(tmp_path: Path) -> None:
    text = "---\ntitle: Pair\n---\n\nOpen the {} app, and look for the lamp.\n"
    folder = written(tmp_path, {f"docs/{name}/pair.md": text.format(name) for name in ("ios", "web")}) / "docs"
    out = run(folder, "--into", tmp_path / "out").output
    assert "--strict" not in out
    assert build(tmp_path / "out", "--strict").returncode == 0


def test_a_page_that_is_written_need_not_be_copied(tmp_path: Path) -> None:
    text = "---\ntitle: Pair\n---\n\nOpen the {} app, and look for the lamp. Go [back](../index.md).\n"
    files = {f"docs/{name}/pair.md": text.format(name) for name in ("ios", "web")}
    folder = written(tmp_path, {**files, "docs/index.md": "# Lamps\n"}) / "docs"
    out = run(folder, "--into", tmp_path / "out").output
    assert "Wrote docs_src/index.md\n" in out
    assert "not in the project" not in out


def test_many_files_of_a_folder_are_one_line(tmp_path: Path) -> None:
    code = "".join(f"## Call {name}\n\n```{{0}}\n{name}()\n{{1}}()\n```\n\n" for name in "abcdefgh")
    files = {
        f"docs/{id_}/call.md": f"# Call\n\n{code.format(lang, id_)}"
        for id_, lang in (("ios", "swift"), ("web", "javascript"))
    }
    out = run(written(tmp_path, files) / "docs", "--into", tmp_path / "out").output
    assert "Wrote site_templates/steps/call/ (16 files)\n" in out


def test_the_new_site_reads_markdown_as_that_of_the_copies(tmp_path: Path) -> None:
    text = "---\ntitle: Pair\n---\n\nOpen the {} app, and look for the lamp.\n"
    own = "markdown_extensions:\n  - footnotes  # ours\n  - toc: {permalink: true}\n"
    files = {f"docs/{name}/pair.md": text.format(name) for name in ("ios", "web")}
    folder = written(tmp_path, {**files, "mkdocs.yml": f"{own}site_name: Lamps\n"}) / "docs"
    run(folder, "--into", tmp_path / "out")
    assert (tmp_path / "out/mkdocs.yml").read_text().endswith(own)
    assert build(tmp_path / "out", "--strict").returncode == 0


# Options


def test_the_choices_can_be_seen_without_a_project(tmp_path: Path) -> None:
    report = tmp_path / "choices.md"
    done = run(printer(tmp_path), "--resolve", "--yes", "--report", report)
    assert (done.exit_code, report.read_text().startswith("# What adopting chose\n")) == (0, True)
    assert "because: " in done.output
    assert done.output.endswith(f"Wrote {report}\nTo write the project, say where: --into DIR\n")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["choices.md", "docs"]
    assert run(tmp_path / "docs", "--report", report).output == (
        f"tutorial-tool: {report} exists: use --force to overwrite it\n"
    )


@pytest.mark.parametrize("option", ["--force", "--remove-copies", "--normalize"])
def test_options_about_the_project_need_one(option: str, tmp_path: Path) -> None:
    done = run(printer(tmp_path), option)
    assert done.exit_code == 2
    told = f"{option} changes what is written, and no project is named: add --into DIR (with --dry-run, "
    assert told in " ".join(done.output.split())


def test_mistakes_are_told_before_anything_is_written(tmp_path: Path) -> None:
    text = "---\ntitle: Pair\n---\n\nOpen the {} app, and look for {} lamp.\n"
    files = {f"docs/{name}/pair.md": text.format(name, the) for name, the in (("ios", "teh"), ("web", "the"))}
    folder = written(tmp_path, files) / "docs"
    dry = run(folder, "--into", tmp_path / "out", "--dry-run").output
    assert dry.index("Fix these before you adopt:\n") < dry.index("Would write")
    done = run(folder, "--into", tmp_path / "out").output
    assert "Fix these before" not in done
    assert done.index("Wrote ") < done.index(
        "`mkdocs build --strict` fails on these:\nwarning: site_templates/steps/pair.md.j2:"
    )


# Trees


def test_chapters_of_a_course_are_no_platforms(tmp_path: Path) -> None:
    text = (
        "---\ntitle: Lesson {0}\n---\n\n# Lesson {0}\n\nYou need an editor, a terminal and an hour for this lesson.\n\n"
        "This is about {1}.\n\n## Exercise\n\nChange the example, run it again, and tell what happens.\n\n"
        "## Feedback\n\nWrite to the teacher when something is not clear, or ask in the next hour.\n"
    )
    names = ("loops", "names", "files")
    files = {f"docs/lessons/{n:02}-{name}.md": text.format(n, name) for n, name in enumerate(names, 1)}
    folder = written(tmp_path, files) / "docs"
    assert "steps rather than platforms: their names are numbered" in run(folder).output
    done = run(folder, "--into", tmp_path / "out")
    assert (done.exit_code, "01-loops, 02-names and so on are numbered, as steps are" in done.output) == (2, True)
    assert run(folder, "--step", "lessons", "--into", tmp_path / "out").exit_code == 0


def test_files_of_several_steps_may_be_named_together(tmp_path: Path) -> None:
    text = "# {1}\n\nOpen the {0} app.\n\nWait for {1}.\n"
    files = {f"{name}/{step}.md": text.format(name, step) for name in ("ios", "web") for step in ("add", "pair")}
    folder = written(tmp_path, files)
    done = run(*(folder / name for name in files), "--into", tmp_path / "out")
    assert done.exit_code == 0, done.output
    assert rendered(tmp_path / "out").keys() == files.keys()


def test_front_matter_in_toml_and_components_are_told(tmp_path: Path) -> None:
    toml = '+++\ntitle = "Pair"\n+++\n\nOpen the {} app, and look for the lamp.\n\n## Then\n\nWait.\n'
    folder = written(tmp_path, {f"a/{name}/pair.md": toml.format(name) for name in ("ios", "web")}) / "a"
    out = run(folder, "--into", tmp_path / "toml").output
    assert "MkDocs shows front matter in TOML (+++) as text: write it as YAML (---) in the template." in out
    assert "ios-and-web: {titles: {pair: Pair}}" in (tmp_path / "toml/platforms.yaml").read_text()
    mdx = "---\ntitle: Pair\n---\nimport Note from './note';\n\n<Note>\n\nOpen the {} app.\n\n</Note>\n"
    folder = written(tmp_path, {f"b/{name}/pair.mdx": mdx.format(name) for name in ("ios", "web")}) / "b"
    out = run(folder, "--into", tmp_path / "mdx").output
    assert (
        "The pages end in `.md`; 2 copies do not. The first: ios/pair.mdx. `tutorial-tool lint --fix` corrects links.\n"
        in out
    )
    assert "MkDocs shows imports and components of MDX as text" in out


def test_steps_stand_in_the_order_of_their_links_or_of_the_navigation(tmp_path: Path) -> None:
    text = "---\ntitle: {1}\n---\n\nOpen the {0} app, and look for what is told here.\n\nThen: {1}.\n\n{2}\n"
    after = {"install": "Next: [Connect](connect.md)", "connect": "Next: [Add](add.md)", "add": "Done."}
    files = {
        f"docs/{name}/{step}.md": text.format(name, step, link)
        for name in ("ios", "web")
        for step, link in after.items()
    }
    folder = written(tmp_path, files)
    run(folder / "docs", "--into", tmp_path / "links")
    assert "steps: [install, connect, add]" in (tmp_path / "links/platforms.yaml").read_text()
    nav = "site_name: Lamps\nnav: [ios/add.md, ios/install.md, ios/connect.md]\n"
    written(folder, {"mkdocs.yml": nav})
    run(folder / "docs", "--into", tmp_path / "nav")
    assert "steps: [add, install, connect]" in (tmp_path / "nav/platforms.yaml").read_text()
    assert "site_name: Lamps\n" in (tmp_path / "nav/mkdocs.yml").read_text()


LISTED = ("install", "connect", "add")


@pytest.mark.parametrize(
    ("index", "text"),
    [
        ("docs/ios/README.md", "# {1} on {0}\n\nBegin here.\n\n{2}"),
        ("docs/ios/overview.md", "# {1} on {0}\n\nDone? See [Add](add.md).\n\n{2}"),
        ("docs/index.md", "# {1}\n\n{3}"),
    ],
)
def test_steps_stand_in_the_order_in_which_an_index_lists_them(index: str, text: str, tmp_path: Path) -> None:
    def page(name: str, platform: str) -> str:
        lists = ("".join(f"- [{one}]({folder}{one}.md)\n" for one in LISTED) for folder in ("", f"{platform}/"))
        return text.format(name, "Lamps", *lists)

    step = "---\ntitle: {1}\n---\n\nOpen the {0} app, and look for what is told here.\n\nThen: {1}.\n"
    platforms = {"ios": "iOS", "web": "Web"}
    files = {f"docs/{id_}/{one}.md": step.format(name, one) for id_, name in platforms.items() for one in LISTED}
    files |= {index.replace("ios", id_): page(name, id_) for id_, name in reversed(platforms.items())}
    folder = written(tmp_path, files)
    run(folder / "docs", "--into", tmp_path / "out")
    steps = [Path(index).stem, *LISTED] if "ios" in index else LISTED
    assert f"steps: [{', '.join(steps)}]" in (tmp_path / "out/platforms.yaml").read_text()


def test_a_step_that_only_some_have_stands_where_their_numbers_say(tmp_path: Path) -> None:
    text = "---\ntitle: Step {2}. The {1}\n---\n\nOpen the {1}, and read what it says about your job on {0}.\n\nThen wait.\n"
    few = ("token", "secret", "job", "metric")
    steps = {"github": few, "gitlab": few, "bamboo": ("token", "secret", "plugin", "job", "metric")}
    steps["jenkins"] = steps["bamboo"]
    files = {
        f"docs/{id_}/{step}.md": text.format(id_.title(), step, number)
        for id_, own in steps.items()
        for number, step in enumerate(own, 1)
    }
    run(written(tmp_path, files) / "docs", "--into", tmp_path / "out")
    told = (tmp_path / "out/platforms.yaml").read_text().partition("steps:\n")[2]
    assert re.findall(r"^ +- (?:{id: )?(\w+)", told, re.MULTILINE) == list(steps["bamboo"])


def test_open_choices_stand_in_the_order_of_the_harm_that_they_may_do(tmp_path: Path) -> None:
    front = "---\ntitle: Pair\n---\n\nA lamp is paired once, and stays paired until you reset it.\n\n"
    text = "Say {} to it.\n\nPut it near the {}.\n\nIt glows in the {} then.\n\nListen on port {}.\n"
    own = {
        "ios": ("hello", "door", "dark", "1883"),
        "tv": ("hello", "door", "night", "2883"),
        "web": ("welcome", "entrance", "night", "3883"),
        "watch": ("greetings", "door", "night", "4883"),
    }
    written(tmp_path, {f"guides/{id_}/pair.md": front + text.format(*words) for id_, words in own.items()})
    told = run(tmp_path / "guides", "--into", tmp_path / "out", "--dry-run").output.splitlines()
    lines = [line for line in told if line.startswith("open: ")]
    assert "3 choices open." in "\n".join(told)
    assert ["Say hello to it.` (ios, tv) or" in line for line in lines] == [False, False, True]


def test_long_texts_are_cut_where_they_differ() -> None:
    long = "light of the lamp that stands in the garden behind the"
    assert excerpt(f"{long} house", len(long)) == "`…garden behind the house`"
    address = "https://lamps.example/pictures-of-all/lamp-"
    assert excerpt(f"{address}red.svg", len(address)) == "`…pictures-of-all/lamp-red.svg`"
    assert excerpt("on", 1) == "`on`"


def test_an_open_choice_is_shown_from_its_difference_on_not_from_the_names(tmp_path: Path) -> None:
    text = "With the {} SDK, wherever you are in your house or garden, it keeps the {} on.\n"
    own = {"ios": ("iOS", "light"), "tv": ("TV", "light"), "web": ("Web", "lamp")}
    tree = copies(tmp_path / "docs", **{id_: text.format(*words) for id_, words in own.items()})
    out = run(tree, "--into", tmp_path / "out").output
    assert "`…garden, it keeps the light on.` (ios) / `…garden, it keeps the light on.` (tv) or" in out
    assert " or `…garden, it keeps the lamp on.` (web)\n" in out
    assert f"\nIn {tmp_path}/out:\nWrote docs_src/" in out


LIT = (
    "# Pair a lamp\n\nA lamp is paired once, and stays paired until you reset it.\n\n"
    "Open the app and sign in with your account. The app looks for lamps that are near.\n\n"
)


def test_a_picture_that_the_generator_publishes_at_the_root_goes_along(tmp_path: Path) -> None:
    page = f"{LIT}![The light](/img/{{0}}/light.png)\n\nThe light of {{0}} is green.\n"
    tree = {f"docs/{id_}/pair.md": page.format(id_) for id_ in ("ios", "web", "tv")}
    written(tmp_path, {**tree, **{f"static/img/{id_}/light.png": "a picture" for id_ in ("ios", "web", "tv")}})
    done = run(tmp_path / "docs", "--into", tmp_path / "out")
    assert "Copied 3 files that the pages show or link, the first: docs_src/img/ios/light.png\n" in done.output
    assert (tmp_path / "out/docs_src/img/tv/light.png").read_text() == "a picture"
    assert "missing-image" not in done.output


@pytest.mark.parametrize(
    ("shown_by", "suffix"),
    [
        ('{{{{< figure src="/img/{0}/light.png" alt="The light" >}}}}', "png"),
        ("{{{{< shot /img/{0}/light.png >}}}}", "png"),
        ('<Screenshot src="/img/{0}/light.webp" alt="The light" />', "webp"),
        ("<Shot image={{require('./static/img/{0}/light.png')}} />", "png"),
    ],
)
def test_a_picture_that_a_shortcode_or_component_shows_goes_along(tmp_path: Path, shown_by: str, suffix: str) -> None:
    page = f'{LIT}{shown_by}\n\nThe light of {{0}} is green. Type `"/img/code.png"`.\n'
    names = ("ios", "web", "tv")
    tree = {f"docs/pair-{id_}-lamp.md": page.format(id_) for id_ in names}
    pictures = {f"docs/static/img/{id_}/light.{suffix}": "a picture" for id_ in names}
    written(tmp_path, {**tree, **pictures, "docs/static/img/code.png": "not shown"})
    done = run(tmp_path / "docs", "--into", tmp_path / "out")
    assert "Copied 3 files that the pages show or link" in done.output
    assert "Wrote site_templates/steps/pair-lamp.md.j2\n" in done.output  # the platform leaves no gap


def test_places_are_told_from_the_working_folder_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    copies(tmp_path / "docs", ios="Select it, and wait a minute.\n", web="Select it, and wait.\n", tv="Take it.\n")
    monkeypatch.chdir(tmp_path)
    assert "\nopen: docs/guides/ios/pair.md:" in run(Path("docs"), "--into", "out").output
    assert "docs/guides/ios/pair.md:" in run(Path("docs"), "--resolve", "--yes", "--report", "choices.md").output
    assert "`docs/guides/ios/pair.md:" in Path("choices.md").read_text()
    monkeypatch.chdir(tmp_path / "docs")
    assert "\nopen: guides/ios/pair.md:" in run(Path(), "--into", "../other").output


def test_a_mistake_is_told_once_before_anything_is_written(tmp_path: Path) -> None:
    docs = copies(tmp_path / "docs", ios="Select teh lamp.\n", web="Select the lamp.\n", tv="Select the lamp.\n")
    out = run(docs, "--into", tmp_path / "out", "--dry-run").output
    assert "Fix these before you adopt:\n" in out
    assert out.count("misspelling: `teh`") == 1
    assert "would fail on these" not in out


def test_pages_that_nothing_was_taken_out_of_come_back_byte_for_byte(tmp_path: Path) -> None:
    plain = "# Pair a lamp\n\nA lamp is paired once, and stays paired until you reset it on {}.\n"
    docs = written(tmp_path / "docs", {f"{id_}/pair.md": plain.format(id_) for id_ in ("ios", "web", "tv")})
    out = run(docs, "--into", tmp_path / "out", "--normalize").output
    assert "all 3 pages are identical byte for byte.\n" in out


def test_of_many_pages_beside_the_copies_the_first_is_named(tmp_path: Path) -> None:
    words = [f"{letter * 3} {letter * 5}" for letter in "abcdefghijkl"]
    texts = {"ios": "Hold the iOS phone beside the lamp.", "web": "Hold the web phone beside the lamp."}
    texts |= {word.partition(" ")[0]: f"{word} {word.upper()} {word[::-1]}." for word in words}
    for name, text in texts.items():
        page = tmp_path / "docs" / name / "pair.md"
        page.parent.mkdir(parents=True)
        page.write_text(f"# Pair\n\n{text}\n")
    shown = run(tmp_path / "docs").output
    assert "pages here are no copies of the others; to adopt such pages together, name the files. The first: " in shown
