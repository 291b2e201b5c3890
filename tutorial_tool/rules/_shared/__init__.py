"""Checks that several groups of rules share."""
