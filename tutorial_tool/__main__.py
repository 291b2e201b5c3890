"""The program: `tutorial-tool`, and `python -m tutorial_tool`."""

import gc
import sys

from tutorial_tool import cache


def main() -> None:
    """Print what the same run printed last time, if nothing has changed since; else run."""
    arguments = sys.argv[1:]
    if (code := cache.again(arguments)) is not None:
        sys.exit(code)
    if cache.is_wanted(arguments):
        from tutorial_tool.cache import recording

        recording.begin(arguments)
    gc.disable()  # what is loaded is no garbage; the command turns it on again
    from tutorial_tool.cli import main as command

    try:
        command(prog_name="tutorial-tool")
    finally:
        gc.freeze()  # what is left ends with the program: to look through it for garbage takes a fifth of a long run


if __name__ == "__main__":
    main()
