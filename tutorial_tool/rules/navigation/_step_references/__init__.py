"""The parts of `stale-step-reference`: the `outline` of numbers on a page, the `numbering` of a tutorial."""
