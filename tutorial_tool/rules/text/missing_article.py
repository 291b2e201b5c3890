"""A noun without the article that it has nearly everywhere: `in Sample console`, where others write `in the …`.

On 130 public trees, 76 of 80 findings that were read lack the article (November 2026).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from tutorial_tool.core import lazy_re
from tutorial_tool.core.diagnostics import Finding, Severity
from tutorial_tool.core.grouping import group_by
from tutorial_tool.markdown.document import MASK
from tutorial_tool.rules import rule
from tutorial_tool.rules.base import HABIT
from tutorial_tool.rules.text._corpus import Mention, get_corpus, is_history
from tutorial_tool.site import PageFix, Site
from tutorial_tool.spelling.usage import Passage

_USE = lazy_re.compile(
    rf"""
    (?<![\w-])(?<!built[ ])
    (?:[Ii]n|[Oo]n|[Tt]o|[Ff]rom|[Ww]ith|of|into|[Bb]y|[Vv]ia|[Uu]s(?:e|ing)|through|[Ff]or|inside|within|[Cc]all|[Cc]lose
     |[Ii]mplement|[Oo]pen|[Rr]un|[Ss]ee)
    \s(?P<article>[Tt]he\s|)
    (?P<name>(?:[A-Z][\w.+-]*|{MASK})(?:\s[A-Z][\w.+-]*){{0,3}}\s[a-z]{{3,}}(?<!ing)(?<!ed)(?<![^s]s))
    (?=\s(?:to|in|from|for|with|of|and|or|that|which|is|as|by|on|at|using|will|can|has|into|when|if|because|you|we)\b
      |[.,;:)](?!\w))
    """,
    re.VERBOSE,
)
"""A name that begins with a capital or code and ends with a singular noun, after a word that an object follows."""
_Use = tuple[str, bool]  # A name, and whether it has an article
_END = lazy_re.compile(r"[.:!?][\s\"”’)]*\Z")


@rule("text", Severity.WARNING, yields_to=("grammar", "inconsistent-name"))
def check(site: Site) -> Iterator[Finding]:
    corpus = get_corpus(site)
    uses = corpus.usage.collect_facts(_find_uses)
    counts = Counter(use for in_passage in uses.values() for use in in_passage)
    rare = {name for (name, has), count in counts.items() if not has and counts[name, True] >= 2 * HABIT * count}
    passages = [passage for passage, in_passage in uses.items() if not rare.isdisjoint(name for name, _ in in_passage)]
    mentions = corpus.find_mentions(_USE, sorted(passages, key=corpus.usage.get_order))
    lacking = (mention for mention in mentions if _get_name(mention.match) in rare and _lacks_article(mention))
    for (page, name), in_page in group_by(lacking, lambda mention: (mention.page, _get_name(mention.match))).items():
        first, *others = in_page
        shown = name.replace(MASK, "…")
        message = f"missing `the`? `the {shown}` is in {counts[name, True]} other places"
        again = [(page, mention.span, "also here") for mention in others]
        edits = tuple(edit for mention in in_page if (edit := _insert_article(mention)))
        fix = PageFix("insert `the`", edits, safe=False) if edits else None
        yield page.flag(first.span, message, again=again, fix=fix)


def _find_uses(passage: Passage) -> list[_Use]:
    return [(_get_name(match), bool(match["article"])) for match in passage.find_matches(_USE)]


def _get_name(match: re.Match[str]) -> str:
    return " ".join(match["name"].split())


def _lacks_article(mention: Mention) -> bool:
    """Return whether a name has no article in a whole sentence: lists, cells and headings are brief."""
    is_sentence = mention.prose.kind in ("paragraph", "item") and _END.search(mention.prose) is not None
    return is_sentence and not mention.match["article"] and not is_history(mention.page)


def _insert_article(mention: Mention) -> tuple[int, int, str] | None:
    at = mention.match.start("name") - 1
    return mention.prose.build_edit(at, at + 1, f"{mention.match.string[at]}the ")
