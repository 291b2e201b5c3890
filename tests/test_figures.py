"""Figures are drawn from the data: what they show is what the page says, and nothing in it can do harm."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests import project
from tests.project import DATA, TEMPLATES
from tutorial_tool.core.diagnostics import Severity
from tutorial_tool.site import Site
from tutorial_tool.site.figures import strip_markdown, svg
from tutorial_tool.site.figures.inline import compute_style_key, inline_figure
from tutorial_tool.site.figures.svg import measure_width, wrap_text

SVG = "{http://www.w3.org/2000/svg}"
PAGE = "---\ntitle: Prepare\n---\n## Menu {: #menu }\nAll about **Light | lamp**.\n\n"


def draw(folder: Path, call: str, *, data: str = DATA, **templates: str) -> Site:
    """A project whose step `prepare` calls `figure()`; `templates` are those of figures, by name."""
    files = {f"figures/{name.replace('_', '-')}.svg.j2": text for name, text in templates.items()}
    page = f"{PAGE}{{{{ {call} }}}}\n"
    return project.load(project.write(folder, data, {**TEMPLATES, "steps/prepare.md.j2": page, **files}))


def drawn(read: Site, path: str = "images/swan/prepare/menu.svg") -> ET.Element:
    assert not read.errors, read.errors
    return ET.fromstring(read.figures[path].svg)


def texts(picture: ET.Element) -> list[str]:
    return [element.text or "" for element in picture.iter(f"{SVG}text")]


def told(read: Site) -> list[str]:
    return [f"{f.span}: {f.rule}: {f.message}" for f in read.findings if "missing-part" not in f.rule]


# What stands at a figure's place


def test_a_picture_of_the_authors_own_takes_precedence(tmp_path: Path) -> None:
    picture = tmp_path / "docs_src/images/swan/prepare/menu.webp"
    picture.parent.mkdir(parents=True)
    picture.write_bytes(b"RIFF")
    read = draw(tmp_path, "figure('menu', alt='The menu', kind='menu', path=['Setup'])")
    assert "![The menu](../../images/swan/prepare/menu.webp)" in project.page(read, "swan/prepare").text
    assert set(read.figures) == {"images/otter/prepare/menu.svg"}


def test_a_template_with_the_figures_name_draws_it_else_the_kind_does(tmp_path: Path) -> None:
    own = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><text>{{ platform.name }}</text></svg>'
    read = draw(tmp_path, "figure('menu', alt='The menu', kind='menu', path=['Setup'])", menu=own)
    assert told(read) == [
        "site_templates/steps/prepare.md.j2:7:4: undefined-name: "
        "the figure's template `figures/menu.svg.j2` does not use `path`"
    ]
    read = draw(tmp_path, "figure('menu', alt='The menu')", menu=own)
    assert texts(drawn(read)) == ["Swan"]
    assert texts(drawn(read, "images/otter/prepare/menu.svg")) == ["Otter"]


def test_where_nothing_draws_a_figure_a_frame_stands_there_and_a_hint_says_so(tmp_path: Path) -> None:
    read = draw(tmp_path, "figure('menu', alt='The menu of the app')")
    assert texts(drawn(read)) == ["The menu of the app"]
    (hint,) = [finding for finding in read.findings if finding.rule == "missing-figure"]
    assert (hint.severity, hint.platforms) == (Severity.HINT, ("swan", "otter"))
    assert "Add an image at docs_src/images/{platform}/prepare/menu.png," in hint.message
    assert "write site_templates/figures/menu.svg.j2," in hint.message
    assert "figures/menu.svg.j2" in hint.message


def test_a_frame_that_is_wanted_is_no_finding(tmp_path: Path) -> None:
    read = draw(tmp_path, "figure('menu', alt='The menu of the app', kind='placeholder')")
    assert (texts(drawn(read)), told(read)) == (["The menu of the app"], [])


def test_two_figures_that_differ_cannot_stand_at_one_path(tmp_path: Path) -> None:
    data = DATA.replace("    title: Guide\n", "    title: Guide\n    images: images/{figure}.png\n")
    call = "figure('menu', alt='The menu', kind='menu', path=[platform.name])"
    assert told(draw(tmp_path, call, data=data)) == [
        "platforms.yaml:12:13: page-collision: "
        "two different figures would be at images/menu.svg; name {platform} in `images`"
    ]
    assert not draw(tmp_path, call.replace("platform.name", "'Setup'"), data=data).errors


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("kind='screen', fields=['Name', 'Expires']", "each of `fields` should be as in `[['Name', ''], ['Expires', 'Never', true]]`; this one is not"),
        ("kind='screen', items='Name'", "`items` should be a list, such as `['Name', ['Expires', 'After a year']]`, not `Name`"),
        ("kind='screen', note=true", "`note` should be text, not `true`"),
        ("kind='screen', title=['a']", "`title` should be text, not a list"),
        ("kind='screen', title=platform.label", "`title` should be text, not a function; call it, with `()` after its name"),
        ("kind='screen', items=['Otter', 'Heron'], selected='Oter'", "`selected` is not one of `items`: Oter; did you mean `Otter`?"),
        ("kind='screen', items=['a', ['b']]", "each of `items` should be as in `['Name', ['Expires', 'After a year']]`; this one is not"),
        ("kind='screen', fields=[['a', '', 'b']]", "each of `fields` should be as in `[['Name', ''], ['Expires', 'Never', true]]`; this one is not"),
        ("kind='screen', fields=[['a', 'b']], action='Go'", "`action` is for each of `items`, and there are none; a `button` is below all"),
        ("kind='menu', path='Setup'", "`path` should be a list, such as `['Setup', 'Apps']`, not `Setup`"),
        ("kind='menu', path=['Setup', ['a']]", "each of `path` should be as in `['Setup', 'Apps']`; this one is not"),
        ("kind='menu', path=[]", "`path` is empty, and there is nothing to draw"),
        ("kind=['menu']", "`kind` should be text, and is one of: flow, menu, placeholder, screen, settings"),
        ("kind='flow', nodes=['CI', 'Pulse']", "each of `nodes` should be as in `[['Input', 'App', 'Connection'], ['Output', 'Web']]`; this one is not"),
        ("kind='settings', table='settings', only='sound'", "`only` should be a list, such as `['sound']`, not `sound`"),
    ],
)  # fmt: skip
def test_a_kind_says_what_it_cannot_draw(tmp_path: Path, given: str, message: str) -> None:
    (found,) = told(draw(tmp_path, f"figure('menu', alt='The menu', {given})"))
    assert found.partition(": ")[2] == f"invalid-template: {message}"


def test_a_macro_says_in_an_own_template_what_it_cannot_draw(tmp_path: Path) -> None:
    own = (
        "{% from 'figures/parts.j2' import screen with context %}\n{{ screen(fields=['Name'], title=figure.heading) }}"
    )
    (found,) = told(draw(tmp_path, "figure('menu', alt='The menu', heading='A')", menu=own))
    assert found.startswith(
        "site_templates/figures/menu.svg.j2:2:20: invalid-template: each of `fields` should be as in"
    )


def test_a_list_that_a_filter_makes_is_drawn_and_described(tmp_path: Path) -> None:
    call = "figure('menu', alt='The menu', kind='screen', items=['a', 'b', 3] | map('upper'), selected='A')"
    picture = drawn(draw(tmp_path, call))
    assert texts(picture) == ["A", "B", "3"]
    assert " ".join((picture.findtext(f"{SVG}desc") or "").split()) == "✓ A; B; 3"


def test_an_own_figure_takes_what_it_likes(tmp_path: Path) -> None:
    own = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><text>{{ figure.path }} {{ figure.fields }}</text></svg>'
    read = draw(tmp_path, "figure('menu', alt='The menu', path='Setup', fields='x')", menu=own)
    assert texts(drawn(read)) == ["Setup x"]


# What figures show


def test_a_panel_shows_the_settings_in_the_states_that_the_table_recommends(tmp_path: Path) -> None:
    read = draw(tmp_path, "figure('menu', alt='Settings', kind='settings', table='settings', title='Settings')")
    swan, otter = drawn(read), drawn(read, "images/otter/prepare/menu.svg")
    assert texts(swan) == ["Settings", "Sound", "Enabled", "Light | lamp", "Disabled", "Wings", "Enabled"]
    assert texts(otter) == ["Settings", "Sound", "Enabled", "Light | lamp", "Enabled"]
    assert swan.findtext(f"{SVG}desc") == "Sound: Enabled; Light | lamp: Disabled; Wings: Enabled"
    switches = [shape.get("class") for shape in swan.iter(f"{SVG}circle")]
    assert switches == ["fig-knob", "fig-knob-off", "fig-knob"]


def test_a_panel_says_the_words_that_its_call_gives(tmp_path: Path) -> None:
    data = DATA.replace("setting: Sound,", 'setting: "Sound of {what}",')
    call = "figure('menu', alt='Settings', kind='settings', table='settings', what='rain')"
    assert texts(drawn(draw(tmp_path, call, data=data)))[0] == "Sound of rain"
    (found,) = told(draw(tmp_path, call.replace("what=", "waht="), data=data))
    assert "does not use `waht`" in found


def test_a_panel_beside_its_table_needs_the_same_words(tmp_path: Path) -> None:
    data = DATA.replace("setting: Sound,", 'setting: "Sound of {what}",')
    call = "figure('menu', alt='Settings', kind='settings', table='settings')"
    table = "table('settings', what='rain') }}\n\n{{ "
    (found,) = told(draw(tmp_path, table + call, data=data))
    assert found.endswith("the table on this page sets `{what}`: set it here, too, as `what=…`")
    assert not told(draw(tmp_path, table + call.replace("alt=", "what='rain', alt="), data=data))
    (hint,) = told(draw(tmp_path, table.replace(", what='rain'", "") + call, data=data))
    assert "undefined-name: readers see `{what}` literally" in hint, "the panel says what the table says"


def test_what_the_step_speaks_of_stands_out(tmp_path: Path) -> None:
    picture = drawn(draw(tmp_path, "figure('menu', alt='Settings', kind='settings', table='settings')"))
    (tint,) = [shape for shape in picture.iter(f"{SVG}rect") if shape.get("class") == "fig-tint"]
    names = {text.text: float(text.get("y", 0)) for text in picture.iter(f"{SVG}text")}
    top = float(tint.get("y", 0))
    assert [name for name, y in names.items() if top < y < top + float(tint.get("height", 0))] == [
        "Light | lamp",
        "Disabled",
    ]


def test_tables_pictures_and_code_do_not_speak(tmp_path: Path) -> None:
    page = (
        "---\ntitle: Prepare\n---\n## Menu {: #menu }\n\n{{ table('settings') }}\n\n![Wings](w.png)\n\n"
        "```\nSound\n```\n\n<!-- Sound -->\n\n{{ figure('menu', alt='') }}\n\nSet **Light | lamp**, not Wingspan.\n"
    )
    own = f"{HEAD}{{% for row in settings('settings') if row.spoken %}}<text>{{{{ row.name }}}}</text>{{% endfor %}}</svg>"
    files = {**TEMPLATES, "steps/prepare.md.j2": page, "figures/menu.svg.j2": own}
    read = project.load(project.write(tmp_path, DATA, files, {"images/w.png": ""}))
    assert texts(drawn(read)) == ["Light | lamp"]
    assert "figures/menu.svg.j2" in project.page(read, "swan/prepare").used_files


def test_the_data_says_which_words_are_on_and_off_in_its_language(tmp_path: Path) -> None:
    german = DATA.replace("Enabled", "Ein").replace("Disabled", "Aus")
    call = "figure('menu', alt='Einstellungen', kind='settings', table='settings')"
    switches = "fig-knob", "fig-knob-off", "fig-knob"
    without = drawn(draw(tmp_path / "without", call, data=german))
    assert not list(without.iter(f"{SVG}circle"))
    picture = drawn(draw(tmp_path / "with", call, data=f"{german}states: {{on: [Ein], off: [Aus]}}\n"))
    assert tuple(shape.get("class") for shape in picture.iter(f"{SVG}circle")) == switches


def test_words_that_are_no_states_have_no_switch(tmp_path: Path) -> None:
    data = DATA.replace("[Enabled, Disabled]", "[Enabled, Disabled, Cleared]").replace(
        "value: Disabled", "value: Cleared"
    )
    picture = drawn(draw(tmp_path, "figure('menu', alt='A', kind='settings', table='settings')", data=data))
    assert "Cleared" in texts(picture)
    assert len(list(picture.iter(f"{SVG}circle"))) == 2


@pytest.mark.parametrize(
    ("call", "shown"),
    [
        ("kind='menu', path=['Setup', 'Inputs']", ["Setup", "1", "Inputs", "2"]),
        (
            "kind='flow', nodes=[['Input', 'Swan', 'Wire'], ['Output', 'Lake']]",
            ["Input", "Swan", "Output", "Lake", "Wire"],
        ),
        ("kind='flow', nodes=[['A', 'B', 'c'], ['D', 'E'], ['F', 'G']]", ["A", "B", "c", "D", "E", "F", "G"]),
        (
            "kind='screen', title='T', fields=[['Name', 'x']], items=['a', ['b', 'c']]",
            ["T", "Name", "x", "a", "b", "c"],
        ),
        ("kind='screen', note='Nothing yet', button='Go'", ["Nothing yet", "Go"]),
        ("kind='settings', table='settings', only=['wings'], button='Save'", ["Wings", "Enabled", "Save"]),
        ("kind='placeholder'", ["The picture"]),
    ],
)
def test_the_kinds_that_come_with_the_tool(call: str, shown: list[str], tmp_path: Path) -> None:
    read = draw(tmp_path, f"figure('menu', alt='The picture', {call})")
    assert texts(drawn(read)) == shown


def test_every_picture_has_a_title_a_size_and_both_colour_schemes(tmp_path: Path) -> None:
    read = draw(tmp_path, "figure('menu', alt='The menu', kind='menu', path=['Setup', 'Inputs'])")
    picture, text = drawn(read), read.figures["images/swan/prepare/menu.svg"].svg
    assert picture.get("role") == "img"
    assert picture.findtext(f"{SVG}title") == "The menu"
    assert picture.findtext(f"{SVG}desc") == "Setup → Inputs"
    assert (picture.get("aria-labelledby"), picture.get("aria-describedby")) == ("title", "says")
    assert picture.get("viewBox") == f"0 0 {picture.get('width')} {picture.get('height')}"
    assert "@media (prefers-color-scheme:dark)" in text


@given(st.text(min_size=1, max_size=400), st.floats(60, 400))
def test_lines_hold_the_whole_text_and_fit(text: str, wide: float) -> None:
    lines = wrap_text(text, wide)
    assert "".join("".join(lines).split()) == "".join(text.split())
    assert all(measure_width(line) <= wide or len(line) == 1 for line in lines)


@pytest.mark.parametrize(
    ("cell", "seen"),
    [
        ("**Send** as *batch*", "Send as batch"),
        ("`send_as_batch`", "send_as_batch"),
        ("[the X](https://example.com/)", "the X"),
        ("a \\| b", "a | b"),
        ("2 * 3", "2 * 3"),
    ],
)
def test_a_cell_as_readers_see_it(cell: str, seen: str) -> None:
    assert strip_markdown(cell) == seen


# What goes wrong


@pytest.mark.parametrize(
    ("call", "finding"),
    [
        (
            "figure('menu', alt='', kind='menue', path=[])",
            "7:33: undefined-name: unknown figure kind `menue` (no `figures/menue.svg.j2`); did you mean `menu`?",
        ),
        (
            "figure('menu', alt='', kind='menu', paht=['A'])",
            "7:4: undefined-name: figure `menu` has no `path` (site_templates/steps/prepare.md.j2:7:4); did you mean `paht`?",
        ),
        (
            "figure('menu', alt='', kind='screen', titel='A')",
            "7:49: undefined-name: the figure's template `figures/screen.svg.j2` does not use `titel`; did you mean `title`?",
        ),
        (
            "figure('menu', alt='', kind='settings', table='seting')",
            "7:51: undefined-name: unknown table `seting`; did you mean `settings`?",
        ),
        (
            "figure('menu', alt='', kind='settings', table='settings', only=['wing'])",
            "7:69: undefined-name: table `settings` has no row `wing`; did you mean `wings`?",
        ),
    ],
)
def test_a_wrong_call_is_told_where_it_stands(call: str, finding: str, tmp_path: Path) -> None:
    assert told(draw(tmp_path, call)) == [f"site_templates/steps/prepare.md.j2:{finding}"]


HEAD = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">\n'


@pytest.mark.parametrize(
    ("template", "finding"),
    [
        (f"{HEAD}<text>{{{{ platform.nmae }}}}</text></svg>", "2:19: undefined-name: platform `swan` has no `nmae`"),
        (f"{HEAD}<g><rect/></svg>", "2:13: invalid-template: the figure is not well-formed XML: mismatched tag"),
        (f"{HEAD}{{% if %}}</svg>", "2:7: invalid-template: a name or value is missing in this tag"),
        ("", "1:1: invalid-template: the figure's template prints nothing"),
        ("<p/>", "1:1: invalid-template: the figure's outermost element is `p`; it must be `svg`"),
        ("<svg/>", "1:1: invalid-template: the figure's `svg` element lacks `xmlns`"),
        (
            f"{HEAD}<script>1</script></svg>",
            "2:1: invalid-template: a figure must not contain `script`: it could run code",
        ),
        (
            f"{HEAD}<g onclick='x()'/></svg>",
            "2:1: invalid-template: a figure must not contain `onclick`: it could run code",
        ),
        (f"{HEAD}<image href='//e.com/x.png'/></svg>", "2:1: invalid-template: a figure must not load `//e.com/x.png`"),
        (
            f"{HEAD}<a href='javascript:x'><g/></a></svg>",
            "2:1: invalid-template: a figure must not load `javascript:x`",
        ),
        (f"{HEAD}<style>@import 'x';</style></svg>", "2:8: invalid-template: a figure's style may not load anything"),
        (f"{HEAD}<g fill='url(//e.com/#x)'/></svg>", "2:1: invalid-template: a figure must not load `url(//e.com/#x)`"),
        (f"<!DOCTYPE svg>{HEAD}</svg>", "1:14: invalid-template: a figure must not declare a document type"),
    ],
)
def test_a_mistake_in_a_figures_template_is_told_there(template: str, finding: str, tmp_path: Path) -> None:
    read = draw(tmp_path, "figure('menu', alt='')", menu=template)
    (found,) = told(read)
    assert found.startswith(f"site_templates/figures/menu.svg.j2:{finding}")
    (only,) = read.errors
    assert only.platforms[:1] == ("swan",)


def test_a_template_of_figures_that_nothing_uses_is_found(tmp_path: Path) -> None:
    from tutorial_tool.config.settings import Config
    from tutorial_tool.linter import engine

    read = draw(tmp_path, "figure('menu', alt='The menu', kind='menu', path=['A'])", lonely="<svg/>")
    unused = [f"{f.span}" for f in engine.run(read, Config()) if f.rule == "unused-template"]
    assert "site_templates/figures/lonely.svg.j2:1:1" in unused


# Nothing that is printed is markup


@given(st.text(max_size=60))
def test_what_is_printed_is_text(text: str) -> None:
    element = ET.fromstring(f'<a b="{svg.escape_xml(text)}">{svg.escape_xml(text)}</a>'.encode())
    expected = re.sub("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]", "", text)
    assert (element.text or "") == expected.replace("\r\n", "\n").replace("\r", "\n")


PAYLOADS = [
    "</text><script>x()</script>",
    '" onload="x()',
    "' onmouseover='x()",
    "]]><script>x()</script>",
    "<!--",
    "&#x3c;script>",
    "&xxe;",
    "{{ 7 * 7 }}",
    "\x00\x0b",
]


@pytest.mark.parametrize("payload", PAYLOADS)
def test_no_value_can_bring_markup(payload: str, tmp_path: Path) -> None:
    escaped = payload.encode("unicode_escape").decode().replace('"', '\\"')
    data = DATA.replace("Swan menu", f'"{escaped}"').replace("{setting: Sound,", f'{{setting: "{escaped}",')
    label = "platform.label('menu')"
    calls = [
        f"figure('menu', alt={label}, kind='settings', table='settings', title={label}, button={label})",
        f"figure('menu', alt={label}, kind='screen', title={label}, items=[{label}], fields=[[{label}, {label}]])",
        f"figure('menu', alt={label}, kind='screen', action={label}, items=['a'], note={label}, button={label} | upper)",
        f"figure('menu', alt={label}, kind='flow', nodes=[[{label}, {label}, {label}], [{label} ~ 'x', {label}]])",
        f"figure('menu', alt={label}, kind='menu', path=[{label}, {label} | replace('x', 'y')])",
        f"figure('menu', alt={label})",
    ]
    names: set[str] = set()
    for number, call in enumerate(calls):
        picture = drawn(draw(tmp_path / str(number), call, data=data))
        names |= {element.tag.removeprefix(SVG) for element in picture.iter()}
        assert not [name for element in picture.iter() for name in element.attrib if name.startswith("on")]
    assert names == {"svg", "title", "desc", "style", "rect", "line", "text", "circle", "path"}


def test_no_filter_gets_past_the_escaping(tmp_path: Path) -> None:
    own = f"{HEAD}<text>{{{{ '<b>' }}}}{{{{ ('<i>' ~ '&') }}}}{{% set x %}}<tspan>{{{{ '<u>' }}}}</tspan>{{% endset %}}{{{{ x }}}}</text></svg>"
    read = draw(tmp_path, "figure('menu', alt='')", menu=own)
    assert (
        "<text>&lt;b&gt;&lt;i&gt;&amp;<tspan>&lt;u&gt;</tspan></text>"
        in read.figures["images/swan/prepare/menu.svg"].svg
    )
    safe = draw(tmp_path, "figure('menu', alt='')", menu=f"{HEAD}{{{{ '<b>' | safe }}}}</svg>")
    assert "unknown filter `safe`" in told(safe)[0]
    assert "did you mean 'safe'" not in told(safe)[0]


# In a page


def test_ids_and_styles_of_a_figure_in_a_page_are_its_own() -> None:
    figure = (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 20 10" aria-labelledby="t d">\n<title id="t">T</title>'
        "<style>rect, g:is(.a, .b){fill:red}@media (prefers-color-scheme:dark){rect{fill:blue}}\n"
        "@media print{rect{fill:#000}}/* } */@font-face{font-family:x}</style>"
        '<rect id="r" fill="url(#g)"/><use href="#r"/><text>id="r" #g</text></svg>'
    )
    one = inline_figure(figure, "one-", ".it", ".dark")
    assert one.svg == (
        '<svg viewBox="0 0 20 10" aria-labelledby="one-t one-d">\n<title id="one-t">T</title>'
        '<rect id="one-r" fill="url(#one-g)"/><use href="#one-r"/><text>id="r" #g</text></svg>'
    )
    assert one.style == (
        ".it rect,.it g:is(.a, .b){fill:red}\n@media screen{.dark .it rect{fill:blue}\n}"
        "@media print{.it rect{fill:#000}\n}@font-face{font-family:x}"
    )
    assert (one.width, one.height, one.fluid) == (20, 10, False)
    assert "blue" not in inline_figure(figure, "one-", ".it", None).style
    assert compute_style_key(figure) == compute_style_key(figure.replace("<title", "<desc>x</desc><title"))


def test_a_drawing_from_another_program_can_be_a_template(tmp_path: Path) -> None:
    own = (
        "{# From a drawing program #}\n<?xml version='1.0' encoding='UTF-8'?>\n<!-- made by hand -->\n"
        "<svg xmlns='http://www.w3.org/2000/svg' xmlns:d='http://example.com/d' viewBox='0 0 9 9'>"
        "<d:view/><text>{{ platform.name }}</text></svg>"
    )
    read = draw(tmp_path, "figure('menu', alt='')", menu=own)
    assert texts(drawn(read)) == ["Swan"]
    assert inline_figure(read.figures["images/swan/prepare/menu.svg"].svg, "x-", ".it", None).svg.startswith("<svg ")


def test_the_examples_of_the_guide_draw(tmp_path: Path) -> None:
    guide = (Path(__file__).parent.parent / "docs_src/reference/template-functions.md").read_text()
    calls, own = re.findall(r"^```jinja\n(.*?)^```", guide.partition("## Figures")[2], re.MULTILINE | re.DOTALL)[:2]
    page = f"{PAGE}{calls}\n{{{{ figure('own', alt='') }}}}".replace("connection-settings", "settings")
    files = {
        "steps/prepare.md.j2": page.replace("'input'", "'menu'"),
        "figures/own.svg.j2": own.replace("'input'", "'menu'"),
    }
    read = project.load(project.write(tmp_path, DATA, {**TEMPLATES, **files}))
    shown = {path.rpartition("/")[2]: texts(drawn(read, path)) for path in read.figures if "/swan/" in path}
    assert shown == {
        "settings.svg": ["Settings", "Sound", "Enabled", "Light | lamp", "Disabled", "Wings", "Enabled"],
        "wiring.svg": ["Input", "Swan", "menu", "Output", "Webhook", "Connection"],
        "where.svg": ["Setup", "1", "Inputs", "2"],
        "list.svg": ["Inputs", "iOS", "Android"],
        "form.svg": ["New input", "Name", "My app", "Expires", "", "Save"],
        "own.svg": ["Inputs", "Swan menu", "Otter’s menu"],
    }


def test_a_fluid_figure_keeps_its_height_and_fills_its_place(tmp_path: Path) -> None:
    read = draw(tmp_path, "figure('menu', alt='The menu', kind='menu', path=['Setup'])")
    text = read.figures["images/swan/prepare/menu.svg"].svg
    shown = inline_figure(text, "x-", ".it", None)
    assert re.search(r'<svg class="fig-drawing" role="img" [^>]* style="max-width:440px;height:\d+px">', shown.svg)
    assert "viewBox" not in shown.svg
    assert shown.fluid
