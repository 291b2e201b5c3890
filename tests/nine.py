"""A tutorial of six steps on nine platforms, two of them drafts: the size that teams have who need this tool."""

from __future__ import annotations

from pathlib import Path

from tutorial_tool.site import Layout, Site, loading

DATA = """\
platforms:
  ios: {name: iOS, labels: {input: iOS}, values: {sdk: LockKit, entry: AppDelegate.swift}, can: [secret]}
  android: {name: Android, labels: {input: Android}, values: {sdk: lock-kit, entry: LockApp.kt}, can: [secret]}
  web: {name: Web, labels: {input: JS Web}, values: {sdk: "@lock/web", entry: index.js}}
  react-native:
    name: React Native
    extends: android
    labels: {input: React Native}
    values: {sdk: lock-react-native, entry: App.tsx}
    code: {start: site_templates/samples/react-native/App.tsx#start}
  roku: {name: Roku, labels: {input: Roku}, values: {sdk: lock-roku, entry: main.brs}}
  node: {name: Node.js, labels: {input: Server}, values: {sdk: lock-node, entry: server.js}, can: [secret]}
  python: {name: Python, labels: {input: Server}, values: {sdk: lock-python, entry: main.py}, can: [secret]}
  flutter: {name: Flutter, draft: true, extends: android, labels: {}, values: {}}
  unity: {name: Unity, draft: true}
groups:
  mobile: [ios, android, react-native, flutter]
  servers: [node, python]
tutorials:
  quickstart:
    title: Quickstart
    path: quickstart/{platform}/{step}
    steps:
      - {id: overview, numbered: false}
      - create-key
      - install
      - start
      - {id: open-door, not-on: {servers: "Servers hold no keys of their own"}}
      - verify
tables:
  options:
    columns: {option: Option, value: Value}
    rows:
      key: {option: API key, value: Your key}
      secret:
        option: API secret
        on:
          ios: {value: Your secret}
          android: {value: Your secret}
          node: {value: Your secret}
          python: {value: Your secret}
          web: {omit: "A page shows its source to everyone"}
          roku: {omit: "A channel has one key"}
"""

TEMPLATES = {
    "steps/overview.md.j2": """\
---
title: What you build
---

You add the smart lock to your {{ platform.name }} app. Begin with {{ link('create-key') }}.

The tutorial is there for{% for id, other in platforms | items %}{{ ' ' if loop.first else ', ' }}{{ other.name }}\
{% endfor %}.
""",
    "steps/create-key.md.j2": """\
---
title: Create a key
---

1. Select **{{ platform.label('input') }}**.

    {{ figure('inputs', alt='The list of inputs') }}

2. Copy the values{% if platform.can('secret') %}, and keep the secret to yourself{% endif %}:

    {{ table('options') }}
""",
    "figures/inputs.svg.j2": """\
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 200 200">{% for id, other in platforms | items %}\
<text y="{{ 20 * loop.index }}">{{ other.label('input') }}</text>{% endfor %}</svg>
""",
    "steps/install.md.j2": """\
---
title: Install the SDK
---

Install `{{ platform.values.sdk }}`.

{{ part('install') }}
""",
    "steps/install/install.md": "Then restart your editor.\n",
    "steps/install/install.unity.md": "Unity loads the package by itself.\n",
    "steps/start.md.j2": """\
---
title: Start the SDK
---

Open `{{ platform.values.entry }}`, and add:

{{ code('start') }}
""",
    "samples/react-native/App.tsx": "// [start:start]\nLock.start();\n// [end:start]\n",
    "steps/open-door.md.j2": "---\ntitle: Open the door\n---\n\nHold your phone to the lock.\n",
    "steps/verify.md.j2": "---\ntitle: Verify the result\n---\n\nThe dashboard shows one event.\n",
}
CODE = {
    "ios.swift": "Lock.start()",
    "android.kt": "Lock.start()",
    "web.js": "lock.start();",
    "roku.brs": "lock.start()",
    "node.js": "lock.start();",
    "python.py": "lock.start()",
}
PUBLISHED = ("ios", "android", "web", "react-native", "roku", "node", "python")


def write(folder: Path, *, data: str = DATA) -> Path:
    """Write the project, with the plugin in its configuration, and return its folder."""
    code = {f"steps/start/start.{name}": f"{text}\n" for name, text in CODE.items()}
    files = {f"site_templates/{name}": text for name, text in {**TEMPLATES, **code}.items()}
    files |= {"platforms.yaml": data, "docs_src/index.md": "# Smart lock\n\nA lock that opens by phone.\n"}
    files["mkdocs.yml"] = (
        "site_name: Smart lock\nsite_url: https://example.com/docs/\ndocs_dir: docs_src\nplugins: [search, tutorial]\n"
    )
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


def load(folder: Path, *, drafts: bool = False) -> Site:
    return loading.load(Layout.find(folder), drafts=drafts)
