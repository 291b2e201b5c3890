"""A small project for tests: two platforms, a group, three steps, a table, written to a folder."""

from __future__ import annotations

from pathlib import Path

from tutorial_tool import site
from tutorial_tool.site import Page, Site, loading

DATA = """\
platforms:
  swan: {name: Swan, labels: {menu: Swan menu}, values: {package: swan-kit}, can: [fly]}
  otter:
    name: Otter
    extends: swan
    labels: {menu: "Otter\\u2019s menu"}
groups:
  animals: [swan, otter]
tutorials:
  guide:
    title: Guide
    path: guide/{platform}/{step}
    steps:
      - {id: welcome, numbered: false}
      - prepare
      - finish
tables:
  settings:
    columns: {setting: Setting, value: Value}
    values: {value: [Enabled, Disabled]}
    rows:
      sound: {setting: Sound, value: Enabled}
      light:
        setting: Light | lamp
        value: Disabled
        on:
          otter: {value: Enabled, because: "Otters dive"}
      wings:
        setting: Wings
        value: Enabled
        on: {otter: {omit: "Otters have none"}}
"""

TEMPLATES = {
    "steps/welcome.md.j2": """\
---
title: Welcome
---

Start with {{ link('prepare') }}, and end with {{ link('finish#check') }}.
""",
    "steps/prepare.md.j2": """\
---
title: Prepare {{ platform.name }}
description: Get ready.
---

## Open the menu {: #menu }

1. Open **{{ platform.label('menu') }}**.

    {{ figure('menu', alt='The menu', kind='menu', path=['Menu']) }}

2. Set what the table says.

    {{ table('settings') }}

3. Install it.

    {{ part('install') }}

## Start

{{ code('start') }}
""",
    "steps/prepare/install.animals.md": "Install `{{ platform.values.package }}`.\n\nThen wait.\n",
    "steps/prepare/start.swan.py": "if True:\n    print('{{ swan }}')\n",
    "steps/finish.md.j2": """\
---
title: Finish
---

See {{ link('prepare#menu') }} and {{ link('welcome') }}.

## Check {: #check }

Done.
""",
}


def write(
    root: Path, data: str = DATA, templates: dict[str, str] = TEMPLATES, docs: dict[str, str] | None = None
) -> Path:
    """Write a project; returns its folder."""
    files = {"platforms.yaml": data, "docs_src/index.md": "# Home\n"}
    files |= {f"site_templates/{name}": text for name, text in templates.items()}
    files |= {f"docs_src/{name}": text for name, text in (docs or {}).items()}
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="")
    return root


def load(root: Path) -> Site:
    return loading.load(site.Layout.find(root))


def page(read: Site, name: str) -> Page:
    """A page by `platform/step`."""
    platform, step = name.split("/")
    return next(page for page in read.pages if (page.platform, page.step) == (platform, step))
