"""Handle words: dictionaries, known misspellings, the project's vocabulary, misspellings in a corpus."""
