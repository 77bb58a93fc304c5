"""Typed claims, what two of them come to, and the ledger that follows the documents."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from stored import WordEmbedder

from multidoc_rag.cli import main
from multidoc_rag.disputes.claims import Claim, claims
from multidoc_rag.disputes.conflicts import compare, conflicts_in, strangers
from multidoc_rag.disputes.differences import read
from multidoc_rag.disputes.editions import edition, editions_of_one
from multidoc_rag.disputes.subjects import other_noun, relation, subject
from multidoc_rag.language import fold_map
from multidoc_rag.library import Library
from multidoc_rag.records import Passage, Table


def claim(text: str, name: str = "a.md") -> Claim:
    (found,) = claims(text, document_id=name, document_name=name)
    assert found.text == text
    return found


# --- claims ----------------------------------------------------------------------------------------


def test_headings_questions_examples_and_references_are_no_claims() -> None:
    text = (
        "4.2 Efficiency of 24 units\n\nIs the gap 3.0 m wide?\n\nFor example, a copay may be $20 a visit.\n\n"
        "Figure 3: Average cost of 14 houses.\n\nSmith, J. 2001. On gaps. Journal of Gaps, 9(6):612–620.\n\n"
        "The gap between the houses is 3.0 m."
    )
    found = claims(text, document_id="a", document_name="a.md")
    assert [c.text for c in found] == ["The gap between the houses is 3.0 m."]


def test_offsets_are_those_of_the_document_also_for_a_passage() -> None:
    text = "Nothing here.\n\nThe plant yielded\n41.8 MWh of usable energy. It weighs 12 tonnes in all."
    found = claims(text, document_id="a", document_name="a.md", offset=1000)
    assert [text[c.start - 1000 : c.end - 1000] for c in found] == [c.text for c in found]
    assert [c.text for c in found] == ["The plant yielded\n41.8 MWh of usable energy.", "It weighs 12 tonnes in all."]
    assert found[1].context == "The plant yielded 41.8 MWh of usable energy."


def test_a_table_gives_a_claim_for_each_value_with_its_head_period_and_unit() -> None:
    rows = ("Item\t2023\t2024", "Sales of shore power\t2.27\t3.02")
    text = "\n".join(rows)
    table = Table(0, len(text), ((0, len(rows[0])), (len(rows[0]) + 1, len(text))), 1, "Income (EUR million)")
    first, second = claims(text, document_id="a", document_name="a.md", tables=(table,))
    assert (first.text, second.text) == (rows[1], rows[1])
    assert [c.measures[0].low for c in (first, second)] == pytest.approx([2.27e6, 3.02e6])
    assert {c.measures[0].dimension for c in (first, second)} == {"money:EUR"}
    assert [c.periods[0].text for c in (first, second)] == ["2023", "2024"]


# --- two claims ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("one", "other", "kind", "values"),
    [
        ("The gap between the houses is 3.0 m.", "The gap between houses is 2.4 m.", "conflict", ("3.0 m", "2.4 m")),
        ("The bridge opened on 14 March 2022.", "The bridge was opened on 2 May 2022.", "conflict",
         ("14 March 2022", "2 May 2022")),
        ("The Council approved the plan for the pool.", "The Council refused the plan for the pool.", "conflict",
         ("approved", "refused")),
        ("Nobody was asked about the new road.", "The residents were asked twice about the new road.", "conflict",
         ("Nobody", "twice")),
        ("Records shall be kept for 7 years.", "Records must be kept for at least 10 years.", "conflict",
         ("7 years", "10 years")),
        ("In 2023 ships made 295 calls.", "In 2024 ships made 388 calls.", "other_period", ("295", "388")),
        ("The nominal energy is 48 MWh.", "The usable energy is 43.2 MWh.", "other_scope", ("48 MWh", "43.2 MWh")),
        ("The cost of phase one was EUR 31 million.", "The cost of phase two was EUR 18 million.", "other_scope",
         ("EUR 31 million", "EUR 18 million")),
        ("The gap between houses is 3.0 m.", "Revision B asked for a gap between houses of 2.0 m.", "superseded",
         ("3.0 m", "2.0 m")),
        ("At year end the firm employed 1,240 people.", "The firm had 1,312 employees at the end of the year.",
         "conflict", ("1,240", "1,312")),
        ("The plant has 24 containers (also called units).", "The plant has 26 units.", "conflict", ("24", "26")),
        ("The panels yield 96 MWh a year.", "The panels yielded 81 MWh in the year.", "conflict",
         ("96 MWh a year", "81 MWh")),
        ("The boiler was taken out of service on 3 April 2022.", "The boiler was taken out of service on 19 June 2022.",
         "conflict", ("3 April 2022", "19 June 2022")),
        ("The cost of the first phase was EUR 31 million.", "The cost of phase two was EUR 18 million.", "other_scope",
         ("EUR 31 million", "EUR 18 million")),
        ("Tests are held every two weeks.", "Tests are held once a month.", "conflict",
         ("every two weeks", "once a month")),
        ("New staff are told within a fortnight.", "New staff are told within two weeks.", "other_unit",
         ("fortnight", "two weeks")),
        ("The container weighs 34.5 tonnes.", "The container weighs 34,500 kg.", "other_unit",
         ("34.5 tonnes", "34,500 kg")),
        ("The site covers about 6,000 m².", "The site covers 5,980 m².", "rounding", ("6,000 m²", "5,980 m²")),
    ],
)  # fmt: skip
def test_a_difference_is_called_what_it_is(one: str, other: str, kind: str, values: tuple[str, str]) -> None:
    for order in (1, -1):
        reading = read(*(claim(one), claim(other))[::order])
        assert reading is not None
        assert (reading.kind, reading.values) == (kind, values[::order])


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The gap between houses is 3.0 m.", "The gap between houses is 3.0 m."),
        ("The voltage must be at least 10 kV.", "The voltage was measured at 12 kV."),
        ("The loss of heat lay between 61 % and 74 %.", "The loss of heat was 68 %."),
        ("The pump weighs 12 kg in all.", "The pump costs 12 dollars in all."),
        ("The share rose by 4 percentage points.", "The share rose by 7 %."),
        ("The plant has 24 containers.", "The plant has 26 windows."),
        ("Freezers are kept at -80 °C.", "Freezers are kept at minus 80 degrees Celsius."),
        ("Some services may not be covered by it.", "All the services are covered by it."),
        ("Pumps shall be tested once a year.", "The authors tested the pumps twice a year."),
    ],
)
def test_what_stands_together_is_nothing(one: str, other: str) -> None:
    assert read(claim(one), claim(other)) is None


def test_a_claim_that_agrees_with_its_nearest_has_no_quarrel_with_the_next() -> None:
    ours = [claim("The gap between the houses is 3.0 m.")]
    theirs = [claim(text, "b.md") for text in ("The gap between houses is 3.0 m.", "The gap of the houses is 4.0 m.")]
    assert compare(ours, theirs, np.array([[0.95, 0.9]], "f4")) == []
    assert [f.kind for f in compare(ours, theirs[1:], np.array([[0.9]], "f4"))] == ["conflict"]


@pytest.mark.parametrize(
    ("one", "other", "share", "expected"),
    [
        ("Plan_Standard_Details.pdf", "Plan_Health_Plus_Details.pdf", 0.9, True),
        ("Plan_Standard_v1.pdf", "Plan_Standard_v2.pdf", 0.9, False),
        ("Plan_Standard.pdf", "Plan_Plus.pdf", 0.3, False),  # little in common but the name
        ("pump-manual.pdf", "pump-data-sheet.pdf", 0.9, False),  # two kinds of documents about one thing
        ("lease-5-oak-street.pdf", "handover-7-elm-street.pdf", 0.3, True),
        ("lease-5-oak-street.pdf", "handover-5-oak-street.pdf", 0.9, False),
        ("data-sheet-px-200.pdf", "manual_px300.pdf", 0.3, True),
        ("data-sheet-px-200.pdf", "manual_PX200.pdf", 0.3, False),
    ],
)
def test_documents_about_two_things_are_known_by_their_names(
    one: str, other: str, share: float, expected: bool
) -> None:
    cosines = np.full((4, 4), share, "f4")
    assert strangers(subject("", one), subject("", other), cosines) is expected


@pytest.mark.parametrize(
    ("opening", "others", "expected"),
    [
        ("# Lease\n\nBetween Harbour Homes Ltd and Mr Paul Weber.", "# Lease\n\nBetween Harbour Homes and Ms Novak.",
         "other"),
        ("# Lease\n\nbetween Harbour Homes Ltd (the Landlord) and Mr Paul Weber (the Tenant)",
         "# Amendment\n\nbetween Harbour Homes and Mr Weber", "same"),
        ("# Lease\n\nHarbour Homes, 1 Quay Street, lets 5 Oak Street.",
         "# Lease\n\nHarbour Homes, 1 Quay Street, lets 5 Elm Street.", "other"),
        ("# Mietvertrag Hauptstraße 5", "# Mietvertrag Hauptstr. 5", "same"),
        ("# Mietvertrag Hauptstraße 5", "# Übergabe Hauptstraße 7", "other"),
        ("# Bail du 5, rue de Rivoli", "# Bail du 9, rue de Rivoli", "other"),
        ("# Rules of the Finance Department", "# Notes of the Legal Department", "other"),
        ("# Rules of the Finance Department", "# Notes of the Finance Department", "same"),
        ("# Pump PX-200", "# Guide for the pump PX 200", "same"),
        ("# Pump PX-200", "# Pump QM-20", "other"),
        ("# Lease of Flat 3", "# Lease of Flat 4", "other"),
        ("# Certificate by ISO 9001", "# Certificate by ISO 14001", "unknown"),
        ("# Prices\n\n1 Oak Street, 2 Oak Street and 3 Oak Street are let.", "# Lease of 9 Oak Street", "unknown"),
        ("# Notes\n\nOpen between Monday and Friday.", "# Notes\n\nOpen between March and October.", "unknown"),
    ],
)  # fmt: skip
def test_what_two_documents_are_about_is_read_at_their_heads(opening: str, others: str, expected: str) -> None:
    for one, other in ((opening, others), (others, opening)):
        assert relation(subject(one, "a.md"), subject(other, "b.md")) == expected


def test_a_sentence_leaves_to_its_document_what_it_does_not_name() -> None:
    def found(text: str, name: str) -> list[Claim]:
        return list(claims(text, document_id=name, document_name=name))

    near = np.full((1, 1), 0.95, "f4")
    oak = found("# Lease of 5 Oak Street\n\nThe monthly rent is 1,200 EUR.", "a.md")
    elm = found("# Lease of 7 Elm Street\n\nThe monthly rent is 900 EUR.", "b.md")
    of_oak = found("# Rents\n\nThe monthly rent for 5 Oak Street is 1,250 EUR.", "c.md")
    assert compare(oak, elm, near) == []
    assert compare(elm, of_oak, near) == []
    assert [(f.kind, f.values) for f in compare(oak, of_oak, near)] == [("conflict", ("1,200 EUR", "1,250 EUR"))]
    # a lease may speak of another flat
    neighbour = found("# Lease of 5 Oak Street\n\nThe monthly rent for 7 Elm Street is 950 EUR.", "d.md")
    assert [(f.kind, f.values) for f in compare(elm, neighbour, near)] == [("conflict", ("900 EUR", "950 EUR"))]
    assert compare(oak, neighbour, near) == []


def test_reports_of_a_series_differ_in_period_unless_they_speak_of_the_same_one() -> None:
    def found(year: int, fact: str) -> list[Claim]:
        name = f"report-{year}.md"
        text = f"# Annual Report {year} of Brevik Foods\n\n{fact}"
        return list(claims(text, document_id=name, document_name=name))

    near = np.full((1, 1), 0.95, "f4")
    one, other = found(2021, "Turnover came to EUR 84 million."), found(2022, "Turnover came to EUR 91 million.")
    assert [f.kind for f in compare(one, other, near)] == ["other_period"]
    corrected = found(2022, "In 2021 turnover came to EUR 86 million.")
    assert [f.kind for f in compare(one, corrected, near)] == ["conflict"]


@pytest.mark.parametrize(
    ("one", "other", "alike", "expected"),
    [
        ("The crew of the pilot boat is 7.", "The crew of the research vessel is 6.", False, True),
        ("The crew of the slipway is 7 people.", "The crew of the ferry is 6 people.", True, True),
        ("The crew of the slipway is 7 people.", "The crew of the ferry is 6 people.", False, False),
        ("The gap between the houses is 3.0 m.", "The gap between the houses is 2.4 m.", True, False),
        ("The plant has 24 containers.", "The plant has 26 units.", True, False),
        ("The boiler was taken out of service on 3 April.", "The boiler was put out of service on 3 May.", True, False),
    ],
)
def test_one_frame_with_another_noun_is_of_another_thing(one: str, other: str, alike: bool, expected: bool) -> None:
    assert other_noun(one, other, alike=alike) is expected
    assert other_noun(other, one, alike=alike) is expected


@pytest.mark.parametrize(
    ("one", "other", "alike", "same"),
    [
        (
            "# Travel Rules\n\nVersion 2.0",
            "# Travel Rules\n\nVersion 3.1. This replaces version 2 of May 2020.",
            False,
            True,
        ),
        (
            "# Travel Rules\n\nIn force from 1 May 2020",
            "# Travel Rules\n\nSupersedes the rules of May 2020.",
            False,
            True,
        ),
        ("# Travel Rules\n\nFirst edition", "# Travel Rules\n\nSecond edition", True, True),
        ("# Travel Rules\n\nFirst edition", "# Travel Rules\n\nSecond edition", False, False),
        ("# Travel Rules\n\nValid from May 2020", "# Travel Rules\n\nValid from June 2023", True, True),
        ("# Annual Report 2022", "# Annual Report 2023", True, False),
        ("# Travel Rules\n\nVersion 2.0", "# Leave Rules\n\nVersion 3.1. This replaces version 2.0.", True, False),
        ("# Cells\n\nHBP-TS-014, revision B", "# Cell racks\n\nHBP-TS-014 rev. C. Replaces revision B.", False, True),
        ("# Travel Rules\n\nNo version.", "# Travel Rules\n\nNo other.", True, False),
    ],
)
def test_two_editions_of_one_document_are_known_by_their_first_page(
    one: str, other: str, alike: bool, same: bool
) -> None:
    for first, second in ((one, other), (other, one)):
        assert editions_of_one(edition(first, "a.md"), edition(second, "b.md"), alike=alike) is same


def test_the_file_name_tells_an_edition_too() -> None:
    text = "Staff travel by train."
    assert editions_of_one(edition(text, "travel_rules_v1.md"), edition(text, "travel-rules-v2.md"), alike=True)
    assert not editions_of_one(edition(text, "travel_rules_v1.md"), edition(text, "leave_rules_v2.md"), alike=True)


# --- passages --------------------------------------------------------------------------------------


def passage(name: str, text: str, start: int = 0, page: int = 1) -> Passage:
    return Passage(name, name, page, page, start, start + len(text), text, "", 1.0, ())


def test_conflicts_among_passages_name_both_sides_verbatim() -> None:
    embedder = WordEmbedder()
    found = conflicts_in(
        (
            passage("a.md", "We welcome you. The fee for a house is EUR 400 a year.", 50, 3),
            passage("b.md", "The fee for a house is EUR 250 a year. Bring a pen.", 0, 7),
        ),
        embedder.encode,
    )
    assert found == (
        {
            "kind": "conflict",
            "subject": "fee house",
            "measure": "fee house",
            "sides": [
                {"document": "a.md", "document_id": "a.md", "page": 3, "value": "EUR 400 a year",
                 "quote": "The fee for a house is EUR 400 a year.", "start": 66, "end": 104},
                {"document": "b.md", "document_id": "b.md", "page": 7, "value": "EUR 250 a year",
                 "quote": "The fee for a house is EUR 250 a year.", "start": 0, "end": 38},
            ],
        },
    )  # fmt: skip


def test_one_document_does_not_conflict_with_itself() -> None:
    texts = ("The fee for a house is EUR 400 a year.", "The fee for a house is EUR 250 a year.")
    passages = [passage("a.md", text, 100 * n) for n, text in enumerate(texts)]
    assert conflicts_in(passages, WordEmbedder().encode) == ()


# --- the ledger ------------------------------------------------------------------------------------

FEE = "# Fees\n\nWelcome to all.\n\nThe fee for a house is EUR {} a year.\n\nBring a pen of your own.\n"


def opened(tmp_path: Path, embedder: WordEmbedder) -> Library:
    return Library.open(tmp_path / "index", embedder=embedder)


def values(found: tuple[dict[str, Any], ...]) -> list[list[str]]:
    return [sorted(side["value"] for side in finding["sides"]) for finding in found if finding["kind"] == "conflict"]


def test_the_ledger_follows_the_documents(tmp_path: Path) -> None:
    embedder = WordEmbedder()
    for name, fee in (("a.md", 400), ("b.md", 250), ("c.md", 400)):
        (tmp_path / name).write_text(f"{FEE.format(fee)}\nThis is {name}.\n", "utf-8")
    with opened(tmp_path, embedder) as library:
        assert library.conflicts() == ()
        library.add([tmp_path / "a.md", tmp_path / "b.md"])
        assert values(library.conflicts()) == [["EUR 250 a year", "EUR 400 a year"]]

        # a third document costs its own claims only
        library.add(tmp_path / "c.md")
        embedder.encoded.clear()
        assert len(values(library.conflicts())) == 2
        assert embedder.encoded == ["The fee for a house is EUR 400 a year."]
        for finding in library.conflicts():
            for side in finding["sides"]:
                assert side["quote"] in library.text(side["document"])

        library.remove(["b.md"])
        assert library.conflicts() == ()

        # a replaced document is compared anew
        (tmp_path / "c.md").write_text(FEE.format(333), "utf-8")
        library.add(tmp_path / "c.md")
        assert values(library.conflicts()) == [["EUR 333 a year", "EUR 400 a year"]]

    with opened(tmp_path, embedder) as library:
        embedder.encoded.clear()
        assert len(library.conflicts()) == 1
        assert embedder.encoded == []


def test_an_answer_gets_the_conflicts_of_its_passages_with_and_without_the_ledger(tmp_path: Path) -> None:
    embedder = WordEmbedder()
    for name, fee in (("a.md", 400), ("b.md", 250)):
        (tmp_path / name).write_text(FEE.format(fee), "utf-8")
    with opened(tmp_path, embedder) as library:
        library.add([tmp_path / "a.md", tmp_path / "b.md"])
        whole, first = [], []
        for document in library.documents():
            text = library.text(document.name)
            whole.append(Passage(document.id, document.name, 1, 1, 0, len(text), text, "", 1.0, ()))
            first.append(Passage(document.id, document.name, 1, 1, 0, 6, text[:6], "", 1.0, ()))
        before = library.conflicts_among(whole)
        assert values(before) == [["EUR 250 a year", "EUR 400 a year"]]
        ledger = library.conflicts()
        embedder.encoded.clear()
        assert library.conflicts_among(whole) == ledger
        assert library.conflicts_among(first) == ()
        assert embedder.encoded == []


def test_damaged_claims_are_found_by_the_doctor_and_made_anew(tmp_path: Path) -> None:
    embedder = WordEmbedder()
    for name, fee in (("a.md", 400), ("b.md", 250)):
        (tmp_path / name).write_text(FEE.format(fee), "utf-8")
    with opened(tmp_path, embedder) as library:
        library.add([tmp_path / "a.md", tmp_path / "b.md"])
        before = library.conflicts()
        assert library.doctor()["ok"]
        with library.store._database.writing() as connection:
            connection.execute("UPDATE claims SET crc = crc + 1 WHERE document = 1")
        assert library.doctor() == {
            "ok": False,
            "findings": [
                {"what": "The kept claims of a.md are damaged; `conflicts` makes them anew.", "repaired": False}
            ],
        }
        assert library.doctor(repair=True)["ok"]
        again = library.conflicts()
    assert len(before) == len(again) == 1
    assert sorted(map(str, before[0]["sides"])) == sorted(map(str, again[0]["sides"]))


def test_documents_that_state_nothing_cost_nothing(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("# Poem\n\nRoses are red and violets blue.\n", "utf-8")
    (tmp_path / "b.md").write_text(FEE.format(250), "utf-8")
    (tmp_path / "c.md").write_text("# Song\n\nThe sun is up and skies are clear.\n", "utf-8")
    with opened(tmp_path, WordEmbedder()) as library:
        library.add(tmp_path)
        assert library.conflicts() == ()
        assert library.doctor()["ok"]


def test_another_model_makes_another_ledger(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text(FEE.format(400), "utf-8")
    (tmp_path / "b.md").write_text(FEE.format(250), "utf-8")
    other = WordEmbedder("other")
    with opened(tmp_path, WordEmbedder()) as library:
        library.add([tmp_path / "a.md", tmp_path / "b.md"])
        assert len(library.conflicts()) == 1
        library.reembed(embedder=other)
        other.encoded.clear()
        assert len(library.conflicts()) == 1
        assert len(other.encoded) == 2


def test_the_command_prints_the_ledger(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name, fee in (("a.md", 400), ("b.md", 250)):
        (tmp_path / name).write_text(FEE.format(fee), "utf-8")
    index = ["--index", str(tmp_path / "index")]
    assert main(["add", str(tmp_path / "a.md"), str(tmp_path / "b.md"), *index]) == 0
    capsys.readouterr()
    assert main(["conflicts", "--json", *index]) == 0
    (finding,) = json.loads(capsys.readouterr().out)
    assert list(finding) == ["kind", "subject", "measure", "sides"]
    assert finding["kind"] == "conflict"
    assert {(side["document"], side["page"], side["value"]) for side in finding["sides"]} == {
        ("a.md", 1, "EUR 400 a year"),
        ("b.md", 1, "EUR 250 a year"),
    }
    assert main(["conflicts", *index]) == 0
    out = capsys.readouterr().out
    assert out.startswith("conflict: fee house / fee house\n  ")
    assert out.endswith("\n1 in all: 1 conflict\n")


def test_a_value_of_an_earlier_edition_is_superseded(tmp_path: Path) -> None:
    embedder = WordEmbedder()
    (tmp_path / "old.md").write_text(f"# Fees\n\nVersion 1, May 2020\n{FEE.format(400)}", "utf-8")
    (tmp_path / "new.md").write_text(f"# Fees\n\nVersion 2. Replaces version 1.\n{FEE.format(250)}", "utf-8")
    with opened(tmp_path, embedder) as library:
        library.add([tmp_path / "old.md", tmp_path / "new.md"])
        passages = []  # of the fee alone: what the first page says is looked up
        for document in library.documents():
            text = library.text(document.name)
            start = text.index("The fee")
            passages.append(Passage(document.id, document.name, 1, 1, start, len(text), text[start:], "", 1.0, ()))
        before = library.conflicts_among(passages)
        assert [finding["kind"] for finding in before] == ["superseded"]
        assert [finding["kind"] for finding in library.conflicts()] == ["superseded"]


# --- with the real model ---------------------------------------------------------------------------


def test_the_planted_conflicts_are_found_and_nothing_else_is_called_one(tmp_path: Path) -> None:
    files = Path(__file__).parent.parent / "evaluation_files"
    gold = json.loads((files / "gold.json").read_text("utf-8"))
    with Library.open(tmp_path / "index") as library:
        library.add(files, include="*.pdf")
        found = library.conflicts()
        for finding in found:
            for side in finding["sides"]:
                page = library.page(side["document"], side["page"]).clean
                assert side["quote"][:20] in page  # a quote may go on over the page's end
                assert side["quote"] in library.text(side["document"])

    called = [finding for finding in found if finding["kind"] == "conflict"]
    hits = [pair for pair in gold["conflicts"] if any(planted(finding, [pair]) for finding in called)]
    assert len(hits) >= 0.8 * len(gold["conflicts"])
    assert sum(planted(finding, gold["conflicts"]) for finding in called) >= 0.9 * len(called)
    assert not any(planted(finding, gold["near_conflicts"]) for finding in called)


def test_a_set_of_other_documents_with_two_editions_of_one_is_named_rightly(tmp_path: Path) -> None:
    gold = json.loads((Path(__file__).parent.parent / "benchmarks" / "conflicts_third.json").read_text("utf-8"))
    (tmp_path / "texts").mkdir()
    for name, text in gold["documents"].items():
        (tmp_path / "texts" / name).write_text(text, "utf-8")
    with Library.open(tmp_path / "index") as library:
        library.add(tmp_path / "texts")
        found = library.conflicts()
    named = {
        pair["id"]: {finding["kind"] for finding in found if planted(finding, [pair])} or {""} for pair in gold["pairs"]
    }
    assert {pair["id"] for pair in gold["pairs"] if named[pair["id"]] != {pair["kind"]}} == {"t05"}
    assert all(planted(finding, gold["pairs"]) for finding in found if finding["kind"] == "conflict")


@pytest.mark.parametrize("name", ["leases", "data sheets", "departments and contracts"])
def test_among_documents_of_one_mould_only_those_about_one_thing_are_in_conflict(tmp_path: Path, name: str) -> None:
    sets = json.loads((Path(__file__).parent.parent / "benchmarks" / "conflicts_alike.json").read_text("utf-8"))
    (tmp_path / "texts").mkdir()
    for file, text in sets[name]["documents"].items():
        (tmp_path / "texts" / file).write_text(text, "utf-8")
    with Library.open(tmp_path / "index") as library:
        library.add(tmp_path / "texts")
        found = [finding for finding in library.conflicts() if finding["kind"] == "conflict"]
    gold = [pair for pair in sets[name]["pairs"] if pair["kind"] == "conflict"]
    assert all(planted(finding, gold) for finding in found)
    assert all(any(planted(finding, [pair]) for finding in found) for pair in gold)


def test_a_letter_about_one_medicine_is_not_in_conflict_with_the_leaflets_of_others(tmp_path: Path) -> None:
    (tmp_path / "texts").mkdir()
    texts = {f"{name}.txt": (f"Package leaflet: {name} tablets", dose) for name, dose in
             (("Alvorin", 40), ("Bexatol", 60), ("Cimaprid", 80))}  # fmt: skip
    texts |= {"letter.txt": ("Letter to pharmacists about Alvorin", 7), "summary.txt": ("Notes", 9)}
    for file, (title, dose) in texts.items():
        text = f"{title}\n\nRead this carefully.\n\nThe usual dose of these tablets is {dose} mg twice a day.\n"
        (tmp_path / "texts" / file).write_text(text, "utf-8")
    with opened(tmp_path, WordEmbedder()) as library:
        library.add(tmp_path / "texts")
        found = [
            {side["document"] for side in each["sides"]} for each in library.conflicts() if each["kind"] == "conflict"
        ]
    # which medicine the notes speak of is not known
    assert {"letter.txt", "Alvorin.txt"} in found
    assert all(pair <= {"letter.txt", "Alvorin.txt", "summary.txt"} for pair in found)
    assert {"summary.txt", "Alvorin.txt"} not in found


def planted(finding: dict[str, Any], pairs: list[dict[str, Any]]) -> bool:
    return any(
        all(
            one["document"] == other["document"] and _overlap(one["quote"], other["quote"])
            for one, other in zip(sides, pair["sides"], strict=True)
        )
        for pair in pairs
        for sides in (finding["sides"], finding["sides"][::-1])
    )


def _overlap(one: str, other: str) -> bool:
    a, b = fold_map(one)[0], fold_map(other)[0]
    return a in b or b in a


def test_words_in_the_others_title_tell_nothing_apart() -> None:
    guide, plan = (
        subject("# Office Guide Bergen", "office_bergen.md"),
        subject("# Fire Plan of the Bergen Office", "plan-bergen.md"),
    )
    other = subject("# Office Guide Dundee", "office_dundee.md")
    alike = np.full((2, 2), 0.9, "f4")
    assert not strangers(guide, plan, alike)
    assert strangers(guide, other, alike)
