"""`serve` beside another generator's server: the panel of a step, the overview, and who may ask for them."""

from __future__ import annotations

import urllib.request
from collections.abc import Iterator
from urllib.error import HTTPError

import pytest

from tests import project
from tutorial_tool.linter import baseline
from tutorial_tool.live_preview.external_server import PanelServer
from tutorial_tool.site import Layout, loading


@pytest.fixture(scope="module")
def preview(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PanelServer]:
    templates = {**project.TEMPLATES, "steps/welcome.md.j2": "---\ntitle: Welcome\n---\n\nOpen the the menu.\n"}
    root = project.write(tmp_path_factory.mktemp("zoo"), templates=templates)
    preview = PanelServer(root)
    preview.update_site(loading.load(Layout(root)))
    yield preview
    preview.server.shutdown()
    preview.server.server_close()


def answer(url: str, **headers: str) -> tuple[str, str | None]:
    with urllib.request.urlopen(urllib.request.Request(url, headers=headers), timeout=30) as asked:
        return asked.read().decode(), asked.headers["Access-Control-Allow-Origin"]


def test_a_step_has_its_findings(preview: PanelServer) -> None:
    html, _ = answer(f"{preview.url}panel?page=guide/welcome/swan")
    assert "repeated word <code>the</code>" in html
    assert "site_templates/steps/welcome.md.j2:5:6" in html
    assert f'href="{preview.url}"' in html
    assert "repeated word" not in answer(f"{preview.url}panel?page=guide/finish/swan")[0]
    assert "repeated word" not in answer(f"{preview.url}panel?page=nothing")[0]


def test_all_findings_are_on_one_page(preview: PanelServer) -> None:
    html, _ = answer(preview.url.removesuffix("_tutorial/"))
    assert "<title>Dashboard</title>" in html
    assert "welcome.md.j2:5:6" in html
    assert answer(f"{preview.url}markdown?page=guide/swan/welcome.md")[0].startswith("---\ntitle: Welcome")


def test_an_error_shows_that_pages_are_old(preview: PanelServer) -> None:
    preview.errors = tuple(preview.linter.wait_for_findings(30) or ())
    try:
        assert "<summary>Out of date</summary>" in answer(f"{preview.url}panel?page=guide/finish/swan")[0]
    finally:
        preview.errors = ()


@pytest.mark.parametrize(
    ("origin", "allowed"),
    [
        ("http://localhost:8000", True),
        ("http://127.0.0.1:1313", True),
        ("https://example.com", False),
        ("http://localhost.example.com", False),
        ("null", False),
        ("http://[", False),
    ],
)
def test_pages_of_servers_on_this_machine_may_read_it_and_no_others(
    preview: PanelServer, origin: str, allowed: bool
) -> None:
    assert answer(f"{preview.url}panel?page=", Origin=origin)[1] == (origin if allowed else None)


def test_another_name_of_this_machine_is_refused(preview: PanelServer) -> None:
    with pytest.raises(HTTPError, match="403"):
        answer(preview.url, Host="example.com")


def test_the_script_asks_this_server(preview: PanelServer) -> None:
    assert f"{preview.url}panel?page=" in preview.script.decode()


def test_each_render_reads_the_configuration_and_the_baseline_again(preview: PanelServer) -> None:
    site = loading.load(Layout(preview.author.root))
    settings = preview.author.root / "tutorial-tool.toml"
    try:
        settings.write_text('ignore = ["repeated-word"]\n')
        preview.update_site(site)
        found = preview.linter.wait_for_findings(30)
        assert found is not None
        assert "repeated-word" not in [finding.rule for finding in found]
        settings.write_text("")
        preview.update_site(site)
        baseline.write(settings.parent / "known.json", preview.linter.wait_for_findings(30) or (), settings.parent)
        settings.write_text('baseline = "known.json"\n')
        preview.update_site(site)
        assert preview.linter.wait_for_findings(30) == []
    finally:
        settings.unlink()
        preview.update_site(site)
