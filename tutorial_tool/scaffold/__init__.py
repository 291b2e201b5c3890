"""New projects: all their files as text, and settings for existing sites."""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from typing import Literal, NamedTuple

from tutorial_tool.adopt.data import format_scalar
from tutorial_tool.adopt.template.jinja import escape_text
from tutorial_tool.core import lazy_re
from tutorial_tool.core.version import __version__
from tutorial_tool.fs import files

# Ids made from names: short, in ASCII letters and digits, unique.
_SIGNS = str.maketrans({"+": " plus ", "#": " sharp ", "&": " and ", "@": " at ", "ß": "ss", "ø": "o", "ł": "l"})
LONGEST = 40  # Maximum characters of an id made from a name


def normalize_name(name: str) -> str:
    """Normalize a name to one line, with single spaces and without invisible characters."""
    seen = "".join(
        char for char in name if unicodedata.category(char) not in ("Cc", "Cs", "Co", "Cn") or char.isspace()
    )
    return " ".join(seen.split())


def build_id(name: str, otherwise: str) -> str:
    """Build an id from a name, `ios-ipados` from `iOS / iPadOS`; `otherwise` if no letters are usable."""
    plain = unicodedata.normalize("NFKD", name.lower().translate(_SIGNS)).encode("ascii", "ignore").decode()
    made = "-".join(re.findall(r"[a-z0-9]+", plain))
    made = made[:LONGEST].strip("-") if len(made) > LONGEST else made
    return made if made and not files.explain_unsafe(made) else f"{otherwise}-{made}".rstrip("-")


def build_ids(names: Iterable[str], otherwise: str, *, taken: Iterable[str] = ()) -> dict[str, str]:
    """Map new ids to names, in order, each name once. An id in use gets a number."""
    out: dict[str, str] = {}
    gone = set(taken)
    for name in dict.fromkeys(names):
        expected = build_id(name, otherwise)
        id_ = next(id_ for id_ in (expected, *(f"{expected}-{n}" for n in range(2, len(gone) + 3))) if id_ not in gone)
        gone.add(id_)
        out[id_] = name
    return out


# The site generators that `init` sets up, with their files and commands.
class Generator(NamedTuple):
    """A generator: its name as a Markdown link, commands, page folder, pip requirement, and files.

    `files` has pairs of a path in the project and a path in this package.
    """

    link: str
    build: str
    serve: str = "tutorial-tool serve"
    docs: str = "docs_src"
    requirement: str = ""
    files: tuple[tuple[str, str], ...] = ()


_RENDER = "tutorial-tool render rendered --reader-features"
_HUGO = ("baseof", "home", "list", "single")
GENERATORS = {
    "mkdocs": Generator("[MkDocs](https://www.mkdocs.org)", "mkdocs build --strict", "mkdocs serve"),
    "zensical": Generator(
        "[Zensical](https://zensical.org)",
        f"{_RENDER} && zensical build -f rendered/mkdocs.yml",
        requirement="zensical>=0.0.20",
    ),
    "docusaurus": Generator(
        "[Docusaurus](https://docusaurus.io)",
        f"{_RENDER} && npm install && npm run build",
        "npm install && tutorial-tool serve",
        docs="docs",
        files=tuple((name, f"docusaurus/{name}") for name in ("docusaurus.config.js", "package.json")),
    ),
    "hugo": Generator(
        "[Hugo](https://gohugo.io)",
        f"{_RENDER} --index _index.md --links url && hugo",
        docs="docs",
        requirement="hugo>=0.140",
        files=(
            ("hugo.toml", "hugo/hugo.toml"),
            *((f"layouts/_default/{name}.html", f"hugo/layouts/_default/{name}.html") for name in _HUGO),
        ),
    ),
}

CI = ("github", "gitlab", "none")
SCHEMA = "platforms.schema.json"
EXAMPLE = "tutorial-tool @ git+https://git.example.com/docs/tutorial-tool.git"
_WHERE = f"# CI does not have this folder: for CI, write, for example,\n# {EXAMPLE}\n"
DOCS, TEMPLATES = "docs_src", "site_templates"
_CI_FILES = {"github": ".github/workflows/docs.yml", "gitlab": ".gitlab-ci.yml"}
_AROUND = {
    "README.md": "README.md",
    "requirements.txt": "requirements.txt",
    ".gitignore": "gitignore",
    ".editorconfig": "editorconfig",
    ".pre-commit-config.yaml": "pre-commit.yaml",
    ".vscode/settings.json": "vscode-settings.json",
    ".vscode/extensions.json": "vscode-extensions.json",
}
"""Files of a new project besides the tutorial: the file here that each is made from, by path."""
_PLUGINS = lazy_re.compile(r"(?m)^plugins:\n(?:  - .*\n)*")
_SLOT = lazy_re.compile("«([a-z_]+)»")
_MARKUP = lazy_re.compile(r"([\\`*_{}\[\]<>#|&!~$^=+-])")


@dataclass(frozen=True)
class Answers:
    """Answers for a new project: title, platforms (names by id), title of the first step, and CI."""

    title: str
    platforms: Mapping[str, str]
    step: str
    ci: Literal["github", "gitlab", "none"] | str = "none"
    generator: str = "mkdocs"
    tutorial: str = field(init=False)  # The tutorial's id; `first` and `second` are the steps' ids
    first: str = field(init=False)
    second: str = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "tutorial", build_id(self.title, "tutorial"))
        first, second = build_ids([self.step, "check"], "step")
        object.__setattr__(self, "first", first)
        object.__setattr__(self, "second", second)

    @property
    def start_page(self) -> str:
        """The first page of the tutorial, relative to the docs folder."""
        return f"{self.tutorial}/{next(iter(self.platforms))}/{self.first}.md"


def build_tutorial(answers: Answers) -> dict[str, str]:
    """Build the tutorial by path: data with its schema for editors, and templates."""
    values = _build_slot_values(answers)
    return {
        "platforms.yaml": _fill_template("platforms.yaml", values),
        f"{TEMPLATES}/steps/{answers.first}.md.j2": _fill_template("step.md.j2", values),
        f"{TEMPLATES}/steps/{answers.second}.md.j2": _fill_template("check.md.j2", values),
    }


def build_site(answers: Answers) -> dict[str, str]:
    """Build the configuration and home page of a separate site, by path."""
    values = _build_slot_values(answers)
    generator = GENERATORS[answers.generator]
    out = {f"{generator.docs}/index.md": _fill_template("index.md", values)}
    if generator.docs == DOCS:
        config = _fill_template("mkdocs.yml", values)
        out["mkdocs.yml"] = config if answers.generator == "mkdocs" else _PLUGINS.sub("", config)
    return out | {path: _fill_template(name, values) for path, name in generator.files}


def build_extras(answers: Answers) -> dict[str, str]:
    """Build the other files of a separate project: README, editor settings, hooks, requirements."""
    values = _build_slot_values(answers)
    return {path: _fill_template(name, values) for path, name in _AROUND.items()}


def build_ci(answers: Answers) -> dict[str, str]:
    """Build the CI file, if requested."""
    path = _CI_FILES.get(answers.ci)
    return {path: _fill_template(f"{answers.ci}.yml", _build_slot_values(answers))} if path else {}


def build_schema() -> dict[str, str]:
    """Build the JSON Schema of `platforms.yaml` for editors."""
    from tutorial_tool.data.model import shapes
    from tutorial_tool.reporters.as_json import format_json

    return {SCHEMA: format_json(shapes.build_json_schema())}


def _build_slot_values(answers: Answers) -> dict[str, str]:
    """Return the values for the files' slots; names are quoted in the syntax of each file."""
    import json

    generator = GENERATORS[answers.generator]
    needed = f"\n{generator.requirement}" if generator.requirement else ""
    return {
        "title_json": json.dumps(answers.title, ensure_ascii=False),
        "generator": generator.link,
        "serve": generator.serve,
        "build": generator.build,
        "docs": generator.docs,
        "title": format_scalar(answers.title, alone=True),
        "site_name": format_scalar(html.escape(answers.title), alone=True),  # Material inserts it into HTML unescaped
        "heading": _MARKUP.sub(r"\\\1", answers.title),
        "step_title": escape_text(format_scalar(answers.step, alone=True)),
        "platforms": "\n".join(_format_platforms(answers.platforms)),
        "override": _format_override(answers.platforms),
        "tutorial": answers.tutorial,
        "step": answers.first,
        "check": answers.second,
        "first": answers.start_page,
        "requirement": f"{_WHERE if is_installed_from_folder() else ''}{build_requirement()}{needed}",
    }


def _format_platforms(platforms: Mapping[str, str]) -> Iterator[str]:
    width = max(map(len, platforms)) + 1
    for id_, name in platforms.items():
        start = f"  {f'{id_}:':<{width}}"
        yield f"{start} {{name: {format_scalar(name)}, values: {{package: example-{id_}}}}}"


def _format_override(platforms: Mapping[str, str]) -> str:
    """Return a row's override for the second platform, as an example of a difference."""
    if len(platforms) < 2:
        return ""
    second = list(platforms)[1]
    return (
        "        on:               # overrides for one platform; `because` marks the difference as intended\n"
        f"          {second}:\n"
        "            description: Tells you when something happens, once the system allows it.\n"
        "            because: The system asks for permission here\n"
    )


def _fill_template(name: str, values: Mapping[str, str]) -> str:
    text = resources.files(__package__).joinpath("files", name).read_text(encoding="utf-8")
    return _SLOT.sub(lambda slot: values[slot[1]], text)


def build_requirement() -> str:
    """Return the line for `requirements.txt`: the folder or commit of this installation, or its version.

    Anyone could register a name that is not in the package index yet.
    """
    installed_from = _read_install_source()
    vcs, url = installed_from.get("vcs_info"), str(installed_from.get("url", ""))
    if url.startswith("file:"):
        return f"tutorial-tool @ {url.removesuffix('/.ci/core')}"  # the whole package, if only the core is installed
    if isinstance(vcs, dict) and vcs.get("commit_id"):
        return f"tutorial-tool @ {vcs.get('vcs', 'git')}+{url}@{vcs['commit_id']}"
    return f"tutorial-tool>={__version__}"


def is_installed_from_folder() -> bool:
    """Return whether this tool was installed from a local folder, which others don't have."""
    return str(_read_install_source().get("url", "")).startswith("file:")


@cache
def _read_install_source() -> dict[str, object]:
    """Return pip's record of a package's origin if it is not an index (`direct_url.json`, PEP 610)."""
    import json
    from importlib.metadata import PackageNotFoundError, distribution

    for name in ("tutorial-tool", "tutorial-tool-core"):
        with suppress(PackageNotFoundError, ValueError, OSError):
            noted = json.loads(distribution(name).read_text("direct_url.json") or "{}")
            return noted if isinstance(noted, dict) else {}
    return {}
