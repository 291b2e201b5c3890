"""What writes the generated parts of the reference: only tests need it, so that it is not in the wheel."""
