"""The rules: each is a module `<name>.py` with one decorated `check`, next to its documentation `<name>.md`.

    @rule("text", Severity.ERROR)
    def check(page: Page) -> Iterator[Finding]:
        for prose in page.document.get_prose():
            for match in PATTERN.finditer(prose):
                yield page.flag(prose.locate(match), f"`{match[0]}` should read `{good}`", replace=good)

The rule's name comes from the file, its level from the type of its first argument: `Page`, `Step`, `Site` or `Project`.
It may also take `config: Config` and, above the level of pages, `findings: Findings`, what was reported before.

`base` defines what a rule is, and `registry` finds them all.
"""

from __future__ import annotations

from tutorial_tool.rules.base import GROUPS as GROUPS
from tutorial_tool.rules.base import LEVELS as LEVELS
from tutorial_tool.rules.base import Rule as Rule
from tutorial_tool.rules.base import rule as rule
from tutorial_tool.rules.registry import OUTSIDE as OUTSIDE
from tutorial_tool.rules.registry import describe_broken_modules as describe_broken_modules
from tutorial_tool.rules.registry import get_rules as get_rules
