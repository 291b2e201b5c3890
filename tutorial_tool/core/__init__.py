"""The foundation of the package: sources, spans, edits, findings, and strings with their origins."""
