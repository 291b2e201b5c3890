"""What a platform has of its own is one value wherever it stands: in text, in commands, in code, beside its name."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.test_adopt import made, run, shown, template, written
from tests.test_adopt_values import values


def test_what_stands_beside_the_name_is_a_value_of_its_own() -> None:
    text = "# Connect {0}\n\nLoader reads {0} {1} hour.\n\n- {0} {2} or later\n"
    copies = {
        "mssql": text.format("SQL Server", "each", "2019"),
        "mysql": text.format("MySQL", "every", "8.0"),
        "redshift": text.format("Amazon Redshift", "every", "1.0"),
    }
    assert template(copies) == text.format(
        "{{ platform.values.product }}",
        "{{ drift('every', {'mssql': 'each'}) }}",
        "{{ platform.values.required_version }}",
    )


def test_a_command_prints_the_values_of_the_text() -> None:
    text = "The board is `{0}`. Use `{0}` from now on.\n\n```sh\nscreen {0} 115200\n```\n"
    copies = {"esp32": text.format("/dev/ttyUSB0"), "pico": text.format("/dev/ttyACM0")}
    assert template(copies) == text.format("{{ platform.values.board }}")


def test_a_word_that_is_a_name_elsewhere_by_chance_is_none() -> None:
    text = "Open the {0} app. Go to the site, and read what the web has to say.\n\nThe {0} app shows it.\n"
    copies = {"ios": text.format("iOS"), "web": text.format("Web"), "go": text.format("Go")}
    assert template(copies) == text.format("{{ platform.name }}")


def test_signs_that_only_icon_fonts_have_survive() -> None:
    copies = {"ios": "\uf000 Open the iOS app \uf0e7 now.\n", "web": "\uf000 Open the Web app \uf0e7 at once.\n"}
    assert "\uf000 Open the {{ platform.name }} app \uf0e7 " in template(copies)


@pytest.mark.parametrize(
    ("text", "one", "other", "expected"),
    [
        ("A table may have {} columns.", "10,000", "1,000", "1,000"),
        ("Open **{}** now.", "Settings > Mail > Add", "Settings > Apps > Mail > New", "Settings > Apps > Mail > New"),
    ],
)
def test_a_value_has_no_more_and_no_less_than_the_thing(text: str, one: str, other: str, expected: str) -> None:
    told = values(first=text.format(one), second=text.format(other))
    assert [texts["second"] for texts in told.values()] == [expected]


def test_an_article_is_called_so_and_is_no_choice(tmp_path: Path) -> None:
    text = "---\ntitle: Start\n---\n\nPut it on {} {}, and wait for the {}.\n"
    files = {
        "docs/esp32/start.md": text.format("an", "ESP32", "ESP32"),
        "docs/pico/start.md": text.format("a", "Pico", "Pico"),
    }
    done = run(written(tmp_path, files) / "docs", "--into", tmp_path / "out")
    assert "0 choices open" in done.output
    assert "Put it on {{ platform.values.article }} {{ platform.name }}, and" in shown(tmp_path / "out")


def test_code_is_never_drift() -> None:
    text = "```console\n$ kit upgrade --to 4.3{}\nnode-1 ... done\n```\n"
    copies = {"aws": text.format(" --provider aws"), "azure": text.format(" --provider azure"), "bare": text.format("")}
    assert template(copies) == "{{ code('start', language='console') }}\n"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (
            "Make a snapshot first. On AWS, it takes a minute, and costs little.",
            "Make a snapshot first, with your tools.",
        ),
        ("It prints “Kit 3.2”.", 'It prints "Kit 3.2".'),
    ],
)
def test_no_value_is_signs_only_or_goes_over_the_end_of_a_sentence(one: str, other: str) -> None:
    told = values(first=f"Wait.\n\n{one}", second=f"Wait.\n\n{other}", third=f"Wait.\n\n{other}")
    assert all(text.replace("-", "").isalnum() for texts in told.values() for text in texts.values())


def test_sentences_that_each_platform_has_in_one_place_are_a_part() -> None:
    text = "# Install\n\n{}\n\nStart it.\n"
    copies = {
        "linux": text.format("Kit runs on any Linux with glibc 2.31 or newer, and on musl."),
        "macos": text.format("Big Sur, Monterey and Ventura are tested."),
        "windows": text.format("You need an administrator's account for what follows."),
    }
    assert template(copies) == text.format("{{ part('install') }}")


def test_sections_with_headings_of_their_own_are_called_by_these() -> None:
    text = "## Install\n\nRun it.\n\n{}\n\n## Go on\n\nThat is all.\n"
    copies = {
        "react": text.format("## Add the provider\n\nWrap your app in it, once, near the root."),
        "vue": text.format("## Register the plugin\n\nDo so before anything is mounted."),
        "svelte": text.format("## Set the key\n\nYour root layout is the place for that."),
    }
    assert template(copies) == text.format("{{ part('add-the-provider') }}")


@pytest.mark.parametrize(
    ("language", "suffix"), [("sql", "sql"), ('html title="src/Pay.vue"', "vue"), ("console", "txt"), ("kotlin", "kt")]
)
def test_code_files_have_the_suffix_of_their_language(language: str, suffix: str) -> None:
    text = f"## Pay\n\n```{language}\n{{}}\n```\n"
    copies = {"one": text.format("start a\nand wait"), "other": text.format("begin b\nthen stop it")}
    adoption = made({platform: f"---\ntitle: Start\n---\n\n{page}" for platform, page in copies.items()})
    assert adoption.project is not None
    assert f"site_templates/steps/start/pay.one.{suffix}" in adoption.project.files


def test_paths_are_told_from_the_docs_folder_wherever_adopting_begins(tmp_path: Path) -> None:
    text = "---\ntitle: Start\n---\n\nOpen the {0} app, and pair your lamp with the {0} app.\n"
    files = {
        "mkdocs.yml": "site_name: Lamp\nmarkdown_extensions: [footnotes]\n",
        "docs/ios/start.md": text.format("iOS"),
        "docs/web/start.md": text.format("Web"),
    }
    done = run(written(tmp_path / "site", files), "--into", tmp_path / "out")
    assert done.exit_code == 0, done.output
    assert "path: docs/" not in (tmp_path / "out/platforms.yaml").read_text()
    assert "footnotes" in (tmp_path / "out/mkdocs.yml").read_text()
