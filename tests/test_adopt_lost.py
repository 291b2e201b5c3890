"""What the linter finds in copies is found in the project that they became, or `adopt` tells that it is not."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from _pytest.mark import ParameterSet

from tests.test_adopt import run, written
from tutorial_tool import site
from tutorial_tool.config.settings import Config
from tutorial_tool.core.diagnostics import Finding, Severity
from tutorial_tool.docs import rule_manual
from tutorial_tool.docs.rule_manual import Example
from tutorial_tool.linter import engine
from tutorial_tool.markdown.parser import Dialect
from tutorial_tool.rules import get_rules
from tutorial_tool.site import Layout, loading

PAGE = """\
# Pair a lamp

Open the {name} app, and hold the lamp near your phone until it blinks.

Read [how to build a scene]({link}) when you are done.
"""


def _cases(rule: str) -> Iterator[tuple[Path, Example]]:
    for path in sorted((Path(__file__).parent / "rules/cases" / rule).glob("*.md")):
        for example in rule_manual.parse_examples(path.read_text(encoding="utf-8")):
            yield path, example


def compared() -> Iterator[ParameterSet]:
    """The copies with defects that are cases of the rules that compare."""
    compare = [rule for rule in get_rules().values() if rule.level == "Step" and rule.severity is not Severity.OFF]
    for rule in compare:
        for path, example in _cases(rule.name):
            is_mdx = any(path.endswith(".mdx") for path in example.files)  # which is read otherwise
            is_tree = not (example.is_project or example.config or is_mdx)
            if example.kind == "bad" and is_tree and len(example.files) > 1:
                yield pytest.param(example.files, id=f"{rule.name}-{path.stem}-{example.line}")


def found(read: site.Site, folder: Path) -> list[Finding]:
    return [one for one in engine.run(read, Config(folder)) if get_rules()[one.rule].level == "Step"]


@pytest.mark.slow
@pytest.mark.parametrize("files", list(compared()))
def test_no_finding_about_copies_is_lost_in_silence(files: dict[str, str], tmp_path: Path) -> None:
    docs = written(tmp_path / "docs", files)
    pages = sorted(docs.rglob("*.md"))
    before = found(site.load_plain(pages, docs, dialect=Dialect.PYTHON_MARKDOWN), docs)
    done = run(docs, "--into", tmp_path / "out")
    assert before
    assert done.exit_code == 0, done.output
    after = {one.rule for one in found(loading.load(Layout.find(tmp_path / "out")), tmp_path / "out")}
    for one in before:
        told = f"{one.rule}: " in done.output or f" {one.rule})" in done.output or f"({one.rule}" in done.output
        lines = "".join(re.findall(r"^open: .*", done.output, re.MULTILINE))
        open_ = [text for both in re.findall(r"(?<!`)`([^`]*?)…?`(?!`)|``(.*?)…?``", lines) for text in both if text]
        places = [one.span, *(other.span for other in one.related)]
        is_open = any(text in span.text or span.text in text for text in open_ for span in places if span.text)
        is_row = one.rule == "missing-row" and re.search(
            "^Rows that (?:a copy lacked|few copies have): ", done.output, re.MULTILINE
        )
        assert one.rule in after or told or is_open or is_row, done.output


def astray(folder: Path) -> Path:
    """Copies of which one links into another platform."""
    links = {"android": "../android/scene.md", "ios": "../ios/scene.md", "web": "../ios/scene.md"}
    names = {"android": "Android", "ios": "iOS", "web": "Web"}
    pages = {f"{id_}/pair.md": PAGE.format(name=names[id_], link=link) for id_, link in links.items()}
    scenes = {f"{id_}/scene.md": f"# Scenes\n\nA scene on {name}.\n" for id_, name in names.items()}
    return written(folder / "docs", {**pages, **scenes})


def test_a_link_into_another_platform_is_told_where_it_stands_now(tmp_path: Path) -> None:
    out = run(astray(tmp_path), "--step", "pair", "--into", tmp_path / "out").output
    assert "The linter reports these in the copies, but not in the project, where they count as intended:\n" in out
    line = next(line for line in out.splitlines() if "foreign-link: " in line)
    path, row, column = line.partition(": ")[2].split(":")[:3]
    text = (tmp_path / "out" / path).read_text(encoding="utf-8").splitlines()[int(row) - 1][int(column) - 1 :]
    assert path in ("platforms.yaml", "site_templates/steps/pair.md.j2")
    assert text.startswith(("../ios/scene.md", "ios", "Web", "web"))
    assert line.endswith("this Web page links to iOS; Android and iOS link to their own pages [web]")


def test_before_anything_is_written_it_is_told_where_the_copies_have_it(tmp_path: Path) -> None:
    docs, report = astray(tmp_path), tmp_path / "choices.md"
    out = run(docs, "--step", "pair", "--into", tmp_path / "out", "--dry-run").output
    wanted = "web/pair.md:5:32: foreign-link: this Web page links to iOS; Android and iOS link to their own pages"
    assert f"Fix these before you adopt:\nerror: {wanted}" in out
    assert "as intended" not in out
    run(docs, "--step", "pair", "--report", report)
    assert f"- `{wanted.partition(': ')[0]}` {wanted.partition(': ')[2]}\n" in report.read_text()


def test_what_resolve_settles_is_not_told(tmp_path: Path) -> None:
    page = PAGE.replace("{link}", "scene.md") + "\nThe light is in the bulb.\n\nIt keeps the {light} on.\n"
    words = {"ios": "color", "web": "color", "tv": "colour"}
    docs = written(
        tmp_path / "docs", {f"{id_}/pair.md": page.format(name=id_, light=word) for id_, word in words.items()}
    )
    assert (
        "`It keeps the color on.` (ios, web) or `It keeps the colour on.` (tv)"
        in run(docs, "--into", tmp_path / "plain").output
    )
    out = run(docs, "--into", tmp_path / "out", "--resolve", "--yes").output
    assert "takes `It keeps the color on.`" in out
    assert "drifted-wording" not in out


def test_what_normalize_leaves_is_told(tmp_path: Path) -> None:
    docs = astray(tmp_path)
    for path in docs.rglob("pair.md"):
        path.write_text(path.read_text().replace("# Pair a lamp", "# 1. Pair a lamp") + "\nNext: [Scenes](scene.md)\n")
    out = run(docs, "--step", "pair", "--into", tmp_path / "out", "--normalize").output
    assert "foreign-link: this Web page links to iOS" in out


def test_copies_that_drift_in_nothing_have_nothing_to_tell(tmp_path: Path) -> None:
    names = {"ios": "iOS", "web": "Web", "tv": "TV"}
    pages = {f"{id_}/pair.md": PAGE.format(name=name, link=f"../{id_}/scene.md") for id_, name in names.items()}
    scenes = {f"{id_}/scene.md": f"# Scenes\n\nA scene on {name}.\n" for id_, name in names.items()}
    out = run(written(tmp_path / "docs", {**pages, **scenes}), "--step", "pair", "--into", tmp_path / "out").output
    assert "The linter finds" not in out
    assert "hint" not in out


def test_a_name_with_a_hyphen_in_a_files_name_is_whole(tmp_path: Path) -> None:
    text = (
        "# Set up {0}\n\nWith these steps you set up your mailbox in {1}. You need your address.\n\n"
        "1. Open {0} and wait until it is ready.\n\nMessages appear in {0} after some seconds.\n"
    )
    names = {"blue-mail": "Blue Mail", "outpost": "Outpost", "kestrel": "Kestrel"}
    files = {
        f"docs/{id_}-setup.md": text.format(name, "Outpost" if id_ == "blue-mail" else name)
        for id_, name in names.items()
    }
    done = run(written(tmp_path, files) / "docs", "--into", tmp_path / "out")
    assert (
        "foreign-name: `Outpost` on a page for Blue Mail: Kestrel and Outpost use their own names here" in done.output
    )


def test_a_word_for_a_state_that_one_copy_has_is_found_at_the_data(tmp_path: Path) -> None:
    pages = {
        f"{id_}/dim.md": (
            f"# Dim a lamp\n\nOpen the {name} app, and set these for the lamp:\n\n| Setting | Recommended | Notes |\n"
            f"| --- | --- | --- |\n| Sync | On | The lamps follow each other. |\n| Pause | {word} | It waits for you. |\n"
        )
        for id_, name, word in (("ios", "iOS", "Off"), ("android", "Android", "Disabled"), ("web", "Web", "Off"))
    }
    docs, out = written(tmp_path / "docs", pages), tmp_path / "out"
    printed = run(docs, "--into", out).output
    told = [one for one in engine.run(loading.load(Layout.find(out)), Config(out)) if one.rule == "mixed-values"]
    assert [(one.span.path, one.span.text) for one in told] == [("platforms.yaml", "Disabled")]
    assert "mixed-values: inconsistent values for one state: `Disabled` here, `Off` on iOS and Web" in printed
    data = (out / "platforms.yaml").read_text(encoding="utf-8")
    reason = data.replace("recommended: Disabled}", 'recommended: Disabled, because: "So the app calls it"}')
    assert reason != data
    (out / "platforms.yaml").write_text(reason, encoding="utf-8")
    assert [one for one in engine.run(loading.load(Layout.find(out)), Config(out)) if one.rule == "mixed-values"] == []


def test_a_page_beside_copies_that_is_none_of_them_is_named(tmp_path: Path) -> None:
    text = "# Pair {0}\n\nPair your lamp with the {0} app.\n\n1. Open **Settings**.\n2. Wait a minute.\n\nThat is all on {0}.\n"
    files = {
        f"docs/guides/{id_}/pair.md": text.format(name) for id_, name in (("a", "A"), ("ab", "A B"), ("it's", "It's"))
    }
    done = run(written(tmp_path, files) / "docs", "--into", tmp_path / "out")
    assert done.exit_code == 0, done.output
    assert ("guides/ab/pair.md: not adopted" in done.output) != ("3 copies" in done.output), done.output
