"""How similar two texts must be, in percent of rapidfuzz's ratio, wherever rules and `diff` compare them."""

ALIKE = 80  # One text, but for a word or two: a sentence, a page, a row, a title; names of one thing
RELATED = 60  # One text that somebody rewrote, or two variants of a heading
