"""Shell completion of rules, groups and names in the data, without rendering or linting."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    Complete = Callable[[click.Context, click.Parameter, str], list[CompletionItem]]


def _build_completer(
    names: Callable[[click.Context], Iterable[str]], *, many: bool = False, paths: bool = False
) -> Complete:
    """Build a completer; `many` for names separated by commas, `paths` where files are allowed, too."""

    def complete_names(ctx: click.Context, _parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
        from click.shell_completion import CompletionItem

        before, comma, last = incomplete.rpartition(",") if many else ("", "", incomplete)
        given = set(before.split(","))
        try:
            expected = sorted(name for name in set(names(ctx)) if name.startswith(last) and name not in given)
        except Exception:  # noqa: BLE001 - a completing shell shows no messages
            expected = []
        matches = [CompletionItem(f"{before}{comma}{name}") for name in expected]
        return matches or ([CompletionItem(incomplete, type="file")] if paths else [])

    return complete_names


def _list_rules(_ctx: click.Context) -> Iterator[str]:
    """List the rules by their documentation files, without importing any."""
    from tutorial_tool import rules
    from tutorial_tool.config.settings import COPIES

    yield from (*rules.GROUPS, COPIES)
    yield from (path.stem for path in Path(rules.__file__).parent.glob("*/*.md"))


def _list_selectors(ctx: click.Context) -> Iterator[str]:
    from tutorial_tool.config.settings import ALL

    yield from (ALL, *_list_rules(ctx))


def _list_tools(_ctx: click.Context) -> Iterable[str]:
    from tutorial_tool.config.settings import TOOLS

    return TOOLS


def _find_ids(ctx: click.Context, *sections: str) -> Iterator[str]:
    """Yield the ids below sections of the data, in platforms.yaml and the files that it includes."""
    from tutorial_tool import data
    from tutorial_tool.core.source import Source
    from tutorial_tool.fs import files

    def get_entries(node: data.Node | None) -> list[tuple[str, data.Node]]:
        return [(key.plain, value) for key, value in data.get_entries(node)]

    root = Path(ctx.params.get("project") or Path())
    left = [root / "platforms.yaml"]
    for path in left:
        read = files.read(path, root=root)
        for key, value in get_entries(data.load_yaml(read).node if isinstance(read, Source) else None):
            if key in sections:
                yield from (id_ for id_, _ in get_entries(value))
            elif key == "include" and len(left) == 1:
                globs = [item.plain for item in data.get_scalars(value)]
                left += [file for glob in globs if ".." not in glob for file in root.glob(glob)]


def _find_steps(ctx: click.Context) -> Iterator[str]:
    """Yield the steps by their templates: `create-input`, or `quickstart/create-input` in a folder."""
    root = Path(ctx.params.get("project") or Path())
    folder = root / "site_templates" / "steps"
    yield from (file.relative_to(folder).as_posix().removesuffix(".md.j2") for file in folder.rglob("*.md.j2"))


def _find_names(ctx: click.Context) -> Iterator[str]:
    yield from _find_ids(ctx, "platforms", "groups", "tutorials", "tables")
    yield from _find_steps(ctx)


RULE = _build_completer(_list_rules)
RULES = _build_completer(_list_selectors, many=True)
TOOLS = _build_completer(_list_tools, many=True)
PLATFORM = _build_completer(lambda ctx: _find_ids(ctx, "platforms"))
PLATFORMS = _build_completer(lambda ctx: _find_ids(ctx, "platforms"), many=True)
STEP = _build_completer(_find_steps)
STEP_OR_PATH = _build_completer(_find_steps, paths=True)
NAME = _build_completer(_find_names)
