"""Which pages answer to each other: found in any tree, or stated."""

from __future__ import annotations

import random
import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.work import calls
from tutorial_tool import site, variants, variation
from tutorial_tool.cli import main
from tutorial_tool.config.settings import Config
from tutorial_tool.fs import blame
from tutorial_tool.linter import engine
from tutorial_tool.variants import linkage, paths
from tutorial_tool.variants.similarity import PageSummary
from tutorial_tool.variation.multi_alignment import align_sequences as many


def write(folder: Path, tree: dict[str, str]) -> None:
    for name, text in tree.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def page(name: str, *, step: str = "connect") -> str:
    return (
        f"# {step.title()} your {name} app\n\nOpen the dashboard and choose your project there.\n\n"
        f"1. Select **{name}** from the list of inputs for {step}.\n2. Click the button and wait for the {step} mark.\n\n"
        f"The {step} of events may take a minute. You can close the window until then.\n"
    )


OTHER = """# Billing\n
Invoices are sent on the first day of a month. Pay them by card or transfer.\n
Ask the support team for a copy of an older invoice, and name its number.\n
A credit note stands on the next invoice. Taxes depend on your country.
"""


def steps(folder: Path, tree: dict[str, str], patterns: tuple[str, ...] = ()) -> list[dict[str, str]]:
    write(folder, tree)
    found = site.load_plain([folder / path for path in tree], folder)
    return [
        {page.path: step.variants[id_].name for id_, page in step.pages.items()}
        for step in variants.find_steps(found, patterns)
    ]


SHAPES = {
    "a folder a variant": "docs/{}/connect.md",
    "an index a variant": "docs/{}/connect/index.md",
    "a folder inside a topic": "guides/connect/{}/setup.mdx",
    "a file a variant": "connect/{}.md",
    "a suffix of the name": "docs/connect.{}.md",
    "the end of the name": "docs/connect-{}.md",
    "the begin of the name": "docs/{}-connect.md",
    "bare files": "{}.md",
}


@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)
def test_copies_are_found_in_all_shapes_of_trees(tmp_path: Path, shape: str) -> None:
    names = {"ios": "iOS", "android": "Android", "react-native": "React Native"}
    tree = {shape.format(slug): page(name) for slug, name in names.items()}
    assert steps(tmp_path, tree) == [{shape.format(slug): name for slug, name in names.items()}]


def test_each_step_is_a_set_of_its_own(tmp_path: Path) -> None:
    tree = {
        f"docs/{slug}/{step}.md": page(slug.title(), step=step)
        for slug in ("acme", "zenith")
        for step in ("connect", "export")
    }
    assert [sorted(found) for found in steps(tmp_path, tree)] == [
        ["docs/acme/connect.md", "docs/zenith/connect.md"],
        ["docs/acme/export.md", "docs/zenith/export.md"],
    ]


@pytest.mark.parametrize(
    "shape", ["docs/{step}.{slug}.md", "docs/{step}-{slug}.md", "{slug}-{step}.md", "{step}/{slug}.md"]
)
def test_steps_that_have_much_in_common_are_two_steps(tmp_path: Path, shape: str) -> None:
    shared = "".join(f"\nThe server stores rule number {n} until the account is closed.\n" for n in range(4))
    tree = {}
    for slug, name in {"ruby": "Ruby", "kotlin": "Kotlin"}.items():
        tree[shape.format(step="connect", slug=slug)] = page(name) + shared
        tree[shape.format(step="pay-bills", slug=slug)] = OTHER + shared + f"\nBills for {name} come by mail.\n"
    assert [len(found) for found in steps(tmp_path, tree)] == [2, 2]


def test_pages_that_are_one_but_for_their_names_are_copies_though_steps_are_alike_too(tmp_path: Path) -> None:
    names = {"ios": "iOS", "android": "Android", "web": "Web"}
    shared = "".join(f"Rule {number} holds for all that you do here, whatever it is.\n\n" for number in range(6))
    own = "".join(f"Case {number} of a {{}} app is one that others never have.\n\n" for number in "abcd")
    tree = {
        f"guide/{step}/{slug}.md": f"# {about} {name}\n\n{shared}{own.format(*[name] * 4)}{about} takes a while.\n"
        for slug, name in names.items()
        for step, about in {"start": "Begin with", "keys": "Secrets of"}.items()
    }
    assert steps(tmp_path, tree) == [
        {f"guide/{step}/{slug}.md": names[slug] for slug in sorted(names)} for step in ("start", "keys")
    ]


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("v1", "v2"),
        ("2024", "2025"),
        ("lib", "lib-v1"),
        ("1.x", "2.x"),
        ("latest", "stable"),
        ("en", "de"),
        ("en", "pt-BR"),
    ],
)
def test_versions_and_languages_are_no_platforms(tmp_path: Path, one: str, two: str) -> None:
    assert steps(tmp_path, {f"docs/{slug}/connect.md": page("Mobile") for slug in (one, two)}) == []


def test_a_version_beside_a_platform_stays_as_it_is(tmp_path: Path) -> None:
    tree = {
        f"sdk/{slug}/{version}/connect.md": page(slug.title())
        for slug in ("swift", "kotlin")
        for version in ("v4", "v5")
    }
    assert [sorted(found) for found in steps(tmp_path, tree)] == [
        ["sdk/kotlin/v4/connect.md", "sdk/swift/v4/connect.md"],
        ["sdk/kotlin/v5/connect.md", "sdk/swift/v5/connect.md"],
    ]


def test_one_name_with_another_content_is_not_one_step(tmp_path: Path) -> None:
    tree = {"docs/ios/connect.md": page("iOS"), "docs/web/connect.md": page("Web"), "docs/android/connect.md": OTHER}
    assert steps(tmp_path, tree) == [{"docs/ios/connect.md": "iOS", "docs/web/connect.md": "Web"}]


def test_copies_may_stand_under_two_bases(tmp_path: Path) -> None:
    tree = {
        "quickstart/ios/connect.md": page("iOS"),
        "quickstart/web/connect.md": page("Web"),
        "tutorials/android/connect.md": page("Android"),
    }
    assert steps(tmp_path, tree) == [dict(zip(tree, ("iOS", "Web", "Android"), strict=True))]


def test_a_catalogue_in_several_languages_is_not_a_step(tmp_path: Path) -> None:
    names = [f"Shape{chr(65 + number // 26)}{chr(65 + number % 26)}" for number in range(41)]
    tree = {f"nodes/{name}/{code}.md": page(name) for name in names for code in ("it", "en")}
    assert steps(tmp_path, tree) == []


LOST = """# Flags kit - {name} provider

{text}

## Set up

The provider is a package. You can install it with the manager that you {have}.

## Provider

Import the provider from its package, and give it your key.

## Example

{more}

## Documentation

See the handbook of {name} for more.
"""


def test_a_third_page_with_the_same_title_and_headings_is_a_copy(tmp_path: Path) -> None:
    own = "The provider of {0} reads the flags of {0}, and keeps them until they change."
    told = {
        "Alder": (own.format("Alder"), "have", [f"Line {number} of the sample reads a flag." for number in range(17)]),
        "Birch": (own.format("Birch"), "have", [f"Line {number} of the sample reads a flag." for number in range(14)]),
        "Cedar": ("Ask the server for flags.", "know", [f"Here sample {number} has switches." for number in range(15)]),
    }
    tree = {
        f"packages/{name.lower()}/README.md": LOST.format(name=name, text=text, have=have, more="\n\n".join(more))
        for name, (text, have, more) in told.items()
    }
    assert steps(tmp_path, tree) == [dict(zip(tree, told, strict=True))]


def test_a_catalogue_is_not_a_step(tmp_path: Path) -> None:
    names = [f"Partner{chr(65 + number // 26)}{chr(65 + number % 26)}" for number in range(41)]
    assert steps(tmp_path, {f"partners/{name.lower()}.md": page(name) for name in names}) == []


def guide(name: str, *others: str) -> str:
    told = "".join(f"{text}\n\n" for text in others)
    return f"{page(name)}\nInstall the {name} package first.\n\nAdd the middleware to your {name} server.\n\n{told}"


def test_other_pages_of_the_folder_do_not_matter(tmp_path: Path) -> None:
    """A folder of guides holds those of one kind beside many others."""
    names = {"express": "Express", "hono": "Hono", "koa": "Koa"}
    copies = {f"guides/{slug}.md": guide(name) for slug, name in names.items()}
    others = {f"guides/{word}.md": OTHER.replace("invoice", word) for word in map("word{:02}s".format, range(30))}
    assert steps(tmp_path, copies | {path: text[::-1] for path, text in others.items()}) == [
        {f"guides/{slug}.md": name for slug, name in names.items()}
    ]


def test_a_page_about_all_and_pages_that_are_less_alike_do_not_matter(tmp_path: Path) -> None:
    kept = [f"You keep the {word} of your words in a file of its own." for word in ("first", "second", "third")]
    names = ["lit", "preact", "solid", "svelte"]
    tight = {f"guides/with_astro_{name}.md": guide(name.title(), *kept, *kept) for name in names}
    hub = {"guides/with_astro.md": guide("Astro", *kept, *kept[:2])}
    looser = {
        f"guides/with_{name}.md": guide(
            name.title(), *(f"{name} needs its {number}. file here." for number in range(9))
        )
        for name in map("other{:02}".format, range(14))
    }
    (found,) = (set(step) for step in steps(tmp_path, tight | hub | looser) if not step.keys().isdisjoint(tight))
    assert found >= set(tight | hub)


def test_the_page_that_has_drifted_most_stays_with_its_copies(tmp_path: Path) -> None:
    """Two of four pages are written anew in one half, one of them in the other: it is like one copy, and not like all."""
    kept = [f"You keep the {word} of your words in a file of its own." for word in ("first", "second", "third")]
    ours = [f"Each of the {word} here is counted once a day." for word in ("pages", "lines", "words", "signs", "marks")]
    tree = {f"docs/{slug}/connect.md": guide(slug.title(), *kept) for slug in ("ios", "web", "tv")}
    tree["docs/tv/connect.md"] = guide("Tv", *kept, *ours, *(f"Also {text.lower()}" for text in ours))
    tree["docs/roku/connect.md"] = "# Connect\n\n" + "".join(f"{text}\n\n" for text in (*ours, *kept[:1]))
    assert [sorted(step) for step in steps(tmp_path, tree)] == [sorted(tree)]


def test_no_part_of_a_catalogue_is_a_step(tmp_path: Path) -> None:
    names = [f"Partner{chr(65 + number // 26)}{chr(65 + number % 26)}" for number in range(60)]
    assert steps(tmp_path, {f"partners/{name.lower()}.md": guide(name) for name in names}) == []


def test_the_name_is_what_readers_see(tmp_path: Path) -> None:
    names = {"apple": "iOS", "cpp": "C++", "nodejs": "Node.js"}
    tree = {f"docs/{slug}/connect.md": page(name) for slug, name in names.items()}
    assert steps(tmp_path, tree) == [{f"docs/{slug}/connect.md": name for slug, name in names.items()}]


def test_patterns_state_what_is_compared(tmp_path: Path) -> None:
    tree = {"a/one-x.md": page("One"), "b/two-x.md": OTHER, "a/one-y.md": page("One"), "c/notes.md": page("Two")}
    assert steps(tmp_path, tree, ("{part}/{platform}-{step}.md",)) == []
    assert steps(tmp_path, tree, ("*/{platform}-{step}.md",)) == []
    tree = {"docs/one/x.md": page("One"), "docs/two/x.md": OTHER, "docs/two/y.md": page("Two")}
    assert steps(tmp_path / "b", tree, ("docs/{platform}/{step}.md",)) == [
        {"docs/one/x.md": "One", "docs/two/x.md": "Two"}
    ]


def test_a_name_in_folder_and_file_is_no_part_of_the_step(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    names = ("iOS", "Android", "Web")
    for folder in ("client", "server"):
        write(tmp_path, {f"docs/{folder}/{name.lower()}/{name.lower()}-setup.md": page(name) for name in names})
    listed = CliRunner().invoke(main, ["compare"]).stdout.splitlines()
    assert [line.split()[0] for line in listed] == ["client/setup", "server/setup"]
    assert CliRunner().invoke(main, ["compare", "client/setup"]).exit_code == 0
    result = CliRunner().invoke(main, ["compare", "setup"])
    assert result.stderr == "tutorial-tool: 2 steps are called `setup`: name one of client/setup, server/setup\n"
    write(tmp_path, {"tutorial-tool.toml": 'variants = ["docs/client/{platform}/{platform}-setup.md"]\n'})
    listed = CliRunner().invoke(main, ["compare"]).stdout.splitlines()
    assert [line.split()[0] for line in listed] == ["setup"]


def test_a_pattern_without_a_platform_is_a_wrong_setting(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write(tmp_path, {"page.md": "# Page\n", "tutorial-tool.toml": 'variants = ["docs/{step}.md"]\n'})
    result = CliRunner().invoke(main, ["lint"])
    assert result.exit_code == 2
    assert result.stderr == (
        "tutorial-tool: tutorial-tool.toml:1:13: `variants`: should have {platform} where the paths of the copies differ\n"
    )


def test_what_was_found_is_printed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write(tmp_path, {"docs/ios/connect.md": page("iOS"), "docs/web/connect.md": page("Web"), "docs/faq.md": OTHER})
    assert CliRunner().invoke(main, ["lint", "--show-variants"]).stdout == (
        "connect (docs/{platform}/connect): 2 variants\n  docs/ios/connect.md  iOS\n  docs/web/connect.md  Web\n"
    )
    assert "No copies found" in CliRunner().invoke(main, ["lint", "docs/faq.md", "--show-variants"]).stdout


def test_tabs_that_are_compared_are_printed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    tabs = (f'=== "{name}"\n\n    Switch the lamp of your {name} app on.\n\n' for name in ("iOS", "Android"))
    write(tmp_path, {"docs/lamp.md": f"# Lamp\n\n{''.join(tabs)}"})
    assert CliRunner().invoke(main, ["lint", "--show-variants"]).stdout == (
        "tabs on docs/lamp.md: 2 variants\n  docs/lamp.md:3  iOS\n  docs/lamp.md:7  Android\n"
    )


def test_pages_that_are_no_variants_are_explained(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write(tmp_path, {"docs/ios/install.md": page("iOS"), "docs/web/install.md": OTHER, "docs/faq.md": OTHER[::-1]})
    assert CliRunner().invoke(main, ["lint", "--show-variants"]).stdout.splitlines()[0] == (
        "not compared: `docs/{platform}/install`: ios and web share 0% of their text"
        " (evidence -0.7 bits, variants need more than 0)"
    )


@pytest.mark.parametrize("root", [".", "docs"])
def test_the_same_sets_are_found_from_any_root_and_in_any_order(tmp_path: Path, root: str) -> None:
    slugs = ("ios", "android", "web", "reactnative")
    tree = {f"docs/{slug}/{step}.md": page(slug, step=step) for slug in slugs for step in ("connect", "export")}
    write(tmp_path, tree | {"examples/ios/readme.md": OTHER, "docs/go.md": OTHER[::-1]})
    files = sorted((tmp_path / root).rglob("*.md"), key=lambda path: path.name[::-1])
    found = variants.find_steps(site.load_plain(files, tmp_path / root))
    assert [sorted(step.pages) for step in found] == [sorted(slugs)] * 2
    names = {"android": "Android", "ios": "iOS", "reactnative": "React Native", "web": "Web"}
    assert [{id_: variant.name for id_, variant in step.variants.items()} for step in found] == [names] * 2


def test_instructions_for_coding_agents_are_looked_into(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    agents = {".claude": "Claude Code", ".codex": "Codex", ".opencode": "OpenCode"}
    write(tmp_path, {f"{folder}/skills/connect/SKILL.md": page(name) for folder, name in agents.items()})
    write(tmp_path, {f"{name}.md": page(name.title(), step="build") for name in ("AGENTS", "CLAUDE", "GEMINI")})
    write(tmp_path, {".cache/ios/x.md": page("iOS"), ".cache/web/x.md": page("Web")})
    printed = CliRunner().invoke(main, ["lint", "--show-variants"]).stdout
    assert all(f"{folder}/skills/connect/SKILL.md" in printed for folder in agents)
    assert all(f"  {name}.md" in printed for name in ("AGENTS", "CLAUDE", "GEMINI"))
    assert ".cache" not in printed


def test_families_of_forty_are_whole(tmp_path: Path) -> None:
    names = [f"Partner{chr(65 + number // 26)}{chr(65 + number % 26)}" for number in range(40)]
    found = steps(tmp_path, {f"partners/{name.lower()}.md": page(name) for name in names})
    assert [len(step) for step in found] == [40]


def test_translations_in_scripts_are_no_variants(tmp_path: Path) -> None:
    tree = {f"docs/{code}/connect.md": page("iOS") for code in ("en", "zh", "zh-hant", "pt-br")}
    assert steps(tmp_path, tree) == []


def test_the_work_grows_with_the_tree_and_not_faster() -> None:
    def work(count: int) -> int:
        looks = [
            PageSummary(f"docs/{slug}/step{number}.md", page(slug.title(), step=f"stage{number}"))
            for number in range(count)
            for slug in ("ios", "web", "android")
        ]
        found: list[object] = []
        made = calls(lambda: found.extend(linkage.find_sets(looks)))
        assert len(found) == count
        return made

    assert work(800) < 8 * 1.5 * work(100)


@pytest.mark.parametrize(
    ("left", "right", "names"),
    [
        ("docs/ios/x.md", "docs/web/x.md", ("ios", "web")),
        ("docs/install-ios.md", "docs/install-web.md", ("ios", "web")),
        ("docs/react/x.md", "docs/react-native/x.md", ("react", "react-native")),
        ("docs/ios.md", "docs/web/index.md", ("ios", "web")),
    ],
)
def test_paths_differ_in_a_word(left: str, right: str, names: tuple[str, str]) -> None:
    found = paths.find_difference(left, right)
    assert found is not None
    assert (found.left[0], found.right[0]) == names


# Alignment


def test_sequences_are_aligned_with_what_is_missing_and_rewritten() -> None:
    told = many(
        {"a": ["one", "two", "three", "four"], "b": ["one", "three", "fore"], "c": ["zero", "one", "two", "four"]},
        lambda text: text,
        lambda left, right: 1.0 if left == right else 0.8 if left[:2] == right[:2] else 0.0,
        0.6,
    )
    assert told == [
        {"c": "zero"},
        {"a": "one", "b": "one", "c": "one"},
        {"a": "two", "c": "two"},
        {"a": "three", "b": "three"},
        {"a": "four", "b": "fore", "c": "four"},
    ]


def test_prose_is_compared_by_sentences_whatever_its_lines(tmp_path: Path) -> None:
    wrapped = (
        page("Web").replace("Open the dashboard and", "Open the dashboard\nand").replace("minute. You", "minute.\nYou")
    )
    tree = {"docs/ios/connect.md": page("iOS"), "docs/web/connect.md": wrapped}
    write(tmp_path, tree)
    (step,) = variants.find_steps(site.load_plain([tmp_path / path for path in tree], tmp_path))
    rows = [{unit.masked for unit in row.values()} for row in variation.get_alignment(step).iter_rows("sentence")]
    assert len(rows) == 5
    assert all(len(texts) == 1 for texts in rows)


def test_a_section_that_moved_is_still_the_same(tmp_path: Path) -> None:
    first, second = "\n## Save\n\nClick save, and wait a while.\n", "\n## Check\n\nLook at the list, and count.\n"
    tree = {"docs/ios/connect.md": page("iOS") + first + second, "docs/web/connect.md": page("Web") + second + first}
    write(tmp_path, tree)
    (step,) = variants.find_steps(site.load_plain([tmp_path / path for path in tree], tmp_path))
    assert [len(row.sections) for row in variation.get_alignment(step).sections] == [2, 2, 2]


# Evidence


def git(folder: Path, *arguments: str, when: str = "2024-01-01T12:00:00") -> None:
    who = {f"GIT_{role}_{what}": "a@b.example" for role in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    env = {**who, "GIT_COMMITTER_DATE": when, "GIT_AUTHOR_DATE": when, "PATH": "/usr/bin:/bin", "HOME": str(folder)}
    subprocess.run(["git", *arguments], cwd=folder, env=env, check=True, capture_output=True)


def edited(folder: Path, when: str | None, old: str, new: str) -> list[str]:
    """What is told of copies that were committed once, when the Web's copy is changed later, or not committed."""
    texts = {slug: page(name) for slug, name in (("ios", "iOS"), ("web", "Web"), ("android", "Android"))}
    tree = {f"docs/{slug}/connect.md": text for slug, text in texts.items()}
    write(folder, tree)
    git(folder, "init", "-q")
    git(folder, "add", ".")
    git(folder, "commit", "-qm", "Copies")
    write(folder, {"docs/web/connect.md": texts["web"].replace(old, new)})
    if when:
        git(folder, "commit", "-qam", "Edit", when=when)
    found = engine.run(site.load_plain([folder / path for path in tree], folder), Config())
    return [f"{finding.span.path} {finding.rule}" for finding in found]


def test_a_line_that_is_not_committed_has_no_time(tmp_path: Path) -> None:
    edited(tmp_path, None, "Open the dashboard and choose", "Go to the dashboard, where you choose")
    times = blame.get_line_times(tmp_path / "docs/web/connect.md")
    assert (times[2], blame.find_change_time(tmp_path / "docs/web/connect.md", 1, 3)) == (0, 0)
    assert times[0] == blame.get_line_times(tmp_path / "docs/ios/connect.md")[0] > 0


def test_a_mistake_makes_no_drift_of_the_correct_copies_however_new_it_is(tmp_path: Path) -> None:
    found = edited(tmp_path, "2024-06-01T12:00:00", "choose your project", "chose teh project")
    assert found
    assert {line.split()[0] for line in found} == {"docs/web/connect.md"}


def test_a_mistake_on_one_side_decides(tmp_path: Path) -> None:
    tree = {
        "docs/ios/connect.md": page("iOS").replace("choose your project", "choose the the project"),
        "docs/web/connect.md": page("Web"),
    }
    write(tmp_path, tree)
    found = engine.run(site.load_plain([tmp_path / path for path in tree], tmp_path), Config())
    assert [(finding.rule, finding.span.path) for finding in found] == [("repeated-word", "docs/ios/connect.md")]


def test_without_a_repository_nothing_is_known(tmp_path: Path) -> None:
    write(tmp_path, {"page.md": "# Page\n"})
    assert blame.get_line_times(tmp_path / "page.md") == ()
    assert blame.get_line_times(tmp_path / "none.md") == ()


# Tutorials: steps that belong together


def step_of(pattern: str, names: list[str]) -> variants.Step:
    nothing = site.load_plain([], Path())
    return variants.Step("step", pattern, {}, {name: variants.Variant(name, name, (name,)) for name in names}, nothing)


def belong(step: variants.Step, other: variants.Step) -> bool:
    """As `tutorials` defines it, for two steps."""
    shared = len(step.variants.keys() & other.variants.keys())
    half = 2 * shared >= min(len(step.variants), len(other.variants))
    return shared > 1 and half and paths.find_difference(step.pattern, other.pattern) is not None


def tutorials_by_asking_about_all(steps: list[variants.Step]) -> list[list[variants.Step]]:
    out: list[list[variants.Step]] = []
    for step in steps:
        home = [group for group in out if any(belong(step, other) for other in group)]
        out = [group for group in out if group not in home]
        out.append([*(each for group in home for each in group), step])
    return out


@pytest.mark.parametrize("seed", range(60))
def test_steps_belong_together_as_if_each_were_compared_with_all(seed: int) -> None:
    chance = random.Random(seed)
    parts = ["a", "b", "{platform}", "v1", "v2", "lib", "lib-v1", "de", "i18n"]
    steps = [
        step_of(
            "/".join(chance.choices(parts, k=chance.randint(1, 4))),
            chance.sample(["ios", "android", "web", "unity", "go"], chance.randint(2, 4)),
        )
        for _ in range(chance.randint(1, 25))
    ]

    assert variants.group_tutorials(steps) == tutorials_by_asking_about_all(steps)


def test_work_of_finding_tutorials_grows_with_the_steps() -> None:
    few, many_steps = (
        [
            step_of(f"{{platform}}/part-{count}-{number // 10}/step-{count}-{number}", ["ios", "web"])
            for number in range(count)
        ]
        for count in (100, 400)
    )

    ratio = calls(lambda: variants.group_tutorials(many_steps)) / calls(lambda: variants.group_tutorials(few))

    assert ratio < 6


SHORT = {
    "docs/ios/install.md": "# Install on iOS\n\nOpen the store and look for the app.\n\nTap the button.\n\nRestart the phone.\n",
    "docs/web/install.md": "# Install on Web\n\nOpen the store and look for the app.\n\nTap the button.\n\nRestart the machine.\n",
    "docs/tv/install.md": "# Install on TV\n\nOpen the store and look for the app.\n\nTap the button.\n\nRestart the phone.\n",
    "docs/ios/connect.md": "# Connect\n\nOpen the app and wait for it.\n\nTap the button to connect.\n",
    "docs/tv/connect.md": "# Connect\n\nOpen the app and wait for it.\n\nTap the button to connect.\n",
}


def test_short_pages_are_copies_where_they_name_themselves_or_others_are_called_so(tmp_path: Path) -> None:
    found = [set(step) for step in steps(tmp_path, SHORT)]
    assert sorted(map(sorted, found)) == [
        ["docs/ios/connect.md", "docs/tv/connect.md"],
        ["docs/ios/install.md", "docs/tv/install.md", "docs/web/install.md"],
    ]


def test_short_pages_that_are_alike_by_chance_are_none(tmp_path: Path) -> None:
    names = ("Bari", "Oslo", "Cork")
    tree = {
        f"docs/{name.lower()}/index.md": f"# {name}\n\nA town by the sea.\n\nFounded in {n}.\n"
        for n, name in enumerate(names)
    }
    assert steps(tmp_path, tree) == []


def entry(title: str, text: str) -> str:
    return (
        f"# {title}\n\n{text}\n\n## Options\n\nThis takes an object with options.\n\n"
        "The default is an empty object, which changes nothing.\n\n## Examples\n\nThe following code is right.\n\n"
        "The following code is wrong, and the second example shows why.\n"
    )


REFERENCE = {
    "rules": {f"rules/no-{name}.md": entry(f"no-{name}", "Finds what is not used.") for name in ("tabs", "vars", "loop")},
    "rules with a prefix": {
        f"rules/prefer-{name}/README.md": entry(f"`tidy/prefer-{name}`", "Asks for the newer form.")
        for name in ("spread", "const", "arrow")
    },
    "classes": {
        f"classes/{name}.md": entry(f"Class: {name}", f"A new {name} is empty.\n\n```js\nnew {name}()\n```")
        for name in ("FileReader", "LineReader", "FrameReader")
    },
    "types": {
        f"types/{name}.md": entry(f"Type Alias: {name}", f"Each {name} is new, as this {name} is.") for name in ("Ocean", "Island", "Harbor")
    },
    "functions": {
        f"functions/{name}.md": entry(f"{name}()", "Gives back a new list.") for name in ("map", "filter", "reduce")
    },
    "commands": {
        f"cli/lamp_{name}.md": entry(f"lamp {name}", "Asks for the lamp first.") for name in ("push", "pull", "status")
    },
    "commands of a tool": {
        f"cmd/bulb/bulb-{verb}.md": entry(f"bulb {verb}", f"Asks for the bulb.\n\n```sh\nlamp bulb {verb} [options]\n```")
        for verb in ("get", "list", "remove")
    },
    "requests": {
        f"api/{name}s/get.md": entry(f"Get {name.title()}", f"GET /v1/{name}s/:id\n\nThis needs a token.")
        for name in ("order", "user", "invoice")
    },
    "requests with one name": {
        f"api/{name}.md": entry(f"{name.title()} a parcel", f"`{method} /v1/parcels`\n\nThis needs a token.")
        for name, method in (("create", "POST"), ("list", "GET"), ("change", "PATCH"))
    },
    "entries of a folder with others": {
        f"models/{name}.md": entry(name, "Belongs to an account.") for name in ("Card", "Refund", "CardHolder", "CardNumber")
    },
    "packages of a library": {
        f"packages/{name}/README.md": entry(f"@lamp/{name}", f"Has what `@lamp/{name}` needs, and the {name} of a lamp.")
        for name in ("switch", "light", "colour")
    },
    "one name in two rooms": {
        f"models/{room}/{name}.md": entry(name, f"Belongs to the {name} of an account.")
        for room in ("sent", "received")
        for name in ("CardHolder", "CardNumber")
    },
}  # fmt: skip


@pytest.mark.parametrize("kind", REFERENCE)
def test_pages_of_reference_are_no_copies(tmp_path: Path, kind: str) -> None:
    assert steps(tmp_path, REFERENCE[kind]) == []


def test_reference_for_each_platform_is_copies_as_its_other_pages_are(tmp_path: Path) -> None:
    names = {"swift": "Swift", "kotlin": "Kotlin"}
    tree = {f"sdk/{slug}/connect.md": page(name) for slug, name in names.items()}
    sheets = {f"sdk/{slug}/PaymentSheet.md": entry("PaymentSheet", "Shows a sheet on the screen.") for slug in names}
    assert steps(tmp_path, tree | sheets) == [dict(zip(found, names.values(), strict=True)) for found in (tree, sheets)]


@pytest.mark.parametrize("titles", [("GitHub", "GitLab", "CircleCI"), ("Docker Compose", "Podman", "Nomad")])
def test_names_of_products_are_no_identifiers(tmp_path: Path, titles: tuple[str, ...]) -> None:
    tree = {
        f"guides/{title.lower().replace(' ', '-')}.md": page(title).replace(f"# Connect your {title} app", f"# {title}")
        for title in titles
    }
    assert steps(tmp_path, tree) == [dict(zip(tree, titles, strict=True))]


def test_packages_are_copies_where_their_pages_name_platforms(tmp_path: Path) -> None:
    names = {"mailgull": "Mailgull", "postbird": "Postbird", "sendcrow": "Sendcrow"}
    tree = {
        f"packages/email-{slug}/README.md": page(name).replace(f"# Connect your {name} app", f"# @lamp/email-{slug}")
        for slug, name in names.items()
    }
    assert steps(tmp_path, tree) == [dict(zip(tree, names.values(), strict=True))]


def test_requests_to_one_address_are_copies(tmp_path: Path) -> None:
    tree = {f"docs/{name}.md": page(name) + "\n```http\nPOST /v1/events\n```\n" for name in ("Bash", "Ruby")}
    assert len(steps(tmp_path, tree)) == 1


def test_a_translation_is_no_copy(tmp_path: Path) -> None:
    code = "".join(
        f"```sh\nlamp {verb} --all\nlamp {verb} --dry-run\n```\n\n" for verb in ("pull", "push", "list", "stop")
    )
    told = "The lamp is switched on with one command, and off with another one. Read what is said of it before you"
    english = f"# Begin\n\n{told} install the program that is for your system.\n\n{code}"
    chinese = f"# 开始\n\n使用一个命令打开灯，再使用另一个命令关闭灯。请先阅读说明，然后安装程序。\n\n{code}"
    assert steps(tmp_path, {"docs/begin.md": english, "docs/begin_zh_x.md": chinese}) == []
    assert len(steps(tmp_path, {"docs/begin_ios.md": english, "docs/begin_web.md": english})) == 1


def test_numbered_pages_are_lessons_unless_they_are_called_by_names(tmp_path: Path) -> None:
    lessons = {
        f"docs/{n:02}-{name}.md": entry(f"Lesson {n}", "It takes an hour.")
        for n, name in enumerate(("set-up", "use-cases", "the-end"))
    }
    assert steps(tmp_path, lessons) == []
    names = {
        f"install/{n:02}-{name.lower()}.md": page(name) for n, name in enumerate(("Linux", "Windows", "Solaris"), 1)
    }
    assert len(steps(tmp_path, names)) == 1


def names(folder: Path, tree: dict[str, str]) -> dict[str, set[str]]:
    """The names of each platform in all steps, by id."""
    write(folder, tree)
    out: dict[str, set[str]] = {}
    for step in variants.find_steps(site.load_plain([folder / path for path in tree], folder)):
        for id_, variant in step.variants.items():
            out.setdefault(id_, set()).add(variant.name)
    return out


def test_a_platform_has_one_name_in_all_steps_of_a_tutorial(tmp_path: Path) -> None:
    full = {"csharp": "C#", "nodejs": "Node.js", "php": "PHP"}
    tree = {f"docs/{slug}/install.md": page(name, step="install") for slug, name in full.items()}
    tree |= {f"docs/{slug}/bills.md": f"{OTHER}\nWrite `{slug}` on each.\n" for slug in full}
    assert names(tmp_path, tree) == {slug: {name} for slug, name in full.items()}


def test_a_number_is_no_name(tmp_path: Path) -> None:
    body = page("new", step="job").partition("\n")[2] + "\n## What you need\n\nYou need half an hour of time.\n"
    numbers = {"azure": 5, "bamboo": 6, "jenkins": 6}
    tree = {f"docs/{slug}/job.md": f"---\ntitle: Step {n}. The job\n---\n\n{body}" for slug, n in numbers.items()}
    assert names(tmp_path, tree) == {"azure": {"Azure"}, "bamboo": {"Bamboo"}, "jenkins": {"Jenkins"}}


def test_pages_of_two_names_in_folders_that_share_names_are_no_copies(tmp_path: Path) -> None:
    tree = {f"docs/{name}/connect.md": page(name.title()) for name in ("github", "gitlab", "bamboo", "jenkins")}
    tree |= {f"docs/{name}/branches.md": page(name.title(), step="filter") for name in ("github", "gitlab")}
    tree |= {f"docs/{name}/plugin.md": page(name.title(), step="filter") for name in ("bamboo", "jenkins")}
    found = [sorted(step) for step in steps(tmp_path, tree)]
    assert sorted(found) == [
        ["docs/bamboo/connect.md", "docs/github/connect.md", "docs/gitlab/connect.md", "docs/jenkins/connect.md"],
        ["docs/bamboo/plugin.md", "docs/jenkins/plugin.md"],
        ["docs/github/branches.md", "docs/gitlab/branches.md"],
    ]


def test_a_platform_within_a_word_of_a_path_is_no_place_of_it(tmp_path: Path) -> None:
    tree = {f"blog/intlayer_with_next-{name}.md": page(f"next-{name}") for name in ("intl", "i18next")}
    write(tmp_path, tree)
    (step,) = variants.find_steps(site.load_plain([tmp_path / path for path in tree], tmp_path))
    assert step.pattern == "blog/intlayer_with_next-{platform}"


@pytest.mark.parametrize(
    ("pattern", "platforms", "topics"),
    [
        ("docs/{step}-{platform}.md", ("ios", "android"), ("get-started", "get-help")),
        ("docs/{platform}-{step}.md", ("apple-mail", "outlook", "thunderbird"), ("einrichten",)),
        ("docs/{platform}-{step}.md", ("google-cloud", "google-home", "alexa"), ("set-up", "use")),
    ],
)
def test_a_stated_pattern_with_two_names_in_one_part(
    tmp_path: Path, pattern: str, platforms: tuple[str, ...], topics: tuple[str, ...]
) -> None:
    tree = {pattern.format(step=topic, platform=slug): page(slug, step=topic) for topic in topics for slug in platforms}
    write(tmp_path, tree)
    found = variants.find_steps(site.load_plain([tmp_path / path for path in tree], tmp_path), (pattern,))
    assert [set(step.pages) for step in found] == [set(platforms)] * len(topics)


def test_names_in_small_letters_that_no_list_has_as_words_are_names(tmp_path: Path) -> None:
    tree = {
        f"guide/{name}/install.md": f"# Install Ternkit with {name}\n\nThis page installs it with {name}, and draws a "
        f"first chart.\n\nRun this in the folder of your project:\n\n```sh\n{name} add charts\n```\n\nOpen the page. You "
        "should see three bars, the last of which is the highest.\n\nA new version comes every four weeks.\n"
        for name in ("npm", "pnpm", "yarn")
    }
    assert [set(step) for step in steps(tmp_path, tree)] == [set(tree)]


def test_lists_of_releases_are_no_copies(tmp_path: Path) -> None:
    tree = {f"packages/{name}/CHANGELOG.md": page(name.title()) for name in ("dialogue", "navbar", "gallery")}
    assert not steps(tmp_path, tree)


def payments(country: str) -> str:
    return (
        f"# Send a payment\n\nPayments in the {country} arrive on the same day. Open an account before you begin.\n\n"
        f"1. Open the portal, and choose a payee in the {country}.\n2. Enter what it is for, and the amount.\n\n"
        "Fees are shown before you confirm. They are taken from the account that you chose.\n"
    )


def test_a_short_slug_has_the_first_letters_of_a_name(tmp_path: Path) -> None:
    tree = {"docs/eu/pay.md": payments("European Union"), "docs/uk/pay.md": payments("United Kingdom")}
    assert names(tmp_path, tree) == {"eu": {"European Union"}, "uk": {"United Kingdom"}}


def test_a_name_goes_on_with_the_number_or_letter_that_always_follows_it(tmp_path: Path) -> None:
    tree = {f"docs/{slug}/connect.md": page(name) for slug, name in (("cart", "Cart S"), ("van", "Van 2"))}
    tree["docs/phone/connect.md"] = page("Phone").replace("The connect", "On Phone 9, the connect")
    assert names(tmp_path, tree) == {"cart": {"Cart S"}, "van": {"Van 2"}, "phone": {"Phone"}}


def test_a_known_name_takes_no_words_of_its_title(tmp_path: Path) -> None:
    titles = {
        "ios": "Use the PnP iOS SDK",
        "android": "Use of the PnP Android SDK",
        "flutter": "Use of PnP Flutter SDK",
    }
    tree = {
        f"docs/{slug}/connect.md": page(title.split()[-2]).replace("# Connect your", f"# {title}\n\nConnect your", 1)
        for slug, title in titles.items()
    }
    assert names(tmp_path, tree) == {"ios": {"iOS"}, "android": {"Android"}, "flutter": {"Flutter"}}


def test_a_word_before_the_name_in_titles_is_no_part_of_it(tmp_path: Path) -> None:
    titles = {"csharp": "Larch for C#", "java": "Larch client for Java", "ruby": "Larch for Ruby"}
    tree = {
        f"clients/{slug}/connect.md": page(title.split()[-1]).replace("# Connect your", f"# {title}\n\nConnect your", 1)
        for slug, title in titles.items()
    }
    assert names(tmp_path, tree) == {"csharp": {"C#"}, "java": {"Java"}, "ruby": {"Ruby"}}


def test_the_word_of_its_kind_is_no_part_of_a_name(tmp_path: Path) -> None:
    names = {"posthawk": "PostHawk", "statsgull": "Statsgull", "soardarkly": "SoarDarkly"}
    tree = {
        f"packages/{slug}/README.md": page(name).replace(
            f"# Connect your {name} app\n",
            f"# Flags kit {dash} {name} Provider\n\nThe {name} provider has what flags need.\n",
        )
        for (slug, name), dash in zip(names.items(), ("—", "—", "-"), strict=True)
    }
    assert steps(tmp_path, tree) == [dict(zip(tree, names.values(), strict=True))]


def test_a_name_is_not_found_in_a_longer_one(tmp_path: Path) -> None:
    tree = {f"docs/{slug}/connect.md": page(slug.title()) for slug in ("lamp", "socket")}
    tree["docs/lamp-mini/connect.md"] = page("Lamp Mini")
    write(tmp_path, tree)
    (step,) = variants.find_steps(site.load_plain([tmp_path / path for path in tree], tmp_path))
    lamp, mini = step.variants["lamp"].pattern, step.variants["lamp-mini"].pattern
    assert [found[0] for found in lamp.finditer("A Lamp, a Lamp Mini, lamp-mini and a lamp mini of glass")] == [
        "A Lamp",
        "a lamp",
    ]
    assert [found[0] for found in mini.finditer("A Lamp and a Lamp Mini")] == ["a Lamp Mini"]


def built(name: str, own: int) -> str:
    """A page with the headings of its copies, of which each section has `own` sentences of its own."""
    parts = [f"# Connect to {name}"]
    for heading in ("Before you begin", "Create a key", "Send a message", "Limits", "If nothing arrives"):
        texts = [f"The {heading.lower()} of {name} is number {n}." for n in range(own)]
        shared = [f"Open the {heading.lower()} in the dashboard, part {n}." for n in range(3)]
        parts += [f"## {heading}", *(text.replace(name, f"Our {name[::-1]}") for text in texts), *shared]
    return "\n\n".join(parts)


THREE = {f"connect.{name.lower()}.md": built(name, 2) for name in ("Slack", "Discord", "Zulip")}


def test_the_last_page_that_is_named_and_built_as_its_copies_is_one(tmp_path: Path) -> None:
    tree = THREE | {"connect.teams.md": built("Teams", 16)}
    assert steps(tmp_path, tree)[0].keys() == tree.keys()


@pytest.mark.parametrize(
    "others", [{"alert.teams.md": built("Teams", 16)}, {"README.md": "# Channels\n\nEach channel has a page."}]
)
def test_a_page_that_is_built_otherwise_or_is_one_of_several_stays_outside(
    tmp_path: Path, others: dict[str, str]
) -> None:
    assert steps(tmp_path, THREE | others)[0].keys() == THREE.keys()


def test_the_page_above_the_folders_of_a_step_stays_outside(tmp_path: Path) -> None:
    tree = {f"docs/{name.lower()}/README.md": built(name, 2) for name in ("Slack", "Discord", "Zulip")}
    assert steps(tmp_path, tree | {"docs/README.md": built("Teams", 16)})[0].keys() == tree.keys()
