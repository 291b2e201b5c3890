"""Values are whole things with names that a person would give, and a template is as short as a person would write it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.test_adopt import made, run, template, written
from tutorial_tool.adopt.names import Names
from tutorial_tool.adopt.names.learning import learn
from tutorial_tool.adopt.words import build_pieces
from tutorial_tool.adopt.words.pieces import Vector


def values(**copies: str) -> dict[str, dict[str, str]]:
    """The values and labels that copies of a page become, by name and platform."""
    adoption = made({platform: f"---\ntitle: Start\n---\n\n{text}\n" for platform, text in copies.items()})
    assert adoption.project is not None, adoption.skipped
    return {**adoption.project.names.values, **adoption.project.names.labels}


@pytest.mark.parametrize(
    ("text", "name", "one", "other"),
    [
        ("Get [the driver]({}).", "driver_url", "https://example.com/win/setup.exe", "https://shop.example.org/app?id=3"),
        ("Call `{}` first.", "client_start", "client.Start()", "client.start()"),
        ("It is in `{}`, at the end.", "file", "src/lamp.ts:12", "Lamp.swift:7"),
        ("Listen to the `{}` event.", "event", "onPair", "didConnect"),
        ("See [its state](./lamp#{}).", "anchor", "state", "getstate"),
        ("See [its state](/docs/sdk/{}/state#on).", "sdk_folder", "kit", "js"),
        ("It returns `{}`, and stops.", "get_last_state", "getLastState", "GetLastState"),
        ("Open `{}` now.", "file", "photo.service.ts", "usePhotos.ts"),
        ("Open **{}**.", "settings", "Settings > Devices", "System Settings > Printers & Scanners"),
        ("Pick the region `{}` and go on.", "region", "eu-central-1", "europe-west3"),
        ("## Install\n\n```bash\n{}\n```", "install_command", "npm install @example/kit", "pip install kit"),
        ("Wait for {} minutes.", "minutes", "two", "five"),
        ("import {} from './setup.mdx'", "setup", "IosSetup", "WebSetup"),
        ("## Run\n\n```sh\n{}\n```", "run_command", "./kit.exe migrate up", "./kit migrate up"),
        ("- Colour: {}", "colour", "green", "blue"),
        ("| Sleep | {} | It sleeps. |\n", "sleep", "On", "Off"),
        ("A gigabyte costs {} dollars.", "dollars", "0.23", "0.18"),
        ("## Install\n\n```bash\n{}\n```", "install_command", "$ npm install @kit/lamp", "$ npm install @kit/tv --save"),
        ("| Region | {0} | Where it is. |\n| Zone | b | Which part. |\n\nPut it into `{0}`.", "region", "eu-west", "asia-1"),
        ("See [the page]({}) for more.", "page", "../README.md", "/README.md"),
        ("See [the guide](/start?sdk={}&step=1) first.", "sdk", "PAIR_IOS", "PAIR_WEB"),
    ],
)  # fmt: skip
def test_a_value_is_a_whole_thing(text: str, name: str, one: str, other: str) -> None:
    assert values(first=text.format(one), second=text.format(other)) == {name: {"first": one, "second": other}}


WORDS = {
    "The light turns {}.": ("green", "blue"),
    "Swipe down and open the {} and wait.": ("drawer", "tray"),
    "Sie brauchen dazu {}.": ("ein Konto bei uns", "eine Lampe"),
    "{}. Open the app.": ("3", "4"),
}


@pytest.mark.parametrize("text", WORDS)
def test_words_without_a_part_of_their_own_get_no_name(text: str) -> None:
    one, other = WORDS[text]
    assert (
        template({"first": text.format(one) + "\n", "second": text.format(other) + "\n"})
        == text.format(f"{{{{ drift('{one}', {{'second': '{other}'}}) }}}}") + "\n"
    )


@pytest.mark.parametrize(
    ("one", "other", "shared"),
    [
        (
            '<img alt="Log in as a user" src="a.png" />',
            '<img alt="Log in as an app user" src="a.png" />',
            """<img alt="Log in as {{ drift('a', {'web': 'an app'}) }} user" src="a.png" />""",
        ),
        (
            "See [lamps](/{}/lamps/).",
            "See [lamps](/{}/lamps).",
            "(/{{ platform.id }}/lamps{{ drift('/', {'web': ''}) }})",
        ),
        ("[a]({0}/x), [b]({0}/y)", "[a](/{0}/x), [b](/{0}/y)", "[b]({{ drift('', {'web': '/'}) }}{{ platform.id }}/y)"),
    ],
)
def test_prose_in_attributes_and_slashes_in_addresses_are_no_values(one: str, other: str, shared: str) -> None:
    copies = {name: (other if name == "web" else one).format(name) + "\n" for name in ("ios", "mac", "tv", "web")}
    assert shared in template(copies)


@pytest.mark.parametrize(
    ("text", "name", "one", "other"),
    [
        ("1. Öffnen Sie **{}**.", "label", "Datei > Konten", "Mail > Einstellungen"),
        ("1. Klicken Sie auf **{}** und dann auf **OK**.", "label", "Fertig", "Weiter"),
        ("1. **{}** をクリックします。", "label", "完了", "次へ"),
        ("キー `{}` をコピーします。", "key", "k1-abc", "k2-xyz"),
    ],
)
def test_a_value_in_another_language_has_a_name_of_its_words(text: str, name: str, one: str, other: str) -> None:
    assert values(first=text.format(one), second=text.format(other)) == {name: {"first": one, "second": other}}


def test_texts_without_blanks_differ_in_words() -> None:
    text = "---\ntitle: {0}の接続\n---\n\nこのページでは、{0}アプリを接続する方法を説明します。{1}で動きます。\n"
    copies = {"ios": text.format("iOS", "スマートフォン"), "web": text.format("Web", "ブラウザー")}
    assert template(copies).startswith(
        "---\ntitle: {{ platform.name }}の接続\n---\n\n"
        "このページでは、{{ platform.name }}アプリを接続する方法を説明します。{{ drift('スマートフォン', {'web': 'ブラウザー'}) }}で動きます。"
    )


def test_rows_of_another_script_have_ids_of_their_words() -> None:
    text = "| 設定 | 値 |\n| --- | --- |\n| 接続状態 | {} |\n| 待ち時間 | 30 |\n"
    adoption = made({"ios": f"はじめに。\n\n{text.format('有効')}", "web": f"はじめに。\n\n{text.format('無効')}"})
    assert adoption.project is not None
    assert list(adoption.project.tables["setting"].rows) == ["connection-status", "waiting-time"]


def test_a_url_that_differs_in_the_platforms_name_only_needs_no_value() -> None:
    text = "Get it at <https://example.com/{}/start>, or in `kit-{}`.\n"
    assert template({"ios": text.format("ios", "ios"), "web": text.format("web", "web")}) == text.format(
        "{{ platform.id }}", "{{ platform.id }}"
    )


@pytest.mark.parametrize(
    ("text", "shared"),
    [
        ("Call `Kit{0}.read{0}Key()` first.", "Call `Kit{{ platform.name }}.read{{ platform.name }}Key()` first."),
        ("Show your {1} kit here.", "Show your {{ platform.name | lower }} kit here."),
        ("Send `{2} /all` first.", "Send `{{ platform.name | upper }} /all` first."),
    ],
)
def test_a_name_within_a_word_or_in_other_letters_is_no_value(text: str, shared: str) -> None:
    text = f"# {{0}}\n\nThe {{0}} page.\n\n{text}\n"
    names = ("Fire TV", "Apple Watch") if "{1}" in text else ("Vivo", "Xiaomi")
    copies = {n.lower().replace(" ", "-"): text.format(n, n.lower(), n.upper()) for n in names}
    assert template(copies) == f"# {{{{ platform.name }}}}\n\nThe {{{{ platform.name }}}} page.\n\n{shared}\n"


def test_an_id_within_a_longer_word_is_no_value() -> None:
    text = "See how it is added:\n\n![Add](/shots/{}-1.png)\n"
    copies = {id_: text.format(id_) for id_ in ("nft-dao", "token-dao")}
    assert template(copies) == text.format("{{ platform.id }}")


def test_the_quotes_of_a_field_are_in_the_template() -> None:
    text = '---\ndescription: "{}"\n---\n\nPair it.\n'
    copies = {"ios": text.format("Find each lamp with a search."), "web": text.format("How apps pair?")}
    assert template(copies) == text.format("{{ platform.values.description }}")


def test_tags_behind_a_value_are_escaped_by_line() -> None:
    text = "{{% include {}.md %}}\n{{% include notes.md %}}\n"
    escaped = text.replace("{{%", "{{ '{%' }}").replace("%}}", "%}").replace("{}", "{{ platform.id }}")
    assert template({"ios": text.format("ios"), "web": text.format("web")}) == escaped


def test_blocks_of_tags_and_the_paragraphs_between_them_are_escaped_at_once() -> None:
    hint = "{% hint %}\nTake care.\n\nIt is hot.\n\nWait for it.\n{% endhint %}\n\n{% tabs %}\nOn\n{% endtabs %}\n"
    text = "\n# Start\n\nOpen the {} app.\n"
    copies = {name.lower(): hint + text.format(name) for name in ("iOS", "Web")}
    assert template(copies) == f"{{% raw %}}{hint}{{% endraw %}}\n" + text.format("{{ platform.name }}")


def test_urls_below_another_are_that_and_the_rest() -> None:
    text = "Read [the source]({0}), or [report a problem]({0}/issues).\n"
    copies = {"node": "https://git.example/kit-js", "python": "https://git.example/pykit"}
    assert template({platform: text.format(url) for platform, url in copies.items()}) == (
        "Read [the source]({{ platform.values.source_url }}), "
        "or [report a problem]({{ platform.values.source_url }}/issues).\n"
    )


def test_a_part_of_two_addresses_is_no_value() -> None:
    text = "Read [the manual](https://grid.example/{0}/start/), and [the tour](https://grid.example/{0}/tour/).\n"
    told = values(angular=text.format("angular-grid"), vue3=text.format("vue-grid"))
    assert set(told) == {"manual_url"}


def test_a_value_in_a_longer_word_is_that_value() -> None:
    text = "Pick the region `{0}`, for example with `shop-{0}`.\n"
    assert template({"aws": text.format("eu-central-1"), "azure": text.format("westeurope")}) == text.format(
        "{{ platform.values.region }}"
    )


def test_words_beside_each_other_are_one_value() -> None:
    text = "You have backups in {}. You need {} for them.\n"
    copies = {"aws": text.format("Amazon S3", "Amazon S3"), "azure": text.format("Azure Blobs", "Azure Blobs")}
    call = "{{ drift('Amazon S3', {'azure': 'Azure Blobs'}) }}"
    assert template(copies) == text.format(call, call)


def test_an_item_with_a_line_more_differs_in_that_line() -> None:
    more = "    The system asks for your location. Select **Allow**.\n"
    text = "1. Open the app.\n2. Select the name of your lamp.\n{}3. Wait a minute.\n"
    assert template({"ios": text.format(""), "web": text.format(""), "tv": text.format(more)}) == text.format(
        f"{{% if platform.can('allow') %}}\n{more}{{% endif %}}\n"
    )


def test_code_of_one_line_is_a_value_and_longer_code_a_file() -> None:
    text = "## Install\n\n```bash\n{}\n```\n"
    assert template({"node": text.format("npm install kit"), "python": text.format("pip install kit")}) == text.format(
        "{{ platform.values.install_command }}"
    )
    longer = {"node": "npm install kit\nnpm run kit", "python": "pip install kit\npython -m kit --start"}
    assert template({platform: text.format(code) for platform, code in longer.items()}) == (
        "## Install\n\n{{ code('install') }}\n"
    )


def test_a_value_neither_begins_nor_ends_with_a_space() -> None:
    text = "The lamp {}`glows` {} the room.\n"
    copies = {
        "ios": text.format("", "in all of"),
        "web": text.format("often ", "in"),
        "tv": text.format("never ", "in"),
    }
    often, everywhere = "{{ drift('', {'web': ' often', 'tv': ' never'}) }}", "{{ drift('', {'ios': 'all of '}) }}"
    assert template(copies) == f"The lamp{often} `glows` in {everywhere}the room.\n"


def test_a_link_or_tag_is_not_cut() -> None:
    copies = {
        "ios": 'Call [the `start` method](a.md#start) now.\n\n<Tab label="Swift" sync="swift">\n',
        "web": 'Set the `start` property of [it](a.md#start) now.\n\n<Tab label="JavaScript" sync="js">\n',
    }
    told = [text for texts in values(**copies).values() for text in texts.values()]
    assert all(text.count("[") == text.count("]") for text in told)
    assert all(text.count('"') % 2 == 0 for text in told)


def test_brackets_are_not_cut() -> None:
    text = "Create {}, and add this code to it.\n"
    said = {"expo": "an API route, `app/api.ts`", "next": "a route handler (`app/route.ts`)", "vue": "a file `api.ts`"}
    told = values(**{platform: text.format(what) for platform, what in said.items()})
    assert told == {"file": {"expo": "app/api.ts", "vue": "api.ts"}}


def test_what_some_say_becomes_the_value_of_more() -> None:
    part = "Create a file `{0}`, which has all that you need.\n\n"
    text = "## Edit it\n\nOpen `{0}` in your editor.\n\nThen save `{0}`, and start the app again.\n"
    said = {"expo": "kit.json", "next": "kit.json", "vue": "kit.yml", "svelte": "kit.toml"}
    copies = {platform: (part + text).format(name) for platform, name in said.items()}
    copies["svelte"] = "Nobody has to make anything here.\n\n" + text.format("kit.toml")
    assert values(**copies)["file"] == said


def test_a_value_in_the_cells_of_a_table_stands_there_once() -> None:
    text = "Build the `{0}`.\n\n| Option | What it does |\n| --- | --- |\n| Pack | Makes the `{0}` small. |\n| Strip | Saves time. |\n"
    copies = {"itch": text.format("game.zip"), "xbox": text.format("package.xvc")}
    adoption = made({platform: f"---\ntitle: Start\n---\n\n{page}" for platform, page in copies.items()})
    assert adoption.project is not None
    assert "{{ table('options', file=platform.values.file) }}\n" in template(copies)
    assert adoption.project.tables["options"].rows["pack"].cells["what-it-does"] == "Makes the `{file}` small."


ROWS = "| Option | Default |\n| --- | --- |\n{}\n"


def test_a_row_in_another_place_is_said_to_stand_there() -> None:
    rows = ["| Wake | On |", "| Fade | 2 s |", "| Sleep | Off |"]
    copies = {id_: ROWS.format("\n".join(rows)) for id_ in ("ios", "web")}
    copies["tv"] = ROWS.format("\n".join([rows[1], rows[0], rows[2]]))
    adoption = made({platform: f"---\ntitle: Start\n---\n\n{page}" for platform, page in copies.items()})
    assert adoption.project is not None
    data = adoption.project.files["platforms.yaml"]
    assert "omit: TODO the copy for tv has this row in another place" in data
    assert "had no such row" not in data
    assert list(adoption.project.tables["options"].rows) in (
        ["fade", "wake", "fade-2", "sleep"],
        ["wake", "fade", "wake-2", "sleep"],
    )


def test_rows_are_called_by_their_words() -> None:
    text = ROWS.format("| 1 | Wake up |\n| 2 | Fade |\n| Sleep | Soon |\n| Sleep | {} |")
    adoption = made({id_: f"---\ntitle: Start\n---\n\n{text.format(id_)}" for id_ in ("ios", "web")})
    assert adoption.project is not None
    assert list(adoption.project.tables["options"].rows) == ["wake-up", "fade", "sleep-soon", "sleep-ios"]


def test_tags_are_no_names() -> None:
    text = 'Start.\n\n| <div class="wide">Option</div> | Default |\n| --- | --- |\n| <b>Wake</b> | {} |\n'
    adoption = made({id_: f"---\ntitle: Start\n---\n\n{text.format(value)}" for id_, value in (("ios", 1), ("web", 2))})
    assert adoption.project is not None
    table = adoption.project.tables["options"]
    assert (list(table.titles), list(table.rows)) == (["option", "default"], ["wake"])


def test_an_address_with_the_platforms_name_in_it_is_one_value() -> None:
    text = "Open the [console]({}) and sign in, as the [console]({}) is where all begins.\n"
    urls = {"aws": "https://console.aws.example/", "azure": "https://portal.azure.example/"}
    assert template({platform: text.format(url, url) for platform, url in urls.items()}) == text.format(
        "{{ platform.values.console_url }}", "{{ platform.values.console_url }}"
    )


def test_a_value_that_ends_an_address_is_that_value() -> None:
    text = "The broker listens on port {0}.\n\nConnect with `mqtt://localhost:{0}`.\n"
    assert template({"ios": text.format("1883"), "web": text.format("2883")}) == text.format(
        "{{ platform.values.port }}"
    )


def test_a_sentence_that_was_written_anew_is_no_value() -> None:
    text = "## Restart\n\n{}service starts again after a restart.\n\nThat is all.\n"
    assert not values(ios=text.format("The "), web=text.format("Set the start type to **Automatic** so that the "))


def test_a_section_at_the_end_has_its_blank_line() -> None:
    text = "Open the app, and wait.\n\nThen close it.\n"
    more = "\n## Ask\n\nThe system asks you. Select **Allow**.\n"
    assert (
        template({"ios": text + more, "web": text, "tv": text})
        == f"{text}{{% if platform.can('ask') %}}\n{more}{{% endif %}}\n"
    )


def test_the_id_of_a_heading_is_no_word_of_it() -> None:
    block = "## Label the matrix {: #matrix }\n\nIt holds all values, one beside the other.\n"
    copies = {"ios": f"Open it.\n\n{block}", "web": "Open it.\n", "tv": "Open it.\n"}
    assert "platform.can('label-the-matrix')" in template(copies)


def test_a_table_whose_first_column_has_no_title_is_data() -> None:
    text = "## Requirements\n\n| | Least |\n| --- | --- |\n| Memory | 1 GB |\n| Disk | {} |\n{}"
    adoption = made({"ios": text.format("2 GB", ""), "web": text.format("3 GB", "| Screen | 5 in |\n")})
    assert adoption.project is not None
    assert list(adoption.project.tables["requirements"].rows) == ["memory", "disk", "screen"]


POOL = "## Use a pool\n\nTo connect takes 20 milliseconds, so keep your connections open.\n\n{}\n\nGive each back."
ENDS = "## Long connections\n\nTV ends all connections after a request. Call `persistent()` to keep them."


def test_sections_of_some_stand_under_one_condition_each() -> None:
    text = "A connection needs the address of the server.\n\n{}\n\n## Close it\n\nClose it when you have done all of this.\n"
    own = {
        "go": "A `sql.DB` is a pool already.",
        "java": "The driver has none. We recommend Hikari for it, which most frameworks have by default.",
        "node": "Use the class `Pool` instead of `Client`.",
    }
    copies = {id_: text.format(POOL.format(said)) for id_, said in own.items()}
    assert template({**copies, "tv": text.format(ENDS)}) == text.format(
        "{% if platform.can('use-a-pool') %}\n" + POOL.format("{{ part('use-a-pool') }}") + "\n{% endif %}\n"
        "{% if platform.can('long-connections') %}\n" + ENDS + "\n{% endif %}"
    )


def test_what_would_ask_for_several_conditions_is_a_part() -> None:
    text = "## Install the kit\n\n{}## Close it\n\nThen close the app again.\n"
    pod, gem = "```rb\npod 'lamp'\nrun!\n```\n\n", "### Gems\n\nOr add the gem to your file.\n\n"
    own = {
        "ios": f"Ask first.\n\n{pod}",
        "tv": f"{pod}{gem}",
        "web": "```js\nload()\nwait()\n```\n\n### Tags\n\n- A tag does the same.\n\n",
    }
    copies = {platform: text.format(own_text) for platform, own_text in own.items()}
    assert template(copies) == text.format("{{ part('install-the-kit') }}\n\n")


def test_a_table_that_some_platforms_do_not_have_asks_them_for_no_cells() -> None:
    text = "## Levels\n\n{}Then close the app again, and wait for all of its lamps to go out.\n"
    table = "| Level | Constant |\n| --- | --- |\n| Quiet | `{}` |\n| Loud | `{}` |\n\n"
    own = {"ios": ("calm", "bold"), "tv": ("still", "high"), "web": ("mute", "full")}
    copies = {name: text.format(table.format(*cells)) for name, cells in own.items()}
    adoption = made({**copies, "cli": text.format("")})
    assert adoption.project is not None
    assert not adoption.degraded
    assert "only: [ios, tv, web]" in adoption.project.files["platforms.yaml"]


def test_a_section_that_some_have_neither_takes_nor_leaves_blank_lines() -> None:
    text = "Open the app, and wait.\n\n{}## Close it\n\nThen close the app again.\n"
    block = "## Ask for consent\n\nThe system asks you. Select **Allow**.\n\n"
    assert template({"ios": text.format(block), "web": text.format(""), "tv": text.format("")}) == text.format(
        f"{{% if platform.can('ask-for-consent') %}}\n{block}{{% endif %}}\n"
    )


@pytest.mark.parametrize(
    ("text", "own"),
    [
        ("- The page of {} says “{}”: try again.\n", [("Larkspur", "AADSTS50105"), ("Birch", "User is not there")]),
        ("The kit works with {}.\n", [("Larkspur BigBox",), ("Smallbox",)]),
    ],
)
def test_a_value_has_both_signs_of_a_pair_and_what_stands_beside_it(text: str, own: list[tuple[str, ...]]) -> None:
    pieces = build_pieces(dict(zip(("bigbox", "smallbox"), (text.format(*one) for one in own), strict=True)))
    slots = [tuple(text for _, text in piece.vector) for piece in pieces if not isinstance(piece, str)]
    assert slots == list(zip(*own, strict=True))


def test_a_name_of_two_words_is_the_name_though_one_place_says_less() -> None:
    short = (("glide", "Glide"), ("volt", "Volt"), ("metro", "Metro"))
    whole = (("glide", "Glide 2"), ("volt", "Volt S"), ("metro", "Metro"))

    def names(*told: Vector) -> dict[str, str]:
        return learn(Names(()), dict(short), lambda _facts: told, dict(whole)).display

    assert names(whole, short, whole) == dict(whole)
    assert names(whole, short, short) == dict(short)


def test_a_name_has_the_capitals_that_all_steps_know() -> None:
    """One page's title had `Javascript`, and all others of the platform `JavaScript`."""
    titled, known = (("javascript", "Javascript"), ("react", "React")), {"javascript": "JavaScript", "react": "React"}
    assert learn(Names(()), known, lambda _facts: (titled,), known).display == known


def test_a_numbered_item_keeps_its_number_in_the_template(tmp_path: Path) -> None:
    text = (
        "# Start it\n\nIt starts by hand, and stops by itself.\n\n1. {}\n2. Wait until it blinks.\n3. Close the lid.\n"
    )
    said = {
        "ios": "Turn the key. Hold the button for a moment.",
        "web": "Open the page, and sign in with your account.",
        "tv": "Press the long lever at the back.",
    }
    docs = written(tmp_path / "docs", {f"{id_}/start.md": text.format(item) for id_, item in said.items()})
    assert run(docs, "--into", tmp_path / "out").exit_code == 0
    text = (tmp_path / "out/site_templates/steps/start.md.j2").read_text()
    assert "\n1. {{ drift('Turn the key" in text
    assert "\n2. Wait until it blinks.\n" in text


def test_the_number_of_an_item_is_no_value_and_no_condition(tmp_path: Path) -> None:
    text = (
        "# Start it\n\nIt starts by hand, and stops by itself.\n\n{}{}. Wait until it blinks.\n\nThen close the lid.\n"
    )
    more = "1. Create a password for the app, and keep it.\n"
    said = {"ios": (more, 2), "web": ("", 1), "tv": ("", 1)}
    docs = written(tmp_path / "docs", {f"{id_}/start.md": text.format(*own) for id_, own in said.items()})
    assert run(docs, "--into", tmp_path / "out").exit_code == 0
    text = (tmp_path / "out/site_templates/steps/start.md.j2").read_text()
    assert "{{ drift('1', {'ios': '2'}) }}. Wait" in text


def test_the_number_of_an_item_follows_nothing_of_another_list(tmp_path: Path) -> None:
    text = (
        "# Start it\n\nIt starts by hand, and stops by itself.\n\n{}## Stop it\n\n1. Hold the lever.\n"
        "{}. Wait until it is dark.\n\nThen close the lid.\n"
    )
    more = "## Open the door\n\nOpen the door of the cellar, and leave it so.\n\n"
    said = {"ios": (more, 3), "web": ("", 2), "tv": ("", 2)}
    docs = written(tmp_path / "docs", {f"{id_}/start.md": text.format(*own) for id_, own in said.items()})
    assert run(docs, "--into", tmp_path / "out").exit_code == 0
    text = (tmp_path / "out/site_templates/steps/start.md.j2").read_text()
    assert "{% if platform.can('open-the-door') %}" in text
    assert "\n1. Wait" in text


def test_the_word_of_most_names_a_value_of_one_word(tmp_path: Path) -> None:
    text = (
        "# Watch\n\nThe chart of your {} is at the left, and it moves.\n\nFind your {} by its name, and select it.\n\n"
        "Charts are kept for a month. To see an older one, open the settings of the page, and choose a day.\n"
    )
    said = {"linux": "host", "mac": "host", "cluster": "node"}
    docs = written(tmp_path / "docs", {f"{id_}/watch.md": text.format(own, own) for id_, own in said.items()})
    assert run(docs, "--into", tmp_path / "out").exit_code == 0
    assert "host: node" in (tmp_path / "out/platforms.yaml").read_text()


def test_names_in_code_that_each_language_writes_in_its_own_way_are_a_value() -> None:
    page = "# {0}\n\nThe `{0}` component shows a lamp.\n\n```\n<{0}></{0}>\n```"
    copies = {"html": page.format("lamp-button"), "react": page.format("LampButton")}
    (texts,) = values(**copies).values()
    assert texts == {"html": "lamp-button", "react": "LampButton"}


def test_no_phrase_is_called_by_one_of_its_words() -> None:
    assert values(
        ios="The kit lets you see what the lamp does, and it is on.",
        web="The kit enables people to see what a lamp does, and it is on.",
    ) == {}  # fmt: skip


def test_names_that_are_a_part_of_what_most_platforms_are_called() -> None:
    text = "# The {0} SDK\n\nOpen the {1} app.\n\nClose the {1} app when all is well.\n"
    own = {"kotlin-android": "Kotlin", "react-native": "React Native", "ios": "Swift"}
    names = {"kotlin-android": "Kotlin Android", "react-native": "React Native", "ios": "iOS"}
    made = template({platform: text.format(names[platform], short) for platform, short in own.items()})
    assert "Open the {{ platform.values.short_name }} app." in made
    assert "Close the {{ platform.values.short_name }} app" in made


def test_a_numbered_folder_is_no_version() -> None:
    text = "Pair it with {}.\n\nSee [the start](../sdks/{}/start.md) and [the end](../sdks/{}/end.md)."
    own = {"web": ("Web", "01-web"), "ios": ("iOS", "03-ios")}
    found = values(**{id_: text.format(name, folder, folder) for id_, (name, folder) in own.items()})
    assert found == {"name_in_code": {"web": "01-web", "ios": "03-ios"}}


def test_a_part_of_all_is_not_called_by_what_one_says(tmp_path: Path) -> None:
    text = (
        "---\ntitle: Pair\n---\n\nRead about the [{} kit](../kit.md) that {} before you pair.\n\n"
        + "A lamp is paired once, until you reset it.\n\n" * 9
    )
    own = {
        "ios": ("Swift", "Apple sells " * 30),
        "tv": ("Kotlin", "is for boxes " * 30),
        "web": ("Vue", "a page has " * 30),
    }
    tree = {f"docs/{id_}/pair.md": text.format(*words) for id_, words in own.items()}
    assert run(written(tmp_path, tree) / "docs", "--step", "pair", "--into", tmp_path / "out").exit_code == 0
    assert "swift" not in (tmp_path / "out/site_templates/steps/pair.md.j2").read_text()


def test_a_section_of_one_is_called_by_its_notice_not_by_the_page(tmp_path: Path) -> None:
    notice = "\n:::info One key flow\n\nTo pair two lamps at once, press both keys.\n\n:::\n"
    text = "# Pair\n\nA lamp is paired once, until you reset it.\n{}\nPut it near the door, and wait for a minute.\n"
    tree = {f"docs/{id_}/pair.md": text.format(notice * (id_ == "tv")) for id_ in ("ios", "tv", "web")}
    assert run(written(tmp_path, tree) / "docs", "--into", tmp_path / "out").exit_code == 0
    assert "platform.can('one-key-flow')" in (tmp_path / "out/site_templates/steps/pair.md.j2").read_text()


def test_a_heading_on_two_levels_is_one_heading() -> None:
    text = "# Pair\n\nPress the key.\n\n{} Check the lamp\n\nIt blinks.\n"
    made = template({"ios": text.format("##"), "web": text.format("##"), "tv": text.format("###")})
    assert "{{ drift('##', {'tv': '###'}) }} Check the lamp\n" in made
    assert "{% if" not in made
