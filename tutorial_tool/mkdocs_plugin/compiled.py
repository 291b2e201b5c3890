"""The templates of a theme, compiled by another process while this one renders the steps.

Jinja takes a third of a second for those of a large theme, and MkDocs asks for them no sooner than it writes pages.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from io import BytesIO

from jinja2 import BytecodeCache, Environment, TemplateError, meta
from jinja2.bccache import Bucket
from mkdocs.config.defaults import MkDocsConfig

from tutorial_tool.publishing import theme

_OF_PAGES = "main.html"  # The template in which MkDocs writes each page


class Compiled(BytecodeCache):
    """Code of templates by what it was made of, as Jinja asks for it: what is not known is compiled when it is."""

    def __init__(self, known: Mapping[str, bytes]) -> None:
        self._known = known

    def load_bytecode(self, bucket: Bucket) -> None:
        if code := self._known.get(bucket.key):
            bucket.load_bytecode(BytesIO(code))

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Nothing: the build that asks has its template then."""


def compile_templates(config: MkDocsConfig) -> dict[str, bytes]:
    """Compile all templates that the pages of a site need, the theme's and ours, as `Compiled` takes it.

    Left out is what is named only while a page is written, and what Jinja cannot read: that is told then.
    """
    env, cache = config.theme.get_env(), Compiled({})
    own = _code(theme.environment(), cache, list(theme.TEMPLATES))
    return dict(own) | dict(_code(env, cache, [_OF_PAGES, *config.theme.static_templates]))


def use(known: Mapping[str, bytes], env: Environment) -> None:
    """Let Jinja take this code in a build, whose own environment is given."""
    for environment in (env, theme.environment()):
        if environment.bytecode_cache is None:
            environment.bytecode_cache = Compiled(known)


def _code(env: Environment, cache: BytecodeCache, names: list[str]) -> Iterator[tuple[str, bytes]]:
    assert env.loader is not None
    seen = set[str]()
    while names:
        name = names.pop()
        if name in seen:
            continue
        seen.add(name)
        try:
            source, filename, _ = env.loader.get_source(env, name)
            tree = env.parse(source, name, filename)
            names += filter(None, meta.find_referenced_templates(tree))
            bucket = cache.get_bucket(env, name, filename, source)
            bucket.code = env.compile(tree, name, filename)
        except TemplateError:
            continue
        yield bucket.key, bucket.bytecode_to_string()
