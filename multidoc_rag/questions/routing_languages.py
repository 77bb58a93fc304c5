"""The routing rules for German, French, Spanish and Chinese: the same tables as `routing_english`, shorter: data.

Patterns see the question folded and without accents ("höher" is "hoher"; "hoeher" is not tried). MARKERS are the words
by which a question's language is told; Chinese is told by its script.
"""

from __future__ import annotations

from typing import Final

from multidoc_rag.questions.routing_words import Tables


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


MARKERS: Final[dict[str, frozenset[str]]] = {
    "en": _words(
        "the of is are was were what which who how why when where do does did in on for to and or with from "
        "by it this that these than "
        "please list give find between there any all an about has have can their"
    ),
    "de": _words(
        "der die das den dem des und oder ist sind war wie was welche welcher welches welchen wer wen wem "
        "wann wo warum wieso weshalb "
        "nicht ein eine einen einem einer im laut zwischen fur mit von vom zum zur zu auf gib gibt nenne "
        "nennen liste fasse erklare "
        "erklaren vergleiche unterschied unterschiede hat haben wird werden bei als sich aus nach uber alle "
        "wieviel viele bitte worin inwiefern "
        "zusammenfassung uberblick beschreibe"
    ),
    "fr": _words(
        "le la les des du de est sont et ou dans un une pour qui que quoi quel quelle quels quelles comment "
        "pourquoi combien quand "
        "donnez donne moi resume resumez expliquez explique comparez compare selon entre sur aux au par avec "
        "lequel laquelle ce cette ces "
        "il elle y plus moins tous toutes liste listez enumerez citez l'auteur qu'est d'une d'un"
    ),
    "es": _words(
        "el la los las de del que cual cuales como por cuanto cuanta cuantos cuantas cuando donde quien "
        "quienes segun y en un una es son "
        "resume resumen explica compara entre con para al se ha han lo su sus sobre todos todas dame lista enumera mas "
        "menos"
    ),
}

_DE_MORE: Final = (
    r"(?:besser|schlechter|mehr|weniger|hoher|niedriger|gunstiger|teurer|billiger|langer|kurzer|grosser|kleiner|"
    r"strenger|schneller|langsamer|starker|schwacher|alter|junger|fruher|spater|haufiger|seltener|sicherer|"
    r"leichter|schwerer|wirksamer|genauer|vorsichtiger|optimistischer|grosszugiger|milder|scharfer|breiter|enger|"
    r"neuer|effizienter|zuverlassiger|wichtiger)(?:e[nmrs]?)?"
)
_DE_MOST: Final = (
    r"(?:am \w+sten|beste[nmrs]?|hochste[nmrs]?|langste[nmrs]?|kurzeste[nmrs]?|niedrigste[nmrs]?|gunstigste[nmrs]?|"
    r"meisten|strengste[nmrs]?|grosste[nmrs]?|kleinste[nmrs]?|teuerste[nmrs]?)"
)
# fmt: off
GERMAN: Final = Tables(
    asks=r"(?:was|wer|wen|wem|wessen|wann|wo|warum|wieso|weshalb|wie|wieviel|welche[nmrs]?|worin|inwiefern|inwieweit|"
    r"wofur|wodurch|ist|sind|war|waren|hat|haben|gibt|wird|werden|kann|darf|muss|soll|nenne|liste|gib|erklar|"
    r"beschreib|vergleich|fass|zeig|finde)",
    deceptive=(
        r"\b(?:mehr|weniger|hoher|langer|spater|fruher|alter|junger|kurzer) als (?:\d\S*|ein(?:e[nmrs]?)?|zwei|"
        r"drei|vier|funf|zehn|geplant|erwartet|ublich|notig|nur|die halfte)\b",
        r"\bspatestens\b|\bnicht mehr\b|\bimmer mehr\b|\bmehr (?:uber|zu|dazu)\b|\bvergleichs(?:gruppe|wert|miete|"
        r"verfahren)\w*\b|\bnaher\w*\b",
        r"\bals (?:anlage|anhang|pdf)\b|\b(?:druck|temperatur|zeit|preis)unterschied\b(?! zwischen)",
        r"\b(?:studie|bericht|arbeit|untersuchung),? (?:die|der|das|in der|in dem) [^?.]{0,80}vergleicht\b",
    ),
    lead_ins=(
        r"(?:bitte|hallo|guten tag|also|und|nun|sehr geehrte damen und herren)[ ,:!.-]*",
        r"(?:konnen|konntest|konnten|kannst|wurdest|wurden) (?:sie|du) (?:mir |uns )?(?:bitte )?",
        r"(?:ich|wir) (?:mochte|mochten|will|wollen|wurde gerne?|wusste gerne?) (?:gerne? )?(?:wissen|verstehen)"
        r"?,? ?(?:ich|wir) (?:mochte|mochten|will|wollen|wurde gerne?|wusste gerne?) (?:gerne? )?(?:wissen|"
        r"verstehen)?,? ?",
        r"(?:sag|sagen sie|zeig|zeigen sie) (?:mir|uns),? (?=w)",
        r"(?:laut|gemass|nach|in|aus) (?:\w+ ){1,6}?(?=(?:was|wer|wann|wie|welche))",
    ),
    head=(
        ("comparison", 6, "asks to compare",
         r"(?:vergleich\w*|gegenuberstell\w*|stelle? .{1,60} gegenuber|grenze .{1,60} ab)\b"),
        ("comparison", 5, "asks which is more", rf"(?:welche[nmrs]?|wer|wo|was)\b(?: [\w'-]+){{0,7}}? {_DE_MORE}\b"),
        ("comparison", 5, "asks which of several leads",
         rf"(?:welche[nmrs]?|wer)\b(?: [\w'-]+){{0,7}}? {_DE_MOST}\b"),
        (
            "comparison",
            4.5,
            "asks what changed",
            r"(?:was|wie|hat|haben|ist|sind|wurde|wurden)\b(?: [\w'-]+){0,9}? (?:geandert|verandert|verbessert|"
            r"verschlechtert|gestiegen|gesunken|gelockert|verscharft|neu seit|anders)\b",
        ),
        ("extraction", 3.5, "asks to list or take out",
         r"(?:liste|nenne?n?|zahle?n?|gib|geben sie|finde?n?|suche?n?|zitiere?n?|extrahiere?n?|zeige?n?|"
         r"notiere?n?|stelle .{1,60} zusammen)\b"),
        ("extraction", 4, "asks how many or how much",
         r"(?:wie ?viele?|wie (?:lange|hoch|oft|gross|alt|weit|schwer|teuer|schnell|heiss|tief|breit|heisst))\b"),
        ("extraction", 4, "asks when, where or who",
         r"(?:(?:ab|bis|seit|von|an|mit|bei|fur) )?(?:wann|wo|wohin|woher|wer|wem|wen|wessen)\b"),
        ("extraction", 3, "asks which", r"(?:(?:in|auf|unter|an|bei|nach|mit|zu|ab|bis|aus|von) )?welche[nmrs]?\b"),
        ("extraction", 1.8, "asks what something is", r"was (?:ist|sind|war|waren|betragt|kostet|steht)\b"),
        ("extraction", 2.5, "asks yes or no",
         r"(?:ist|sind|war|waren|hat|haben|gibt es|wird|werden|darf|durfen|kann|muss|mussen|soll|gilt|enthalt)\b"),
        ("extraction", 2.5, "names a value and no verb",
         r"(?:die |der |das |alle )?(?:[\w-]+)?(?:temperatur|betrag|preis|gebuhr|datum|frist|nummer|name|namen|"
         r"adresse|wert|werte|grenzwerte?|dauer|hohe|lange|zahl|anzahl|gewicht|grosse|laufzeit|summe|kosten|"
         r"definition|anforderungen|annahmen|seite)\b"),
        ("synthesis", 4, "asks to summarise",
         r"(?:fasse?n?|zusammenfassung|uberblick|gib (?:mir |uns )?einen (?:kurzen )?uberblick|geben sie (?:mir |"
         r"uns )?einen uberblick|verschaffe|skizziere?n?|schreibe? .{0,30}(?:zusammenfassung|uberblick)|"
         r"kurz(?:fassung|um))\b"),
        ("synthesis", 4, "asks for an account",
         r"(?:erklar\w*|erlauter\w*|beschreib\w*|diskutier\w*|schilder\w*|stelle .{1,60} dar|analysier\w*|"
         r"bewert\w*|interpretier\w*|erzahl\w*|fuhre? .{0,20} aus)\b"),
        ("synthesis", 4, "asks why", r"(?:warum|wieso|weshalb|wozu|aus welchem grund|aus welchen grunden|wodurch)\b"),
        ("synthesis", 3, "asks how",
         r"(?:wie|inwiefern|inwieweit)\b(?! (?:viele?|lange|hoch|oft|gross|alt|weit|schwer|teuer|schnell|heiss|"
         r"tief|breit|heisst))"),
        ("synthesis", 4, "asks for ideas, causes, risks or meaning",
         r"(?:(?:was|welche[nmrs]?|worin)(?: [\w'-]+){0,6}? )?(?:die |der |das )?\b(?:hauptaussagen?|"
         r"kernaussagen?|themen|grundgedanken?|ideen|risiken|gefahren|folgen|auswirkung(?:en)?|ursachen?|grunde|"
         r"bedeutung|rolle|erkenntnisse|lehren|schlussfolgerungen|herausforderungen|probleme|chancen|"
         r"zusammenhang|hintergrund|argumente|kernpunkte|wichtigsten punkte)\b"),
        ("synthesis", 4, "asks what the sources say or mean",
         r"was (?:sagen|sagt|bedeutet|bedeuten|wissen|lernen|halten|denken|meint|meinen|folgt|passiert|geschieht|"
         r"lasst sich|konnen wir)\b"),
    ),
    anywhere=(
        ("comparison", 5, "holds a comparative with than",
         rf"\b(?:{_DE_MORE}|\w{{4,}}er(?:e[nmrs]?)?|anders)\b(?: [\w'-]+){{0,5}}? als\b"),
        ("comparison", 4.5, "asks which of two alternatives is more",
         rf"\b{_DE_MORE}\b.{{0,160}}?\boder\b|\boder\b.{{0,120}}?\b{_DE_MORE}\b"),
        ("comparison", 5, "speaks of differences or similarities",
         r"\b(?:unterschied(?:e|en|lich\w*|s)?|unterscheide[nt]|gemeinsamkeit(?:en)?|abweichung(?:en)?|abweichen|"
         r"weich(?:en|t) .{1,80} ab|widerspruch\w*|widersprechen|widerspricht|ahnlichkeit(?:en)?|diskrepanz(?:en)"
         r"?|gegensatz\w*)\b"),
        ("comparison", 4.5, "measures one thing by another",
         r"\b(?:im vergleich|verglichen mit|gegenuber (?:dem|der|den|\d)|im gegensatz|im unterschied|versus|vs|"
         r"im verhaltnis zu|statt dessen|vergleichen|vor und nach)\b"),
        ("comparison", 4, "asks whether sources agree or are the same",
         r"\b(?:stimm(?:en|t) .{1,80} uberein|ubereinstimm\w*|einig|gleich(?:e[nmrs]?)?|identisch|dasselbe|"
         r"dieselben?|derselbe[n]?|genauso|ebenso|vereinbar|decken sich|gemeinsam)\b"),
        ("comparison", 1, "speaks of two sides", r"\b(?:beide[nmrs]?|den zwei|der zwei|die zwei)\b"),
        ("extraction", 3.5, "asks for all mentions or the wording",
         r"\b(?:wortlich|im wortlaut|genauen? wortlaut|alle (?:genannten|erwahnten|namen|zahlen|daten|stellen)|"
         r"erwahn\w+|auflisten|aufgelistet|aufzahlen|nennen)\b"),
        ("synthesis", 2, "speaks of a summary",
         r"\b(?:zusammenfassen|zusammenfassung|zusammen|uberblick|insgesamt|grosses ganzes|verstandlich|"
         r"einfach erklart)\b"),
        ("synthesis", 2, "asks why, further on", r"\b(?:und|,) (?:warum|wieso|weshalb)\b"),
    ),
)

_FR_MORE: Final = r"(?:plus|moins|meilleure?s?|mieux|pires?|davantage)"
FRENCH: Final = Tables(
    asks=r"(?:que|quoi|quels?|quelles?|qui|quand|ou|comment|pourquoi|combien|lequel|laquelle|lesquels|lesquelles|"
    r"qu'est|qu'|en quoi|est-ce|est-il|est|sont|a-t|y a|donne|listez?|compare|explique|resume|decri|cite|indique|"
    r"releve|trouve)",
    deceptive=(
        r"\b(?:plus|moins) (?:de|que) (?:\d\S*|deux|trois|dix|la moitie|prevu)\b|\bplus (?:tard|tot) que (?:le|la|"
        r"les)? ?\d",
        r"\b(?:ne|n')(?: ?\w+){1,3} plus\b|\bde plus en plus\b|\bau plus tard\b|\bplus ou moins\b|\bau (?:moins|"
        r"plus)\b|\bnon plus\b|\ben savoir plus\b",
        r"\b(?:etude|rapport|article|these)s? (?:qui|que) compar\w+\b|\bgroupe de comparaison\b",
    ),
    lead_ins=(
        r"(?:bonjour|s'il (?:vous|te) plait|svp|alors|et|merci de|veuillez)[ ,:!.-]*",
        r"(?:pouvez-vous|pourriez-vous|peux-tu|pourrais-tu|peut-on) (?:me |nous )?",
        r"(?:je|nous) (?:voudrais|voudrions|veux|souhaite|souhaiterais|aimerais|aimerions) (?:bien )?(?:savoir|"
        r"comprendre|connaitre)?,? ?",
        r"(?:dites|dis)-(?:moi|nous) (?=(?:que|qu|com|pourq|si|o))",
        r"(?:selon|d'apres|dans|pour) (?:[\w'-]+ ){1,7}?[\w'-]+, (?=(?:que|qu|com|pourq|est|y a))",
    ),
    head=(
        ("comparison", 6, "asks to compare",
         r"(?:comparez|compare[rz]?|comparons|comparaison|confronte[rz]?|mettez en regard|distingue[rz]?)\b"),
        ("comparison", 5, "asks which of several is more",
         rf"(?:lequel|laquelle|lesquel(?:le)?s|quel(?:le)?s?|qui|ou|des deux)\b(?: [\w'-]+){{0,9}}? (?:le |la |"
         rf"les )?{_FR_MORE}\b"),
        ("comparison", 4.5, "asks which of several", r"(?:lequel|laquelle|lesquels|lesquelles)\b"),
        ("comparison", 4.5, "asks what changed",
         r"(?:qu'est-ce qui|en quoi|comment|quoi|qu'est-ce que|est-ce que|le|la|les|quels?)\b(?: [\w'-]+)"
         r"{0,9}? (?:change[s]?|changee?s?|modifiee?s?|evolue|evoluee?s?|amelioree?s?|augmentee?s?|diminuee?s?|"
         r"durcie?s?|assouplie?s?)\b"),
        ("extraction", 3.5, "asks to list or take out",
         r"(?:liste[rz]?|enumere[rz]?|cite[rz]?|donne[rz]?(?:-(?:moi|nous))?|indique[rz]?|releve[rz]?|"
         r"trouve[rz]?|extraire|extrayez|extrais|recense[rz]?|nomme[rz]?|montre[rz]?(?:-(?:moi|nous))?|"
         r"precise[rz]?)\b"),
        ("extraction", 4, "asks how many, when, where or who",
         r"(?:(?:depuis|jusqu'a|a|de|par|avec|pour|d') ?)?(?:combien|quand|ou|qui|quelle date|quel jour|"
         r"quelle annee)\b"),
        ("extraction", 3, "asks which",
         r"(?:(?:a|de|dans|sous|sur|en|par|pour|selon|avec|au bout de) )?(?:quels?|quelles?)\b"),
        ("extraction", 2.5, "asks yes or no",
         r"(?:est-ce que|est-ce qu'|est-il|est-elle|sont-ils|y a-t-il|a-t-on|peut-on|doit-on|le \w+ est-il|"
         r"la \w+ est-elle)"),
        ("extraction", 2.5, "names a value and no verb",
         r"(?:le |la |les |l')?(?:montant|date|delai|duree|nom|noms|numeros?|adresse|prix|taux|nombre|seuil|"
         r"valeurs?|temperature|poids|taille|definition|frais|page|pages|hypotheses|limites|obligations)\b"),
        ("synthesis", 4, "asks to summarise",
         r"(?:resume[rz]?|resumes|synthetise[rz]?|synthese|faites|fais|donne[rz]?(?:-(?:moi|nous))? (?:une|un)"
         r" (?:vue d'ensemble|apercu|resume|synthese)|vue d'ensemble|apercu|en bref|redige[rz]?)\b"),
        ("synthesis", 4, "asks for an account",
         r"(?:explique[rz]?|expliquez|decri(?:s|vez|re)|discute[rz]?|analyse[rz]?|commente[rz]?|presente[rz]?|"
         r"raconte[rz]?|interprete[rz]?|parle[rz]?(?:-(?:moi|nous)))\b"),
        ("synthesis", 4, "asks why or how", r"(?:pourquoi|comment|de quelle maniere|de quelle facon|en quoi)\b"),
        ("synthesis", 4, "asks for ideas, causes, risks or meaning",
         r"(?:(?:quels?|quelles?|que)(?: [\w'-]+){0,6}? )?(?:les |la |le |l')?\b(?:idees?|themes?|enjeux|"
         r"risques?|consequences?|effets?|impacts?|causes?|raisons?|role|lecons?|enseignements|conclusions?|"
         r"defis|problemes|arguments?|points (?:cles|principaux)|importance|implications?|signification|"
         r"messages?|dangers?)\b"),
        ("synthesis", 4, "asks what the sources say or know",
         r"(?:que|qu'|qu'est-ce que|qu'est-ce qu') ?(?:[\w'-]+ ){0,5}?(?:disent|dit|sait|savons|pensent?|retenir|"
         r"signifie|veut dire|apprend|apprendre|montrent|conclut|concluent|se passe|passe-t-il)\b"),
    ),
    anywhere=(
        ("comparison", 5, "holds a comparative with than", rf"\b{_FR_MORE}\b(?: [\w'-]+){{0,6}}? (?:que|qu')"),
        ("comparison", 4, "asks which of two alternatives is more",
         rf"\b{_FR_MORE}\b.{{0,160}}?\bou\b|\bou\b.{{3,120}}?\b{_FR_MORE}\b"),
        ("comparison", 5, "speaks of differences or similarities",
         r"\b(?:differences?|different|differents? (?:de|du|des)|differe|different-\w+|divergent|divergences?|"
         r"diverge|distinguent|distingue|similitudes?|points communs|ressemblances?|contradictions?|contredisent|"
         r"contredit|contradictoires?|ecarts? entre|incoherences?|s'oppose(?:nt)?|desaccords?)\b"),
        ("comparison", 4.5, "measures one thing by another",
         r"\b(?:par rapport|compare(?:e|s|es)? (?:a|au|aux)|en comparaison|comparaison entre|contrairement|"
         r"versus|vs|vis-a-vis|a la difference|avant et apres|comparent|se comparent)\b"),
        ("comparison", 4, "asks whether sources agree or are the same",
         r"\b(?:d'accord|concordent|concorde|compatibles?|identiques?|memes? .{1,60}\bque\b|aussi \w+ que|"
         r"la meme chose|le meme|les memes|en commun|coherente?s? avec|s'accordent)\b"),
        ("comparison", 1, "speaks of two sides", r"\b(?:les deux|des deux|aux deux)\b"),
        ("extraction", 2.5, "asks for all mentions or the wording",
         r"\b(?:mot pour mot|textuellement|tous les (?:numeros|noms|passages|montants)|toutes les (?:dates|"
         r"mentions|occurrences)|mentionn\w+)\b"),
        ("synthesis", 2, "speaks of a summary",
         r"\b(?:resume|synthese|vue d'ensemble|globalement|dans l'ensemble|en general)\b"),
    ),
)

_ES_MORE: Final = r"(?:mas|menos|mejor(?:es)?|peor(?:es)?|mayor(?:es)?|menor(?:es)?)"
SPANISH: Final = Tables(
    asks=r"(?:que|cual|cuales|quien|quienes|cuando|donde|como|por que|cuant[oa]s?|en que|es|son|hay|ha|han|esta|estan|"
    r"puede|debe|enumera|lista|dame|compara|explica|resum|describ|busca|indica|cita)",
    deceptive=(
        r"\b(?:mas|menos) (?:de|que) (?:\d\S*|dos|tres|diez|la mitad|lo previsto)\b|\bmas tarde (?:de|del)\b|"
        r"\ba mas tardar\b",
        r"\bno mas\b|\bcada vez mas\b|\bmas o menos\b|\bal menos\b|\bpor lo menos\b|\bya no\b|"
        r"\bmas (?:informacion|detalles|sobre)\b",
        r"\b(?:estudio|informe|articulo)s? que compar\w+\b|\bgrupo de comparacion\b|\b(?:mayor|menor)(?:es)"
        r"? de edad\b|\ba lo mejor\b",
    ),
    lead_ins=(
        r"(?:hola|por favor|buenos dias|entonces|y|bueno)[ ,:!.-]*",
        r"(?:puedes|puede|podrias|podria|me puedes|me podrias) (?=\w)",
        r"(?:quiero|quisiera|necesito|me gustaria) (?:saber|entender|conocer),? ?",
        r"(?:dime|digame|diganos) (?=(?:que|cual|como|quien|cuando|donde|por|si|cuant))",
        r"(?:segun|en|de acuerdo con|para) (?:[\w'-]+ ){1,7}?[\w'-]+, [¿ ]*(?=(?:que|cual|como|quien|cuando|donde|"
        r"por|cuant|es|hay))",
    ),
    head=(
        ("comparison", 6, "asks to compare",
         r"(?:compar(?:a|e|ar|en|ame|emos)|comparacion|comparativa|contrast(?:a|e|ar)|diferencia(?:s)?|distingue)"
         r"\b"),
        ("comparison", 5, "asks which is more",
         rf"(?:cual|cuales|quien|quienes|que|donde)\b(?: [\w'-]+){{0,7}}? {_ES_MORE}\b"),
        ("comparison", 4.5, "asks which of two", r"(?:cual|quien) de (?:los|las|estos|estas|ambos|ambas)\b"),
        ("comparison", 4.5, "asks what changed",
         r"(?:que|como|ha|han|se ha|se han|en que|cuanto)\b(?: [\w'-]+){0,8}? ?(?:cambiado|cambio|cambiaron|"
         r"variado|mejorado|empeorado|aumentado|disminuido|modificado|evolucionado|subido|bajado)\b"),
        ("extraction", 3.5, "asks to list or take out",
         r"(?:enumera[r]?|enumere|lista[r]?|liste|dame|deme|cita[r]?|cite|indica[r]?|indique|busca[r]?|busque|"
         r"extrae[r]?|extraiga|nombra[r]?|nombre|senala|muestra(?:me)?|encuentra|localiza|menciona)\b"),
        ("extraction", 4, "asks how many, when, where or who",
         r"(?:(?:desde|hasta|de|a|con|por|para) )?(?:cuant[oa]s?|cuando|donde|quien|quienes)\b"),
        ("extraction", 2.5, "asks which or what",
         r"(?:(?:a|de|en|con|por|para|bajo|desde) )?(?:cual|cuales|que) (?:es|son|fue|fueron|era|\w+)\b"),
        ("extraction", 2.5, "asks yes or no",
         r"(?:es|son|hay|esta|estan|puede|pueden|debe|deben|tiene|tienen|se permite|existe|ha|han)\b"),
        ("extraction", 2.5, "names a value and no verb",
         r"(?:el |la |los |las )?(?:plazo|importe|fecha|nombres?|numeros?|direccion|precio|tasa|duracion|"
         r"valor(?:es)?|temperatura|peso|tamano|definicion|coste|costo|pagina|supuestos|limitaciones|"
         r"obligaciones|cantidad|limite)\b"),
        ("synthesis", 4, "asks to summarise",
         r"(?:resum(?:e|a|en|ir|eme|amos)|sintesis|sintetiza|haz(?:me)? un resumen|dame un resumen|"
         r"dame una vision|panorama|vision general|en resumen|redacta|escribe)\b"),
        ("synthesis", 4, "asks for an account",
         r"(?:explic(?:a|ame|ar)|explique|describ(?:e|a|ir)|analiza[r]?|analice|discut(?:e|ir)|comenta|"
         r"interpreta|cuentame|hablame|desarrolla|expon)\b"),
        ("synthesis", 4, "asks why or how", r"(?:por que|como|de que (?:manera|modo|forma)|a que se debe)\b"),
        ("synthesis", 4, "asks for ideas, causes, risks or meaning",
         r"(?:(?:que|cual|cuales)(?: [\w'-]+){0,6}? )?(?:los |la |las |el )?\b(?:ideas?|temas?|riesgos?|"
         r"consecuencias?|efectos?|impactos?|causas?|razones|motivos|papel|lecciones|conclusion(?:es)?|retos|"
         r"desafios|problemas?|argumentos?|puntos (?:clave|principales)|importancia|implicaciones|significado|"
         r"mensajes?|peligros?)\b"),
        ("synthesis", 4, "asks what the sources say or know",
         r"que (?:[\w'-]+ ){0,5}?(?:dicen|dice|sabe|sabemos|piensan?|significa|significan|aprender|concluyen?|"
         r"opinan?|pasa|pasaria|ocurre|implica)\b"),
    ),
    anywhere=(
        ("comparison", 5, "holds a comparative with than", rf"\b{_ES_MORE}\b(?: [\w'-]+){{0,6}}? (?:que|del? que)\b"),
        ("comparison", 4, "asks which of two alternatives is more",
         rf"\b{_ES_MORE}\b.{{0,160}}?\bo\b|\bo\b.{{3,120}}?\b{_ES_MORE}\b"),
        ("comparison", 5, "speaks of differences or similarities",
         r"\b(?:diferencias?|diferencian|difieren|difiere|diferentes? (?:de|a)|distinguen|discrepan|"
         r"discrepancias?|divergen|semejanzas?|similitudes?|parecen|contradicciones|contradicen|contradice|"
         r"contradictori[oa]s?|desacuerdos?|en comun)\b"),
        ("comparison", 4.5, "measures one thing by another",
         r"\b(?:respecto (?:a|al|de)|en comparacion|comparad[oa]s? con|frente a|a diferencia|versus|vs|"
         r"en contraste|con relacion a|antes y despues|se comparan?)\b"),
        ("comparison", 4, "asks whether sources agree or are the same",
         r"\b(?:de acuerdo en|coinciden|coincide|concuerdan|compatibles?|identic[oa]s?|mism[oa]s? .{1,60}\bque\b|"
         r"tan \w+ como|lo mismo|igual(?:es)? (?:que|a|de)|los mismos|las mismas)\b"),
        ("comparison", 1, "speaks of two sides", r"\b(?:los dos|las dos|ambos|ambas)\b"),
        ("extraction", 2.5, "asks for all mentions or the wording",
         r"\b(?:literalmente|palabra por palabra|tod[oa]s l[oa]s (?:numeros|nombres|fechas|pasajes|menciones)|"
         r"mencionad\w+|menciona)\b"),
        ("synthesis", 2, "speaks of a summary", r"\b(?:resumen|sintesis|en general|en conjunto|panorama)\b"),
    ),
)

CHINESE: Final = Tables(
    asks=r"(?=[\u3400-\u9fff])",
    deceptive=(r"不超过|超过\d+|比例|比率|比赛|对比剂|不少于\d*|不迟于|对照组|可比价",
               r"(?:多于|少于|高于|低于|大于|小于)[\d一二三四五六七八九十百千万]+"),
    lead_ins=(r"(?:请问|请|麻烦|帮我|帮忙|你能|能否|能不能|可以|可否|我想知道|我想了解|告诉我|给我)[,，:： ]*",),
    head=(
        ("comparison", 6, "asks to compare", r"(?:比较|对比|对照|相比|区分)"),
        ("extraction", 3.5, "asks to list or take out",
         r"(?:列出|列举|找出|提取|摘录|给出|指出|写出|查找|标出|引用|统计)"),
        ("synthesis", 4, "asks to summarise", r"(?:总结|概括|概述|综述|归纳|简述|综合|写一份|写一个)"),
        ("synthesis", 4, "asks for an account", r"(?:解释|说明|描述|分析|讨论|介绍|阐述|评价|谈谈|讲讲|讲一下|说说)"),
    ),
    anywhere=(
        ("comparison", 5, "speaks of differences or similarities",
         r"区别|差异|差别|不同|异同|相同|相似|一致|矛盾|冲突|分歧|共同点|相反|出入|一样|相符"),
        ("comparison", 4.5, "asks to compare",
         r"(?:的|进行|作|做|个|请|，|,|并)(?:比较|对比|对照)|相比|相较|较之|"
         r"与.{1,30}比(?!例|率)|和.{1,30}比(?!例|率)|对比"),
        ("comparison", 5, "holds a comparative with than",
         r"比(?!较|例|率|赛|如|方).{1,30}(?:更|高|低|多|少|大|小|好|差|快|慢|长|"
         r"短|强|弱|贵|便宜|严|宽|早|晚|重|轻)"),
        ("comparison", 4.5, "asks which is more",
         r"更(?:加)?(?!新|改|换|正)|哪(?:一)?(?:个|份|种|家|方|项|篇|本|位|款|"
         r"者|国|版|些|类).{0,20}(?:最|较)|还是.{1,20}(?:好|高|低|多|少|快|"
         r"便宜|贵)"),
        ("comparison", 4, "asks what changed",
         r"变化|改变|变动|修改了什么|有何调整|提高了吗|降低了吗|增加了吗|减少了吗|新旧|前后"),
        ("extraction", 4, "asks how many, when, where or who",
         r"多少|几(?:个|名|次|天|年|页|种|人|条|项|家|份|月|岁)|何时|什么时候|哪(?:一)"
         r"?(?:天|年|月|页|里|条|日|章|节)|哪儿|谁|何地|什么地方|多长|多久|多大|多高|多远"),
        ("extraction", 2.5, "asks which or what value",
         r"哪些|哪个|哪种|是什么(?!意思|原因)|有没有|是否|(?:名称|姓名|金额|日期|地址|电话|"
         r"编号|号码|数量|总额|价格|费用|期限|温度|面积|比例|比率|定义|条款|时间|人数|页码|"
         r"标准|上限|下限)(?:是|为|[?？]|$)"),
        ("extraction", 2.5, "asks for assumptions, limits or all mentions",
         r"假设条件|假设|局限|定义|义务|所有的?|全部|每一?(?:个|条|项|处)|原文|逐字"),
        ("synthesis", 4, "asks why or how", r"为什么|为何|怎么(?!样比)|怎样|如何|何以"),
        ("synthesis", 4, "asks for ideas, causes, risks or meaning",
         r"影响|原因|意义|作用|风险|启示|主题|主要(?:内容|观点|思想|思路|结论|论点|问题)|"
         r"观点|看法|背景|挑战|后果|含义|意味着|总体|综述|概况|教训|经验|关系"),
        ("synthesis", 3, "speaks of a summary", r"总结|概括|概述|概览|摘要|大意|要点|综合|讲了什么|说了什么"),
        ("synthesis", 3, "asks for an account", r"解释|说明|介绍|分析|阐述"),
    ),
)
# fmt: on

TABLES: Final[dict[str, Tables]] = {"de": GERMAN, "fr": FRENCH, "es": SPANISH, "zh": CHINESE}
