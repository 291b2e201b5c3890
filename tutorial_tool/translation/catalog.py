"""The PO file of a language: its translations, which of them are outdated, and updates of the file."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cached_property
from typing import Any, NamedTuple

import polib

from tutorial_tool.core import lazy_re
from tutorial_tool.core.diagnostics import Finding, InvalidInput, Related, build_error
from tutorial_tool.core.source import Source, Span
from tutorial_tool.translation import units
from tutorial_tool.translation.units import Key

_BEGINS = lazy_re.compile(r"^msgid .*", re.MULTILINE)
_METADATA = {"MIME-Version": "1.0", "Content-Type": "text/plain; charset=UTF-8", "Content-Transfer-Encoding": "8bit"}


class OutdatedTranslation(NamedTuple):
    """A translation of a text that no longer exists, and the most similar new text, if any."""

    entry: Any
    old: str
    new: str | None


class Catalog:
    """The translations into one language.

    Raises: InvalidInput if the source is not a PO file.
    """

    def __init__(self, source: Source) -> None:
        self.source = source
        try:  # a line before it: polib reads text that is the name of a file as that file
            self.file: Any = polib.pofile(f"#\n{source.text}", check_for_duplicates=False)
        except (OSError, ValueError) as problem:
            line = re.search(r"line (\d+)", str(problem))
            number = min(max(int(line[1]) - 1 if line else 1, 1), source.line_count)
            span = source.span(source.get_line_start(number), source.get_line_end(number))
            raise InvalidInput([build_error("invalid-data", "this is no PO file", span)]) from None

    @cached_property
    def translations(self) -> dict[Key, str]:
        """The published translations: those not marked as `fuzzy`."""
        return {key: entry.msgstr for key, entry in self._entries.items() if not entry.fuzzy}

    @property
    def _entries(self) -> dict[Key, Any]:
        return {_get_key(entry): entry for entry in self.file if entry.msgstr and not entry.obsolete}

    def locate_entry(self, entry: Any) -> Span:
        """Return the span of an entry."""
        start = self.source.get_line_start(max(entry.linenum - 1, 1))
        match = _BEGINS.search(self.source.text, start)
        return self.source.span(*match.span()) if match else self.source.span(start)

    def locate_finding(self, finding: Finding, originals: Mapping[Source, Source]) -> Finding:
        """Return a finding in a translated file at the entry of this catalog, if a translation is wrong.

        `originals` maps each translated file to its source.
        """
        original = originals.get(finding.span.source)
        match = original and units.find_translation(original, self.translations, finding.span.start)
        if not match:
            return finding
        unit, span = match
        place, related = self.locate_entry(self._entries[unit.text, unit.context]), Related(span, "the text")
        return replace(finding, span=place, related=(related, *finding.related), fix=None, exact=False)

    def find_outdated(self, texts: Collection[Key]) -> Iterator[OutdatedTranslation]:
        """Yield the translations to review: those whose text has changed, and those marked as `fuzzy`."""
        from rapidfuzz import fuzz, process  # slow to load, and most runs have no translation

        new: dict[tuple[str | None, str], None] = dict.fromkeys(key for key in texts if key not in self._entries)
        for (text, context), entry in self._entries.items():
            if (text, context) not in texts:
                others = [other for other, of in new if of == context]
                match = process.extractOne(text, others, scorer=fuzz.ratio, score_cutoff=60)
                near = match[0] if match else None
                new.pop((near, context), None)
                yield OutdatedTranslation(entry, text, near)
            elif entry.fuzzy:
                yield OutdatedTranslation(entry, entry.previous_msgid or "", text)

    def find_untranslated(self, texts: Collection[Key]) -> list[Key]:
        """Return the texts without a translation, not even of a similar earlier text."""
        near = {(item.new, item.entry.msgctxt or "") for item in self.find_outdated(texts)}
        return [key for key in texts if key not in self._entries and key not in near]

    def update_entries(self, language: str, texts: Mapping[Key, Iterable[Span]]) -> None:
        """Give each text an entry: translations stay, and those of changed texts are marked as fuzzy."""
        before = {}
        for item in [item for item in self.find_outdated(texts) if item.new]:
            item.entry.msgid, item.entry.flags = item.new, ["fuzzy"]
            before[_get_key(item.entry)] = item.old or None
        template = polib.POFile()
        for key, places in texts.items():
            paths = [(path, "") for path in dict.fromkeys(place.path for place in places)]
            names = {"msgid": key[0], "msgctxt": key[1] or None, "previous_msgid": before.get(key)}
            template.append(polib.POEntry(**names, occurrences=paths))
        self.file.merge(template)
        order = {key: number for number, key in enumerate(texts)}
        self.file.sort(key=lambda entry: order.get(_get_key(entry), len(order)))
        header = f"`tutorial-tool translate {language}` renews this file, and keeps its translations."
        self.file.header, self.file.wrapwidth = self.file.header.strip() or header, 78
        self.file.metadata = {"Language": language, **_METADATA, **self.file.metadata}


def _get_key(entry: Any) -> Key:
    return entry.msgid, entry.msgctxt or ""
