"""Which files a server watches, and that no change is lost between reading a file and watching it."""

from __future__ import annotations

import socket
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from mkdocs.exceptions import Abort

from tests import project
from tutorial_tool.fs.watch import watch_folders
from tutorial_tool.mkdocs_plugin.serving import SourceWatcher, check_port
from tutorial_tool.site import Layout
from tutorial_tool.site.loading import load


def test_what_comes_to_be_watched_while_serving_is_read_once_more(tmp_path: Path) -> None:
    root = project.write(tmp_path, project.DATA)
    (root / "more").mkdir()
    (root / "more/one.yaml").write_text("groups: {}\n")
    layout, watched = Layout(root, docs="docs_src"), list[str]()
    server: Any = SimpleNamespace(_want_rebuild=False, watch=watched.append)
    config: Any = SimpleNamespace(docs_dir=str(root / "docs_src"), watch=[])
    watching = SourceWatcher()
    site = load(layout)
    watching.watch_site(site, config)
    assert config.watch, "MkDocs watches these when it starts"
    watching.start_watching(site, server)
    watching.watch_site(load(layout), config)
    assert not server._want_rebuild, "nothing new"
    data = root / "platforms.yaml"
    data.write_text("include: [more/*.yaml]\n" + data.read_text())
    watching.watch_site(load(layout), config)
    assert str(root / "more") in watched
    assert server._want_rebuild


def test_what_other_programs_fill_is_not_watched(tmp_path: Path) -> None:
    for name in ("docs", "node_modules", "rendered"):
        (tmp_path / name).mkdir()
    with watch_folders([tmp_path], ignored=tmp_path / "rendered") as changes:
        for name in ("node_modules/read.md", "rendered/page.md"):
            (tmp_path / name).write_text("")
        assert not changes.happened.wait(0.2)
        for name in ("docs/page.md", "platforms.yaml"):
            (tmp_path / name).write_text("")
            assert changes.happened.wait(10), name
            changes.happened.clear()


def test_a_port_in_use_ends_in_a_line_that_says_what_to_do() -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        config: Any = SimpleNamespace(dev_addr=other.getsockname())
        port = config.dev_addr[1]
        with pytest.raises(Abort, match=rf"Port {port} is in use\. .*`dev_addr: 127\.0\.0\.1:{port + 1}`"):
            check_port(config)
    check_port(config)
