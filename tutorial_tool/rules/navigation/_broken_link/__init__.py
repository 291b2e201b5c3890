"""The parts of `broken-link`.

`typos` in how URLs are written, `missing` targets, their `exceptions`, `undefined` references, the `navigation`.
"""
