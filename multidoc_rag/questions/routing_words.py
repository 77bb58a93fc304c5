"""The words and phrases that the English routing rules are made of. Data only; `routing_english` has the rules.

Patterns see the question folded: lower case, no accents, straight quotes, single blanks.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from multidoc_rag.records import IntentName

Row = tuple[IntentName, float, str, str]


@dataclass(frozen=True, slots=True)
class Tables:
    """One language's rules: how requests begin, deceptive phrases, courtesies, rules for the head and for anywhere."""

    asks: str
    deceptive: tuple[str, ...]
    lead_ins: tuple[str, ...]
    head: tuple[Row, ...]
    anywhere: tuple[Row, ...]


# --- words ----------------------------------------------------------------------------------------

_SHORT_ADJECTIVES: Final = (
    "big hot thin fat wet sad fit dim slim old young new cheap cold cool fast slow quick high low long "
    "short tall small great strong weak "
    "hard soft tough light dark bright deep rich poor loud quiet clean clear smart sharp thick tight "
    "loose strict lax mild "
    "rough smooth warm weird wild wise wide broad narrow near close safe large late early rare nice cute "
    "pure brave tame fair "
    "heavy easy happy healthy wealthy risky costly dirty friendly pretty ugly noisy busy dry tiny scary "
    "crazy funny lazy tasty "
    "deadly steep dense stiff firm keen calm kind mean proud simple gentle humble able noble stable "
    "steady sturdy thrifty "
    "harsh severe sparse coarse fine full sweet sour bitter bold grand plain neat vague lean green speedy "
    "handy lengthy "
    "generous lucky likely lively lonely mighty nasty shiny skinny spicy sticky stinky tricky windy "
    "worthy angry fancy hungry "
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
DEGREE: Final = COMPARATIVE[:-1] + r"|(?!(?:rather|other|whether|either|neither|number|order)\b)\w{2,}(?:er|ier))"
THAN: Final = r"(?:than|then(?! (?:what|how|why|when|is|are|do|does|will|the winner)\b))"
TWO: Final = r"(?:two|three|four|five|six|seven|both|different|various|several|respective|other|2|3|4|5)"
AUXILIARY: Final = (
    r"(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would|should|may|must|might|isn't|aren't|doesn't|"
    r"don't)"
)
DOCS: Final = (
    r"(?:documents?|papers?|reports?|studies|study|authors?|articles?|texts?|sources?|files?|pdfs?|books?|"
    r"contracts?|agreements?|policies|policy|manuals?|guidelines?|versions?|editions?|drafts?|offers?|bids?|"
    r"proposals?|chapters?)"
)

# An attribute: something with one value or a short list of values, to be taken out.
ATTRIBUTE: Final = (
    r"(?:amounts?|sums?|totals?|prices?|costs? of|fees?|rates?|salary|salaries|wages?|budgets?|deposits?|premiums?|"
    r"fines?|penalty|penalties|deductibles?|excess|charges?|rent|turnover|revenues?|profits?|ebitda|margin|"
    r"headcount|dates?|deadlines?|due|years?|months?|days?|hours?|times?|durations?|lengths?|periods?|terms?|ages?|"
    r"numbers?|counts?|quantity|quantities|figures?|percentages?|percent|proportion|ratio|share|scores?|values?|"
    r"levels?|limits?|thresholds?|cut-?offs?|maximum|minimum|max\.?|min\.?|sizes?|weight|height|width|depth|"
    r"distance|speed|temperatures?|pressure|voltage|torque|power|capacity|accuracy|f1|auc|precision|p-values?|"
    r"confidence intervals?|mean|median|average|standard deviation|half-life|boiling point|melting point|"
    r"freezing point|altitude|dose|dosage|doses|names?|titles?|authors?|address|addresses|e-?mails?|phone|"
    r"telephone|contacts?|urls?|websites?|links?|dois?|isbn|ids?|identifiers?|codes?|passwords?|ports?|commands?|"
    r"shortcuts?|versions?|models?|serial|colou?rs?|locations?|place|city|cities|country|countries|currency|page|"
    r"pages|sections?|clauses?|articles?|paragraphs?|tables?|headings?|definitions?|acronyms?|abbreviations?|"
    r"stands? for|formulas?|equations?|ingredients?|parts?|components?|requirements?|obligations?|duties|"
    r"exclusions?|exceptions?|exemptions?|conditions?|criteria|criterion|prerequisites?|assumptions?|limitations?|"
    r"caveats?|constraints?|parameters?|hyperparameters?|settings?|variables?|datasets?|data sets?|instruments?|"
    r"questionnaires?|software|tools?|materials?|samples?|participants?|respondents?|signator(?:y|ies)|part(?:y|"
    r"ies)|owners?|holders?|chair(?:man|woman|person)?|directors?|members?|suppliers?|vendors?|references?|"
    r"citations?|mentions?|quotes?|quotations?|figures?|status|warranty|notice|grade|band|type|kind|brand|make|"
    r"frequency|interval|bandwidth|resolution|license|licence|standards?|certificates?|allowance|entitlement|quota|"
    r"coverage|salutation|motto|slogan|signature|postcode|iban|vat|steps?|tasks?|items?|options?|symptoms?|"
    r"side effects?|keywords?)"
)

# The attributes that make a request by themselves, without a verb ("sample size?").
VALUE: Final = (
    r"(?:amounts?|totals?|prices?|fees?|rates?|salary|salaries|wages?|deposits?|premiums?|fines?|penalt(?:y|ies)|"
    r"deductibles?|rent|turnover|revenues?|profits?|ebitda|headcount|dates?|deadlines?|durations?|length|ages?|"
    r"numbers?|count|quantity|figures|percentages?|ratio|scores?|values?|limits?|thresholds?|maximum|minimum|"
    r"max\.?|min\.?|sizes?|weight|height|width|depth|temperatures?|voltage|torque|capacity|accuracy|half-life|"
    r"boiling point|melting point|freezing point|altitude|dose|dosage|names?|titles?|address|addresses|e-?mails?|"
    r"phone|telephone|contacts?|url|website|doi|isbn|ids?|codes?|passwords?|ports?|location|page|pages|headings?|"
    r"definitions?|ingredients?|requirements?|obligations?|exclusions?|exceptions?|criteria|assumptions?|"
    r"limitations?|caveats?|hyperparameters?|datasets?|signator(?:y|ies)|members?|suppliers?|references|citations?|"
    r"mentions?|quotes?|warranty|notice period|period|allowance|quota|iban|vat|rules|list|lists|serial|authors?|"
    r"owners?|budget|costs?|expiry|start and end dates)"
)

# A matter to be accounted for: its answer is told, not looked up.
MATTER: Final = (
    r"(?:ideas?|themes?|points?|messages?|lessons?|takeaways?|take-?aways?|story|stories|picture|gist|essence|"
    r"thrust|upshot|crux|arguments?|reasoning|rationale|logic|thinking|thesis|conclusions?|findings?|insights?|"
    r"implications?|consequences|impacts?|effects?(?! size)|influence|significance|importance|relevance|meaning|"
    r"role|purpose|function|aim|goals?|objectives?|understanding|consensus|sources of (?:risk|uncertainty|error|"
    r"bias|conflict|tension|growth)|motivations?|motives?|reasons?|causes?|drivers?|factors?|forces|roots?|"
    r"origins?|background|context|history|evolution|developments?|trends?|patterns?|outlook|prospects?|future|"
    r"challenges?|problems?|issues?|difficulties|obstacles|barriers?|dangers?|risks?|threats?|concerns?|worries|"
    r"fears|weaknesses|strengths|advantages|disadvantages|benefits?|drawbacks|opportunities|approach|approaches|"
    r"strategy|strategies|stance|attitudes?|views?|position|perspectives?|opinions?|perceptions?|beliefs?|"
    r"relationships?|relation|connection|link|interplay|interaction|mechanisms?|dynamics|process|principles?|"
    r"philosophy|vision|spirit|state|situation|evidence|debate|controversy|discussion|experiences?|case for|"
    r"case against|nature|legacy|mood|tone|sentiment|narrative|plot|recommendations|proposals)"
)

# What may follow a comparative that is said of something, not one that goes with a noun ("the larger rooms").
SAID: Final = (
    r"(?= *(?:$|[?.,:;!)(-]|(?:or|than|at|in|on|for|to|by|with|when|if|of|from|under|over|according|since|after|"
    r"now|and|as|per|during|between|among|about|against|out|off|today|then|that|this|off|here|like|now)\b))"
)

# --- phrases that only look like a contrast -------------------------------------------------------

# They are blanked out before the comparison rules look.
DECEPTIVE: Final[tuple[str, ...]] = (
    r"\b(?:graph|plot|plotted|chart|curve|axis|diagram|figure|table)\b.{0,25}?\bversus\b|\ba difference of\b",
    r"\b(?:term|word|phrase|column|heading|label) differences?\b|\bdifference (?:called|defined|labelled|named)\b",
    r"\bagreed? (?:to|upon)\b|\b(?:the|an|was|were|is|as|been|by|date|price|sum) agreed\b|\bagree to\b",
    r"\b(?:devices?|cables?|adapters?|software|phones?|browsers?|printers?|systems?)\b.{0,40}?compatible\b|"
    r"\bcompatible (?=with (?:the )?(?:devices?|windows|mac|android))",
    r"\b(?:what|which)(?: [\w-]+){0,3} (?:is|was|were|are)(?: \w+)? compared\b|\bthat [\w ]{1,30}(?:are|is|were|"
    r"was) compared\b",
    r"\bor equivalent\b|\b(?:was|were|is|being|been) opposed\b(?!\.)(?= ?\?)|\bhow (?:large|wide|big|long)"
    r" is the (?:gap|difference)\b",
    r"\bno (?:later|earlier|sooner|more|less|fewer|longer|shorter|higher|lower|older|younger|larger|bigger|"
    r"greater|smaller|worse|better|closer|nearer|further) than\b",
    rf"\b{DEGREE}(?: \w+){{0,2}} than (?:about |around |roughly |just )?(?:[\d$€£]\S*|usual|normal|average|ever|"
    rf"expected|planned|"
    r"necessary|needed|required|once|half|just|anticipated|forecast|predicted|intended|hoped|thought|feared|"
    r"budgeted|first|a (?:third|quarter|dozen|hundred|thousand|million|day|week|month|year|decade|metre|meter|mile|"
    r"few|couple|fortnight|little|single)|an hour|one|two|three|four|five|six|seven|eight|nine|ten|twelve|fifteen|"
    r"twenty|thirty|forty|fifty|sixty|ninety|it (?:should|looks|seems|needs|has)|meets|anything|anyone|anybody|"
    r"everyone|most people|you think)\b(?<!one)"
    rf"|\b{DEGREE}(?: \w+){{0,2}} than one\b(?! (?:of|in|from)\b)",
    r"\b(?:rather|other|else) than\b|\b(?:need|want|expect) more than\b|\b(?:greater|more|less|fewer)"
    r" than(?= or\b| signs?\b|$)|\bor less than\b",
    r"\bno (?:longer|more|fewer|less|sooner|better)\b",
    r"\bmore or less\b|\bmore and more\b|\bless and less\b|\bonce more\b|\bany ?more\b(?! .{1,40}? than\b)|"
    r"\bor more\b|\bor less\b|\bor fewer\b|\bor (?:older|younger|higher|lower|above|below|over|under|later|"
    r"earlier|better|worse|longer|larger|greater|smaller)\b",
    r"\b(?:tell|say|know|learn|read|hear|see|find|give|explain|need|want)(?: \w+){0,2} more\b(?= (?:on|about|of|"
    r"here|details?|information|in detail|please|from)\b|[?.,]|$)",
    r"(?:(?<=\bany )|(?<=\bsome )|(?<=\bone )|(?<=\btwo )|(?<=\bfor )|(?<=\bmany )|(?<=\bin ))"
    r"more\b(?! \w+(?: \w+)? than)|\bmore (?=(?:on|about|details?|information|info|recent|than once)\b)|"
    r"\bless is more\b|\bunderstand better\b",
    r"\b(?:better|further|fuller|deeper) (?:understand|understanding|picture|idea|sense|explanation|information|"
    r"details?|reading)\b",
    r"\b(?:what's|whats) more ?,|\bfurthermore\b|\bmoreover\b|\bnevertheless\b|\bdo better\b|\bhad better\b|"
    r"\bfor better or(?: for)? worse\b|\bget better\b|\bbetter known\b|\bthe better part of\b|\bbetter half\b",
    r"\b(?:higher|further) education\b|\b(?:lower|upper) (?:house|court|limit|bound|limb|back|case|deck)s?\b|"
    r"\bolder (?:people|adults|persons)\b|\b(?:elder|elderly|younger generation|greater london|wider public|"
    r"early riser)\b|\blong(?:er)?[- ]term\b|\bhigher[- ]order\b",
    r"\bcontrast (?:agent|medium|media|dye|ratio|enhance\w+|sensitivity|material|settings?)s?\b|\bcontrastive\b|"
    r"\b\w+ contrast in\b",
    r"\b(?:resolve|resolving|mediates?|mediate|mediating|settle[sd]?|handle[sd]?|manages?|reduces?|addresse?s?|"
    r"avoids?|cause[sd]?|cope with|deals? with|overcome|bridge|test(?:ed|s|ing)? for|used for|adjust(?:ed|ing)"
    r"? for|account(?:ed|s|ing)? for|control(?:led|ling)? for) (?:the |any |these |their |possible )?(?:\w+ )"
    r"?(?:conflicts?|differences?|tensions?|disagreements?|gaps?|disputes?|discrepancies)\b|"
    r"\bdifferences? between [\w' ]{1,40} (?:were|was|are|is|get|be) (?:handled|resolved|settled|measured|tested|"
    r"overcome|calculated|computed)\b|\b(?:rivalry|case|battle|match|fight|debate|trial|lawsuit|film|game|duel|"
    r"final) (?:of )?(?:[\w'-]+ ){1,3}(?:versus|vs)\b|\bversus \w+ (?:debate|question|match|trial|divide)\b",
    r"\bversus (?:mode|tournament)\b|\bversus (?=[\w' ]{1,30}\b(?:match|game|case|trial|appeal|fixture|litigation)"
    r"\b)|(?<=\bword )versus|(?<=\bof )versus|\b(?:city|state|people|crown|county) (?:of )?(?:\w+ )?versus\b|"
    r"(?<=\bor )\"?versus|(?<=\bmatch )versus|(?<=\bscore of )\w+ versus|\b(?:roe|brown|plessy|marbury|[a-z]+)"
    r" v(?:s|ersus)?\.? (?:wade|board|ferguson|madison|state|arizona)\b",
    r"\bcompar(?:e|ison|ative)[- ](?:files?|groups?|arms?|shop\w*|tool|sites?|websites?|operator|table|button|"
    r"dialog|function|literature|example|advantage|law|tables?|charts?|view|unit)s?\b|\bcompare-\w+\b",
    r"\b(?:mean|median|risk|potential|temperature|pressure|phase|time|voltage|absolute|hourly|least significant|"
    r"minimum detectable|standardi[sz]ed) difference\b|\b(?:average|price|rate|gender|net|annual|percentage)"
    r" difference\b(?! (?:between|in \w+ between))",
    r"\bdifferences? in (?:[\w'-]+ ){1,4}?(?=(?:recorded|reported|measured|assumed|found|observed|given|stated|"
    r"noted|drives?|causes?|makes?|makes|leads?|did|do|does|was|were|is)\b)|\bdifference (?:fund|payment|feminism|"
    r"principle|theory)\b|\b(?:pays?|refund(?:ed)?|keep|cover) the difference\b|\bdifference (?:is )?(?:refunded|"
    r"paid|owed)\b|\b(?:notion|concept|idea|philosophy) of difference\b",
    r"\b(?:used?|uses|using|chose|chosen|choose|employed|applied|designed|needed|required|tried|attempt\w*|method|"
    r"allow\w*|able) (?:[\w'-]+ )?to compare\b|\b(?:study|studies|report|trial|paper|research|chapter|page|figure|"
    r"survey|experiment|article|analysis|review|slide|thesis|section|author|researchers|they)(?: (?:that|which|"
    r"who))? compar(?:es?|ed|ing)\b(?! (?:with|to|against)\b)"
    r"|\b(?:carried out|conducted|performed|ran|did|find|used (?:for|in)|"
    r"took part in|part in|shows|has|for|is|made) the comparisons?\b|\bin which (?:[\w'-]+ ){1,4}?(?:are|is|were|"
    r"was) compared\b",
    r"\b(?:finite[- ]difference|difference (?:equation|engine|scheme|method|threshold|amplifier|score|map)|"
    r"make a difference|made a difference|makes a difference|made (?:all )?the difference|split the difference|"
    r"difference[- ]in[- ]differences?|(?:settle|resolve|settled|resolved|air|put aside) (?:their|the|our)"
    r"? ?differences|difference of opinion)\w*\b",
    r"\bsimilarity (?:threshold|score|metric|measure|search|matrix|function|index|join)s?\b|"
    r"\bthreshold of similarity\b|\bcosine similarity\b",
    r"\bconflicts? of interests?\b|\b(?:armed|violent|military|civil|ethnic|labou?r|family|conflict) conflicts?\b|"
    r"\bconflict (?:resolution|zone|minerals|prevention)\b",
    r"\bboth (?:parties|sides|spouses|parents|partners|hands|ends|eyes|feet|houses|chambers|directions|sexes|"
    r"genders|of them|of these)\b",
    r"\b(?:service|tenancy|lease|loan|purchase|sale|licen[cs]e|framework|trade|settlement|partnership|"
    r"shareholders?|user|confidentiality|employment|non-disclosure|level|collective|rental|supply|master|peace|"
    r"paris|the|this|an|free) agreements?\b",
    r"\bchange (?:management|control|requests?|orders?|logs?|of (?:control|address|name|ownership))\b|"
    r"\bclimate change\b|\bsea change\b",
    r"\b(?:statute of limitations?|limitation periods?)\b(?! .*\bthan\b)",
    r"\b(?:at|in|on|from|under|by|during|to|of) the same (?!way|manner|terms|direction|conclusion|lines)\w+\b|"
    r"\btheme parks?\b",
    r"\b(?:as|the) same (?:time|day|page|person|room|rate)\b|\bequal (?:pay|opportunit\w+|rights|treatment|"
    r"temperament)\b|\bsame[- ]sex\b",
    r"\bprior to\b|\bprefer(?:red|ential) (?:supplier|bidder|shares?|stock|name|term|treatment|method of|vendor|"
    r"contact)s?\b",
    r"\b(?:alternative|opposite|other) side\b|\bbenchmark (?:rate|interest)\b|\bunlike(?:ly|lihood)\b",
    r"\b(?:trade-?off) curve\b|\bmatch(?:es)? (?:played|report|day)\b|\bmatching (?:funds?|grants?|contributions?)"
    r"\b",
)

# --- courtesies in front of the request -----------------------------------------------------------

LEAD_INS: Final[tuple[str, ...]] = (
    r"(?:when it comes to|in terms of|as for|as regards|regarding|concerning|with regard to|with respect to)"
    r" [^,?.!]{1,80}, ",
    r"(?:dear|hi|hello|hey|ok|okay|so(?! what)|well|and|now|but|also|then|please|pls|plz|kindly|thanks|"
    r"quick question|question|poll|help|just)\b[ ,:!.-]*(?:assistant|there|all|team)?[ ,:!.-]*",
    r"(?:can|could|would|will) (?:you|u|anyone|anybody|someone|somebody)(?: guys)?(?: please| kindly| perhaps|"
    r" maybe)?(?: just)? (?=(?!say|like|rather|think|prefer|be)\w)",
    r"(?:i|we)(?:'d| would| want| need| am|'m| are|'re)?(?: just| really| also)? ?(?:like|love|want|need|trying|"
    r"looking|wish|have)?(?: you)? to (?:know|understand|learn|see|find out|hear|figure out|get)(?= (?:how|what|"
    r"why|which|whether|if|who|when|where))[ ,]*",
    r"(?:i|we) (?:need|want|would like|only need|just need)(?: you)? to (?=(?:summ|list|find|extract|compar|expl|"
    r"get|pull|contrast|know how))",
    r"(?:i am|i'm|we are|we're|i was|just)? ?(?:wondering|curious)(?: about| to know)?(?: if| whether)? ",
    r"(?:do|does|did) (?:you|u|anyone|anybody|we|they|people|ppl|fans)(?: guys| really| actually| seriously|"
    r" still)* (?:know|think|believe|agree|feel|reckon|say)(?: that| dat| if| whether)? ",
    r"(?:would|wouldn't|don't|do) (?:you|u|ya)(?: guys)? (?:say|agree|think)(?: that)? ",
    r"(?:is|was) it (?:true|right|correct|fair to say|the case|just me or)(?: that)? ",
    r"(?:tell|show|remind|inform|let) (?:me|us)(?: know)?(?= (?:what|which|who|when|where|why|how|whether|if)\b) ",
    r"(?:help me|help us) (?:to )?(?=\w)",
    r"(?:in|according to|based on|from|per|under|using|given|across|throughout|within|for|going by|judging by|"
    r"looking at|on) (?:[\w'.&()-]+ ){0,8}?[\w'.&()-]+, (?=(?:what|which|who|when|where|why|how|is|are|was|were|"
    r"do|does|did|has|have|can|list|name|give|find|summ|compare|explain))",
)

# "(list, what are, is there ...) the main", the way to a noun asked for
REQUEST: Final = (
    r"(?:(?:list|name|give(?: me)?|show(?: me)?|find|identify|describe|explain|summari[sz]e|outline|set out|"
    r"spell out|highlight|tell me|what are|what is|what's|whats|what|which|any|are there|is there|do you see|"
    r"point out)(?: [\w'-]+){0,4}? )?"
)
KEY: Final = r"(?:main|key|major|exact|precise|biggest|most important|substantive|real|essential|actual|chief)"

# A request begins with a question word, an auxiliary or an imperative.
QUESTION_WORD: Final = (
    r"(?:what|what's|whats|which|wich|witch|who|who's|whos|whom|whose|where|when|why|how|is|are|was|were|do|does|"
    r"did|has|have|had|can|could|will|would|should|may|must)"
)
