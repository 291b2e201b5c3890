"""What the rule `misspelling` is made of."""
