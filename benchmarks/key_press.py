"""Prints the seconds from each of some key presses to the findings, as the language server takes them."""

from __future__ import annotations

import gc
import sys
import time
from pathlib import Path

from tutorial_tool.linter import targets
from tutorial_tool.lsp import garbage
from tutorial_tool.site import Memory

gc.set_threshold(*garbage.SELDOM)
root = Path(sys.argv[1])
(target,) = targets.find([], targets.Settings(root))
name = "site_templates/steps/step-0.md.j2"
text = (root / name).read_text(encoding="utf-8")
memory = Memory()
target.lint({name: text}, memory)
for number in range(12):
    typed = text + "Some more words than before."[: number + 3]
    started = time.process_time()
    target.lint({name: typed}, memory)
    if number > 1:
        print(f"{time.process_time() - started:.4f}")
