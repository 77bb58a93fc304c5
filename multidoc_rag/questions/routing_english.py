"""The English routing rules: word lists, then one table a step. Data only; `routing.py` applies it.

A rule is (intent, weight, reason in words, pattern). Patterns see the question folded: lower case, straight quotes,
single blanks. Weights: 1 a hint, 2-3 a usual sign, 4-5 a construction that hardly ever means something else, 6 and more
decides against the question's first word. HEAD rules count only where a request begins, courtesies removed.
"""

from __future__ import annotations

from typing import Final

from multidoc_rag.questions.routing_english_anywhere import ANYWHERE
from multidoc_rag.questions.routing_words import (
    ATTRIBUTE,
    AUXILIARY,
    COMPARATIVE,
    DECEPTIVE,
    DEGREE,
    KEY,
    LEAD_INS,
    MATTER,
    QUESTION_WORD,
    REQUEST,
    SAID,
    SUPERLATIVE,
    VALUE,
    Row,
    Tables,
)

# --- rules that count where a request begins ------------------------------------------------------

# fmt: off
HEAD: Final[tuple[Row, ...]] = (
    # comparison
    ("comparison", 6, "asks to compare",
     r"(?:compare|contrast|differentiate|distinguish|juxtapose|benchmark|reconcile)\b"),
    ("comparison", 6, "asks for a comparison",
     r"(?:make|do|draw|write|give me|give|draft|produce|provide|create|prepare|show|build)?(?: me)?(?: an?| the|"
     r" some)?(?: \w+)? ?(?:comparisons?|side-by-side|contrasts?|juxtaposition)\b(?= (?:of|between|on|table|for))"),
    ("comparison", 6, "asks how things compare",
     r"how (?:does|do|did|would|will)\b.{1,200}?\bcompare\b(?= (?:with|to|against|across|between)\b| ?\?|$)"),
    ("comparison", 5, "asks whether one conforms to another",
     r"(?:does|do|did|is|are|was|were)\b.{1,120}?\b(?:comply|complies|conforms?|consistent|compatible|in line|"
     r"in keeping|agrees?|squares?|accords?) (?:with|to)\b"),
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
    ("extraction", 2.5, "names a thing, with a question mark and no verb",
     r"(?!.*\b(?:is|are|was|were|do|does|did|has|have|had|can|could|should|would|will|must|may|why|how|what|which|who|"
     r"when|where|summar\w+|explain|overview|themes?|risks?|vs|versus|or|than|ideas?|thoughts?)\b)[^.?!]{3,80}\?$"),
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
     rf"\b(?!.{{0,160}}?\bor\b)(?! (?:[\w'-]+ )?(?:makes?|sets?|(?:is|are|was|were|'s)(?! (?:there|\w+ed|paid|"
     rf"sold|made|kept|held|built|sent)\b)|says?)\b(?! the\b))(?:.{{1,80}}?){DEGREE}\b(?: [\w'-]+){{0,3}}? than\b"),
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
    ("extraction", 9, "asks to list what passes a mark",
     rf"(?:list|name|give|find|show|identify|extract|count|state|quote)\b(?!.{{0,60}}?\b(?:which|whether|how|why|"
     rf"what|where|if|differ\w*|compar\w*|or)\b)(?:.{{1,80}}?){DEGREE}\b(?: [\w'-]+){{0,3}}? than\b"),
    ("extraction", 9, "asks whether what passes a mark is allowed or needed",
     rf"{AUXILIARY}\b(?!.{{0,120}}?\bor\b).{{1,60}}?{DEGREE}\b(?: [\w'-]+){{0,3}}? than (?:[\w'-]+ )"
     rf"{{1,5}}?(?:allowed|permitted|forbidden|prohibited|banned|required|needed|needs?|requires?|have to|has to|"
     rf"must|qualify|insured|covered|accepted|acceptable|exempt|subject to|eligible|included|mentioned|listed)\b"),
    ("extraction", 9, "asks whether there is something for what passes a mark",
     rf"(?:is|are) there (?:an?|any) [\w'-]+ (?:for|on|when|if|to|with) .{{1,60}}?{DEGREE}\b(?: [\w'-]+)"
     rf"{{0,3}}? than\b"),
    ("extraction", 5.5, "asks what a word means",
     r"what (?:do|does) (?!this\b|that\b|it\b|all\b|these\b|those\b|they\b|he\b|she\b)(?:the )?(?:(?:word|term|"
     r"phrase|acronym|abbreviation|symbol|letters?|sign|code)\b(?: [\w'_\"-]+){0,4}|[\w'_\"-]+) mean\b(?! (?:for|"
     r"to)\b)"),
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
