"""Files and folders that are sorted by numbers: the number is no part of what a variant is called."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.test_variants import SHAPES, page, steps, write
from tutorial_tool import site, variants
from tutorial_tool.variants import numbered

NAMES = {"svelte": "Svelte", "nuxt": "Nuxt", "next-js": "Next.js", "react-native": "React Native"}


@pytest.mark.parametrize("number", ["{:02}-", "{}.", "{}0_", "{}. ", "{} - ", "{}) ", "{:04}-", "2-{}-"])
@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)
def test_a_number_in_front_of_what_differs_is_an_order(tmp_path: Path, shape: str, number: str) -> None:
    tree = {shape.format(number.format(n) + slug): name for n, (slug, name) in enumerate(NAMES.items(), 1)}
    assert steps(tmp_path, {path: page(name) for path, name in tree.items()}) == [dict(sorted(tree.items()))]


def test_steps_may_have_other_numbers_on_each_platform(tmp_path: Path) -> None:
    tree = {
        "docs/01-svelte/01-connect.md": page("Svelte"),
        "docs/01-svelte/02-export.md": page("Svelte", step="export"),
        "docs/02-nuxt/01-connect.md": page("Nuxt"),
        "docs/02-nuxt/03-export.md": page("Nuxt", step="export"),
        "docs/02-nuxt/02-colours.md": "# Colours\n\nNuxt has its own.\n",
    }
    write(tmp_path, tree)
    found = variants.find_steps(site.load_plain([tmp_path / path for path in tree], tmp_path))
    assert [(step.id, step.pattern, sorted(step.pages)) for step in found] == [
        ("01-connect", "docs/{platform}/01-connect", ["nuxt", "svelte"]),
        ("export", "docs/{platform}/export", ["nuxt", "svelte"]),
    ]


def test_a_language_behind_a_number_is_one(tmp_path: Path) -> None:
    assert not steps(tmp_path, {f"docs/{folder}/connect.md": page("Mobile") for folder in ("01-en", "02-de")})


@pytest.mark.parametrize(
    "names",
    [
        ("2-factor", "sms", "push"),
        ("10-inch", "12-inch"),
        ("10-inch-tablet", "12-inch-tablet"),
        ("18-lts", "20-lts"),
        ("1.0-rc", "2.0-beta"),
        ("2.4-ghz", "5-ghz"),
        ("7zip", "3d-printers"),
        ("2024-01-15-lamp", "2024-02-16-bell"),
        ("oauth-2-github", "oauth-2-gitlab"),
        ("v1", "v2"),
        ("01", "02"),
    ],
)
def test_other_numbers_belong_to_names(names: tuple[str, ...]) -> None:
    assert numbered.strip_numbers(names) == {}


def test_a_stated_platform_is_named_without_its_number(tmp_path: Path) -> None:
    tree = {f"{n:02}-{slug}/connect.md": page(name) for n, (slug, name) in enumerate(NAMES.items(), 1)}
    assert steps(tmp_path, tree, ("{platform}/{step}.md",)) == [dict(zip(tree, NAMES.values(), strict=True))]


def test_a_name_is_read_from_a_title_that_has_its_letters(tmp_path: Path) -> None:
    names = {"nextjs-app-router": "Next.js App Router", "authjs": "Auth.js", "expo": "Expo"}
    tree = {
        f"start/{slug}.md": f"---\ntitle: {name}\n---\n\n" + page("new", step="chat").replace("your new app", "the app")
        for slug, name in names.items()
    }
    assert steps(tmp_path, tree) == [{f"start/{slug}.md": name for slug, name in sorted(names.items())}]


def test_pages_of_identifiers_are_reference_though_numbers_sort_them(tmp_path: Path) -> None:
    tree = {
        f"api/{n:02}-{slug}.md": f"---\ntitle: {name}\n---\n\n# `{name}`\n\nCall `{name}` where a stage begins. With "
        f"the {name} function you tell the stage.\n\n## Import\n\n```js\nimport {{ {name} }} from 'stage'\n```\n\n"
        "## Returns\n\nWhat the stage is at this time, or nothing where no stage has begun.\n"
        for n, (slug, name) in enumerate({"use-stage": "useStage", "get-stage": "getStage"}.items())
    }
    assert steps(tmp_path, tree) == []


def test_paths_that_name_two_things_in_another_order_are_no_variants(tmp_path: Path) -> None:
    assert (
        steps(tmp_path, {f"move/{one}/{two}.md": page("Mobile") for one, two in (("ios", "web"), ("web", "ios"))}) == []
    )


@pytest.mark.parametrize(
    ("path", "stated", "at"),
    [
        ("docs/04-svelte/03-use.md", "docs/svelte/use", True),
        ("docs/svelte/use/index.md", "docs/svelte/03-use", True),
        ("docs/svelte/user.md", "docs/svelte/use", False),
    ],
)
def test_a_page_stands_at_a_path_whatever_its_number(path: str, stated: str, at: bool) -> None:
    assert numbered.is_at_path(path, stated) is at
