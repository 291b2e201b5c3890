"""The language of a page: as its words or its script show, and as its path says."""

from __future__ import annotations

import re

import pytest

from tutorial_tool.core import language

TEXTS = {
    "en": "Open the settings of your project, and choose the region that is nearest to your users. You can change it at"
    " any time, but data that was sent before stays where it is.",
    "de": "Öffnen Sie die Einstellungen und wählen Sie die Region, die für Ihre Nutzer am besten ist. Sie können das"
    " später nicht mehr ändern, und die Daten werden von dem Dienst gelöscht.",
    "fr": "Ouvrez les paramètres de votre projet et choisissez la région pour vos données. Vous ne pouvez pas la changer"
    " plus tard, et les données sont dans une autre base pour un mois.",
    "pl": "Otwórz ustawienia i wybierz region, który jest najbliżej. Nie można go zmienić po tym, jak dane są wysłane,"
    " a dla nowych danych się nie da tego zrobić lub cofnąć, że aż żal.",
}


@pytest.mark.parametrize(("code", "text"), TEXTS.items(), ids=TEXTS)
def test_words_tell_the_language(code: str, text: str) -> None:
    assert language.detect_language([text], str.split).code == code


def test_a_script_tells_the_language() -> None:
    assert language.detect_language(["設定を開いて、リージョンを選びます。"], str.split) == ("ja", True)


def test_few_words_tell_nothing() -> None:
    assert language.detect_language(["Open the app."], str.split) == (None, False)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("Le bouton permet à l’usager de lancer une action dans la page", "fr"),
        ("Vue d’ensemble, mesure d’audience", "fr"),
        ("Die Taste öffnet das Menü und ist immer da", "de"),
        ("Set up a VPN on your Mac", None),
        ("The d'Artagnan and l'Oréal brands", None),
        ("Docker image de la base", None),
    ],
)
def test_few_words_may_be_common_in_one_language_only(text: str, code: str | None) -> None:
    assert language.detect_language([text], _words) == (code, False)


def test_filler_text_is_latin() -> None:
    text = "Praesent vitae turpis sit amet sem fermentum eget nec dolor. Nulla varius leo eu libero placerat."
    assert language.is_foreign(_words(text))


def _words(text: str) -> list[str]:
    return re.findall(r"[^\W\d_]+(?:['’][^\W\d_]+)*", text.lower())


@pytest.mark.parametrize(
    ("path", "code"),
    [
        ("docs/de/intro.md", "de"),
        ("docs/pt-BR/intro.md", "pt"),
        ("intro.pl.md", "pl"),
        ("intro_nb-no.md", "nb"),
        ("guide/use_it.md", None),
        ("guide/test_it_now/page.md", None),
        ("docs/ci-cd/intro.md", None),
        ("docs/go_to/intro.md", None),
        ("it.md", None),
    ],
)
def test_a_path_tells_a_language_where_it_is_no_word(path: str, code: str | None) -> None:
    assert language.get_path_language(path) == code
