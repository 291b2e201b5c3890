"""The site generators that `init` sets up: their files, and the commands that serve and build the site."""

from __future__ import annotations

from typing import NamedTuple


class Generator(NamedTuple):
    """A generator: its name as a Markdown link, commands, where pages written by hand are, what pip installs, and its
    own files, as path in the project and path here."""

    link: str
    serve: str
    build: str
    docs: str = "docs_src"
    requirement: str = ""
    files: tuple[tuple[str, str], ...] = ()


_RENDER = "tutorial-tool render rendered --reader-features"
_HUGO = ("baseof", "home", "list", "single")
GENERATORS = {
    "mkdocs": Generator("[MkDocs](https://www.mkdocs.org)", "mkdocs serve", "mkdocs build --strict"),
    "zensical": Generator(
        "[Zensical](https://zensical.org)",
        f'{_RENDER} --watch --serve "zensical serve -f rendered/mkdocs.yml"',
        f"{_RENDER} && zensical build -f rendered/mkdocs.yml",
        requirement="zensical>=0.0.20",
    ),
    "docusaurus": Generator(
        "[Docusaurus](https://docusaurus.io)",
        f'npm install && {_RENDER} --watch --serve "npm start"',
        f"{_RENDER} && npm install && npm run build",
        docs="docs",
        files=tuple((name, f"docusaurus/{name}") for name in ("docusaurus.config.js", "package.json")),
    ),
    "hugo": Generator(
        "[Hugo](https://gohugo.io)",
        f'{_RENDER} --index _index.md --links url --watch --serve "hugo server"',
        f"{_RENDER} --index _index.md --links url && hugo",
        docs="docs",
        requirement="hugo>=0.140",
        files=(
            ("hugo.toml", "hugo/hugo.toml"),
            *((f"layouts/_default/{name}.html", f"hugo/layouts/_default/{name}.html") for name in _HUGO),
        ),
    ),
}
