"""Figures of a text: numbers with their units, periods, and how two of them stand to each other."""

import time

import pytest

from multidoc_rag.figures.agreement import agreement, agrees, borne_out
from multidoc_rag.figures.measures import Quantity
from multidoc_rag.figures.periods import Day, periods
from multidoc_rag.figures.quantities import figures, quantities, read
from multidoc_rag.figures.units import UNITS, unit_named

YEAR = 365.25 * 86400


def only(text: str, language: str = "en") -> Quantity:
    found = quantities(text, language)
    assert len(found) == 1, found
    assert text[found[0].start : found[0].end] == found[0].text
    return found[0]


@pytest.mark.parametrize(
    ("text", "low", "high", "dimension", "bound"),
    [
        ("delivered 11.6 GWh to the quay", 11.6e9 * 3600, 11.6e9 * 3600, "energy", ""),
        ("can give 16,000 kW", 16e6, 16e6, "power", ""),
        ("2.0 nautical miles long", 3704, 3704, "length", ""),
        ("closed at EUR 31.4 million", 31.4e6, 31.4e6, "money:EUR", ""),
        ("a turnover of $3.5bn", 3.5e9, 3.5e9, "money:USD", ""),
        ("a loss of £3.5m", 3.5e6, 3.5e6, "money:GBP", ""),
        ("cost EUR400", 400, 400, "money:EUR", ""),
        ("2.5 million dollars", 2.5e6, 2.5e6, "money:USD", ""),
        ("€5 to 6 million", 5e6, 6e6, "money:EUR", ""),
        ("$5-10 million", 5e6, 10e6, "money:USD", ""),
        ("12,34,567 rupees", 1234567, 1234567, "money:INR", ""),
        ("24 000 km", 24e6, 24e6, "length", ""),
        ("14·1 million", 14.1e6, 14.1e6, "count", ""),
        ("5 m2", 5, 5, "area", ""),
        ("12 KM", 12000, 12000, "length", ""),
        ("3 mW", 0.003, 0.003, "power", ""),
        ("from 61 % to 74 %", 61, 74, "share", ""),
        ("31 per cent", 31, 31, "share", ""),
        ("by four percentage points", 4, 4, "points", ""),
        ("by 200 basis points", 2, 2, "points", ""),
        ("two thirds of the members", 200 / 3, 200 / 3, "share", ""),
        ("a quarter of the members", 25, 25, "share", "about"),
        ("cut by a third", 100 / 3, 100 / 3, "share", "about"),
        ("fell by half", 50, 50, "share", "about"),
        ("between 10 and 12 kg", 10, 12, "mass", ""),
        ("between\n10 °C and 25 °C", 10, 25, "temperature", ""),
        ("at -5 °C", -5, -5, "temperature", ""),
        ("at minus 65 °C", -65, -65, "temperature", ""),
        ("from –20 to –5 °C", -20, -5, "temperature", ""),
        ("five degrees below zero", -5, -5, "angle", ""),
        ("lasting 250 ms", 0.25, 0.25, "time", ""),
        ("a sixty-day trial", 60 * 86400, 60 * 86400, "time", ""),
        ("after twenty-four hours", 86400, 86400, "time", ""),
        ("within a fortnight", 14 * 86400, 14 * 86400, "time", "max"),
        ("half a year", YEAR / 2, YEAR / 2, "time", ""),
        ("seven and a half minutes", 450, 450, "time", ""),
        ("one hundred and five thousand people", 105000, 105000, "count", ""),
        ("a million people", 1e6, 1e6, "count", ""),
        ("a dozen boats", 12, 12, "count", ""),
        ("No container stands closer than 12 m to the edge", 12, 12, "length", "min"),
        ("up to an outdoor temperature of 40 °C", 40, 40, "temperature", "max"),
        ("shall not be charged above a state of charge of 90 %", 90, 90, "share", "max"),
        ("more than EUR 250,000.", 250000, 250000, "money:EUR", "min"),
        ("18 years or older", 18 * YEAR, 18 * YEAR, "time", "min"),
        ("5+ years", 5 * YEAR, 5 * YEAR, "time", "min"),
        ("not more than 21 days ahead", 21 * 86400, 21 * 86400, "time", "max"),
        ("about 6,000 m² in area", 6000, 6000, "area", "about"),
        ("in the region of 5 kg", 5, 5, "mass", "about"),
        ("calibrated every three months", YEAR / 4, YEAR / 4, "interval", ""),
        ("once a quarter", YEAR / 4, YEAR / 4, "interval", ""),
        ("tested twice a year", YEAR / 2, YEAR / 2, "interval", ""),
        ("paid semi-annually", YEAR / 2, YEAR / 2, "interval", ""),
        ("tested half-yearly", YEAR / 2, YEAR / 2, "interval", ""),
        ("ten times an hour", 360, 360, "interval", ""),
        ("every other day", 2 * 86400, 2 * 86400, "interval", ""),
        ("Monthly", YEAR / 12, YEAR / 12, "interval", ""),
        ("at 7:30 pm", 19.5 * 3600, 19.5 * 3600, "clock", ""),
        ("rated 24/32", 0.75, 0.75, "ratio", ""),
        ("412 vessel calls", 412, 412, "count", ""),
        ("one qualified operator", 1, 1, "count", ""),
        ("clause 7", 7, 7, "label", ""),
        ("the third phase", 3, 3, "label", ""),
        ("it came 3rd", 3, 3, "ordinal", ""),
    ],
)  # fmt: skip
def test_a_number_is_read_with_its_unit(text: str, low: float, high: float, dimension: str, bound: str) -> None:
    found = only(text)
    assert (found.low, found.high) == pytest.approx((low, high))
    assert (found.dimension, found.bound) == (dimension, bound)


@pytest.mark.parametrize(
    ("text", "dimension", "value"),
    [
        ("fell by 2.6 % a year", "share/time", 2.6 / YEAR),
        ("EUR 81 per MWh", "money:EUR/energy", 81 / 3.6e9),
        ("£12 per MWh", "money:GBP/energy", 12 / 3.6e9),
        ("80 kilometres per hour", "length/time", 80 / 3.6),
        ("1.8 km/h", "length/time", 0.5),
        ("50 mph", "length/time", 22.352),
        ("100 Mbit/s", "data/time", 12.5e6),
        ("187.4 mg per square metre per day", "mass/area/time", 187.4e-6 / 86400),
    ],
)
def test_rates_keep_what_they_are_per(text: str, dimension: str, value: float) -> None:
    found = only(text)
    assert found.dimension == dimension
    assert found.low == pytest.approx(value)


def test_a_decimal_comma_counts_in_languages_that_write_it() -> None:
    assert only("3,5 % und mehr", "de").low == 3.5
    assert only("1.234 Euro", "de").low == 1234
    assert only("1.234,50 €", "en").low == only("1.234,50 €", "de").low == 1234.5
    assert only("1,234 euros").low == 1234
    assert only("1.234 m").low == 1.234
    assert [figure.text for figure in figures("drei Tage und 5 Wochen", "de")] == ["5 Wochen"]


@pytest.mark.parametrize(
    "text",
    [
        "HBP-TS-014", "one of the containers", "on 31 March", "in 2024", "which one is best", "COVID-19 and 3D",
        "as told [5] and [1, 4-6]", "clause 4.2.1.3 foo", "Figure 5B and 12-RSS", "1) Fees are due", "a month",
        "half the price",
    ],
)  # fmt: skip
def test_what_is_no_quantity_is_none(text: str) -> None:
    assert quantities(text) == ()


def test_a_range_is_one_measure_and_two_figures() -> None:
    assert [(q.low, q.high) for q in quantities("10-12 kg, 5 or 6 %")] == [(10, 12), (5, 5), (6, 6)]
    assert [q.low for q in figures("10-12 kg, 5 or 6 %") if isinstance(q, Quantity)] == [10, 12, 5, 6]
    assert {q.dimension for q in quantities("5 or 6 %")} == {"share"}


def test_labels_count_nothing_but_a_room_has_a_number() -> None:
    assert figures("Table 4 and clause 7, the third of one kind, monthly") == ()
    assert [(q.dimension, q.low) for q in figures("It is room 5.") if isinstance(q, Quantity)] == [("count", 5)]


def test_units_are_found_whatever_their_case_but_symbols_first_as_they_are() -> None:
    assert unit_named("MW") == UNITS["MW"] != unit_named("mW")
    assert unit_named("Square  Metres") == UNITS["m²"]
    assert unit_named("KWH") == UNITS["kWh"]
    assert unit_named("parsnip") is unit_named("Ma") is None
    assert unit_named("nM") != unit_named("nm")


@pytest.mark.parametrize(
    ("one", "other", "outcome"),
    [
        ("16 MW", "16,000 kW", "other_unit"),
        ("2.0 nautical miles", "3.7 km", "other_unit"),
        ("25 °C", "298 K", "other_unit"),
        ("34.5 tonnes", "34,500 kg", "other_unit"),
        ("a fortnight", "14 days", "other_unit"),
        ("twenty-four hours", "1 day", "other_unit"),
        ("0.5 m/s", "1.8 km/h", "other_unit"),
        ("5 metres", "5 m", "same"),
        ("31 %", "31 per cent", "same"),
        ("every 6 months", "twice a year", "same"),
        ("12 months", "12 months", "same"),
        ("about 61 GWh", "61.27 GWh", "rounding"),
        ("EUR 12.5 million", "EUR 12.46 million", "rounding"),
        ("about 6,000 m²", "5,980 m²", "rounding"),
        ("some 4,200 m²", "4,150 m²", "rounding"),
        ("9,800 tonnes", "9,760 tonnes", "rounding"),
        ("3.5 %", "4 %", "different"),
        ("EUR 400,000", "EUR 250,000", "different"),
        ("-5 °C", "5 °C", "different"),
        ("68 %", "61 % to 74 %", "within"),
        ("EUR 5", "$5", "incomparable"),
        ("5 %", "5 % a year", "incomparable"),
        ("5 %", "5 percentage points", "incomparable"),
    ],
)
def test_two_values_agree_or_say_why_not(one: str, other: str, outcome: str) -> None:
    assert agreement(only(one), only(other)) == agreement(only(other), only(one)) == outcome


@pytest.mark.parametrize(
    ("stated", "given", "same"),
    [
        ("24 hours", "twenty-four hours", True),
        ("two weeks", "within a fortnight", True),
        ("six months", "half a year", True),
        ("67 %", "two thirds of them", True),
        ("75 %", "two thirds of them", False),
        ("every six months", "twice a year", True),
        ("2.6 %", "2.6 % a year", True),
        ("£12", "£12 per MWh", True),
        ("£13 per MWh", "£12 per MWh", False),
        ("12 percentage points", "12 %", False),
        ("-5 °C", "minus 5 degrees Celsius", True),
        ("5 °C", "-5 °C", False),
        ("5 km", "| Length (km) | 5", False),
        ("640 km", "| Length (km) | 640", True),
        ("19:30", "19:30", True),
        ("in the third quarter of 2024", "in August 2024", True),
        ("in August 2024", "in the third quarter of 2024", False),
        ("in the first half of 2024", "on 5 March 2024", True),
        ("in the 1990s", "in 1994", True),
        ("in the 1990s", "in 2004", False),
        ("on 15 March 2022", "from 14 to 16 March 2022", False),
        ("16 March 2022", "from 14 to 16 March 2022", True),
        ("fiscal year 2023", "FY23", True),
        ("5 March", "5 March 2021", True),
        ("5 March 2021", "5 March", False),
    ],
)
def test_a_sentence_is_borne_out_or_not(stated: str, given: str, same: bool) -> None:
    assert borne_out(figures(stated)[-1], figures(given)) is same


def test_a_date_of_two_readings_agrees_in_either() -> None:
    (american,) = figures("03/05/2021")
    assert agrees(figures("5 March 2021")[0], american)
    assert agrees(figures("3 May 2021")[0], american)
    assert not agrees(figures("4 May 2021")[0], american)


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("handed over on 14 March 2022", (2022, 3, 14), (2022, 3, 14)),
        ("on March 14, 2022", (2022, 3, 14), (2022, 3, 14)),
        ("2022-03-14", (2022, 3, 14), (2022, 3, 14)),
        ("am 14.3.2022", (2022, 3, 14), (2022, 3, 14)),
        ("from 14 to 16 March 2022", (2022, 3, 14), (2022, 3, 16)),
        ("in January 2026", (2026, 1, 1), (2026, 1, 31)),
        ("from January to March 2024", (2024, 1, 1), (2024, 3, 31)),
        ("am 3. Oktober 1990", (1990, 10, 3), (1990, 10, 3)),
        ("el 5 de marzo de 2021", (2021, 3, 5), (2021, 3, 5)),
        ("in the third quarter of 2024", (2024, 7, 1), (2024, 9, 30)),
        ("2024-Q4", (2024, 10, 1), (2024, 12, 31)),
        ("H1 2024", (2024, 1, 1), (2024, 6, 30)),
        ("in the summer of 2022", (2022, 6, 1), (2022, 8, 31)),
        ("in the winter of 2023", (2023, 12, 1), (2024, 2, 29)),
        ("from 2020 to 2041", (2020, 1, 1), (2041, 12, 31)),
        ("season 2023-24", (2023, 1, 1), (2024, 12, 31)),
        ("FY2023/24", (2023, 1, 1), (2024, 12, 31)),
        ("fiscal year 2023", (2023, 1, 1), (2023, 12, 31)),
        ("FY23", (2023, 1, 1), (2023, 12, 31)),
        ("the 1990s", (1990, 1, 1), (1999, 12, 31)),
        ("the 19th century", (1801, 1, 1), (1900, 12, 31)),
        ("the fifteenth century", (1401, 1, 1), (1500, 12, 31)),
        ("the figure for 2023", (2023, 1, 1), (2023, 12, 31)),
    ],
)
def test_a_period_has_its_first_and_last_day(text: str, first: Day, last: Day) -> None:
    (found,) = periods(text)
    assert (found.first, found.last) == (first, last)
    assert text[found.start : found.end] == found.text


@pytest.mark.parametrize(
    "text", ["on 14 March", "EUR 2024", "1999 kg", "TS-2019", "2,024 people", "it may 5 times", "at 2024.5"]
)
def test_no_period_is_invented(text: str) -> None:
    assert periods(text) == ()


def test_two_years_joined_by_and_are_two() -> None:
    assert [period.text for period in periods("in 2019 and 2020, 31 February 2022")] == [
        "2019",
        "2020",
        "February 2022",
    ]


def test_hostile_text_is_read_in_bounded_time() -> None:
    started = time.process_time()
    for text in ("1" * 50_000, "1. " * 20_000, "one hundred " * 5_000, "-5 " * 20_000, "1,2" * 20_000, "a" * 50_000,
                 "[1, " * 15_000, "from 5 to " * 6_000, "March " * 9_000):  # fmt: skip
        assert isinstance(read(text), tuple)
    assert time.process_time() - started < 10
