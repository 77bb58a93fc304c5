"""Scores on cases small enough to work out by hand."""

import pytest

from multidoc_rag import metrics


def test_token_scores_count_words_as_often_as_both_sides_hold_them() -> None:
    scores = metrics.token_scores(["The cat sat.", "The end"], ["the cat, the dog"])
    # ours: the x2, cat, sat, end (5); gold: the x2, cat, dog (4); shared: the x2, cat (3)
    assert (scores.precision, scores.recall) == (3 / 5, 3 / 4)
    assert scores.f1 == pytest.approx(2 / 3)


@pytest.mark.parametrize(
    ("ours", "gold", "f1"), [([], [], 1.0), ([], ["a word"], 0.0), (["x"], [], 0.0), (["a"], ["b"], 0.0)]
)
def test_token_scores_of_empty_and_disjoint_texts(ours: list[str], gold: list[str], f1: float) -> None:
    assert metrics.token_scores(ours, gold).f1 == f1


def test_a_fact_counts_only_whole_in_one_sentence_that_cites_its_document() -> None:
    sentences = [
        ("“The crane lifts 40 t.”", ["crane.pdf"]),
        ("“It was built in 1998.”", ["yard.pdf"]),
    ]
    facts = [
        ("crane.pdf", ["CRANE", "40 t"]),
        ("yard.pdf", ["40 t"]),  # right words, other document
        ("yard.pdf", ["40 t", "1998"]),  # spread over two sentences
        ("yard.pdf", ["built  in\n1998"]),  # white space does not matter
    ]
    assert metrics.facts_found(sentences, facts) == [True, False, False, True]


def test_coverage_is_the_share_of_expected_documents() -> None:
    assert metrics.coverage(["a", "b", "b", "x"], ["a", "b", "c", "d"]) == 0.5
    assert metrics.coverage([], []) == 1.0


def test_quantile_interpolates_between_neighbours() -> None:
    assert metrics.quantile([4, 1, 3, 2], 0.5) == 2.5
    assert metrics.quantile([10, 20], 0.95) == pytest.approx(19.5)
    assert metrics.quantile([], 0.5) == 0.0


def test_mean_and_share_of_nothing_are_zero() -> None:
    assert metrics.mean([]) == metrics.share([]) == 0.0
    assert metrics.share([True, False, True, True]) == 0.75
