"""Further wordings: documents named in the question, parts, follow-ups."""

import pytest

from multidoc_rag.records import Document, Turn
from multidoc_rag.search.queries import follow_up, named_documents, parts, without_names


def document(name: str, title: str = "") -> Document:
    return Document(name, name, title, "", 1, 1, "ready", "2026-01-01T00:00:00Z")


PLUS = document("Northwind_Health_Plus_Benefits_Details.pdf")
STANDARD = document("Northwind_Standard_Benefits_Details.pdf")
HANDBOOK = document("employee_handbook.pdf", "Contoso Employee Handbook")
LIBRARY = [PLUS, STANDARD, HANDBOOK]


@pytest.mark.parametrize(
    ("question", "named"),
    [
        ("What is the deductible in the Standard plan?", (STANDARD,)),
        ("How does the Northwind Standard plan differ from Health Plus?", (PLUS, STANDARD)),
        ("What does the employee handbook say about leave?", (HANDBOOK,)),
        ("What are Northwind's benefits?", ()),
        ("How much is the deductible?", ()),
        ("Compare the handbook of employees, Health Plus and Standard.", ()),  # all of them is none in particular
    ],
)
def test_a_document_is_named_by_words_that_only_its_name_has(question: str, named: tuple[Document, ...]) -> None:
    assert named_documents(question, LIBRARY) == named


def test_a_single_document_is_never_singled_out() -> None:
    assert named_documents("What does Health Plus cover?", [PLUS]) == ()


def test_what_is_asked_remains_when_the_names_are_dropped() -> None:
    question = "What is the deductible in the Northwind Standard plan and how does it differ from Health Plus?"
    assert without_names(question, [PLUS, STANDARD]) == "What is the deductible in the plan and how does it differ from"
    assert without_names("Northwind Standard?", [STANDARD]) == "Northwind Standard?"
    assert without_names("Anything?", []) == "Anything?"


def test_a_question_of_several_sentences_is_taken_apart() -> None:
    assert parts("Who approves leave? How many days are granted?") == (
        "Who approves leave?",
        "How many days are granted?",
    )
    assert parts("Who approves leave of absence?") == ()
    assert parts("Why? How many days are granted to staff?") == ()


def test_a_follow_up_leans_on_the_question_before_it() -> None:
    earlier = [Turn("1", "How long does the lease run?", {}, "2026-01-01T00:00:00Z")]
    assert follow_up("And the second one?", earlier) == ("How long does the lease run? And the second one?",)
    assert follow_up("Is it renewed automatically when the tenant stays after expiry?", earlier)
    assert follow_up("Which documents set the insurance premium for warehouse tenants in 2024?", earlier) == ()
    assert follow_up("And the second one?", ()) == ()
