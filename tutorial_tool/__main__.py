"""The program: `tutorial-tool`, and `python -m tutorial_tool`."""

import gc
import os
import sys

from tutorial_tool import cache
from tutorial_tool.daemon import client


def main() -> None:
    """Print what the same run printed last time, if nothing has changed since; else run, or have it run."""
    arguments = sys.argv[1:]
    _open_streams()
    try:
        os.getcwd()  # noqa: PTH109 - pathlib takes long to load
    except FileNotFoundError:
        sys.exit(_report_missing_folder())
    if (code := cache.print_cached(arguments)) is not None:
        sys.exit(code)
    if (code := client.run(arguments)) is not None:
        sys.exit(code)
    if cache.is_cacheable(arguments):
        from tutorial_tool.cache import recording

        recording.begin(arguments)
    gc.disable()  # what is loaded is no garbage; the command turns it on again
    try:
        from tutorial_tool.cli import main as command

        command(prog_name="tutorial-tool")
    except ModuleNotFoundError as missing:
        package = str(missing.name).partition(".")[0]
        if package == "tutorial_tool":
            raise
        sys.exit(_report_missing_package(package))
    finally:
        gc.freeze()  # what is left ends with the program: to look through it for garbage takes a fifth of a long run


def _open_streams() -> None:
    """Give a program that was started without an input or output (`>&-`) an empty one: nobody reads it."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            # Whoever opens a file gets the number that is free: another file would become the output of `git`.
            stream = open(os.devnull, mode, encoding="utf-8")  # noqa: PTH123, SIM115 - as above; open to the end
            setattr(sys, name, stream)
            setattr(sys, f"__{name}__", stream)


def _report_missing_folder() -> int:
    """Report that the folder is gone in which the program was started; return the exit code."""
    sys.stderr.write("tutorial-tool: this folder no longer exists; change to another one (`cd`) and try again\n")
    return 2


def _report_missing_package(package: str) -> int:
    """Report that a required package is missing; return the exit code."""
    sys.stderr.write(
        f"tutorial-tool: package `{package}` is missing; install the whole of tutorial-tool, not only its core, "
        "with its dependencies (pip without --no-deps)\n"
    )
    return 2


if __name__ == "__main__":
    main()
