"""The definition of a rule, and the decorator that declares one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from pathlib import Path

from tutorial_tool.config.settings import ALL, COPIES
from tutorial_tool.core.diagnostics import Finding, Severity

LEVELS = ("Page", "Site", "Step", "Project")
"""Rule scopes, in the order in which they run: what the site shows about a word is evidence for a copy."""
GROUPS = ("text", "tables", "navigation", "images", "markup", "drift", "project")

Check = Callable[..., Iterator[Finding]]
FOLDER = Path(__file__).parent
HABIT = 5  # More of one mistake are a habit that is reported once; so many uses, or as many for each other, are usual
FACTOR = 3  # How many times more frequent the majority form, term, ending or voice must be

BROKEN: dict[Path, str] = {}
"""Rule modules that cannot be read or loaded, with the reason. A run reports them; the other rules still run."""


@dataclass(frozen=True, eq=False)
class Rule:
    """One rule. `severity` applies in a plain tree of files, `in_project` in one with a `platforms.yaml`.

    `level` is what the rule checks, one of `LEVELS`, and `parameters` the names of the other arguments of its check: a
    rule that the engine reports itself has neither these nor a check. `yields_to` names the more specific rules whose
    findings replace this one's where they overlap. `is_english_only` rules read English text only. `needs` is what the
    rule requires, one of those in `tutorial_tool.linter.requirements`. `documentation` is the text of a rule without a
    documentation file, `url` the page of its external documentation. `declared` is the check if the module is already
    loaded.
    """

    name: str
    group: str
    severity: Severity
    in_project: Severity
    level: str = ""
    parameters: frozenset[str] = frozenset()
    yields_to: tuple[str, ...] = ()
    is_english_only: bool = False
    needs: str = ""
    documentation: str = ""
    url: str = ""
    declared: Check | None = None

    @cached_property
    def check(self) -> Check | None:
        """The function that checks one subject. Its module is loaded on first access."""
        if self.declared is not None or not self.level:
            return self.declared
        module = self.name.replace("-", "_")
        try:
            loaded: Rule = import_module(f"{__package__}.{self.group}.{module}").check
        except Exception as error:
            if isinstance(error, ModuleNotFoundError) and not str(error.name).startswith(f"{__package__}."):
                raise  # a missing package: the program names it
            BROKEN[FOLDER / self.group / f"{module}.py"] = f"{type(error).__name__}: {error}"
            return find_nothing
        return loaded.declared

    @cached_property
    def documentation_text(self) -> str:
        """The rule's documentation, as Markdown."""
        return self.documentation or (FOLDER / self.group / f"{self.name}.md").read_text(encoding="utf-8")

    def get_default(self, *, in_project: bool) -> Severity:
        return self.in_project if in_project else self.severity

    @property
    def selectors(self) -> tuple[str, ...]:
        """The names that select it, from the least specific: ALL, its group, `copies` if it compares these, its own."""
        compares = self.level == "Step" or self.group == "drift"
        return (ALL, self.group, *((COPIES,) if compares else ()), self.name)

    @property
    def summary(self) -> str:
        """The first sentence of the documentation after its heading."""
        lines = [line for line in self.documentation_text.splitlines() if line.strip()]
        return lines[1] if len(lines) > 1 else self.name


def find_nothing(*_: object, **__: object) -> Iterator[Finding]:
    """Yield nothing, in place of a check whose module cannot be loaded."""
    return iter(())


@dataclass(frozen=True)
class Declaration:
    """The arguments of a rule's decorator."""

    group: str
    severity: Severity
    project: Severity | None
    yields_to: tuple[str, ...]
    english: bool
    needs: str

    def __call__(self, check: Check) -> Rule:
        return self.build_rule(check.__module__.rpartition(".")[2], check.__annotations__, check)

    def build_rule(self, module: str, annotations: Mapping[str, str], check: Check | None = None) -> Rule:
        """Build the rule of a module from the names and types of its check's parameters, in their order."""
        subject, *wants = (item for item in annotations.items() if item[0] != "return")
        return Rule(
            module.replace("_", "-"),
            self.group,
            self.severity,
            self.severity if self.project is None else self.project,
            subject[1],
            frozenset(name for name, _ in wants),
            self.yields_to,
            self.english,
            self.needs,
            declared=check,
        )


def rule(
    group: str,
    severity: Severity,
    *,
    project: Severity | None = None,
    yields_to: tuple[str, ...] = (),
    english: bool = False,
    needs: str = "",
) -> Declaration:
    """Turn a generator function into a rule. `project` is the severity with a `platforms.yaml`, if different.

    The arguments mean the same as the attributes of `Rule`. They are read from the source text before the module is
    loaded: if each is a literal or `Severity.X`, only the decorator is parsed.
    """
    return Declaration(group, severity, project, yields_to, english, needs)
