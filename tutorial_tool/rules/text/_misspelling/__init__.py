"""The parts of the rule `misspelling`."""
