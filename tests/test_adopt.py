"""Copies become templates and data that give back the same bytes, and that a person would have written."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

import click
import pytest
from click.testing import CliRunner, Result
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tutorial_tool.adopt import Adoption, adopt, check, sets
from tutorial_tool.adopt.base import BaseProject
from tutorial_tool.adopt.check import find_failures
from tutorial_tool.adopt.copies import Copy, CopySet
from tutorial_tool.adopt.project import BuildSpec, build
from tutorial_tool.adopt.sets import find
from tutorial_tool.adopt.template import align_copies
from tutorial_tool.adopt.words import build_pieces, expand_pieces
from tutorial_tool.cli import main
from tutorial_tool.core.source import Source
from tutorial_tool.site import Layout, loading

CASES = Path(__file__).parent / "adopt"


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(main, ["adopt", *map(str, arguments)])


def written(folder: Path, files: Mapping[str, str]) -> Path:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(text.encode())
    return folder


def shown(folder: Path) -> str:
    """All files of a folder, one below the other."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return "".join(f"=== {path.relative_to(folder).as_posix()}\n{path.read_text(encoding='utf-8')}" for path in files)


def rendered(folder: Path) -> dict[str, bytes]:
    """The pages of a project as files, by their path."""
    return {
        page.path: page.encode_file()
        for page in loading.load(Layout.find(folder)).require_valid().pages
        if page.generated
    }


def made(copies: Mapping[str, str], step: str = "start") -> Adoption:
    """What becomes of copies of one step, given by platform."""
    own = {
        platform: Copy(
            platform, f"guide/{platform}/{step}.md", Source(f"{platform}.md", text), "guide/{platform}/{step}"
        )
        for platform, text in copies.items()
    }
    return adopt([CopySet("guide", step, own)], BaseProject(Layout(Path("no-project"))))


def template(copies: Mapping[str, str], path: str = "steps/start.md.j2") -> str:
    """The template of copies, without the front matter that all are given."""
    front = "---\ntitle: Start\n---\n\n"
    adoption = made({platform: front + text for platform, text in copies.items()})
    assert adoption.project is not None, adoption.skipped
    return adoption.project.files[f"site_templates/{path}"].removeprefix(front)


@pytest.mark.parametrize("case", sorted(path.name for path in CASES.iterdir()))
def test_copies_become_what_a_writer_would_have_written(
    case: str, tmp_path: Path, golden: Callable[[Path, str], None]
) -> None:
    copies = CASES / case / "copies"
    done = run(copies, "--exact-whitespace", "--into", tmp_path)
    assert done.exit_code == 0, done.output
    assert rendered(tmp_path) == {
        path.relative_to(copies).as_posix(): path.read_bytes() for path in copies.rglob("*.md")
    }
    golden(CASES / case / "expected.txt", shown(tmp_path))


def common_text(one: CopySet) -> list[dict[str, tuple[int, int]]]:
    """The texts that all copies of a step have, word by word: where each stands, by platform."""
    out = []
    at = dict.fromkeys(one.platforms, 0)
    for column in align_copies(one):
        pieces = (
            expand_pieces({platform: unit.text for platform, unit in column.items()}) if len(column) == len(at) else []
        )
        inside = {platform: at[platform] for platform in column}
        for piece in pieces:
            sizes = dict.fromkeys(column, len(piece)) if isinstance(piece, str) else {p: len(t) for p, t in piece}
            if isinstance(piece, str) and piece.strip():
                out.append({p: (inside[p], inside[p] + size) for p, size in sizes.items()})
            inside = {p: inside[p] + size for p, size in sizes.items()}
        at |= {platform: at[platform] + len(unit.text) for platform, unit in column.items()}
    return out


def part_written_once(one: CopySet, project: Path) -> float:
    """The part of the text that all copies share that one place of the project prints on all platforms."""
    pages = {page.platform: page for page in loading.load(Layout.find(project)).pages if page.step == one.step}
    sizes = {True: 0, False: 0}
    for places in common_text(one):
        origins = {str(pages[platform].find_origin(start).span) for platform, (start, _) in places.items()}
        start, end = next(iter(places.values()))
        sizes[len(origins) == 1] += end - start
    return sizes[True] / sum(sizes.values())


@pytest.mark.parametrize("case", sorted(path.name for path in CASES.iterdir()))
def test_what_all_share_is_written_once(case: str, tmp_path: Path) -> None:
    copies = CASES / case / "copies"
    assert run(copies, "--into", tmp_path).exit_code == 0
    for one in find([copies]).sets:
        assert part_written_once(one, tmp_path) >= 0.9


# What a template looks like


def test_the_platforms_name_is_written_once() -> None:
    copies = {"ios": "The iOS app.\n", "web": "The Web app.\n"}
    assert template(copies) == "The {{ platform.name }} app.\n"


def test_a_label_of_the_product_is_a_label() -> None:
    copies = {"ios": "Select **iOS SDK** from the list of inputs.\n", "web": "Select **JS** from the list of inputs.\n"}
    assert template(copies) == "Select **{{ platform.label('inputs') }}** from the list of inputs.\n"


def test_a_value_is_learned_once_and_used_wherever_it_occurs() -> None:
    text = "Add `{0}`.\n\nLater, update `{0}` and remove the old `{0}`.\n"
    copies = {"ios": text.format("lamp-kit"), "web": text.format("@example/lamp")}
    assert template(copies) == (
        "Add `{{ platform.values.package }}`.\n\n"
        "Later, update `{{ platform.values.package }}` and remove the old `{{ platform.values.package }}`.\n"
    )


def test_a_block_that_some_have_is_one_condition() -> None:
    block = "## Ask for consent\n\nAsk first.\n\n1. Open it.\n2. Close it.\n\n"
    copies = {"ios": f"Start.\n\n{block}End.\n", "web": "Start.\n\nEnd.\n", "tv": "Start.\n\nEnd.\n"}
    assert template(copies) == f"Start.\n\n{{% if platform.can('ask-for-consent') %}}\n{block}{{% endif %}}\nEnd.\n"


def test_blank_lines_stand_where_a_person_would_put_them() -> None:
    text = "Start the kit.\n\n{}Then stop it.\n\n- on Linux\n{}\nThat is all.\n"
    copies = {
        "go": text.format("## Threads\n\nEach has its own.\n\n", ""),
        "node": text.format("> Do not block.\n\n", "- on Windows\n"),
        "rust": text.format("", "- on Windows\n"),
        "tv": text.format("", "- on Windows\n"),
    }
    assert template(copies) == text.format(
        "{% if platform.can('threads') %}\n## Threads\n\nEach has its own.\n\n{% endif %}\n"
        "{% if platform.can('block') %}\n> Do not block.\n\n{% endif %}\n",
        "{% if platform.can('windows') %}\n- on Windows\n{% endif %}\n",
    )


def test_code_is_called_by_what_is_said_before_it() -> None:
    text = "## Files\n\nServe a folder:\n\n```{0}\n{1}\na()\n```\n\nThe option `packages` adds packages:\n\n```{0}\n{1}\nb()\n```\n"
    assert template({"ios": text.format("swift", "let a"), "web": text.format("javascript", "const a")}) == (
        "## Files\n\nServe a folder:\n\n{{ code('files') }}\n\n"
        "The option `packages` adds packages:\n\n{{ code('packages') }}\n"
    )


def test_what_all_platforms_can_share_is_not_taken_apart_by_two_that_look_alike() -> None:
    text = "Run this:\n\n```sh\n{0}\n```\n\nOr `{0}`.\n"
    commands = {"go": "go get example.com/kit", "dotnet": "dotnet add Kit", "node": "npm install kit"}
    assert template({platform: text.format(command) for platform, command in commands.items()}) == text.format(
        "{{ platform.values.command }}"
    )


def test_words_that_some_have_stand_inside_of_the_line() -> None:
    copies = {"ios": "Copy the key and the secret.\n", "web": "Copy the key.\n", "tv": "Copy the key.\n"}
    assert template(copies) == "Copy the key{{ drift('', {'ios': ' and the secret'}) }}.\n"


def test_long_prose_that_differs_is_a_part() -> None:
    long = "The kit watches how people use the lamp, and reports it. " * 8
    other = "Nothing is reported unless you call the kit yourself, for each thing that happens in your own code. " * 5
    page = "The lamp reports what it does.\n\n## Reports\n\n{}\n\nThat is all that you need to know of them.\n"
    copies = {"ios": page.format(long), "web": page.format(other)}
    assert template(copies) == page.format("{{ part('reports') }}")
    assert template(copies, "steps/start/reports.web.md") == f"{other}\n"


def test_code_that_differs_is_a_file_that_no_template_reads() -> None:
    text = "Start it:\n\n    ```{}\n    {}\n    ```\n\nEnd.\n"
    copies = {"ios": text.format("swift", "start()"), "web": text.format("javascript", 'go("{{ key }}");')}
    assert template(copies) == "Start it:\n\n    {{ code('start') }}\n\nEnd.\n"
    assert template(copies, "steps/start/start.web.js") == 'go("{{ key }}");\n'


def test_what_jinja_would_read_survives() -> None:
    assert template({"ios": "A {{ b }} {% c %} {# d #} iOS\n", "web": "A {{ b }} {% c %} {# d #} Web\n"}) == (
        "A {{ '{{' }} b }} {{ '{%' }} c %} {{ '{#' }} d #} {{ platform.name }}\n"
    )


# Without losing a byte


@pytest.mark.parametrize(
    ("ios", "web"),
    [
        ("---\ntitle: A\n---\nText on iOS\n", "---\ntitle: A\n---\nText on Web\n"),
        ("---\r\ntitle: A\r\n---\r\n\r\niOS\r\n", "---\ntitle: A\n---\n\nWeb\n"),
        ("\ufeff---\ntitle: A\n---\n\niOS\n", "---\ntitle: A\n---\n\nWeb\n"),
        ("---\ntitle: A\n---\n\niOS", "---\ntitle: A\n---\n\nWeb\n"),
        ("---\ntitle: A\n---\n\niOS", "---\ntitle: A\n---\n\nWeb"),
        ("# A\n\niOS  \nand   more\t\n\n\n", "# A\n\nWeb  \nand   more\t\n\n\n"),
        ("# A\n\n    iOS {\n", "# A\n\n    Web {\n"),
        ("# A\n\nx {iOS} {{iOS}} {%iOS%}\n", "# A\n\nx {Web} {{Web}} {%Web%}\n"),
        ("# A\n\n## B {#b}\n", "# A\n\n## C {#c}\n"),
        ("# A\n\u2028iOS\x85\x0b\n", "# A\n\u2028Web\x85\x0b\n"),
        ("1. b\n{b", "1. b\n x"),
        ("0000\n\n\ttab", "0000\n\n\n\n  tab\n"),
        ("# A\n\n```\n{{ a }} {{ b }} {{ c }}\niOS\n```\n", "# A\n\n```\n{{ a }} {{ b }} {{ c }}\nWeb\n```\n"),
    ],
)
def test_every_byte_comes_back(ios: str, web: str) -> None:
    adoption = made({"ios": ios, "web": web})
    assert adoption.project is not None, adoption.skipped


@pytest.mark.parametrize("is_plain", [False, True])
def test_conditions_alone_give_back_every_byte(is_plain: bool) -> None:
    table = "| Wake | {} |\n| --- | --- |\n| a | b |\n"
    copies = {
        "ios": f"# A\n\niOS {{{{ x }}}}\n\n{table.format('On')}\n```swift\na()\nb()\n```\nend",
        "web": f"# A\n\nWeb {{% y %}}\n\n{table.format('Off')}\n```js\nc()\nd()\n```\nend",
        "tv": f"# A\n\n \t\nTV\n\n{table.format('On')}\n\n```js\nc()\nd()\n```\n\n\n",
    }
    own = {
        id_: Copy(id_, f"{id_}/start.md", Source(f"{id_}.md", text), "{platform}/{step}")
        for id_, text in copies.items()
    }
    one, base = CopySet("guide", "start", own), BaseProject(Layout(Path("no-project")))
    plain = frozenset([one] if is_plain else [])
    project = build(BuildSpec([one], {one: align_copies(one)}, base, plain=plain))
    assert find_failures(project.files, [one], base) == {}


WORDS = st.lists(
    st.sampled_from(["b", "Blob", "Cloud Storage", "1.", "**", "`", "{", " ", " ", "\n", "\t", ". "]), max_size=8
)


@settings(max_examples=500)
@given(WORDS, st.lists(WORDS, min_size=2, max_size=3), WORDS)
def test_the_pieces_of_a_text_are_the_text_on_each_platform(
    before: list[str], own: list[list[str]], after: list[str]
) -> None:
    texts = {platform: "".join((*before, *words, *after)) for platform, words in zip(PLATFORMS, own, strict=False)}
    pieces = build_pieces(texts)
    for platform, text in texts.items():
        assert "".join(piece if isinstance(piece, str) else dict(piece.vector)[platform] for piece in pieces) == text


LINES = st.sampled_from(
    [
        "", "", "Text about things that all platforms share.", "1. Open **Settings**.", "2. Select `{{ name }}`.", "    {% raw %}",
        "## A heading {#id}", "### {{", "| a | b |", "| --- | --- |", "| c \\| d | {# e #} |", "```js", "```", "---", "<br/>",
        "![](img/ios/a.png)", "* item  ", "\ttab", "{", "}}", "ends with {", "é ß 日本 \u2028 \x85", "'quoted': \"yes\" # no",
    ]
) | st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=30)  # fmt: skip
PLATFORMS = ["ios", "web", "android", "flutter", "react-native", "server", "tv", "roku"]


@st.composite
def drifted(draw: st.DrawFn) -> dict[str, str]:
    """Copies of a random page: most lines as in the first, some changed, left out or added."""
    base = draw(st.lists(LINES, min_size=8, max_size=40))
    title = draw(
        st.sampled_from([["# Title"], ["---", "title: 'A page: {{ x }}'", "---"], ["---", "title: A", "---", ""]])
    )
    out = {}
    for platform in PLATFORMS[: draw(st.integers(2, 8))]:
        lines = list(title)
        for line in base:
            change = draw(st.integers(0, 30))
            if change == 1:
                lines.append(draw(LINES))
            if change == 2:
                line = line.replace("a", platform)
            if change == 3:
                line = f"{line} {platform}"
            lines += [] if change == 4 else [line]
        end = draw(st.sampled_from(["\n", "\n", "\r\n"]))
        out[platform] = (
            draw(st.sampled_from(["", "", "\ufeff"])) + end.join(lines) + draw(st.sampled_from([end, end, ""]))
        )
    return out


def check_drifted(copies: dict[str, str]) -> None:
    adoption = made(copies)
    left = [reason for reason in adoption.skipped.values() if "share only" not in reason]
    assert not left


@pytest.mark.slow
@settings(max_examples=200, suppress_health_check=list(HealthCheck))
@given(drifted())
def test_random_copies_come_back(copies: dict[str, str]) -> None:
    check_drifted(copies)


@pytest.mark.soak
@pytest.mark.timeout(1800)
@settings(max_examples=2000, suppress_health_check=list(HealthCheck))
@given(drifted())
def test_random_copies_come_back_in_full(copies: dict[str, str]) -> None:
    check_drifted(copies)


def test_a_link_to_what_no_file_can_be_called_stops_nothing(tmp_path: Path) -> None:
    page = f"# Connect your {{}} app\n\nOpen the dashboard, and [go on](/{300 * 'p'}/next.md).\n\n![A pump](/{300 * 'p'}.png)\n"
    written(tmp_path, {f"docs/{name.lower()}/connect.md": page.format(name) for name in ("Lamp", "Clock")})
    done = run(tmp_path / "docs", "--into", tmp_path / "project")
    assert "all 2 pages are identical byte for byte" in done.output


@pytest.mark.parametrize("row", ["|", "| ", "||", "| | |"])
def test_a_row_without_cells_comes_back(row: str) -> None:
    page = "# Connect your {} app\n\nOpen the dashboard.\n\n| Option | Default |\n| --- | --- |\n| Hosts | none |\n{}\n"
    check_drifted({name: page.format(name, row) for name in ("Lamp", "Clock")})


# The command


def test_a_dry_run_writes_nothing(tmp_path: Path) -> None:
    done = run(CASES / "lamp/copies", "--into", tmp_path / "project", "--dry-run")
    assert "Would write platforms.yaml" in done.output
    assert not (tmp_path / "project").exists()


def test_nothing_is_overwritten_without_force(tmp_path: Path) -> None:
    folder = written(tmp_path, {"site_templates/steps/pair-a-lamp.md.j2": "mine\n"})
    done = run(CASES / "lamp/copies", "--into", folder)
    assert done.exit_code == 2
    assert "site_templates/steps/pair-a-lamp.md.j2 exists: use --force to overwrite it" in done.output
    assert shown(folder) == "=== site_templates/steps/pair-a-lamp.md.j2\nmine\n"
    assert run(CASES / "lamp/copies", "--into", folder, "--force").exit_code == 0
    assert len(rendered(folder)) == 3


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({"a.md": "# One\n"}, "nothing to adopt: no page here has a copy for another platform"),
        ({"ios.md": "# A\n\nOne text.\n", "web.md": "# B\r\n\nAnother\n"}, "web.md has mixed line endings"),
        (
            {"ios.md": "# Apples\n\nApples grow on trees.\n", "web.md": "Quantum mechanics, no less!\n"},
            "the copies share only",
        ),
        ({"ios.md": "# A\n\n" + "Long.\n" * 400, "web.md": "# A\n\nShort.\n"}, "is longer than 2,000"),
    ],
)
def test_what_cannot_be_adopted_is_said(
    files: dict[str, str], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sets, "MAX_TEXT", 2_000)
    folder = written(tmp_path / "copies", files)
    done = run(*sorted(folder.iterdir()), "--into", tmp_path / "project")
    assert done.exit_code == 2
    assert message in done.output
    assert not (tmp_path / "project").exists()


def test_pages_without_a_title_get_one_in_the_data(tmp_path: Path) -> None:
    files = {
        "ios.md": "Open the iOS app.\n\n## Pair it\n\nDone.\n",
        "web.md": "Open the Web app.\n\n## Pair it\n\nDone.\n",
    }
    folder = written(tmp_path / "copies", files)
    done = run(*sorted(folder.iterdir()), "--step", "pair", "--into", tmp_path / "project")
    assert done.exit_code == 0, done.output
    assert [page.title for page in loading.load(Layout.find(tmp_path / "project")).require_valid().pages] == [
        "Pair it",
        "Pair it",
        "",
    ]


def test_front_matter_that_no_build_would_take_is_left_alone(tmp_path: Path) -> None:
    page = "---\ntitle: A\ntitle: B\n---\n\nOpen the {} app, and pair the lamp with it.\n"
    folder = written(tmp_path / "copies", {"ios.md": page.format("iOS"), "web.md": page.format("Web")})
    done = run(*sorted(folder.iterdir()), "--step", "pair", "--into", tmp_path / "project")
    assert (done.exit_code, "front-matter: duplicate key `title`" in done.output) == (2, True), done.output


@pytest.mark.parametrize("suffix", ["md", "mdx"])
def test_no_platform_is_left_out_for_a_copy_that_cannot_be_read(suffix: str, tmp_path: Path) -> None:
    page = "# Pair\n\nOpen the {} app, and pair the lamp with it.\n"
    docs = written(tmp_path / "docs", {f"{name}/pair.{suffix}": page.format(name) for name in ("ios", "tv", "web")})
    (docs / "car").mkdir()
    (docs / f"car/pair.{suffix}").write_bytes(b"# Pair\n\n\xff\n")
    (docs / "notes.md").write_bytes(b"\xff\n")
    done = run(docs, "--into", tmp_path / "out")
    assert (done.exit_code, (tmp_path / "out").exists()) == (2, False)
    assert f"nothing was written: car/pair.{suffix} cannot be read, and would be left out\n" in done.output


def test_a_docs_folder_that_had_nothing_but_copies_stays(tmp_path: Path) -> None:
    page = "# Pair\n\nOpen the {} app, and pair the lamp with it.\n"
    docs = written(tmp_path / "docs", {f"{name}/pair.md": page.format(name) for name in ("ios", "web")})
    written(tmp_path, {"mkdocs.yml": "site_name: Lamps\n"})
    done = run(docs, "--into", tmp_path, "--remove-copies")
    assert done.exit_code == 0, done.output
    assert [path.name for path in docs.rglob("*")] == [".gitkeep"]
    assert "Changed mkdocs.yml\n" in done.output
    assert "Wrote docs/.gitkeep\n" in done.output


def test_a_pipe_that_is_closed_loses_no_work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = "# Pair\n\nOpen the {} app, and pair the lamp with it.\n"
    docs = written(tmp_path / "docs", {f"{name}/pair.md": page.format(name) for name in ("ios", "web")})

    def closed(*_: object, **__: object) -> None:
        raise BrokenPipeError

    monkeypatch.setattr(click, "echo", closed)
    run(docs, "--into", tmp_path / "out")
    assert (tmp_path / "out/platforms.yaml").exists()


def test_what_a_step_is_written_without_is_told_with_the_line_that_causes_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = "# Pair\n\nOpen the {} app, and pair the lamp with it.\n"
    docs = written(tmp_path / "docs", {f"{name}/pair.md": page.format(name) for name in ("ios", "web")})
    reasons = iter(["web/pair.md:3: it would read 'a', not 'b'", ""])

    def failing(_: object, sets: Iterable[CopySet], __: object) -> dict[CopySet, str]:
        reason = next(reasons)
        return {one: reason for one in sets if reason}

    monkeypatch.setattr(check, "find_failures", failing)
    out = run(docs, "--into", tmp_path / "out").output
    assert "docs/pair: written with conditions only, because of web/pair.md:3: it would read 'a', not 'b'\n" in out


def test_a_platform_may_stand_in_a_path_twice(tmp_path: Path) -> None:
    page = "# Install\n\nOpen the project.\n\nAdd the kit for {}.\n"
    folder = written(tmp_path / "docs", {f"sdk/{id_}/{id_}-install.md": page.format(id_) for id_ in ("ios", "web")})
    assert run(folder, "--into", tmp_path / "project").exit_code == 0
    assert "path: sdk/{platform}/{platform}-{step}\n" in (tmp_path / "project/platforms.yaml").read_text()


def test_a_tutorial_is_called_by_the_folder_that_all_platforms_share(tmp_path: Path) -> None:
    page = "# Install\n\nOpen the project, and wait until it has loaded.\n\nAdd the kit for {}.\n"
    files = {f"docs/kits/{path}/install.md": page.format(path) for path in ("ios/swift", "android/kotlin", "web/js")}
    written(tmp_path, files)
    done = run(*(tmp_path / path for path in files), "--into", tmp_path / "project")
    assert done.exit_code == 0, done.output
    assert "tutorials:\n  kits:\n    title: Kits\n" in (tmp_path / "project/platforms.yaml").read_text()
    assert {f"docs/{path}" for path in rendered(tmp_path / "project")} == files.keys()


def test_names_that_are_no_ids_stand_in_the_paths(tmp_path: Path) -> None:
    page = "# Install\n\nOpen the project.\n\nAdd the kit.\n"
    folder = written(tmp_path / "docs", {f"{name}/install.md": page for name in ("React Native", "iOS (Swift)")})
    assert run(folder, "--into", tmp_path / "project").exit_code == 0
    assert rendered(tmp_path / "project").keys() == {"React Native/install.md", "iOS (Swift)/install.md"}


def test_copies_are_those_that_the_configuration_states(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = "# Pair\n\nOpen the {} app, and hold the lamp near it.\n"
    files = {f"docs/{id_}-x/{step}.md": page.format(id_) for id_ in ("one", "two") for step in ("first", "second")}
    written(tmp_path, {**files, "tutorial-tool.toml": 'variants = ["docs/{platform}-x/{step}.md"]\n'})
    monkeypatch.chdir(tmp_path)
    assert run("docs").output.splitlines()[:2] == [
        "docs/first   2 copies   94% shared   0 choices open",
        "docs/second  2 copies   94% shared   0 choices open",
    ]


def test_files_are_one_step_that_may_be_named(tmp_path: Path) -> None:
    files = {"lamp-ios.md": "# Pair\n\nThe iOS app.\n", "lamp-web.md": "# Pair\n\nThe Web app.\n"}
    folder = written(tmp_path / "copies", files)
    done = run(*sorted(folder.iterdir()), "--step", "pair", "--into", tmp_path / "project")
    assert done.exit_code == 0, done.output
    assert rendered(tmp_path / "project").keys() == {"lamp-ios.md", "lamp-web.md"}
    assert (
        tmp_path / "project/site_templates/steps/pair.md.j2"
    ).read_text() == "# Pair\n\nThe {{ platform.name }} app.\n"


def test_copies_without_any_drift_are_one_template(tmp_path: Path) -> None:
    folder = written(tmp_path / "copies", dict.fromkeys(("ios.md", "web.md"), "# Pair\n\nOne text.\n"))
    done = run(*sorted(folder.iterdir()), "--into", tmp_path / "project")
    assert done.exit_code == 0, done.output
    assert "2 copies, 100% shared (ios, web)" in done.output


def test_pages_that_did_not_end_in_md_are_told(tmp_path: Path) -> None:
    folder = written(tmp_path / "copies", dict.fromkeys(("ios.mdx", "web.mdx"), "# Pair\n\nOne text.\n"))
    done = run(*sorted(folder.iterdir()), "--into", tmp_path / "project")
    assert (
        "The pages end in `.md`; 2 copies do not. The first: ios.mdx. `tutorial-tool lint --fix` corrects links."
        in done.output
    )


def test_an_unreadable_copy_is_named(tmp_path: Path) -> None:
    folder = written(tmp_path / "copies", {"ios.md": "# A\n\nOne.\n"})
    (folder / "web.md").write_bytes(b"# A\n\nOne \xff\n")
    done = run(folder / "ios.md", folder / "web.md", "--into", tmp_path / "project")
    assert (done.exit_code, "web.md:3:5: unreadable-file" in done.output) == (2, True), done.output


def test_a_block_of_front_matter_is_no_value() -> None:
    page = "---\ntitle: Polls\ndescription: {}\nweight: 2\n---\n\nPolls ask people, and count what they say.\n\nSet one up.\n"
    texts = {"ios": page.format(">-\n  How polls work."), "web": page.format("Make a poll.")}
    adoption = made({**texts, "tv": page.format("Make a poll.")})
    assert adoption.project is not None, adoption.skipped


def test_what_some_platforms_have_in_their_own_code_is_one_call_under_a_condition() -> None:
    page = (
        "# Add the lamp\n\nThe lamp stands in the hall.\n\n{}Then switch it on, and see that it shines in all rooms.\n"
    )
    code = {
        "ios": "```swift\nlet lamp = Lamp()\n```\n\n",
        "kit": "```js\nconst lamp = new Lamp();\n```\n\n",
        "web": "```html\n<lamp></lamp>\n```\n\n",
        "tv": "",
    }
    text = template({platform: page.format(own) for platform, own in code.items()})
    assert text == page.format(
        "{% if platform.can('add-the-lamp') %}\n{{ code('add-the-lamp', language=platform.values.code_language) }}\n\n{% endif %}\n"
    )
