"""What is measured on: folders of pages that are made here, the same on every machine."""

from __future__ import annotations

import random
from importlib.resources import files
from pathlib import Path

from tutorial_tool import site
from tutorial_tool.publishing.llms_txt import render_markdown
from tutorial_tool.site import loading

SEED = 20_261_121
PLATFORMS = {"ios": "iOS", "android": "Android", "web": "Web", "unity": "Unity"}
FAULT = "It stops when when nothing is left."
"""One of the faults that are put into pages: most tools that look at words know a word that stands twice."""
MISSPELT = "You will recieve a message."
STEPS = 10
"""Steps of one tutorial; more pages are more tutorials."""
DRIFT = 12
"""Each so many steps, one copy of plain pages says something else than the others."""


class Writer:
    """Writes text of the length and shape of technical pages, out of common words."""

    def __init__(self, seed: int = SEED) -> None:
        self.random = random.Random(seed)
        lines = (
            (files("symspellpy") / "frequency_dictionary_en_82_765.txt").read_text(encoding="utf-8-sig").splitlines()
        )
        self.words = [word for word, _ in map(str.split, lines[:6_000]) if len(word) > 2 and word.isalpha()]

    def sentence(self) -> str:
        words = self.random.choices(self.words, k=self.random.randint(6, 18))
        return " ".join(words).capitalize() + "."

    def paragraph(self, sentences: int = 4) -> str:
        return " ".join(self.sentence() for _ in range(sentences))

    def title(self) -> str:
        return " ".join(self.random.choices(self.words, k=3)).capitalize()

    def table(self) -> str:
        rows = [f"| {self.title()} | `{self.random.choice(self.words)}` | {self.sentence()} |" for _ in range(5)]
        return "\n".join(["| Setting | Value | What it does |", "| --- | --- | --- |", *rows])

    def section(self, number: int) -> str:
        steps = [
            f"{n}. Select **{self.title()}** in [the guide](https://example.com/guide/{number})." for n in (1, 2, 3)
        ]
        code = f"```sh\n{self.random.choice(self.words)} --{self.random.choice(self.words)}\n```"
        return f"## {self.title()}\n\n{self.paragraph()}\n\n" + "\n".join(steps) + f"\n\n{self.table()}\n\n{code}\n"


def plain(root: Path, pages: int, *, sections: int = 4) -> int:
    """Pages that have nothing to do with each other, of about 6 KB each. Returns how many have the two faults."""
    writer, faulty = Writer(), 0
    for number in range(pages):
        body = "\n".join(writer.section(number) for _ in range(sections))
        if number % 10 == 0:
            body += f"\n{FAULT} {MISSPELT}\n"
            faulty += 1
        path = root / f"part-{number // 50:03}" / f"page-{number}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"# {writer.title()} {number}\n\n{body}", encoding="utf-8")
    (root / "mkdocs.yml").write_text("site_name: Plain\ndocs_dir: .\n", encoding="utf-8")
    return faulty


def copies(root: Path, pages: int) -> int:
    """Steps kept as a copy for each platform. Returns how many steps have a copy that differs."""
    writer, drifted = Writer(), 0
    names = iter(dict.fromkeys("-".join(writer.random.sample(writer.words, 2)) for _ in range(pages)))
    for step in range(pages // len(PLATFORMS)):
        name = f"part-{step // STEPS}/{next(names)}.md"
        drifts = step % DRIFT == 0
        drifted += drifts
        title, body = writer.title(), "\n".join(writer.section(step) for _ in range(2))
        for number, platform in enumerate(PLATFORMS):
            text = f"# {title}\n\nOpen the {PLATFORMS[platform]} app.\n\n{body}"
            if drifts and number == 2:
                text = text.replace("| Setting | Value | What it does |", "| Setting | Default | What it does |", 1)
                text = text.rstrip().rpartition("\n\n")[0] + "\n"
            path = root / "docs" / platform / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
    (root / "mkdocs.yml").write_text("site_name: Copies\n", encoding="utf-8")
    return drifted


_DATA = """\
platforms:
  ios: {{name: iOS, labels: {{input: iOS input}}}}
  android: {{name: Android, labels: {{input: Android input}}}}
  web: {{name: Web, labels: {{input: Web input}}}}
  unity: {{name: Unity, labels: {{input: Unity input}}}}
tutorials:
{tutorials}
tables:
  settings:
    columns: {{setting: Setting, value: Value, description: Description}}
    values: {{value: [Enabled, Disabled]}}
    rows:
      status: {{setting: Status, value: Enabled, description: Whether data flows.}}
      sample: {{setting: Sample, value: Disabled, description: Whether a part of the data is enough.}}
"""
_MKDOCS = """\
site_name: Site
site_url: https://example.com/
theme: {{name: material, font: false, features: [navigation.prune]}}
plugins: [{plugins}]
markdown_extensions: [attr_list, tables, admonition, pymdownx.superfences]
docs_dir: docs_src
"""


def templated(root: Path, pages: int) -> None:
    """A project whose pages come from one template a step, as it is written for our plugin."""
    writer = Writer()
    steps = [f"step-{number}" for number in range(pages // len(PLATFORMS))]
    tutorials = [steps[start : start + STEPS] for start in range(0, len(steps), STEPS)]
    listed = "".join(
        f"  part-{number}:\n    title: Part {number}\n    path: part-{number}/{{platform}}/{{step}}\n"
        f"    steps: [{', '.join(held)}]\n"
        for number, held in enumerate(tutorials)
    )
    (root / "docs_src").mkdir(parents=True)
    (root / "docs_src/index.md").write_text("# Site\n\nRead a part.\n", encoding="utf-8")
    (root / "platforms.yaml").write_text(_DATA.format(tutorials=listed), encoding="utf-8")
    (root / "mkdocs.yml").write_text(_MKDOCS.format(plugins="search, tutorial"), encoding="utf-8")
    folder = root / "site_templates/steps"
    folder.mkdir(parents=True)
    for step in steps:
        body = "\n".join(
            f"## {writer.title()}\n\n{writer.paragraph()} Open your {{{{ platform.label('input') }}}}.\n\n"
            "{{ table('settings') }}\n"
            for _ in range(3)
        )
        (folder / f"{step}.md.j2").write_text(f"---\ntitle: {writer.title()}\n---\n\n{body}", encoding="utf-8")


def rendered(project: Path, root: Path, plugins: str = "search") -> int:
    """The same pages as plain files, for generators that know no templates. Returns their number."""
    loaded = loading.load(site.Layout.find(project))
    assert not loaded.errors, loaded.errors
    for page in loaded.pages:
        path = root / "docs_src" / page.path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(render_markdown(page))
    (root / "mkdocs.yml").write_text(_MKDOCS.format(plugins=plugins), encoding="utf-8")
    return len(loaded.pages)
