"""Make pages of a site from the rules and their documentation."""

from __future__ import annotations

from typing import Any

from tutorial_tool.core.diagnostics import Severity
from tutorial_tool.docs import rule_manual
from tutorial_tool.docs.rule_manual import Shown
from tutorial_tool.rules import GROUPS, Rule, all_rules

SINCE = "0.1.0"  # The version that brought the rules: there is no other yet
MARK = "rules:"  # In a `nav` of MkDocs, `rules:` stands for these pages


def pages(folder: str) -> dict[str, str]:
    """Every rule's manual, and a page that lists them, as Markdown by path."""
    rules = all_rules()
    out = {f"{folder}/{rule.name}.md": _page(rule) for rule in rules.values()}
    return {f"{folder}/index.md": _index(), **out}


def nav(folder: str) -> list[Any]:
    """The pages as entries of MkDocs' `nav`: by group."""
    groups = [{group: [f"{folder}/{rule.name}.md" for rule in _of(group)]} for group in GROUPS if _of(group)]
    return [f"{folder}/index.md", *groups]


def _of(group: str) -> list[Rule]:
    return [rule for rule in all_rules().values() if rule.group == group]


def _page(rule: Rule) -> str:
    blocks = (item if isinstance(item, str) else _file(item) for item in rule_manual.shown(rule.manual.strip()))
    heading, _, rest = "\n".join(blocks).partition("\n")
    front = "---\nsearch:\n  exclude: true\n---\n"  # examples of mistakes; the list of rules is found instead
    facts = f"*{rule.group}* · {_severity(rule)} · {_fixability(rule)} · since {SINCE}"
    return f"{front}\n{heading}\n\n{facts}\n{rest.rstrip()}\n"


def _fixability(rule: Rule) -> str:
    option = rule_manual.fixability(rule.manual)
    return f"fixable with `{option}`" if option else "not fixable"


def _file(file: Shown) -> str:
    """A file of an example as a block of its own, in which the lines with findings are seen at once."""
    title = ": ".join(filter(None, (file.label, file.path)))
    marked = f' hl_lines="{" ".join(map(str, file.marked))}"' if file.marked else ""
    return "\n".join((f'{file.fence}{file.language} title="{title}"{marked}', *file.lines, file.fence, ""))


def _severity(rule: Rule) -> str:
    if rule.severity is rule.in_project:
        return _word(rule.severity)
    return f"{_word(rule.severity)}; in a project with a `platforms.yaml`: {_word(rule.in_project)}"


def _word(severity: Severity) -> str:
    return "off by default" if severity is Severity.OFF else str(severity)


def _index() -> str:
    out = ["# Rules", "", "`tutorial-tool explain RULE` prints the same pages in a terminal.", ""]
    for group in GROUPS:
        if not _of(group):
            continue
        out += [f"## {group}", "", "| Rule | Severity | Fix | What it finds |", "| --- | --- | --- | --- |"]
        for rule in _of(group):
            summary = rule.summary.removeprefix("Reports ").replace("|", "\\|")
            summary = summary[0].upper() + summary[1:]
            option = rule_manual.fixability(rule.manual).replace("--fix --", "--")
            fix = f"`{option}`" if option else ""
            out.append(f"| [`{rule.name}`]({rule.name}.md) | {_severity(rule)} | {fix} | {summary} |")
        out.append("")
    return "\n".join(out)
