"""Globs as in `.gitignore`, and those of folders that hold no pages of the project's own."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache
from typing import TYPE_CHECKING

from tutorial_tool.core import lazy_re
from tutorial_tool.fs import files

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

LEFT_OUT = ("node_modules", "bower_components", "site-packages", "venv")  # Folders of what programs have installed
OF_OTHERS = ("vendor", "third_party")  # Folders in the root that hold what others wrote
OF_TESTS = (
    *("testdata/", "__fixtures__/", "__snapshots__/", "_snaps/"),
    *(f"/{folder}/**/{name}/" for folder in ("test", "tests") for name in ("fixtures", "data")),
)
"""Folders of what tests read: by names that only these have, and below the root's own folder of tests."""


def matches(globs: Iterable[str], path: str) -> bool:
    """Whether a path with `/` matches one of some globs, as in `.gitignore`; `!` before a glob means all others."""
    return any(_build_test(glob)(path) for glob in globs)


_FOLDER = lazy_re.compile(r"/?[\w.-]+/")
"""A glob that is the name of a folder, anywhere or in the root, as the usual ones are: what reads the others takes
longer to load than a page takes to be linted."""
_IN_FOLDER = lazy_re.compile(r"/[\w.-]+/")  # How a glob begins that can match in one folder of the root only


def _strip_prefix(glob: str) -> str:
    return glob.removeprefix("!").removeprefix("./")


def explain_bad_glob(glob: str) -> str | None:
    """What keeps a glob from being used, if anything does."""
    return None if _FOLDER.fullmatch(glob) else files.explain_bad_pattern(_strip_prefix(glob))


@cache
def _build_test(glob: str) -> Callable[[str], bool]:
    """What tells whether a path matches a glob: a run asks about thousands of paths."""
    bare, is_not = _strip_prefix(glob), glob.startswith("!")
    if _FOLDER.fullmatch(bare):
        if bare.startswith("/"):
            return lambda path: f"/{path}".startswith(bare) != is_not
        return lambda path: (f"/{bare}" in f"/{path}") != is_not
    folder = match[0] if (match := _IN_FOLDER.match(bare)) else ""
    return lambda path: (f"/{path}".startswith(folder) and bool(_build_spec(bare).match_file(path))) != is_not


@cache
def _build_spec(glob: str) -> GitIgnoreSpec:
    """What a glob matches: nothing, where it cannot be used and stands in a file of others."""
    from pathspec import GitIgnoreSpec

    return GitIgnoreSpec.from_lines([] if files.explain_bad_pattern(glob) else [glob])
