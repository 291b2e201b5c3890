"""What readers get around a step, for any site generator."""
