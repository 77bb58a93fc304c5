"""The English routing rules that count anywhere in a question; see `routing_english`. Data only."""

from __future__ import annotations

from typing import Final

from multidoc_rag.questions.routing_words import ATTRIBUTE, COMPARATIVE, DEGREE, DOCS, SUPERLATIVE, THAN, TWO, Row

# fmt: off
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
    ("comparison", 4.5, "speaks of figures that differ",
     r"\b(?:report|give|state|quote|use|show|have|reach|cite|name|publish|list)(?:s|ed)? (?:such |very )?different "
     r"(?:[\w-]+ )?(?:numbers?|figures?|values?|results?|conclusions?|answers?|dates?|amounts?|estimates?|"
     r"accounts?)\b"),
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
    ("extraction", 4, "says what somebody wants to know",
     r"\b(?:wants?|needs?|would like|asked me|asks) (?:to know )?(?:by |at |on |in |from )?(?:what date|which date|"
     r"what day|when|how many|how much|who|where|what year|which year)\b"),
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
