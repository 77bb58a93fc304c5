"""The English routing rules: word lists, then one table a step. Data only; `routing.py` applies it.

A rule is (intent, weight, reason in words, pattern). Patterns see the question folded: lower case, straight quotes,
single blanks. Weights: 1 a hint, 2-3 a usual sign, 4-5 a construction that hardly ever means something else, 6 and more
decides against the question's first word. HEAD rules count only where a request begins, courtesies removed.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from .records import IntentName
from .routing_words import (
    ATTRIBUTE,
    AUXILIARY,
    COMPARATIVE,
    DECEPTIVE,
    DEGREE,
    DOCS,
    KEY,
    LEAD_INS,
    MATTER,
    QUESTION_WORD,
    REQUEST,
    SAID,
    SUPERLATIVE,
    THAN,
    TWO,
    VALUE,
)

Row = tuple[IntentName, float, str, str]


@dataclass(frozen=True, slots=True)
class Tables:
    """One language's rules: how requests begin, deceptive phrases, courtesies, rules for the head and for anywhere."""

    asks: str
    deceptive: tuple[str, ...]
    lead_ins: tuple[str, ...]
    head: tuple[Row, ...]
    anywhere: tuple[Row, ...]


# --- rules that count where a request begins ------------------------------------------------------

# fmt: off
HEAD: Final[tuple[Row, ...]] = (
    # comparison
    ("comparison", 6, "asks to compare",
     r"(?:compare|contrast|differentiate|distinguish|juxtapose|benchmark|reconcile)\b"),
    ("comparison", 6, "asks for a comparison",
     r"(?:make|do|draw|write|give me|give|draft|produce|provide|create|prepare|show|build)?(?: me)?(?: an?| the|"
     r" some)?(?: \w+)? ?(?:comparisons?|side-by-side|contrasts?|juxtaposition)\b(?= (?:of|between|on|table|for))"),
    ("comparison", 5, "asks for differences or similarities",
     rf"{REQUEST}(?:the )?(?:{KEY} )?(?:differences|differen[st]es|similarities|distinctions|discrepanc(?:y|ies)|"
     rf"contradictions?|inconsistenc(?:y|ies)|disagreements?|commonalities|parallels|overlaps?|mismatch(?:es)?|"
     rf"divergences?|deviations?|trade-?offs?|similarity|distinction)\b(?! (?:threshold|score))"),
    ("comparison", 5, "asks for a difference",
     rf"{REQUEST}(?:the )?(?:{KEY} )?differen(?:ce|se)\b(?=(?: [\w'-]+){{0,5}}? (?:bet?w\w+n|between|from|among|"
     rf"across|of the two|and|,)\b| in (?:[\w'-]+ ){{1,5}}?(?:between|from|across|and)\b)"),
    ("comparison", 4.5, "sets one thing against another",
     r"(?:set|put|hold|measure|check|weigh|pit|place|stack|test|rate|rank|score)\b(?: [\w'-]+){1,8}? (?:against|"
     r"beside|next to|alongside|side by side|opposite|versus)\b"),
    ("comparison", 4.5, "asks for a ranking", r"rank\b"),
    ("comparison", 4, "opens by setting a comparison's other side",
     r"(?:compared|in comparison|relative|as opposed|in contrast|as against|measured against|next to|versus|"
     r"unlike|between)\b(?: (?:with|to))?"),
    ("comparison", 5, "asks which of several leads",
     rf"(?:which|whose|who of|who among|what (?:one )?of)(?: [\w'-]+){{0,7}}? (?:the )"
     rf"?{SUPERLATIVE}\b(?! (?:of all time|describes))"),
    ("comparison", 5, "asks which is more",
     rf"(?:which|who|whose|whos|who's|witch|wich|where)(?: [\w'-]+){{1,7}}? (?:the |a |any |even |much )"
     rf"?(?:(?:more|less) (?!than\b|of\b)\w+|{COMPARATIVE}{SAID})"),
    ("comparison", 2.5, "asks which, with a comparative",
     rf"(?:which|whose|witch|wich|where)(?: [\w'-]+){{0,6}}? {COMPARATIVE}\b"),
    ("comparison", 4, "asks who, with a comparative", rf"(?:who|whos|who's)(?: [\w'-]+){{0,6}}? {COMPARATIVE}\b"),
    ("comparison", 5, "asks which is the better",
     rf"which (?:one )?(?:is|was|are|were|has|have|had|offers?|gives?) (?:the |a )?{COMPARATIVE}\b"),
    ("comparison", 4, "asks whether the other does so too",
     r"(?:does|do|did|is|are|has|have|was|were) (?:the )?(?:second|other|others|latter|new|old|first|rest)"
     r"(?: one| ones| \w+)?\?"),
    ("comparison", 4.5, "asks who offers the most",
     rf"who (?:offers|gives|pays|charges|provides|has|have|had|scores?|scored|does|did|performs?|performed|"
     rf"promises|gets|got|makes|spends|does) (?:[\w'-]+ ){{0,4}}?{SUPERLATIVE}\b"),
    ("comparison", 2, "asks what is more",
     rf"(?:what|whats|what's)(?: (?!would\b|could\b|should\b|do\b|does\b|did\b)[\w'-]+){{0,2}}? (?:is |are |was |"
     rf"were |has |have |had )?(?:the |a |any |even |much |far )?{COMPARATIVE}\b(?! (?:\w+ )?(?:do|does|did|"
     rf"should|is|are|must)\b)"),
    ("comparison", 4, "asks which of several",
     r"(?:which|who|what)(?: one)? (?:of|among|out of|between) (?:the|these|those|them|our|my)? ?(?:two|both|"
     r"pair|options?|alternatives?|offers?|candidates?)\b"),
    ("comparison", 3.5, "asks whether something has become more or less",
     rf"{AUXILIARY}\b(?: [\w'-]+){{1,9}}? (?:any |even |much |far |become |became |got |gotten |grown )"
     rf"?{COMPARATIVE}{SAID}"),
    ("comparison", 3, "asks whether something is more or less",
     r"(?:is|are|was|were|has|have|do|does)\b(?: [\w'-]+){1,8}? (?:more|less) (?!than|of|information|details?|"
     r"time|money|people|documents?)\w+"),
    ("comparison", 4, "asks whether things are the same",
     rf"{AUXILIARY}\b(?: [\w'-]+){{1,12}}? (?:same|similar|equal|no different)\b"),
    ("comparison", 2.5, "asks whether one does as the other",
     rf"{AUXILIARY}\b(?: [\w'-]+){{1,14}}? (?:also|too|likewise|as well|still|otherwise)\b"),
    ("comparison", 4, "asks whose version",
     r"whose (?:version|account|estimates?|figures|view|plan|proposal|offer|terms|numbers|model|method|approach)"
     r"\bwhose (?:version|account|estimates?|figures|view|plan|proposal|offer|terms|numbers|model|method|"
     r"approach)\b"),
    ("comparison", 4.5, "asks for pros and cons",
     r"(?:what are |list |give me |give |weigh |discuss )?(?:the )?(?:pros and cons|advantages and disadvantages|"
     r"upsides and downsides)\b"),
    ("comparison", 4, "asks what changed",
     r"(?:what|which|how|how much|how far|where)(?: [\w'-]+){0,6}? (?:has |have |had |is |was |were |are |did |"
     r"does )?(?:(?!be |should |must )[\w'-]+ ){0,6}?(?<!be )(?:changed(?= *(?:$|[?.,:]|since|in|over|from|"
     r"between|after|for|during|by)\b|\?|$)|changes? (?=in\b|from|with|under|between|over|after|since|$)|altered|"
     r"amended|evolved|shifted|different)\b"),
    # extraction
    ("extraction", 3.5, "asks to list or take out",
     r"(?:list|name|extract|enumerate|itemi[sz]e|quote|cite|copy|count|collect|fetch|retrieve|locate|identify|"
     r"pull|get|find|look up|grab|dig (?:out|up)|pick out|note(?: down)?|write down|jot down|tabulate|read me|"
     r"show(?: me)?|supply|specify|state|fill in|highlight|flag|spot|search|point me to|go through|provide|"
     r"gather|compile|scan|mark|report|select|output|print|return|take out)\b"),
    ("extraction", 3, "asks to be given something",
     r"(?:give|tell|send|hand|get|need|want|i need|i want|i only need|i just need|i'm looking for|"
     r"i am looking for|looking for)(?: me| us)?(?: only| just)? (?:the|all|every|each|any|a list|my|its|their|"
     r"title|names?)\b"),
    ("extraction", 3.5, "asks for all of something", r"(?:all|every|each|any)(?: of)?(?: the)? (?!in all)\w+"),
    ("extraction", 4, "asks how many or how much",
     r"(?:how) (?:many|much|long|often|old|tall|big|large|high|low|far|deep|wide|heavy|fast|frequently|soon|late|"
     r"early|strong|hot|cold|wide|expensive|few)\b"),
    ("extraction", 5.5, "asks when",
     r"(?:(?:since|until|till|by|from) )?(?:when (?:did|was|were|is|are|does|do|will|must|can|should|has)|when|"
     r"whats the date|what's the date|what date|what time|what year|what day|which year|which date|which month|"
     r"what month)\b"),
    ("extraction", 9, "asks for what passes a mark, not which side does",
     rf"(?:what|which|who|whose|when|where|(?:at|under|in|for|to|by|from|on) (?:what|which|whom))"
     rf"\b(?!.{{0,160}}?\bor\b)(?! (?:[\w'-]+ )?(?:makes?|sets?|(?:is|are|was|were|'s)(?! (?:\w+ed|paid|sold|"
     rf"made|kept|held|built|sent)\b)|says?)\b(?! the\b))(?:.{{1,80}}?){DEGREE}\b(?: [\w'-]+){{0,3}}? than\b"),
    ("extraction", 6, "asks to find a value about a contrast",
     r"(?:find|give|state|show|tell|quote)(?: me| us)? the (?:[\w-]+ )?(?:number|statistics?|figures?|ratio|"
     r"count|percentage|share)\b"),
    ("extraction", 6, "asks who or what has the same",
     r"(?:who|where|when|what|which) (?!is\b|are\b|was\b|were\b)(?:[\w'-]+ ){1,8}?the same \w+ as\b"),
    ("extraction", 6, "asks whether something is mentioned",
     r"(?:is|are|was|were|does|do|did)\b(?: [\w'-]+){1,6}? (?:mention\w*|say anything|specify)\b"),
    ("extraction", 4.5, "asks whether something is named, needed or allowed",
     rf"{AUXILIARY}\b(?: [\w'-]+){{1,12}}? (?:named|listed|mentioned|stated|given|included|required|allowed|"
     rf"permitted|needed|covered|prohibited|banned|forbidden)\b(?= *[?.]*$)"),
    ("extraction", 6, "asks by how much",
     r"(?:by|at|to) (?:what|which) (?:percentage|rate|amount|margin|factor|share|number)\b"),
    ("extraction", 8, "asks where or who says something",
     r"(?:who|where|when|on which|in which|at which|how often)\b(?: (?!do\b|would\b|you\b|think\b|differ\w*\b)"
     r"[\w'-]+){0,6}? (?:says?|said|claims|claimed|states|stated|argue[sd]?|reported|reports? (?:that|on|a)|"
     r"mentions?|mentioned|explains?|describe[sd]?|notes|noted|(?:first|was the first to|once) noticed?|wrote|"
     r"writes|coined|voted|stating|saying|prefer(?:s|red)?|rated|recorded|observed|found that|warns?|warned)"
     r" (?!the most|the least)"),
    ("extraction", 6.5, "asks how many, whatever is compared",
     r"(?:how many|how often|what percentage|what share|what proportion|what fraction|what number) (?!more\b|"
     r"fewer\b|less\b|times (?:more|as|bigger|larger)\b|\w+ (?:taller|longer|bigger|heavier|older|faster|cheaper|"
     r"more)\b)"),
    ("extraction", 6, "asks for a value about a contrast",
     rf"(?:what|which|what is the|what was the|give me the|find the|quote the|give the|show the|locate the)"
     rf" (?:[\w-]+ ){{0,2}}?(?:p-value|test|tables?|figures?|page|section|paragraph|software|instrument|court|"
     rf"judge|exchange rate|ratio|surcharge|fee|name|dates?|year|unit|word|term|symbol|number|percentage|formula|"
     rf"equation|statistic|threshold|tool|column|row|sentence|passage|quotation|quote|line|footnote|caption|"
     rf"chart|graph|slide|docket|title)\b(?!.{{0,70}}?\b(?:{COMPARATIVE[3:-1]}|{SUPERLATIVE[3:-1]})\b(?! than))"),
    ("extraction", 5, "asks to find the place that says something",
     r"(?:find|quote|locate|show|give|list|name|cite|point to|copy)(?: me)? (?:the |all |every |each |any )"
     r"*(?:sentences?|passages?|pages?|places?|paragraphs?|clauses?|lines?|tables?|cases|people|persons|names?|"
     r"rooms?|items?|products?|staff|employees|patients|firms|companies|countries) (?:[\w'-]+ )?(?:that|which|"
     r"where|in which|who|whose|with|larger|older|of more)\b"),
    ("extraction", 4.5, "asks who did something",
     r"who (?!scored|choked|loved|improved|liked|performed|dominated)(?:\w+ed|wrote|won|made|took|gave|led|paid|"
     r"built|sold|bought|sent|ran|drew|chose|spoke|taught|began|found|held|signs?|owns?|runs?|pays for|approves?|"
     r"decides?|may|must|can|should)\b"),
    ("extraction", 3.5, "asks where", r"(?:where|where's|from where|to where)\b"),
    ("extraction", 3.5, "asks who", r"(?:(?:to|by|from|for|with|of) )?(?:who|whom|whose|who's|whos)\b"),
    ("extraction", 5, "asks for the place in the text",
     r"(?:(?:on|in|at|under|from) )?(?:which|what) (?:pages?|sections?|clauses?|articles?|paragraphs?|chapters?|"
     r"appendix|annex(?:es)?|tables?|figures?|lines?|sentences?|passages?|footnotes?|schedules?)"
     r"\b(?! (?:says? about|do|of the two)\b)(?! .{0,40}?\b(?:more|less|better|worse|harder|softer|stricter|"
     r"longer|shorter|clearer|tougher)\b)"),
    ("extraction", 3.5, "asks which value, by preposition",
     r"(?:at|in|on|under|within|by|for|to|from|after|before|during|with|through|above|below|over|against)"
     r" (?:what|which|how many|how much|how long|whom)\b(?! (?:ways?|extent|sense|respects?|degree|manner)\b)"),
    ("extraction", 4, "asks how something is defined",
     r"how (?:is|are|was|were|do|does|did) (?:[\w'-]+ ){1,7}?(?:defined?|abbreviated|spelled|spelt|called|"
     r"labelled|numbered|coded|pronounced)\b"),
    ("extraction", 4, "asks what is stated",
     r"(?:what|which) (?:[\w'-]+ ){1,9}?(?:cited?|cites|listed|lists?|named?|names|mentioned|mentions?|stated|"
     r"given|specified|specify|quoted?|reported|acknowledged?|set out|recorded|contain(?:s|ed)?|include[sd]?|"
     r"referenced|refer(?:s|red)? to|imposed|attached)\b(?! (?:by|for|as) why)"),
    ("extraction", 3, "asks what must or may be done", r"what (?:must|may|shall)\b"),
    ("synthesis", 3.8, "asks in what way",
     r"(?:in|to) (?:what|which) (?:ways?|extent|sense|respects?|degree|manner)\b"),
    ("extraction", 5, "asks for the wording of a place in the text",
     r"what (?:do|does|did|is in|are in|stands in) (?:the )?(?:(?:clause|section|article|paragraph|page|line|"
     r"footnote|schedule|annex|appendix|rule|item|table|figure|row|column|chapter) [\w.()]*\d|(?:first|last|"
     r"second|third|opening|final) (?:sentence|line|paragraph|clause))"),
    ("synthesis", 5, "asks what went wrong or where it comes from",
     r"where (?:did|does|do) (?:[\w'-]+ ){1,7}?(?:go (?:wrong|right)|come from|originate|fall short|fail|"
     r"break down|lead)\b"),
    ("synthesis", 3.5, "asks what is new",
     r"(?:what's|whats|what is|anything) (?:new|interesting|surprising|notable|noteworthy|useful|special|unusual|"
     r"striking|remarkable|important|at stake)\b"),
    ("synthesis", 3, "asks for advice", r"(?:should|shall|ought) (?:i|we|one|they)\b"),
    ("synthesis", 3.5, "asks for a judgement",
     r"(?:is|are|was|were|does|do) (?:[\w'-]+ ){1,8}?(?:convincing|credible|plausible|persuasive|trustworthy|"
     r"worthwhile|worth it|justified|a success|successful|feasible|viable|a good (?:idea|investment|choice)|"
     r"make sense|hold water)\b"),
    ("synthesis", 6, "asks what is meant", r"what (?:is|are|was) (?:meant by|it (?:that|about|like))\b"),
    ("synthesis", 6, "asks what difference something made",
     r"(?:what|explain (?:the|what)) difference (?:did|does|do|would|will|could|it|this|that)"
     r"\b(?! .{0,60}(?:assume|report|measure|record|find|observe|charge|allow|pay))"),
    ("synthesis", 2.5, "asks what did something", r"what \w{3,}ed\b"),
    ("synthesis", 6.5, "asks why more or fewer do something", r"why (?:do|did) (?:so )?(?:more|fewer|many|few)\b"),
    ("synthesis", 4.5, "asks where something is going",
     r"(?:where|what) (?:is|are|does|do|lies|comes)\b(?: [\w'-]+){0,6}? ?(?:heading|going|headed|ahead|next|"
     r"stand(?! for))\b"),
    ("extraction", 2.5, "asks which", r"(?:which|whose|wich|witch)\b"),
    ("extraction", 3.5, "asks for a value or a list",
     rf"(?:what's|whats|what is|what are|what was|what were|what|which)(?! (?:do|does|did|can|could|would|should|"
     rf"will|might|must|makes?|drives?|explains?)\b)(?: (?!behind\b|about\b|of\b|for\b|with\b|in\b|on\b|by\b|"
     rf"from\b|to\b|between\b|under\b|and\b|that\b)[\w'-]+){{0,5}}? {ATTRIBUTE}\b"),
    ("extraction", 1.5, "asks what something is",
     r"(?:what's|whats|what is|what was|what are|what were|which is|which are)\b"),
    ("extraction", 1.6, "asks what, by a noun",
     rf"what(?: else| more)?(?! {AUXILIARY}\b)(?! (?:about|if|makes?|for|next|explains?|drives?|happen\w*)\b) \w+"),
    ("extraction", 3.5, "asks what something costs, weighs or is called",
     r"(?:what|how) (?:do|does|did|will|would|is|are|was|were)(?: [\w'-]+){1,7}? (?:cost|costs|weigh|earn|"
     r"measure|pay|charge|called|named|stand for|set at|use|used|require|required|need|owe|amount to|located|"
     r"based|made of|priced at|dated|recommended for)\b"),
    ("synthesis", 2, "asks what, by a verb", r"what (?:do|does|did|can|could|would|should|will|might)\b"),
    ("synthesis", 4, "asks what it is about", r"what(?:'s| is| are| was| were)?\b(?: [\w'_\"-]+){0,6}? about\b"),
    ("extraction", 2.5, "asks yes or no", rf"{AUXILIARY}\b"),
    ("extraction", 3.5, "asks whether something is mentioned",
     r"(?:is|are|was|were|does|do|did) (?:there|it|they|the|any|this|that)(?: [\w'-]+){0,6}? (?:mention\w*|"
     r"say anything|specif\w+|state[sd]?|define[sd]?|include[sd]?|contain\w*|list(?:ed|s)?|refer\w*)\b"),
    ("extraction", 3, "names a value and no verb",
     rf"(?:the |our |my )?(?:(?!and\b|of\b|in\b)[\w'/.-]+ ){{0,4}}?{VALUE}(?: (?:of|for|in|on|at|from|to|per|by|"
     rf"and|stated|given|set|written|listed|paid|used|mentioned|quoted)\b|[?.:]*$)"),
    ("extraction", 3.5, "asks for a table",
     r"(?:turn|put|arrange|make|build|create|draw up|give me)(?: [\w'-]+){0,8}? (?:into |in |as )?(?:an? )"
     r"?(?:tables?|lists?|spreadsheet|csv|checklist|bullet(?:s| points)?|inventory|glossary)\b"),
    # synthesis
    ("synthesis", 4, "asks to summarise",
     r"(?:summ?ari[sz]e|summary|summaries|summarise|sum up|sumup|recap|synthesi[sz]e|condense|distil+|abstract|"
     r"overview|outline|digest|tl;?dr|boil down|paraphrase|gist|in (?:a nutshell|short|brief|essence))\b"),
    ("synthesis", 4, "asks for an account",
     r"(?:explain|describe|discuss|interpret|elaborate|walk (?:me|us) through|talk (?:me|us) through|"
     r"take me through|brief (?:me|us)|teach me|analy[sz]e|assess|evaluate|critique|review|comment on|reflect on|"
     r"sketch|trace|characteri[sz]e|clarify|illustrate|examine|explore|unpack|make sense of|weave|tie (?:all|"
     r"this|it|these|everything|together)|bring together|pull together|piece together|connect the dots|"
     r"reconstruct|narrate|tell (?:me|us) about|tell (?:me|us) (?:something|everything|more) about|tell (?:me )"
     r"?the story|help me understand|understand|more (?:on|about)|more details? (?:on|about)|what about|"
     r"introduce|break down|draw together|update me|fill me in|catch me up|bring me up to speed)\b"),
    ("synthesis", 3.5, "asks for a text to be written",
     r"(?:write|draft|compose|build|craft|create|prepare|produce|put|turn|provide|give(?: me| us)?|make)(?: me|"
     r" us)? (?:together )?(?:an?|the|this|these|all|some|one)?(?: [\w'-]+){0,5}? (?:summary|overview|abstract|"
     r"essay|paragraph|narrative|story|report|briefing|brief|memo|synopsis|review|introduction|account|picture|"
     r"description|explanation|background|analysis|discussion|context|understanding|feel|sense|insight|idea|"
     r"sentences|words|explanation|gist|outline|digest|recap|synthesis|run-?down|key points|main points|"
     r"highlights|main ideas|take-?aways|key ideas)\b"),
    ("synthesis", 6.5, "asks how something came about",
     r"(?:explain |describe |tell me )?(?:(?:why|how come) (?:did|was|were|had|has|have)\b|what(?: \w+)"
     r"? (?:explains?|accounts? for|led to|lies behind)\b|how (?:do|does|did) (?:[\w'-]+ ){1,4}?(?:account for|"
     r"explain|justify|come to|manage|come)\b|how is it (?:possible )?that\b|(?:explain |describe )"
     r"?how (?:[\w'-]+ ){1,4}?(?:came|comes) (?:to|about)\b)"),
    ("synthesis", 4, "asks why",
     r"(?:why|y|how come|what made|what makes|for what reasons?|what(?: are| is| were| was)? the reasons?|"
     r"what explains|what accounts for)\b"),
    ("synthesis", 3, "asks how",
     r"how(?!ever)(?:'s)?\b(?! (?:many|much|long|often|old|tall|big|large|high|low|far|deep|wide|heavy|fast|"
     r"frequently|soon|late|early|few|expensive|hot|cold)\b)"),
    ("synthesis", 3.5, "asks for ideas, causes, risks or meaning",
     rf"(?:what|what's|whats|what is|what are|what was|what were|which|are there|is there)(?: [\w'-]+)"
     rf"{{0,4}}? {MATTER}\b"),
    ("synthesis", 4.5, "asks for a matter outright",
     rf"(?:what|which)(?: \w+)? {MATTER}\b(?! (?:\w+ ){{0,6}}?(?:listed?|lists|named?|cited|mentioned|stated))"),
    ("synthesis", 3.5, "asks for key or main points",
     r"(?:the |some |any |what are |what is |what were )?(?:the )?(?:key|main|central|major|big|overall|core|"
     r"principal|overarching|recurring|common|broad|general|most important) (?:take-?aways?|points?|ideas?|"
     r"themes?|message|messages|arguments?|findings?|insights?|lessons?|conclusions?|picture|story|topics?|"
     r"issues?|trends?|threads?|outline|risks?|challenges?|thrust)\b"),
    ("synthesis", 4, "asks what the sources say or know",
     r"what (?:do|does|did|can|could|should|would|might|is|are|has|have)(?: [\w'.()-]+){1,7}? (?:say|says|think|"
     r"suggest|know|known|learn|learned|learnt|tell|teach|argue|believe|reveal|conclude|understand|imply|mean|"
     r"happen|show|advise|recommend|make of|see|expect|getting at|trying to|hope|fear|care|take away|look like|"
     r"feel|envisage|infer|said|consider|keep in mind|watch out|look out|be said|be learned|be learnt|be drawn|"
     r"be concluded|understood|going on)\b"),
    ("synthesis", 4, "asks what happened or follows",
     r"(?:what's|whats|what is|what was|what)(?: \w+)? (?:happen(?:s|ed|ing)?|going on|went (?:wrong|on|right|"
     r"well)|led|leads|caused|causes|drove|drives|follows|lies behind|is behind|was behind|behind|like|it like|"
     r"emerges|triggered|shaped|shapes|motivated|prompted|sparked|brought|pushed|this about|all this|it all|"
     r"at stake|works|matters|explains|can we learn)\b"),
    ("synthesis", 4, "asks what it means",
     r"(?:so what|what does (?:this|that|it|all this)(?: all)? mean|what are we to make|what should (?:i|we|you)|"
     r"what to make|now what|what next|thoughts|any (?:thoughts|insights))\b"),
    ("synthesis", 3, "names a matter and no verb",
     rf"(?:the |some |its |their )?(?:[\w'-]+ ){{0,2}}?(?<!boiling )(?<!melting )(?<!freezing )(?<!data )"
     rf"{MATTER}(?: (?:of|for|in|on|behind|to|from|about|with)\b|[?.:]*$)"),
)

# --- rules that count anywhere --------------------------------------------------------------------

ANYWHERE: Final[tuple[Row, ...]] = (
    # comparison
    ("comparison", 5, "holds a comparative with than",
     rf"\b(?:{DEGREE}|comparable)\b(?:[ ,]+(?!than\b)[\w'&*.()/-]+){{0,7}}?[ ,]*(?:\) )?{THAN}\b"),
    ("comparison", 5, "asks which of two alternatives is more",
     rf"\b{COMPARATIVE}\b(?=.{{0,160}}?\bor\b)|\bor\b(?=.{{0,120}}?\b{COMPARATIVE}\b)"),
    ("comparison", 4.5, "sets two sides against each other (versus)", r"\b(?:vs|versus|v/s|v\.s)\b|\bv / s\b"),
    ("comparison", 4.5, "speaks of differences or similarities between things",
     rf"\b(?:differences?|similarit(?:y|ies)|distinctions?|discrepanc(?:y|ies)|contrasts?|comparisons?|"
     rf"contradictions?|inconsistenc(?:y|ies)|divide|disagreements?|parallels?|overlaps?|trade-?offs?|"
     rf"commonalit(?:y|ies)|mismatch(?:es)?)(?: \w+){{0,3}}? (?:between|among|amongst|across|draws?|drawn)\b|"
     rf"\b(?:differences?|similarities|contrasts?|discrepancies|comparisons?) (?:\w+ ){{0,3}}?(?:of|in|from|to)"
     rf" (?:\w+ ){{0,3}}?{TWO}\b|\b(?:is|are) there (?:an? |any |some )?(?:\w+ )?(?:conflicts?|gaps?|tensions?)"
     rf"\b|\bconflicts? between (?:[\w'-]+ ){{0,5}}?(?:{DOCS}|clauses?|sections?|rules?|laws?|provisions?|"
     rf"statements?|accounts?|figures?|findings?|claims?)\b"),
    ("comparison", 2.5, "speaks of differences",
     r"\b(?:differences|similarities|dissimilarities|discrepanc(?:y|ies)|contradictions?|inconsistenc(?:y|ies)|"
     r"mismatch(?:es)?|disagreements?|commonalities|divergences?)\b"),
    ("comparison", 4.5, "asks how things differ",
     r"\b(?:differ|differs|differed|differing|differently|far apart|parts? ways|at cross purposes|collides?|"
     r"runs? counter to|in the face of|takes? issue with|challenges? the (?:findings?|claims?|view|conclusions?|"
     r"results?|idea|position|account)|disputes? (?:the|what)|in tension|unanimous|an improvement (?:on|over)|"
     r"relates? to (?:that|those|the one|each)|(?:takes?|took|taken|left|cut) out of the (?:second|new|revised|"
     r"latest)|distinct from|disparit(?:y|ies)|var(?:y|ies|ied) (?:across|between|by|from|among|with|depending)|"
     r"vary\b(?=\?|$)|poles apart|daylight between|tell .{1,40} from |conflicts? with|side by side|diverges?|"
     r"diverged|disagrees?|disagreed|contradicts?|contradicted|contradictory|deviates?|departs? from|clash(?:es)"
     r"?|conflict with|(?:is|are|do|does|any|be) (?:\w+ ){0,4}?conflict(?:ing)?|at odds|at variance|"
     r"irreconcilable|incompatible|inconsistent|part company|break with|breaks with|opposite directions|"
     r"opposed to each other|opposing (?:views|sides|conclusions)|at loggerheads|cannot both|can't both|"
     r"overturns?|refutes?|rebuts?|undercuts?|undermines? (?:paper|the claim))\b"),
    ("comparison", 4.5, "asks how things are told apart",
     r"\b(?:different(?:ly)? (?:from|than|to)|any different|sets? (?:[\w'-]+ ){1,6}?apart|apart from each other|"
     r"tell (?:[\w'-]+ ){1,5}?apart|distinguish(?:es|ed)?|differentiates?|departs from|contrasting|leaves? out)\b"),
    ("comparison", 5, "asks how things compare",
     r"\b(?:how|do|does|did)\b(?: [\w'()-]+){0,10}? (?:compare|stack up|measure up|hold up against|line up|"
     r"square with|fare against|relate to each other|differ|diverge|contrast|match up|shape up|rate against)\b|"
     r"\bcompares? (?:with|to|on|against|in terms|favou?rably)\b|\bhow [\w' -]{1,60} compares?\b"),
    ("comparison", 4, "asks to compare, further on",
     r"(?:\b(?:and|then|to|please|you|,|-|:) )(?:compare|contrast|differentiate|distinguish)\b|\bcontrast(?:ed|s|"
     r"ing)?(?= (?:the|with|to|against))\b|\bin comparison\b"),
    ("comparison", 4, "measures one thing by another",
     r"\b(?:compared|as compared|comparing|in contrast|relative|in relation|as opposed|by contrast|in comparison|"
     r"vis-?(?:a|à)-?vis|as against|set against|measured against|judged against|up against|against each other|"
     r"against one another|stacked? up|benchmarked? against|over and above)\b"),
    ("comparison", 4, "asks whether things are the same",
     r"\b(?:the|a|any|just|exactly|much) same\b(?=.{0,80}?\b(?:as|for|in both|across|between|in the|way|thing|"
     r"story|ground|conclusions?|results?|definitions?|answer|view)\b)|\b(?:alike|identical|identically|"
     r"equivalent|interchangeable|on a par|on par|tantamount|indistinguishable|similarly|comparable|equally)\b|"
     r"\bsimilar\b(?=.{0,60}?\b(?:to|in|are|is|both|two)\b)|\bhow similar\b|\bsame\b(?=.{0,40}?\bas\b)|"
     r"\b(?<!such )as (?!well\b|soon\b|long as\b|far\b|much as possible|many as|possible|part\b|a\b|an\b|the\b|"
     r"it\b|of\b|to\b|at\b|in\b|for\b|we\b|they\b|i\b|he\b|she\b|you\b|is\b|was\b|are\b|were\b|result)"
     r"\w+ (?:[\w'-]+ ){0,5}?as\b(?! (?:possible|well|follows|soon|\d|needed|necessary|required|of|a (?:rule|"
     r"result|whole)))"),
    ("comparison", 4, "asks what is shared",
     r"\bin common\b|\bcommon ground\b|\bshared by\b|\bhave in common\b|\bcommon to (?:both|all)\b|\b(?:do|does|"
     r"did) (?:[\w'-]+ ){1,10}?share\b(?=\?|$)|\bjointly held\b|\bsee eye to eye\b|\bof one mind\b|"
     r"\bconsensus (?:among|between|across)\b"),
    ("comparison", 4, "asks whether sources agree",
     r"\b(?:agree|agrees|agreed|concurs?|in agreement|corroborates?|corroborated|confirm each other|back up|"
     r"backs up|bear out|bears out|tall(?:y|ies)|consistent (?:with|across|between|in)|in line with|in step with|"
     r"aligned? with|aligns? with|square with|accord with|reconcil(?:e|es|ed|able)|compatible|converges?|"
     r"coincides?|mirrors?|resembles?|corresponds? (?:to|with)|akin to|in harmony with|on the same page|"
     r"agreement between|same page|confirms? (?:the|what|each)|replicates?|supports? (?:the )?(?:other|each|what|"
     r"claim|conclusion)|match(?:es)? (?:the|what|up|those|that|with|each)|(?:do|does|did) (?:[\w'-]+ )"
     r"{1,10}?(?:match|tally|coincide|correspond|fit with)|consistent (?:story|picture|account|line|view)|"
     r"conflicting (?:accounts|views|stories|claims)|line up|lines up|dovetail|go hand in hand|fit together|"
     r"echo(?:es)?|side with)\b"),
    ("comparison", 4, "asks what beats what",
     r"\b(?:outperform(?:s|ed)?|outscores?|outweighs?|outlast|outlives?|exceeds?|surpass(?:es)?|supersed(?:e|es|"
     r"ing)|overtakes?|trumps?|(?:does|do|did|can|could|will) (?:[\w'-]+ ){1,6}?beat|outranks?|outdoes|outdo|"
     r"does better|comes? out (?:ahead|on top|better|worse)|comes? off (?:better|worse)|fares?(?= (?:under|with|"
     r"in) each)|under each of|keeps? pace with|catch(?:es)? up with|ahead of|superior to|inferior to|preferable|"
     r"prefers?|lags? behind|fall short of|falls? short of|take precedence|takes precedence|prevails? over|"
     r"wins? out|(?:advantages?|benefits?|merits?|gains?|edge) (?:[\w'-]+ ){0,4}?over|edge over|worth more|"
     r"favou?rs? (?:the|whom|which)|stricter|harsher|laxer)\b"),
    ("comparison", 3.5, "asks what changed over time",
     r"\b(?:chang(?:e|es|ed|ing)|shift(?:s|ed)?|evolv(?:e|es|ed|ing)|alter(?:s|ed)?|amend(?:s|ed)?|improv(?:e|es|"
     r"ed)|worsen(?:s|ed)?|deteriorat(?:e|es|ed)|gr[eo]wn?|shr[aiu]nk|rise|risen|rose|fell|fallen|fall|"
     r"increase[ds]?|decrease[ds]?|declined?|lowered|raised|tightened|loosened|relaxed|revised|modified|updated|"
     r"dropped|added|removed|kept|keep)\b(?: [\w'-]+){0,7}? (?:since|from (?:one|the (?:previous|original|first|"
     r"old|earlier|draft))|between|compared|over the (?:previous|last|march|old)|versus|after|in the (?:newer?|"
     r"latest|revised|updated|second|later)|to the next)\b"),
    ("comparison", 3, "sets an earlier state beside a later one",
     r"\b(?:before and after|then and now|from one (?:[\w-]+ )?to (?:the next|the other|another)|(?:from|moving|"
     r"switching) (?:the )?(?:first|old|previous|initial|draft|plan|version|revision|option|model|paper|round)"
     r" (?:[\w'-]+ )?to (?:the )?[\w'-]+|between the (?:old|first|draft|original|previous|two)|(?:old|previous|"
     r"former|earlier|original) (?:[\w-]+ )?(?:and|versus|to) (?:the )?(?:new|current|later|revised)|(?:new|"
     r"revised|current|latest|june|second) (?:[\w-]+ ){1,5}?(?:over|against|from) the (?:old|previous|original|"
     r"march|first|earlier)|year on year|year-on-year|since (?:the )?(?:last|previous|baseline|\d{4}|january|"
     r"february|march|april|may|june|july|august|september|october|november|december))\b"),
    ("comparison", 3.5, "asks which of two",
     r"\b(?:which|who|whose|where)(?: [\w'-]+){0,8}?:? .{0,80}?\bor\b(?! (?:not|so|more|less|by|on|in|at|when|if|"
     r"any)\b)"),
    ("comparison", 4.5, "names two things and asks which",
     r"^[\w' .&-]{1,40} or [\w' .&-]{1,40}[,:?-]+ *(?:which|who|what|witch)\b"),
    ("comparison", 2.2, "offers alternatives",
     r"\b(?:in|by|on|of|is it|is) the \w+ or (?:in|by|on|of)? ?the \w+|\b(?:either|whether) [\w' -]{1,60} or\b|"
     r"^(?!is\b|are\b|do\b|does\b|did\b|can\b|what\b|how\b|why\b|when\b|list\b|any\b|all\b|where\b)"
     r"[\w' .&-]{1,40} or [\w' .&-]{1,60}(?:\?+$|[,:-])|\b(?:grow or shrink|rise or fall|up or down|pick up or|"
     r"widen or|narrow or|expand or|gain or|improve or|more or fewer|increase or decrease|better or worse|"
     r"go up or go down)\b"),
    ("comparison", 4, "asks whether something has changed",
     r"\b(?:has|have|had)\b (?:(?!been\b|to\b)[\w'-]+ ){1,9}?(?:improved|worsened|grown|risen|fallen|increased|"
     r"decreased|declined|shrunk|dropped|shifted|evolved|changed|become|got|gotten|deteriorated|tightened|"
     r"loosened|softened|hardened|moved on|gone (?:up|down)|advanced|caught up)\b(?= *(?:$|[?.,:]|(?:since|in|"
     r"over|from|between|after|for|during|compared|as|with|at|across|again|and|or|by)\b))|\b(?:has|have)"
     r" (?:[\w'-]+ ){1,6}?been (?:lowered|raised|tightened|loosened|relaxed|reduced|increased|extended|shortened|"
     r"dropped|added|changed|revised|cut|weakened|strengthened|softened|toned down|watered down)\b"),
    ("comparison", 4, "asks whether a measure went up or down",
     r"\b(?:grow or shrink|rise or fall|up or down|pick up or|widen or|narrow or|expand or|gain or|improve or|"
     r"more or fewer|increase or decrease|better or worse|go up or go down)\b"),
    ("comparison", 1, "speaks of two sides",
     r"\b(?:both|the two|these two|the pair|each other|one another|either of)\b"),
    ("comparison", 3, "sets old beside new",
     r"\b(?:old|previous|earlier|former|original|predecessor)\b(?!-).{1,70}?\b(?:new|newer|current|revised|"
     r"latest|present)\b|\b(?:new|newer|current|revised|latest)\b.{1,70}?\b(?:old|older|previous|former|original|"
     r"predecessor)\b"),
    ("comparison", 6, "asks what one has and the other has not",
     r"\bthat (?:the )?(?:[\w'-]+ ){1,5}?(?:does not|doesn't|do not|don't|did not|didn't|lacks?|misses|"
     r"leaves out|omits|were absent|was absent|are absent)\b|\bbut not (?:in|by|for)\b|\bunique to\b|\b(?:only|"
     r"exclusively) (?:in|found in) (?:one|the (?:first|second|new|old))\b|\bone\b.{1,60}\bthe other\b|\b(?:go|"
     r"goes|went) (?:further|beyond)\b|\bstops? short of\b|\b(?:diff|redline|delta) (?:of|between)\b|\b(?:check|"
     r"hold|measure|weigh|put|set|test|pit)(?:ed)? .{1,80} (?:against|beside|alongside|next to)\b"),
    ("comparison", 4, "asks for an order",
     rf"\bfrom (?:the )?{SUPERLATIVE} to\b|\bin order of\b|\b(?!most\b|least\b){SUPERLATIVE} (?:(?:option|offer|"
     rf"choice|deal|bid|plan|value|candidate|one|quote) )?(?:of|among|amongst|out of|between) (?:the|these|those|"
     rf"them|our|all)\b"),
    ("comparison", 2.5, "speaks of change over time or across cases",
     r"\bover (?:time|the years)\b|\bacross (?:the )?(?:editions|versions|years|countries|regions|drafts)\b|"
     r"\bfrom (?:19|20)\d\d to\b|\bone another\b|\beach other\b|\band (?:what|how) (?:do|does|did) (?:the )"
     r"?(?:\w+ )?(?:other|second|new|old|latter)\b"),
    ("comparison", 3.5, "asks what one has and the other lacks",
     r"\b(?:absent (?:in|from)|missing from|not in the other|lacking in|left out of|leaves? out|omits?)\b"),
    ("comparison", 4, "asks whose side something favours",
     r"\bwhose (?:[\w'-]+ ){1,6}?(?:favou?rs?|suits?|helps?|serves?|protects?|benefits?)\b|\bwhich (?:[\w'-]+ )"
     r"{0,5}?(?:favou?rs?|suits|protects|is kinder to)\b"),
    ("comparison", 1.5, "speaks of several documents' own ways",
     rf"\b(?:how|where) (?:the |these )?(?:different|various|two|three|four|both|each of the) {DOCS}\b"),
    ("comparison", 3, "names the contrast",
     r"\b(?:unlike|whereas|by contrast|on the other hand|as opposed to|instead of the other|"
     r"on which .{3,60} (?:opposed|disagree\w*|differ\w*))\b"),
    ("comparison", 1, "holds a comparative", rf"\b{COMPARATIVE}\b"),
    ("comparison", 4.5, "asks what a newer text changes",
     r"\bwhat (?:[\w'-]+ ){1,8}?(?:alter(?:s|ed)?|change[sd]?|amend(?:s|ed)?|replace[sd]?|modif(?:y|ies|ied)|"
     r"drop(?:s|ped)?|add(?:s|ed)?|remove[sd]?|keep|kept|strikes? out|throw out)\b (?:[\w'-]+ ){0,4}?(?:from|in|"
     r"to|of) (?:the )?(?:original|old|previous|first|earlier|one|last|draft|former)\b|\bnew in (?:[\w'-]+ )"
     r"{1,9}?(?:over|against|since|compared|relative)\b"),
    ("comparison", 1.5, "asks for pros and cons",
     r"\b(?:pros and cons|strengths and weaknesses|advantages and disadvantages)\b"),
    # extraction
    ("extraction", 5, "asks for the wording",
     r"\b(?:word for word|verbatim|exact(?:ly)? (?:sentence|wording|words|quote|text|phrase)|yes or no|"
     r"nothing else|just the (?:number|figure|date|name)s?|in one word|with page numbers?)\b"),
    ("extraction", 1.5, "speaks of assumptions, limits or duties",
     r"\b(?:assumptions?|limitations?|caveats?|definitions?|obligations?|requirements?|exclusions?|exceptions?|"
     r"prerequisites)\b"),
    ("extraction", 1.5, "speaks of mentions",
     r"\b(?:any mention|mentions? of|references? to|mentioned|occurrences?|every time|each passage|"
     r"passages? (?:about|on|where)|all (?:the )?(?:names|numbers|dates|passages|places|mentions|figures|values|"
     r"amounts))\b"),
    ("extraction", 2, "gives the unit of the value",
     r"\bin (?:degrees|pounds|euros|dollars|eur|usd|gbp|percent|kg|days|months|years|hours|metres|meters|mm|km|"
     r"watts|volts|litres|tonnes)\b|\bper (?:day|hour|month|year|person|unit)\b"),
    ("extraction", 1.5, "asks for a value further on",
     rf"[:,-] (?:the )?(?:[\w'-]+ ){{0,3}}?{ATTRIBUTE}(?: (?:for|of|in|and)\b.{{0,40}})?[?.]*$"),
    # synthesis
    ("synthesis", 1.5, "speaks of a summary",
     r"\b(?:summar(?:y|ise|ize|ies)|overview|big picture|nutshell|in (?:plain|simple|normal|everyday) (?:words|"
     r"english|language|terms)|for (?:a|an|someone|somebody|my|ten|people) (?:[\w-]+ ){0,3}?(?:layman|layperson|"
     r"beginner|child|non-\w+|ten|student|old|who)|eli5|state of (?:play|the art)|taken together|as a whole|"
     r"overall|in general|coherent)\b"),
    ("synthesis", 1.5, "speaks of themes, risks, causes or meaning",
     r"\b(?:themes?|main ideas?|key points?|takeaways?|lessons?|risks?|implications?|challenges|consequences|"
     r"impact of|root cause|story behind|lies behind|reasons? (?:for|why|behind)|what went wrong|what is known)\b"),
    ("synthesis", 1.5, "asks why, further on",
     r"\b(?:and|or|but|,|exactly|me|explain|know|understand) (?:why|how come)\b"),
)
# fmt: on


ENGLISH: Final = Tables(
    asks=rf"(?:(?:at|in|on|under|by|for|to|from|within) )?{QUESTION_WORD}\b|(?:compare|contrast|list|name|give|find|"
    rf"show|tell|explain|"
    r"describe|summ?ari[sz]e|extract|pull|get|identify|quote|locate|set|put|write|draft|make|note|outline|discuss|"
    r"rank|count|provide|brief|walk|turn|state|interpret|go through|read me|flag)\b",
    deceptive=DECEPTIVE,
    lead_ins=LEAD_INS,
    head=HEAD,
    anywhere=ANYWHERE,
)
