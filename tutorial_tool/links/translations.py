"""The languages of a MkDocs site with the plugin `i18n`, and the file that a link on a page means."""

from __future__ import annotations

from collections.abc import Iterator
from posixpath import basename, join, splitext
from typing import NamedTuple

from tutorial_tool import data


class Translations(NamedTuple):
    """The codes of the languages, and that of the default one, which is published at the root.

    `by_folder` if each language has a folder in the docs, else its files end in the code: `setup.fr.md`.
    """

    codes: tuple[str, ...]
    default: str
    by_folder: bool

    def split(self, path: str) -> tuple[str, str]:
        """Return the language of a file, "" if it has none, and its path without it, from the docs folder."""
        if self.by_folder:
            folder, _, rest = path.partition("/")
            return (folder, rest) if rest and folder in self.codes else ("", path)
        stem, suffix = splitext(path)
        before, _, code = basename(stem).rpartition(".")
        return (code, stem.removesuffix(f".{code}") + suffix) if before and code in self.codes else ("", path)

    def iter_candidates(self, path: str, code: str) -> Iterator[str]:
        """Yield the files that a path on a page in a language may mean, the best first."""
        stated, neutral = self.split(path)
        if self.by_folder:
            for language in dict.fromkeys((stated or code, self.default)):
                yield join(language, neutral)
        elif not stated:
            stem, suffix = splitext(path)
            yield from (f"{stem}.{language}{suffix}" for language in dict.fromkeys((code, self.default)) if language)
        yield path

    def get_published_path(self, path: str) -> str:
        """Return the path at which a file is published: below its language, unless that is the default."""
        code, neutral = self.split(path)
        return join(code, neutral) if code and code != self.default else neutral


def read_options(options: data.Node | None) -> Translations | None:
    """Return the translations from the options of any version of the plugin; None without languages."""
    stated = options.get("languages") if isinstance(options, data.Mapping) else None
    codes, default = list[str](), data.get_text(options, "default_language")
    if isinstance(stated, data.Sequence):
        for item in stated.items:
            codes.append(data.get_text(item, "locale"))
            default = codes[-1] if data.is_on(item, "default") else default
    elif isinstance(stated, data.Mapping):
        codes = [key.plain for key, _ in stated.items if key.plain != "default"]
        codes += [default] * (default not in codes)
    codes = [code for code in codes if code]
    by_folder = data.get_text(options, "docs_structure") == "folder"
    return Translations(tuple(codes), default or codes[0], by_folder) if codes else None
