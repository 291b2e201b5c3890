"""Jinja's syntax and runtime errors, explained in plain words with their location."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterable
from types import TracebackType

from jinja2 import TemplateNotFound, TemplateSyntaxError
from jinja2.exceptions import SecurityError
from jinja2.filters import FILTERS
from jinja2.sandbox import MAX_RANGE
from jinja2.tests import TESTS

from tutorial_tool.core import lazy_re, merge_markers, traced
from tutorial_tool.core.diagnostics import find_nearest, format_suggestion
from tutorial_tool.core.source import Source, Span
from tutorial_tool.templating.environment.call_errors import TemplateFailure, build_failure
from tutorial_tool.templating.environment.filters import GONE
from tutorial_tool.templating.environment.places import LinePosition, ParsedTemplate

_SECTION_ID = lazy_re.compile(r"^ {0,3}#{1,6} [^\n]*?(\{#[\w:.-]+\})[ \t]*$", re.MULTILINE)
_FENCE = lazy_re.compile(r"^[ ]*(?:```|~~~)", re.MULTILINE)
_CALLS = "table|rows|part|code|figure|link|label|can"  # The calls of a page and of its platform
_TAG = lazy_re.compile(
    r"\{#.*?#\}|\{\{.*?\}\}|\{%[-+]?\s*raw\b.*?\{%[-+]?\s*endraw\b|\{%[-+]?\s*(\w+)([^%]*)", re.DOTALL
)
_BLOCKS = frozenset(("if", "for", "block", "macro", "call", "filter", "set", "with", "autoescape"))
_QUOTED = lazy_re.compile(r"'[^']*'|\"[^\"]*\"")
_ELSE = lazy_re.compile(r"\{%[-+]?\s*else\s+\Z")
_NO_SUCH = r"No (filter|test) named '(.+?)'"
_SYNTAX = (
    (r"Missing end of comment tag", r"the comment is not closed: write `#}` where it ends"),
    (r"Missing end of raw directive", r"`{% raw %}` is not closed: write `{% endraw %}` where it ends"),
    (r"expected token 'end of (?:print statement|statement block)', got '='", r"`=` does not compare: write `==`"),
    (r"unexpected char ([\"'])([\"'])\1$", r"unclosed text: it starts with \2 here"),
    (r"unexpected '.', expected '(.)'", r"`\1` is missing before this"),
    (r"expected name or number", r"a name is missing after the dot"),
    (r"unexpected 'end of template'", r"`{{` is not closed: write `}}` where it ends"),
    (
        r"[Ee]xpected an expression, got 'end of (?:print statement|statement block)'",
        r"a name or value is missing in this tag",
    ),
    (r"tag name expected", r"the tag has no name, such as `if` or `for`"),
    (r"unexpected '\}'$", r"unmatched `}`: `{{` ends with `}}`, and `{%` with `%}`"),
    (r"unexpected '([)\]])'$", r"`\1` is unmatched"),
    (
        r"expected token ',', got 'for'",
        r"Jinja2 has no list comprehensions: write `{% for … %}`, or a filter such as `map` or `select`",
    ),
    (r"expected token ',', got '(.+)'", r"`,` is missing before `\1`, or a quote inside the text ends it"),
    (r"expected token 'in'", r"`in` is missing: `{% for one in … %}`"),
    (r"unexpected char '&'", r"`&&` is written `and`"),
    (r"unexpected char '!'", r"`!` is written `not`"),
    (r"unexpected char '([‘’“”])'", r"`\1` is not a straight quotation mark, which text needs here"),
    (r"unexpected char '(.)'", r"`\1` is not allowed here: is `}}` or `%}` missing before it?"),
    (r"expected token 'end of print statement', got '(.+)'", r"`}}` should be before `\1`, or an operator"),
    (r"expected token 'end of statement block', got '(.+)'", r"`%}` should be before `\1`, or an operator"),
    (
        r"Encountered unknown tag '(end\w+)'\. .*The innermost block that needs to be closed is '(\w+)'",
        r"unexpected `{% \1 %}`: `{% \2 %}` is open, and ends with `{% end\2 %}`",
    ),
    (r"Encountered unknown tag '(end\w+)'$", r"unmatched `{% \1 %}`: no such tag is open"),
)
"""Jinja's messages for some mistakes, and ours."""
_OPERATORS = (
    (
        r"unsupported operand type\(s\) for \+: .*'(?:str|Traced)'|.*can only conc",
        "`+` adds two numbers, or two texts; `~` joins texts",
    ),
    (r".* for -: '", "`-` is a minus: put a name with a hyphen in brackets, as in `platform.values['my-key']`"),
    (
        r"'[<>]=?' not supported between instances of '(?:Traced|str)' and|.* and '(?:Traced|str)'$",
        "a value of the data is text, and can't be compared with a number: write `| int` after it",
    ),
)
"""Python's messages for operators that do not fit, and ours."""


def find_unparsable(source: Source) -> TemplateFailure | None:
    """Return what prevents a template from being parsed, or would be parsed as something else."""
    marks = merge_markers.find_markers(source.text)
    outside = (mark for mark in marks if not len(_FENCE.findall(source.text, 0, mark.start)) % 2)  # outside of code
    if conflict := next(outside, None):
        return build_failure(conflict.message, Span(source, conflict.start, conflict.end), "invalid-template")
    if match := _SECTION_ID.search(source.text):
        message = f"`{match[1]}` starts a Jinja comment; write a section's id as `{{: {match[1][1:-1]} }}`"
        return build_failure(message, Span(source, match.start(1), match.end(1)), "invalid-template")
    return None


def explain_syntax_error(parsed: ParsedTemplate, error: TemplateSyntaxError) -> TemplateFailure:
    """Explain a Jinja syntax error, with its location."""
    problem = error.message or ""
    if problem.startswith("Unexpected end of template") and (result := _find_unclosed_tag(parsed.source)):
        message = f"`{{% {result.text} %}}` is not closed: write `{{% end{result.text} %}}` where it ends"
        return build_failure(message, result, "invalid-template")
    span = _find_syntax_span(parsed, error)
    if not problem.startswith("unexpected '}'") and (opened := _find_unclosed_print(parsed.source, span.start)):
        return build_failure("`{{` is not closed: write `}}` where it ends", opened, "invalid-template")
    if span.text == "if" and _ELSE.search(parsed.source.text, 0, span.start):
        return build_failure("`{% else if … %}` is written `{% elif … %}`", span, "invalid-template")
    return build_failure(_format_syntax_message(error), span, "invalid-template")


def get_unknown_name(error: Exception) -> str:
    """Return the filter or test that an error reports as unknown."""
    match = re.match(_NO_SUCH, str(error))
    return match[2] if match else ""


def _suggest_template(name: str, names: Iterable[str]) -> str:
    """Suggest the template of that name in another folder, or of a similar name; else say what a name looks like."""
    templates = sorted(names)
    stems = {re.sub(r"(\.md)?\.j2$", "", posixpath.basename(text)): text for text in reversed(templates)}
    stem = re.sub(r"(\.md)?(\.j2)?$", "", posixpath.basename(traced.strip_origins(name)))
    nearest = find_nearest(stem, stems)
    example = f"; write its path in the folder of templates, such as `{templates[0]}`" if templates else ""
    return f"; did you mean `{stems[nearest]}`?" if nearest else example


def explain_error(error: Exception, names: Callable[[], Iterable[str]]) -> str:
    """Explain why a template failed; `names` returns all template names."""
    if isinstance(error, TemplateNotFound):
        return f"unknown template `{error.name}`{_suggest_template(f'{error.name}', names())}"
    if isinstance(error, SecurityError):
        return f"templates must not do this: {error}"
    if explanation := _explain_known_error(error) or _explain_unknown(str(error)):
        return explanation
    if uncalled := re.fullmatch(r"'(\w+)' object is not callable", str(error)):
        hint = "; name what is in it after a dot, as in `platform.values.package`"
        return f"this is not a function, and takes no parentheses{hint if uncalled[1] == 'Namespace' else ''}"
    message = re.sub(r"^\S*?(?:do_|_)?(\w+)\(\)", r"\1()", str(error))
    if missing := re.fullmatch(r"(\w+)\(\) missing \d+ required (?:positional|keyword-only) arguments?: (.+)", message):
        return f"{missing[1]}() needs {missing[2]}".replace("'", "`")
    for pattern, explanation in _OPERATORS:
        if re.match(pattern, message):
            return explanation
    message = re.sub(r"'tutorial_tool\.\S+ object'", "text", message).replace("macro None", "the call block")
    message = re.sub(r"(?:jinja2\.utils\.)?\bNamespace\b", "mapping", message)
    return re.sub(r"'(\w+)'", r"`\1`", re.sub(r"\bTraced\b", "str", message)) or type(error).__name__


def _explain_known_error(error: Exception) -> str:
    """Explain a Python error whose message is not clear; "" for any other."""
    if re.match(r"(?:too many|not enough) values to unpack", str(error)):
        return "two names take pairs, and this gives none: `{% for id, one in platforms | items %}`"
    if isinstance(error, OverflowError) and "MAX_RANGE" in str(error):
        return f"`range()` takes at most {MAX_RANGE:,} numbers"
    return "this exceeds the memory limit" if isinstance(error, MemoryError) else ""


def _find_unclosed_print(source: Source, offset: int) -> Span | None:
    """Return the `{{` before an error, if it is unclosed on its line or before the next tag."""
    opened = source.text.rfind("{{", 0, offset)
    line = source.text.find("\n", opened)
    if opened < 0 or source.text.find("}}", opened, line if line >= 0 else None) >= 0:
        return None
    following = min((index for tag in ("{{", "{%") if (index := source.text.find(tag, opened + 2)) >= 0), default=None)
    is_open = source.text.find("}}", opened, following) < 0
    return Span(source, opened, opened + 2) if is_open else None


def _find_open_quote(text: str, offset: int) -> int:
    """Return where the tag has a quotation mark without another: Jinja reads on, and stops at a later tag's."""
    tags = _TAG.finditer(text, 0, offset) if text[offset : offset + 1] in "'\"" else ()
    code = (tag for tag in tags if tag[1] or tag[0].startswith("{{"))
    rests = ((tag.start(), _QUOTED.sub(lambda quoted: " " * len(quoted[0]), tag[0])) for tag in code)
    return next((start + quote.start() for start, rest in rests if (quote := re.search("['\"]", rest))), offset)


def _find_unclosed_tag(source: Source) -> Span | None:
    """Return the name of the innermost tag that is still open at the end of a template."""
    open_: list[Span] = []
    for tag in _TAG.finditer(source.text):
        name = tag[1]
        if open_ and name == f"end{open_[-1].text}":
            open_.pop()
        elif name in _BLOCKS and not (name == "set" and "=" in tag[2]):
            open_.append(source.span(tag.start(1), tag.end(1)))
    return open_[-1] if open_ else None


def _explain_unknown(message: str) -> str | None:
    match = re.match(_NO_SUCH, message)
    if match is None:
        return None
    if match[1] == "filter" and match[2] in GONE:
        return f"templates have no filter `{match[2]}`: {GONE[match[2]]}"
    names = FILTERS if match[1] == "filter" else TESTS
    return f"unknown {match[1]} `{match[2]}`{format_suggestion(match[2], sorted(set(names) - {match[2]}))}"


def _format_syntax_message(error: TemplateSyntaxError) -> str:
    message = re.sub(r" at \d+$", "", error.message or "").rstrip(".")
    if unknown := _explain_unknown(message):
        return unknown
    for right, ours in _SYNTAX:
        if match := re.match(right, message):
            return match.expand(ours)
    if tag := re.match(r"Encountered unknown tag '(\w+)'", message):
        if tag[1] in ("elseif", "elsif"):
            return f"unknown tag `{tag[1]}`; write `elif`"
        if re.fullmatch(f"{_CALLS}|platform|step|tutorial", tag[1]):
            return f"unknown tag `{tag[1]}`; write what prints between `{{{{` and `}}}}`"
        return f"unknown tag `{tag[1]}`{format_suggestion(tag[1], sorted(_BLOCKS | {'else', 'elif', 'include'}))}"
    return f"the template does not parse: {message[:1].lower()}{message[1:]}"


def _find_syntax_span(parsed: ParsedTemplate, error: TemplateSyntaxError) -> Span:
    problem = error.message or ""
    if match := re.search(r" at (\d+)$", problem):
        offset = _find_open_quote(parsed.source.text, int(match[1]))
    elif isinstance(error.lineno, LinePosition):
        offset = error.lineno.offset
        if unknown := re.match(_NO_SUCH, problem):
            offset = max(offset, parsed.source.text.find(unknown[2], offset))
        elif problem.startswith("Missing end of"):
            offset = max(parsed.source.text.rfind(opened, 0, offset) for opened in ("{#", "{%"))
    else:
        return parsed.get_line_span(error.lineno)
    offset = min(offset, len(parsed.source.text))
    token = re.compile(r"\w+|\S?").match(parsed.source.text, offset)
    return Span(parsed.source, offset, token.end() if token else offset)


def find_template_line(trace: TracebackType | None) -> tuple[str, int] | None:
    """Return the innermost template and line of a traceback, as recorded in Jinja's code objects."""
    result = None
    while trace is not None:
        template = trace.tb_frame.f_globals.get("__jinja_template__")
        if template is not None:
            result = template.name, template.get_corresponding_lineno(trace.tb_lineno)
        trace = trace.tb_next
    return result
