"""Links and images of another platform on a page whose copies have their own, from the variation model."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from tutorial_tool import links, variants
from tutorial_tool.core.diagnostics import Finding, Severity
from tutorial_tool.rules._shared._copies import format_variant_names
from tutorial_tool.rules._shared._deviations import select_deviations
from tutorial_tool.rules.finding_index import Findings
from tutorial_tool.site import Site
from tutorial_tool.variants import Step, Variant
from tutorial_tool.variation.model.deviations import Deviation
from tutorial_tool.variation.model.kinds import Kind
from tutorial_tool.variation.paths import get_path_words

_EXISTING = ("page", "file")  # Kinds of targets that exist


class ForeignAddress(NamedTuple):
    """A URL with the name of another variant: the deviation, that variant, and the severity."""

    deviation: Deviation
    other: Variant
    severity: Severity


def find_foreign_addresses(step: Step, findings: Findings, kind: str) -> Iterator[ForeignAddress]:
    """Find the URLs of other platforms in a step's slots of a `kind`: link or image.

    If the target also exists under the name of the page's own variant, the mistake is certain. If only the other one
    exists, the URL is intended. Nothing is known about URLs on another host.
    """
    for deviation in select_deviations(
        step, findings, lambda item: item.kind is Kind.FOREIGN and item.slot.kind == kind
    ):
        other = _find_named_variant(step, deviation)
        if other is None:
            continue
        difference, is_there = deviation.difference, _has_own_target(step, deviation)
        if is_there is None and kind == "link" and difference.actual_typed == difference.expected_typed:
            continue  # both links resolve
        if is_there is not False:
            yield ForeignAddress(deviation, other, _get_severity(deviation, is_there=is_there))


def _get_severity(deviation: Deviation, *, is_there: bool | None) -> Severity:
    """Return how sure a mistake is, with `is_there` as from `_has_own_target`."""
    is_agreed = deviation.difference.votes > 1
    if is_there:
        return Severity.ERROR if is_agreed and not deviation.difference.against else Severity.WARNING
    is_sure = is_agreed and "//" not in deviation.difference.whole_text.typed
    return deviation.severity if is_sure else Severity.HINT


def report_foreign(step: Step, foreign: ForeignAddress, says: str, singular: str, plural: str) -> Finding:
    """Build the finding of a foreign URL, with another variant's link or image as its related location.

    `says` is the problem, with `{here}` and `{other}` for the two variants; `singular` and `plural` say what the others
    do.
    """
    deviation, other = foreign.deviation, foreign.deviation.difference.reference_id
    name, do = step.variants[deviation.variant_id].name, singular if len(deviation.others) == 1 else plural
    message = f"{says.format(here=name, other=foreign.other.name)}; {format_variant_names(step, deviation.others)} {do}"
    related = [(step.pages[other], deviation.other_place, f"the {deviation.slot.kind} on {step.variants[other].name}")]
    page = step.pages[deviation.variant_id]
    return page.flag(
        deviation.place, message, related=related, severity=foreign.severity, why=deviation.format_evidence(step)
    )


def _find_named_variant(step: Step, deviation: Deviation) -> Variant | None:
    """Return the variant whose name is in the URL, unless the text names it, too."""
    words = get_path_words(step).items()
    named = [id_ for id_, own in words if id_ != deviation.variant_id and own.pattern.fullmatch(deviation.text)]
    other = step.all_variants[named[0]] if named else None
    return None if other is None or _names_variant_in_text(deviation, other) else other


def _names_variant_in_text(deviation: Deviation, other: Variant) -> bool:
    """Return whether the text of a link or the alt text of an image names the other variant."""
    text = deviation.difference.whole_text
    before = text.page.plain[: text.start]
    label = before[max(before.rfind("\n"), before.rfind("["), before.rfind(">")) + 1 :]
    return other.pattern.search(label) is not None


def _has_own_target(step: Step, deviation: Deviation) -> bool | None:
    """Return whether the variant's own target exists; None if neither target can be found."""
    text, (start, end) = deviation.difference.whole_text, deviation.place
    address, first = text.typed.partition("#")[0], start - text.start
    last = first + end - start
    if any(
        variants.query_site(step, _has_target, deviation.variant_id, address[:first] + word + address[last:])
        for word in get_path_words(step)[deviation.variant_id].words
    ):
        return True
    return False if variants.query_site(step, _has_target, deviation.variant_id, address) else None


def _has_target(step: Step, name: str, address: str) -> bool:
    """Return whether a URL on a variant's page resolves, or a page has its path components in any order."""
    if links.get_addresses(step.site).resolve_href(step.pages[name], address).kind in _EXISTING:
        return True
    expected = _split_path(address)
    return len(expected) > 1 and any(map(expected.issubset, step.site.get_cached(_split_page_paths)))


def _split_page_paths(site: Site) -> list[frozenset[str]]:
    return [_split_path(page.path) for page in site.pages]


def _split_path(path: str) -> frozenset[str]:
    """Split a path into its components: generators combine them in an order of their choice."""
    return frozenset(re.split(r"[/.]", path.lower())) - {""}
