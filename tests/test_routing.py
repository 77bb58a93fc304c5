"""What a user would miss when questions are routed: the tables below are the promises."""

from __future__ import annotations

import time

import pytest

from multidoc_rag.questions.routing import classify
from multidoc_rag.records import INTENTS

PAPER = [
    ("Summarize the main ideas across the documents.", "synthesis"),
    ("What are the main sources of risk discussed?", "synthesis"),
    ("Compare how different documents describe the same concept or methodology.", "comparison"),
    ("What are the key assumptions and limitations?", "extraction"),
    ("How do the documents differ in conclusions or policy implications?", "comparison"),
]

DECEPTIVE = {
    "difference as a value": ("What difference in blood pressure did they assume?", "extraction"),
    "explain a contrast": ("Explain what sets plan A apart from plan B.", "comparison"),
    "than a number": ("Which rooms hold more than fifty people?", "extraction"),
    "no later than": ("Must notice be given no later than 30 days before the end?", "extraction"),
    "rather than": ("Rather than details, give me the big picture.", "synthesis"),
    "contrast agent": ("What is the contrast agent used for the MRI scans?", "extraction"),
    "versus in a title": ('Who wrote "Cats versus Dogs"?', "extraction"),
    "both people": ("List the assets that both spouses own jointly.", "extraction"),
    "a study that compared": ("Summarise the study that compared rural and urban schools.", "synthesis"),
    "who made the comparison": ("Who carried out the comparison of both tests?", "extraction"),
    "said by someone": ("Who said that diesel is cheaper than petrol?", "extraction"),
    "change in a name": ("What does the climate change chapter conclude?", "synthesis"),
    "agreement as a paper": ("When does the agreement end?", "extraction"),
    "summary of differences": ("Give an overview of the key differences between the two plans.", "comparison"),
    "list of similarities": ("List similarities and differences of the two systems", "comparison"),
    "summary as a thing": ("List the chapters that have a summary at the end.", "extraction"),
    "list as a thing": ("Summarise the list of complaints into a picture of what went wrong.", "synthesis"),
    "why, of a past course": ("Why did more people leave than join, according to the memoir?", "synthesis"),
    "how many, beside both": ("How many goals did both teams score in total?", "extraction"),
}

CONSTRUCTIONS = {
    "superlative among several": ("which of the contracts has the longest confidentiality period", "comparison"),
    "comparative with than": ("Is the limitation period for fraud longer than the one for negligence?", "comparison"),
    "web search, no capitals": ("who is better kobe or lebron", "comparison"),
    "then for than": ("are turkeys smarter then chickens ?", "comparison"),
    "versus": ("Postgres manual vs MySQL manual on isolation levels", "comparison"),
    "fronted side": ("In contrast to the 4th edition, what does the 5th say about sedation?", "comparison"),
    "at odds": ("List the points where the letter and the reply are at odds.", "comparison"),
    "agreement of sources": ("Do the EU and Californian laws treat pseudonymous data alike?", "comparison"),
    "change since": ("Has our carbon intensity improved since the baseline year?", "comparison"),
    "line up": ("Tell me how the two surgeons' accounts of the operation line up.", "comparison"),
    "background first": ("Both memos discuss severance. Whose terms favour the employee?", "comparison"),
    "as ... as": ("Is the vaccine as effective in adults as in children?", "comparison"),
    "bare noun phrase": ("minimum password length?", "extraction"),
    "yes or no look-up": ("Does the policy cover water damage?", "extraction"),
    "embedded question": ("Hello, I would need to know which questionnaires were used. Thanks!", "extraction"),
    "quote": ("word for word, what does the guarantee say", "extraction"),
    "imperative": ("Pull all phone numbers from the brochures.", "extraction"),
    "by preposition": ("Within what period must a breach be notified?", "extraction"),
    "why": ("Why were the dikes not raised in time?", "synthesis"),
    "what do they say": ("What do the papers say about climate adaptation?", "synthesis"),
    "walk me through": ("Walk me through the onboarding process.", "synthesis"),
    "topic alone": ("carbon border tax", "synthesis"),
}

LANGUAGES = {
    "de compare": ("Vergleiche die Haftungsregeln in den drei Rahmenverträgen.", "comparison"),
    "de which is cheaper": ("Welches Angebot ist günstiger, das vom März oder das vom Juni?", "comparison"),
    "de differ": ("Worin unterscheiden sich die beiden Berichte?", "comparison"),
    "de value": ("Wie hoch ist die Kaution?", "extraction"),
    "de list": ("Liste alle genannten Grenzwerte auf.", "extraction"),
    "de why": ("Warum ist das Projekt gescheitert?", "synthesis"),
    "de summary": ("Fasse die Berichte zusammen.", "synthesis"),
    "fr compare": ("Comparez les méthodes d'échantillonnage des deux études.", "comparison"),
    "fr cheaper": ("Lequel des deux devis revient le moins cher ?", "comparison"),
    "fr value": ("Quel est le montant de la franchise ?", "extraction"),
    "fr deadline": ("Quand le contrat prend-il fin ?", "extraction"),
    "fr explain": ("Expliquez le mécanisme de la garantie décennale.", "synthesis"),
    "fr why": ("Pourquoi le barrage a-t-il cédé ?", "synthesis"),
    "es differ": ("¿En qué se diferencian los dos convenios colectivos?", "comparison"),
    "es than": ("¿Es el plan nuevo más caro que el antiguo?", "comparison"),
    "es value": ("¿Cuántas viviendas se construyeron en 2021?", "extraction"),
    "es list": ("Enumera las obligaciones del arrendatario.", "extraction"),
    "es summary": ("Resume los temas principales de las entrevistas.", "synthesis"),
    "es why": ("¿Por qué fracasó la reforma?", "synthesis"),
    "zh compare": ("比较两份年报的研发投入", "comparison"),
    "zh stricter": ("新版手册对加班的规定更宽松吗？", "comparison"),
    "zh value": ("合同总金额是多少？", "extraction"),
    "zh list": ("列出所有的假设条件", "extraction"),
    "zh influence": ("这项政策对农村学校有什么影响？", "synthesis"),
    "zh summary": ("总结一下这些文件的主要内容", "synthesis"),
}


@pytest.mark.parametrize(("question", "intent"), PAPER)
def test_the_papers_five_questions(question: str, intent: str) -> None:
    assert classify(question).name == intent


@pytest.mark.parametrize(
    ("question", "intent"),
    [*DECEPTIVE.values(), *CONSTRUCTIONS.values(), *LANGUAGES.values()],
    ids=[*DECEPTIVE, *CONSTRUCTIONS, *LANGUAGES],
)
def test_the_shape_of_the_answer_decides(question: str, intent: str) -> None:
    found = classify(question)
    assert found.name == intent, found.reasons


@pytest.mark.parametrize(
    "question", ["", " \n\t", "?", "...", "\x00\ufffd", "''", '""', "🙂🙂", "\u0301", "¿", "42", "a", "_" * 50, "(((("]
)
def test_empty_and_odd_input_is_a_synthesis_with_low_confidence(question: str) -> None:
    found = classify(question)
    assert found.name == "synthesis"
    assert found.confidence < 0.5
    assert found.reasons == ("no rule fired: without a sign a question is a synthesis",)


def test_the_reasons_say_in_words_what_fired() -> None:
    found = classify("Is the new lease stricter than the old one?")
    assert found.name == "comparison"
    assert "holds a comparative with than" in found.reasons
    assert found.second == "extraction"
    assert 0.5 < found.confidence <= 1.0


def test_a_plain_question_is_surer_than_a_mixed_one() -> None:
    plain = classify("Compare the two budgets.")
    mixed = classify("Explain which of the clauses lists the exceptions.")
    assert plain.confidence > 0.9 > mixed.confidence
    assert mixed.second is not None
    assert mixed.second != mixed.name


@pytest.mark.parametrize("question", [row[0] for row in (*DECEPTIVE.values(), *LANGUAGES.values())])
def test_every_result_is_whole_and_the_same_each_time(question: str) -> None:
    found = classify(question)
    assert found == classify(question)
    assert found.name in INTENTS
    assert 0.0 < found.confidence <= 1.0
    assert found.reasons
    assert found.second != found.name


@pytest.mark.parametrize(
    "unit",
    [
        "a",
        "more ",
        "than ",
        "or ",
        "which ",
        "the ",
        "x, ",
        "' ",
        '"',
        "who is better ",
        "what is the ",
        "to the and of ",
        "比",
        "最",
    ],
)
def test_long_input_is_read_in_bounded_time(unit: str) -> None:
    question = (unit * 20_000)[:20_000]
    classify("warm the patterns")
    classify("比较")
    started = time.process_time()
    classify(question)
    assert time.process_time() - started < 0.5  # some 20 ms on an idle machine; a runaway pattern takes minutes


def test_the_request_at_the_end_of_a_long_text_counts() -> None:
    assert (
        classify("The tenant pays on the first of the month. " * 400 + "Compare the two leases.").name == "comparison"
    )


def test_white_space_case_and_typographic_quotes_do_not_matter() -> None:
    plain = classify("what's the date of the merger?")
    assert classify("  WHAT’S   the date\u00a0of the merger?\n") == plain
