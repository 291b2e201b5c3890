"""Words: dictionaries, known misspellings, the project's vocabulary, and what is misspelt in a corpus."""
