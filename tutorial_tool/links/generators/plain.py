"""Pages without a generator: files as GitHub shows them, and folders of notes that link by name."""

from __future__ import annotations

from functools import partial

from tutorial_tool.core import lazy_re
from tutorial_tool.links import urls
from tutorial_tool.links.disk import Disk, read_text
from tutorial_tool.links.generators.protocol import Generator

_ALIAS = lazy_re.compile(r"""["'][^"'\n]*/([\w-]+)(?:\.md)?["']\s*:\s*["']https?://""")
GENERATOR = Generator("", build_page_path=partial(urls.build_page_path, is_rooted=True), is_plain=True)


def is_vault(folder: str, disk: Disk) -> bool:
    """Return whether a folder is an Obsidian vault, the wiki of a repository, or a docsify site."""
    names = disk.list_entries(folder)
    if ".obsidian" in names or ("Home.md" in names and ("_Sidebar.md" in names or "_Footer.md" in names)):
        return True
    return "index.html" in names and "$docsify" in read_text(folder, "index.html")


def find_aliases(folder: str) -> frozenset[str]:
    """Return the pages that docsify loads from another host, as in `'.*?/changelog': 'https://…'`."""
    names = [match[1] for match in _ALIAS.finditer(read_text(folder, "index.html"))]
    return frozenset((*names, *(f"{name}.md" for name in names)))
