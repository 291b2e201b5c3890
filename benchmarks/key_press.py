"""Prints the seconds from each of some key presses to the findings, as the language server takes them.

    python benchmarks/key_press.py DIR [PAGE]

`DIR` is a project, whose first template is edited, or the folder of a page. Of a page, a line has two numbers: until
its own findings, which an editor shows first, and until those that need other pages.
"""

from __future__ import annotations

import gc
import sys
import time
from pathlib import Path

from tutorial_tool.linter import targets
from tutorial_tool.linter.config_lookup import LookupOptions
from tutorial_tool.lsp import garbage, quick_check
from tutorial_tool.lsp.workspace import CheckedTarget
from tutorial_tool.site import Memory

gc.set_threshold(*garbage.COLLECTION_THRESHOLDS)
root = Path(sys.argv[1]).absolute()
(target,) = targets.find([], LookupOptions(root))
name = sys.argv[2] if len(sys.argv) > 2 else "site_templates/steps/step-0.md.j2"
text = (root / name).read_text(encoding="utf-8")
memory = Memory()
linted = target.lint({name: text}, memory)
checked = CheckedTarget(target, linted.site, tuple(linted.findings), {name: text})
for number in range(12):
    typed = text + "Some more words than before."[: number + 3]
    started = time.process_time()
    if quick_check.is_worthwhile(checked):
        checked = quick_check.lint_page(checked, root / name, typed)
    shown = time.process_time()
    target.lint({name: typed}, memory)
    if number > 1:
        print(*([f"{shown - started:.4f}"] if target.layout is None else []), f"{time.process_time() - shown:.4f}")
