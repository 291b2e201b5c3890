"""What the server of `tests.started` does before it copies itself: all that the start of any command does, once."""

from __future__ import annotations

import gc
import importlib
import logging
import pkgutil
import tempfile
from contextlib import suppress
from pathlib import Path

from mkdocs.commands.build import build
from mkdocs.config import load_config
from mkdocs.config.defaults import MkDocsConfig

import tutorial_tool
from tests import project

CONFIG = "site_name: S\ndocs_dir: docs_src\ntheme: {name: material, font: false}\nplugins: [search, tutorial]\n"


def prepare() -> None:
    """Import our modules and those of MkDocs, and compile patterns and templates, by building a small site."""
    for module in pkgutil.walk_packages(tutorial_tool.__path__, "tutorial_tool."):
        if "__main__" not in module.name and ".lsp" not in module.name:
            importlib.import_module(module.name)
    importlib.import_module("mkdocs.commands.serve")
    with tempfile.TemporaryDirectory() as folder:
        (project.write(Path(folder)) / "mkdocs.yml").write_text(CONFIG)
        build(load_config(f"{folder}/mkdocs.yml"))


logging.getLogger("mkdocs").setLevel(logging.CRITICAL)
with suppress(Exception, SystemExit):  # where our code raises, the commands of tests meet it again
    prepare()
logging.getLogger("mkdocs").setLevel(logging.NOTSET)
MkDocsConfig.plugins.plugin_cache.clear()  # type: ignore[attr-defined]
gc.freeze()
