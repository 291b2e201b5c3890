"""The states and counts in lead-in sentences, for `contradicted-lead-in`."""
