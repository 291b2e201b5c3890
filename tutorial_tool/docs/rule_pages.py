"""Generates site pages from the rules and their documentation."""

from __future__ import annotations

from typing import Any

from tutorial_tool.core.diagnostics import Severity
from tutorial_tool.docs import rule_manual
from tutorial_tool.docs.rule_manual import ExampleFile
from tutorial_tool.rules import GROUPS, Rule, get_rules

SINCE = "0.1.0"  # The version that brought the rules: there is no other yet
MARK = "rules:"  # In a `nav` of MkDocs, `rules:` stands for these pages


def build_pages(folder: str) -> dict[str, str]:
    """Return the documentation of every rule and a page that lists them, as Markdown by path."""
    rules = get_rules()
    out = {f"{folder}/{rule.name}.md": _render_page(rule) for rule in rules.values()}
    return {f"{folder}/index.md": _render_index(), **out}


def build_nav(folder: str) -> list[Any]:
    """Return the pages as `nav` entries of MkDocs, by group.

    A section called "Navigation" is one to screen readers, too.
    """
    groups = [
        {f"Rules for {group}": [f"{folder}/{rule.name}.md" for rule in rules]}
        for group, rules in _group_rules().items()
    ]
    return [f"{folder}/index.md", *groups]


def _group_rules() -> dict[str, list[Rule]]:
    by_group = {group: [rule for rule in get_rules().values() if rule.group == group] for group in GROUPS}
    return {group: rules for group, rules in by_group.items() if rules}


def _render_page(rule: Rule) -> str:
    blocks = (
        item if isinstance(item, str) else _render_file(item)
        for item in rule_manual.iter_content(rule.documentation_text.strip())
    )
    heading, _, body = "\n".join(blocks).partition("\n")  # examples of mistakes: the list of rules is found instead
    option = rule_manual.find_fix_option(rule.documentation_text)
    fix = f"fixable with `{option}`" if option else "not fixable"
    facts = f"*{rule.group}* · {_format_severity(rule)} · {fix} · since {SINCE}"
    return f"---\nsearch:\n  exclude: true\n---\n\n{heading}\n\n{facts}\n{body.rstrip()}\n"


def _render_file(file: ExampleFile) -> str:
    """Render an example file as a separate block, with highlighted lines where findings are."""
    title = ": ".join(filter(None, (file.label, file.path)))
    marked = f' hl_lines="{" ".join(map(str, file.marked_lines))}"' if file.marked_lines else ""
    return "\n".join((f'{file.fence}{file.language} title="{title}"{marked}', *file.lines, file.fence, ""))


def _format_severity(rule: Rule) -> str:
    levels = dict.fromkeys((rule.severity, rule.in_project))
    words = ("off by default" if level is Severity.OFF else str(level) for level in levels)
    return "; in a project with a `platforms.yaml`: ".join(words)


def _render_index() -> str:
    out = ["# Rules", "", "`tutorial-tool explain RULE` prints the same pages in a terminal.", ""]
    for group, rules in _group_rules().items():
        out += [f"## {group}", "", "| Rule | What it finds | Severity | Fix |", "| --- | --- | --- | --- |"]
        for rule in rules:
            summary = rule.summary.removeprefix("Reports ").replace("|", "\\|")
            option = rule_manual.find_fix_option(rule.documentation_text).replace("--fix --", "--")
            fix = f"`{option}`" if option else ""
            cells = f"[`{rule.name}`]({rule.name}.md)", summary[0].upper() + summary[1:], _format_severity(rule), fix
            out.append(f"| {' | '.join(cells)} |")
        out.append("")
    return "\n".join(out)
