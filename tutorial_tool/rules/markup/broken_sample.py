"""Samples that their language can't parse: a character missing or too many, the wrong quotes, another language."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, permutations

from tutorial_tool.core import lazy_re
from tutorial_tool.core.diagnostics import Finding, Related, Severity
from tutorial_tool.links.doubt import MIN_FAILING, MIN_SHARE
from tutorial_tool.markdown import samples
from tutorial_tool.markdown.document import CodeBlock
from tutorial_tool.markdown.foreign_syntax import find_foreign_syntax
from tutorial_tool.markdown.sample_brackets import COUNTERPARTS, OPENERS, find_end, find_unmatched
from tutorial_tool.markdown.samples import LARGEST, Repair
from tutorial_tool.rules import rule
from tutorial_tool.rules.base import FACTOR
from tutorial_tool.site import Page, PageFix, Site, page_facts
from tutorial_tool.site.fact_index import collect_facts
from tutorial_tool.spelling import near_words

_ALIKE = (frozenset(("JavaScript", "TypeScript")), frozenset(("C#", "Dart", "Java")))
"""Languages in which code with an error may parse as the other."""
_WITHOUT_GRAMMAR = frozenset("objc objective-c objectivec erlang groovy lua scala solidity".split())
"""Languages whose brackets alone are checked."""
_STRAY = lazy_re.compile(r"[\w+#-]+([\"'])(?!\S)")  # A quote that ends the language of a fence
_YAML = lazy_re.compile(r"[{.]*ya?ml(?![\w-])", re.IGNORECASE)
_SHELL = lazy_re.compile(r"[{.]*(?:sh|bash|zsh|shell|console)(?![\w-])", re.IGNORECASE)
_GOES_ON = lazy_re.compile(r"(?<![\s\\])[ \t]+(\\)\s*\Z")  # A line continuation at the end of a sample
_KEY = lazy_re.compile(
    r"(?P<lead>[ ]*(?:- +)*)(?P<key>[\w.\"'-]+):(?:\Z|[ ]+(?P<value>[^\s#&*!|>{\[\"'%@`][^{}\"'#]*(?=#|\Z))?)"
)
_COMPUTED = ("{{", "{%", "<%", "...", "…")


@rule("markup", Severity.WARNING, needs="code")
def check(site: Site) -> Iterator[Finding]:
    counts, groups = Counter[str](), defaultdict[tuple[str, str], list[Finding]](list)
    facts = collect_facts(site, _find_broken)
    for language, finding in chain.from_iterable(facts.values()):
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
    slips = _find_misspelled_labels(counts)
    for page in [page for page, items in facts.items() if any(label in slips for label, _ in items)]:
        for block in page.document.code_blocks:
            label = samples.get_language_name(block.info)
            if good := slips.get(label.lower()):
                at = page.plain.index(label, block.start)
                fix = PageFix(f"replace with `{good}`", ((at, at + len(label), good),), safe=False)
                message = f"`{label}` should read `{good}`, as in {counts[good]} other samples"
                yield page.flag((at, at + len(label)), message, fix=fix)


def _find_misspelled_labels(counts: Mapping[str, int]) -> Mapping[str, str]:
    """Return the labels that name no language, each with the frequent one of which it is a slip."""
    common = ((label, good) for label, good in permutations(counts, 2) if counts[good] >= FACTOR * counts[label])
    words = [pair for pair in common if "".join(pair).isalpha() and near_words.is_slip(*pair)]
    names = _load_language_names() if words else frozenset()
    return {label: good for label, good in words if label not in names and good in names}


def _load_language_names() -> frozenset[str]:
    from pygments.lexers import get_all_lexers  # 0.04 s

    return frozenset(name for _, names, _, _ in get_all_lexers() for name in names)


@page_facts.register
def _find_broken(page: Page) -> tuple[tuple[str, Finding | None], ...]:
    return tuple(_iter_broken(page))


def _iter_broken(page: Page) -> Iterator[tuple[str, Finding | None]]:
    """Yield the language that the fence of each sample names, alone and with each finding about the sample."""
    broken: list[tuple[CodeBlock, samples.BrokenSample | None]] = []
    for block in page.document.code_blocks:
        label = samples.get_language_name(block.info).lower()
        yield label, None
        if stray := _STRAY.match(block.info):
            at = page.plain.index(stray[0], block.start) + stray.start(1)
            yield label, page.flag((at, at + 1), f"unexpected `{stray[1]}` after the language", replace="")
        if not block.closed:
            continue
        if _SHELL.match(block.info) and (open_ := _GOES_ON.search(block.text)):
            at = block.content_start + open_.start(1)
            message = "no line follows this `\\`: the shell waits for more input"
            yield label, page.flag((at, at + 1), message, fix=PageFix("delete it", ((at, at + 1, ""),), safe=False))
        if _YAML.match(block.info) and (fault := _find_yaml_fault(block.text)):
            start, end, message = fault
            yield label, page.flag((block.content_start + start, block.content_start + end), message)
        sample = samples.find_broken(block.text, block.info)
        if sample or (label in _WITHOUT_GRAMMAR and samples.is_whole(block.text)):
            broken.append((block, sample))
    yield from _report_broken(page, broken)


def _report_broken(
    page: Page, broken: Iterable[tuple[CodeBlock, samples.BrokenSample | None]]
) -> Iterator[tuple[str, Finding]]:
    """Report what repairs each sample; those of another language than their label's, together.

    Samples in languages without a grammar are None.
    """
    mislabeled: dict[tuple[str, str, str], list[tuple[int, int]]] = {}
    for block, sample in broken:
        label = samples.get_language_name(block.info).lower()
        if sample and (strings := samples.find_single_quoted(sample)):
            yield label, _report_quotes(page, block, sample.language.name, strings)
        elif other := _find_other_language(page, block, sample):
            mislabeled.setdefault(other[0], []).append(other[1])
        elif sample and (repair := samples.find_repair(sample)):
            yield label, _report_repair(page, block, repair)
        else:
            name = sample.language.name.lower() if sample else label
            yield from ((label, finding) for finding in _check_brackets(page, block, name))
    for (info, name, instead), places in mislabeled.items():
        edits = tuple((*place, instead) for place in places if instead)
        fix = PageFix(f"mark it as `{instead}`", edits, safe=False) if edits else None
        again = [(page, place, "also here") for place in places[1:]]
        message = f"this sample is marked as `{info}`, but {'it is' if instead else 'this looks like'} {name}"
        yield info.lower(), page.flag(places[0], message, again=again, fix=fix)


def _check_brackets(page: Page, block: CodeBlock, language: str) -> Iterator[Finding]:
    if unmatched := find_unmatched(block.text, language):
        at, bracket, related = block.content_start + unmatched.at, block.text[unmatched.at], []
        if unmatched.inside is not None:
            start = block.content_start + unmatched.inside
            message = f"unexpected `{bracket}`: the last open bracket is `{page.plain[start]}`"
            related = [(page, (start, start + 1), "opened here")]
        elif bracket in OPENERS:
            message = f"no `{COUNTERPARTS[bracket]}` opens this `{bracket}`"
        else:
            message = f"no `{COUNTERPARTS[bracket]}` closes this `{bracket}`"
            end = block.content_start + find_end(block.text, unmatched.at)
            related = [(page, (end, end), f"add `{COUNTERPARTS[bracket]}` here?")]
        yield page.flag((at, at + 1), message, related=related)


def _find_other_language(
    page: Page, block: CodeBlock, sample: samples.BrokenSample | None
) -> tuple[tuple[str, str, str], tuple[int, int]] | None:
    """Return a sample's label, the language that it is in, and its label, with the span that shows it.

    The last label is empty if the sample is not all in that language.
    """
    info = samples.get_language_name(block.info)
    if other := sample and _find_whole_language(page, sample):
        at = page.plain.index(info, block.start)
        return (info, *other), (at, at + len(info))
    if foreign := find_foreign_syntax(block.text, info.lower()):
        return (info, foreign.language, ""), (block.content_start + foreign.start, block.content_start + foreign.end)
    return None


def _find_whole_language(page: Page, sample: samples.BrokenSample) -> tuple[str, str] | None:
    """Return JSON or another language of the page in which a sample parses, and its label."""
    if other := samples.find_other_format(sample):
        return other
    labels = dict.fromkeys(samples.get_language_name(block.info) for block in page.document.code_blocks)
    for label in (*labels, "json"):
        language = samples.get_language(label)
        names = {language.name, sample.language.name} if language else set()
        if language is None or any(map(names.issubset, _ALIKE)) or not samples.is_declaration(sample.text, language):
            continue
        its = (block.text for block in page.document.code_blocks if samples.get_language(block.info) == language)
        if "JSON" in names or any(samples.is_declaration(text, language) for text in its):
            return language.name, label
    return None


def _report_quotes(page: Page, block: CodeBlock, language: str, strings: Sequence[tuple[int, int]]) -> Finding:
    """Build one finding for a block: whoever mixes up the quotes does so everywhere in it."""
    first, *others = [(block.content_start + start, block.content_start + end) for start, end in strings]
    message = f"{language} puts strings in double quotes"
    return page.flag(first, message, again=[(page, place, "also here") for place in others])


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


def _find_yaml_fault(text: str) -> tuple[int, int, str] | None:
    """Find the tab, the key below a value, or the uneven indent where YAML parsing fails.

    Other problems may be intended, and so may those in long or computed samples.
    """
    may_be_whole = len(text) <= LARGEST and not any(sign in text for sign in _COMPUTED)
    number = _find_failing_line(text) if may_be_whole else None
    if number is None:
        return None
    *before, line = text.split("\n")[: number + 1]
    fault = _explain_failure([other for other in before if other.strip()], line)
    start = sum(len(other) + 1 for other in before)
    return (start + fault[0], start + fault[1], fault[2]) if fault else None


def _explain_failure(before: list[str], line: str) -> tuple[int, int, str] | None:
    """Return the fault in the line where parsing fails, below the filled lines before it."""
    lead = line[: len(line) - len(line.lstrip())]
    if "\t" in lead and ":" in line:
        return lead.index("\t"), lead.index("\t") + 1, "tab in the indentation; YAML allows only spaces"
    key, above = _KEY.match(line), next(filter(None, map(_KEY.match, reversed(before))), None)
    if key is None or above is None:
        return None
    if above["value"] and above.string == before[-1] and len(lead) > len(above["lead"]):
        message = f"`{above['key']}` has a value, so YAML allows nothing nested below it; check the indentation"
        return *key.span("key"), message
    is_cause = _find_failing_line("\n".join((*before, key[0]))) == len(before)
    if is_cause and not before[0].startswith(lead) and len(key["lead"]) < len(above["lead"]):
        message = "indented less than the key above, but more than its parent; check the indentation"
        return key.end("lead"), key.end("key"), message
    return None


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
