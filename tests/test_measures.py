"""Numbers with their units, periods, and how two values stand to each other."""

from datetime import date

import pytest

from multidoc_rag.measures import Measure, agreement, measures
from multidoc_rag.periods import periods


def only(text: str, language: str = "en") -> Measure:
    found = measures(text, language)
    assert len(found) == 1, found
    assert text[found[0].start : found[0].end] == found[0].text
    return found[0]


@pytest.mark.parametrize(
    ("text", "low", "high", "dimension", "limit"),
    [
        ("delivered 11.6 GWh to the quay", 11.6e9 * 3600, 11.6e9 * 3600, "energy", ""),
        ("can give 16,000 kW", 16e6, 16e6, "power", ""),
        ("2.0 nautical miles long", 3704, 3704, "length", ""),
        ("closed at EUR 31.4 million", 31.4e6, 31.4e6, "money:EUR", ""),
        ("a turnover of $3.5bn", 3.5e9, 3.5e9, "money:USD", ""),
        ("from 61 % to 74 %", 61, 74, "share", ""),
        ("between 10 and 12 kg", 10, 12, "mass", ""),
        ("at -5 °C", 268.15, 268.15, "temperature", ""),
        ("lasting 250 ms", 0.25, 0.25, "time", ""),
        ("a sixty-day trial", 60 * 86400, 60 * 86400, "time", ""),
        ("No container stands closer than 12 m to the edge", 12, 12, "length", "min"),
        ("up to an outdoor temperature of 40 °C", 313.15, 313.15, "temperature", "max"),
        ("shall not be charged above a state of charge of 90 %", 90, 90, "share", "max"),
        ("more than EUR 250,000.", 250000, 250000, "money:EUR", "min"),
        ("about 6,000 m² in area", 6000, 6000, "area", "about"),
        ("calibrated every three months", 3 * 2629800, 3 * 2629800, "interval", ""),
        ("once a quarter", 7889400, 7889400, "interval", ""),
        ("tested twice a year", 15778800, 15778800, "interval", ""),
        ("Monthly", 2629800, 2629800, "interval", ""),
        ("412 vessel calls", 412, 412, "count", ""),
        ("one qualified operator", 1, 1, "count", ""),
        ("clause 7", 7, 7, "label", ""),
    ],
)
def test_a_number_is_read_with_its_unit(text: str, low: float, high: float, dimension: str, limit: str) -> None:
    found = only(text)
    assert (found.low, found.high) == pytest.approx((low, high))
    assert (found.dimension, found.limit) == (dimension, limit)


def test_rates_keep_what_they_are_per() -> None:
    assert only("fell by 2.6 % a year").dimension == "share/time"
    assert only("EUR 81 per MWh").dimension == "money:EUR/energy"
    assert only("187.4 mg per square metre per day").dimension == "mass/area/time"


def test_a_decimal_comma_counts_in_languages_that_write_it() -> None:
    assert only("3,5 % und mehr", "de").low == 3.5
    assert only("1.234 Euro", "de").low == 1234
    assert only("1,234 euros").low == 1234


@pytest.mark.parametrize("text", ["HBP-TS-014", "one of the containers", "on 31 March", "in 2024", "which one is best"])
def test_what_is_no_quantity_is_none(text: str) -> None:
    assert measures(text) == ()


@pytest.mark.parametrize(
    ("one", "other", "outcome"),
    [
        ("16 MW", "16,000 kW", "other_unit"),
        ("2.0 nautical miles", "3.7 km", "other_unit"),
        ("25 °C", "298 K", "other_unit"),
        ("34.5 tonnes", "34,500 kg", "other_unit"),
        ("every 6 months", "twice a year", "same"),
        ("12 months", "12 months", "same"),
        ("about 61 GWh", "61.27 GWh", "rounding"),
        ("EUR 12.5 million", "EUR 12.46 million", "rounding"),
        ("about 6,000 m²", "5,980 m²", "rounding"),
        ("3.5 %", "4 %", "different"),
        ("EUR 400,000", "EUR 250,000", "different"),
        ("68 %", "61 % to 74 %", "within"),
        ("EUR 5", "$5", "incomparable"),
        ("5 %", "5 % a year", "incomparable"),
    ],
)
def test_two_values_agree_or_say_why_not(one: str, other: str, outcome: str) -> None:
    assert agreement(only(one), only(other)) == agreement(only(other), only(one)) == outcome


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("handed over on 14 March 2022", date(2022, 3, 14), date(2022, 3, 14)),
        ("on March 14, 2022", date(2022, 3, 14), date(2022, 3, 14)),
        ("2022-03-14", date(2022, 3, 14), date(2022, 3, 14)),
        ("in January 2026", date(2026, 1, 1), date(2026, 1, 31)),
        ("am 3. Oktober 1990", date(1990, 10, 3), date(1990, 10, 3)),
        ("in the third quarter of 2024", date(2024, 7, 1), date(2024, 9, 30)),
        ("in the summer of 2022", date(2022, 6, 1), date(2022, 8, 31)),
        ("in the winter of 2023", date(2023, 12, 1), date(2024, 2, 29)),
        ("from 2020 to 2041", date(2020, 1, 1), date(2041, 12, 31)),
        ("season 2023-24", date(2023, 1, 1), date(2024, 12, 31)),
        ("the figure for 2023", date(2023, 1, 1), date(2023, 12, 31)),
    ],
)
def test_a_period_has_its_first_and_last_day(text: str, first: date, last: date) -> None:
    (found,) = periods(text)
    assert (found.first, found.last) == (first, last)
    assert text[found.start : found.end] == found.text


@pytest.mark.parametrize(
    "text", ["31 February 2022", "on 14 March", "EUR 2024", "1999 kg", "TS-2019", "2041 to 2020 EUR"]
)
def test_no_period_is_invented(text: str) -> None:
    assert [period.grain for period in periods(text) if period.grain != "year"] == []
