"""Sessions for contributors: `nox -l` lists them. Each uses the environment that it is started in, if that has all."""

from __future__ import annotations

import nox

nox.options.sessions = ["quick"]
nox.options.default_venv_backend = "none"


@nox.session
def quick(session: nox.Session) -> None:
    """Run what a change most often breaks, in a minute: style, types, contracts, rules and their cases."""
    lint(session)
    session.run(
        "python", "-m", "pytest", "-q", "-n", "auto", "tests/rules", "tests/test_architecture.py", *session.posargs
    )
    figures(session)


@nox.session
def lint(session: nox.Session) -> None:
    """Check style, types, and the order of imports."""
    session.run("ruff", "check", ".")
    session.run("ruff", "format", "--check", ".")
    session.run("lint-imports")
    session.run("mypy", "tutorial_tool", "tests", "benchmarks")


@nox.session
def figures(session: nox.Session) -> None:
    """Check that no figure of the code grows, such as its number of lines."""
    session.run("python", "benchmarks/house.py", "--check")


@nox.session
def tests(session: nox.Session) -> None:
    """Run the README's tests, in five minutes."""
    session.run("python", "-m", "pytest", "-q", "-n", "auto", *session.posargs)


@nox.session
def slow(session: nox.Session) -> None:
    """Run whole builds, browsers and killed processes, too, as CI does."""
    session.run("python", "-m", "pytest", "-q", "-n", "auto", "-m", "not soak", *session.posargs)


@nox.session
def soak(session: nox.Session) -> None:
    """Run the long proofs in full: hours."""
    session.run("python", "-m", "pytest", "-q", "-n", "auto", "-m", "soak", *session.posargs)


@nox.session
def docs(session: nox.Session) -> None:
    """Build this repository's own site, and lint its pages."""
    session.run("mkdocs", "build", "-q", "--strict", "--site-dir", "build/site")
    session.run("tutorial-tool", "lint", "--fail-on", "hint")


@nox.session
def bench(session: nox.Session) -> None:
    """Measure speed beside other tools; arguments go to `benchmarks/run.py`."""
    session.run("python", "benchmarks/run.py", *session.posargs)
