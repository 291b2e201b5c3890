"""What `platforms.yaml` means, what is wrong with it, and that its JSON Schema says the same."""

from __future__ import annotations

import json
import re

import jsonschema
import pytest
import yaml

from tests.mutations import CHANGES, mutated, paths
from tests.project import DATA
from tutorial_tool import data
from tutorial_tool.core.source import Source
from tutorial_tool.core.traced import strip_origins
from tutorial_tool.data.model import Model, building, shapes
from tutorial_tool.data.model.parts import FileStyle, Platform

WHOLE = """\
platforms:
  swan: {name: Swan, labels: {menu: Menu, home: Nest}, values: {kit: {name: swan-kit}, sizes: [1.10, 007]}, can: [fly]}
  goose: {name: Goose, extends: swan, labels: {menu: Goose menu}, code: {start: samples/goose.py#start}}
  otter: {name: Otter, can: [dive]}
  seal: {name: Seal}
groups:
  birds: [swan, goose]
  divers: [otter, seal]
  furry: [otter]
tutorials:
  guide:
    title: Guide
    path: guide/{platform}/{step}
    steps:
      - {id: welcome, numbered: false}
      - {id: fly, only: [birds]}
      - {id: dive, not-on: {swan: Swans float}, numbering: {sections: false}, files: {otter: {newline: crlf, bom: true}}}
      - rest
    on:
      seal: {steps: [rest, dive], titles: {rest: Lie down}}
      divers: {titles: {rest: Sleep, dive: Dive deep}}
  other:
    title: Other
    platforms: [birds]
    steps: [welcome]
tables:
  food:
    columns: {name: Name, amount: Amount}
    values: {amount: [Much, Little]}
    rows:
      fish:
        name: Fish
        amount: Little
        on:
          divers: {amount: Much, because: They dive}
          swan: {omit: Swans eat plants}
          goose: {name: Small fish}
      algae: {name: Algae, amount: Much, only: [birds, seal], on: {goose: {amount: Little}}}
states: {on: [Ein, Aktiv], off: [Aus]}
strings: {step: "part {number}"}
"""


def read(text: str) -> Model:
    source = Source("platforms.yaml", text)
    loaded = data.load_yaml(source)
    assert not loaded.findings
    return building.build_model([(source, loaded.node)])


def problems(text: str) -> list[str]:
    source = Source("platforms.yaml", text)
    loaded = data.load_yaml(source)
    found = [*loaded.findings, *building.build_model([(source, loaded.node)]).findings]
    return [f"{f.span.position.line}:{f.span.position.column} {f.message}" for f in found]


WHOLE_MODEL = read(WHOLE)


def platform(id_: str) -> Platform:
    return WHOLE_MODEL.platforms[id_]


def test_a_good_file_has_no_findings() -> None:
    assert WHOLE_MODEL.findings == ()


def test_a_platform_has_what_it_extends() -> None:
    goose = platform("goose")
    assert dict(goose.labels) == {"menu": "Goose menu", "home": "Nest"}
    assert goose.can == {"fly"}
    assert set(goose.values) == {"kit", "sizes"}
    assert goose.levels == (("goose",), ("swan",), ("birds",))


def test_values_print_as_they_were_typed() -> None:
    sizes = platform("swan").values["sizes"]
    assert isinstance(sizes, data.Sequence)
    assert data.convert_to_plain(sizes) == ["1.10", "007"]


@pytest.mark.slow
@pytest.mark.parametrize(
    "word", ["On", "Off", "Yes", "no", "1.10", "007", "5:30", "2026-01-01", "~", "null", "y", "0x1F"]
)
def test_every_scalar_is_the_text_as_written(word: str) -> None:
    text = f"platforms: {{swan: {{name: {word}, values: {{on: {word}, no: {word}, y: {word}}}}}}}"
    swan = read(text).platforms["swan"]
    assert swan.name == word
    assert {key: data.convert_to_plain(value) for key, value in swan.values.items()} == {
        "on": word,
        "no": word,
        "y": word,
    }


def test_steps_of_a_platform() -> None:
    guide = WHOLE_MODEL.tutorials["guide"]

    def steps(id_: str) -> list[str]:
        return [step.id for step in guide.get_steps(platform(id_))]

    assert steps("swan") == ["welcome", "fly", "rest"]
    assert steps("goose") == ["welcome", "fly", "dive", "rest"]
    assert steps("otter") == ["welcome", "dive", "rest"]
    assert steps("seal") == ["rest", "dive"]
    assert guide.get_absence_reason(guide.steps["dive"], platform("swan")) == "Swans float"
    assert guide.get_absence_reason(guide.steps["fly"], platform("otter")) == ""
    assert guide.get_absence_reason(guide.steps["fly"], platform("swan")) is None
    assert WHOLE_MODEL.tutorials["other"].get_steps(platform("otter")) == []


def test_what_a_platform_says_wins_over_its_groups() -> None:
    guide = WHOLE_MODEL.tutorials["guide"]
    titles = {id_: guide.get_title(guide.steps["rest"], platform(id_)) for id_ in WHOLE_MODEL.platforms}
    assert titles == {"swan": None, "goose": None, "otter": "Sleep", "seal": "Lie down"}


def test_rows_of_a_platform() -> None:
    fish = WHOLE_MODEL.tables["food"].rows["fish"]

    def cells(id_: str) -> list[str]:
        found = [fish.get_cell(column, platform(id_)) for column in ("name", "amount")]
        return [strip_origins(cell.text) for cell in found if cell]

    assert fish.is_omitted(platform("swan"))
    assert not fish.is_omitted(platform("goose")), "what it says itself is nearer than what it extends"
    assert cells("goose") == ["Small fish", "Little"]
    assert cells("otter") == ["Fish", "Much"]


def test_a_row_may_stand_on_some_platforms_only() -> None:
    table = WHOLE_MODEL.tables["food"]
    assert [row.id for row in table.get_rows(platform("otter"))] == ["fish"]
    assert [row.id for row in table.get_rows(platform("seal"))] == ["fish", "algae"]
    assert [row.id for row in table.get_rows(platform("swan"))] == ["algae"]


def test_only_is_for_a_platform_and_not_for_those_that_extend_it() -> None:
    platforms = "platforms: {a: {name: A}, b: {name: B, extends: a}}\n"
    found = read(f"{platforms}tables: {{t: {{columns: {{c: C}}, rows: {{r: {{c: x, only: [a]}}, s: {{c: y}}}}}}}}")
    assert [[row.id for row in found.tables["t"].get_rows(each)] for each in found.platforms.values()] == [
        ["r", "s"],
        ["s"],
    ]


def test_groups_need_not_agree_about_a_row_that_is_not_there() -> None:
    rows = "{r: {c: On, only: [b], on: {n: {c: Up}, m: {c: Off}}}, s: {c: y}}"
    assert problems(f"{GROUPS}tables: {{t: {{columns: {{c: C}}, rows: {rows}}}}}") == [
        "3:84 the row is not on `m`: name it in `only`, or remove this"
    ]


MISTAKES = {
    "platforms: {swan: {name: Swan, lables: {}}}": "1:32 unknown key `lables` in `swan`; did you mean `labels`?",
    "platforms: {swan: {}}": "1:19 `swan` lacks `name`",
    "platforms: [swan]": "1:12 `platforms` should be a mapping, not a list",
    "platforms: {swan}": "1:17 `swan` should be a mapping, such as {name: Web}, not nothing",
    "{platforms: [a], tables: {t: {columns: {c: C}, rows: {r: {c: x, on: {a: {c: y}}}}}}}": (
        "1:13 `platforms` should be a mapping, not a list"
    ),
    "platforms: {swan: {name: Swan, labels: [Menu]}}": (
        "1:40 `labels` should be a mapping of roles and words, such as `{menu: Settings}`, not a list"
    ),
    "platforms: {swan: {name: [a]}}": "1:26 `name` should be text, not a list",
    "platforms: {swan: {name: }}": "1:26 `name` is empty; it should be text",
    "platforms: {s wan: {name: Swan}}": (
        "1:13 a key of `platforms` should be an id of letters, digits, - and _, not `s wan`; write `s-wan`"
    ),
    "platforms: {a: {name: A, extends: b}}": "1:35 unknown platform `b`",
    "platforms: {a: {name: A, extends: b}, b: {name: B, extends: a}}": "1:61 platform `a` extends itself: a > b > a",
    "platforms: {a: {name: A}}\ngroups: {g: [aa]}": "2:14 group `g`: unknown platform or group `aa`; did you mean `a`?",
    "platforms: {a: {name: A}}\ngroups: {a: [a]}": "2:10 group `a` has the id of a platform",
    "tutorials: {t: {title: T, steps: [a, a]}}": "1:38 step `a` is repeated here",
    "tutorials: {t: {title: T, steps: [{id: a, numbered: no}]}}": "1:53 `numbered` should be true or false, not `no`",
    "tutorials: {t: {title: T, path: 'x/{stp}', steps: []}}": (
        "1:36 `path` may use `{tutorial}`, `{platform}`, `{step}`, not `{stp}`; did you mean `step`?"
    ),
    "platforms: {a: {name: A}}\ntutorials: {t: {title: T, steps: [x], on: {a: {steps: [xx]}}}}": (
        "2:56 unknown step `xx`; did you mean `x`?"
    ),
    "tables: {t: {columns: {on: On}, rows: {}}}": "1:24 `on` is a reserved word and cannot name a column",
    "tables: {t: {columns: {c: C}, values: {c: [Yes]}, rows: {r: {c: Yess}}}}": (
        "1:65 column `c` does not allow `Yess`; did you mean `Yes`?"
    ),
    "tables: {t: {columns: {c: C}, values: {c: [Yes, '3']}, rows: {r: {c: 4}}}}": (
        "1:70 column `c` does not allow `4`; it allows Yes, 3"
    ),
    "tables: {t: {columns: {c: C}, rows: {r: {c: x, becuase: y}}}}": "1:48 unknown column `becuase`; did you mean `because`?",
    "tables: {t: {columns: {col: C}, rows: {r: {cal: Yes, col: x}}}}": "1:44 unknown column `cal`; did you mean `col`?",
    "platforms: {p: {name: P}}\ntables: {t: {columns: {c: C}, rows: {r: {}}}}": "2:38 row `r` lacks `c`",
    "platforms: {a: {name: A}}\ntutorials: {t: {title: T, steps: [x: {only: [a]}]}}": (
        "2:35 an entry of `steps` has `x` as a key: write `id: x`, and `only` beside it"
    ),
    "platforms: {a: {name: A}}\ntutorials: {t: {title: T, steps: [{id: x, only: a}]}}": (
        "2:49 `only` should be a list, not `a`; write `[a]`"
    ),
    "plaforms: {a: {name: A}}\ngroups: {g: [a]}": "1:1 unknown key `plaforms` in the file; did you mean `platforms`?",
    "strings: {step: 'Schritt {numbr}'}": ("1:26 `step` may use `{number}`, not `{numbr}`; did you mean `number`?"),
    "strings: {title: 'Schritt {number}'}": "1:18 `title` should show `{title}`, as its default does: `Step {number}. {title}`",
    "strings: {step: Schritt}": "1:17 `step` should show `{number}`, as its default does: `step {number}`",
    "strings: {title: 'Nr. {number: {title}'}": "1:23 `title` has a single `{`: names are written in two pairs of braces",
    "strings: {stepp: 'Nr. {number}'}": "1:11 unknown key `stepp` in `strings`; did you mean `step`?",
    "strings: {next: 'To {title}'}": "1:21 `next` may use no names in braces, not `{title}`",
    "states: {on: [Ein], off: [Aus, EIN]}": "1:32 `EIN` belongs below `on` too: a word has one meaning",
    "states: {On: [Ein]}": "1:10 unknown key `On` in `states`; did you mean `on`?",
    "platforms: {A: {name: A}}\ngroups: {g: [a]}": "2:14 group `g`: unknown platform or group `a`; did you mean `A`?",
    "platforms: {a: {name: A}, b: {name: B}}\ngroups: {g: a b}": "2:13 `g` should be a list, not `a b`; write `[a, b]`",
    "platforms: {a: {name: A}}\ntutorials: {t: {title: T, steps: [{id: x, not-on: {a: }}]}}": (
        '2:55 `a` is empty; it should say why, in words such as "It has no screens"'
    ),
    "platforms: {a: {name: A}}\nt: {columns: {c: C}, rows: {r: {c: x}}}": (
        "2:1 unknown key `t` in the file; write it below `tables`"
    ),
    "platforms: {a: {name: A}}\ntutorials: {t: {title: T, steps: x y}}": (
        "2:34 `steps` should be a list, not `x y`; write `[x, y]`"
    ),
    "platforms: {a: {name: A}}\ngroups: {g: []}": "2:13 `g` is empty",
    "platforms: {a: {name: A, extends: g}}\ngroups: {g: [a]}": (
        "1:35 unknown platform `g`; that is a group, and a platform extends another one"
    ),
    "platforms: {a: {name: A, inherits: b}}": "1:26 unknown key `inherits` in `a`; write `extends`",
    "platforms: {a: {name: A}}\ntables: {t: {columns: {c: C}, rows: {r: {c: x, on: {a: {omit: No, c: y}}}}}}": (
        "2:67 the row is omitted here, and `c` is not shown: remove one of the two"
    ),
    "platforms: {a: {name: A}}\ntables: {t: {columns: {c: C}, rows: {r: {c: x, on: {a: {omit: No}}}}}}": (
        "2:38 no platform has the row `r`: `omit` leaves none; remove the row"
    ),
    "platforms: {a: {name: A}, b: {name: B}}\ntables: {t: {columns: {c: C}, rows: {r: {c: x, only: [a], on: {a: {omit: No}}}}}}": (
        "2:38 no platform has the row `r`: `only` and `omit` leave none; remove the row"
    ),
    "platforms: {a: {name: A}, b: {name: B}}\ntables: {t: {columns: {c: C}, rows: {r: {c: x, only: [a], on: {b: {c: y}}}}}}": (
        "2:71 the row is not on `b`: name it in `only`, or remove this"
    ),
    "platforms: {a: {name: A}, b: {name: B}}\ntables: {t: {columns: {c: C}, rows: {r: {c: x, only: [c]}}}}": (
        "2:55 `only`: unknown platform or group `c`; use one of: a, b"
    ),
    "platforms: {a: {name: A}}\ntables: {t: {columns: {c: C}, rows: {r: {c: x, only: []}}}}": "2:54 `only` is empty",
    "platforms: {a: {name: A}}\ntables: {t: {columns: {c: C}, rows: {r: {c: x, only: a}}}}": (
        "2:54 `only` should be a list, not `a`; write `[a]`"
    ),
    "platforms: {a: {name: A}}\ntables: {t: {columns: {c: C}, rows: {r: {c: x, on: {a: {only: [a]}}}}}}": (
        "2:57 unknown key `only` in `a`; write it beside `on`"
    ),
    "platforms: {a: {name: A}}\ntables: {t: {columns: {only: C}, rows: {}}}": (
        "2:24 `only` is a reserved word and cannot name a column"
    ),
    "platforms: {a: {name: A}}\ntables: {t: {columns: {c: C}, rows: {r: {c: x, platforms: [a]}}}}": (
        "2:48 unknown key `platforms` in a row; write `only`"
    ),
    "platforms: {a: {name: A}}\ntables: {t: {columns: {c: C}, rows: {r: {c: x, not-on: {a: No}}}}}": (
        "2:48 unknown key `not-on` in a row; write `on: {PLATFORM: {omit: WHY}}`"
    ),
    "platforms: {a: {name: A}, b: {name: B}}\ntables: {t: {columns: {c: C, d: D}, rows: {r: {on: {a: {c: x, d: y}}}}}}": (
        "2:44 row `r` lacks `c` and `d` on b; write them below `on`, or why the row is not there, in `omit`"
    ),
    "platforms: {a: {name: A}, b: {name: B}}\ntables: {t: {columns: {c: C, d: D}, rows: {r: {c: x, on: {a: {d: y}}}}}}": (
        "2:44 row `r` lacks `d` on b; write it below `on`, or why the row is not there, in `omit`"
    ),
    "platforms: {a: {name: A, labels: {menu: }}}": "1:41 `menu` is empty; it should be text",
    "platforms: {a: {name: A}}\ntutorials: {t: {title: T, steps: []}}": "2:34 `steps` is empty",
    "platforms: {a: {name: A}}\ntutorials: {t: {title: T, numbering: {step: false}, steps: [x]}}": (
        "2:39 unknown key `step` in `numbering`; did you mean `steps`?"
    ),
    "platforms: {a: {name: A}}\ntables: {t: {columns: {c: C}, rows: {r: {c: x, a: {c: y}}}}}": (
        "2:48 what a row says for `a` belongs below `on`: write `on: {a: {…}}`"
    ),
    "platforms: {a: {name: A}}\ntables: {t: {columns: {c: C}, rows: {r: {c: x, on: {a: {omit: true}}}}}}": (
        '2:63 `omit` should say why, in words such as "It has no screens", not `true`'
    ),
    "platforms: {a: {name: A}}\ntables: {t: {columns: {c: C}, rows: {r: {c: x, on: {a: {c: y, because: true}}}}}}": (
        '2:72 `because` should say why, in words such as "It has no screens", not `true`'
    ),
    "platforms: {a: {name: A}, b: {name: A}}\ntutorials: {t: {title: T, steps: [x]}}": (
        "1:27 platform `b` has the name of `a`: readers can't tell them apart"
    ),
    "tutorials: {t: {title: T, path: '{platform}/{step}.md', steps: [x]}}": ("1:33 `path` has no suffix: remove `.md`"),
    "tutorials: {t: {title: T, steps: [Prüfen Größe]}}": (
        "1:35 an entry of `steps` should be an id of letters, digits, - and _, not `Prüfen Größe`; write `Prufen-Grosse`"
    ),
    "tutorials: {t: {title: T, steps: [początek ł]}}": (
        "1:35 an entry of `steps` should be an id of letters, digits, - and _, not `początek ł`"
    ),
    "strings: {stop: x}": "1:11 unknown key `stop` in `strings`; did you mean `step`?",
    "a: 1\nplatforms: {}\n": "1:1 unknown key `a` in the file; it takes include, platforms, groups, tutorials, tables, states, strings",
    "platforms: {a: {name: A}, a: {name: B}}": "1:27 duplicate key `a`; remove one",
}


def test_a_title_need_not_show_the_number() -> None:
    assert problems("platforms: {}\nstrings: {title: 'Lesson: {title}'}") == problems("platforms: {}\n")


@pytest.mark.parametrize("text", MISTAKES)
def test_a_mistake_is_told_at_its_place(text: str) -> None:
    assert MISTAKES[text] in problems(text)


def test_all_mistakes_are_told_in_one_run() -> None:
    text = "platforms:\n  a: {nam: A}\n  b: {name: B, extends: c}\ngroups: {g: [d]}\ntables: {t: {rows: []}}\n"
    assert [problem.split()[0] for problem in problems(text)] == ["2:7", "5:20", "5:13", "4:14", "3:25"]


def test_two_groups_that_disagree_are_an_error() -> None:
    row = "      fish:\n        name: Fish\n        amount: Little\n        on: {divers: {amount: Much}, furry: {amount: Little}}\n"
    text = re.sub(r"(?s)      fish:.*(?=strings)", row, WHOLE)
    assert problems(text) == [
        "34:54 groups `divers` and `furry` disagree about `amount` on `otter`; state it for `otter`"
    ]
    assert problems(text.replace("on: {divers", "on: {otter: {amount: Much}, divers")) == []


GROUPS = "platforms: {a: {name: A}, b: {name: B}}\ngroups: {n: [a, b], m: [a]}\n"
DISAGREEMENTS = {
    "tutorials: {t: {title: T, steps: [x], on: {n: {titles: {x: One}}, m: {titles: {x: Two}}}}}": (
        "3:83 groups `n` and `m` disagree about the title of `x` on `a`; state it for `a`"
    ),
    "tutorials: {t: {title: T, steps: [x], on: {n: {path: '{step}'}, m: {path: 't/{step}'}}}}": (
        "3:75 groups `n` and `m` disagree about `path` on `a`; state it for `a`"
    ),
    "tutorials: {t: {title: T, steps: [x, y], on: {n: {steps: [x, y]}, m: {steps: [y, x]}}}}": (
        "3:78 groups `n` and `m` disagree about `steps` on `a`; state it for `a`"
    ),
    "tutorials: {t: {title: T, steps: [{id: x, files: {n: {bom: true}, m: {newline: crlf}}}]}}": (
        "3:70 groups `n` and `m` disagree about `files` of `x` on `a`; state it for `a`"
    ),
    "tables: {t: {columns: {c: C}, rows: {r: {c: On, on: {n: {omit: It has none}, m: {c: Off}}}}}}": (
        "3:81 groups `n` and `m` disagree about whether there is a row `r` on `a`; state it for `a`"
    ),
}


@pytest.mark.parametrize("text", DISAGREEMENTS)
def test_groups_that_disagree_are_told_where_they_do(text: str) -> None:
    assert problems(GROUPS + text) == [DISAGREEMENTS[text]]


def test_groups_that_agree_are_nothing() -> None:
    said = "{omit: It has none}", "{omit: None here}"
    rows = f"{{r: {{c: On, on: {{n: {said[0]}, m: {said[1]}}}}}}}"
    groups = GROUPS.replace("b: {name: B}", "b: {name: B}, c: {name: C}")
    assert problems(f"{groups}tables: {{t: {{columns: {{c: C}}, rows: {rows}}}}}") == []


def test_how_files_are_written_is_said_for_a_group_too() -> None:
    found = read(GROUPS + "tutorials: {t: {title: T, steps: [{id: x, files: {n: {newline: crlf}, b: {bom: true}}}]}}")
    step = found.tutorials["t"].steps["x"]
    assert [step.get_style(each) for each in found.platforms.values()] == [FileStyle("\r\n"), FileStyle("\n", bom=True)]


# The JSON Schema


class CoreLoader(yaml.SafeLoader):
    """YAML as editors read it: 1.2's core schema."""


CoreLoader.yaml_implicit_resolvers = {}
for _tag, _pattern, _first in (
    ("bool", r"true|True|TRUE|false|False|FALSE", "tTfF"),
    ("null", r"~|null|Null|NULL|", "~nN\0"),
    ("int", r"[-+]?[0-9]+", "-+0123456789"),
    ("float", r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?", "-+.0123456789"),
):
    CoreLoader.add_implicit_resolver(f"tag:yaml.org,2002:{_tag}", re.compile(rf"^(?:{_pattern})$"), list(_first))

VALIDATOR = jsonschema.Draft202012Validator(shapes.build_json_schema())


def shape_findings(text: str) -> bool:
    """Whether the validator finds the shape wrong; what is wrong with ids and words needs more than shapes."""
    from tutorial_tool.data.schema_types import validate

    node = data.load_yaml(Source("platforms.yaml", text)).node
    assert node is not None
    return any(True for _ in validate(node, shapes.ROOT, "the file"))


def schema_findings(text: str) -> bool:
    return not VALIDATOR.is_valid(yaml.load(text, CoreLoader))


def test_the_schema_is_one() -> None:
    jsonschema.Draft202012Validator.check_schema(shapes.build_json_schema())
    assert json.loads(json.dumps(shapes.build_json_schema())) == shapes.build_json_schema()


@pytest.mark.parametrize("text", [WHOLE, DATA])
def test_schema_and_validator_accept_what_is_good(text: str) -> None:
    assert not shape_findings(text)
    assert not schema_findings(text)


@pytest.mark.parametrize(
    "text",
    [text for text, message in MISTAKES.items() if re.search(r"unknown key|lacks 'name|should be|is empty", message)],
)
def test_schema_and_validator_refuse_the_same(text: str) -> None:
    assert shape_findings(text)
    assert schema_findings(text)


@pytest.mark.parametrize("change", CHANGES)
def test_schema_and_validator_agree_on_mutated_files(change: str) -> None:
    value = data.convert_to_plain(data.load_yaml(Source("", WHOLE)).node)
    first, _, third, *_ = value["tutorials"]["guide"]["steps"]
    first["numbered"], third["numbering"]["sections"], third["files"]["otter"]["bom"] = False, False, True
    disagreements = []
    refused = 0
    for path in paths(value):
        text = json.dumps(mutated(value, path, CHANGES[change]))  # JSON is YAML
        ours, theirs = shape_findings(text), schema_findings(text)
        refused += ours
        if ours != theirs:
            disagreements.append((path, ours, theirs))
    assert disagreements == []
    assert refused > 5


def test_an_order_cannot_name_a_step_that_its_platform_does_not_have() -> None:
    data = """\
platforms: {vim: {name: Vim}, nano: {name: Nano}, joe: {name: Joe}}
groups: {small: [nano, joe]}
tutorials:
  t:
    title: T
    steps: [install, {id: lua, only: [vim]}, {id: use, not-on: {nano: None}}]
    on: {nano: {steps: [lua, install]}, small: {steps: [use, install]}, joe: {steps: [install, lua]}}
"""
    told = "has no step `lua`, which `only` or `not-on` takes from it: remove it from one of the two"
    assert problems(data) == [f"7:25 `nano` {told}", f"7:96 `joe` {told}"]
