"""A private folder that looks like the project with its pages published: what another tool is shown.

Pages are files of their own, with the text that is published. All else (pictures that pages show, a tool's
configuration, the styles and word lists that it names) are links to the project's own. So each tool finds its
configuration as it always does, a link to a picture leads somewhere, and no tool that mends what it finds can reach a
source.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

from tutorial_tool.fs import git

_LEFT_OUT = frozenset((".git", ".hg", ".svn"))
"""Without it, tools do not leave out files that are not to be committed, such as pages that are rendered."""


@contextmanager
def mirrored(root: Path, texts: Mapping[str, str], others: Iterable[str] = ()) -> Iterator[Path]:
    """Where `root` stands in a new private folder, which is gone at the end. Paths are relative to `root`.

    `texts` are the pages; `others` are files that will be there once the site is built. Raises OSError.
    """
    root = Path(os.path.normpath(root))
    written = {**dict.fromkeys(others, ""), **texts}
    pages = {Path(os.path.normpath(root / path)): text for path, text in written.items()}
    around = git.top(root) or root  # the repository, in which tools look for their configuration
    top = Path(os.path.commonpath([around, *(page.parent for page in pages)]))
    with tempfile.TemporaryDirectory(prefix="tutorial-tool-", ignore_cleanup_errors=True) as folder:
        new = Path(folder).resolve() / (top.name or "root")
        inner = {parent for page in (root / "_", *pages) for parent in page.parents if parent.is_relative_to(top)}
        for old in sorted(inner, key=lambda path: len(path.parts)):
            _folder(old, new / old.relative_to(top), {*inner, *pages})
        for page, text in pages.items():
            (new / page.relative_to(top)).write_text(text, encoding="utf-8", errors="surrogatepass", newline="")
        yield new / root.relative_to(top)


def _folder(old: Path, new: Path, own: set[Path]) -> None:
    """Make a folder with links to what is in the old one, but for `own`."""
    new.mkdir(parents=True, exist_ok=True)
    with suppress(FileNotFoundError, NotADirectoryError), os.scandir(old) as scandir:
        for entry in scandir:
            if old / entry.name not in own and entry.name not in _LEFT_OUT:
                _link(Path(entry.path).absolute(), new / entry.name)


def _link(old: Path, new: Path) -> None:
    """A link, or a copy of a file where the system makes no links."""
    try:
        new.symlink_to(old)
    except OSError:
        if old.is_file():
            shutil.copyfile(old, new)
