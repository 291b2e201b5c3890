"""How similar two texts must be, in percent of rapidfuzz's ratio, wherever rules and `diff` compare them."""

ALIKE = 80  # One text, but for a word or two: a sentence, a page, a row, a title; names of one thing
MAX_TOKENS = 1_000  # Maximum tokens of a text to compare word by word
MAX_PAIRS = 20_000  # Maximum pairs of texts to compare, of those between two equal ones, or of pages
MAJORITY = 0.5  # Minimum share, from 0 to 1, of text or names that two things have in common to be compared as one
NEARLY_ALL = 0.8  # Share that proves a rule, whatever the rest is
RELATED = 60  # One text that somebody rewrote, or two variants of a heading
