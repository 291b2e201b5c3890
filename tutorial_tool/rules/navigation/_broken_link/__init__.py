"""The parts of `broken-link`.

`typos` in how URLs are written, `missing` targets, `undefined` references, the `navigation`.
"""
