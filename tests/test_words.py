"""Which words are known, which are misspelt, and what is better left alone."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tutorial_tool.spelling import known_misspellings, lists, near_words
from tutorial_tool.spelling.speller import Speller, suggest_correction
from tutorial_tool.spelling.usage import PageWords, Usage, find_identifiers
from tutorial_tool.spelling.vocabulary import Vocabulary

FILLER = "The connection forwards the configuration to the destination."


def found(*texts: str, code: str = "", words: tuple[str, ...] = ()) -> list[str]:
    """`wrong>right` for each misspelling; `?` where it is not certain."""
    pages = [PageWords(texts, find_identifiers([code])), PageWords(tuple(f"{FILLER} {n}" for n in range(12)))]
    misspellings = Speller(Vocabulary.from_entries(words)).find_misspellings(Usage(pages))
    return [
        f"{m.suggestion.word}>{m.suggestion.candidates[0]}{'' if m.suggestion.certain else '?'}" for m in misspellings
    ]


@pytest.mark.parametrize("word", ["the", "Website", "user's", "users’", "colour", "color", "don't", "toggled"])
def test_words_that_are_known(word: str) -> None:
    assert lists.is_known(word)


def test_a_word_may_be_spelt_as_the_verb_that_it_is_made_of() -> None:
    assert found("A missable, invokable class is easily mistakable for one that is wich.") == ["wich>which?"]
    assert found("It is complely so. " + "It is complete. " * 40) == ["complely>completely"]


@pytest.mark.parametrize("word", ["thi", "recieve", "conection", "teh"])
def test_words_that_are_not_known(word: str) -> None:
    assert not lists.is_known(word)


def test_words_and_pairs_have_frequencies() -> None:
    assert lists.get_frequency("the") > lists.get_frequency("switch") > 0
    assert lists.get_pair_frequency("the", "switch") > 10 * lists.get_pair_frequency("this", "switch")
    assert lists.get_frequency("xqzv") == 0


@pytest.mark.skipif(
    known_misspellings.find_program() is None and not os.environ.get("CI"), reason="typos is not installed"
)
def test_known_misspellings_are_found_with_their_correction() -> None:
    assert found("You recieve the data.", "It is seperate.") == ["recieve>receive", "seperate>separate"]


@pytest.mark.skipif(
    known_misspellings.find_program() is None and not os.environ.get("CI"), reason="typos is not installed"
)
def test_the_words_around_put_the_likelier_correction_first() -> None:
    assert found("You must toggle thi switch to Active.") == ["thi>the?"]


def test_a_correction_is_certain_where_it_fits_far_better_and_is_far_more_common() -> None:
    assert suggest_correction("thi", ("this", "the"), "toggle", "switch").candidates == ("the", "this")
    assert not suggest_correction("thi", ("this", "the"), "toggle", "switch").certain
    assert suggest_correction("andle", ("angle", "handle"), "to", "it").candidates == ("handle", "angle")
    assert not suggest_correction("andle", ("angle", "handle"), "to", "it").certain, "both are common words"
    assert suggest_correction("hte", ("the", "hate"), "in", "room").certain
    assert suggest_correction("Teh", ("the",)).candidates == ("The",)


def test_a_rare_word_beside_a_frequent_one_is_misspelt() -> None:
    assert found("Save the configuraton now.") == ["configuraton>configuration"]
    assert found("Choose the destintaion now.") == ["destintaion>destination"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It forwards the daata to your server.", ["daata>data?"]),
        ("Go back to teh page.", ["teh>the"]),
        ("The daata.", ["daata>data?"]),  # its letters tell
        ("The fclose and the rvalue, with a deopt of stdin.", []),
        ("Selcet **Menu**. Clcik the Menu.", ["Selcet>Select", "Clcik>Click?"]),
    ],
)
@pytest.mark.skipif(
    known_misspellings.find_program() is None and not os.environ.get("CI"), reason="typos is not installed"
)
def test_the_words_around_tell_a_short_misspelling(text: str, expected: list[str]) -> None:
    assert found(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "Look at a locat to it, then at the locations.",  # short for a word that stands here
        "A Daata Server listens on the port.",
    ],
)
def test_an_unknown_short_word_alone_is_no_misspelling(text: str) -> None:
    assert found(text) == []


def test_an_ending_of_two_letters_makes_another_word() -> None:
    assert found("It is more configurationic.") == []


@pytest.mark.skipif(
    known_misspellings.find_program() is None and not os.environ.get("CI"), reason="typos is not installed"
)
def test_a_misspelling_that_the_corpus_always_uses_is_a_name() -> None:
    """Between many words, or in code, too: what always stands between the same words was copied."""
    once = "Open pallete and choose a colour."
    assert found(once) == ["pallete>palette"]
    copies = tuple(f"{once} Take number {n}." for n in range(8))
    assert set(found(*copies)) == {"pallete>palette"}
    texts = "with {}", "{} runs", "like {} too", "let {} go", "use {}", "new {} here", "for {} only", "ask {}, then"
    assert found(*(text.format("pallete") for text in texts), code="pallete --all") == []
    assert found(*(text.format("delocate") for text in texts)) == []


@pytest.mark.parametrize(
    "text",
    [
        "Ask Connektion Meyer about it.",
        "Use the Foobarify library.",
        "Run configuratn() first.",
        "See example.com/configuraton for more.",
        "Set configuraton_id to 5.",
        "A reconfigurable, preconfigured webview.",
        "The HTTPS API of the SDK.",
    ],
)
def test_names_code_and_compounds_are_left_alone(text: str) -> None:
    assert found(text) == []


def test_what_stands_in_code_is_spelt_as_its_author_wants() -> None:
    assert found("Call the confgurator here.", code="confgurator()") == []


def test_the_vocabulary_is_right() -> None:
    assert found("Save the configuraton now.", words=("configuraton",)) == []
    assert found("Save the Configuraton now.", words=("configuraton",)) == []


def test_a_warm_cache_imports_no_dictionary(tmp_path: Path) -> None:
    code = (
        "import sys\n"
        "from tutorial_tool.spelling import lists\n"
        "assert lists.is_known('word')\n"
        "print([name for name in ('spylls', 'symspellpy') if name in sys.modules])\n"
    )
    environment = {**os.environ, "XDG_CACHE_HOME": str(tmp_path), "LOCALAPPDATA": str(tmp_path)}
    for _ in range(2):
        done = subprocess.run(
            [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
    assert done.stdout == "[]\n"
    assert list(tmp_path.rglob("words-*.bin"))


def test_the_dictionary_is_closed_after_reading() -> None:
    done = subprocess.run(
        [sys.executable, "-X", "dev", "-c", "from tutorial_tool.spelling import lists; lists.read()"],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert "ResourceWarning" not in done.stderr


def test_a_cache_that_cannot_be_written_or_read_is_done_without(tmp_path: Path) -> None:
    (tmp_path / "tutorial-tool").write_text("a file, where a folder should be")
    environment = {**os.environ, "XDG_CACHE_HOME": str(tmp_path), "LOCALAPPDATA": str(tmp_path)}
    code = "from tutorial_tool.spelling import lists; print(lists.is_known('word'), lists.is_known('wrod'))"
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "True False\n"), done.stderr


@pytest.mark.parametrize(
    ("word", "other"),
    [
        ("amaozn", "amazon"), ("whicch", "which"), ("serbice", "service"), ("vison", "vision"), ("settng", "setting"),
        ("occured", "occurred"), ("automaticallyy", "automatically"), ("timeounts", "timeouts"),
    ],
)  # fmt: skip
def test_fingers_slip(word: str, other: str) -> None:
    assert near_words.is_slip(word, other)


@pytest.mark.parametrize(
    ("word", "other"),
    [("gzip", "zip"), ("codec", "code"), ("ccache", "cache"), ("statfs", "stats"), ("falsy", "false"), ("intra", "infra"),
     ("agen", "agent"), ("setting", "setting"), ("left", "right")],
)  # fmt: skip
def test_a_name_or_another_word_is_no_slip(word: str, other: str) -> None:
    assert not near_words.is_slip(word, other)


def test_a_slip_of_a_word_that_the_texts_use_is_found_in_headings_too() -> None:
    services = "The service starts, a service stops, and no service runs."
    assert found(services, "Start the serbice now.") == ["serbice>service"]
    assert found(services, "Starting Each Serbice") == ["Serbice>Service"]
    assert found(services, "Start the serbice now.", code="serbice") == []


@pytest.mark.parametrize("times", [1, 6, 40])
def test_a_slip_that_was_copied_is_one_however_often_it_stands(times: int) -> None:
    copies = tuple(f"Here you can open teh door of house {n}, and get the delivrables." for n in range(times))
    assert found(*copies).count("teh>the") == times
    sentences = (
        "we have to {} it",
        "they may {} the others",
        "do not {} what comes",
        "please {} money",
        "it will {} all",
    )
    habit = tuple(sentence.format("recieve") for sentence in (*sentences, "why {} a thing", "and {} nothing"))
    assert found(*habit).count("recieve>receive") == len(habit)


@pytest.mark.parametrize(
    "text", ["Recieve the money.", "Becuase of this, go.", "Untill then, wait.", "Delte the file."]
)
def test_the_first_word_of_a_text_may_be_a_slip(text: str) -> None:
    assert len(found(text)) == 1
