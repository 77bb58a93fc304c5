"""Units, currencies, multiples and number words: each unit's dimension, its factor to the base unit, and its offset.

Base units: metre, kilogram, second, watt, joule, volt, ampere, degree Celsius, pascal, square metre, cubic metre, byte,
hertz, volt-ampere, newton, per cent. A rate is a quotient of dimensions ("length/time"). Currencies are dimensions of
their own ("money:EUR") and are not converted.
"""

from __future__ import annotations

from typing import NamedTuple


class Unit(NamedTuple):
    """A value of `dimension` in base units is number * factor + offset."""

    dimension: str
    factor: float
    offset: float = 0.0


_PREFIXES = {"": 1.0, "k": 1e3, "M": 1e6, "G": 1e9, "T": 1e12, "m": 1e-3, "µ": 1e-6, "μ": 1e-6, "n": 1e-9}
_DAY = 86400.0
MONTH, YEAR = 365.25 * _DAY / 12, 365.25 * _DAY
"""Seconds of a mean month and a mean year."""

# dimension -> forms, ended by their factor; a space in a form is written "_"; plurals in -s are added
_FORMS = {
    "time": f"s sec second seg segundo sekunde sekunden seconde=1 min minute minuto minuten=60 "
    f"h hr hour stunde stunden heure hora=3600 day working_day calendar_day business_day tag tage tagen jour día=86400 "
    f"week woche wochen semaine semana=604800 fortnight=1209600 month monat monate monaten mois meses mes={MONTH} "
    f"quarter={YEAR / 4} year yr jahr jahre jahren année ans año={YEAR} decade={10 * YEAR} century={100 * YEAR} "
    "millisecond=1e-3 microsecond=1e-6",
    "length": "metre meter=1 kilometre kilometer=1e3 cm centimetre centimeter=1e-2 millimetre millimeter=1e-3 "
    "micron micrometre micrometer um=1e-6 nanometre nanometer=1e-9 mile mi=1609.344 nautical_mile nmi=1852 "
    "yard yd=.9144 ft foot feet=.3048 inch inches=.0254",
    "mass": "kg kilo kilogram kilogramme=1 g gram gramme=1e-3 mg milligram=1e-6 µg μg mcg microgram=1e-9 ng=1e-12 "
    "t tonne tonnen metric_ton ton=1e3 kt kilotonne=1e6 Mt megatonne=1e9 lb pound=.45359237 oz ounce=.028349523125",
    "area": "m² m2 sqm square_metre square_meter sq_m=1 km² km2 square_kilometre square_kilometer=1e6 ha hectare=1e4 "
    "acre=4046.8564224 ft² sqft sq_ft square_foot square_feet=.09290304 cm²=1e-4 mm²=1e-6 square_mile=2589988.110336",
    "volume": "m³ m3 cubic_metre cubic_meter=1 l L litre liter=1e-3 ml mL millilitre milliliter cm³ cc=1e-6 "
    "dl=1e-4 cl=1e-5 µl μl=1e-9 gallon gal=.003785411784 pint=.000473176 quart=.000946353 cubic_foot=.0283168",
    "length/time": "mph=.44704 kmh kph=.2777777777777778 knot kt_=.5144444444444445",
    "data/time": "bps=.125 kbps=125 Mbps=125e3 Gbps=125e6",
    "pressure": "bar=1e5 mbar=1e2 psi=6894.757 mmHg=133.322 atm=101325",
    "frequency": "rpm=.016666666666666666 hertz=1",
    "data": "byte B=1 kB KB kilobyte=1e3 MB megabyte=1e6 GB gigabyte=1e9 TB terabyte=1e12 PB petabyte=1e15 KiB=1024 "
    "MiB=1048576 GiB=1073741824 bit=.125 kbit=125 Mbit=125e3 Gbit=125e6",
    "angle": "° degree grad=1",
    "share": "% per_cent percent pct prozent pour_cent por_ciento per_cento procent=1 ‰=.1 ppm=1e-4 ppb=1e-7",
    "points": "percentage_point pp prozentpunkt prozentpunkte=1 basis_point bp=.01",
    "pages": "page=1",
    "times": "times fold=1",
    "energy": "kilowatt_hour kilowatthour=3.6e6 megawatt_hour=3.6e9 kcal kilocalorie=4184 cal calorie=4.184 joule=1 "
    "kilojoule=1e3",
    "power": "watt=1 kilowatt=1e3 megawatt=1e6 gigawatt=1e9 horsepower hp=745.7",
    "voltage": "volt=1 kilovolt=1e3",
    "current": "ampere amp=1",
    "force": "newton=1",
    "sound": "dB decibel=1 dBA=1",
    "resistance": "ohm=1",
    "concentration": "mM=1e-3 µM μM=1e-6 nM=1e-9 pM=1e-12",
    "money:EUR": "€ EUR euro=1",
    "money:USD": "$ US$ USD dollar=1 cent=.01",
    "money:GBP": "£ GBP sterling pounds_sterling pound_sterling=1",
    "money:JPY": "¥ JPY yen=1",
    "money:CHF": "CHF franken=1",
    "money:CNY": "CNY RMB yuan=1",
    "money:INR": "₹ INR rupee=1",
    "money:SEK": "SEK=1", "money:NOK": "NOK=1", "money:DKK": "DKK=1", "money:PLN": "PLN=1",
    "money:AUD": "AUD A$=1", "money:CAD": "CAD C$=1",
}  # fmt: skip
# dimension, symbol that takes SI prefixes, factor, which prefixes
_PREFIXED = (
    ("time", "s", 1.0, "mµμn"), ("length", "m", 1.0, "kmµμn"), ("power", "W", 1.0, "kMGTm"),
    ("energy", "Wh", 3600.0, "kMGT"), ("energy", "J", 1.0, "kMG"), ("apparent power", "VA", 1.0, "kMG"),
    ("reactive power", "var", 1.0, "kM"), ("reactive power", "VAr", 1.0, "kM"), ("voltage", "V", 1.0, "kMm"),
    ("current", "A", 1.0, "km"), ("charge", "Ah", 3600.0, "km"), ("frequency", "Hz", 1.0, "kMG"),
    ("pressure", "Pa", 1.0, "kM"), ("amount", "mol", 1.0, "mkµ"), ("force", "N", 1.0, "kM"),
    ("torque", "Nm", 1.0, "kM"), ("resistance", "Ω", 1.0, "kM"),
)  # fmt: skip


def _units() -> dict[str, Unit]:
    units: dict[str, Unit] = {}
    for dimension, forms in _FORMS.items():
        waiting: list[str] = []
        for token in forms.split():
            form, _, factor = token.partition("=")
            waiting.append(form.rstrip("_").replace("_", " "))
            for each in waiting if factor else ():
                units[each] = Unit(dimension, float(factor))
            waiting = [] if factor else waiting
    for dimension, symbol, base, prefixes in _PREFIXED:
        for prefix in ("", *prefixes):
            units[prefix + symbol] = Unit(dimension, base * _PREFIXES[prefix])
    for form, unit in list(units.items()):
        if len(form) > 1 and form[-1].isalpha() and form[-1] not in "sz" and form.islower():
            units.setdefault("centuries" if form == "century" else f"{form}s", unit)
    temperatures = {"C Celsius celsius": (1.0, 0.0), "F Fahrenheit fahrenheit": (5 / 9, -160 / 9)}
    for names, (size, offset) in temperatures.items():
        for name in names.split():
            for before in ("°", "° ", "degrees ", "degree ", "deg ", "grad "):
                units[before + name] = Unit("temperature", size, offset)
    units |= {"℃": units["°C"], "℉": units["°F"], "K": Unit("temperature", 1.0, -273.15), "º": units["°"]}
    return units | {"kelvin": units["K"], "ºC": units["°C"], "degrees C": units["°C"], "degrees F": units["°F"]}


UNITS = _units()
"""Written form -> unit; symbols with their case, words in lower case."""
# what is written in another case, the larger unit first (MWH is no milliwatt-hour); single letters have their case
_FOLDED = {
    form.casefold(): unit
    for form, unit in sorted(UNITS.items(), key=lambda item: item[1].factor)
    if len(form) > 1 and form != "A$"
}
_FOLDED |= {form: unit for form, unit in UNITS.items() if form.islower() and len(form) > 1 and form not in ("mw", "mb")}


def unit_named(form: str) -> Unit | None:
    """The unit written so, white space and case aside; None where there is none of that name."""
    if unit := UNITS.get(form):
        return unit
    # Ma (a million years) is no mA, nM (nanomolar) no nm
    symbol = len(form) == 2 and not (form.isupper() or form.islower() or form[0] == "K")
    return None if symbol else _FOLDED.get(" ".join(form.casefold().split()))


CURRENCIES = tuple(form for form, unit in UNITS.items() if unit.dimension.startswith("money") and not form.islower())
"""Forms that may stand before the number."""

MULTIPLES = {
    "hundred": 1e2, "thousand": 1e3, "million": 1e6, "millions": 1e6, "billion": 1e9, "billions": 1e9, "trillion": 1e12,
    "lakh": 1e5, "crore": 1e7, "dozen": 12.0, "mn": 1e6, "mln": 1e6, "bn": 1e9, "tn": 1e12, "k": 1e3, "tausend": 1e3,
    "mio": 1e6, "mrd": 1e9, "millionen": 1e6, "milliarden": 1e9, "milliarde": 1e9, "mille": 1e3, "milliards": 1e9,
    "milliard": 1e9, "millones": 1e6, "millón": 1e6, "mil": 1e3,
}  # fmt: skip
LETTER_MULTIPLES = {"K": 1e3, "m": 1e6, "M": 1e6, "b": 1e9, "B": 1e9}
"""Multiples by their case: "m" and "b" after money only, "K" without a space before it."""

_SMALL = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen"
)
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
NUMBER_WORDS: dict[str, float] = {name: float(value) for value, name in enumerate(_SMALL.split())} | {
    name: 10.0 * tens for tens, name in enumerate(_TENS.split(), 2)
}
SPELLED_MULTIPLES = {name: MULTIPLES[name] for name in ("hundred", "thousand", "million", "billion", "trillion")}

_ORDINALS = (
    "zeroth first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth "
    "fifteenth sixteenth seventeenth eighteenth nineteenth twentieth"
)
ORDINALS: dict[str, int] = {name: value for value, name in enumerate(_ORDINALS.split()) if value}
PARTS = {"half": 2, "halves": 2, "third": 3, "quarter": 4, "fifth": 5, "sixth": 6, "eighth": 8, "tenth": 10}
PARTS |= {f"{name}s": part for name, part in PARTS.items() if name[-1] not in "fs"}
"""Names of the parts of a whole: two thirds, three quarters."""
