"""What everything else is made of: sources, spans, edits, findings and strings that know where they came from."""
