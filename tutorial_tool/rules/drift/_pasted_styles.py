"""A key in a sentence as other copies write it, where the page's own table writes it otherwise: for `drifted-code`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from tutorial_tool import variation
from tutorial_tool.core import lazy_re
from tutorial_tool.markdown.document import MASK
from tutorial_tool.rules.drift._uncalled_names import UncalledName
from tutorial_tool.site import Page
from tutorial_tool.variants import Step
from tutorial_tool.variation import slots

_KEY = lazy_re.compile(r"`(?P<key>[A-Za-z_$][\w$-]*)`")
_JOINT = lazy_re.compile(r"[_-]")
_AGREE = 2
"""Other copies whose tables have a key, at least."""


def pasted_styles(step: Step) -> Iterator[UncalledName]:
    """The keys, such as `maxSize`, that a page has once, in a sentence, and as `max_size` in its table."""
    if len(step.pages) <= _AGREE:
        return
    keys = {name: page.kept(_keys) for name, page in step.pages.items()}
    others_style = {name: _in_other_style(keys, name) for name in step.pages if not step.pages[name].generated}
    if not any(others_style.values()):
        return
    for row in variation.of(step).rows("sentence"):
        for name, unit in row.items():
            pasted = others_style.get(name) if MASK in unit.text else None
            for said in slots.code_of(step.pages[name], unit) if pasted else ():
                own = pasted[said.text] if pasted and said.text in pasted else ""
                if own and len(re.findall(rf"(?<![\w$]){re.escape(said.text)}(?![\w$])", step.pages[name].plain)) == 1:
                    yield UncalledName(name, said.text, said.place, own)


def _in_other_style(keys: Mapping[str, Mapping[str, str]], name: str) -> dict[str, str]:
    """The keys of several other copies that a page has in its own style, by what the others write."""
    found = {}
    for folded, own in keys[name].items():
        typed = [others[folded] for other, others in keys.items() if other != name and folded in others]
        found.update({each: own for each in typed if each != own and typed.count(each) >= _AGREE})
    return found


def _keys(page: Page) -> dict[str, str]:
    """The keys of a page's tables as they are typed, by their letters and digits."""
    first = (row[0] for table in page.document.tables for row in table.rows if row)
    typed = [match["key"] for cell in first if (match := _KEY.fullmatch(page.plain[cell.start : cell.end].strip()))]
    return {_JOINT.sub("", key).lower(): key for key in typed}
