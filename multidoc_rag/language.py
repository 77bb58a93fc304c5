"""What several rooms need of text: folding, words, stop words, stems, sentences, the language itself.

Every offset counts Python characters of the text that was passed in.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable
from functools import cache, lru_cache
from typing import Any

STOP_WORDS: dict[str, frozenset[str]] = {
    code: frozenset(text.split())
    for code, text in {
        "en": """
            a about above after again against all also am among an and any are aren't as at be because been before
            being below between both but by can can't cannot could couldn't did didn't do does doesn't doing don't
            down during each either else ever few for from further had hadn't has hasn't have haven't having he her
            here hers herself him himself his how however i if in into is isn't it it's its itself just let's may me
            might more most must mustn't my myself neither no nor not of off on once only onto or other ought our
            ours ourselves out over own per same shall she should shouldn't since so some such than that that's the
            their theirs them themselves then there there's therefore these they they're this those though through
            thus to too under until up upon us very via was wasn't we we're were weren't what what's when where
            whereas whether which while who who's whom whose why will with within without won't would wouldn't yet
            you you're your yours yourself yourselves""",
        "de": """
            aber alle allem allen aller alles als also am an ander andere anderen auch auf aus bei beim bin bis bist
            da damit dann das dass dein deine dem den denn der des dessen die dies diese diesem diesen dieser dieses
            doch dort du durch ein eine einem einen einer eines er es etwas euch euer für gegen gewesen hab habe
            haben hat hatte hatten hier hin hinter ich ihm ihn ihnen ihr ihre ihrem ihren ihrer im in indem ins ist
            ja jede jedem jeden jeder jedes jedoch jener kann kein keine keinem keinen keiner können könnte man
            manche mehr mein meine mit muss müssen nach nicht nichts noch nun nur ob oder ohne sehr sein seine
            seinem seinen seiner seit sich sie sind so solche soll sollen sollte sondern sonst sowie über um und uns
            unser unter vom von vor während war waren was weil weiter welche welchem welchen welcher wenn werde
            werden wie wieder will wir wird wo wurde wurden würde zu zum zur zwar zwischen""",
        "fr": """
            ai ainsi alors après au aucun aucune aussi autre autres aux avait avant avec avoir c ce cela celle celui
            ces cet cette ceux chaque chez comme comment d dans de depuis des donc dont du elle elles en encore
            entre est et était étaient été être eu fait faire fut il ils j je jusqu l la le les leur leurs lors lui
            ma mais me même mes mon n ne nos notre nous on ont ou où par parce pas pendant peu peut plus pour
            pourquoi qu quand que quel quelle quelles quels qui quoi s sa sans se selon sera ses si son sont sous
            sur t ta te tes ton tous tout toute toutes très tu un une vers vos votre vous y""",
        "es": """
            a al algo algunas algunos ante antes aquel como con contra cual cuando de del desde donde durante e el
            él ella ellas ellos en entre era eran es esa esas ese eso esos esta está estaba están estas este esto
            estos fue fueron ha había habían han hasta hay la las le les lo los más me mi mientras muy nada ni no
            nos nosotros nuestra nuestro o os otra otras otro otros para pero poco por porque pues que qué quien
            quienes se sea según ser si sí sido sin sobre son su sus también tan tanto te tiene tienen toda todas
            todo todos tras tu un una unas uno unos usted y ya yo""",
        "it": """
            a ad agli ai al alla alle allo altre altri altro anche avere aveva c che chi ci come con contro cui da
            dagli dai dal dalla dalle dallo dei del della delle dello dentro di dopo dove due e è ed era erano
            essere fra fino gli ha hanno ho i il in io l la le lei li lo loro lui ma me mentre mi mia mio molto ne
            né negli nei nel nella nelle nello noi non nostra nostro o ogni oltre per perché più poi prima può
            qualche quale quali quando quanto quella quelle quelli quello questa queste questi questo qui se sei
            senza si sia sono sopra sotto stata stati stato su sua sue sugli sui sul sulla sulle suo suoi tra tutta
            tutte tutti tutto un una uno vi voi""",
        "pt": """
            a à ainda ao aos apenas após as às até cada com como contra da das de dela dele deles depois desde dessa
            desse desta deste do dos durante e é ela elas ele eles em entre era eram essa essas esse esses esta está
            estão estas este estes eu foi foram há isso isto já lhe mais mas me mesmo meu minha muito na não nas nem
            no nos nós nossa nosso num numa o onde os ou outra outras outro outros para pela pelas pelo pelos por
            porque quais qual quando que quem se sem sendo ser será seu seus sobre são sua suas também tem têm tinha
            toda todas todo todos um uma umas uns você""",
        "nl": """
            aan al alle als andere bij binnen dan dat de deze die dit doch doen door dus een eens en er ge geen
            geweest haar had hadden heb hebben heeft hem hen het hier hij hoe hun iets ik in is ja je kan kon kunnen
            maar me meer men met mij mijn moet moeten na naar niet niets nog nu of om omdat onder ons onze ook op
            over reeds sinds te tegen tijdens toch toen tot tussen u uit uw van vanuit veel verder volgens voor waar
            was wat we wel welke werd werden wie wij wordt worden zal ze zelf zich zij zijn zo zonder zou zouden""",
        "sv": """
            alla att av blev bli blir de dem den denna deras dess det detta du där efter ej eller en ett från för ha
            hade han har hon honom hur här i icke in inom inte ju kan kunde man med mellan men mot mycket ni nu när
            och om oss på samma sedan sig sin sina ska skall skulle som så till under upp ut utan vad var vara
            varför vi vid vilka vilken vår än är åt över""",
        "da": """
            af alle at blev blive bliver da de dem den denne der deres det dette dig dog du efter eller en end er et
            for fra ham han har havde hende her hos hun hvad hvis hvor i ikke ind jeg kan kunne man mange med meget
            men mere mig mod ned nogle nu når og også om op os over på sig sin skal skulle som sådan til ud under
            var ved vi vil ville være været""",
        "no": """
            av alle at ble bli blir da de dem den denne der dere det dette du eller en enn er et etter for fra han
            har hadde hun hva hvis hvor i ikke inn jeg kan kunne man mange med meg men mer mot mye noen nå når og
            også om opp oss over på seg sin skal skulle som så til under ut var ved vi vil ville være vært""",
        "fi": """
            ei eivät ennen että he hän ja joka jos jossa jotka kanssa kuin kun me mikä mukaan mutta myös ne niin
            niitä noin nyt oli olisi olivat olla on ovat se sekä sen siitä sitä tai tämä tämän tässä vain voi
            voidaan että""",
        "pl": """
            a aby ale bez być był była były bo by co czy dla do gdy go i ich im innych ja jak jako jednak jego jej
            jest już kiedy które którego której który którzy lub ma mnie może na nad nie niż o od on ona oraz po pod
            przed przez przy się są ta tak także tego tej ten to tylko tym w we wraz z za ze że""",
        "cs": """
            a aby ale ani bez bude by byl byla byli bylo být co což do ho i jak jako je jeho jejich jen ještě ji již
            jsou k kde když která které který kteří má mezi na nebo není o od pak po pod podle pro proto protože při
            před s se si své tak také tato tento této to tohoto tom už v ve všech z za ze že""",
        "ro": """
            a acest această aceste al ale am ar au ca care că ce cea cele cel cu cum către când dar de despre din
            după e ea ei el este eu era fi fie fost în între îi își la le lor lui mai mult nu o or pe pentru poate
            prin sau se sunt să și un una unei unor unui""",
        "hu": """
            a abban az azt be csak de egy egyik el ez ezt és fel ha hanem hogy igen ki kell le lehet lesz már majd
            meg mely még mert mi mint nagyon ne nem nincs olyan pedig s sem szerint találtak után vagy van vannak
            volt""",
        "tr": """
            ama ancak bir biri birçok bu bunu bunun çok da daha de değil diye en gibi göre hem her için ile ise ki
            kadar mı mi ne nedeniyle o olan olarak olduğu olup onun sonra şu tarafından tüm var ve veya ya yani yok""",
        "id": """
            ada adalah agar akan antara atau bagi bahwa banyak beberapa bisa dalam dan dapat dari dengan di dia
            hanya harus ia ini itu jika juga kami karena ke kepada kita lebih maka mereka oleh pada para saat saja
            sangat sebagai secara sehingga serta setelah suatu sudah tersebut tetapi tidak untuk yang""",
        "ru": """
            а без бы был была были было быть в во вот все всех вы где да для до его ее если есть еще же за и из или
            им их к как ко когда которая которые который кто ли между мы на над не него нее нет ни них но о об
            однако он она они оно от по под при с со так также там то только том у уже что чтобы эта эти это этого
            этой этом этот я""",
        "uk": """
            а або але без був була були було бути в вже ви від він вона вони все всіх де для до є же з за зі його її
            із коли й і ми між на над не ні але про по при та так також те ти то тому у хто це цей цього ці цієї чи
            що щоб як яка який які якщо""",
    }.items()
}
"""Stop words by ISO 639-1 code, casefolded."""

_CJK = "\u3005\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003134f"
_UNSPACED = _CJK + "\u0e00-\u0e7f\u0e80-\u0eff\u1000-\u109f\u1780-\u17ff"
_WORD = re.compile(
    rf"\d+(?:[.,]\d+)*(?:(?![{_UNSPACED}])[^\W_])*|[{_UNSPACED}]"
    rf"|(?:(?![{_UNSPACED}])[^\W_])+(?:['’](?:(?![{_UNSPACED}])[^\W_])+)*"
)
_UNSPACED_CHARACTER = re.compile(f"[{_UNSPACED}]")
_LEXICAL = re.compile(rf"[{_UNSPACED}]+|{_WORD.pattern}")

_UNIFIED = str.maketrans(
    dict.fromkeys("‘’‚‛′ʼ`´", "'")
    | dict.fromkeys("“”„‟″«»", '"')
    | dict.fromkeys("‐‑‒–—―−﹣－", "-")
    | dict.fromkeys("\u00ad\u200b\u200c\u200d\u2060\ufeff\u0002\ufffe", None)
)

_STEMMERS = {
    "en": "english", "de": "german", "fr": "french", "es": "spanish", "it": "italian", "pt": "portuguese",
    "nl": "dutch", "sv": "swedish", "da": "danish", "no": "norwegian", "fi": "finnish", "pl": "polish", "cs": "czech",
    "ro": "romanian", "hu": "hungarian", "tr": "turkish", "id": "indonesian", "ru": "russian",
}  # fmt: skip

_SCRIPTS = (
    ("ja", re.compile("[\u3040-\u30ff]")),
    ("zh", re.compile("[\u3400-\u4dbf\u4e00-\u9fff]")),
    ("ko", re.compile("[\uac00-\ud7af]")),
    ("ar", re.compile("[\u0600-\u06ff\u0750-\u077f\ufb50-\ufdff\ufe70-\ufeff]")),
    ("he", re.compile("[\u0590-\u05ff\ufb1d-\ufb4f]")),
    ("el", re.compile("[\u0370-\u03ff\u1f00-\u1fff]")),
    ("hi", re.compile("[\u0900-\u097f]")),
    ("th", re.compile("[\u0e00-\u0e7f]")),
)
_STEERING = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
_LETTER = re.compile(r"[^\W\d_]")
_SAMPLE = 20_000


# --- folding -----------------------------------------------------------------------------------


def one_line(text: str) -> str:
    """`text` with U+FFFD for each character that breaks a line, steers a terminal, turns the writing direction, or
    is half of one. File names may hold them; a heading, a citation label or a sentence on a terminal may not."""
    return _STEERING.sub("\ufffd", text)


def fold(text: str) -> str:
    """The form in which texts are compared: NFKC, casefolded, quotes and dashes unified, soft hyphens dropped,
    white space collapsed to single blanks and stripped."""
    return " ".join(unicodedata.normalize("NFKC", text.translate(_UNIFIED)).casefold().translate(_UNIFIED).split())


def fold_map(text: str) -> tuple[str, list[int]]:
    """`text` folded without any white space and hyphens, and for each folded character its index in `text`.

    Two texts that differ in line breaks, hyphenation, ligatures or quote marks have the same folded form.
    """
    folded: list[str] = []
    indices: list[int] = []
    for index, character in enumerate(text):
        form = _fold_character(character)
        folded.append(form)
        indices.extend([index] * len(form))
    return "".join(folded), indices


@lru_cache(maxsize=8192)
def _fold_character(character: str) -> str:
    form = unicodedata.normalize("NFKC", character.translate(_UNIFIED)).casefold().translate(_UNIFIED)
    return "".join(part for part in form if part != "-" and not part.isspace())


# --- words -------------------------------------------------------------------------------------


def words(text: str) -> list[str]:
    """Casefolded words in order: letters and digits, inner apostrophes (unified to '), numbers with their separators
    ("3.5", "1,000"); Chinese, Japanese and other scripts written without blanks as single characters."""
    return [word.casefold().replace("’", "'") for word in _WORD.findall(text)]


def content_words(text: str, language: str = "en") -> list[str]:
    """`words` without the stop words of `language`, stemmed by its Snowball stemmer (unstemmed where there is none)."""
    stop_words = STOP_WORDS.get(language, frozenset())
    return [stem(word, language) for word in words(text) if word not in stop_words]


@lru_cache(maxsize=65_536)
def stem(word: str, language: str = "en") -> str:
    """The Snowball stem of one casefolded word; the word itself for languages without a stemmer."""
    stemmer = _stemmer(language)
    return word if stemmer is None else str(stemmer(word.removesuffix("'s")))


@cache
def _stemmer(language: str) -> Callable[[str], Any] | None:
    import snowballstemmer

    return snowballstemmer.stemmer(_STEMMERS[language]).stemWord if language in _STEMMERS else None


def lexical_terms(text: str) -> str:
    """Text for a BM25 index: words as `words` gives them, runs of unspaced scripts as character bigrams (a single
    character stays), joined by blanks."""
    terms: list[str] = []
    for match in _LEXICAL.finditer(text):
        term = match.group()
        if _UNSPACED_CHARACTER.match(term):
            terms.extend(term[i : i + 2] for i in range(max(1, len(term) - 1)))
        else:
            terms.append(term.casefold().replace("’", "'"))
    return " ".join(terms)


# --- the language ------------------------------------------------------------------------------


def detect_language(text: str) -> str:
    """ISO 639-1 code by script and by stop words, "" if unknown. Only the first 20,000 characters are looked at."""
    sample = text[:_SAMPLE]
    letters = len(_LETTER.findall(sample))
    if letters < 2:
        return ""
    for code, script in _SCRIPTS:
        # Japanese mixes kana with Chinese characters: a tenth of kana is enough to tell.
        if len(script.findall(sample)) >= letters * (0.1 if code == "ja" else 0.3):
            return code
    counts = Counter(words(sample))
    total = sum(counts.values())
    scores = {code: sum(counts[word] for word in counts.keys() & stops) for code, stops in STOP_WORDS.items()}
    best = max(scores, key=lambda code: scores[code])
    return best if scores[best] >= max(2, 0.08 * total) else ""


def stop_word_share(text: str, enough: float = 1.0) -> float:
    """Share (0..1) of the alphabetic words of two letters and more that are stop words in the best-fitting language.

    Languages are tried in the order of STOP_WORDS; the first that reaches `enough` is taken.
    """
    counts = Counter(word for word in words(text) if len(word) > 1 and word[0].isalpha())
    total = sum(counts.values())
    share = 0.0
    for stops in STOP_WORDS.values() if total else ():
        share = max(share, sum(number for word, number in counts.items() if word in stops) / total)
        if share >= enough:
            break
    return share


# --- sentences ---------------------------------------------------------------------------------

# Names, initials and what joins them, as a flat alternation: no backtracking to speak of on hostile text.
_AUTHORS = (
    r"(?:[A-Z]\.|[A-Z][\w'’]+|(?:van|von|de|del|della|der|la|le|di|da|ten)\b)"
    r"(?>[A-Z]\.|[A-Z][\w'’]+|(?:van|von|de|del|della|der|la|le|di|da|ten|and|und|et|al\.?|eds?\.?)\b|[\s,&()-])*"
)
_MARKER = r"(?:\[\w[\w+-]{0,9}\]|\d{1,3}\.)\s*"
_YEAR = r"\(?(?:1[89]|20)\d\d[a-z]?\)?"
_AUTHORS_ONLY = re.compile(rf"(?:{_MARKER})?{_AUTHORS}\.?")
_MARKED_AUTHORS = re.compile(rf"{_MARKER}{_AUTHORS}(?:\.|,.*)?", re.DOTALL)
_AUTHORS_YEAR = re.compile(rf"(?:{_MARKER})?{_AUTHORS}{_YEAR}\.?")
_INITIAL = re.compile(r"\b[A-Z]\.")
_YEAR_ONLY = re.compile(rf"{_YEAR}\s*[.,]?")
_VENUE = re.compile(
    r"\b(?:Proceedings|Proc\.|Conference|Journal|Transactions|Trans\.|Linguistics|Workshop|Press|University|Report"
    r"|arXiv|doi|Thesis|pages|pp\.|vol\.|no\.|Publishers?|Springer|Elsevier)\b|\d+\s*\(\d+\)\s*:\s*\d+|\d+\s*[-–]\s*\d+",
    re.IGNORECASE,
)
_ENTRY_PARTS = 6


def sentence_spans(text: str, language: str = "en") -> list[tuple[int, int]]:
    """(start, end) of each sentence, without surrounding white space; headings and list items count as sentences.

    English by nupunkt, other languages by sentencex; "" is taken for English. An entry of a reference list
    (authors, year, title, venue) stays in one piece.
    """
    if language in ("", "en"):
        import nupunkt

        spans = [(start, end) for start, end in nupunkt.sentence_spans(text, line_breaks=True) if end > start]
    else:
        spans = _sentencex_spans(text, language)
    return _join_references(text, spans)


_ENDED = re.compile(r"(?<![\w.'’-])(?P<word>[a-z]{3,})(?P<stop>[.!?])\s+(?=[A-Z][a-z]*\s)")
_ABBREVIATED = frozenset(
    """
    approx ave cap chap col dept dist div ed eds esp est excl ext fig figs gen govt hon inc incl int lib max min misc
    mod obs orig par pop prob prof publ ref refs rep res resp rev sec sect ser sing spec supp suppl tel temp trans univ
    viz vol vols
    """.split()  # noqa: SIM905
)


def answer_spans(text: str, language: str = "en") -> list[tuple[int, int]]:
    """`sentence_spans` of what a writer wrote, cut also where a sentence ends in a word that nupunkt takes for an
    abbreviation ("Costs are low. Revenue rose."): what is made up must not hide behind the sentence before it."""
    spans = []
    for start, end in sentence_spans(text, language):
        for match in _ENDED.finditer(text, start, end) if language in ("", "en") else ():
            if match["word"] not in _ABBREVIATED:
                spans.append((start, match.end("stop")))
                start = match.end()
        spans.append((start, end))
    return spans


def _sentencex_spans(text: str, language: str) -> list[tuple[int, int]]:
    import sentencex

    spans = []
    for boundary in sentencex.get_sentence_boundaries(language, text):
        # It keeps white space with the sentence and paragraph breaks as sentences of their own.
        start, end = boundary["start_index"], boundary["end_index"]
        piece = text[start:end]
        start, end = start + len(piece) - len(piece.lstrip()), end - len(piece) + len(piece.rstrip())
        if end > start:
            spans.append((start, end))
    return spans


def _join_references(text: str, spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Sentences that are parts of one reference entry joined: authors, year, title, then the venue."""
    joined: list[tuple[int, int]] = []
    index = 0
    while index < len(spans):
        last = index
        if _opens_entry(text, spans, index):
            for following in range(index + 1, min(index + _ENTRY_PARTS, len(spans))):
                gap = text[spans[following - 1][1] : spans[following][0]]
                if gap.count("\n") > 1 or _opens_entry(text, spans, following):
                    break
                piece = text[slice(*spans[following])]
                venue = bool(_VENUE.search(piece))
                # After the venue an entry may go on with pages or publisher, not with an ordinary sentence.
                if last > index + 1 and not venue and _VENUE.search(text[slice(*spans[last])]):
                    break
                last = following
        joined.append((spans[index][0], spans[last][1]))
        index = last + 1
    return joined


def _opens_entry(text: str, spans: list[tuple[int, int]], index: int) -> bool:
    piece = text[slice(*spans[index])]
    if len(piece) > 400 or not (piece[0].isupper() or piece[0] in "[0123456789"):
        return False
    if _MARKED_AUTHORS.fullmatch(piece) and _INITIAL.search(piece):
        return True
    if len(piece) > 4 and _AUTHORS_YEAR.fullmatch(piece) and ("." in piece[:-1] or "," in piece):
        return True
    following = text[slice(*spans[index + 1])] if index + 1 < len(spans) else ""
    return bool(_YEAR_ONLY.fullmatch(following) and _AUTHORS_ONLY.fullmatch(piece))
