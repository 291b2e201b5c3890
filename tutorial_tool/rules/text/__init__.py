"""Rules about words, sentences and names."""
