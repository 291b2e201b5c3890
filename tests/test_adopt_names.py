"""`adopt --names FILE`: names that say little are listed first, and a file gives better ones at once."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.test_adopt import rendered, run
from tests.test_adopt_drift import adopted, copies

TEXT = "Pair the lamp with `{}`.\n\n| Setting | Value |\n| --- | --- |\n| Wake | {} |\n\n```sh\n{}\n```\n\nThen wait.\n\n{}"
OWN = {
    "ios": TEXT.format("Lamp.pair", "On", "pod add lamp\npod install", "Ask for **Bluetooth**, and wait.\n"),
    "web": TEXT.format("lamp.bind", "Off", "npm i lamp\nnpm start", ""),
}


def test_names_are_listed_and_renamed_at_once(tmp_path: Path) -> None:
    folder, names = copies(tmp_path, **OWN), tmp_path / "names.yaml"
    out = run(folder, "--into", tmp_path / "out", "--names", names, "--dry-run")
    assert out.exit_code == 0, out.output
    assert not (tmp_path / "out").exists()
    listed = names.read_text()
    assert listed.splitlines()[1:3] == [
        "values:",
        "  file:  # site_templates/steps/pair.md.j2:11: Pair the lamp with `{{ platform.values.file }}`.",
    ]
    assert "files:\n  pair:  # site_templates/steps/pair.md.j2:15: {{ code('pair', language='sh') }}\n" in listed
    assert listed.endswith("  bluetooth:  # site_templates/steps/pair.md.j2:19: {% if platform.can('bluetooth') %}\n")
    names.write_text(
        "values: {file: method}\nfiles: {pair: install}\nfeatures: {bluetooth: permission}\n"
        "tables: {settings: options}\n"
    )
    adopted(folder, tmp_path / "out", "--names", names)
    template = (tmp_path / "out/site_templates/steps/pair.md.j2").read_text()
    assert "`{{ platform.values.method }}`" in template
    assert "{{ table('options') }}" in template
    assert "{{ code('install', language='sh') }}" in template
    assert "{% if platform.can('permission') %}" in template
    assert (tmp_path / "out/site_templates/steps/pair/install.ios.sh").is_file()
    assert rendered(tmp_path / "out")["guides/ios/pair.md"].decode().endswith("and wait.\n")


def test_code_in_tabs_has_the_names_of_the_tabs(tmp_path: Path) -> None:
    tab = '<TabItem value="{0}">\n\n```{0}\n{1}\n```\n\n</TabItem>\n'
    one, other = "Pair a lamp();\nwait(3);", "let tv = new Tv();\ntv.pair();\nif tv { on() }"
    texts = {
        name: "".join(tab.format(language, code) for language in ("go", "js"))
        for name, code in (("ios", one), ("web", other))
    }
    adopted(copies(tmp_path, **texts), tmp_path / "out")
    template = (tmp_path / "out/site_templates/steps/pair.md.j2").read_text()
    assert "{{ code('go'" in template
    assert "{{ code('js'" in template


@pytest.mark.parametrize(
    ("names", "problem"),
    [
        ("files: {pai: install}\n", "`pai` in `files` is the name of nothing; did you mean `pair`?"),
        ("files: {pair: In Stall}\n", "names.yaml:1:15: `In Stall` is no name for files: write `in-stall`"),
        ("file: {pair: install}\n", "names.yaml:1:1: unknown section `file`: use values, labels, features"),
        ("values: {a: x, b: x}\n", "names.yaml:1:1: two names in `values` would be `x`"),
        ("features: {bluetooth: web}\n", "`web` in `features` cannot be used"),
        ("files: [\n", "names.yaml:"),
    ],
)
def test_a_name_that_cannot_be_used_ends_with_its_place(tmp_path: Path, names: str, problem: str) -> None:
    folder = copies(tmp_path, **OWN)
    (tmp_path / "names.yaml").write_text(names)
    done = run(folder, "--into", tmp_path / "out", "--names", tmp_path / "names.yaml")
    assert done.exit_code == 2
    assert problem in done.output
    assert not (tmp_path / "out").exists()


def test_names_that_say_little_are_told(tmp_path: Path) -> None:
    codes = 4 * "\n```sh\n{0}\nb\n```\n\nThen wait.\n"
    texts = {"ios": codes.format("a"), "web": codes.format("e")}
    out = adopted(copies(tmp_path, **texts), tmp_path / "out")
    assert "`pair-2` (site_templates/steps/pair.md.j2:24). `--names FILE` lists all names" in out
    assert "--names changes what is written, and no project is named" in run(tmp_path, "--names", "x.yaml").output


def test_punctuation_behind_a_name_is_not_part_of_it(tmp_path: Path) -> None:
    text = '---\ntitle: Pair\ndescription: "All about the kit on {} what it needs."\n---\n\nOpen the app, and wait.\n'
    folder = copies(tmp_path, ios=text.format("iOS:"), web=text.format("Web, including"))
    adopted(folder, tmp_path / "out")
    assert "ios: {name: iOS" in (tmp_path / "out/platforms.yaml").read_text()
