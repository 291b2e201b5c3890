"""The programs of a repository: scripts that write pages, and tests that read them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from posixpath import basename, dirname, join, split, splitext

from tutorial_tool.core import lazy_re
from tutorial_tool.core.caching import cache_method
from tutorial_tool.fs.globs import matches
from tutorial_tool.links.disk import SUFFIXES, Disk, read_text

_SCRIPTS = lazy_re.compile(r".+\.(?:[cm]?[jt]s|py|rb|sh|go|php|ps1)|(?:GNU)?[Mm]akefile|justfile|package\.json")
_FOLDERS = lazy_re.compile(r"\.?(?:scripts?|tools?|tasks?|build(?:ing)?|bin|ci|hack|gulp\w*|plugins?)")
"""Folders in which repositories keep build scripts."""
_DEPTH, _MAX_PROGRAMS = 2, 200  # Maximum folder depth of the search for programs, and the maximum number read
_COPY = lazy_re.compile(r"\b(?:cp|copy|Copy-Item)\b[^\n&;]*")
_COPIED = lazy_re.compile(r" (?:\./)?([\w.-]+)/\*")
_PIPED = lazy_re.compile(r"\bsrc\(\s*\[?\s*[\"'`](?:\./)?([\w./-]+?)/\*\*/\*\.md\b")
_CLONES = lazy_re.compile(r"\bgit clone\b|\.git[\"']")
_VERSION = lazy_re.compile(r"(?:\w+_)?versioned_docs/[^/]+(?=/)")
_OF_TESTS = lazy_re.compile(r"e2e|(?:\w+-)?tests?|spec|__tests__")
_TEST = lazy_re.compile(
    r"test_.+\.(?:py|rb)|.+_(?:test|spec)\.(?:py|go|dart|rb|exs)|conftest\.py|.+[.-](?:test|spec)\.[cm]?[jt]sx?"
    r"|\w*Tests?\.(?:cs|java|kt|swift|php|scala)|\w+\.rs"
)
"""Test programs."""
_MODULES = lazy_re.compile(r"^[ \t]*path[ \t]*=[ \t]*(\S+)[ \t]*$", re.MULTILINE)


class Programs:
    """Finds programs in the folders of a site; each folder is read once."""

    def __init__(self, disk: Disk) -> None:
        self._disk = disk
        self._tests: dict[str, bool | None] = {}

    def is_written_folder(self, root: str, folder: str) -> bool:
        """Return whether a program below a root names a missing folder, and so will write it."""
        path = _VERSION.sub("docs", folder.removeprefix(f"{root.rstrip('/')}/"))
        last = "/".join(path.split("/")[-2:])
        return "/" in last and f"{last}/" in self._read_scripts(root)

    def is_written_file(self, root: str, file: str) -> bool:
        """Return whether a program below a root names a missing file by its path from there."""
        path = file.removeprefix(f"{root.rstrip('/')}/")
        return "/" in path and bool(splitext(path)[1]) and path in self._read_scripts(root)

    def may_fetch(self, root: str, file: str, pages: Iterable[str]) -> bool:
        """Return whether a program below a root clones repositories, and names a missing page that no page here has."""
        (stem, suffix), scripts = splitext(basename(file)), self._read_scripts(root)
        if suffix not in ("", ".html", *SUFFIXES) or stem not in scripts or not _CLONES.search(scripts):
            return False
        is_named = re.search(rf"[\"'/]{re.escape(stem)}(?=(?:\.mdx?)?[\"'/])", scripts) is not None
        return is_named and all(stem not in splitext(page)[0].split("/") for page in pages)

    def is_read_file(self, root: str, file: str) -> bool:
        """Return whether a program names a file, its folder and the start of its name, or all of a folder in Gulp."""
        if any(file.startswith(self._list_piped_folders(up)) for up in self._disk.iter_ancestors(dirname(file))):
            return True
        folder, name = split(file.removeprefix(f"{root.rstrip('/')}/"))
        scripts = self._read_scripts(root) if folder else ""
        is_there = f"{folder}/" in scripts  # most are not, and the pattern takes ten times as long
        named = re.findall(rf"\b{re.escape(folder)}/([\w.-]+)([{{$]?)", scripts) if is_there else ()
        return any(text == name or (is_begun and name.startswith(text)) for text, is_begun in named)

    @cache_method
    def _list_piped_folders(self, around: str) -> tuple[str, ...]:
        return tuple(f"{join(around, name)}/" for name in _PIPED.findall(self._read_scripts(around)))

    @cache_method
    def has_base_tag(self, root: str) -> bool:
        """Return whether a template below a root sets the base of relative URLs to that of the site (`<base>`)."""
        templates = [file for file in self._disk.walk(root, _DEPTH) if file.endswith(".html")][:_MAX_PROGRAMS]
        return any("<base " in read_text(root, file) for file in templates)

    @cache_method
    def list_copied_folders(self, folder: str) -> frozenset[str]:
        """Return the names of the folders of which a program of their parent folder copies everything."""
        commands = _COPY.findall(self._read_scripts(folder))
        return frozenset(name for command in commands for name in _COPIED.findall(command))

    @cache_method
    def _read_scripts(self, root: str) -> str:
        matches = [join(root, name) for name, is_folder in self._disk.list_entries(root).items() if not is_folder]
        for name, is_folder in sorted(self._disk.list_entries(root).items()):
            matches += self._disk.walk(join(root, name), _DEPTH) if is_folder and _FOLDERS.fullmatch(name) else ()
        scripts = [file for file in matches if _SCRIPTS.fullmatch(basename(file))][:_MAX_PROGRAMS]
        return "\n".join(read_text(root, file) for file in scripts)

    def is_test_page(self, file: str) -> bool:
        """Return whether a page is in a folder of tests with programs: only these read it."""
        return self._disk.find_nearest(dirname(file), self._tests, self._has_tests) is True

    def _has_tests(self, folder: str) -> bool | None:
        if basename(folder) == "fixtures":
            parents = self._disk.iter_ancestors(dirname(folder))
            beside = (join(parent, name) for parent in parents for name in self._disk.list_entries(parent))
            return any(self._has_tests(path) for path in beside if _OF_TESTS.fullmatch(basename(path))) or None
        if not _OF_TESTS.fullmatch(basename(folder)):
            return None
        return any(_TEST.fullmatch(basename(file)) for file in self._disk.walk(folder, _DEPTH)) or None

    def is_ignored(self, file: str) -> bool:
        """Return whether git ignores a missing file, or keeps it in a submodule that is not checked out.

        An ignored folder is taken to be complete if it contains pages that are not exceptions in `.gitignore`.
        """
        for folder in self._disk.iter_ancestors(dirname(file)):
            name = file[len(folder.rstrip("/")) + 1 :].lower()  # as in many URLs, and on many disks
            names = (name, f"{name}.md", f"{name}.mdx", f"{name}/x.md")
            globs, kept = self._read_ignore_globs(folder)
            if globs and any(matches(globs, name) for name in names):
                pages = (join(dirname(name), text.lower()) for text in self._disk.list_entries(dirname(file)))
                is_there = any(page.endswith(SUFFIXES) and not matches(kept, page) for page in pages)
                return not (is_there and "/" in name and matches(globs, f"{dirname(name)}/"))
        return False

    @cache_method
    def _read_ignore_globs(self, folder: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Return the patterns that git ignores in a folder, and the exceptions to them.

        Submodules that are not checked out count as ignored.
        """
        globs = [line.strip() for line in read_text(folder, ".gitignore").lower().splitlines()]
        left = (
            *(glob for glob in globs if glob[:1] not in ("", "#", "!")),
            *(f"/{path.lower()}/" for path in self._find_missing_modules(folder)),
        )
        return left, tuple(glob[1:] for glob in globs if glob[:1] == "!")

    def _find_missing_modules(self, folder: str) -> list[str]:
        """Return the paths of submodules of a folder that are not checked out."""
        modules = _MODULES.findall(read_text(folder, ".gitmodules"))
        return [path for path in modules if not self._disk.list_entries(join(folder, path))]

    def lacks_pages(self, folder: str) -> bool:
        """Return whether a submodule below a folder is not checked out."""
        around = ((up, path) for up in self._disk.iter_ancestors(folder) for path in self._find_missing_modules(up))
        return any(join(up, path).startswith(f"{folder}/") for up, path in around)
