"""Templates that nobody has read yet: they reach no file and no object of Python, and end in time and in memory."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests import project
from tests.work import soon
from tutorial_tool.core.source import Source
from tutorial_tool.site import Layout, loading, sandboxed_load
from tutorial_tool.templating.environment import Namespace, TemplateEnvironment, TemplateFailure
from tutorial_tool.templating.template_limits import MAX_TEXT

CANARY = "the canary sings"
limits = pytest.mark.skipif(sys.platform != "linux", reason="memory is limited on Linux")


# Escapes from the sandbox

ESCAPES = [
    # to a class, and from there to all others
    "''.__class__", "''['__class__']", "''|attr('__class__')", "''.__class__.__mro__[1].__subclasses__()", "[].__class__.__base__",
    "{}.__class__.__bases__[0]", "().__class__", "(1).__class__", "1.0.__class__", "none.__class__", "true.__class__.__mro__",
    "''['__cla' ~ 'ss__']", "''|attr('__cla' ~ 'ss__')", "''|attr(['__class', '__']|join)", "''|attr('\\x5f\\x5fclass\\x5f\\x5f')",
    "''['\\x5f\\x5fclass\\x5f\\x5f']", "''|attr('\\u005f\\u005fclass__')", "''|attr('%c%cclass%c%c'|format(95, 95, 95, 95))",
    "''|attr('ssalc'|reverse)", "''|attr('__CLASS__'|lower)", "[''][0].__class__", "(''|list).__class__", "dict(a=1).__class__",
    # through format strings
    "'{0.__class__}'.format(name)", "'{0.__class__.__mro__}'.format(1)", "'{a.__class__}'.format(a=name)", "'{0[__class__]}'.format(name)",
    "'{a.__init__.__globals__}'.format_map({'a': platform})", "'{}{0.__class__}'.format(1)", "('{0.__cla' ~ 'ss__}').format(name)",
    "'{0.__class__}'|format(name)", "('{0.__class__}'|string).format(name)", "['{0.__class__}'][0].format(name)",
    "'{0._fields}'.format(platform)", "'{0.runs}'.format(name)", "'{0.span}'.format(platform)", "name.format.__self__", "'{x.__class__}'.format_map(dict(x=1))",
    # through filters that look things up
    "[name]|map(attribute='__class__')|list", "[name]|map('attr', '__class__')|list", "[name]|sum(attribute='__class__')",
    "[name]|groupby('__class__')|list", "[name]|sort(attribute='__class__')|list|string ~ [name]|map(attribute='__len__')|list",
    "[name]|selectattr('__class__')|map(attribute='__class__')|list", "[name]|join('', attribute='__class__')", "[name]|unique(attribute='__class__')|map(attribute='__doc__')|list",
    "[name]|max(attribute='__class__')", "[name]|map(attribute='__class__.__mro__')|list", "[name]|map(attribute='upper.__self__')|list",
    "[name]|rejectattr('x')|map('attr', '__class__')|list", "[platform]|map(attribute='_fields')|list", "[platform]|join(attribute='_fields')", "[table]|map(attribute='__globals__')|list",
    # through functions, generators and what Jinja itself brings
    "lipsum.__globals__", "lipsum.__globals__['os'].popen('id').read()", "cycler.__init__.__globals__.os", "joiner.__init__", "namespace.__init__.__globals__",
    "range.__init__", "dict.__init__.__globals__", "table.__globals__", "table.__self__", "table.__func__.__code__", "table.__closure__", "link.__wrapped__",
    "self.__init__.__globals__", "self._TemplateReference__context", "self._TemplateReference__context.environment", "caller.__globals__", "loop.__class__",
    "(name|map).gi_frame", "(name|map).gi_frame.f_globals", "(range(3)|map('string')).gi_code", "name.upper.__self__", "name.upper.__globals__", "super.__class__",
    "environment", "context", "environment.loader", "config", "request.application", "get_flashed_messages.__globals__", "url_for.__globals__", "g.pop.__globals__",
    "undefined_name.__class__", "(undefined_name|default('')).__class__", "undefined_name.__init__.__globals__", "platform.nothing.__class__",
    # to a module
    "__builtins__", "__import__('os')", "import_module('os')", "open('/etc/passwd').read()", "eval('1')", "exec('1')", "globals()", "locals()", "vars(name)", "getattr(name, '__class__')",
    # changing what others see
    "[1].append(2)", "dict(a=1).update(b=2)", "{'a': 1}.clear()", "{'a': 1}.setdefault('b', 2)", "platform.update(a=1)", "platform.__setitem__('name', 'x')", "platform.__dict__",
    "name.__reduce__()", "name.__reduce_ex__(2)", "name.__init_subclass__()", "name.__format__('')", "name.__getattribute__('x')", "name.__dir__()", "name._cut", "name.runs", "name.block",
]  # fmt: skip

FORBIDDEN = ("<class", "<function", "<built-in", "<module", "<bound", "<generator", "object at", "root:", CANARY)


@pytest.mark.parametrize("expression", ESCAPES)
def test_a_template_reaches_nothing_of_python(expression: str) -> None:
    variables = {
        "name": "Swan",
        "platform": Namespace("platform", {"name": "Swan"}),
        "table": lambda: "",
        "link": print,
    }
    environment = TemplateEnvironment({"page": Source("page", f"{{{{ {expression} }}}}")}.get, lambda: ["page"])
    try:
        text = str(environment.render_traced("page", variables))
    except TemplateFailure as stopped:
        assert stopped.finding.span.path == "page"  # noqa: PT017 - some payloads are undefined names that print nothing
        return
    assert not any(word in text for word in FORBIDDEN), text


def test_there_are_enough_of_them() -> None:
    assert len(set(ESCAPES)) >= 100


STATEMENTS = [
    "{% set platform.name = 'x' %}", "{% set ns = namespace(a=1) %}{% set ns.__class__ = 1 %}{{ ns.__class__ }}", "{% for x in name.__class__.__mro__ %}{{ x }}{% endfor %}",
    "{% macro m() %}{{ m.__globals__ }}{% endmacro %}{{ m() }}", "{% macro m() %}{{ caller.__globals__ }}{% endmacro %}{% call m() %}{% endcall %}",
    "{% for x in [1] %}{{ loop.__init__.__globals__ }}{% endfor %}", "{% for x in [1] %}{{ loop._iterable }}{% endfor %}", "{% with a = name.__class__ %}{{ a }}{% endwith %}",
    "{% if name.__class__ %}{{ name.__class__.__name__ }}{% endif %}", "{% filter attr('__class__') %}x{% endfilter %}", "{% block b %}{{ self.b.__globals__ }}{% endblock %}",
    "{% block b %}{{ super.__class__ }}{% endblock %}", "{% import 'page' as p %}{{ p.__loader__ }}", "{% import 'other' as p %}{{ p.__class__ }}{{ p.__dict__ }}",
    "{% from 'other' import m %}{{ m._func.__globals__ }}", "{% from 'other' import __class__ %}", "{% import 'other' as p %}{{ p._body_stream }}",
]  # fmt: skip


@pytest.mark.parametrize("page", STATEMENTS)
def test_a_statement_reaches_nothing_either(page: str) -> None:
    sources = {"page": Source("page", page), "other": Source("other", "{% macro m() %}x{% endmacro %}")}
    environment = TemplateEnvironment(sources.get, lambda: sources)
    with pytest.raises(TemplateFailure) as stopped:
        environment.render_traced("page", {"name": "Swan", "platform": Namespace("platform", {"name": "Swan"})})
    assert not any(word in stopped.value.finding.message for word in FORBIDDEN)


# Files

OUTSIDE = [
    "../outside.md", "../../outside.md", "/etc/passwd", "{outside}", "steps/../../outside.md", "..\\outside.md", "steps/link.md", "folder/outside.md",
    "%2e%2e/outside.md", "file://{outside}", "steps/welcome.md.j2/../../../outside.md", "./../outside.md", "steps//../..//outside.md", "C:\\outside.md",
    "steps/link.md\0", "~/outside.md", "\\\\host\\outside.md", ".hidden.md", "../site_templates/../outside.md",
]  # fmt: skip
WAYS = {
    "include": "{{% include '{}' %}}",
    "import": "{{% import '{}' as x %}}{{{{ x }}}}",
    "from": "{{% from '{}' import x %}}{{{{ x }}}}",
    "extends": "{{% extends '{}' %}}",
    "a list": "{{% include ['{}', 'nothing'] %}}",
    "a name": "{{% set a = '{}' %}}{{% include a %}}",
    "part": "{{{{ part('{}') }}}}",
    "code": "{{{{ code('{}') }}}}",
    "figure": "{{{{ figure('{}', alt='x') }}}}",
    "kind": "{{{{ figure('new', alt='x', kind='{}') }}}}",
}


@pytest.mark.parametrize("way", WAYS)
def test_no_file_outside_the_templates_is_read(tmp_path: Path, way: str) -> None:
    outside, root = tmp_path / "outside.md", tmp_path / "project"
    steps, templates = [], dict[str, str]()
    for number, path in enumerate(OUTSIDE):
        named = path.format(outside=outside).replace("\\", "\\\\").replace("\0", "\\0")
        steps.append(f"step{number}")
        templates[f"steps/step{number}.md.j2"] = f"---\ntitle: Step\n---\n\n{WAYS[way].format(named)}\n"
    platforms = "platforms: {swan: {name: Swan}}\n"
    project.write(root, f"{platforms}tutorials: {{guide: {{title: Guide, steps: [{', '.join(steps)}]}}}}\n", templates)
    for file in (outside, root / "outside.md", root / "site_templates/.hidden.md"):
        file.write_text(CANARY)
    (root / "site_templates/steps/link.md").symlink_to(outside)
    (root / "site_templates/folder").symlink_to(tmp_path)
    read = project.load(root)
    told = {finding.span.path for finding in read.findings if finding.rule != "unused-template"}
    assert told == {f"site_templates/{name}" for name in templates} or way == "figure", "each is told"
    assert not any(CANARY in page.text for page in read.pages)
    assert not any(CANARY in figure.svg for figure in read.figures.values())
    assert CANARY not in "\n".join(f"{finding} {finding.span.source.text}" for finding in read.findings)


# Size and time


def test_a_page_has_two_million_characters_at_most(tmp_path: Path) -> None:
    long = "---\ntitle: Welcome\n---\n" + "\n{{ 'a'.center(99000) }}" * (MAX_TEXT // 99000 + 1)
    read = project.load(project.write(tmp_path, templates={**project.TEMPLATES, "steps/welcome.md.j2": long}))
    (told,) = {str(finding) for finding in read.errors}
    assert "is longer than 2,000,000 characters" in told
    assert told.startswith("site_templates/steps/welcome.md.j2:")


SLOW = {
    "a filter of a long text": "{% set s = 'x' * 1999999 %}{% for i in range(99999) %}{% if s|upper == '' %}{% endif %}{% endfor %}",
    "a comparison": "{% set s = 'x' * 1999999 %}{% set t = s ~ 'x' %}{% for i in range(99999) %}{% if s ~ 'x' == t %}{% endif %}{% endfor %}",
    "a search": "{% set s = 'x' * 1999999 %}{% for i in range(99999) %}{% if 'xxy' in s %}{% endif %}{% endfor %}",
    "a method": "{% set s = 'x' * 1999999 %}{% for i in range(99999) %}{% if s.count('xy') %}{% endif %}{% endfor %}",
    "a literal": "{% for i in range(99999) %}{% if `xxy` in '" + 200_000 * "x" + "' %}{% endif %}{% endfor %}",
    "making a text": "{% for i in range(99999) %}{% if 'x' * 1999999 %}{% endif %}{% endfor %}",
    "sorting": "{% set l = ('ab' * 99999)|list %}{% for i in range(99999) %}{% if l|sort %}{% endif %}{% endfor %}",
    "a search in a list": "{% set l = range(99999)|list %}{% for i in l %}{% if 'q' in l %}{% endif %}{% endfor %}",
    "a sum": "{% for i in range(99999) %}{% if range(99999)|sum %}{% endif %}{% endfor %}",
    "a list of lists": "{% set l = range(9999)|list %}{% for i in l %}{% if [l, l, l]|string %}{% endif %}{% endfor %}",
    "numbers": "{% set ns = namespace(a=3) %}{% for i in range(99) %}{% set ns.a = ns.a * ns.a %}{% endfor %}",
    "digits": "{% for i in range(99999) %}{% if ('9' * 4200)|int %}{% endif %}{% endfor %}",
    "JSON": "{% set l = range(99999)|list %}{% for i in l %}{% if l|tojson %}{% endif %}{% endfor %}",
    "no end": "{% for i in range(10**12) %}{{ i }}{% endfor %}",
    "loops in loops": "{% for i in range(99999) %}{% for j in range(99999) %}{% endfor %}{% endfor %}",
    "a recursive loop": "{% for i in range(9) recursive %}{{ loop(range(9)) }}{% endfor %}",
    "a macro that calls itself twice": "{% macro m(n) %}{% if n %}{{ m(n - 1) }}{{ m(n - 1) }}{% endif %}{% endmacro %}{{ m(99) }}",
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("name", SLOW)
def test_a_page_ends_without_limits_on_its_process(name: str) -> None:
    environment = TemplateEnvironment({"page": Source("page", SLOW[name])}.get, lambda: ["page"])

    def traced() -> None:
        with pytest.raises(TemplateFailure):
            environment.render_traced("page", {})

    soon(traced, within=30)


# A process with limits

MANY = "platforms:\n  swan: {name: Swan, labels: {menu: Menu}, values: {package: kit}}\n" + "".join(
    f"  swan{number}: {{name: Swan {number}, extends: swan}}\n" for number in range(120)
)
HEAVY = "---\ntitle: Welcome\n---\n\n{% set l = ('ab' * 9999)|list %}{% for i in range(22) %}{{ l|sort|length }}{% endfor %}\n"


def heavy(root: Path) -> Path:
    """A project of which each page ends, and all together take minutes."""
    data = MANY + "tutorials: {guide: {title: Guide, steps: [welcome]}}\n"
    return project.write(root, data, {"steps/welcome.md.j2": HEAVY})


def run(folder: Path, *arguments: str, code: str | None = None) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-P", *(("-c", code) if code else ("-m", "tutorial_tool")), *arguments]
    environment = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    return subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, timeout=150, check=False
    )


@pytest.mark.slow
@limits
@pytest.mark.parametrize("command", ["lint", "render out", "compare", "inventory", "where"])
def test_with_limits_a_command_does_the_same(tmp_path: Path, command: str) -> None:
    project.write(tmp_path)
    ran = [run(tmp_path, *command.split(), *how) for how in ([], ["--untrusted"])]
    assert ran[0].returncode < 2, ran[0].stderr
    assert (ran[0].returncode, ran[0].stdout, ran[0].stderr) == (ran[1].returncode, ran[1].stdout, ran[1].stderr)


@limits
def test_a_fix_and_standard_input_go_through(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("# A\n\nOpen the the door.\n")
    assert run(tmp_path, "lint", "--untrusted", "--fix", "a.md").returncode == 0
    assert (tmp_path / "a.md").read_text() == "# A\n\nOpen the door.\n"
    command = [sys.executable, "-P", "-m", "tutorial_tool", "lint", "--untrusted", "--stdin-filename", "b.md", "-q"]
    told = subprocess.run(command, cwd=tmp_path, input=b"# A\n\nOpen the the door.\n", capture_output=True, check=False)
    assert (told.returncode, b"repeated-word" in told.stdout) == (1, True)


@limits
def test_rendering_ends_at_a_line_of_a_template(tmp_path: Path) -> None:
    heavy(tmp_path)
    started = os.times()
    code = "from tutorial_tool.fs import limited_process\nlimited_process.SECONDS = 1\n"  # ten are waited for below
    code += "limited_process.limit()\nfrom tutorial_tool.cli import main\nmain()\n"
    ran = run(tmp_path, "lint", "--untrusted", "--output-format", "concise", code=code)
    used = os.times()
    assert ran.returncode == 1, ran.stderr
    told = "site_templates/steps/welcome.md.j2:5:"
    limit = re.compile("more than (1 s of CPU time|500,000 steps)")  # a fast machine has taken the steps before
    assert {line[: len(told)] for line in ran.stdout.splitlines() if limit.search(line)} == {told}
    assert used.children_user + used.children_system - started.children_user - started.children_system < 6


@pytest.mark.slow
@limits
def test_a_build_tries_templates_out_first(tmp_path: Path) -> None:
    heavy(tmp_path)
    (tmp_path / "mkdocs.yml").write_text(
        "site_name: Example\ndocs_dir: docs_src\ntheme: {name: mkdocs}\nplugins: [{tutorial: {untrusted: true}}]\n"
    )
    ran = run(tmp_path, "build", "-q", code="from mkdocs.__main__ import cli; cli()")
    assert ran.returncode == 1
    assert "welcome.md.j2:5:" in ran.stderr
    assert "rendering takes more than 10 s of CPU time" in ran.stderr
    assert "Traceback" not in ran.stderr


@limits
def test_a_build_of_what_is_harmless_is_as_ever(tmp_path: Path) -> None:
    project.write(tmp_path)
    assert sandboxed_load.run(Layout.find(tmp_path)) is None
    assert loading.load(Layout.find(tmp_path)).overdue is None


LIMITED = "from tutorial_tool.fs import limited_process\nlimited_process.limit()\n"


@limits
def test_memory_is_limited(tmp_path: Path) -> None:
    ran = run(tmp_path, code=LIMITED + "print(len(bytearray(600_000_000)))")
    assert (ran.stdout, "MemoryError" in ran.stderr) == ("", True)
    assert run(tmp_path, code=LIMITED + "print(len(bytearray(200_000_000)))").stdout == "200000000\n"


@pytest.mark.slow
@limits
def test_a_page_that_takes_too_much_memory_is_named_and_the_others_are_checked(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("# A\n\nOpen the the door.\n")
    (tmp_path / "b.md").write_text("# A\n\n| a | b |\n| - | - |\n" + "|a|b|\n" * 300_000)
    code = "from tutorial_tool.fs import limited_process\nlimited_process.MEMORY = 300_000_000\n"
    code += "limited_process.limit()\nfrom tutorial_tool.cli import main\nmain()\n"
    ran = run(tmp_path, "lint", "--untrusted", "--output-format", "concise", code=code)
    assert (ran.returncode, ran.stderr) == (1, "")
    assert "`b.md` takes too much time or memory to read as Markdown; nothing in it was checked" in ran.stdout
    assert "a.md:3:6: warning[repeated-word]" in ran.stdout


ENDS = {
    "import os, signal; os.kill(os.getpid(), signal.SIGSEGV)": "ended by SIGSEGV: perhaps memory was short",
    "import os, signal; os.kill(os.getpid(), signal.SIGKILL)": "ended by SIGKILL: it takes more than 60 s of CPU time, or somebody ended it",
    "open('big', 'wb').truncate(10**9)": None,
}


@limits
@pytest.mark.parametrize("program", ENDS)
def test_a_process_that_dies_is_one_line(tmp_path: Path, program: str) -> None:
    code = f"from tutorial_tool.fs import limited_process\ntry:\n    print(limited_process.run({program!r}, []))\nexcept limited_process.LimitedProcessError as ended:\n    print(ended)\n"
    said = run(tmp_path, code=code).stdout
    assert said.count("\n") == 1
    assert (ENDS[program] or "1\n") in said


@limits
def test_a_file_in_the_folder_is_not_imported(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("# A\n")
    for name in ("yaml", "click", "tutorial_tool", "sitecustomize", "resource"):
        (tmp_path / f"{name}.py").write_text(f"print({CANARY!r})\n")
    ran = run(tmp_path, "lint", "--untrusted", "a.md")
    assert ran.returncode == 0, ran.stderr
    assert CANARY not in ran.stdout + ran.stderr


def test_what_the_process_says_is_data(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text(CANARY)
    root = project.write(tmp_path / "project")
    for said in (
        b"",
        b"[",
        b"{}",
        b'["a"]',
        b'["a", 1, 2, 3, 4]',
        b'["a", "x", 2, "m"]',
        b"[[], 1e999, 2, 3]",
        b"\xff",
    ):
        assert sandboxed_load.read_report(root, said) is None
    assert sandboxed_load.read_report(root, b'["../secret", 0, 9, "a"]') is None
    assert sandboxed_load.read_report(root, b'["platforms.yaml", 0, 9, "a\\u001b[31m"]') is None
    assert "platforms.yaml:1:1: invalid-template: a" in str(
        sandboxed_load.read_report(root, b'["platforms.yaml", -5, 1e9, "a"]')
    )


@limits
def test_what_needs_a_person_or_the_network_does_not_go_with_it(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("# A\n")
    for option in ("--watch", "--external-links"):
        ran = run(tmp_path, "lint", "--untrusted", option)
        assert (ran.returncode, "--untrusted cannot be combined with" in ran.stderr) == (2, True)
