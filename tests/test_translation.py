"""Translations: units out of templates and data, PO files, and pages in other languages, on all platforms at once."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import polib
import pytest
from click.testing import CliRunner

from tests import project
from tutorial_tool.cli import main
from tutorial_tool.config.settings import Config
from tutorial_tool.core.source import Source
from tutorial_tool.linter import engine
from tutorial_tool.markdown.document import Document
from tutorial_tool.site import Layout, Page, loading
from tutorial_tool.translation import units
from tutorial_tool.translation.catalog import Catalog

REPOSITORY = Path(__file__).parent.parent


def run(*arguments: str | Path, code: int = 0) -> str:
    done = CliRunner().invoke(main, [str(argument) for argument in arguments])
    assert done.exit_code == code, done.output
    return done.output


def texts(template: str) -> list[str]:
    return [text for text, _ in units.collect_texts({"a.md.j2": Source("a.md.j2", template)}, (), ["a.md.j2"], ())]


@pytest.mark.parametrize(
    ("template", "shown"),
    [
        ("---\ntitle: Add {{ x }}\ndescription: 'It''s new'\nlayout: wide\n---\n", ["Add {{ x }}", "It's new"]),
        ("## Open it {: #open }\n", ["Open it"]),
        ("One\ntwo.\n\n> Three\n> four.\n", ["One two.", "Three four."]),
        ("- One\n  goes on\n- Two\n", ["One goes on", "Two"]),
        ("One  \ntwo.\n", ["One  \ntwo."]),
        ("One.\n{% if a %}\nTwo {% if b %}three{% endif %}.\n{% endif %}\n", ["One.", "Two {% if b %}three{% endif %}."]),
        ("| A | B |\n| --- | --- |\n{% for x in y %}\n| c {{ x | e }} | `d` |\n{% endfor %}\n", ["A", "B", "c {{ x | e }}"]),
        ('!!! note "Mind"\n\n    Text.\n', ["Mind", "Text."]),
        ("```swift\nrun()\n```\n\n`code`\n\n{{ table('x') }}\n\n<https://example.com>\n", []),
        ("<details><summary>More</summary>\n<p>Some <b>text</b>.</p>\n</details>\n", ["More", "Some <b>text</b>."]),
        ("{{ figure('a', kind='menu', path=['Setup', 'Inputs'], alt='The ' ~ x['id'] ~ ' menu') }}\n", ["Setup", "Inputs", "The ", " menu"]),
        ("{% set what = 'key and secret' if platform.can('both') else 'key' %}\n", ["key and secret", "key"]),
        ("{% set kind = 'wide' %}\n{% import 'a.j2' as a %}\n{# Note #}\n", []),
    ],
)  # fmt: skip
def test_a_template_has_a_text_for_each_block_that_readers_see(template: str, shown: list[str]) -> None:
    assert texts(template) == shown


@pytest.mark.parametrize(
    ("template", "old", "new", "made"),
    [
        ("---\ntitle: Add it\n---\n", "Add it", 'Los: "jetzt"', '---\ntitle: "Los: \\"jetzt\\""\n---\n'),
        ("Second step.\n", "Second step.", "2. Schritt.", "2\\. Schritt.\n"),
        ("1. Second step.\n", "Second step.", "- los", "1. \\- los\n"),
        ("> One\n> two.\n", "One two.", "Eins zwei.", "> Eins zwei.\n"),
        ("## Open *it*\n", "Open *it*", "Los", "## Los {: #open-it }\n"),
        ("## Open {: #a }\n", "Open", "Los", "## Los {: #a }\n"),
        ("## Open\n\n## Open\n", "Open", "Los", "## Los\n\n## Los\n"),
        ("> One  \n> two.\n", "One  \ntwo.", "Eins  \nzwei.", "> Eins  \n> zwei.\n"),
        ("| A |\n| --- |\n| b |\n", "b", "c|d `e|f`", "| A |\n| --- |\n| c&#124;d `e|f` |\n"),
        ("{{ figure('a', alt='One') }}\n", "One", "L'un", "{{ figure('a', alt='L’un') }}\n"),
        ("Text.\r\nMore.\r\n", "Text. More.", "Neu.", "Neu.\r\n"),
    ],
)
def test_a_translation_stays_what_its_text_is(template: str, old: str, new: str, made: str) -> None:
    file = polib.POFile()
    file.append(polib.POEntry(msgid=old, msgstr=new))
    source = Source("site_templates/steps/a.md.j2", template)
    assert units.translate_source(source.path, source, Catalog(Source("de.po", str(file))).translations) == made


def test_data_keeps_its_form(tmp_path: Path) -> None:
    source = Source(
        "platforms.yaml",
        'tables:\n  a:\n    rows:\n      b: {c: "One"}\n      d:\n        c: >-\n          Two\n          lines\n',
    )
    file = polib.POFile()
    file += [polib.POEntry(msgid="One", msgstr='Eins: "1"'), polib.POEntry(msgid="Two lines", msgstr="Zwei")]
    made = units.translate_source(source.path, source, Catalog(Source("de.po", str(file))).translations)
    assert made == 'tables:\n  a:\n    rows:\n      b: {c: "Eins: \\"1\\""}\n      d:\n        c: "Zwei"\n'


def test_a_file_that_names_another_file_is_not_that_file(tmp_path: Path) -> None:
    (tmp_path / "secret.po").write_text('msgid "a"\nmsgstr "b"\n')
    assert not [*Catalog(Source("de.po", "")).file]
    with pytest.raises(Exception, match="this is no PO file"):
        Catalog(Source("de.po", str(tmp_path / "secret.po")))


def own(root: Path) -> Path:
    """The tutorial of this repository, on three platforms."""
    for name in ("platforms.yaml", "site_templates"):
        copy = shutil.copytree if (REPOSITORY / name).is_dir() else shutil.copy
        copy(REPOSITORY / name, root / name)
    (root / "docs_src").mkdir()
    (root / "docs_src/index.md").write_text("# Home\n")
    return root


def codes(document: Document) -> list[str]:
    inline = [document.text[node.start : node.end] for node, _ in document.get_inlines() if node.kind == "code"]
    return inline + [document.text[slice(*block.content)] for block, _ in document.walk() if block.kind == "code" and block.content]  # fmt: skip


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("{{ platform.name }}", "{{ platform.nme }}", "undefined-name: platform `a` has no `nme`"),
        (" los", " {{ los", "invalid-template: `{{` is not closed"),
        ("index", "indx", "broken-link: link target `../../../indx.md` not found"),
    ],
)
def test_a_mistake_in_a_translation_is_reported_there(tmp_path: Path, old: str, new: str, message: str) -> None:
    template = "---\ntitle: One\n---\n\nOne of [a](../../../index.md) on {{ platform.name }} to go.\n"
    data = "platforms: {a: {name: A}}\ntutorials: {t: {title: T, steps: [one]}}\n"
    project.write(tmp_path, data, {"steps/one.md.j2": template}, {"index.md": "# Home\n"})
    text = "One of [a](../../../index.md) on {{ platform.name }} to go."
    entry = polib.POEntry(msgid=text, msgstr="Eins: [a](../../../index.md) {{ platform.name }} los.".replace(old, new))
    file = polib.POFile()
    file += [polib.POEntry(msgid="One", msgstr="Die ganz lange Eins"), entry]
    (tmp_path / "translations").mkdir()
    (tmp_path / "translations/de.po").write_text(str(file))
    site = loading.load(Layout(tmp_path, lang="de"))
    found = engine.run(site, Config(tmp_path))
    line = str(file)[: str(file).index('msgid "One of')].count("\n") + 1
    assert next(text for text in map(str, found) if message in text).startswith(f"translations/de.po:{line}:1:")


def words(page: Page) -> set[str]:
    return {word for text in page.document.texts for word in re.findall(r"[^\W\d_]{2,}", text)}


def test_a_pseudo_translation_leaves_no_word_and_every_link(tmp_path: Path) -> None:
    root = own(tmp_path)
    assert run("translate", "xx", "--pseudo", "--project", root).endswith(", 0 fuzzy, 0 to translate\n")
    there = {page.path: page for page in loading.load(Layout(root)).require_valid().pages if page.generated}
    site = loading.load(Layout(root, lang="xx")).require_valid()
    here = {page.path: page for page in site.pages if page.generated}
    assert here.keys() == there.keys()
    assert len({page.platform for page in here.values()}) == 3
    for path, page in here.items():
        old, new = there[path].document, page.document
        assert [section.id for section in page.sections] == [section.id for section in there[path].sections]
        assert [link.href for link in new.links] == [link.href for link in old.links]
        assert [image.src for image in new.images] == [image.src for image in old.images]
        assert codes(new) == codes(old)
        left = {word for word in words(page) & words(there[path]) if re.search("[aceinouyACEINOUY]", word)}
        assert left <= {"Kotlin", "Groovy"}, "names of languages stay"
    if shutil.which("msgfmt"):
        subprocess.run(
            ["msgfmt", "-c", "-o", "/dev/null", root / "translations/xx.po"], check=True, capture_output=True
        )


def test_an_edit_of_one_sentence_makes_its_unit_fuzzy_on_all_platforms(tmp_path: Path) -> None:
    root = project.write(tmp_path, docs={"index.md": "# Home\n"})
    run("translate", "de", "--pseudo", "--project", root)
    before = (root / "translations/de.po").read_text()
    run("translate", "de", "--project", root)
    assert (root / "translations/de.po").read_text() == before, "a second run changes nothing"
    template = root / "site_templates/steps/prepare.md.j2"
    template.write_text(template.read_text().replace("Set what the table says.", "Set all that the table says."))
    found = run("lint", root, "--select", "outdated-translation", "--output-format", "concise", code=1)
    assert re.findall(r"de\.po:\d+:1: (.*)", found) == [
        "warning[outdated-translation] the text has changed from “what” to “all that”"
    ]
    old = loading.load(Layout(root, lang="de")).require_valid()
    assert all("Set all that the table says." in page.text for page in old.pages if page.step == "prepare")
    assert run("translate", "de", "--project", root).endswith(": 52 translated, 1 fuzzy, 0 to translate\n")
    file = polib.pofile(str(root / "translations/de.po"))
    assert [(entry.msgid, entry.previous_msgid) for entry in file.fuzzy_entries()] == [
        ("Set all that the table says.", "Set what the table says.")
    ]
    assert "from “what” to “all that”" in run("lint", root, "--select", "outdated-translation", code=1)
    for entry in file.fuzzy_entries():
        entry.flags, entry.msgstr = [], "Stellen Sie alles ein."
    file.save()
    run("lint", root, "--select", "outdated-translation", "--fail-on", "hint")
    new = loading.load(Layout(root, lang="de")).require_valid()
    assert sum("Stellen Sie alles ein." in page.text for page in new.pages) == 2
    there = loading.load(Layout(root)).require_valid().pages
    assert [[section.id for section in page.sections] for page in new.pages if page.generated] == [
        [section.id for section in page.sections] for page in there if page.generated
    ]


def test_a_value_is_a_text_where_prose_has_it_and_code_has_not(tmp_path: Path) -> None:
    data = project.DATA.replace("values: {package: swan-kit}", "values: {package: swan-kit, home: lake}")
    step = "---\ntitle: Finish\n---\n\nGo to the {{ platform.values.home }}, with {{ platform.values.package }}.\n\n`{{ platform.values.package }}`\n\n## Check {: #check }\n\nDone.\n"
    root = project.write(tmp_path, data, {**project.TEMPLATES, "steps/finish.md.j2": step})
    run("translate", "de", "--project", root)
    file = polib.pofile(str(root / "translations/de.po"))
    assert [(entry.msgid, entry.msgctxt) for entry in file if entry.msgctxt] == [("lake", "values.home")]


def test_what_is_no_language_is_told(tmp_path: Path) -> None:
    output = run("translate", "../de", "--project", project.write(tmp_path), code=2)
    assert "`../de` is not a language: write its code, such as de or pt-BR" in output
