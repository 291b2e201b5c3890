"""The site generators whose links are resolved, a module each: to add one, add a module with `GENERATOR`."""
