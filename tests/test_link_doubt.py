"""Where most addresses of a shape fail in one way, the linter doubts itself: one hint, and errors for all that is left."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from tutorial_tool.core.diagnostics import Finding, Severity
from tutorial_tool.links.doubt import MIN_FAILING, LinkUse, find_doubts
from tutorial_tool.linter import targets
from tutorial_tool.linter.config_lookup import LookupOptions

RULES = ("broken-link", "broken-anchor", "broken-redirect", "missing-image")
TOPICS = ("alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "iota", "kappa")


def linted(folder: Path, files: dict[str, str], settings: str = "") -> list[Finding]:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    (folder / ".git").mkdir(exist_ok=True)
    if settings:
        (folder / "tutorial-tool.toml").write_text(settings, encoding="utf-8")
    told = (one for target in targets.find([folder], LookupOptions(folder)) for one in target.lint().findings)
    return [one for one in told if one.rule in RULES]


def counted(findings: list[Finding]) -> Counter[str]:
    return Counter(f"{one.severity}: {one.rule}" for one in findings)


def site(anchor: str = "{0}-part", *, broken: str = "") -> dict[str, str]:
    """A site whose pages link to the part of one page each."""
    parts = "".join(f"## {name.title()} part\n\nText.\n\n" for name in TOPICS)
    pages = {f"docs/{name}.md": f"# {name}\n\n[x](all.md#{anchor.format(name, name.title())})\n" for name in TOPICS}
    config = (
        "module.exports = {title: 'x', url: 'https://a.example', baseUrl: '/', presets: [['classic', {docs: {}}]]};"
    )
    return {
        "docusaurus.config.js": config,
        "docs/all.md": f"# All\n\n{parts}{broken}",
        "docs/one.md": "# One\n\nSee [this](all.md).\n",
    } | pages


def test_anchors_that_differ_in_case_alone_are_one_hint(tmp_path: Path) -> None:
    told = linted(tmp_path, site("{1}-part"))
    assert counted(told) == {"hint: broken-anchor": 1}
    assert "10 anchors" in told[0].message
    assert "`keep-anchor-case`" in told[0].message
    assert told[0].fix is None
    assert told[0].why == ("10 different targets, 100% of those with capitals in the anchor, fail this way",)


def test_pages_that_differ_in_case_alone_are_one_hint_where_nothing_says_what_publishes_them(tmp_path: Path) -> None:
    pages = {f"docs/{name.title()}.md": f"# {name}\n\nText.\n" for name in TOPICS}
    links = {f"docs/Go-{name}.md": f"# Go\n\nTo [{name}]({name}.md).\n" for name in TOPICS}
    told = linted(tmp_path, pages | links)
    assert counted(told) == {"hint: broken-link": 1}
    assert "10 links differ from an existing file only in case, as if the site ignored it" in told[0].message
    few = dict(list(links.items())[:3])
    assert counted(linted(tmp_path / "few", pages | few)) == {"error: broken-link": 3}
    others = {name: text.replace(".md)", ".mdx)").replace("](", "](Go-") for name, text in links.items()}
    assert counted(linted(tmp_path / "suffix", others)) == {"error: broken-link": 10}, "not only the case differs"


def test_the_setting_answers_the_hint(tmp_path: Path) -> None:
    assert linted(tmp_path, site("{1}-part"), "keep-anchor-case = true\n") == []
    told = linted(tmp_path, {"docs/one.md": "# One\n\nSee [this](all.md#alpha-part).\n"})
    assert counted(told) == {"error: broken-anchor": 1}, "with the setting, small letters are the mistake"


def test_a_program_may_strip_the_numbers_that_sort_folders(tmp_path: Path) -> None:
    files = {
        "docs/2_team/1_values.md": "# Values\n",
        "docs/1_start.md": "# Start\n\nOur [values](4_team/1_values.md).\n",
    }
    files["docs/2_why.md"] = "# Why\n\n[Start](1_start.md).\n"
    assert counted(linted(tmp_path / "plain", files)) == {"error: broken-link": 1}
    assert counted(linted(tmp_path / "next", files | {"next.config.js": ""})) == {}


def test_another_build_that_shares_the_host_may_publish_its_home_page(tmp_path: Path) -> None:
    pages = {f"docs/{name}.md": f"# {name}\n\nSee [it](https://a.example/app/{name}/).\n" for name in TOPICS}
    pages |= {"mkdocs.yml": "site_name: A\nsite_url: https://a.example/\n", "docs/index.md": "# A\n"}
    pages["docs/one.md"] = "# One\n\nWhat it [costs](https://a.example/#prices).\n"
    assert counted(linted(tmp_path / "shared", pages)) == {}
    alone = {name: text for name, text in pages.items() if "/app/" not in text}
    assert counted(linted(tmp_path / "own", alone)) == {"error: broken-anchor": 1}


def test_pages_that_a_program_of_the_repository_fetches_are_not_missing(tmp_path: Path) -> None:
    pages = {"docs/.vuepress/config.js": "module.exports = {}", "docs/a.md": "# A\n\n[x](b/fetched.md) [y](lost.md)\n"}
    pages["sync.config.ts"] = "sources: {repo: 'https://a.example/x.git'}, files: ['b/fetched.md']"
    told = linted(tmp_path, pages | {"docs/b/c.md": "# C\n"})
    assert [one.message for one in told] == ["link target `lost.md` not found"]


def test_files_for_agents_are_read_in_the_repository(tmp_path: Path) -> None:
    pages = {"docs/.vitepress/config.js": "export default {}", "docs/part/a.md": "# A\n", "docs/index.md": "# Start\n"}
    told = linted(tmp_path, pages | {"docs/AGENTS.md": "Read [these](part/), not [those](lost.md).\n"})
    assert [one.message for one in told] == ["link target `lost.md` not found"]


def test_pages_that_are_named_without_their_place_are_one_hint(tmp_path: Path) -> None:
    pages = {f"docs/{10 + n}-part/{n}0-{name}.md": f"# {name}\n\nText.\n" for n, name in enumerate(TOPICS)}
    links = {f"docs/10-part/9{n}-x.md": f"# X\n\nSee [this]({name}#a).\n" for n, name in enumerate(TOPICS[1:])}
    told = linted(tmp_path, pages | links | {"docs/10-part/99-z.md": "# Z\n\nSee [this](10-lost.md).\n"})
    assert counted(told) == {"hint: broken-link": 1, "error: broken-link": 1}
    assert "name a page or file in another folder" in next(one.message for one in told if one.severity is Severity.HINT)


def test_files_that_are_named_without_their_folders_are_one_hint(tmp_path: Path) -> None:
    pages = {f"docs/parts/{name}.md": f"# {name}\n\nText.\n" for name in TOPICS}
    links = {f"docs/go/{name}-x.md": f"# X\n\nSee [this]({name}.md).\n" for name in TOPICS}
    told = linted(tmp_path, pages | links)
    assert counted(told) == {"hint: broken-link": 1}
    assert "as if the site looked them up by name" in told[0].message
    few = dict(list(links.items())[: MIN_FAILING - 1])
    assert counted(linted(tmp_path / "few", pages | few)) == {"error: broken-link": MIN_FAILING - 1}


def test_urls_that_begin_with_a_sign_are_one_hint(tmp_path: Path) -> None:
    pages = {f"docs/{name}.md": f"# {name}\n\nSee [this](~parts.{name}) and [that](go.md).\n" for name in TOPICS}
    told = linted(tmp_path, pages | {"docs/go.md": "# Go\n\nSee [this](lost.md).\n"})
    assert counted(told) == {"hint: broken-link": 1, "error: broken-link": 1}
    assert "10 links have a special character" in next(one.message for one in told if one.severity is Severity.HINT)


@pytest.mark.parametrize("use", ["![Menu of {0}]({0}.png@50p)", "[Get {0}](get-{0})"])
def test_urls_that_only_their_publisher_reads_are_one_hint(use: str, tmp_path: Path) -> None:
    pictures = {f"docs/{name}.png": "GIF89a" for name in TOPICS}
    pages = {f"docs/{name}.md": f"# {name}\n\n{use.format(name)}\n" for name in TOPICS}
    assert [one.severity for one in linted(tmp_path, pictures | pages)] == [Severity.HINT]


def test_a_slip_beside_anchors_that_hold_stays_an_error(tmp_path: Path) -> None:
    files = site() | {f"docs/s{n}.md": f"# S\n\n[x](all.md#{TOPICS[n].title()}-part)\n" for n in range(MIN_FAILING - 1)}
    assert counted(linted(tmp_path, files)) == {"error: broken-anchor": MIN_FAILING - 1}


def test_many_links_to_one_removed_or_renamed_page_are_an_error_that_names_them_all(tmp_path: Path) -> None:
    text = "# S\n\nSee [this](../docs/removed.md) and [that](alpha-old.md).\n"
    told = linted(tmp_path, site() | {f"docs/s{n}.md": text for n in range(40)} | {"docs/alpha-odd.md": "# Odd\n"})
    assert counted(told) == {"error: broken-link": 2}
    assert all(one.message.endswith("; the same in 39 more places") for one in told)
    assert all(len({place.span.path for place in one.related}) == 39 for one in told)
    assert [one.fix and (one.fix.safe, len(one.fix.edits)) for one in told] == [None, (False, 40)]


def translated(gone: tuple[str, ...] = ()) -> dict[str, str]:
    pages = {f"en/{name}.md": f"# {name}\n\nText.\n" for name in TOPICS}
    links = {f"es/{name}.md": f"# {name}\n\n[x](../es/guide-{name}.md)\n" for name in TOPICS}
    guides = {f"en/guide-{name}.md": f"# {name}\n\nText.\n" for name in TOPICS if name not in gone}
    return pages | links | guides


def test_pages_of_another_language_beside_those_of_the_main_one_are_one_hint(tmp_path: Path) -> None:
    pages = {f"docs/{name}.md": f"# {name}\n\nText.\n" for name in TOPICS}
    links = {f"@l10n/es/docs/my-{name}.md": f"# {name}\n\n[x]({name}.md)\n" for name in TOPICS}
    told = linted(tmp_path, pages | links)
    assert counted(told) == {"hint: broken-link": 1}
    assert "`fallback-language`" in told[0].message


def test_pages_of_another_language_are_one_hint(tmp_path: Path) -> None:
    told = linted(tmp_path, translated())
    assert counted(told) == {"hint: broken-link": 1}
    assert "`fallback-language`" in told[0].message


def test_with_a_fallback_only_what_neither_language_has_is_missing(tmp_path: Path) -> None:
    told = linted(tmp_path, translated(("alpha",)), 'fallback-language = "en"\n')
    assert [(one.severity, one.span.path) for one in told] == [(Severity.ERROR, "es/alpha.md")]


def test_generated_urls_are_not_missing(tmp_path: Path) -> None:
    files = {"a.md": "# A\n\n[x](api/call.md) [y](lost.md) [z](b.md#made-x)\n", "b.md": "# B\n\nSee [a](a.md).\n"}
    files["api/other.md"] = "# Other\n\nText.\n"
    assert counted(linted(tmp_path, files)) == {"error: broken-link": 2, "error: broken-anchor": 1}
    told = linted(tmp_path, {}, 'generated-urls = ["/api/**", "b#made-*"]\n')
    assert counted(told) == {"error: broken-link": 1}


def uses(failing: int, holding: int, why: str = "case") -> list[LinkUse]:
    shape = frozenset(("capitals",))
    return [
        LinkUse("anchor", f"k{n}", n >= failing, ("a.md", n), shape, frozenset((why,)) if n < failing else frozenset())
        for n in range(failing + holding)
    ]


@pytest.mark.parametrize(
    ("failing", "holding", "doubts"),
    [
        (MIN_FAILING - 1, 0, 0),
        (MIN_FAILING, 0, 1),
        (MIN_FAILING, 2, 1),
        (MIN_FAILING, 3, 0),
        (2 * MIN_FAILING, 2 * MIN_FAILING, 1),
        (2 * MIN_FAILING, 30, 0),
    ],
)
def test_how_many_targets_raise_a_doubt(failing: int, holding: int, doubts: int) -> None:
    assert len(list(find_doubts(uses(failing, holding)))) == doubts


def test_uses_of_one_target_count_once() -> None:
    assert not list(find_doubts([one._replace(key="same") for one in uses(40, 0)]))


def test_what_nothing_explains_is_no_doubt() -> None:
    assert not list(find_doubts([one._replace(explanations=frozenset()) for one in uses(40, 0)]))


def unknown(link: str) -> dict[str, str]:
    text = "# {0}\n\nSee [x](/guide/alpha) and [y](/guide/{0}).\n"
    routes = {f"content/guide/{name}.md": text.format(name) for name in TOPICS}
    return routes | {"content/z.md": f"# Z\n\n[x]({link})\n"}


@pytest.mark.parametrize("link", ["/guide/lost", "/guide/alpha#lost"])
def test_where_nobody_is_known_to_publish_an_address_is_a_warning(tmp_path: Path, link: str) -> None:
    assert {one.severity for one in linted(tmp_path, unknown(link))} == {Severity.WARNING}


def test_the_name_of_a_file_is_an_error_whoever_publishes_it(tmp_path: Path) -> None:
    assert counted(linted(tmp_path, unknown("lost.md"))) == {"error: broken-link": 1}


def test_a_page_is_not_sent_to_itself(tmp_path: Path) -> None:
    told = linted(
        tmp_path, {"docs/only.md": "# Only\n\n[x](../other/only.md) [b](b.md)\n", "docs/b.md": "# B\n\nText.\n"}
    )
    assert [one.fix for one in told] == [None]


def test_addresses_that_count_from_the_folder_above_are_one_hint(tmp_path: Path) -> None:
    shown = {f"typed/{name}.md": f"# {name}\n\nText.\n" for name in TOPICS}
    folders = ("typed/calls/deep", "typed/calls/a/deeper/one")
    calls = {f"{at}/{name}.md": f"# {name}\n\n[x](../{name}.md)\n" for name in TOPICS for at in folders}
    told = linted(tmp_path, shown | calls | {"a.md": "# A\n\n[x](b.md)\n", "b.md": "# B\n\nText.\n"})
    assert counted(told) == {"hint: broken-link": 1}


def test_a_page_without_headings_is_part_of_others(tmp_path: Path) -> None:
    files = {"a.md": "# A\n\n[x](part.md)\n", "part.md": "See [the end](#the-end).\n"}
    assert linted(tmp_path, files) == []


def test_docfx_does_not_tell_cases_apart(tmp_path: Path) -> None:
    files = {"docs/a.md": "# A\n\n[x](Guide.md) [y](lost.md)\n", "docs/guide.md": "# Guide\n\nText.\n"}
    assert counted(linted(tmp_path, files)) == {"error: broken-link": 2}
    assert counted(linted(tmp_path, {"docs/docfx.json": "{}"})) == {"error: broken-link": 1}


def test_pages_that_name_the_anchors_of_those_beside_them_are_parts(tmp_path: Path) -> None:
    whole = "".join(f"## Do {name}\n\nText.\n\n" for name in TOPICS)
    parts = {f"guide/swift/{name}.md": f"## Step\n\nSee [x](#do-{name}).\n" for name in TOPICS}
    right = "# All\n\n" + "".join(f"[x](index.md#do-{name}) [y](swift/{name}.md#step)\n" for name in TOPICS)
    told = linted(tmp_path, {"guide/index.md": f"# Guide\n\n{whole}", "guide/all.md": right, **parts})
    assert counted(told) == {"hint: broken-anchor": 1}


def test_the_evidence_names_the_generator_the_candidates_and_the_share(tmp_path: Path) -> None:
    told = linted(tmp_path, site() | {"docs/s.md": "# S\n\n[x](lost.md) [y](all.md#lost)\n"})
    assert [one.why for one in sorted(told, key=lambda one: one.span.start)] == [
        (
            "Docusaurus publishes the page, as `docusaurus.config.js` says",
            "looked for `docs/lost.md`, `lost.md`",
            "1 of 2 different targets in this form exist",
        ),
        (
            "Docusaurus publishes the page, as `docusaurus.config.js` says",
            "the anchors of `docs/all.md` were compared: 11",
            "10 of 11 different targets in this form exist",
        ),
    ]


def test_anchors_of_pages_without_a_title_are_those_of_the_whole(tmp_path: Path) -> None:
    titled = {f"guide/{name}.md": f"# {name}\n\n[x](#part) [y](#rest)\n\n## Part\n\n## Rest\n" for name in TOPICS}
    parts = {f"guide/swift/{name}.md": f"### Step\n\nSee [x](#do-{name}).\n" for name in TOPICS}
    assert counted(linted(tmp_path, titled | parts)) == {"hint: broken-anchor": 1}


def test_anchors_with_numbers_of_headings_that_stand_once_are_one_hint(tmp_path: Path) -> None:
    holding = {f"docs/to-{name}-{n}.md": f"# To {name}\n\n[x](all.md#{name}-part)\n" for name in TOPICS for n in "ab"}
    pages = {"docs/api.md": "# API\n\n" + "".join(f'<a id="{name}"></a>\n\n## {name}\n\n' for name in TOPICS)}
    pages["docs/types.md"] = "# Types\n\n" + "".join(f"[x](api.md#{name}-1)\n\n" for name in TOPICS)
    found = linted(tmp_path, site() | holding | pages)
    assert [(one.severity, "10 anchors end in a number" in one.message) for one in found] == [(Severity.HINT, True)]


def test_what_several_versions_have_is_told_on_the_newest(tmp_path: Path) -> None:
    old = {f"content/{name}/guide.md": "# Guide\n\n[x](lost.md) [y](#lost)\n" for name in ("v1.9", "v1.20", "master")}
    told = linted(tmp_path, {"hugo.toml": 'baseURL = "/"\n', **old})
    assert {one.span.path for one in told} == {"content/master/guide.md"}
    assert counted(told) == {"error: broken-link": 1, "error: broken-anchor": 1}


def test_links_below_a_folder_that_is_not_there_say_nothing_of_an_unknown_site(tmp_path: Path) -> None:
    pages = {f"docs/{name}.md": f"# {name}\n\n[x](/docs/{name}) [y](/docs/all/)\n" for name in TOPICS}
    lost = "# Lost\n\n[x](/docs/server/latest/setup/) [y](/docs/lost/)\n"
    assert counted(linted(tmp_path, {**pages, "docs/all.md": lost})) == {"warning: broken-link": 1}


def test_a_folder_that_only_the_main_language_has_says_nothing_of_an_unknown_site(tmp_path: Path) -> None:
    english = {
        "docs/en/shared/install.md": "# Install\n\nText.\n",
        "docs/en/setup.md": "# Set up\n\n[x](shared/install.md)\n",
    }
    greek = "# X\n\n:[install](../shared/install.md) [own](../manuals/lost.md) [none](../shared/lost.md)\n"
    told = linted(tmp_path, {**english, "docs/gr/manuals/setup.md": greek})
    assert [one.message.partition(" not found")[0] for one in told] == [
        "link target `../manuals/lost.md`", "link target `../shared/lost.md`",
    ]  # fmt: skip


def test_a_page_that_is_a_symbolic_link_is_published(tmp_path: Path) -> None:
    beside = "".join(f" [x](../{name}/)" for name in TOPICS)
    pages = {f"content/b/{name}.md": f"# {name}\n\nSee{beside} [lost](../lost/).\n" for name in TOPICS}
    linked = {"hugo.toml": 'baseURL = "https://a.example/"\n', "content/a/all.md": "# All\n\n[x](../alpha/)\n"}
    (tmp_path / "content/a").mkdir(parents=True)
    (tmp_path / "content/a/alpha.md").symlink_to("../b/alpha.md")
    told = linted(tmp_path, pages | linked)
    assert {one.message.partition(" not found")[0] for one in told} == {"link target `../lost/`"}


def test_typos_are_warnings_where_the_site_converts_markdown_itself(tmp_path: Path) -> None:
    page = "# Film\n\n[EMBED](www.youtube.com/embed/x)\n\n![Menu](/menu.png =200)\n"
    told = linted(tmp_path, {"_config.yml": "title: x\nmarkdown: OwnParser\n", "index.md": page, "menu.png": "x"})
    assert counted(told) == {"warning: broken-link": 1}


def test_other_components_of_backstage_are_beside_the_site(tmp_path: Path) -> None:
    page = "# X\n\n[x](../other/setup/) [y](/docs/default/component/other/setup/) [z](lost/)\n"
    told = linted(tmp_path, {"mkdocs.yml": "site_name: x\nplugins: [techdocs-core]\n", "docs/index.md": page})
    assert [one.message for one in told] == ["link target `lost/` not found"]


def test_attributes_of_a_heading_are_not_in_its_anchor(tmp_path: Path) -> None:
    page = '# All\n\n[x](#the-part) [y](#lost)\n\n## The part {initial-state="closed" collapsible="true"}\n\nText.\n'
    assert [one.message for one in linted(tmp_path, {"docs/all.md": page})] == ["this page has no anchor `#lost`"]


def test_lists_are_warnings_where_no_configuration_names_python_markdown(tmp_path: Path) -> None:
    page = '# Set up\n\n1. One\n\n```\ncode\n```\n\n2. Two\n\n!!! note\n    Text.\n\n--8<-- "other.md"\n'
    severities = []
    for files in ({"docs/setup.md": page}, {"mkdocs.yml": "site_name: x\n"}):
        linted(tmp_path, files)
        told = (one for target in targets.find([tmp_path], LookupOptions(tmp_path)) for one in target.lint().findings)
        severities.append({one.severity for one in told if one.rule == "broken-list-numbering"})
    assert severities == [{Severity.WARNING}, {Severity.ERROR}]


def test_links_below_the_folder_that_a_site_is_deployed_into_are_one_hint(tmp_path: Path) -> None:
    pages = {f"docs/{name}.md": f"# {name}\n\nSee [all](/docs/{name}/).\n" for name in TOPICS}
    told = linted(tmp_path, {"mkdocs.yml": "site_name: x\nsite_url: https://a.example/\n"} | pages)
    assert counted(told) == {"hint: broken-link": 1}
    assert "10 links would work without `/docs`" in told[0].message


def test_files_named_from_the_root_of_the_repository_stay_errors(tmp_path: Path) -> None:
    pages = {f"docs/{name}.md": f"# {name}\n\nSee [all](/docs/{name}.md).\n" for name in TOPICS}
    told = linted(tmp_path, {"mkdocs.yml": "site_name: x\nsite_url: https://a.example/\n"} | pages)
    assert counted(told) == {"error: broken-link": 10}


@pytest.mark.parametrize(("links", "severity"), [("code-{0}-code", "hint"), ("{0}s", "error")])
def test_anchors_with_one_affix_are_one_hint_on_files_without_a_generator(
    links: str, severity: str, tmp_path: Path
) -> None:
    parts = "".join(f"## `mgl_{name}`\n\nText.\n\n" for name in TOPICS)
    uses = "".join(f"See [it](#{links.format(f'mgl_{name}')}).\n" for name in TOPICS)
    told = linted(tmp_path, {"README.md": f"# All\n\n{parts}{uses}"})
    assert {str(finding.severity) for finding in told} == {severity}


def test_images_that_work_with_slashes_for_backslashes_are_one_hint(tmp_path: Path) -> None:
    names = (*TOPICS, *map(str.upper, TOPICS))
    pages = {f"docs/{name}.md": f"# {name}\n\n![x](img\\{name}.png)\n" for name in names}
    told = linted(tmp_path, pages | {f"docs/img/{name}.png": "x" for name in TOPICS})
    assert counted(told) == {"hint: missing-image": 1}
    assert "20 images would work with `/` for `\\`" in told[0].message


@pytest.mark.parametrize(("count", "severity"), [(6, "hint"), (5, "error")])
def test_links_that_lack_the_end_of_a_page_of_one_platform_are_one_hint(
    count: int, severity: str, tmp_path: Path
) -> None:
    pages = {f"docs/{name}-{end}.md": f"# {name} {end}\n\nText.\n" for name in TOPICS for end in ("go", "ts")}
    links = "".join(f"[{name}](/docs/{name})\n" for name in TOPICS[:count])
    good = "".join(f"[{name}](/docs/{name}-go)\n" for name in TOPICS)
    config = (
        "module.exports = {title: 'x', url: 'https://a.example', baseUrl: '/', presets: [['classic', {docs: {}}]]};"
    )
    told = linted(tmp_path, pages | {"docusaurus.config.js": config, "docs/all.md": f"# All\n\n{good}\n{links}"})
    assert {str(one.severity) for one in told} == {severity}
