"""`render --reader-features`: what readers get around a step, under generators other than MkDocs."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from urllib.request import urlopen

import pytest
from click.testing import CliRunner

from tests import nine, project, started
from tests.test_plugin import links, made, pages, required
from tutorial_tool.cli import main, serve
from tutorial_tool.publishing import export
from tutorial_tool.publishing.export import engines
from tutorial_tool.publishing.export.live import Rendering
from tutorial_tool.scaffold import GENERATORS
from tutorial_tool.site import Layout

FEATURES = "--reader-features"


def rendered(root: Path, *options: str) -> Path:
    done = started.run("tutorial_tool", "render", "out", FEATURES, *options, cwd=root)
    assert done.returncode == 0, done.stderr
    return root / "out"


def zensical(folder: Path, *options: str) -> None:
    required("zensical")
    program = shutil.which("zensical") or str(Path(sys.executable).parent / "zensical")
    done = subprocess.run(
        [program, "build", *options], cwd=folder, capture_output=True, text=True, check=False, timeout=120
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "No issues found" in done.stdout + done.stderr


@pytest.mark.slow
def test_zensical_publishes_what_the_plugin_does(tmp_path: Path) -> None:
    root = made(tmp_path)
    (root / "tutorial-tool.toml").write_text('[redirects]\n"/old/" = "/guide/swan/finish/"\n')
    out = rendered(root)
    zensical(out)
    html = (out / "site/guide/swan/prepare/index.html").read_text()
    for name in ("tt-switch", "tt-steps", "tt-meter", "tt-next", "tt-done"):
        assert f'class="{name}"' in html, name
    assert html.count("<h1") == 1
    assert pages(out / "site")["guide/swan/prepare"][1] == "Step 1. Prepare Swan"
    assert not [href for _, href, path in links(out / "site") if not path.exists()]
    assert "../guide/swan/finish/" in (out / "site/old/index.html").read_text()
    assert "# Step 1. Prepare Swan" in (out / "site/llms-full.txt").read_text()
    assert "assets/tutorial-tool/tutorial.css" in html


def test_other_pages_and_pages_without_the_option_stay_as_they_are(tmp_path: Path) -> None:
    root = made(tmp_path)
    out = rendered(root)
    assert started.run("tutorial_tool", "render", "plain", cwd=root).returncode == 0
    same = [
        path
        for path in (root / "plain/docs").rglob("*.md")
        if path.read_bytes() == (out / path.relative_to(root / "plain")).read_bytes()
    ]
    assert [path.name for path in same] == ["index.md"]


HUGO = ("hugo.toml", 'title = "Zoo"\n')
DOCUSAURUS = ("docusaurus.config.js", 'module.exports = {presets: [["classic", {docs: {}}]]};\n')


@pytest.mark.parametrize("config", [HUGO, DOCUSAURUS], ids=["hugo", "docusaurus"])
def test_others_get_markdown_whose_links_their_generator_resolves(tmp_path: Path, config: tuple[str, str]) -> None:
    project.write(tmp_path)
    (tmp_path / "mkdocs.yml").unlink(missing_ok=True)
    (tmp_path / config[0]).write_text(config[1])
    text = (rendered(tmp_path) / "docs/guide/swan/prepare.md").read_text()
    assert "**Platform:** **Swan** · [Otter](../otter/prepare.md)" in text
    assert "Step 1 of 2" in text
    assert re.search(r"\nPrevious: \[Welcome\]\(welcome\.md\) · Next: \[Step 2\\?\. Finish\]\(finish\.md\)\n$", text)
    assert ("<details>" in text) == (config is DOCUSAURUS)


def test_a_platform_that_lacks_a_step_is_named_with_the_reason(tmp_path: Path) -> None:
    step = "      - {id: finish, not-on: {otter: Otters go on}}\n"
    project.write(tmp_path, project.DATA.replace("      - finish\n", step))
    start = tmp_path / "site_templates/steps/welcome.md.j2"
    start.write_text(start.read_text().replace(", and end with {{ link('finish#check') }}", ""))
    (tmp_path / HUGO[0]).write_text(HUGO[1])
    text = (rendered(tmp_path) / "docs/guide/swan/finish.md").read_text()
    assert "Otters go on" in text
    assert "· Otter\n" in text


def test_a_draft_comes_soon_and_lacks_no_step(tmp_path: Path) -> None:
    project.write(tmp_path, project.DATA.replace("groups:", "  heron: {name: Heron, draft: true}\ngroups:", 1))
    (tmp_path / HUGO[0]).write_text(HUGO[1])
    (tmp_path / "tutorial-tool.toml").write_text("announce-drafts = true\n")
    text = (rendered(tmp_path) / "docs/guide/swan/finish.md").read_text()
    assert "Heron (coming soon)" in text
    assert "Heron does not" not in text


@pytest.mark.slow
@pytest.mark.parametrize("generator", ["zensical", "hugo"])
def test_init_writes_a_site_that_its_generator_builds(tmp_path: Path, generator: str) -> None:
    required(generator)
    root = tmp_path / "lamp"
    arguments = ["init", str(root), "--title", 'A "lamp" & more', "--platform", "iOS", "--platform", "Android"]
    done = CliRunner().invoke(main, [*arguments, "--ci", "github", "--generator", generator])
    assert done.exit_code == 0, done.output
    assert not [line for line in done.output.splitlines() if "mkdocs serve" in line]
    assert CliRunner().invoke(main, ["lint", str(root), "--no-cache"]).output == "Nothing found.\n"
    build = GENERATORS[generator].build
    assert f"- run: {build}\n" in (root / ".github/workflows/docs.yml").read_text()
    here = str(Path(sys.executable).parent)
    built = subprocess.run(
        ["sh", "-c", build], cwd=root, env={**os.environ, "PATH": f"{here}:{os.environ['PATH']}"},
        capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip
    assert built.returncode == 0, built.stdout + built.stderr
    site = root / ("public" if generator == "hugo" else "rendered/site")
    html = next(site.rglob("ios/check/index.html")).read_text()
    assert len(re.findall("<h1", html)) == 1
    assert "../../android/check/" in html
    assert "../install-the-package/" in html
    relative = [(href, path) for _, href, path in links(site) if "livereload" not in href]
    assert relative
    assert not [href for href, path in relative if not path.exists()]


def test_init_writes_the_configuration_of_docusaurus(tmp_path: Path) -> None:
    done = CliRunner().invoke(main, ["init", str(tmp_path / "lamp"), "-y", "--generator", "docusaurus"])
    assert done.exit_code == 0, done.output
    root = tmp_path / "lamp"
    assert 'docs: { path: "rendered/docs", routeBasePath: "/" }' in (root / "docusaurus.config.js").read_text()
    assert json.loads((root / "package.json").read_text())["scripts"]["build"] == "docusaurus build"
    assert not (root / "mkdocs.yml").exists()
    assert (root / "docs/index.md").is_file()


def test_a_generator_is_for_a_new_site(tmp_path: Path) -> None:
    (tmp_path / "mkdocs.yml").write_text("site_name: Zoo\n")
    done = CliRunner().invoke(main, ["init", str(tmp_path), "-y", "--generator", "hugo"])
    assert done.exit_code == 2
    assert "--generator is for a new site, and mkdocs.yml is there: leave it out" in done.output


def served(root: Path, log: Path, *arguments: str) -> subprocess.Popen[bytes]:
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a program inherits it if a script's `&` ignores Ctrl+C
    with log.open("w") as stream:
        command = [sys.executable, "-m", "tutorial_tool", *arguments]
        return subprocess.Popen(command, cwd=root, stdout=stream, stderr=stream)


SERVER = (sys.executable, "-c", "print('served', flush=True); import time; time.sleep(60)")


@pytest.mark.slow
@pytest.mark.parametrize("arguments", [("render", "rendered", "--watch"), ("serve", *SERVER)])
def test_what_is_saved_is_rendered_and_an_error_is_a_page_until_it_is_fixed(
    tmp_path: Path, arguments: tuple[str, ...]
) -> None:
    root = made(tmp_path / "zoo")
    (root / "mkdocs.yml").write_text("site_name: Zoo\ndocs_dir: docs_src\n")
    log = tmp_path / "log"
    page, other = (root / f"rendered/docs/guide/swan/{name}.md" for name in ("finish", "prepare"))
    template = root / "site_templates/steps/finish.md.j2"
    process = served(root, log, *arguments)
    try:
        assert comes(lambda: "Waiting for changes" in log.read_text()), log.read_text()
        assert arguments[0] == "render" or comes(lambda: "served" in log.read_text())
        text, untouched = template.read_text(), other.read_bytes()
        template.write_text(f"{text}\nA heron came.\n")
        assert comes(lambda: "A heron came." in page.read_text())
        template.write_text(f"{text}\n{{{{ platform.values.hern }}}}\n")
        assert comes(lambda: "# Build error" in page.read_text()), log.read_text()
        assert "finish.md.j2:" in page.read_text()
        assert "finish.md.j2:" in log.read_text()
        assert page.read_text().startswith("---\ntitle: "), "the navigation stays"
        assert other.read_bytes() == untouched
        template.write_text(f"{text}\nIt left.\n")
        assert comes(lambda: "It left." in page.read_text())
        assert "# Build error" not in page.read_text()
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=20) == 0
        assert "Traceback" not in log.read_text()
    finally:
        process.kill()
        process.wait()


def shown(url: str, text: str) -> bool:
    with suppress(OSError), urlopen(url, timeout=5) as answer:
        return text in answer.read().decode()
    return False


@pytest.mark.slow
@pytest.mark.parametrize("generator", ["zensical", "hugo"])
def test_what_is_saved_is_seen_at_the_generators_own_server(tmp_path: Path, generator: str) -> None:
    required(generator)
    root, log = tmp_path / "lamp", tmp_path / "log"
    assert CliRunner().invoke(main, ["init", str(root), "-y", "--generator", generator]).exit_code == 0
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    program = str(Path(sys.executable).parent / generator)
    commands = {
        "zensical": ("serve", "-f", "rendered/mkdocs.yml", "-a", f"localhost:{port}"),
        "hugo": ("server", "--port", str(port)),
    }
    url, template = f"http://localhost:{port}/quickstart/ios/check/", root / "site_templates/steps/check.md.j2"
    process = served(root, log, "serve", program, *commands[generator])
    try:
        assert comes(lambda: shown(url, "tt-switch")), log.read_text()
        text = template.read_text()
        for added, seen in (("A heron came.",) * 2, ("{{ platform.values.hern }}", "Build error"), ("It left.",) * 2):
            template.write_text(f"{text}\n{added}\n")
            assert comes(partial(shown, url, seen)), (added, log.read_text())
        process.send_signal(signal.SIGINT)
        process.wait(timeout=20)
    finally:
        process.kill()
        process.wait()


@pytest.mark.slow
def test_serving_ends_with_the_server(tmp_path: Path) -> None:
    root = made(tmp_path / "zoo")
    process = served(root, tmp_path / "log", "serve", sys.executable, "-c", "raise SystemExit(3)")
    assert process.wait(timeout=60) == 3


@pytest.mark.slow
def test_the_server_ends_with_a_tool_that_is_stopped(tmp_path: Path) -> None:
    root, log = made(tmp_path / "zoo"), tmp_path / "log"
    program = "import os, time; print('server', os.getpid(), flush=True); time.sleep(60)"
    process = served(root, log, "serve", sys.executable, "-c", program)
    assert comes(lambda: "server" in log.read_text() and "Waiting" in log.read_text()), log.read_text()
    number = int(re.findall(r"server (\d+)", log.read_text())[0])
    process.terminate()
    process.wait(timeout=20)
    with pytest.raises(ProcessLookupError):
        os.kill(number, 0)


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("hugo.toml", "[markup.goldmark.renderer]\nunsafe = true\n", "`hugo` is not installed; `hugo server` serves"),
        ("docusaurus.config.js", "module.exports = {};\n", "`npm` is not installed; `npm start` serves the site"),
        (
            "eleventy.config.js",
            "module.exports = {};\n",
            "name the command of Eleventy's server: tutorial-tool serve COM",
        ),
    ],
)
def test_serve_knows_the_servers_of_generators(
    tmp_path: Path, name: str, text: str, message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    project.write(tmp_path)
    (tmp_path / name).write_text(text)
    monkeypatch.setenv("PATH", "")
    done = CliRunner().invoke(main, ["serve", "--project", str(tmp_path)])
    assert (done.exit_code, message in done.output) == (2, True), done.output


def test_serve_says_which_file_the_linter_lacks(tmp_path: Path) -> None:
    project.write(tmp_path)
    (tmp_path / "tutorial-tool.toml").write_text('vocabulary-file = "gone.txt"\n')
    done = CliRunner().invoke(main, ["serve", "--project", str(tmp_path), sys.executable, "-c", ""])
    assert (done.exit_code, "gone.txt: vocabulary-file: the file cannot be read" in done.output) == (2, True)


def test_serve_says_what_the_core_lacks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    project.write(tmp_path)
    (tmp_path / "mkdocs.yml").write_text("site_name: X\nplugins: [tutorial]\n")
    monkeypatch.setattr(serve, "find_spec", lambda _name: None)
    done = CliRunner().invoke(main, ["serve", "--project", str(tmp_path)])
    assert (done.exit_code, "MkDocs is not installed; for a preview, run: pip install " in done.output) == (2, True)


def comes(is_so: Callable[[], bool], seconds: int = 20) -> bool:
    """Whether something is so within some seconds."""
    for _ in range(10 * seconds):
        if is_so():
            return True
        time.sleep(0.1)
    return False


EDITS = {
    "a text": ("site_templates/steps/verify.md.j2", "one event", "two events"),
    "a title, which others show": ("site_templates/steps/verify.md.j2", "Verify the result", "See the result"),
    "a heading, to which the switcher leads": (
        "site_templates/steps/install.md.j2",
        "\nInstall",
        "\n## Get it\n\nInstall",
    ),
    "a name": ("platforms.yaml", "name: Roku", "name: Roku TV"),
    "a reason": ("platforms.yaml", "Servers hold no keys", "Servers own no keys"),
    "another platform": ("platforms.yaml", "flutter: {name: Flutter, draft: true", "flutter: {name: Flutter"),
    "a part of one platform": ("site_templates/steps/install/install.md", "restart", "close"),
    "a page of all platforms": ("platforms.yaml", "title: Quickstart", "title: Quickstart\n    combined: true"),
    "a page that somebody wrote": ("docs_src/index.md", "A lock", "# A lock"),
}


@pytest.mark.parametrize("generator", ["", "hugo", "docusaurus"])
def test_what_is_rendered_again_is_what_a_first_rendering_gives(generator: str, tmp_path: Path) -> None:
    layout = Layout.find(nine.write(tmp_path))
    engine = engines.ENGINES.get(generator, engines.PLAIN)
    options = export.Options(engine=engine, reader_features=True, heading_ids=engine.heading_ids)
    rendering = Rendering(tmp_path / "out", layout, options, lambda _: None)
    rendering.write_pages()
    for what, (path, old, new) in EDITS.items():
        text = (tmp_path / path).read_text()
        assert old in text, what
        (tmp_path / path).write_text(text.replace(old, new, 1))
        before, (site, _) = rendering.files, rendering.write_pages()
        assert rendering.files == export.build_files(site, options), what
        assert rendering.files != before, what
    pages = {page: written for page, (_, written) in rendering.rendered.pages.items()}
    (tmp_path / "site_templates/steps/verify.md.j2").write_text("---\ntitle: See the result\n---\n\nThree.\n")
    rendering.write_pages()
    own = {page: written for page, (_, written) in rendering.rendered.pages.items() if page.platform in nine.PUBLISHED}
    fresh = [page for page, written in own.items() if pages.get(page) is not written]
    assert {page.step for page in fresh} == {"verify"}


def test_a_draft_is_served_with_what_it_lacks(tmp_path: Path) -> None:
    """Beside any generator's server; `render` leaves it out."""
    layout = Layout.find(nine.write(tmp_path))
    options = export.Options(reader_features=True)
    for drafts in (False, True):
        rendering = Rendering(tmp_path / "out", layout, options, lambda _: None, drafts=drafts)
        for _ in range(2):
            rendering.write_pages()
        path = tmp_path / "out/docs/quickstart/unity/start.md"
        assert path.exists() is drafts
    text = path.read_text()
    assert text.startswith(
        "---\ntitle: Step 3. Start the SDK\n---\n\n\nDraft: this page is not published.\n\n~~~~~~ text\n"
    )
    assert text.count("Draft: ") == 1
    assert "platform `unity` has no value `entry`" in text
    assert 'data-platform="unity"' in (tmp_path / "out/docs/quickstart/ios/start.md").read_text()
    assert "Draft: " not in (tmp_path / "out/docs/quickstart/ios/start.md").read_text()
