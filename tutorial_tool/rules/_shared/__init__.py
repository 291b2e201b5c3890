"""What several groups of rules look for in the same way."""
