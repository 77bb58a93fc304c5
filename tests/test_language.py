"""Folding, words, languages and sentences as the rooms above rely on them."""

from __future__ import annotations

import time

import pytest

from multidoc_rag.language import (
    STOP_WORDS,
    content_words,
    detect_language,
    fold,
    fold_map,
    lexical_terms,
    sentence_spans,
    stop_word_share,
    words,
)


def test_fold_unifies_what_two_writers_would_type_differently() -> None:
    assert fold("  “Foo”—ﬁnd\u00ading\n\n‘A’ ") == "\"foo\"-finding 'a'"


def test_fold_map_leads_every_folded_character_back_to_its_place() -> None:
    text = "The eﬃ-\ncient “Straße”"
    folded, indices = fold_map(text)
    assert folded == 'theefficient"strasse"'
    assert len(indices) == len(folded)
    assert [text[i] for i in indices[3:7]] == ["e", "ﬃ", "ﬃ", "ﬃ"]


def test_words_keep_figures_apostrophes_and_single_chinese_characters() -> None:
    assert words("The dog’s 3.5 mg, 1,000 x; 東京タワー e-mail") == [
        "the", "dog's", "3.5", "mg", "1,000", "x", "東", "京", "タ", "ワ", "ー", "e", "mail",
    ]  # fmt: skip


def test_content_words_are_stemmed_and_without_stop_words() -> None:
    assert content_words("The running dogs' plans were changed") == ["run", "dog", "plan", "chang"]
    assert content_words("Die Häuser der Städte", "de") == ["haus", "stadt"]


def test_lexical_terms_make_bigrams_of_unspaced_scripts_only() -> None:
    assert lexical_terms("Tower 東京タワー は 3.5") == "tower 東京 京タ タワ ワー は 3.5"


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("The tenant shall pay the rent on the first day of each month.", "en"),
        ("Der Mieter hat die Miete am ersten Tag eines jeden Monats zu zahlen.", "de"),
        ("Le locataire doit payer le loyer le premier jour de chaque mois.", "fr"),
        ("El inquilino debe pagar la renta el primer día de cada mes.", "es"),
        ("Il conduttore deve pagare il canone il primo giorno di ogni mese.", "it"),
        ("O inquilino deve pagar a renda no primeiro dia de cada mês, e não depois.", "pt"),
        ("De huurder moet de huur op de eerste dag van elke maand betalen.", "nl"),
        ("这是一个中文句子。", "zh"),
        ("これは日本語の文章です。", "ja"),
        ("Арендатор должен платить за это в первый день и не позже.", "ru"),
        ("هذا نص عربي", "ar"),
        ("xkcd qwer asdf zxcv", ""),
        ("12 34 56", ""),
        ("", ""),
    ],
)
def test_detect_language(text: str, language: str) -> None:
    assert detect_language(text) == language


def test_stop_word_share_is_of_the_best_language() -> None:
    assert stop_word_share("das ist nicht der Hund") == pytest.approx(0.8)
    assert stop_word_share("wkh grj dqg") == 0.0
    assert {"en", "de", "fr", "es", "it", "pt", "nl"} <= set(STOP_WORDS)


def test_sentences_know_abbreviations_headings_and_bullets() -> None:
    text = "Introduction\n\nDr. Smith et al. (2003) gave 3.5 mg. It\nworked, e.g. at night.\n• one thing\n• another"
    assert [text[a:b] for a, b in sentence_spans(text)] == [
        "Introduction",
        "Dr. Smith et al. (2003) gave 3.5 mg.",
        "It\nworked, e.g. at night.",
        "• one thing",
        "• another",
    ]


def test_sentences_of_other_languages_have_exact_offsets() -> None:
    text = "Überschrift\n\n 😀 Das ist z.B. gut. Und 3.5 Liter.\n• eins\n• zwei"
    assert [text[a:b] for a, b in sentence_spans(text, "de")] == [
        "Überschrift",
        "😀 Das ist z.B. gut.",
        "Und 3.5 Liter.",
        "• eins",
        "• zwei",
    ]
    assert sentence_spans("这是。那是！", "zh") == [(0, 3), (3, 6)]


def test_an_entry_of_a_reference_list_is_not_split() -> None:
    text = (
        "So it was (Brown et al., 1993).\n\nReferences\n"
        "Brown, P. F., S. A. Della Pietra, and R. L. Mercer. 1993. The mathematics of translation. "
        "Computational Linguistics, 19(2):263-311.\n"
        "Kevin Knight. 1999. Decoding complexity. Computational Linguistics, 25(4):607-615.\n"
        "[3] S. M. Katz. Estimation of probabilities. IEEE Trans., 35(3):400-401, 1987."
    )
    found = [text[a:b] for a, b in sentence_spans(text)]
    assert found[0] == "So it was (Brown et al., 1993)."
    assert [entry[:12] for entry in found[2:]] == ["Brown, P. F.", "Kevin Knight", "[3] S. M. Ka"]


def test_prose_with_years_and_initials_is_split() -> None:
    text = "In 1993 we saw this. J. Smith agreed. He left in 2003. Nothing else."
    assert len(sentence_spans(text)) == 4


def test_hostile_text_takes_no_time() -> None:
    start = time.perf_counter()
    sentence_spans("Smith, " + "A. " * 2000 + "(2003)?")
    sentence_spans(("Smith Jones Foo Bar Baz " * 12 + "x. ") * 300)
    assert time.perf_counter() - start < 5
