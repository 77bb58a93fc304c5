"""A question's whole way over real PDFs: events, quotes, models that behave and models that do not."""

import re
from dataclasses import replace

import pytest

from multidoc_rag import Assistant, Library, ScriptedLLM, answer_json
from multidoc_rag.answers.prompts import REFUSAL
from multidoc_rag.errors import BadQuestion, MultiDocError, UnknownDocument, WriterBusy, WriterTimeout
from multidoc_rag.records import Answer, Checked, Done, Event, FellBack, Message, Retrieved, Searching, Token

QUESTION = "How do the documents describe the risk of fire in a container?"


def scripted(library: Library, *replies: object, keep: bool = False, **options: object) -> Assistant:
    """An assistant with a scripted model; replies are not kept, so that tests do not see each other's."""
    model = ScriptedLLM(replies, **options)  # type: ignore[arg-type]
    return Assistant(library, llm=model, config=replace(library.config, cache_replies=keep))


def asked(assistant: Assistant) -> list[tuple[Message, ...]]:
    assert isinstance(assistant.llm, ScriptedLLM)
    return assistant.llm.asked


def run(assistant: Assistant, question: str = QUESTION, **options: object) -> tuple[list[Event], Answer]:
    events = list(assistant.ask(question, **options))  # type: ignore[arg-type]
    assert isinstance(events[-1], Done)
    return events, events[-1].answer


def test_events_come_in_order_and_the_tokens_are_the_answer(library: Library) -> None:
    events, answer = run(Assistant(library))
    kinds = [type(event) for event in events]
    assert kinds[:2] == [Searching, Retrieved]
    assert kinds[-1] is Done
    assert set(kinds[2:-1]) == {Token, Checked}
    assert "".join(event.text for event in events if isinstance(event, Token)) == answer.raw_text
    assert [event.sentence for event in events if isinstance(event, Checked)] == list(answer.sentences)


def test_every_quote_is_verbatim_on_the_page_it_names(library: Library) -> None:
    _, answer = run(Assistant(library))
    assert answer.model == "quotes"
    assert 3 <= len(answer.citations) <= 36
    for citation in answer.citations:
        assert library.text(citation.document)[citation.start : citation.end] == citation.quote
        assert citation.page == library.page_of(citation.document_id, citation.start)
        assert " ".join(citation.quote.split()) in answer.text
        assert citation.label in answer.text
    for sentence in answer.sentences:
        assert sentence.citations


def test_the_json_has_the_contracts_keys(library: Library) -> None:
    _, answer = run(Assistant(library))
    data = answer_json(answer)
    assert {"id", "question", "intent", "refused", "answer", "model", "warnings", "fallbacks", "trace"} <= set(data)
    assert {"sentences", "citations", "conflicts", "coverage", "seconds"} <= set(data)
    assert set(data["sentences"][0]) == {"text", "citations", "verdict", "reason"}
    assert {"n", "document", "document_id", "page", "quote", "places", "verdict"} <= set(data["citations"][0])
    assert data["citations"][0]["places"][0]["page"] == data["citations"][0]["page"]
    assert set(data["coverage"]) == {"read", "cited", "nothing_found"}
    assert {c["verdict"] for c in data["citations"]} == {"supported"}
    assert data["grounding"]["citation_precision"] == 1.0
    assert data["seconds"]["total"] > 0


def test_a_models_labels_become_citations_and_false_ones_are_marked(library: Library) -> None:
    page = run(Assistant(library))[1].citations[0]
    text = f"Fire is a risk [{page.document} p.{page.page}]. It is grave [made-up.pdf p.1]."
    _, answer = run(scripted(library, text))
    assert answer.model == "scripted"
    assert "[unknown source: made-up.pdf p.1]" in answer.text
    assert [s.citations for s in answer.sentences] == [(1,), ()]
    assert answer.citations[0].document == page.document
    assert any("made-up.pdf p.1" in warning for warning in answer.warnings)
    assert any("cites 1 of the" in warning for warning in answer.warnings)


def test_a_model_that_refuses_is_a_refusal_without_citations(library: Library) -> None:
    _, answer = run(scripted(library, REFUSAL))
    assert answer.refused
    assert answer.citations == ()


@pytest.mark.parametrize("failure", [WriterBusy("busy"), WriterTimeout("too slow")])
def test_a_failing_model_falls_back_to_quotes_and_says_so(library: Library, failure: Exception) -> None:
    events, answer = run(scripted(library, ["Half an answer", failure]))
    (fell,) = (event for event in events if isinstance(event, FellBack))
    assert (fell.failed, fell.reason, fell.next) == ("scripted", str(failure), "quotes")
    assert answer.model == "quotes"
    assert answer.citations
    assert answer.fallbacks == (f"scripted: {failure} Answered by quotes instead.",)
    assert "Half an answer" not in answer.text


def test_an_empty_reply_falls_back_too(library: Library) -> None:
    _, answer = run(scripted(library, "  \n"))
    assert answer.model == "quotes"
    assert "answered with nothing" in answer.fallbacks[0]


def test_the_same_question_on_the_same_evidence_is_answered_from_the_kept_reply(library: Library) -> None:
    model = ScriptedLLM(["Kept."], name="keeper")
    assert run(Assistant(library, llm=model))[1].text == "Kept."
    again = run(Assistant(library, llm=model))[1]
    assert again.text == "Kept."
    assert len(model.asked) == 1
    assert any("kept from an earlier run" in warning for warning in again.warnings)


def test_the_prompt_in_the_event_is_what_the_model_was_asked(library: Library) -> None:
    assistant = scripted(library, "An answer.")
    events, answer = run(assistant)
    retrieved = next(event for event in events if isinstance(event, Retrieved))
    assert asked(assistant) == [retrieved.prompt.messages]
    assert answer.prompt == retrieved.prompt


def test_a_small_window_leaves_the_weakest_out_and_the_answer_shows_the_prompt_that_was_sent(library: Library) -> None:
    assistant = scripted(library, "Short.", context_tokens=2600)
    _, answer = run(assistant)
    assert answer.prompt is not None
    assert asked(assistant) == [answer.prompt.messages]
    assert answer.prompt.left_out
    assert any("did not fit" in warning for warning in answer.warnings)


def test_stopping_ends_the_answer(library: Library) -> None:
    with pytest.raises(MultiDocError, match="stopped"):
        list(scripted(library, ["One ", "two ", "three"]).ask(QUESTION, cancelled=lambda: True))


def test_only_the_chosen_documents_are_read(library: Library) -> None:
    _, answer = run(Assistant(library), documents=["economic-assessment.pdf"])
    assert {citation.document for citation in answer.citations} == {"economic-assessment.pdf"}
    assert answer.coverage.read == ("economic-assessment.pdf",)
    assert answer.coverage.nothing_found == ()


def test_an_answer_is_kept_in_its_conversation(library: Library) -> None:
    first = run(Assistant(library), conversation=None)[1]
    kept = library.store.answer(first.id)
    assert (kept["question"], kept["answer"]) == (QUESTION, first.text)


@pytest.mark.parametrize(
    ("question", "sentence"),
    [("", "empty"), (" ?! ", "empty"), ("why " * 5000, "20,0|19,999")],
)
def test_a_question_that_cannot_be_asked_says_why(library: Library, question: str, sentence: str) -> None:
    with pytest.raises(BadQuestion, match=sentence):
        list(Assistant(library).ask(question))


def test_an_unknown_document_is_named(library: Library) -> None:
    with pytest.raises(UnknownDocument, match=r"nowhere\.pdf"):
        list(Assistant(library).ask(QUESTION, documents=["nowhere.pdf"]))


def test_an_empty_library_says_what_to_do(tmp_path: object) -> None:
    with Library.open(tmp_path / "store") as empty, pytest.raises(MultiDocError, match="add some first"):  # type: ignore[operator]
        list(Assistant(empty).ask(QUESTION))


def test_the_same_question_gets_the_same_answer(library: Library) -> None:
    first, second = run(Assistant(library))[1], run(Assistant(library))[1]
    assert (first.text, first.citations) == (second.text, second.citations)


def test_an_intent_the_user_chose_shapes_the_answer(library: Library) -> None:
    _, answer = run(Assistant(library), intent="extraction")
    assert answer.intent.name == "extraction"
    assert answer.intent.reasons == ("chosen by the user",)
    with pytest.raises(MultiDocError, match="not known"):
        list(Assistant(library).ask(QUESTION, intent="poem"))


def test_flat_and_unordered_prompts_can_be_asked_for(library: Library) -> None:
    config = replace(library.config, mode="dense")
    _, answer = run(Assistant(library, config=config), strategy="flat", reorder=False)
    assert answer.prompt is not None
    assert answer.prompt.strategy == "flat"
    scores = [passage.score for passage in answer.prompt.passages]
    assert scores == sorted(scores, reverse=True)


def test_quotes_have_exact_boxes_on_their_pages(library: Library) -> None:
    _, answer = run(Assistant(library))
    for citation in answer.citations:
        assert all(place.boxes for place in citation.places)
        left, bottom, right, top = citation.places[0].boxes[0]
        assert 0 <= left < right <= 700
        assert 0 <= bottom < top <= 900


FIGURE = "How many cruise calls does the economic assessment expect?"


def a_fact(library: Library) -> tuple[str, str]:
    """A sentence with a figure from the evidence of FIGURE, and its label."""
    _, answer = run(Assistant(library), FIGURE)
    citation = next(c for c in answer.citations if re.search(r" \d+ [a-z]+", c.quote) and c.quote.endswith("."))
    return " ".join(citation.quote.split()).rstrip("."), citation.label


def test_a_changed_figure_does_not_stand_and_the_true_one_does(library: Library) -> None:
    sentence, label = a_fact(library)
    changed = re.sub(r" (\d+) ([a-z]+)", lambda m: f" {int(m[1]) + 17} {m[2]}", sentence, count=1)
    _, answer = run(scripted(library, f"{sentence} {label}.\n\n{changed} {label}."), FIGURE)
    assert answer.sentences[0].verdict == "supported"
    assert answer.sentences[1].verdict in ("contradicted", "unsupported")
    assert answer.sentences[1].reason


def test_strict_mode_asks_once_more_and_drops_what_still_does_not_stand(library: Library) -> None:
    sentence, label = a_fact(library)
    false = f"Seventy penguins were hired as night guards in 1871 {label}."
    model = ScriptedLLM([f"{sentence} {label}.\n\n{false}"] * 2)
    config = replace(library.config, cache_replies=False, strict=True)
    _, answer = run(Assistant(library, llm=model, config=config), FIGURE)
    assert len(model.asked) == 2
    assert "penguins" in model.asked[1][-1].content
    assert "penguins" not in answer.text
    assert [s.verdict for s in answer.sentences] == ["supported"]
    assert any("Strict mode: 1 sentence" in warning for warning in answer.warnings)
    assert any(warning.startswith("Dropped: “Seventy penguins were hired") for warning in answer.warnings)


def test_a_sentence_without_a_source_is_told_where_one_stands(library: Library) -> None:
    sentence, _ = a_fact(library)
    _, answer = run(scripted(library, f"{sentence}."), FIGURE)
    assert answer.sentences[0].verdict == "partly"
    assert "no source is given" in answer.sentences[0].reason
