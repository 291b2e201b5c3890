"""The project's vocabulary, also where it stands in the lists of other tools."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import example, given
from hypothesis import strategies as st

from tests.work import soon
from tutorial_tool import lint
from tutorial_tool.cli import main
from tutorial_tool.config import settings
from tutorial_tool.config.settings import Config
from tutorial_tool.spelling import foreign
from tutorial_tool.spelling.patterns import MalformedPattern, compile_pattern
from tutorial_tool.spelling.vocabulary import Compounds, Vocabulary


def read(folder: Path, name: str, text: str) -> Vocabulary:
    told, problems = foreign.read(written(folder, name, text), folder)
    assert not problems, "\n".join(map(str, problems))
    return told


def problems(folder: Path, name: str, text: str) -> list[str]:
    _, found = foreign.read(written(folder, name, text), folder)
    return [f"{finding.span}: {finding.message}" for finding in found]


def written(folder: Path, name: str, text: str) -> Path:
    file = folder / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
    return file


def right(told: Vocabulary, *words: str) -> list[str]:
    return [word for word in words if word in told]


# Vale


def test_the_accept_list_of_vale_has_words_and_expressions(tmp_path: Path) -> None:
    told = read(tmp_path, "accept.txt", "# ours\nwebhook\nmParticle\nNode.js\n[Bb]ackends?\n(?i)graph ?ql\nC#\n")
    assert right(told, "Webhook", "webhook's", "mParticle", "Backend", "backends", "GraphQL") == [
        "Webhook", "webhook's", "mParticle", "Backend", "backends", "GraphQL",
    ]  # fmt: skip
    assert right(told, "mparticle", "BACKEND", "backendish", "ours") == []


def test_a_word_of_an_expression_with_several_is_right(tmp_path: Path) -> None:
    told = read(tmp_path, "accept.txt", r"Kotlin( Multi\w+| Native)?" + "\n(pre|post)-?flight\n")
    assert right(told, "Kotlin", "Multiplatform", "Native", "preflight", "post", "flight") == [
        "Kotlin", "Multiplatform", "Native", "preflight", "post", "flight",
    ]  # fmt: skip
    assert right(told, "kotlin", "Multi", "pre-") == []


def test_a_folder_of_vale_has_what_is_accepted_and_what_is_rejected(tmp_path: Path) -> None:
    folder = "styles/config/vocabularies/Acme"
    written(tmp_path, f"{folder}/accept.txt", "acmeware\n")
    written(tmp_path, f"{folder}/reject.txt", "utili[sz]e\nwhitelist\n")
    told, wrong = foreign.read(tmp_path / folder, tmp_path)
    assert not wrong
    assert "acmeware" in told
    assert [ruled.text for ruled in told.rejected] == ["utili[sz]e", "whitelist"]


def test_expressions_that_cannot_be_used_are_told_at_their_place(tmp_path: Path) -> None:
    assert problems(tmp_path, "accept.txt", "fine\n  foo(?=bar)\n(open\n\\1\n") == [
        "accept.txt:2:6: invalid expression: `(?=` is not supported",
        "accept.txt:3:1: invalid expression: missing ), unterminated subpattern",
        "accept.txt:4:1: invalid expression: `\\1` is not supported",
    ]


@pytest.mark.parametrize(
    "expression",
    [r"(a+)+b", r"(a|aa)+b", r"(.*)(.*)(.*)(.*)(.*)b", r"((a{1,9}){1,9}){1,9}b", "(a*)*b", "(?:(?:ab?)c)*", "(a?){40}"],
)
def test_an_expression_that_could_take_long_is_malformed(expression: str) -> None:
    with pytest.raises(MalformedPattern, match="it repeats what repeats"):
        compile_pattern(expression)


def test_the_slowest_expression_that_is_read_takes_no_time() -> None:
    soon(lambda: compile_pattern("a*a*a*b").matches_word("a" * 110))


@given(st.text(alphabet="ab()[]{}|*+?.\\1,^$- dwi:=P<>", max_size=25), st.text(alphabet="ab- 1", max_size=12))
@example("[[", "")  # Python warns of it
def test_any_text_is_an_expression_or_malformed(text: str, word: str) -> None:
    try:
        at = int(compile_pattern(text).matches_word(word))
    except MalformedPattern as wrong:
        at = wrong.at
    assert 0 <= at <= len(text) + 1


# cspell


def test_the_word_lists_of_cspell_have_marks(tmp_path: Path) -> None:
    text = "webhook # ours\nMParticle\n!hte->the\n~Straße\nC++\n*berry*\n+fix\npre+\n"
    told = read(tmp_path, "words.txt", text)
    assert right(told, "Webhook", "MParticle", "straße", "berry", "prefix", "preberry", "berryfix", "berryberry") == [
        "Webhook", "MParticle", "straße", "berry", "prefix", "preberry", "berryfix", "berryberry",
    ]  # fmt: skip
    assert right(told, "mparticle", "ours", "fix", "pre", "fixpre", "hte") == []
    assert [(ruled.text, ruled.replacement) for ruled in told.rejected] == [("hte", "the")]


def test_a_mark_without_a_word_is_told_at_its_place(tmp_path: Path) -> None:
    assert problems(tmp_path, "words.txt", "fine\n *\n!\n") == [
        "words.txt:2:2: `*` has no word",
        "words.txt:3:1: `!` has no word",
    ]


def test_the_configuration_of_cspell_has_words_and_names_lists(tmp_path: Path) -> None:
    written(tmp_path, "dictionaries/acme.txt", "acmeware\n")
    text = """\
{
\t// ours
\t"version": "0.2", /* the
\tformat */
\t"words": ["webhook", "http://kept"],
\t"ignoreWords": ["C*"],
\t"flagWords": ["hte->the"],
\t"dictionaryDefinitions": [{"name": "acme", "path": "./dictionaries/acme.txt", "addWords": true}, {"name": "none"}],
}
"""
    told = read(tmp_path, "cspell.json", text)
    assert right(told, "webhook", "acmeware", "http://kept") == ["webhook", "acmeware", "http://kept"]
    assert [ruled.text for ruled in told.rejected] == ["hte"]
    told = read(tmp_path, "cspell.config.yaml", "words:\n  - webhook\n  - on\nflagWords: [hte]\n")
    assert right(told, "webhook", "on") == ["webhook", "on"]


def test_what_is_wrong_in_the_configuration_of_cspell_is_told_at_its_place(tmp_path: Path) -> None:
    text = '{\n  // words\n  "words": "webhook",\n  "flagWords": [["a"]],\n  "dictionaryDefinitions": [{"path": "none.txt"}]\n}\n'
    assert problems(tmp_path, "cspell.json", text) == [
        "cspell.json:3:12: `words` should be a list",
        "cspell.json:4:17: `flagWords` should hold words",
        "cspell.json:5:38: the file cannot be read: no such file or directory",
    ]
    (broken,) = problems(tmp_path, "broken.json", '{"words": [\n}')
    assert broken.startswith("broken.json:2:1: ")
    assert len(problems(tmp_path, "deep.json", '{"words": ' + "[" * 100_000)) == 1


def test_compounds_are_made_of_what_may_begin_and_end_them() -> None:
    compounds = Compounds(frozenset({"a", "ab"}), frozenset({"b"}), frozenset({"c", "bc"}))
    assert [word for word in ("ac", "abc", "abbbbbc", "c", "a", "abcb", "") if compounds.can_form(word)] == [
        "ac", "abc", "abbbbbc",
    ]  # fmt: skip


# In a run


def test_all_spelling_rules_know_the_vocabularies(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    page = "# Page\n\nAn acommodation of the Acmeware and its frobnication. You whitelist it.\n"
    written(tmp_path, "page.md", page)
    written(tmp_path, settings.OWN_FILE, 'extend-select = ["unknown-word"]\n')
    before = {finding.rule for finding in lint("page.md")}
    assert {"misspelling", "unknown-word"} <= before
    written(tmp_path, "styles/accept.txt", "acom+odation\nfrobnicat(e|ion)\n")
    written(tmp_path, "styles/reject.txt", "whitelist\n")
    written(tmp_path, settings.OWN_FILE, 'extend-select = ["unknown-word"]\nvocabularies = ["styles"]\n')
    (found,) = [finding for finding in lint("page.md") if finding.rule != "wrong-article"]
    assert str(found) == "page.md:3:59: forbidden-word: forbidden word `whitelist`"
    assert [str(related.span) for related in found.related] == ["styles/reject.txt:1:1"]


def test_a_forbidden_expression_is_found_as_a_whole_word(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    written(tmp_path, "page.md", "# Page\n\nUtilize it, utilise it, reutilize it, and utilizes it. In-app, in app.\n")
    written(tmp_path, "reject.txt", "(?i)utili[sz]e\nin app\n")
    written(tmp_path, settings.OWN_FILE, 'select = ["forbidden-word"]\nvocabularies = ["reject.txt"]\n')
    assert [(str(finding.span), finding.span.text) for finding in lint("page.md")] == [
        ("page.md:3:1", "Utilize"),
        ("page.md:3:13", "utilise"),
        ("page.md:3:64", "in app"),
    ]


def test_a_vocabulary_that_cannot_be_read_ends_the_run_with_all_places(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    written(tmp_path, "page.md", "# Page\n")
    written(tmp_path, "accept.txt", "(\n")
    (tmp_path / "empty").mkdir()
    written(tmp_path, settings.OWN_FILE, 'vocabularies = ["accept.txt", "none.txt", "empty"]\n')
    ran = CliRunner().invoke(main, ["lint"])
    assert ran.exit_code == 2
    assert [line.removeprefix("tutorial-tool: ") for line in ran.stderr.splitlines()] == [
        "accept.txt:1:1: invalid expression: missing ), unterminated subpattern",
        "none.txt:1:1: the file cannot be read: no such file or directory",
        "empty:1:1: a vocabulary of Vale's has a file `accept.txt` or `reject.txt`",
    ]


def test_a_project_without_vocabularies_has_its_own_words_only(tmp_path: Path) -> None:
    assert Config(tmp_path, vocabulary=("Webhook.site", "kotlinx")).full_vocabulary == Vocabulary.from_entries(
        ["Webhook.site", "kotlinx"]
    )


def test_a_configuration_of_vale_names_vocabularies_and_rules(tmp_path: Path) -> None:
    styles = tmp_path / "styles"
    (styles / "config/vocabularies/Base").mkdir(parents=True)
    (styles / "Shop").mkdir()
    (tmp_path / ".vale.ini").write_text("StylesPath = styles\nVocab = Base\n\n[*.md]\nBasedOnStyles = Vale, Shop\n")
    (styles / "config/vocabularies/Base/accept.txt").write_text("frobnicator\n")
    (styles / "Shop/Weasel.yml").write_text(
        "extends: existence\nignorecase: true\ntokens: [simply, obvious(?:ly)?, (?<=a)b]\n"
    )
    (styles / "Shop/Terms.yml").write_text(
        'extends: substitution\nignorecase: true\nswap:\n  utilize: use\n  "log ?in to": log in to\n  list: a|b\n'
    )
    (styles / "Shop/Long.yml").write_text("extends: occurrence\nmax: 25\ntoken: simple\n")
    vocabulary, findings = foreign.read(tmp_path / ".vale.ini", tmp_path)
    assert findings == []
    assert "frobnicator" in vocabulary
    ruled = {(item.text, item.replacement, item.span.path) for item in vocabulary.rejected}
    assert ruled == {
        ("simply", "", "styles/Shop/Weasel.yml"),
        ("obvious(?:ly)?", "", "styles/Shop/Weasel.yml"),
        ("utilize", "use", "styles/Shop/Terms.yml"),
        ("log ?in to", "log in to", "styles/Shop/Terms.yml"),
        ("list", "", "styles/Shop/Terms.yml"),
    }
    assert {item.span.text for item in vocabulary.rejected if item.replacement} == {"utilize", '"log ?in to"'}
