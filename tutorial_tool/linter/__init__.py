"""Run the linter: targets, rules in order, suppressions, baseline, and fixes."""
