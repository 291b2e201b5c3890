"""The site generators that links are read for, a module each: add one by adding a module with a `GENERATOR`."""
