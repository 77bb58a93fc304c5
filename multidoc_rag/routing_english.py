"""The English routing rules: word lists, then one table a step. Data only; `routing.py` applies it.

A rule is (intent, weight, reason in words, pattern). Patterns see the question folded: lower case, straight quotes,
single blanks. Weights: 1 a hint, 2-3 a usual sign, 4-5 a construction that hardly ever means something else, 6 and more
decides against the question's first word. HEAD rules count only where a request begins, courtesies removed.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from .records import IntentName

Row = tuple[IntentName, float, str, str]


@dataclass(frozen=True, slots=True)
class Tables:
    """One language's rules: how a request begins, phrases that deceive, courtesies, rules for the head and for anywhere."""

    asks: str
    deceptive: tuple[str, ...]
    lead_ins: tuple[str, ...]
    head: tuple[Row, ...]
    anywhere: tuple[Row, ...]


# --- words ----------------------------------------------------------------------------------------

_SHORT_ADJECTIVES: Final = (
    "big hot thin fat wet sad fit dim slim old young new cheap cold cool fast slow quick high low long short tall small great strong weak "
    "hard soft tough light dark bright deep rich poor loud quiet clean clear smart sharp thick tight loose strict lax mild "
    "rough smooth warm weird wild wise wide broad narrow near close safe large late early rare nice cute pure brave tame fair "
    "heavy easy happy healthy wealthy risky costly dirty friendly pretty ugly noisy busy dry tiny scary crazy funny lazy tasty "
    "deadly steep dense stiff firm keen calm kind mean proud simple gentle humble able noble stable steady sturdy thrifty "
    "harsh severe sparse coarse fine full sweet sour bitter bold grand plain neat vague lean green speedy handy lengthy "
    "generous lucky likely lively lonely mighty nasty shiny skinny spicy sticky stinky tricky windy worthy angry fancy hungry "
    "stout sleek swift dull blunt crisp frail fierce fresh lofty juicy greedy picky pricey bulky messy"
)


def _forms(adjective: str) -> tuple[str, str]:
    """Comparative and superlative of a short adjective."""
    if adjective in {"big", "hot", "thin", "fat", "wet", "sad", "fit", "dim", "slim"}:
        stem = adjective + adjective[-1]
    elif adjective.endswith("y"):
        stem = adjective[:-1] + "i"
    else:
        stem = adjective.removesuffix("e")
    return stem + "er", stem + "est"


COMPARATIVE: Final = (
    r"(?:more|less|fewer|better|worse|farther|further|sooner|oftener|richer|"
    + "|".join(_forms(word)[0] for word in _SHORT_ADJECTIVES.split())
    + r")"
)
SUPERLATIVE: Final = (
    r"(?:most|least|fewest|best|worst|farthest|furthest|soonest|"
    + "|".join(_forms(word)[1] for word in _SHORT_ADJECTIVES.split())
    + r")"
)
_DEGREE: Final = COMPARATIVE[:-1] + r"|(?!(?:rather|other|whether|either|neither|number|order)\b)\w{2,}(?:er|ier))"
_THAN: Final = r"(?:than|then(?! (?:what|how|why|when|is|are|do|does|will|the winner)\b))"
_TWO: Final = r"(?:two|three|four|five|six|seven|both|different|various|several|respective|other|2|3|4|5)"
_AUXILIARY: Final = r"(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would|should|may|must|might|isn't|aren't|doesn't|don't)"
_DOCS: Final = (
    r"(?:documents?|papers?|reports?|studies|study|authors?|articles?|texts?|sources?|files?|pdfs?|books?|contracts?|"
    r"agreements?|policies|policy|manuals?|guidelines?|versions?|editions?|drafts?|offers?|bids?|proposals?|chapters?)"
)

# An attribute: something with one value or a short list of values, to be taken out.
ATTRIBUTE: Final = (
    r"(?:amounts?|sums?|totals?|prices?|costs? of|fees?|rates?|salary|salaries|wages?|budgets?|deposits?|premiums?|fines?|penalty|"
    r"penalties|deductibles?|excess|charges?|rent|turnover|revenues?|profits?|ebitda|margin|headcount|dates?|deadlines?|due|"
    r"years?|months?|days?|hours?|times?|durations?|lengths?|periods?|terms?|ages?|numbers?|counts?|quantity|quantities|figures?|"
    r"percentages?|percent|proportion|ratio|share|scores?|values?|levels?|limits?|thresholds?|cut-?offs?|maximum|minimum|max\.?|"
    r"min\.?|sizes?|weight|height|width|depth|distance|speed|temperatures?|pressure|voltage|torque|power|capacity|accuracy|f1|"
    r"auc|precision|p-values?|confidence intervals?|mean|median|average|standard deviation|half-life|boiling point|"
    r"melting point|freezing point|altitude|dose|dosage|doses|names?|titles?|authors?|address|addresses|e-?mails?|phone|telephone|"
    r"contacts?|urls?|websites?|links?|dois?|isbn|ids?|identifiers?|codes?|passwords?|ports?|commands?|shortcuts?|versions?|models?|"
    r"serial|colou?rs?|locations?|place|city|cities|country|countries|currency|page|pages|sections?|clauses?|articles?|"
    r"paragraphs?|tables?|headings?|definitions?|acronyms?|abbreviations?|stands? for|formulas?|equations?|ingredients?|parts?|"
    r"components?|requirements?|obligations?|duties|exclusions?|exceptions?|exemptions?|conditions?|criteria|criterion|"
    r"prerequisites?|assumptions?|limitations?|caveats?|constraints?|parameters?|hyperparameters?|settings?|variables?|"
    r"datasets?|data sets?|instruments?|questionnaires?|software|tools?|materials?|samples?|participants?|respondents?|"
    r"signator(?:y|ies)|part(?:y|ies)|owners?|holders?|chair(?:man|woman|person)?|directors?|members?|suppliers?|vendors?|"
    r"references?|citations?|mentions?|quotes?|quotations?|figures?|status|warranty|notice|grade|band|type|kind|brand|make|"
    r"frequency|interval|bandwidth|resolution|license|licence|standards?|certificates?|allowance|entitlement|quota|coverage|"
    r"salutation|motto|slogan|signature|postcode|iban|vat|steps?|tasks?|items?|options?|symptoms?|side effects?|keywords?)"
)

# The attributes that make a request by themselves, without a verb ("sample size?").
VALUE: Final = (
    r"(?:amounts?|totals?|prices?|fees?|rates?|salary|salaries|wages?|deposits?|premiums?|fines?|penalt(?:y|ies)|deductibles?|rent|turnover|"
    r"revenues?|profits?|ebitda|headcount|dates?|deadlines?|durations?|length|ages?|numbers?|count|quantity|figures|percentages?|ratio|"
    r"scores?|values?|limits?|thresholds?|maximum|minimum|max\.?|min\.?|sizes?|weight|height|width|depth|temperatures?|voltage|torque|"
    r"capacity|accuracy|half-life|boiling point|melting point|freezing point|altitude|dose|dosage|names?|titles?|address|addresses|e-?mails?|"
    r"phone|telephone|contacts?|url|website|doi|isbn|ids?|codes?|passwords?|ports?|location|page|pages|headings?|definitions?|ingredients?|"
    r"requirements?|obligations?|exclusions?|exceptions?|criteria|assumptions?|limitations?|caveats?|hyperparameters?|datasets?|signator(?:y|ies)|"
    r"members?|suppliers?|references|citations?|mentions?|quotes?|warranty|notice period|period|allowance|quota|iban|vat|rules|"
    r"list|lists|serial|authors?|owners?|budget|costs?|expiry|start and end dates)"
)

# A matter to be accounted for: its answer is told, not looked up.
MATTER: Final = (
    r"(?:ideas?|themes?|points?|messages?|lessons?|takeaways?|take-?aways?|story|stories|picture|gist|essence|thrust|upshot|crux|"
    r"arguments?|reasoning|rationale|logic|thinking|thesis|conclusions?|findings?|insights?|implications?|consequences|"
    r"impacts?|effects?(?! size)|influence|significance|importance|relevance|meaning|role|purpose|function|aim|goals?|objectives?|understanding|consensus|sources of (?:risk|uncertainty|error|bias|conflict|tension|growth)|"
    r"motivations?|motives?|reasons?|causes?|drivers?|factors?|forces|roots?|origins?|background|context|history|evolution|"
    r"developments?|trends?|patterns?|outlook|prospects?|future|challenges?|problems?|issues?|difficulties|obstacles|barriers?|"
    r"dangers?|risks?|threats?|concerns?|worries|fears|weaknesses|strengths|advantages|disadvantages|benefits?|drawbacks|"
    r"opportunities|approach|approaches|strategy|strategies|stance|attitudes?|views?|position|perspectives?|opinions?|"
    r"perceptions?|beliefs?|relationships?|relation|connection|link|interplay|interaction|mechanisms?|dynamics|process|"
    r"principles?|philosophy|vision|spirit|state|situation|evidence|debate|controversy|discussion|experiences?|case for|"
    r"case against|nature|legacy|mood|tone|sentiment|narrative|plot|recommendations|proposals)"
)

# What may follow a comparative that is said of something, not one that goes with a noun ("the larger rooms").
_SAID: Final = (
    r"(?= *(?:$|[?.,:;!)(-]|(?:or|than|at|in|on|for|to|by|with|when|if|of|from|under|over|according|since|after|now|and|as|per|"
    r"during|between|among|about|against|out|off|today|then|that|this|off|here|like|now)\b))"
)

# --- phrases that only look like a contrast -------------------------------------------------------

# They are blanked out before the comparison rules look.
DECEPTIVE: Final[tuple[str, ...]] = (
    r"\bno (?:later|earlier|sooner|more|less|fewer|longer|shorter|higher|lower|older|younger|larger|bigger|greater|"
    r"smaller|worse|better|closer|nearer|further) than\b",
    rf"\b{_DEGREE}(?: \w+){{0,2}} than (?:about |around |roughly |just )?(?:[\d$€£]\S*|usual|normal|average|ever|expected|planned|"
    r"necessary|needed|required|once|half|just|anticipated|forecast|predicted|intended|hoped|thought|feared|budgeted|first|"
    r"a (?:third|quarter|dozen|hundred|thousand|million|day|week|month|year|decade|metre|meter|mile|few|couple|fortnight|"
    r"little|single)|an hour|one|two|three|four|five|six|seven|eight|nine|ten|twelve|fifteen|twenty|thirty|forty|fifty|sixty|"
    r"ninety|it (?:should|looks|seems|needs|has)|meets|anything|anyone|anybody|everyone|most people|you think)\b(?<!one)"
    rf"|\b{_DEGREE}(?: \w+){{0,2}} than one\b(?! (?:of|in|from)\b)",
    r"\b(?:rather|other|else) than\b|\b(?:need|want|expect) more than\b|\b(?:greater|more|less|fewer) than(?= or\b| signs?\b|$)|\bor less than\b",
    r"\bno (?:longer|more|fewer|less|sooner|better)\b",
    r"\bmore or less\b|\bmore and more\b|\bless and less\b|\bonce more\b|\bany ?more\b(?! .{1,40}? than\b)|\bor more\b|\bor less\b|\bor fewer\b"
    r"|\bor (?:older|younger|higher|lower|above|below|over|under|later|earlier|better|worse|longer|larger|greater|smaller)\b",
    r"\b(?:tell|say|know|learn|read|hear|see|find|give|explain|need|want)(?: \w+){0,2} more\b(?= (?:on|about|of|here|details?|information|in detail|please|from)\b|[?.,]|$)",
    r"(?:(?<=\bany )|(?<=\bsome )|(?<=\bone )|(?<=\btwo )|(?<=\bfor )|(?<=\bmany )|(?<=\bin ))more\b(?! \w+(?: \w+)? than)"
    r"|\bmore (?=(?:on|about|details?|information|info|recent|than once)\b)|\bless is more\b|\bunderstand better\b",
    r"\b(?:better|further|fuller|deeper) (?:understand|understanding|picture|idea|sense|explanation|information|details?|reading)\b",
    r"\b(?:what's|whats) more ?,|\bfurthermore\b|\bmoreover\b|\bnevertheless\b|\bdo better\b|\bhad better\b|\bfor better or(?: for)? worse\b"
    r"|\bget better\b|\bbetter known\b|\bthe better part of\b|\bbetter half\b",
    r"\b(?:higher|further) education\b|\b(?:lower|upper) (?:house|court|limit|bound|limb|back|case|deck)s?\b|\bolder (?:people|adults|persons)\b"
    r"|\b(?:elder|elderly|younger generation|greater london|wider public|early riser)\b|\blong(?:er)?[- ]term\b|\bhigher[- ]order\b",
    r"\bcontrast (?:agent|medium|media|dye|ratio|enhance\w+|sensitivity|material|settings?)s?\b|\bcontrastive\b|\b\w+ contrast in\b",
    r"\b(?:resolve|resolving|mediates?|mediate|mediating|settle[sd]?|handle[sd]?|manages?|reduces?|addresse?s?|avoids?|cause[sd]?|cope with|deals? with|"
    r"overcome|bridge|test(?:ed|s|ing)? for|used for|adjust(?:ed|ing)? for|account(?:ed|s|ing)? for|control(?:led|ling)? for) (?:the |any |these |their |possible )?"
    r"(?:\w+ )?(?:conflicts?|differences?|tensions?|disagreements?|gaps?|disputes?|discrepancies)\b"
    r"|\bdifferences? between [\w' ]{1,40} (?:were|was|are|is|get|be) (?:handled|resolved|settled|measured|tested|overcome|calculated|computed)\b"
    r"|\b(?:rivalry|case|battle|match|fight|debate|trial|lawsuit|film|game|duel|final) (?:of )?(?:[\w'-]+ ){1,3}(?:versus|vs)\b|\bversus \w+ (?:debate|question|match|trial|divide)\b",
    r"\bversus (?:mode|tournament)\b|\bversus (?=[\w' ]{1,30}\b(?:match|game|case|trial|appeal|fixture|litigation)\b)|(?<=\bword )versus|(?<=\bof )versus"
    r"|\b(?:city|state|people|crown|county) (?:of )?(?:\w+ )?versus\b|(?<=\bor )\"?versus|(?<=\bmatch )versus|(?<=\bscore of )\w+ versus|\b(?:roe|brown|plessy|marbury|[a-z]+) v(?:s|ersus)?\.? (?:wade|board|ferguson|madison|state|arizona)\b",
    r"\bcompar(?:e|ison|ative)[- ](?:files?|groups?|arms?|shop\w*|tool|sites?|websites?|operator|table|button|dialog|function|"
    r"literature|example|advantage|law|tables?|charts?|view|unit)s?\b|\bcompare-\w+\b",
    r"\b(?:mean|median|risk|potential|temperature|pressure|phase|time|voltage|absolute|hourly|least significant|minimum detectable|"
    r"standardi[sz]ed) difference\b|\b(?:average|price|rate|gender|net|annual|percentage) difference\b(?! (?:between|in \w+ between))",
    r"\bdifferences? in (?:[\w'-]+ ){1,4}?(?=(?:recorded|reported|measured|assumed|found|observed|given|stated|noted|drives?|causes?|makes?|makes|"
    r"leads?|did|do|does|was|were|is)\b)|\bdifference (?:fund|payment|feminism|principle|theory)\b|\b(?:pays?|refund(?:ed)?|keep|cover) the difference\b"
    r"|\bdifference (?:is )?(?:refunded|paid|owed)\b|\b(?:notion|concept|idea|philosophy) of difference\b",
    r"\b(?:used?|uses|using|chose|chosen|choose|employed|applied|designed|needed|required|tried|attempt\w*|method|allow\w*|able) (?:[\w'-]+ )?to compare\b"
    r"|\b(?:study|studies|report|trial|paper|research|chapter|page|figure|survey|experiment|article|analysis|review|slide|thesis|section|author|"
    r"researchers|they)(?: (?:that|which|who))? compar(?:es?|ed|ing)\b"
    r"|\b(?:carried out|conducted|performed|ran|did|find|used (?:for|in)|took part in|part in|shows|has|for|is|made) the comparisons?\b"
    r"|\bin which (?:[\w'-]+ ){1,4}?(?:are|is|were|was) compared\b",
    r"\b(?:finite[- ]difference|difference (?:equation|engine|scheme|method|threshold|amplifier|score|map)|make a difference|"
    r"made a difference|makes a difference|made (?:all )?the difference|split the difference|difference[- ]in[- ]differences?|"
    r"(?:settle|resolve|settled|resolved|air|put aside) (?:their|the|our)? ?differences|difference of opinion)\w*\b",
    r"\bsimilarity (?:threshold|score|metric|measure|search|matrix|function|index|join)s?\b|\bthreshold of similarity\b|\bcosine similarity\b",
    r"\bconflicts? of interests?\b|\b(?:armed|violent|military|civil|ethnic|labou?r|family|conflict) conflicts?\b|\bconflict (?:resolution|zone|minerals|prevention)\b",
    r"\bboth (?:parties|sides|spouses|parents|partners|hands|ends|eyes|feet|houses|chambers|directions|sexes|genders|of them|of these)\b",
    r"\b(?:service|tenancy|lease|loan|purchase|sale|licen[cs]e|framework|trade|settlement|partnership|shareholders?|user|confidentiality|"
    r"employment|non-disclosure|level|collective|rental|supply|master|peace|paris|the|this|an|free) agreements?\b",
    r"\bchange (?:management|control|requests?|orders?|logs?|of (?:control|address|name|ownership))\b|\bclimate change\b|\bsea change\b",
    r"\b(?:statute of limitations?|limitation periods?)\b(?! .*\bthan\b)",
    r"\b(?:at|in|on|from|under|by|during|to|of) the same (?!way|manner|terms|direction|conclusion|lines)\w+\b|\btheme parks?\b",
    r"\b(?:as|the) same (?:time|day|page|person|room|rate)\b|\bequal (?:pay|opportunit\w+|rights|treatment|temperament)\b|\bsame[- ]sex\b",
    r"\bprior to\b|\bprefer(?:red|ential) (?:supplier|bidder|shares?|stock|name|term|treatment|method of|vendor|contact)s?\b",
    r"\b(?:alternative|opposite|other) side\b|\bbenchmark (?:rate|interest)\b|\bunlike(?:ly|lihood)\b",
    r"\b(?:trade-?off) curve\b|\bmatch(?:es)? (?:played|report|day)\b|\bmatching (?:funds?|grants?|contributions?)\b",
)

# --- courtesies in front of the request -----------------------------------------------------------

LEAD_INS: Final[tuple[str, ...]] = (
    r"(?:dear|hi|hello|hey|ok|okay|so(?! what)|well|and|now|but|also|then|please|pls|plz|kindly|thanks|quick question|question|poll|help|just)\b[ ,:!.-]*(?:assistant|there|all|team)?[ ,:!.-]*",
    r"(?:can|could|would|will) (?:you|u|anyone|anybody|someone|somebody)(?: guys)?(?: please| kindly| perhaps| maybe)?(?: just)? (?=(?!say|like|rather|think|prefer|be)\w)",
    r"(?:i|we)(?:'d| would| want| need| am|'m| are|'re)?(?: just| really| also)? ?(?:like|love|want|need|trying|looking|wish|have)?(?: you)? to "
    r"(?:know|understand|learn|see|find out|hear|figure out|get)(?= (?:how|what|why|which|whether|if|who|when|where))[ ,]*",
    r"(?:i|we) (?:need|want|would like|only need|just need)(?: you)? to (?=(?:summ|list|find|extract|compar|expl|get|pull|contrast|know how))",
    r"(?:i am|i'm|we are|we're|i was|just)? ?(?:wondering|curious)(?: about| to know)?(?: if| whether)? ",
    r"(?:do|does|did) (?:you|u|anyone|anybody|we|they|people|ppl|fans)(?: guys| really| actually| seriously| still)* (?:know|think|believe|agree|feel|reckon|say)(?: that| dat| if| whether)? ",
    r"(?:would|wouldn't|don't|do) (?:you|u|ya)(?: guys)? (?:say|agree|think)(?: that)? ",
    r"(?:is|was) it (?:true|right|correct|fair to say|the case|just me or)(?: that)? ",
    r"(?:tell|show|remind|inform|let) (?:me|us)(?: know)?(?= (?:what|which|who|when|where|why|how|whether|if)\b) ",
    r"(?:help me|help us) (?:to )?(?=\w)",
    r"(?:in|according to|based on|from|per|under|using|given|across|throughout|within|for|going by|judging by|looking at|on) "
    r"(?:[\w'.&()-]+ ){0,8}?[\w'.&()-]+, (?=(?:what|which|who|when|where|why|how|is|are|was|were|do|does|did|has|have|can|list|name|give|find|summ|compare|explain))",
)

# "(list, what are, is there ...) the main", the way to a noun asked for
_REQUEST: Final = (
    r"(?:(?:list|name|give(?: me)?|show(?: me)?|find|identify|describe|explain|summari[sz]e|outline|set out|spell out|highlight|"
    r"tell me|what are|what is|what's|whats|what|which|any|are there|is there|do you see|point out)(?: [\w'-]+){0,4}? )?"
)
_KEY: Final = r"(?:main|key|major|exact|precise|biggest|most important|substantive|real|essential|actual|chief)"

# --- rules that count where a request begins ------------------------------------------------------

HEAD: Final[tuple[Row, ...]] = (
    # comparison
    (
        "comparison",
        6,
        "asks to compare",
        r"(?:compare|contrast|differentiate|distinguish|juxtapose|benchmark|reconcile)\b",
    ),
    (
        "comparison",
        6,
        "asks for a comparison",
        r"(?:make|do|draw|write|give me|give|draft|produce|provide|create|prepare|show|build)?(?: me)?(?: an?| the| some)?(?: \w+)? ?(?:comparisons?|side-by-side|contrasts?|juxtaposition)\b(?= (?:of|between|on|table|for))",
    ),
    (
        "comparison",
        5,
        "asks for differences or similarities",
        rf"{_REQUEST}(?:the )?(?:{_KEY} )?(?:differences|differen[st]es|similarities|distinctions|discrepanc(?:y|ies)|contradictions?|inconsistenc(?:y|ies)|disagreements?|commonalities|parallels|overlaps?|mismatch(?:es)?|divergences?|deviations?|trade-?offs?|similarity|distinction)\b(?! (?:threshold|score))",
    ),
    (
        "comparison",
        5,
        "asks for a difference",
        rf"{_REQUEST}(?:the )?(?:{_KEY} )?differen(?:ce|se)\b(?=(?: [\w'-]+){{0,5}}? (?:bet?w\w+n|between|from|among|across|of the two|and|,)\b| in (?:[\w'-]+ ){{1,5}}?(?:between|from|across|and)\b)",
    ),
    (
        "comparison",
        4.5,
        "sets one thing against another",
        r"(?:set|put|hold|measure|check|weigh|pit|place|stack|test|rate|rank|score)\b(?: [\w'-]+){1,8}? (?:against|beside|next to|alongside|side by side|opposite|versus)\b",
    ),
    ("comparison", 4.5, "asks for a ranking", r"rank\b"),
    (
        "comparison",
        4,
        "opens by setting a comparison's other side",
        r"(?:compared|in comparison|relative|as opposed|in contrast|as against|measured against|next to|versus|unlike|between)\b(?: (?:with|to))?",
    ),
    (
        "comparison",
        5,
        "asks which of several leads",
        rf"(?:which|whose|who of|who among|what (?:one )?of)(?: [\w'-]+){{0,7}}? (?:the )?{SUPERLATIVE}\b(?! (?:of all time|describes))",
    ),
    (
        "comparison",
        5,
        "asks which is more",
        rf"(?:which|who|whose|whos|who's|witch|wich|where)(?: [\w'-]+){{1,7}}? (?:the |a |any |even |much )?(?:(?:more|less) (?!than\b|of\b)\w+|{COMPARATIVE}{_SAID})",
    ),
    (
        "comparison",
        2.5,
        "asks which, with a comparative",
        rf"(?:which|whose|witch|wich|where)(?: [\w'-]+){{0,6}}? {COMPARATIVE}\b",
    ),
    ("comparison", 4, "asks who, with a comparative", rf"(?:who|whos|who's)(?: [\w'-]+){{0,6}}? {COMPARATIVE}\b"),
    (
        "comparison",
        5,
        "asks which is the better",
        rf"which (?:one )?(?:is|was|are|were|has|have|had|offers?|gives?) (?:the |a )?{COMPARATIVE}\b",
    ),
    (
        "comparison",
        4,
        "asks whether the other does so too",
        r"(?:does|do|did|is|are|has|have|was|were) (?:the )?(?:second|other|others|latter|new|old|first|rest)(?: one| ones| \w+)?\?",
    ),
    (
        "comparison",
        4.5,
        "asks who offers the most",
        rf"who (?:offers|gives|pays|charges|provides|has|have|had|scores?|scored|does|did|performs?|performed|promises|gets|got|makes|spends|does) (?:[\w'-]+ ){{0,4}}?{SUPERLATIVE}\b",
    ),
    (
        "comparison",
        2,
        "asks what is more",
        rf"(?:what|whats|what's)(?: [\w'-]+){{0,2}}? (?:is |are |was |were |has |have |had )?(?:the |a |any |even |much |far )?{COMPARATIVE}\b(?! (?:\w+ )?(?:do|does|did|should|is|are|must)\b)",
    ),
    (
        "comparison",
        4,
        "asks which of several",
        r"(?:which|who|what)(?: one)? (?:of|among|out of|between) (?:the|these|those|them|our|my)? ?(?:two|both|pair|options?|alternatives?|offers?|candidates?)\b",
    ),
    (
        "comparison",
        3.5,
        "asks whether something has become more or less",
        rf"{_AUXILIARY}\b(?: [\w'-]+){{1,9}}? (?:any |even |much |far |become |became |got |gotten |grown )?{COMPARATIVE}{_SAID}",
    ),
    (
        "comparison",
        3,
        "asks whether something is more or less",
        r"(?:is|are|was|were|has|have|do|does)\b(?: [\w'-]+){1,8}? (?:more|less) (?!than|of|information|details?|time|money|people|documents?)\w+",
    ),
    (
        "comparison",
        4,
        "asks whether things are the same",
        rf"{_AUXILIARY}\b(?: [\w'-]+){{1,12}}? (?:same|similar|equal|no different)\b",
    ),
    (
        "comparison",
        2.5,
        "asks whether one does as the other",
        rf"{_AUXILIARY}\b(?: [\w'-]+){{1,14}}? (?:also|too|likewise|as well|still|otherwise)\b",
    ),
    (
        "comparison",
        4,
        "asks whose version",
        r"whose (?:version|account|estimates?|figures|view|plan|proposal|offer|terms|numbers|model|method|approach)\b",
    ),
    (
        "comparison",
        4.5,
        "asks for pros and cons",
        r"(?:what are |list |give me |give |weigh |discuss )?(?:the )?(?:pros and cons|advantages and disadvantages|upsides and downsides)\b",
    ),
    (
        "comparison",
        4,
        "asks what changed",
        r"(?:what|which|how|how much|how far|where)(?: [\w'-]+){0,6}? (?:has |have |had |is |was |were |are |did |does )?(?:(?!be |should |must )[\w'-]+ ){0,6}?(?<!be )(?:changed|changes? (?=in\b|from|with|under|between|over|after|since|$)|altered|amended|evolved|shifted|different)\b",
    ),
    # extraction
    (
        "extraction",
        3.5,
        "asks to list or take out",
        r"(?:list|name|extract|enumerate|itemi[sz]e|quote|cite|copy|count|collect|fetch|retrieve|locate|identify|pull|get|find|look up|grab|dig (?:out|up)|pick out|note(?: down)?|write down|jot down|tabulate|read me|show(?: me)?|supply|specify|state|fill in|highlight|flag|spot|search|point me to|go through|provide|gather|compile|scan|mark|report|select|output|print|return|take out)\b",
    ),
    (
        "extraction",
        3,
        "asks to be given something",
        r"(?:give|tell|send|hand|get|need|want|i need|i want|i only need|i just need|i'm looking for|i am looking for|looking for)(?: me| us)?(?: only| just)? (?:the|all|every|each|any|a list|my|its|their|title|names?)\b",
    ),
    ("extraction", 3.5, "asks for all of something", r"(?:all|every|each|any)(?: of)?(?: the)? (?!in all)\w+"),
    (
        "extraction",
        4,
        "asks how many or how much",
        r"(?:how) (?:many|much|long|often|old|tall|big|large|high|low|far|deep|wide|heavy|fast|frequently|soon|late|early|strong|hot|cold|wide|expensive|few)\b",
    ),
    (
        "extraction",
        5.5,
        "asks when",
        r"(?:(?:since|until|till|by|from) )?(?:when (?:did|was|were|is|are|does|do|will|must|can|should|has)|when|whats the date|what's the date|what date|what time|what year|what day|which year|which date|which month|what month)\b",
    ),
    (
        "extraction",
        8,
        "asks where or who says something",
        r"(?:who|where|when|on which|in which|at which|how often)\b(?: (?!do\b|would\b|you\b|think\b|differ\w*\b)[\w'-]+){0,6}? (?:says?|said|claims|claimed|states|stated|argue[sd]?|reported|reports? (?:that|on|a)|mentions?|mentioned|explains?|describe[sd]?|notes|noted|(?:first|was the first to|once) noticed?|wrote|writes|coined|voted|stating|saying|prefer(?:s|red)?|rated|recorded|observed|found that|warns?|warned) (?!the most|the least)",
    ),
    (
        "extraction",
        6.5,
        "asks how many, whatever is compared",
        r"(?:how many|how often|what percentage|what share|what proportion|what fraction|what number) (?!more\b|fewer\b|less\b|times (?:more|as|bigger|larger)\b|\w+ (?:taller|longer|bigger|heavier|older|faster|cheaper|more)\b)",
    ),
    (
        "extraction",
        6,
        "asks for a value about a contrast",
        rf"(?:what|which|what is the|what was the|give me the|find the|quote the|give the|show the|locate the) (?:[\w-]+ ){{0,2}}?(?:p-value|test|tables?|figures?|page|section|paragraph|software|instrument|name|dates?|year|unit|word|term|symbol|number|percentage|formula|equation|statistic|threshold|tool|column|row|sentence|passage|quotation|quote|line|footnote|caption|chart|graph|slide|docket|title)\b(?!.{{0,70}}?\b(?:{COMPARATIVE[3:-1]}|{SUPERLATIVE[3:-1]})\b(?! than))",
    ),
    (
        "extraction",
        5,
        "asks to find the place that says something",
        r"(?:find|quote|locate|show|give|list|name|cite|point to|copy)(?: me)? (?:the |all |every |each |any )*(?:sentences?|passages?|pages?|places?|paragraphs?|clauses?|lines?|tables?|cases|people|persons|names?|rooms?|items?|products?|staff|employees|patients|firms|companies|countries) (?:[\w'-]+ )?(?:that|which|where|in which|who|whose|with|larger|older|of more)\b",
    ),
    (
        "extraction",
        4.5,
        "asks who did something",
        r"who (?!scored|choked|loved|improved|liked|performed|dominated)(?:\w+ed|wrote|won|made|took|gave|led|paid|built|sold|bought|sent|ran|drew|chose|spoke|taught|began|found|held|signs?|owns?|runs?|pays for|approves?|decides?|may|must|can|should)\b",
    ),
    ("extraction", 3.5, "asks where", r"(?:where|where's|from where|to where)\b"),
    ("extraction", 3.5, "asks who", r"(?:(?:to|by|from|for|with|of) )?(?:who|whom|whose|who's|whos)\b"),
    (
        "extraction",
        5,
        "asks for the place in the text",
        r"(?:(?:on|in|at|under|from) )?(?:which|what) (?:pages?|sections?|clauses?|articles?|paragraphs?|chapters?|appendix|annex(?:es)?|tables?|figures?|lines?|sentences?|passages?|footnotes?|schedules?)\b(?! (?:says? about|do|of the two)\b)(?! .{0,40}?\b(?:more|less|better|worse|harder|softer|stricter|longer|shorter|clearer|tougher)\b)",
    ),
    (
        "extraction",
        3.5,
        "asks which value, by preposition",
        r"(?:at|in|on|under|within|by|for|to|from|after|before|during|with|through|above|below|over|against) (?:what|which|how many|how much|how long|whom)\b(?! (?:ways?|extent|sense|respects?|degree|manner)\b)",
    ),
    (
        "extraction",
        4,
        "asks how something is defined",
        r"how (?:is|are|was|were|do|does|did) (?:[\w'-]+ ){1,7}?(?:defined?|abbreviated|spelled|spelt|called|labelled|numbered|coded|pronounced)\b",
    ),
    (
        "extraction",
        4,
        "asks what is stated",
        r"(?:what|which) (?:[\w'-]+ ){1,9}?(?:cited?|cites|listed|lists?|named?|names|mentioned|mentions?|stated|given|specified|specify|quoted?|reported|acknowledged?|set out|recorded|contain(?:s|ed)?|include[sd]?|referenced|refer(?:s|red)? to|imposed|attached)\b(?! (?:by|for|as) why)",
    ),
    ("extraction", 3, "asks what must or may be done", r"what (?:must|may|shall)\b"),
    (
        "synthesis",
        3.8,
        "asks in what way",
        r"(?:in|to) (?:what|which) (?:ways?|extent|sense|respects?|degree|manner)\b",
    ),
    (
        "extraction",
        5,
        "asks for the wording of a place in the text",
        r"what (?:do|does|did|is in|are in|stands in) (?:the )?(?:(?:clause|section|article|paragraph|page|line|footnote|schedule|annex|appendix|rule|item|table|figure|row|column|chapter) [\w.()]*\d|(?:first|last|second|third|opening|final) (?:sentence|line|paragraph|clause))",
    ),
    (
        "synthesis",
        5,
        "asks what went wrong or where it comes from",
        r"where (?:did|does|do) (?:[\w'-]+ ){1,7}?(?:go (?:wrong|right)|come from|originate|fall short|fail|break down|lead)\b",
    ),
    (
        "synthesis",
        3.5,
        "asks what is new",
        r"(?:what's|whats|what is|anything) (?:new|interesting|surprising|notable|noteworthy|useful|special|unusual|striking|remarkable|important|at stake)\b",
    ),
    ("synthesis", 3, "asks for advice", r"(?:should|shall|ought) (?:i|we|one|they)\b"),
    (
        "synthesis",
        3.5,
        "asks for a judgement",
        r"(?:is|are|was|were|does|do) (?:[\w'-]+ ){1,8}?(?:convincing|credible|plausible|persuasive|trustworthy|worthwhile|worth it|justified|a success|successful|feasible|viable|a good (?:idea|investment|choice)|make sense|hold water)\b",
    ),
    ("synthesis", 6, "asks what is meant", r"what (?:is|are|was) (?:meant by|it (?:that|about|like))\b"),
    (
        "synthesis",
        6,
        "asks what difference something made",
        r"(?:what|explain (?:the|what)) difference (?:did|does|do|would|will|could|it|this|that)\b(?! .{0,60}(?:assume|report|measure|record|find|observe|charge|allow|pay))",
    ),
    ("synthesis", 2.5, "asks what did something", r"what \w{3,}ed\b"),
    ("synthesis", 6.5, "asks why more or fewer do something", r"why (?:do|did) (?:so )?(?:more|fewer|many|few)\b"),
    (
        "synthesis",
        4.5,
        "asks where something is going",
        r"(?:where|what) (?:is|are|does|do|lies|comes)\b(?: [\w'-]+){0,6}? ?(?:heading|going|headed|ahead|next|stand(?! for))\b",
    ),
    ("extraction", 2.5, "asks which", r"(?:which|whose|wich|witch)\b"),
    (
        "extraction",
        3.5,
        "asks for a value or a list",
        rf"(?:what's|whats|what is|what are|what was|what were|what|which)(?! (?:do|does|did|can|could|would|should|will|might|must|makes?|drives?|explains?)\b)(?: (?!behind\b|about\b|of\b|for\b|with\b|in\b|on\b|by\b|from\b|to\b|between\b|under\b|and\b|that\b)[\w'-]+){{0,5}}? {ATTRIBUTE}\b",
    ),
    (
        "extraction",
        1.5,
        "asks what something is",
        r"(?:what's|whats|what is|what was|what are|what were|which is|which are)\b",
    ),
    (
        "extraction",
        1.6,
        "asks what, by a noun",
        rf"what(?: else| more)?(?! {_AUXILIARY}\b)(?! (?:about|if|makes?|for|next|explains?|drives?|happen\w*)\b) \w+",
    ),
    (
        "extraction",
        3.5,
        "asks what something costs, weighs or is called",
        r"(?:what|how) (?:do|does|did|will|would|is|are|was|were)(?: [\w'-]+){1,7}? (?:cost|costs|weigh|earn|measure|pay|charge|called|named|stand for|set at|use|used|require|required|need|owe|amount to|located|based|made of|priced at|dated|recommended for)\b",
    ),
    ("synthesis", 2, "asks what, by a verb", r"what (?:do|does|did|can|could|would|should|will|might)\b"),
    ("synthesis", 4, "asks what it is about", r"what(?:'s| is| are| was| were)?\b(?: [\w'_\"-]+){0,6}? about\b"),
    ("extraction", 2.5, "asks yes or no", rf"{_AUXILIARY}\b"),
    (
        "extraction",
        3.5,
        "asks whether something is mentioned",
        r"(?:is|are|was|were|does|do|did) (?:there|it|they|the|any|this|that)(?: [\w'-]+){0,6}? (?:mention\w*|say anything|specif\w+|state[sd]?|define[sd]?|include[sd]?|contain\w*|list(?:ed|s)?|refer\w*)\b",
    ),
    (
        "extraction",
        3,
        "names a value and no verb",
        rf"(?:the |our |my )?(?:(?!and\b|of\b|in\b)[\w'/.-]+ ){{0,4}}?{VALUE}(?: (?:of|for|in|on|at|from|to|per|by|and|stated|given|set|written|listed|paid|used|mentioned|quoted)\b|[?.:]*$)",
    ),
    (
        "extraction",
        3.5,
        "asks for a table",
        r"(?:turn|put|arrange|make|build|create|draw up|give me)(?: [\w'-]+){0,8}? (?:into |in |as )?(?:an? )?(?:tables?|lists?|spreadsheet|csv|checklist|bullet(?:s| points)?|inventory|glossary)\b",
    ),
    # synthesis
    (
        "synthesis",
        4,
        "asks to summarise",
        r"(?:summ?ari[sz]e|summary|summaries|summarise|sum up|sumup|recap|synthesi[sz]e|condense|distil+|abstract|overview|outline|digest|tl;?dr|boil down|paraphrase|gist|in (?:a nutshell|short|brief|essence))\b",
    ),
    (
        "synthesis",
        4,
        "asks for an account",
        r"(?:explain|describe|discuss|interpret|elaborate|walk (?:me|us) through|talk (?:me|us) through|take me through|brief (?:me|us)|teach me|analy[sz]e|assess|evaluate|critique|review|comment on|reflect on|sketch|trace|characteri[sz]e|clarify|illustrate|examine|explore|unpack|make sense of|weave|tie (?:all|this|it|these|everything|together)|bring together|pull together|piece together|connect the dots|reconstruct|narrate|tell (?:me|us) about|tell (?:me|us) (?:something|everything|more) about|tell (?:me )?the story|help me understand|understand|more (?:on|about)|more details? (?:on|about)|what about|introduce|break down|draw together|update me|fill me in|catch me up|bring me up to speed)\b",
    ),
    (
        "synthesis",
        3.5,
        "asks for a text to be written",
        r"(?:write|draft|compose|build|craft|create|prepare|produce|put|turn|provide|give(?: me| us)?|make)(?: me| us)? (?:together )?(?:an?|the|this|these|all|some|one)?(?: [\w'-]+){0,5}? (?:summary|overview|abstract|essay|paragraph|narrative|story|report|briefing|brief|memo|synopsis|review|introduction|account|picture|description|explanation|background|analysis|discussion|context|understanding|feel|sense|insight|idea|sentences|words|explanation|gist|outline|digest|recap|synthesis|run-?down|key points|main points|highlights|main ideas|take-?aways|key ideas)\b",
    ),
    (
        "synthesis",
        6.5,
        "asks how something came about",
        r"(?:explain |describe |tell me )?(?:(?:why|how come) (?:did|was|were|had|has|have)\b|what(?: \w+)? (?:explains?|accounts? for|led to|lies behind)\b|how (?:do|does|did) (?:[\w'-]+ ){1,4}?(?:account for|explain|justify|come to|manage|come)\b|how is it (?:possible )?that\b|(?:explain |describe )?how (?:[\w'-]+ ){1,4}?(?:came|comes) (?:to|about)\b)",
    ),
    (
        "synthesis",
        4,
        "asks why",
        r"(?:why|y|how come|what made|what makes|for what reasons?|what(?: are| is| were| was)? the reasons?|what explains|what accounts for)\b",
    ),
    (
        "synthesis",
        3,
        "asks how",
        r"how(?!ever)(?:'s)?\b(?! (?:many|much|long|often|old|tall|big|large|high|low|far|deep|wide|heavy|fast|frequently|soon|late|early|few|expensive|hot|cold)\b)",
    ),
    (
        "synthesis",
        3.5,
        "asks for ideas, causes, risks or meaning",
        rf"(?:what|what's|whats|what is|what are|what was|what were|which|are there|is there)(?: [\w'-]+){{0,4}}? {MATTER}\b",
    ),
    (
        "synthesis",
        4.5,
        "asks for a matter outright",
        rf"(?:what|which)(?: \w+)? {MATTER}\b(?! (?:\w+ ){{0,6}}?(?:listed?|lists|named?|cited|mentioned|stated))",
    ),
    (
        "synthesis",
        3.5,
        "asks for key or main points",
        r"(?:the |some |any |what are |what is |what were )?(?:the )?(?:key|main|central|major|big|overall|core|principal|overarching|recurring|common|broad|general|most important) (?:take-?aways?|points?|ideas?|themes?|message|messages|arguments?|findings?|insights?|lessons?|conclusions?|picture|story|topics?|issues?|trends?|threads?|outline|risks?|challenges?|thrust)\b",
    ),
    (
        "synthesis",
        4,
        "asks what the sources say or know",
        r"what (?:do|does|did|can|could|should|would|might|is|are|has|have)(?: [\w'.()-]+){1,7}? (?:say|says|think|suggest|know|known|learn|learned|learnt|tell|teach|argue|believe|reveal|conclude|understand|imply|mean|happen|show|advise|recommend|make of|see|expect|getting at|trying to|hope|fear|care|take away|look like|feel|envisage|infer|said|consider|keep in mind|watch out|look out|be said|be learned|be learnt|be drawn|be concluded|understood|going on)\b",
    ),
    (
        "synthesis",
        4,
        "asks what happened or follows",
        r"(?:what's|whats|what is|what was|what)(?: \w+)? (?:happen(?:s|ed|ing)?|going on|went (?:wrong|on|right|well)|led|leads|caused|causes|drove|drives|follows|lies behind|is behind|was behind|behind|like|it like|emerges|triggered|shaped|shapes|motivated|prompted|sparked|brought|pushed|this about|all this|it all|at stake|works|matters|explains|can we learn)\b",
    ),
    (
        "synthesis",
        4,
        "asks what it means",
        r"(?:so what|what does (?:this|that|it|all this)(?: all)? mean|what are we to make|what should (?:i|we|you)|what to make|now what|what next|thoughts|any (?:thoughts|insights))\b",
    ),
    (
        "synthesis",
        3,
        "names a matter and no verb",
        rf"(?:the |some |its |their )?(?:[\w'-]+ ){{0,2}}?(?<!boiling )(?<!melting )(?<!freezing )(?<!data ){MATTER}(?: (?:of|for|in|on|behind|to|from|about|with)\b|[?.:]*$)",
    ),
)

# --- rules that count anywhere --------------------------------------------------------------------

ANYWHERE: Final[tuple[Row, ...]] = (
    # comparison
    (
        "comparison",
        5,
        "holds a comparative with than",
        rf"\b(?:{_DEGREE}|comparable)\b(?:[ ,]+(?!than\b)[\w'&*.()/-]+){{0,7}}?[ ,]*(?:\) )?{_THAN}\b",
    ),
    (
        "comparison",
        5,
        "asks which of two alternatives is more",
        rf"\b{COMPARATIVE}\b(?=.{{0,160}}?\bor\b)|\bor\b(?=.{{0,120}}?\b{COMPARATIVE}\b)",
    ),
    ("comparison", 4.5, "sets two sides against each other (versus)", r"\b(?:vs|versus|v/s|v\.s)\b|\bv / s\b"),
    (
        "comparison",
        4.5,
        "speaks of differences or similarities between things",
        rf"\b(?:differences?|similarit(?:y|ies)|distinctions?|discrepanc(?:y|ies)|contrasts?|comparisons?|contradictions?|inconsistenc(?:y|ies)|gaps?|divide|disagreements?|parallels?|overlaps?|trade-?offs?|commonalit(?:y|ies)|mismatch(?:es)?|conflicts?)(?: \w+){{0,3}}? (?:between|among|amongst|across|draws?|drawn)\b|\b(?:differences?|similarities|contrasts?|discrepancies|comparisons?) (?:\w+ ){{0,3}}?(?:of|in|from|to) (?:\w+ ){{0,3}}?{_TWO}\b",
    ),
    (
        "comparison",
        2.5,
        "speaks of differences",
        r"\b(?:differences|similarities|dissimilarities|discrepanc(?:y|ies)|contradictions?|inconsistenc(?:y|ies)|mismatch(?:es)?|disagreements?|commonalities|divergences?)\b",
    ),
    (
        "comparison",
        4.5,
        "asks how things differ",
        r"\b(?:differ|differs|differed|differing|differently|far apart|parts? ways|at cross purposes|collides?|runs? counter to|in the face of|takes? issue with|challenges? the (?:findings?|claims?|view|conclusions?|results?|idea|position|account)|disputes? (?:the|what)|in tension|unanimous|an improvement (?:on|over)|relates? to (?:that|those|the one|each)|(?:takes?|took|taken|left|cut) out of the (?:second|new|revised|latest)|distinct from|disparit(?:y|ies)|var(?:y|ies|ied) (?:across|between|by|from|among|with|depending)|vary\b(?=\?|$)|poles apart|daylight between|tell .{1,40} from |conflicts? with|side by side|diverges?|diverged|disagrees?|disagreed|contradicts?|contradicted|contradictory|deviates?|departs? from|clash(?:es)?|conflict with|(?:is|are|do|does|any|be) (?:\w+ ){0,4}?conflict(?:ing)?|at odds|at variance|irreconcilable|incompatible|inconsistent|part company|break with|breaks with|opposite directions|opposed|at loggerheads|cannot both|can't both|overturns?|refutes?|rebuts?|undercuts?|undermines? (?:paper|the claim))\b",
    ),
    (
        "comparison",
        4.5,
        "asks how things are told apart",
        r"\b(?:different(?:ly)? (?:from|than|to)|any different|sets? (?:[\w'-]+ ){1,6}?apart|apart from each other|tell (?:[\w'-]+ ){1,5}?apart|distinguish(?:es|ed)?|differentiates?|departs from|contrasting|leaves? out)\b",
    ),
    (
        "comparison",
        5,
        "asks how things compare",
        r"\b(?:how|do|does|did)\b(?: [\w'()-]+){0,10}? (?:compare|stack up|measure up|hold up against|line up|square with|fare against|relate to each other|differ|diverge|contrast|match up|shape up|rate against)\b|\bcompares? (?:with|to|on|against|in terms|favou?rably)\b|\bhow [\w' -]{1,60} compares?\b",
    ),
    (
        "comparison",
        4,
        "asks to compare, further on",
        r"(?:\b(?:and|then|to|please|you|,|-|:) )(?:compare|contrast|differentiate|distinguish)\b|\bcontrast(?:ed|s|ing)?(?= (?:the|with|to|against))\b|\bin comparison\b",
    ),
    (
        "comparison",
        4,
        "measures one thing by another",
        r"\b(?:compared|as compared|comparing|in contrast|relative|in relation|as opposed|by contrast|in comparison|vis-?(?:a|à)-?vis|as against|set against|measured against|judged against|up against|against each other|against one another|stacked? up|benchmarked? against|over and above)\b",
    ),
    (
        "comparison",
        4,
        "asks whether things are the same",
        r"\b(?:the|a|any|just|exactly|much) same\b(?=.{0,80}?\b(?:as|for|in both|across|between|in the|way|thing|story|ground|conclusions?|results?|definitions?|answer|view)\b)|\b(?:alike|identical|identically|equivalent|interchangeable|on a par|on par|tantamount|indistinguishable|similarly|comparable|equally)\b|\bsimilar\b(?=.{0,60}?\b(?:to|in|are|is|both|two)\b)|\bhow similar\b|\bsame\b(?=.{0,40}?\bas\b)|\b(?<!such )as (?!well\b|soon\b|long as\b|far\b|much as possible|many as|possible|part\b|a\b|an\b|the\b|it\b|of\b|to\b|at\b|in\b|for\b|we\b|they\b|i\b|he\b|she\b|you\b|is\b|was\b|are\b|were\b|result)\w+ (?:[\w'-]+ ){0,5}?as\b(?! (?:possible|well|follows|soon|\d|needed|necessary|required|of|a (?:rule|result|whole)))",
    ),
    (
        "comparison",
        4,
        "asks what is shared",
        r"\bin common\b|\bcommon ground\b|\bshared by\b|\bhave in common\b|\bcommon to (?:both|all)\b|\b(?:do|does|did) (?:[\w'-]+ ){1,10}?share\b(?=\?|$)|\bjointly held\b|\bsee eye to eye\b|\bof one mind\b|\bconsensus (?:among|between|across)\b",
    ),
    (
        "comparison",
        4,
        "asks whether sources agree",
        r"\b(?:agree|agrees|agreed|concurs?|in agreement|corroborates?|corroborated|confirm each other|back up|backs up|bear out|bears out|tall(?:y|ies)|consistent (?:with|across|between|in)|in line with|in step with|aligned? with|aligns? with|square with|accord with|reconcil(?:e|es|ed|able)|compatible|converges?|coincides?|mirrors?|resembles?|corresponds? (?:to|with)|akin to|in harmony with|on the same page|agreement between|same page|confirms? (?:the|what|each)|replicates?|supports? (?:the )?(?:other|each|what|claim|conclusion)|match(?:es)? (?:the|what|up|those|that|with|each)|(?:do|does|did) (?:[\w'-]+ ){1,10}?(?:match|tally|coincide|correspond|fit with)|consistent (?:story|picture|account|line|view)|conflicting (?:accounts|views|stories|claims)|line up|lines up|dovetail|go hand in hand|fit together|echo(?:es)?|side with)\b",
    ),
    (
        "comparison",
        4,
        "asks what beats what",
        r"\b(?:outperform(?:s|ed)?|outscores?|outweighs?|outlast|outlives?|exceeds?|surpass(?:es)?|supersed(?:e|es|ing)|overtakes?|trumps?|beats?|outranks?|outdoes|outdo|does better|comes? out (?:ahead|on top|better|worse)|comes? off (?:better|worse)|fares?(?= (?:under|with|in) each)|under each of|keeps? pace with|catch(?:es)? up with|ahead of|superior to|inferior to|preferable|prefers?|lags? behind|fall short of|falls? short of|take precedence|takes precedence|prevails? over|wins? out|(?:advantages?|benefits?|merits?|gains?|edge) (?:[\w'-]+ ){0,4}?over|edge over|worth more|favou?rs? (?:the|whom|which)|stricter|harsher|laxer)\b",
    ),
    (
        "comparison",
        3.5,
        "asks what changed over time",
        r"\b(?:chang(?:e|es|ed|ing)|shift(?:s|ed)?|evolv(?:e|es|ed|ing)|alter(?:s|ed)?|amend(?:s|ed)?|improv(?:e|es|ed)|worsen(?:s|ed)?|deteriorat(?:e|es|ed)|gr[eo]wn?|shr[aiu]nk|rise|risen|rose|fell|fallen|fall|increase[ds]?|decrease[ds]?|declined?|lowered|raised|tightened|loosened|relaxed|revised|modified|updated|dropped|added|removed|kept|keep)\b(?: [\w'-]+){0,7}? (?:since|from (?:one|the (?:previous|original|first|old|earlier|draft))|between|compared|over the (?:previous|last|march|old)|versus|after|in the (?:newer?|latest|revised|updated|second|later)|to the next)\b",
    ),
    (
        "comparison",
        3,
        "sets an earlier state beside a later one",
        r"\b(?:before and after|then and now|from one (?:[\w-]+ )?to (?:the next|the other|another)|(?:from|moving|switching) (?:the )?(?:first|old|previous|initial|draft|plan|version|revision|option|model|paper|round) (?:[\w'-]+ )?to (?:the )?[\w'-]+|between the (?:old|first|draft|original|previous|two)|(?:old|previous|former|earlier|original) (?:[\w-]+ )?(?:and|versus|to) (?:the )?(?:new|current|later|revised)|(?:new|revised|current|latest|june|second) (?:[\w-]+ ){1,5}?(?:over|against|from) the (?:old|previous|original|march|first|earlier)|year on year|year-on-year|since (?:the )?(?:last|previous|baseline|\d{4}|january|february|march|april|may|june|july|august|september|october|november|december))\b",
    ),
    (
        "comparison",
        3.5,
        "asks which of two",
        r"\b(?:which|who|whose|where)(?: [\w'-]+){0,8}?:? .{0,80}?\bor\b(?! (?:not|so|more|less|by|on|in|at|when|if|any)\b)",
    ),
    (
        "comparison",
        2.2,
        "offers alternatives",
        r"\b(?:in|by|on|of|is it|is) the \w+ or (?:in|by|on|of)? ?the \w+|\b(?:either|whether) [\w' -]{1,60} or\b|^(?!is\b|are\b|do\b|does\b|did\b|can\b|what\b|how\b|why\b|when\b|list\b|any\b|all\b|where\b)[\w' .&-]{1,40} or [\w' .&-]{1,60}(?:\?+$|[,:-])|\b(?:grow or shrink|rise or fall|up or down|pick up or|widen or|narrow or|expand or|gain or|improve or|more or fewer|increase or decrease|better or worse|go up or go down)\b",
    ),
    (
        "comparison",
        4,
        "asks whether something has changed",
        r"\b(?:has|have|had)\b (?:(?!been\b|to\b)[\w'-]+ ){1,9}?(?:improved|worsened|grown|risen|fallen|increased|decreased|declined|shrunk|dropped|shifted|evolved|changed|become|got|gotten|deteriorated|tightened|loosened|softened|hardened|moved on|gone (?:up|down)|advanced|caught up)\b|\b(?:has|have) (?:[\w'-]+ ){1,6}?been (?:lowered|raised|tightened|loosened|relaxed|reduced|increased|extended|shortened|dropped|added|changed|revised|cut|weakened|strengthened|softened|toned down|watered down)\b",
    ),
    (
        "comparison",
        4,
        "asks whether a measure went up or down",
        r"\b(?:grow or shrink|rise or fall|up or down|pick up or|widen or|narrow or|expand or|gain or|improve or|more or fewer|increase or decrease|better or worse|go up or go down)\b",
    ),
    (
        "comparison",
        1,
        "speaks of two sides",
        r"\b(?:both|the two|these two|the pair|each other|one another|either of)\b",
    ),
    (
        "comparison",
        3,
        "sets old beside new",
        r"\b(?:old|previous|earlier|former|original|predecessor)\b(?!-).{1,70}?\b(?:new|newer|current|revised|latest|present)\b|\b(?:new|newer|current|revised|latest)\b.{1,70}?\b(?:old|older|previous|former|original|predecessor)\b",
    ),
    (
        "comparison",
        6,
        "asks what one has and the other has not",
        r"\bthat (?:the )?(?:[\w'-]+ ){1,5}?(?:does not|doesn't|do not|don't|did not|didn't|lacks?|misses|leaves out|omits|were absent|was absent|are absent)\b|\bbut not (?:in|by|for)\b|\bunique to\b|\b(?:only|exclusively) (?:in|found in) (?:one|the (?:first|second|new|old))\b|\bone\b.{1,60}\bthe other\b|\b(?:go|goes|went) (?:further|beyond)\b|\bstops? short of\b|\b(?:diff|redline|delta) (?:of|between)\b|\b(?:check|hold|measure|weigh|put|set|test|pit)(?:ed)? .{1,80} (?:against|beside|alongside|next to)\b",
    ),
    (
        "comparison",
        4,
        "asks for an order",
        rf"\bfrom (?:the )?{SUPERLATIVE} to\b|\bin order of\b|\b(?!most\b|least\b){SUPERLATIVE} (?:(?:option|offer|choice|deal|bid|plan|value|candidate|one|quote) )?(?:of|among|amongst|out of|between) (?:the|these|those|them|our|all)\b",
    ),
    (
        "comparison",
        2.5,
        "speaks of change over time or across cases",
        r"\bover (?:time|the years)\b|\bacross (?:the )?(?:editions|versions|years|countries|regions|drafts)\b|\bfrom (?:19|20)\d\d to\b|\bone another\b|\beach other\b|\band (?:what|how) (?:do|does|did) (?:the )?(?:\w+ )?(?:other|second|new|old|latter)\b",
    ),
    (
        "comparison",
        3.5,
        "asks what one has and the other lacks",
        r"\b(?:absent (?:in|from)|missing from|not in the other|lacking in|left out of|leaves? out|omits?)\b",
    ),
    (
        "comparison",
        4,
        "asks whose side something favours",
        r"\bwhose (?:[\w'-]+ ){1,6}?(?:favou?rs?|suits?|helps?|serves?|protects?|benefits?)\b|\bwhich (?:[\w'-]+ ){0,5}?(?:favou?rs?|suits|protects|is kinder to)\b",
    ),
    (
        "comparison",
        1.5,
        "speaks of several documents' own ways",
        rf"\b(?:how|where) (?:the |these )?(?:different|various|two|three|four|both|each of the) {_DOCS}\b",
    ),
    (
        "comparison",
        3,
        "names the contrast",
        r"\b(?:unlike|whereas|by contrast|on the other hand|as opposed to|instead of the other|on which .{3,60} (?:opposed|disagree\w*|differ\w*))\b",
    ),
    ("comparison", 1, "holds a comparative", rf"\b{COMPARATIVE}\b"),
    (
        "comparison",
        4.5,
        "asks what a newer text changes",
        r"\bwhat (?:[\w'-]+ ){1,8}?(?:alter(?:s|ed)?|change[sd]?|amend(?:s|ed)?|replace[sd]?|modif(?:y|ies|ied)|drop(?:s|ped)?|add(?:s|ed)?|remove[sd]?|keep|kept|strikes? out|throw out)\b (?:[\w'-]+ ){0,4}?(?:from|in|to|of) (?:the )?(?:original|old|previous|first|earlier|one|last|draft|former)\b|\bnew in (?:[\w'-]+ ){1,9}?(?:over|against|since|compared|relative)\b",
    ),
    (
        "comparison",
        1.5,
        "asks for pros and cons",
        r"\b(?:pros and cons|strengths and weaknesses|advantages and disadvantages)\b",
    ),
    # extraction
    (
        "extraction",
        5,
        "asks for the wording",
        r"\b(?:word for word|verbatim|exact(?:ly)? (?:sentence|wording|words|quote|text|phrase)|yes or no|nothing else|just the (?:number|figure|date|name)s?|in one word|with page numbers?)\b",
    ),
    (
        "extraction",
        1.5,
        "speaks of assumptions, limits or duties",
        r"\b(?:assumptions?|limitations?|caveats?|definitions?|obligations?|requirements?|exclusions?|exceptions?|prerequisites)\b",
    ),
    (
        "extraction",
        1.5,
        "speaks of mentions",
        r"\b(?:any mention|mentions? of|references? to|mentioned|occurrences?|every time|each passage|passages? (?:about|on|where)|all (?:the )?(?:names|numbers|dates|passages|places|mentions|figures|values|amounts))\b",
    ),
    (
        "extraction",
        2,
        "gives the unit of the value",
        r"\bin (?:degrees|pounds|euros|dollars|eur|usd|gbp|percent|kg|days|months|years|hours|metres|meters|mm|km|watts|volts|litres|tonnes)\b|\bper (?:day|hour|month|year|person|unit)\b",
    ),
    (
        "extraction",
        1.5,
        "asks for a value further on",
        rf"[:,-] (?:the )?(?:[\w'-]+ ){{0,3}}?{ATTRIBUTE}(?: (?:for|of|in|and)\b.{{0,40}})?[?.]*$",
    ),
    # synthesis
    (
        "synthesis",
        1.5,
        "speaks of a summary",
        r"\b(?:summar(?:y|ise|ize|ies)|overview|big picture|nutshell|in (?:plain|simple|normal|everyday) (?:words|english|language|terms)|for (?:a|an|someone|somebody|my|ten|people) (?:[\w-]+ ){0,3}?(?:layman|layperson|beginner|child|non-\w+|ten|student|old|who)|eli5|state of (?:play|the art)|taken together|as a whole|overall|in general|coherent)\b",
    ),
    (
        "synthesis",
        1.5,
        "speaks of themes, risks, causes or meaning",
        r"\b(?:themes?|main ideas?|key points?|takeaways?|lessons?|risks?|implications?|challenges|consequences|impact of|root cause|story behind|lies behind|reasons? (?:for|why|behind)|what went wrong|what is known)\b",
    ),
    (
        "synthesis",
        1.5,
        "asks why, further on",
        r"\b(?:and|or|but|,|exactly|me|explain|know|understand) (?:why|how come)\b",
    ),
)

# A request begins with a question word, an auxiliary or an imperative.
QUESTION_WORD: Final = (
    r"(?:what|what's|whats|which|wich|witch|who|who's|whos|whom|whose|where|when|why|how|is|are|was|were|do|does|did|has|have|had|"
    r"can|could|will|would|should|may|must)"
)
ENGLISH: Final = Tables(
    asks=rf"(?:(?:at|in|on|under|by|for|to|from|within) )?{QUESTION_WORD}\b|(?:compare|contrast|list|name|give|find|show|tell|explain|"
    r"describe|summ?ari[sz]e|extract|pull|get|identify|quote|locate|set|put|write|draft|make|note|outline|discuss|rank|count|provide|"
    r"brief|walk|turn|state|interpret|go through|read me|flag)\b",
    deceptive=DECEPTIVE,
    lead_ins=LEAD_INS,
    head=HEAD,
    anywhere=ANYWHERE,
)
