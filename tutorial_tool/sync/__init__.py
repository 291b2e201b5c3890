"""Apply an edit of one variant to its siblings, adapting what is specific to the platform."""
