"""Globs as in `.gitignore`, and those of folders without pages of the project itself."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache

from tutorial_tool.core import lazy_re
from tutorial_tool.fs import files

LEFT_OUT = ("node_modules", "bower_components", "site-packages", "venv")  # Folders of installed packages
OF_OTHERS = ("vendor", "third_party")  # Folders in the root with third-party files
OF_TESTS = (
    *("testdata/", "__fixtures__/", "__snapshots__/", "__tests__/", "_snaps/"),
    *(f"/{folder}/**/{name}/" for folder in ("test", "tests") for name in ("fixtures", "data")),
)
"""Folders of test data: by distinctive names, and below the root's own test folder."""


def matches(globs: Iterable[str], path: str) -> bool:
    """Return whether a path with `/` matches one of the globs, as in `.gitignore`; `!` negates a glob."""
    return any(_build_test(glob)(path) for glob in globs)


_FOLDER = lazy_re.compile(r"/?[\w.-]+/")
"""A glob that is a folder name, anywhere or in the root, as most are: the parser for other globs takes longer to load
than linting a page takes."""
_IN_FOLDER = lazy_re.compile(r"/[\w.-]+/")  # Start of a glob that can match in only one folder of the root


def _strip_prefix(glob: str) -> str:
    return glob.removeprefix("!").removeprefix("./")


def explain_bad_glob(glob: str) -> str | None:
    """Return why a glob is invalid, or None."""
    return None if _FOLDER.fullmatch(glob) else files.explain_bad_pattern(_strip_prefix(glob))


@cache
def _build_test(glob: str) -> Callable[[str], bool]:
    """Build a function that tests paths against a glob; cached, since a run tests thousands of paths."""
    bare, is_not = _strip_prefix(glob), glob.startswith("!")
    if _FOLDER.fullmatch(bare):
        if bare.startswith("/"):
            return lambda path: f"/{path}".startswith(bare) != is_not
        return lambda path: (f"/{bare}" in f"/{path}") != is_not
    folder = match[0] if (match := _IN_FOLDER.match(bare)) else ""
    return lambda path: (f"/{path}".startswith(folder) and _build_search(bare)(path.removeprefix("/"))) != is_not


@cache
def _build_search(glob: str) -> Callable[[str], bool]:
    """Build a function that searches a path for a glob; an invalid one among the lines of a file matches nothing."""
    from pathspec import GitIgnoreSpec

    spec = GitIgnoreSpec.from_lines([] if files.explain_bad_pattern(glob) else [glob])
    patterns = [pattern.regex for pattern in spec.patterns if pattern.regex]
    return lambda path: any(pattern.search(path) for pattern in patterns)
