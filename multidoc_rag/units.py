"""Units and number words: each unit's dimension, its factor to the base unit, and the offset (temperatures).

Base units: metre, kilogram, second, watt, joule, volt, ampere, kelvin, pascal, square metre, cubic metre, byte, bit per
second, hertz, volt-ampere, per cent.
"""

from __future__ import annotations

_PREFIXES = {"": 1.0, "k": 1e3, "M": 1e6, "G": 1e9, "T": 1e12, "m": 1e-3, "µ": 1e-6, "μ": 1e-6, "n": 1e-9}

_DAY = 86400.0
_YEAR = 365.25 * _DAY

# dimension -> (written forms -> factor); a word is matched whatever its case, a symbol as it is
_TABLE: dict[str, dict[str, float]] = {
    "time": {
        "s": 1, "sec": 1, "second": 1, "minute": 60, "min": 60, "hour": 3600, "hr": 3600, "hrs": 3600, "h": 3600,
        "day": _DAY, "working day": _DAY, "calendar day": _DAY, "business day": _DAY, "week": 7 * _DAY,
        "fortnight": 14 * _DAY, "month": _YEAR / 12, "quarter": _YEAR / 4, "year": _YEAR, "yr": _YEAR, "yrs": _YEAR,
        "decade": 10 * _YEAR, "millisecond": 1e-3, "microsecond": 1e-6,
    },
    "length": {
        "metre": 1, "meter": 1, "kilometre": 1e3, "kilometer": 1e3, "centimetre": 1e-2, "centimeter": 1e-2, "cm": 1e-2,
        "millimetre": 1e-3, "millimeter": 1e-3, "mile": 1609.344, "nautical mile": 1852, "nmi": 1852, "yard": 0.9144,
        "ft": 0.3048, "foot": 0.3048, "feet": 0.3048, "inch": 0.0254, "inches": 0.0254,
    },
    "mass": {
        "kg": 1, "g": 1e-3, "mg": 1e-6, "µg": 1e-9, "μg": 1e-9, "kilogram": 1, "kilogramme": 1, "gram": 1e-3,
        "gramme": 1e-3, "milligram": 1e-6, "t": 1e3, "tonne": 1e3, "metric ton": 1e3, "ton": 1e3, "kt": 1e6,
        "kilotonne": 1e6, "Mt": 1e9, "lb": 0.45359237, "lbs": 0.45359237, "pound": 0.45359237, "ounce": 0.028349523125,
        "oz": 0.028349523125,
    },
    "area": {
        "m²": 1, "m2": 1, "square metre": 1, "square meter": 1, "km²": 1e6, "km2": 1e6, "square kilometre": 1e6,
        "square kilometer": 1e6, "ha": 1e4, "hectare": 1e4, "acre": 4046.8564224, "square foot": 0.09290304,
        "square feet": 0.09290304, "sq ft": 0.09290304, "cm²": 1e-4, "mm²": 1e-6, "square mile": 2589988.110336,
    },
    "volume": {
        "m³": 1, "m3": 1, "cubic metre": 1, "cubic meter": 1, "l": 1e-3, "L": 1e-3, "litre": 1e-3, "liter": 1e-3,
        "ml": 1e-6, "mL": 1e-6, "millilitre": 1e-6, "milliliter": 1e-6, "gallon": 0.003785411784, "cm³": 1e-6,
    },
    "speed": {"km/h": 1 / 3.6, "kph": 1 / 3.6, "mph": 0.44704, "m/s": 1, "knot": 0.514444, "knots": 0.514444},
    "temperature": {"K": 1, "kelvin": 1},
    "pressure": {"bar": 1e5, "mbar": 1e2, "psi": 6894.757, "mmHg": 133.322, "atm": 101325},
    "frequency": {"rpm": 1 / 60},
    "data": {"byte": 1, "kB": 1e3, "KB": 1e3, "MB": 1e6, "GB": 1e9, "TB": 1e12, "KiB": 2.0**10, "MiB": 2.0**20,
             "GiB": 2.0**30},
    "angle": {"°": 1, "degree": 1},
    "share": {"%": 1, "per cent": 1, "percent": 1, "pct": 1, "prozent": 1, "pour cent": 1, "por ciento": 1, "‰": 0.1},
    "points": {"percentage point": 1, "pp": 1, "basis point": 0.01, "bps": 0.01},
    "pages": {"page": 1},
    "times": {"times": 1, "fold": 1},
    "energy": {"kilowatt hour": 3.6e6, "kilowatt-hour": 3.6e6, "megawatt hour": 3.6e9, "megawatt-hour": 3.6e9,
               "kcal": 4184, "cal": 4.184},
    "power": {"watt": 1, "kilowatt": 1e3, "megawatt": 1e6, "gigawatt": 1e9, "horsepower": 745.7, "hp": 745.7},
    "voltage": {"volt": 1, "kilovolt": 1e3},
    "current": {"ampere": 1, "amp": 1},
}  # fmt: skip
# dimension -> (symbol that takes SI prefixes, factor, which prefixes)
_PREFIXED = (
    ("time", "s", 1.0, "mµμn"),
    ("length", "m", 1.0, "kmµμn"),
    ("power", "W", 1.0, "kMGTm"),
    ("energy", "Wh", 3600.0, "kMGT"),
    ("energy", "J", 1.0, "kMG"),
    ("apparent power", "VA", 1.0, "kMG"),
    ("reactive power", "var", 1.0, "kM"),
    ("reactive power", "VAr", 1.0, "kM"),
    ("voltage", "V", 1.0, "kMm"),
    ("current", "A", 1.0, "km"),
    ("charge", "Ah", 3600.0, "km"),
    ("frequency", "Hz", 1.0, "kMG"),
    ("pressure", "Pa", 1.0, "kM"),
    ("amount", "mol", 1.0, "mkµ"),
    ("rate", "bit/s", 1.0, "kMG"),
)


def _units() -> dict[str, tuple[str, float, float]]:
    units: dict[str, tuple[str, float, float]] = {}
    for dimension, forms in _TABLE.items():
        for form, factor in forms.items():
            units[form] = dimension, float(factor), 0.0
            if form.isascii() and len(form) > 3 and form[-1].isalpha() and form[-1] != "s" and " cent" not in form:
                units[form + "s"] = units[form]
    units |= {"days": units["day"], "tons": units["ton"], "mins": units["min"], "secs": units["sec"], "h": units["h"]}
    for dimension, symbol, factor, prefixes in _PREFIXED:
        for prefix in ("", *prefixes):
            units[prefix + symbol] = dimension, factor * _PREFIXES[prefix], 0.0
    for form in ("°C", "℃", "degrees Celsius", "degrees celsius", "° C"):
        units[form] = "temperature", 1.0, 273.15
    for form in ("°F", "℉", "degrees Fahrenheit", "degrees fahrenheit", "° F"):
        units[form] = "temperature", 5 / 9, 459.67 * 5 / 9
    return units


UNITS = _units()
"""Written form (symbols with their case, words in lower case) -> (dimension, factor to the base unit, offset)."""

CURRENCIES = {
    "EUR": "EUR", "€": "EUR", "euro": "EUR", "euros": "EUR", "Euro": "EUR", "USD": "USD", "US$": "USD", "$": "USD",
    "dollars": "USD", "dollar": "USD", "GBP": "GBP", "£": "GBP", "CHF": "CHF", "JPY": "JPY", "¥": "JPY", "yen": "JPY",
    "CNY": "CNY", "RMB": "CNY", "INR": "INR", "₹": "INR", "SEK": "SEK", "NOK": "NOK", "DKK": "DKK", "PLN": "PLN",
    "AUD": "AUD", "A$": "AUD", "CAD": "CAD", "C$": "CAD",
}  # fmt: skip

MULTIPLES = {
    "hundred": 1e2, "thousand": 1e3, "million": 1e6, "millions": 1e6, "billion": 1e9, "billions": 1e9, "trillion": 1e12,
    "mn": 1e6, "bn": 1e9, "k": 1e3, "M": 1e6, "B": 1e9, "Mio.": 1e6, "Mrd.": 1e9, "Millionen": 1e6, "millionen": 1e6,
    "milliarden": 1e9, "Milliarden": 1e9, "millones": 1e6, "dozen": 12.0,
}  # fmt: skip

NUMBER_WORDS = {
    "zero": 0.0, "one": 1.0, "two": 2.0, "three": 3.0, "four": 4.0, "five": 5.0, "six": 6.0, "seven": 7.0, "eight": 8.0,
    "nine": 9.0, "ten": 10.0, "eleven": 11.0, "twelve": 12.0, "thirteen": 13.0, "fourteen": 14.0, "fifteen": 15.0,
    "sixteen": 16.0, "seventeen": 17.0, "eighteen": 18.0, "nineteen": 19.0, "twenty": 20.0, "thirty": 30.0,
    "forty": 40.0, "fifty": 50.0, "sixty": 60.0, "seventy": 70.0, "eighty": 80.0, "ninety": 90.0, "hundred": 100.0,
    "twice": 2.0,
}  # fmt: skip
