"""Complete names of the data and files in a template, and rules in an ignore comment."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from tutorial_tool import rules
from tutorial_tool.core import lazy_re
from tutorial_tool.core.grouping import group_pairs
from tutorial_tool.core.source import Source, find_line_start
from tutorial_tool.core.traced import strip_origins
from tutorial_tool.data import Scalar
from tutorial_tool.fs import files
from tutorial_tool.lsp import in_data, jinja_words, tags
from tutorial_tool.site import Site
from tutorial_tool.site.figures.svg import load_shipped
from tutorial_tool.templating.functions import PICTURES, build_image_path
from tutorial_tool.templating.places import PageId


class Choice(NamedTuple):
    """A completion choice: its text, detail, and kind.

    `in_brackets`: after a dot, the name would mean something else, so it is written in brackets instead.
    """

    text: str
    detail: str
    kind: str
    doc: str = ""
    in_brackets: bool = False


class CompletionOffer(NamedTuple):
    """The choices for the text from `start` to the cursor.

    Unless `is_complete`, more typing gives more choices.
    """

    start: int
    choices: tuple[Choice, ...]
    is_complete: bool = True


_WORD = r"(?P<word>[\w-]*)$"
_COLUMNS = r"\btable\(\s*['\"](?P<table>[^'\"]+)['\"][^)]*\bcolumns\s*=\s*\[(?:[^\]]*,)?\s*"
_TEXT = r"['\"](?P<word>[^'\"\n]*)$"
_IGNORED = lazy_re.compile(r"tutorial-tool:\s*ignore(?:-file)?\[(?:[\w/-]+,\s*)*(?P<word>[\w/-]*)$")
_PLATFORM = r"(?:\bplatform|\bplatforms\.[\w-]+|\bplatforms\[[^\]]*\])"
_FIELDS = {
    "name": "what readers call the platform",
    "id": "its id",
    "label": "what the product's screens call it: label('role')",
    "values": "its values",
    "can": "whether it has a feature: can('feature')",
}
_STEP = {
    "id": "its id",
    "number": "its number on this platform",
    "title": "its title, without the number",
    "next": "the id of the step after it on this platform: link(step.next)",
    "previous": "the id of the step before it on this platform",
}
_TUTORIAL = {"id": "its id", "title": "its title"}
CALLS = {
    "platform": ("the platform of the page", "variable"),
    "platforms": ("all platforms, by id", "variable"),
    "step": ("the step: id, number, title", "variable"),
    "tutorial": ("the tutorial: id, title", "variable"),
    "table": ("a table of the data", "function"),
    "rows": ("the rows of a table, for a loop", "function"),
    "part": ("prose from a file of its own", "function"),
    "drift": ("texts of copies that nobody has resolved yet", "function"),
    "code": ("code from a file", "function"),
    "figure": ("an image", "function"),
    "link": ("a link to a step or section", "function"),
}


def find_choices(site: Site, source: Source, offset: int, *, template: bool) -> CompletionOffer | None:
    """Return the choices at an offset; None where there is nothing to complete."""
    line = find_line_start(source.text, offset)
    if ignored := _IGNORED.search(source.text[line:offset]):
        choices = tuple(Choice(rule.name, rule.summary, "rule") for rule in rules.get_rules().values())
        return CompletionOffer(offset - len(ignored["word"]), choices)
    if source.path in site.data_files:
        offer = in_data.find_choices(site, source.text, offset)
        choices = tuple(Choice(*choice) for choice in offer.choices) if offer else ()
        return CompletionOffer(offset - len(offer.word), choices) if offer else None
    typed = tags.read_before(source.text, offset) if template else None
    if typed is None:
        return None
    for pattern, iter_choices in _TEXTS if tags.is_quoted(typed) else _WORDS:
        if match := pattern.search(typed):
            dotted = typed[: match.start("word")].endswith(".")
            offered = iter_choices(_TemplateNames(site, source), match)
            bracketed = (c._replace(in_brackets=dotted and not c.text.isidentifier()) for c in offered)
            return CompletionOffer(offset - len(match["word"]), tuple(bracketed))
    return None


class _TemplateNames:
    """The names of a site, as seen from a template."""

    def __init__(self, site: Site, source: Source) -> None:
        self.site, self.model = site, site.model
        name = source.path.removeprefix(f"{site.layout.templates}/")
        folders = name.removesuffix(".md.j2").split("/")[1:] if name.startswith("steps/") else []
        self.tutorial = next((part for part in folders[:1] if part in self.model.tutorials), None)
        rest = folders[1:] if self.tutorial else folders
        self.step = rest[0] if rest else ""

    def _iter_platform_entries(self, attribute: str) -> Iterator[tuple[str, str]]:
        """Yield each key of the platforms' labels, values or code, with its value on each platform."""
        platforms_by_text: dict[str, dict[str, list[str]]] = {}
        for platform in self.model.platforms.values():
            for key, value in getattr(platform, attribute).items():
                text = _shorten_value(value)
                platforms_by_text.setdefault(key, {}).setdefault(text, []).append(strip_origins(platform.name))
        for key, texts in platforms_by_text.items():
            yield key, "; ".join(f"{', '.join(names)}: {text}" for text, names in texts.items())

    def iter_labels(self, _match: re.Match[str]) -> Iterator[Choice]:
        yield from (Choice(key, value, "label") for key, value in self._iter_platform_entries("labels"))

    def iter_values(self, _match: re.Match[str]) -> Iterator[Choice]:
        yield from (Choice(key, value, "value") for key, value in self._iter_platform_entries("values"))

    def iter_features(self, _match: re.Match[str]) -> Iterator[Choice]:
        platforms = self.model.platforms.values()
        names = group_pairs(
            (key, strip_origins(platform.name)) for platform in platforms for key in sorted(platform.can)
        )
        yield from (Choice(key, ", ".join(those), "feature") for key, those in names.items())

    def iter_fields(self, _match: re.Match[str]) -> Iterator[Choice]:
        yield from (Choice(key, field, "field") for key, field in _FIELDS.items())

    def iter_platforms(self, _match: re.Match[str]) -> Iterator[Choice]:
        yield from (
            Choice(id_, strip_origins(platform.name), "platform") for id_, platform in self.model.platforms.items()
        )

    def iter_tables(self, _match: re.Match[str]) -> Iterator[Choice]:
        for id_, table in self.model.tables.items():
            columns = ", ".join(map(strip_origins, table.columns.values()))
            yield Choice(id_, f"{columns}: {len(table.rows)} rows", "table", doc=", ".join(table.rows))

    def iter_columns(self, match: re.Match[str]) -> Iterator[Choice]:
        table = self.model.tables.get(match["table"])
        for id_, heading in table.columns.items() if table else ():
            yield Choice(id_, strip_origins(heading), "column")

    def _group_files(self, suffix: str) -> dict[str, list[str]]:
        """Return the names of files in this step's folder, each with the platforms that it is for."""
        step_folders = [f"steps/{self.tutorial}/{self.step}/"] * bool(self.tutorial) + [f"steps/{self.step}/"]
        out: dict[str, list[str]] = {}
        for path in sorted(self.site.template_names):
            folder = next((folder for folder in step_folders if self.step and path.startswith(folder)), None)
            if folder and path.endswith(".md") == (suffix == ".md"):
                stem, _, level = path.removeprefix(folder).partition(".")
                out.setdefault(stem, []).append(level.removesuffix(".md") or "all platforms")
        return out

    def iter_parts(self, _match: re.Match[str]) -> Iterator[Choice]:
        platforms_by_name = self._group_files(".md").items()
        yield from (Choice(name, f"for {', '.join(platforms)}", "part") for name, platforms in platforms_by_name)

    def iter_code(self, _match: re.Match[str]) -> Iterator[Choice]:
        details = dict(self._iter_platform_entries("code"))
        for name, platforms in self._group_files("").items():
            details.setdefault(name, ", ".join(f"{name}.{suffix}" for suffix in platforms))
        yield from (Choice(name, value, "code") for name, value in details.items())

    def iter_figures(self, _match: re.Match[str]) -> Iterator[Choice]:
        details: dict[str, str] = {}
        for path in sorted(self.site.template_names):
            if path.startswith("figures/") and path.endswith(".svg.j2"):
                details[path.removeprefix("figures/").removesuffix(".svg.j2")] = path
        for page in self.site.pages:
            for figure in page.figures:
                details.setdefault(figure.name, figure.alt)
        for name, path in self._iter_pictures():
            details.setdefault(name, path)
        yield from (Choice(name, value, "figure") for name, value in details.items())

    def _iter_pictures(self) -> Iterator[tuple[str, str]]:
        """Yield the images in the folder of this step's images, each with its path."""
        docs = self.site.layout.root / self.site.layout.docs
        for address, place in self.site.places.items():
            if address.step != self.step or self.tutorial not in (None, address.tutorial):
                continue
            folder, _, form = build_image_path(place).rpartition("/")
            prefix, mark, suffix_text = posixpath.splitext(form)[0].partition("{figure}")
            if mark and "{figure}" not in folder and files.contains(docs, docs / folder) and (docs / folder).is_dir():
                for name in sorted(entry.name for entry in (docs / folder).iterdir()):
                    stem, suffix = posixpath.splitext(name)
                    if suffix.lower() in PICTURES and stem.startswith(prefix) and stem.endswith(suffix_text):
                        yield stem[len(prefix) : len(stem) - len(suffix_text)], f"{folder}/{name}"

    def iter_kinds(self, _match: re.Match[str]) -> Iterator[Choice]:
        for path in sorted({*load_shipped(), *self.site.template_names}):
            if path.startswith("figures/") and path.endswith(".svg.j2"):
                is_of_project = path in self.site.template_names
                name = path.removeprefix("figures/").removesuffix(".svg.j2")
                yield Choice(name, path if is_of_project else "built in", "figure")

    def iter_tags(self, _match: re.Match[str]) -> Iterator[Choice]:
        yield from (Choice(name, tag, "keyword") for name, tag in jinja_words.TAGS.items())

    def iter_filters(self, _match: re.Match[str]) -> Iterator[Choice]:
        yield from (Choice(name, value, "function") for name, value in jinja_words.FILTERS.items())

    def iter_tests(self, _match: re.Match[str]) -> Iterator[Choice]:
        yield from (Choice(name, test, "keyword") for name, test in jinja_words.TESTS.items())

    def iter_arguments(self, match: re.Match[str]) -> Iterator[Choice]:
        yield from (
            Choice(f"{name}=", argument, "field") for name, argument in jinja_words.ARGUMENTS[match["call"]].items()
        )

    def offer_nothing(self, _match: re.Match[str]) -> Iterator[Choice]:
        """Offer nothing: the author makes up this name."""
        yield from ()

    def iter_step_fields(self, _match: re.Match[str]) -> Iterator[Choice]:
        yield from (Choice(key, value, "field") for key, value in _STEP.items())

    def iter_tutorial_fields(self, _match: re.Match[str]) -> Iterator[Choice]:
        yield from (Choice(key, value, "field") for key, value in _TUTORIAL.items())

    def iter_templates(self, _match: re.Match[str]) -> Iterator[Choice]:
        for path in sorted(self.site.template_names):
            if path.endswith(".j2") and not path.startswith(("steps/", "figures/")):
                yield Choice(path, "a template", "part")

    def iter_links(self, _match: re.Match[str]) -> Iterator[Choice]:
        tutorials = self.model.tutorials
        for tutorial in tutorials.values():
            for step in tutorial.steps:
                is_unique = tutorial.id == self.tutorial or len(tutorials) == 1 or self.step in tutorial.steps
                yield Choice(
                    step if is_unique else f"{tutorial.id}/{step}",
                    _get_step_title(self.site, tutorial.id, step),
                    "step",
                )

    def iter_sections(self, match: re.Match[str]) -> Iterator[Choice]:
        tutorial, _, step = match["step"].rpartition("/")
        titles: dict[str, str] = {}
        for id_ in [tutorial] if tutorial else self.model.tutorials:
            for page in self.site.steps.get((id_, step or self.step), {}).values():
                for section in page.sections:
                    titles.setdefault(section.id, f"{section.number} {strip_origins(section.title)}".strip())
        yield from (Choice(id_, value, "section") for id_, value in titles.items())

    def iter_names(self, _match: re.Match[str]) -> Iterator[Choice]:
        yield from (Choice(name, value, kind) for name, (value, kind) in CALLS.items())


def _shorten_value(value: object) -> str:
    if isinstance(value, Scalar):
        value = value.text
    if isinstance(value, str):
        return strip_origins(value).split("\n")[0]
    return ", ".join(map(strip_origins, value)) if isinstance(value, tuple) else "…"


def _get_step_title(site: Site, tutorial: str, step: str) -> str:
    """Return the title and number of a step on the first platform that has it."""
    for platform in site.model.platforms:
        page = site.by_address.get(PageId(tutorial, step, platform))
        if page is not None:
            return f"{page.number}. {strip_origins(page.title)}" if page.number else strip_origins(page.title)
    return "a step"


_Choices = Callable[[_TemplateNames, re.Match[str]], Iterator[Choice]]
_OPEN = r"\{%[-+]?\s*"
_WORDS: tuple[tuple[re.Pattern[str], _Choices], ...] = (
    (lazy_re.compile(rf"{_OPEN}(?P<word>\w*)$"), _TemplateNames.iter_tags),
    (
        lazy_re.compile(rf"{_OPEN}(?:for\s(?!.*\bin\s)|(?:set|macro|block|raw|else|end\w+)\s)[\w,\s]*?(?P<word>\w*)$"),
        _TemplateNames.offer_nothing,
    ),
    (lazy_re.compile(rf"(?:\||{_OPEN}filter\s)\s*(?P<word>\w*)$"), _TemplateNames.iter_filters),
    (lazy_re.compile(r"\bis\s+(?:not\s+)?(?P<word>\w*)$"), _TemplateNames.iter_tests),
    (
        lazy_re.compile(rf"\b(?P<call>{'|'.join(jinja_words.ARGUMENTS)})\([^()]*,\s*(?P<word>\w*)$"),
        _TemplateNames.iter_arguments,
    ),
    (lazy_re.compile(rf"\bstep\.{_WORD}"), _TemplateNames.iter_step_fields),
    (lazy_re.compile(rf"\btutorial\.{_WORD}"), _TemplateNames.iter_tutorial_fields),
    (lazy_re.compile(rf"{_PLATFORM}\.values\.{_WORD}"), _TemplateNames.iter_values),
    (lazy_re.compile(rf"\bplatforms(?:\.{_WORD})"), _TemplateNames.iter_platforms),
    (lazy_re.compile(rf"{_PLATFORM}\.{_WORD}"), _TemplateNames.iter_fields),
    (lazy_re.compile(r"(?:^|[\s({\[=~,+-])(?P<word>[A-Za-z_]\w*|)$"), _TemplateNames.iter_names),
)
"""Patterns before the cursor, outside quoted texts, and what may follow; the first match wins."""
_TEXTS: tuple[tuple[re.Pattern[str], _Choices], ...] = (
    (lazy_re.compile(rf"{_PLATFORM}\.values\[{_TEXT}"), _TemplateNames.iter_values),
    (lazy_re.compile(rf"{_PLATFORM}\.label\(\s*{_TEXT}"), _TemplateNames.iter_labels),
    (lazy_re.compile(rf"{_PLATFORM}\.can\(\s*{_TEXT}"), _TemplateNames.iter_features),
    (lazy_re.compile(r"\bplatforms\[" + _TEXT), _TemplateNames.iter_platforms),
    (lazy_re.compile(rf"\b(?:table|rows|settings)\(\s*{_TEXT}"), _TemplateNames.iter_tables),
    (lazy_re.compile(r"\bfigure\([^)]*\btable\s*=\s*" + _TEXT), _TemplateNames.iter_tables),
    (lazy_re.compile(_COLUMNS + _TEXT), _TemplateNames.iter_columns),
    (lazy_re.compile(r"\bfigure\([^)]*\bkind\s*=\s*" + _TEXT), _TemplateNames.iter_kinds),
    (lazy_re.compile(rf"\b(?:from|import|include|extends)\s+{_TEXT}"), _TemplateNames.iter_templates),
    (lazy_re.compile(rf"\bpart\(\s*{_TEXT}"), _TemplateNames.iter_parts),
    (lazy_re.compile(rf"\bcode\(\s*{_TEXT}"), _TemplateNames.iter_code),
    (lazy_re.compile(rf"\bfigure\(\s*{_TEXT}"), _TemplateNames.iter_figures),
    (lazy_re.compile(r"\blink\(\s*['\"](?P<step>[^'\"#\n]*)#(?P<word>[^'\"\n]*)$"), _TemplateNames.iter_sections),
    (lazy_re.compile(rf"\blink\(\s*{_TEXT}"), _TemplateNames.iter_links),
)
"""The same inside quoted texts."""
