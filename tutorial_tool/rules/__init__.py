"""The rules: each is a module `<name>.py` with one decorated `check`, beside its manual `<name>.md`.

    @rule("text", Severity.ERROR)
    def check(page: Page) -> Iterator[Finding]:
        for prose in page.document.prose():
            for match in PATTERN.finditer(prose):
                yield page.flag(prose.at(match), f"`{match[0]}` should read `{good}`", replace=good)

The rule's name comes from the file, its level from the type of its first argument: `Page`, `Step`, `Site` or `Project`.
It may also take `config: Config` and, above the level of pages, `found: Findings`, what was found before.

These lines are also read as text, and the module is loaded when its rule first looks at something: a page in a folder
of its own needs half of the rules, and to load the others takes longer than to lint the page.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from importlib import import_module
from pathlib import Path

from tutorial_tool.core import lazy_re
from tutorial_tool.core.diagnostics import Finding, Severity

LEVELS = ("Page", "Site", "Step", "Project")
"""What a rule looks at, in the order in which rules run: what a whole tree knows of a word is evidence on one copy."""
GROUPS = ("text", "tables", "navigation", "images", "markup", "drift", "project")

Check = Callable[..., Iterator[Finding]]
_FOLDER = Path(__file__).parent


@dataclass(frozen=True, eq=False)
class Rule:
    """One rule. `severity` holds for a plain tree of files, `in_project` for one with a `platforms.yaml`.

    A rule that the engine reports itself has neither `level` nor `check`. `yields_to` names the more specific rules
    whose findings stand instead of this one's where their places overlap. `english` rules read English text only.
    """

    name: str
    group: str
    severity: Severity
    in_project: Severity
    level: str = ""
    wants: frozenset[str] = frozenset()
    yields_to: tuple[str, ...] = ()
    english: bool = False
    needs: str = ""
    """What it cannot do without, one of those in `tutorial_tool.linter.requirements`."""
    told: str = ""
    """The manual, where it stands in no file."""
    url: str = ""
    """Where else its documentation stands."""
    declared: Check | None = None
    """The check, where the rule is the one that its module made."""

    @cached_property
    def check(self) -> Check | None:
        """Finds what the rule is about. It is loaded when it is first asked for."""
        if self.declared is not None or not self.level:
            return self.declared
        made: Rule = import_module(f"{__name__}.{self.group}.{self.name.replace('-', '_')}").check
        return made.declared

    @cached_property
    def manual(self) -> str:
        """The manual, as Markdown: what, why, examples."""
        return self.told or (_FOLDER / self.group / f"{self.name}.md").read_text(encoding="utf-8")

    @property
    def summary(self) -> str:
        """The manual's first sentence after its heading."""
        lines = [line for line in self.manual.splitlines() if line.strip()]
        return lines[1] if len(lines) > 1 else self.name


def rule(
    group: str,
    severity: Severity,
    *,
    project: Severity | None = None,
    yields_to: tuple[str, ...] = (),
    english: bool = False,
    needs: str = "",
) -> Callable[[Check], Rule]:
    """Make a rule of a generator function. `project` is its severity where there is a `platforms.yaml`, if another."""

    def declare(check: Check) -> Rule:
        subject, *wants = check.__annotations__.items()
        return Rule(
            check.__module__.rpartition(".")[2].replace("_", "-"),
            group,
            severity,
            severity if project is None else project,
            subject[1],
            frozenset(name for name, _ in wants if name != "return"),
            yields_to,
            english,
            needs,
            declared=check,
        )

    return declare


_DECLARATION = lazy_re.compile(
    r"""^@rule\(\s*"(?P<group>\w+)",\s*Severity\.(?P<severity>\w+)"""
    r"""(?:,\s*project=Severity\.(?P<project>\w+))?"""
    r"""(?:,\s*yields_to=\((?P<yields_to>[^)]*)\))?"""
    r"""(?P<english>,\s*english=True)?"""
    r"""(?:,\s*needs="(?P<needs>[\w-]+)")?,?\s*\)\s*"""
    r"""def check\(\s*\w+: (?P<level>\w+)(?P<wants>[^)]*)\)""",
    re.MULTILINE,
)


def _read(module: Path) -> Rule:
    """A rule as the text of its module declares it."""
    told = _DECLARATION.search(module.read_text(encoding="utf-8"))
    assert told is not None, f"{module.name} declares no rule as `{__name__}` reads it"
    severity = Severity[told["severity"]]
    return Rule(
        module.stem.replace("_", "-"),
        told["group"],
        severity,
        Severity[told["project"]] if told["project"] else severity,
        told["level"],
        frozenset(re.findall(r"(\w+):", told["wants"])),
        tuple(re.findall(r'"([^"]+)"', told["yields_to"] or "")),
        bool(told["english"]),
        told["needs"] or "",
    )


_ENGINE: Mapping[str, tuple[str, Severity]] = {
    "invalid-data": ("project", Severity.ERROR),
    "invalid-template": ("project", Severity.ERROR),
    "undefined-name": ("project", Severity.ERROR),
    "missing-part": ("project", Severity.WARNING),
    "missing-code": ("project", Severity.WARNING),
    "missing-figure": ("project", Severity.HINT),
    "page-collision": ("project", Severity.ERROR),
    "unsafe-path": ("project", Severity.ERROR),
    "unreadable-file": ("project", Severity.ERROR),
    "unused-ignore": ("project", Severity.WARNING),
    "unknown-ignore": ("project", Severity.WARNING),
    "unreachable-link": ("navigation", Severity.ERROR),
    "moved-link": ("navigation", Severity.HINT),
}
"""What loading, rendering and the linter itself report: rules with a manual and no check (`front-matter` has one)."""


OUTSIDE = frozenset(("unreachable-link", "moved-link"))
"""Those that need other hosts, and report only in runs that ask them."""


class _Rules(dict[str, Rule]):
    """Our rules. A rule of another tool (`rumdl/MD022`) is made when it is asked for: only that tool has a list."""

    def __missing__(self, name: str) -> Rule:
        return _of_tool(name)


@cache
def _of_tool(name: str) -> Rule:
    """A rule of another tool; its severity is what the tool says, where the configuration says nothing."""
    from tutorial_tool import external_linters

    tool, slash, code = name.partition("/")
    if not slash or tool not in external_linters.TOOLS:
        raise KeyError(name)
    other = external_linters.TOOLS[tool]
    severity, told = Severity.WARNING, external_linters.manual(other, code)
    return Rule(name, tool, severity, severity, yields_to=other.yields_to(code), told=told, url=other.page(code))


@cache
def all_rules() -> Mapping[str, Rule]:
    """Every rule by its name, in alphabetical order; those of other tools, which are not among them, by `[name]`."""
    found = {name: Rule(name, group, severity, severity) for name, (group, severity) in _ENGINE.items()}
    found |= {read.name: read for read in map(_read, _FOLDER.glob("[!_]*/[!_]*.py"))}
    return _Rules(sorted(found.items()))
