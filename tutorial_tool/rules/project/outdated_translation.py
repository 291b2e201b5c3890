"""Translations in PO files whose text has changed since, or that differ in what is the same in every language."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from difflib import SequenceMatcher

from tutorial_tool.core.diagnostics import Finding, InvalidInput, Related, Severity
from tutorial_tool.rules import rule
from tutorial_tool.site import Project, loading
from tutorial_tool.translation import units
from tutorial_tool.translation.catalog import Catalog, OutdatedTranslation


@rule("project", Severity.WARNING)
def check(project: Project) -> Iterator[Finding]:
    site = project.site
    for path in site.catalogs.values() if not site.layout.lang else ():
        try:
            yield from _report_catalog(project, Catalog(site.sources[path]))
        except InvalidInput as problem:
            yield from (project.flag(finding.span, finding.message) for finding in problem.findings)


def _report_catalog(project: Project, catalog: Catalog) -> Iterator[Finding]:
    texts = loading.collect_texts(project.site)
    for item in catalog.find_outdated(texts):
        places = texts.get((item.new or "", item.entry.msgctxt or ""), ())
        related = tuple(Related(place, "the text") for place in places[:1])
        yield project.flag(catalog.locate_entry(item.entry), _format_message(item), related=related)
    yield from _report_differing(project, catalog)
    if lacking := catalog.find_untranslated(texts):
        message = f"{len(lacking):,} of {len(texts):,} texts have no translation, such as “{lacking[0][0]}”"
        yield replace(project.flag(catalog.source.span(0, 0), message), severity=Severity.HINT)


def _report_differing(project: Project, catalog: Catalog) -> Iterator[Finding]:
    for entry in catalog.file.translated_entries():
        differing = units.find_differing_tokens(entry.msgid, entry.msgstr)
        if shown := ", ".join(f"`{token.strip('`').removeprefix('](')}`" for token in differing):
            yield project.flag(catalog.locate_entry(entry), f"the text and its translation differ in {shown}")


def _format_message(item: OutdatedTranslation) -> str:
    if item.new is None:
        return "no text is translated by this any longer"
    old, new = item.old.split(), item.new.split()
    changes = [change for change in SequenceMatcher(None, old, new).get_opcodes() if change[0] != "equal"]
    if not old or not changes:
        return "marked as fuzzy, so not used"
    before = " ".join(old[changes[0][1] : changes[-1][2]])
    after = " ".join(new[changes[0][3] : changes[-1][4]])
    if before and after:
        return f"the text has changed from “{before}” to “{after}”"
    return f"“{before}” is no longer in the text" if before else f"“{after}” is new in the text"
