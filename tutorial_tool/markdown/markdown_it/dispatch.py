"""The library's block parser, which tries only the rules that can start with a line's first character."""

from __future__ import annotations

from collections.abc import Callable, MutableMapping
from typing import TYPE_CHECKING, Any

from markdown_it.parser_block import ParserBlock, RuleFuncBlockType
from markdown_it.ruler import Ruler
from markdown_it.rules_block import StateBlock

if TYPE_CHECKING:
    from markdown_it import MarkdownIt

    from tutorial_tool.markdown.fast_path.blocks import Lines

_SIGNS = {
    "fence": "`~", "blockquote": ">", "hr": "*-_", "list": "*+-0123456789", "reference": "[", "html_block": "<",
    "heading": "#",
    "indented": "!?=", "fenced": ":/", "snippets": "-", "macro_line": "{;-[", "formula": "$", "footnote": "[",
    "verbatim": "{", "directive": "`~:", "myst_line": "(%+", "attribute_line": "{",
    "markdown_tag": "<", "definition": ":", "esm": "ie", "jsx": "<", "expression_lines": "{", "jsx_comment": "{",
}  # fmt: skip
"""The first characters of each rule's first line, after white space. A rule that is not listed may start with any."""


class _Ruler(Ruler[RuleFuncBlockType]):
    """Rules combined into one: whether another block starts on a line takes one call instead of twenty."""

    def getRules(self, chainName: str = "") -> list[RuleFuncBlockType]:  # noqa: N802, N803 - the library's names
        if chainName not in self._ready:
            self._ready[chainName] = [self._build_rule(chainName)]
        return self._ready[chainName]

    @property
    def _ready(self) -> dict[str, list[RuleFuncBlockType]]:
        return self.__dict__.setdefault("_joined", {})  # type: ignore[no-any-return]

    def _build_rule(self, chain: str) -> RuleFuncBlockType:
        active = set(self.get_active_rules())
        rules = [rule for rule in self.__rules__ if rule.name in active and (not chain or chain in rule.alt)]
        by_sign: dict[str, list[RuleFuncBlockType]] = {}

        def select_rules(sign: str) -> list[RuleFuncBlockType]:
            return [
                _FILTERED.get(rule.name, _keep_rule)(rule.fn) for rule in rules if sign in _SIGNS.get(rule.name, sign)
            ]

        def try_rules(state: StateBlock, line: int, end: int, silent: bool) -> bool:
            at = state.bMarks[line] + state.tShift[line]
            sign = state.src[at] if at < state.eMarks[line] else ""
            matches = by_sign.get(sign)
            if matches is None:
                matches = by_sign[sign] = select_rules(sign)
            for rule in matches:  # noqa: SIM110 - `any` costs a generator for each line
                if rule(state, line, end, silent):
                    return True
            return False

        return try_rules


def _keep_rule(rule: RuleFuncBlockType) -> RuleFuncBlockType:
    return rule


def _filter_table(rule: RuleFuncBlockType) -> RuleFuncBlockType:
    """Wrap the table rule so that it runs only if the second line starts with `|`, `-` or `:`."""

    def try_rule(state: StateBlock, line: int, end: int, silent: bool) -> bool:
        if line + 2 > end:
            return False
        at = state.bMarks[line + 1] + state.tShift[line + 1]
        return state.src[at : at + 1] in ("|", "-", ":") and rule(state, line, end, silent)

    return try_rule


def _filter_underlined(rule: RuleFuncBlockType) -> RuleFuncBlockType:
    """Wrap the setext rule so that it runs only if a line up to the next blank one starts with `-` or `=`."""

    def try_rule(state: StateBlock, line: int, end: int, silent: bool) -> bool:
        starts, shifts, ends, src = state.bMarks, state.tShift, state.eMarks, state.src
        for below in range(line + 1, end):
            at = starts[below] + shifts[below]
            if at >= ends[below]:
                break
            if src[at] in "-=":
                return rule(state, line, end, silent)
        state.parentType = "paragraph"  # as the rule itself leaves it: later rules may read it
        return False

    return try_rule


_FILTERED: dict[str, Callable[[RuleFuncBlockType], RuleFuncBlockType]] = {
    "table": _filter_table,
    "lheading": _filter_underlined,
}
"""Rules that run only if a cheap check does not rule them out."""


class BlockParser(ParserBlock):
    """The library's block parser."""

    def __init__(self) -> None:
        super().__init__()
        ruler = _Ruler()
        ruler.__rules__ = self.ruler.__rules__
        self.ruler = ruler


def build_state(text: str, lines: Lines, md: MarkdownIt, env: MutableMapping[str, Any]) -> StateBlock:
    """Return the library's initial state from measured lines, which it would measure at a third of the speed."""
    state = StateBlock("", md, env, [])
    state.src, state.lineMax = text, lines.number
    state.bMarks, state.eMarks = lines.starts, lines.ends
    state.tShift, state.sCount, state.bsCount = lines.shifts, lines.columns, [0] * (lines.number + 1)
    return state
