"""What a rule or a page may use up, and what is reported where it does: the other rules and pages go on."""

from __future__ import annotations

import pkgutil
import re
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from click.testing import CliRunner

from tests import project
from tests.repository import Repository
from tutorial_tool import site
from tutorial_tool.cli import main
from tutorial_tool.config.settings import Config
from tutorial_tool.core import time_budget
from tutorial_tool.core.diagnostics import Finding
from tutorial_tool.core.time_budget import Limit, TimeBudgetExceeded, run_clock
from tutorial_tool.linter import budgets, engine
from tutorial_tool.markdown import document
from tutorial_tool.rules import get_rules
from tutorial_tool.site import Page, Site


def work_for_ever() -> None:
    while True:
        sum(range(1000))


@pytest.fixture(autouse=True)
def _short_ticks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(time_budget, "TICK", 0.01)


def lint(root: Path, **texts: str) -> list[Finding]:
    paths = {f"{name}.md": text for name, text in texts.items()}
    return engine.run(site.load_plain([root / path for path in paths], root, paths), Config(root))


# The clock


def test_work_that_takes_too_long_is_ended() -> None:
    with pytest.raises(TimeBudgetExceeded), Limit(0.05) as limit:
        work_for_ever()
    assert limit.is_over


def test_the_inner_of_two_limits_ends_first_and_the_outer_goes_on() -> None:
    with Limit(0.5) as outer:
        with pytest.raises(TimeBudgetExceeded), Limit(0.05) as inner:
            work_for_ever()
        assert (inner.is_over, outer.is_over) == (True, False)
        with pytest.raises(TimeBudgetExceeded):
            work_for_ever()
        assert outer.is_over


def test_a_thread_that_takes_too_long_is_ended() -> None:
    ended: list[bool] = []

    def work() -> None:
        try:
            with run_clock(), Limit(0.05):
                work_for_ever()
        except TimeBudgetExceeded:
            ended.append(True)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join(30)
    assert ended == [True]


def test_a_message_can_name_what_is_worked_on() -> None:
    with Limit(5, "`misspelling`", "`a.md`"), Limit(4):
        assert time_budget.describe_current_work() == "`misspelling` on `a.md`"
    assert time_budget.describe_current_work() == ""


# Commands

STEPS = {"a": "", "b": " rarely"}


@pytest.mark.parametrize(
    ("command", "module", "function", "said"),
    [
        (
            "compare docs/ios/a.md docs/web/a.md",
            "compare.rows",
            "_iter_rows",
            "tutorial-tool: comparing `docs/{platform}/a`",
        ),
        ("sync", "sync.plan", "carry_edit", "comparing"),
        ("diff", "diff.rendered_pages", "_find_changes", "comparing `docs/{platform}/a`"),
        ("compare", "variants", "_discover_steps", "looking for copies"),
        ("sync", "variants", "_discover_steps", "looking for copies"),
        ("diff", "variants", "_discover_steps", "looking for copies"),
        ("adopt docs", "adopt.sets", "_find_more_groups", "looking for copies"),
        ("adopt docs --into . --normalize", "adopt.normalize", "_find_alt_edits", "--normalize on `ios/a.md`"),
    ],
)
def test_a_command_stops_what_takes_too_long_and_names_it(
    command: str, module: str, function: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = "# How to start\n\nOpen the app and go on.\n\n```sh\nrun {}\n```\n\nThen close it again.\n"
    repository = Repository(tmp_path)
    repository.commit(tree={f"docs/{name}/a.md": text.format(name) for name in ("ios", "web")})
    repository.edit("docs/ios/a.md", "go on", "wait")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(time_budget, "PART_SECONDS", 0.1)
    monkeypatch.setattr(f"tutorial_tool.{module}.{function}", lambda *_: work_for_ever())
    done = CliRunner().invoke(main, command.split())
    assert f"{said} was stopped after 0 s of CPU time" in done.output
    assert "Traceback" not in done.output


@pytest.mark.parametrize(
    "work", ["template.align_copies", "template.find_differences", "template.Writer.write", "resolve.find_open_choices"]
)
def test_adopt_leaves_the_step_that_takes_too_long_and_adopts_the_others(
    work: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = "# How to start\n\nOpen the app on {} and go on.\n\nThen close it{}.\n"
    tree = {
        f"docs/{name}/{step}.md": text.format(name, word) for name in ("ios", "web") for step, word in STEPS.items()
    }
    Repository(tmp_path).commit(tree=tree)
    done = pkgutil.resolve_name(f"tutorial_tool.adopt.{work}")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(time_budget, "PART_SECONDS", 0.3)
    named = 1 if work == "resolve.find_open_choices" else 2  # the evidence behind the copies is that of all steps
    monkeypatch.setattr(
        f"tutorial_tool.adopt.{work}",
        lambda *given: work_for_ever() if re.search(r"b\.md|rarely", repr(given[:named])) else done(*given),
    )
    ran = CliRunner().invoke(main, ["adopt", "docs", "--into", ".", "--remove-copies"])
    assert ran.exit_code == 0, ran.output
    assert re.search("docs/b: left (alone|as copies): comparing `docs/b` was stopped after 0 s of CPU time", ran.output)
    assert not Path("docs/ios/a.md").exists()
    assert Path("site_templates/steps/a.md.j2").exists()
    assert Path("docs/ios/b.md").read_text() == tree["docs/ios/b.md"]


# Rules


def replaced(monkeypatch: pytest.MonkeyPatch, name: str, check: Callable[..., Iterator[Finding]]) -> None:
    rule = get_rules()[name]
    monkeypatch.setitem(vars(rule), "check", check)


def check_wrongly(page: Page) -> Iterator[Finding]:
    raise ValueError(f"nothing in {page.path}")


def test_a_rule_that_fails_is_named_and_the_others_go_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    replaced(monkeypatch, "grammar", check_wrongly)
    failed, misspelt = lint(tmp_path, a="# Start\n\nOpen teh app and go on.\n")
    assert (failed.rule, misspelt.rule) == ("unfinished-check", "misspelling")
    said = "an internal error stopped `grammar` on `a.md`: ValueError: nothing in a.md (test_budgets.py:"
    assert failed.message.startswith(said)
    read = site.load_plain([tmp_path / "a.md"], tmp_path, {"a.md": "# Start\n"})
    (alone,) = engine.run(read, Config(tmp_path, select=("grammar",)))
    assert alone.message.startswith(said), "a rule that fails has not found nothing"
    monkeypatch.setenv("TUTORIAL_TOOL_TRACEBACK", "1")
    with pytest.raises(ValueError, match="nothing in a"):
        lint(tmp_path, a="# Start\n\nOpen teh app and go on.\n")


def check_for_ever(page: Page) -> Iterator[Finding]:
    work_for_ever()
    yield page.flag((0, 1), "seen")


def test_a_rule_that_does_not_end_is_reported_and_the_other_rules_and_pages_are_checked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def check(page: Page) -> Iterator[Finding]:
        if page.path == "a.md":
            work_for_ever()
        yield page.flag((0, 1), "seen")

    replaced(monkeypatch, "duplicate-id", check)
    monkeypatch.setattr(budgets, "TASK_SECONDS", 0.2)
    found = {
        (finding.span.path, finding.rule, finding.message) for finding in lint(tmp_path, a="# A the the\n", b="# B\n")
    }
    stopped = "`duplicate-id` was stopped after 0 s of CPU time on `a.md`; the rest was not checked"
    assert ("a.md", "unfinished-check", stopped) in found
    assert ("b.md", "duplicate-id", "seen") in found
    assert ("a.md", "repeated-word") in {place[:2] for place in found}


def test_in_a_thread_as_the_editor_has_it_a_rule_is_stopped_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    replaced(monkeypatch, "duplicate-id", check_for_ever)
    monkeypatch.setattr(budgets, "TASK_SECONDS", 0.2)
    with ThreadPoolExecutor(1) as pool:
        found = pool.submit(lint, tmp_path, a="# A the the\n").result(30)
    assert {"unfinished-check", "repeated-word"} <= {finding.rule for finding in found}


HANG = """
from tutorial_tool.fs import limited_process
limited_process.limit()
from tutorial_tool.linter import budgets
from tutorial_tool.rules import get_rules
budgets.TASK_SECONDS = 0.2
def check(page):
    while True:
        sum(range(1000))
    yield
vars(get_rules()["duplicate-id"])["check"] = check
from tutorial_tool.cli import main
main()
"""


@pytest.mark.skipif(sys.platform != "linux", reason="memory is limited on Linux")
def test_with_limits_a_rule_is_stopped_too(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("# A the the\n")
    command = [sys.executable, "-c", HANG, "lint", "--untrusted", "--no-cache", "--output-format", "concise"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 1, done.stderr
    assert "`duplicate-id` was stopped after 0 s of CPU time on `a.md`; the rest was not checked" in done.stdout
    assert "repeated-word" in done.stdout


def test_a_rule_that_does_not_end_on_a_page_without_text_is_reported_at_its_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    replaced(monkeypatch, "duplicate-id", check_for_ever)
    monkeypatch.setattr(budgets, "TASK_SECONDS", 0.05)
    places = [str(finding.span) for finding in lint(tmp_path, a="") if finding.rule == "unfinished-check"]
    assert places == ["a.md:1:1"]


def test_a_rule_of_the_whole_site_names_the_page_that_it_was_looking_at(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def check(site: Site) -> Iterator[Finding]:
        for page in site.pages:
            yield page.flag((0, 1), "seen")
            if page.path == "b.md":
                work_for_ever()

    replaced(monkeypatch, "broken-link", check)
    monkeypatch.setattr(budgets, "TASK_SECONDS", 0.2)
    found = [finding for finding in lint(tmp_path, a="# A\n", b="# B\n") if finding.rule == "unfinished-check"]
    assert [(finding.span.path, finding.message) for finding in found] == [
        (
            "b.md",
            "`broken-link` was stopped after 0 s of CPU time on the whole site, at `b.md`; the rest was not checked",
        )
    ]


def test_a_rule_of_a_site_without_pages_names_its_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    replaced(monkeypatch, "broken-link", check_for_ever)
    monkeypatch.setattr(budgets, "TASK_SECONDS", 0.05)
    root = project.write(tmp_path, "platforms: {}\n", {})
    (root / "docs_src/index.md").unlink()
    found = engine.run(project.load(root), Config(root))
    assert "platforms.yaml:1:1" in [str(finding.span) for finding in found if finding.rule == "unfinished-check"]


def test_a_rule_reports_so_many_findings_of_one_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(budgets, "MAX_FINDINGS", 10)
    found = lint(tmp_path, a="# A\n\n" + 50 * "the the one\n\n", b="# B\n\nthe the\n")
    repeated = [finding.span.path for finding in found if finding.rule == "repeated-word"]
    assert (repeated.count("a.md"), repeated.count("b.md")) == (10, 1)
    (stopped,) = (finding for finding in found if finding.rule == "unfinished-check")
    assert stopped.message == "`repeated-word` was stopped after 10 findings in `a.md`; it may have more"


def test_after_so_much_time_on_one_page_the_rules_that_are_left_are_not_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def check(_: Page) -> Iterator[Finding]:
        work_for_ever()
        yield from ()

    monkeypatch.setattr(budgets, "TASK_SECONDS", 0.05)
    for rule in get_rules().values():
        if rule.level == "Page" and not rule.needs:
            replaced(monkeypatch, rule.name, check)
    found = lint(tmp_path, a="# A\n")
    stopped = [finding.message for finding in found if finding.rule == "unfinished-check"]
    assert "rules took 0 s of CPU time on `a.md`; the others were not run" in stopped
    assert len(stopped) < 10


def test_markdown_that_takes_too_long_to_read_is_reported_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def parse(text: str, *_: object) -> list[object]:
        if "hang" in text:
            work_for_ever()
        return []

    monkeypatch.setattr(document, "parse_blocks", parse)
    monkeypatch.setattr(document, "_READING_SECONDS", 0.05)
    found = lint(tmp_path, a="# A\n\nhang\n", b="# B\n")
    assert [(finding.span.path, finding.message) for finding in found if finding.rule == "unfinished-check"] == [
        ("a.md", "`a.md` takes too much time or memory to read as Markdown; nothing in it was checked")
    ]


def test_the_severity_of_what_was_not_checked_is_configured(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(budgets, "MAX_FINDINGS", 1)
    text = "# A\n\nthe the\n\na a\n"
    read = site.load_plain([tmp_path / "a.md"], tmp_path, {"a.md": text})
    found = engine.run(read, Config(tmp_path, ignore=("unfinished-check",)))
    assert "unfinished-check" not in {finding.rule for finding in found}
