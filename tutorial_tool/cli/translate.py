"""`tutorial-tool translate`: writes the texts of a tutorial to a PO file for translators."""

from __future__ import annotations

import re
from pathlib import Path

import click

from tutorial_tool.cli.shell import PROJECT, UNTRUSTED, fail, find_layout, relocate_path

_ACCENTS = str.maketrans("aceinouyACEINOUY", "áçéíñóúýÁÇÉÍÑÓÚÝ")


@click.command("translate")
@click.argument("language")
@PROJECT
@click.option("--pseudo", is_flag=True, help="Fill in each missing translation with the text itself, with accents.")
@UNTRUSTED
def command(language: str, project: Path, pseudo: bool) -> None:
    """Write the texts of templates and data into translations/LANGUAGE.po, or update that file.

    Translators fill it in, with Poedit, Weblate, or an editor. `render` then writes the pages in each language that has
    a file. Translations stay; one whose text has changed is marked as fuzzy, and isn't used until that mark is removed.

    \b
    Examples:
      tutorial-tool translate de
      tutorial-tool translate xx --pseudo
    """
    from tutorial_tool.core.source import Source
    from tutorial_tool.fs import files
    from tutorial_tool.site import loading
    from tutorial_tool.translation import FOLDER, SUFFIX, catalog, units

    if not re.fullmatch(r"[A-Za-z]{2,3}(?:[-_@][A-Za-z0-9]+)*", language):
        fail(f"`{language}` is not a language: write its code, such as de or pt-BR")
    layout = find_layout(project)
    site = loading.load(layout).require_valid()
    path = f"{FOLDER}/{language}{SUFFIX}"
    made = catalog.Catalog(site.sources.get(path) or Source(path, ""))
    made.update_entries(language, loading.collect_texts(site))
    for entry in made.file.untranslated_entries() if pseudo else ():
        entry.msgstr = units.map_words(entry.msgid, lambda text: text.translate(_ACCENTS))
    files.write_all({layout.root / path: f"{made.file}\n".encode()}, root=layout.root)
    kinds = (made.file.translated_entries(), made.file.fuzzy_entries(), made.file.untranslated_entries())
    done, fuzzy, left = map(len, kinds)
    click.echo(f"{relocate_path(layout.root, path)}: {done} translated, {fuzzy} fuzzy, {left} to translate")
