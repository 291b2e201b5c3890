"""One run of the linter: what is linted, the rules in their order, suppressions, baseline and fixes."""
