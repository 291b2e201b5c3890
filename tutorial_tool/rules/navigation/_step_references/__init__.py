"""The parts of `stale-step-reference`: the `outline` of a page's numbers, the `numbering` of a tutorial."""
