"""`python -m tutorial_tool`."""

from tutorial_tool.cli import main

main(prog_name="tutorial-tool")
