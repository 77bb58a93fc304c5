"""Which way a sentence says that something goes, and evidence that says the other way."""

from __future__ import annotations

import pytest

from multidoc_rag.verdicts.checking import check_sentence
from multidoc_rag.verdicts.denials import denied
from multidoc_rag.verdicts.directions import Mention, mentions, other_way
from multidoc_rag.verdicts.disagreement import turned_contrast


def test_a_mention_has_a_sign_and_the_theme_nearest_first() -> None:
    assert mentions("The new pump reduces cooling costs.") == (Mention(-1, False, "reduces", ("cool", "cost")),)
    assert mentions("Cooling costs were clearly lower.") == (Mention(-1, False, "lower", ("cost", "cool")),)
    assert mentions("Night shifts are not associated with accidents.") == (Mention(2, True, "associated", ("accid",)),)
    assert mentions("Night shifts are associated with an increased risk of accidents.") == (
        Mention(1, False, "increased", ("risk", "accid")),
    )


def test_what_is_asked_or_only_named_is_no_mention() -> None:
    assert mentions("We studied whether night shifts increase accidents.") == ()
    assert mentions("The effect of night shifts on accidents was studied.") == ()


@pytest.mark.parametrize(
    ("claim", "passage", "reason"),
    [
        (
            "Early inspection increases pipe failures.",
            "In the trial, early inspection reduced pipe failures by a third.",
            "the passage says “reduced”, the sentence “increases”",
        ),
        (
            "Shift work raises the risk of accidents among drivers.",
            "Among drivers shift work was not associated with an increased risk of accidents.",
            "the passage says “not increased”, the sentence “raises”",
        ),
        (
            "Valve wear is unrelated to water hardness.",
            "Valve wear was associated with water hardness at all nine sites.",
            "the passage says “associated”, the sentence “unrelated”",
        ),
    ],
)
def test_the_other_way_is_a_contradiction_with_its_reason(claim: str, passage: str, reason: str) -> None:
    judgement = check_sentence(claim, [passage])
    assert (judgement.verdict, judgement.reason) == ("contradicted", reason)


@pytest.mark.parametrize(
    ("claim", "passage"),
    [
        ("Early inspection reduces pipe failures.", "In the trial, early inspection lowered pipe failures by a third."),
        (
            "Early inspection reduces pipe failures.",
            "Early inspection increased staff costs, and reduced pipe failures.",
        ),
        ("Shift work did not improve output.", "Shift work led to a decline in output."),
        ("Early inspection increases pipe failures.", "We ask whether early inspection reduces pipe failures."),
    ],
)
def test_the_same_way_another_theme_or_a_question_is_none(claim: str, passage: str) -> None:
    assert other_way(claim, [(passage, 1.0)]) == ""


def test_evidence_that_agrees_as_closely_outweighs_what_does_not() -> None:
    claim = "Early inspection reduces pipe failures."
    against = ("Early inspection increases pipe failures.", 0.8)
    assert other_way(claim, [against]) == "the passage says “increases”, the sentence “reduces”"
    assert other_way(claim, [against, ("Early inspection reduces pipe failures here.", 0.8)]) == ""


@pytest.mark.parametrize(
    ("claim", "passage"),
    [
        (
            "Plan A covers mental health care.",
            "Plan A does not offer coverage for emergencies, mental health care, or treatment abroad.",
        ),
        ("In all cases, late fees count towards the yearly limit.", "Late fees do not count towards the yearly cap."),
        ("Plan A covers all screenings at no extra cost.", "Please note that Plan A does not cover all screenings."),
        ("Plan B does not cover X-rays.", "Plan B offers coverage for hospital stays, lab tests, and X-rays."),
    ],
)
def test_a_denial_is_seen_whatever_else_both_sentences_hold(claim: str, passage: str) -> None:
    judgement = check_sentence(claim, [passage])
    assert judgement.verdict == "contradicted"
    assert judgement.reason in ("the passage denies it", "the sentence denies what the passage says")


@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        ("Plan A covers screenings.", ["Plan A does not cover all screenings."]),
        ("Plan B covers emergencies.", ["Plan A does not cover emergencies."]),
        ("Phase 2 includes the quay wall.", ["Phase 1 does not include the quay wall."]),
        ("Plan A covers glasses.", ["Plan A does not cover glasses unless a doctor asks for them."]),
        ("Plan A covers glasses.", ["Plan A does not cover glasses.", "Plan A covers glasses and contact lenses."]),
        ("Plan A does not cover glasses.", ["Plan A covers glasses.", "Glasses are not covered by Plan A."]),
    ],
)
def test_what_denies_something_else_denies_nothing(claim: str, evidence: list[str]) -> None:
    assert denied(claim, evidence) == ""


def test_two_sides_of_a_contrast_that_trade_places() -> None:
    passage = "Most of the loss came with time and heat rather than with use."
    turned = "Most of the loss was due to use rather than to time and heat."
    assert check_sentence(turned, [passage]).reason == "the passage has it the other way round (“rather than”)"
    assert turned_contrast("Time and heat rather than use caused most of the loss.", [passage]) == ""
    passage = "The Gannet plan is comprehensive and offers more coverage than the Basic plan."
    assert turned_contrast("The Basic plan offers more coverage than the Gannet plan.", [passage]) != ""
    assert turned_contrast("The Gannet plan offers more coverage than the Basic plan.", [passage]) == ""
    assert turned_contrast("The Basic plan offers less coverage than the Gannet plan.", [passage]) == ""


@pytest.mark.parametrize(
    ("claim", "passage"),
    [
        (
            "The battery may be charged to at most 90 %.",
            "The battery shall not be charged above a state of charge of 90 %.",
        ),
        (
            "The floors must be raised to 4.9 m because the flood reached 3.9 m.",
            "The flood reached 3.9 m, so the floors must be raised to 4.9 m.",
        ),
    ],
)
def test_a_limit_is_no_denial_and_another_order_no_swap(claim: str, passage: str) -> None:
    assert check_sentence(claim, [passage]).verdict != "contradicted"
