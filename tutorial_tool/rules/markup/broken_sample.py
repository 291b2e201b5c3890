"""Samples that their language can't parse: a character missing or too many, the wrong quotes, another language."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain
from typing import NamedTuple

from tutorial_tool.core import lazy_re
from tutorial_tool.core.diagnostics import Finding, Related, Severity
from tutorial_tool.links.doubt import MIN_FAILING, MIN_SHARE
from tutorial_tool.markdown import samples
from tutorial_tool.markdown.document import CodeBlock
from tutorial_tool.markdown.samples import LARGEST, Repair
from tutorial_tool.rules import rule
from tutorial_tool.site import Page, PageFix, Site, page_facts
from tutorial_tool.site.fact_index import collect_facts


class _Fault(NamedTuple):
    """A problem in a YAML sample, and its span in the text."""

    start: int
    end: int
    message: str


_ALIKE = (frozenset(("JavaScript", "TypeScript")), frozenset(("C#", "Dart", "Java")))
"""Languages in which code with an error may parse as the other."""
_YAML = lazy_re.compile(r"[{.]*ya?ml(?![\w-])", re.IGNORECASE)
_SHELL = lazy_re.compile(r"[{.]*(?:sh|bash|zsh|shell|console)(?![\w-])", re.IGNORECASE)
_GOES_ON = lazy_re.compile(r"(?<![\s\\])[ \t]+(\\)\s*\Z")  # A line continuation at the end of a sample
_NESTED = lazy_re.compile(
    r"^(?P<lead>[ ]*(?:- +)*)(?P<key>[\w.-]+):[ ]+(?![#&*!|>{\[\"'%@`])[^\s{}\"'#][^\n{}\"'#]*\n+"
    r"(?P<indent>[ ]+)(?:- +)?(?P<inner>[\w.-]+):(?=[ \n]|\Z)",
    re.MULTILINE,
)
_KEY = lazy_re.compile(r"^(?P<lead>[ ]*(?:- +)*)(?P<key>[\w.\"'-]+):(?=[ \n]|\Z)", re.MULTILINE)
_TAB = lazy_re.compile(r"^ *\t[ \t]*(?=[\w-]+:|- )", re.MULTILINE)
_COMPUTED = ("{{", "{%", "<%", "...", "…")


@rule("markup", Severity.WARNING, needs="code")
def check(site: Site) -> Iterator[Finding]:
    counts, groups = Counter[str](), defaultdict[tuple[str, str], list[Finding]](list)
    for language, finding in chain.from_iterable(collect_facts(site, _find_broken).values()):
        counts[language] += finding is None
        if finding is not None:
            groups[language, finding.message].append(finding)
    for (language, message), same in groups.items():
        if len(same) < MIN_FAILING or len(same) < MIN_SHARE * counts[language]:
            yield from same
            continue
        text = f"most samples in `{language}`, {len(same)} of {counts[language]}, have the same problem: {message}"
        related = tuple(Related(finding.span, "also here") for finding in same[1:4])
        yield replace(same[0], message=text, severity=Severity.HINT, related=related, fix=None)


@page_facts.register
def _find_broken(page: Page) -> tuple[tuple[str, Finding | None], ...]:
    return tuple(_iter_broken(page))


def _iter_broken(page: Page) -> Iterator[tuple[str, Finding | None]]:
    """Yield the language that the fence of each sample names, alone and with each finding about the sample."""
    broken: list[tuple[CodeBlock, samples.BrokenSample]] = []
    for block in page.document.code_blocks:
        label = samples.get_language_name(block.info).lower()
        yield label, None
        if not block.closed:
            continue
        if _SHELL.match(block.info) and (open_ := _GOES_ON.search(block.text)):
            yield label, _report_continuation(page, block.content_start + open_.start(1))
        if _YAML.match(block.info) and (fault := _find_yaml_fault(block.text)):
            span = block.content_start + fault.start, block.content_start + fault.end
            yield label, page.flag(span, fault.message)
        if sample := samples.find_broken(block.text, block.info):
            broken.append((block, sample))
    yield from _report_broken(page, broken)


def _report_broken(
    page: Page, broken: Iterable[tuple[CodeBlock, samples.BrokenSample]]
) -> Iterator[tuple[str, Finding]]:
    """Report what repairs each sample; those of another language than their label's, together."""
    mislabeled: dict[tuple[str, str, str], list[tuple[int, int]]] = {}
    for block, sample in broken:
        label = samples.get_language_name(block.info).lower()
        if strings := samples.find_single_quoted(sample):
            yield label, _report_quotes(page, block, sample.language.name, strings)
        elif other := _find_other_language(page, sample):
            at = page.plain.index(other[0], block.start)
            mislabeled.setdefault(other, []).append((at, at + len(other[0])))
        elif repair := samples.find_repair(sample):
            yield label, _report_repair(page, block, repair)
    for (info, name, instead), places in mislabeled.items():
        fix = PageFix(f"mark it as `{instead}`", tuple((*place, instead) for place in places), safe=False)
        again = [(page, place, "also here") for place in places[1:]]
        message = f"this sample is marked as `{info}`, but it is {name}"
        yield info.lower(), page.flag(places[0], message, again=again, fix=fix)


def _find_other_language(page: Page, sample: samples.BrokenSample) -> tuple[str, str, str] | None:
    """Return the label of a sample in JSON or another language of the page, that language's name, and its label."""
    labels = dict.fromkeys(samples.get_language_name(block.info) for block in page.document.code_blocks)
    for label in (*labels, "json"):
        language = samples.get_language(label)
        names = {language.name, sample.language.name} if language else set()
        if language is None or any(map(names.issubset, _ALIKE)) or not samples.is_declaration(sample.text, language):
            continue
        its = (block.text for block in page.document.code_blocks if samples.get_language(block.info) == language)
        if "JSON" in names or any(samples.is_declaration(text, language) for text in its):
            return samples.get_language_name(sample.info), language.name, label
    return None


def _report_quotes(page: Page, block: CodeBlock, language: str, strings: Sequence[tuple[int, int]]) -> Finding:
    """Build one finding for a block: whoever mixes up the quotes does so everywhere in it."""
    first, *others = [(block.content_start + start, block.content_start + end) for start, end in strings]
    message = f"{language} puts strings in double quotes"
    return page.flag(first, message, again=[(page, place, "also here") for place in others])


def _report_continuation(page: Page, at: int) -> Finding:
    """Report a command whose last line continues on a line that is missing."""
    fix = PageFix("delete it", ((at, at + 1, ""),), safe=False)
    return page.flag((at, at + 1), "no line follows this `\\`, so the shell waits for more input", fix=fix)


def _report_repair(page: Page, block: CodeBlock, repair: Repair) -> Finding:
    """Build one finding for all places of the sample where the same character is missing or unexpected."""
    places = [(block.content_start + at, block.content_start + at + len(repair.old)) for at in repair.places]
    if repair.new:
        message, fix = (f"missing `{repair.new}`: {repair.language} can't parse the sample", "insert it")
    else:
        message, fix = f"unexpected `{repair.old}`: {repair.language} can't parse the sample", "delete it"
    edits = tuple((*place, repair.new) for place in places)
    is_safe = repair.language == "JSON" and "," in (repair.old, repair.new)
    again = [(page, place, "also here") for place in places[1:]]
    return page.flag(places[0], message, again=again, fix=PageFix(fix, edits, safe=is_safe))


# YAML


def _find_yaml_fault(text: str) -> _Fault | None:
    """Find a tab that indents, keys below a key with a value, or an uneven indent, if YAML fails there.

    Other problems may be intended, and so may those in long or computed samples.
    """
    if len(text) > LARGEST:
        return None
    if any(sign in text for sign in _COMPUTED):
        return None
    likely = [fault for look in _LOOKS if (fault := look(text))]
    line = _find_failing_line(text) if likely else None
    return next((fault for fault in likely if text.count("\n", 0, fault.end) == line), None)


def _find_tab(text: str) -> _Fault | None:
    match = _TAB.search(text) if "\t" in text else None
    at = text.index("\t", match.start()) if match else 0
    return _Fault(at, at + 1, "tab in the indentation; YAML allows only spaces") if match else None


def _find_nested_keys(text: str) -> _Fault | None:
    for match in _NESTED.finditer(text):
        if len(match["indent"]) > len(match["lead"]):
            message = f"`{match['key']}` has a value, so YAML allows nothing nested below it; check the indentation"
            return _Fault(*match.span("inner"), message)
    return None


def _find_uneven_indent(text: str) -> _Fault | None:
    """Find a key indented less than the one above it, but more than its parent."""
    indents: list[int] = []
    for match in _KEY.finditer(text):
        indent = len(match["lead"])
        if indents and min(indents) < indent < indents[-1] and indent not in indents:
            message = "indented less than the key above, but more than its parent; check the indentation"
            return _Fault(match.end("lead"), match.end("key"), message)
        while indents and indents[-1] > indent:
            indents.pop()
        indents += [len(match["lead"].partition("-")[0]), indent] if "-" in match["lead"] else [indent]
    return None


_LOOKS = (_find_tab, _find_nested_keys, _find_uneven_indent)


def _find_failing_line(text: str) -> int | None:
    """Return the line (0-based) where YAML parsing fails; None if it parses all."""
    import yaml

    try:
        for _ in yaml.parse(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # events, so depth is no issue
            pass
    except yaml.MarkedYAMLError as error:
        return error.problem_mark.line if error.problem_mark is not None else None
    except (yaml.YAMLError, RecursionError):
        pass
    return None
