"""What stands right behind a number: a scale, and a unit where what is spelled like one is one."""

from __future__ import annotations

import re
from decimal import Decimal

from kb.quantity.atom import Atom
from kb.quantity.exact import scaled
from kb.quantity.lexicon import is_money_part, number_words, scales, word_set
from kb.quantity.nouns import is_plural
from kb.quantity.spelling import is_money, period_at, unit_at, unit_in_brackets
from kb.quantity.tokens import CJK, NAME, NUMBER, SIGN, WORD, Tokens
from kb.quantity.units import registry, unit_dimension

LETTERS = {
    "k": 3,
    "K": 3,
    "M": 6,
    "B": 9,
    "T": 12,
    "bn": 9,
    "Bn": 9,
    "BN": 9,
    "mn": 6,
    "mm": 6,
    "MM": 6,
    "tn": 12,
    "m": 6,
}
_GENERIC_WORDS = frozenset(
    [
        "cent",
        "cents",
        "mille",
        "mil",
        "bin",
        "mn",
        "md",
        "tusen",
        "cien",
        "ciento",
        "dozen",
        "bio",
        "tn",
        "trn",
        "bio",
    ]
)
_PARTS_OF_MONEY = {
    "cent": "usd",
    "cents": "usd",
    "¢": "usd",
    "pence": "gbp",
    "centime": "eur",
    "centimes": "eur",
    "rappen": "chf",
}
_CENTS_OF_THE_EURO = frozenset({"de", "fr", "es", "it", "nl", "pt", "fi", "el"})
"""Languages in which a cent is most often the euro's."""
_OF = frozenset({"de", "d'", "of", "a", "an", "di", "do"})
_NETWORK = re.compile(
    r"(?i)ethernet|infiniband|\b(?:nics?|ports?|links?|switch\w*|uplinks?|fabric|network\w*|sfp\w*|qsfp\w*|osfp\w*|optics?|transceivers?"
    r"|roce|rdma|ndr|xdr|hdr|edr|lane|lanes|mellanox|connectx\w*|bluefield\w*|bandwidth|throughput|netzwerk|bandbreite|réseau|débit|gbe|gbps|tbps|breakout)\b|网|以太"
)
_PORT = re.compile(r"(?i)[\s-]*(?:ethernet|base|ports?|links?|nics?|uplinks?|infiniband|lanes?|sfp|optics?)")
MEMORY = re.compile(
    r"(?i)(?<![a-z])(?:\w+(?<!batch)(?<!vocab)(?<!dataset)(?<!sample)(?<!population)_size|"
    r"(?:record|block|stripe|chunk|page|sector|segment|cluster|buffer)[ -]?sizes?|"
    r"v?ram|memory|storage|disk|ssds?|hdds?|swap|nvme|volume|cache|buffer|dram|hbm\w*|ddr\w*|speicher|mémoire|arbeitsspeicher|message|file|image|heap)(?![a-z])"
)
BYTES = re.compile(r"(?i)\b(?:bytes?|messages?|packets?|payload|cache line|buffer|mtu)\b")
TIMED = re.compile(
    r"(?i)(?<![a-z])(?:time-?outs?|interval|ttl|duration|delay|expir\w+|uptime|downtime|cooldown|keep-?alive|latency|elapsed|retention"
    r"|lifetime|wait|sleep|poll\w*|refresh)(?![a-z])|\b\d+h\s?\d*|\b\d+s\b"
)
"""Words, also parts of names such as `ping_interval`, beside which 5m is five minutes."""
SIZED = re.compile(r"(?i)\w_(?:\w+_)?(?:sizes?|buffers?|caches?|mem|memory|heap)[\"']?\s?[=:]?\s?\Z")
"""The name of a setting after which 8m is eight megabytes."""

CORES = re.compile(r"(?i)(?<![a-z])(?:v?cpus?|milli-?cores?)(?![a-z])")
"""Words beside which 250m is a quarter of a processor, as Kubernetes writes it."""
HEAVY = re.compile(
    r"(?i)\b(?:weigh\w*|weight|mass|heav(?:y|ier|iest)|light(?:er|est)|payload|load|thrust|force|torque|kgs?|kilo(?:s|grams?)|lbs?"
    r"|ounces?|tons?|tonnes?|body|dumbbells?)\b|\d\s?(?:kg|g|lb)\b"
)
_ELECTRIC = re.compile(r"\d\s?(?:k?V|k?W|VAC|VDC|Hz|Ω)\b")
_TEMPERATURE = re.compile(r"(?i)temperatur|\btemps?\b|°|celsius|heat|cool|thermal|\d[CF] to [+-]?\d")
_MODEL_WORD = re.compile(
    r"(?i)\b(?:models?|modell\w*|parameters?|params?|llms?|llama|qwen|mistral|mixtral|gpt|deepseek\w*|falcon|gemma|bf16|fp8|dense|moe)\b"
)


def scale_at(t: Tokens, j: int, lang: str | None, money: bool) -> tuple[Decimal, int]:
    """The product of scale words and letters at `j`, and the token after them."""
    factor, start = Decimal(1), j
    known = scales(lang)
    while j < t.size and j < start + 4:
        low, word = t.low[j], t.word[j]
        k = j + 1 if low == "-" and t.gap[j] == 0 and t.gap[j + 1] == 0 else j
        value = known.get(t.low[k])
        if (
            value is not None
            and t.low[k] in _GENERIC_WORDS
            and number_words(lang).get(t.low[k], ("",))[0] != "scale"
        ):
            value = None
        if is_money_part(t.low[k], t.low[j - 1], lang):
            value = None
        if value is not None and t.gap[k] < 2 and (t.kind[k] == CJK or len(t.low[k]) > 1):
            factor, j = factor * value, k + 1
            if t.low[j] == "." and t.gap[j] == 0 and len(t.low[j - 1]) <= 4:
                j += 1
            continue
        if j == start and word in LETTERS and _letter_scale(t, j, money):
            return Decimal(10) ** LETTERS[word], j + 1
        if j == start and t.gap[j] == 0 and t.gap[j + 1] and _counts_by(t, j):
            return (
                Decimal(10) ** 9 if word == "G" else Decimal(1024) ** "KMG".index(word[0].upper()) * 1024
            ), j + 1
        break
    return factor, j


_TOLD_IN_G = frozenset(
    {
        "params", "parameters", "flops", "macs", "tokens", "samples", "ops", "operations", "rows", "events",
        "pixels",
    }
)  # fmt: skip
_TOLD_IN_M = word_set("in millions")
"""What is counted in millions, and has no length: 1.2m users."""

_BYTES_OF = frozenset(
    ["bytes", "pages", "blocks", "files", "chunks", "segments", "buffers", "images", "messages", "objects"]
)


def _counts_by(t: Tokens, j: int) -> bool:
    """Whether G, Ki, Mi at `j` count what stands behind: 4.2G params, 64Ki entries, and no 64Ki pages."""
    behind = t.low[j + 1]
    if t.word[j] == "G":
        return behind in _TOLD_IN_G
    if t.word[j] not in ("Ki", "Mi", "Gi") or t.kind[j + 1] != WORD or behind in _BYTES_OF:
        return False
    return is_plural(t.word[j + 1]) and not MEMORY.search(t.text) and unit_at(t, j + 1, None) is None


def _letter_scale(t: Tokens, j: int, money: bool) -> bool:
    """Whether k, K, M, B … at `j` multiplies: touching the digits, or before a currency or a noun."""
    word, nxt = t.word[j], j + 1
    if t.gap[nxt] == 0 and (t.kind[nxt] in (WORD, NAME, NUMBER, CJK) or t.low[nxt] == "_"):
        return False
    if money:
        return t.gap[j] == 0 or word not in ("m", "mm", "T", "K")
    if word == "T" and t.kind[nxt] == WORD and is_plural(t.word[nxt]):
        return _NETWORK.search(t.word[nxt]) is None  # 1.6T optics
    if word == "T" and t.kind[nxt] == WORD and t.low[nxt + 1] == "tokens":
        return True  # 1.4T bilingual tokens
    if word == "m" and t.gap[j] == 0 and t.low[nxt] in _TOLD_IN_M:
        return True
    if word in ("m", "mm", "MM", "mn", "tn", "T"):
        following = unit_at(t, nxt, None)
        return word in ("MM", "mn", "tn") or (word in "mT" and bool(following and is_money(following[0])))
    if t.gap[j]:
        following = unit_at(t, nxt, None)
        counted = t.kind[nxt] == WORD and is_plural(t.word[nxt]) and following is None
        money_next = following is not None and is_money(following[0])
        if word == "K":  # 3 K lines, 84 K SLOC
            counted = counted or (following is None and t.word[nxt].isupper() and len(t.word[nxt]) > 2)
            return counted and _TEMPERATURE.search(t.text) is None
        return word in "kMB" and (money_next or counted or t.low[nxt] in ("de", "d'", "of"))
    return True


def read_unit(t: Tokens, j: int, atom: Atom, lang: str | None) -> int:
    """The unit after the number; sets it and gives the token after it."""
    k = j
    if t.low[k] == "ish" or (t.low[k] == "-" and t.low[k + 1] == "ish"):
        atom.bound, k = "about", k + (1 if t.low[k] == "ish" else 2)
    if (
        (t.low[k] == "-" and t.gap[k] == 0 and t.gap[k + 1] == 0)
        or (t.low[k] in _OF and atom.scale != 1 and t.low[k] not in ("a", "an"))
        or (t.low[k] in ("a", "an") and atom.fraction_of)
    ):
        k += 1
    if k < t.size and t.gap[k] == 2 and t.kind[k] == SIGN:
        return j
    low = t.low[k]
    if low.startswith("d'") and atom.scale != 1:
        name = registry().words.get(low[2:])
        if name:
            atom.unit = name
            return k + 1
    if (
        low in ("c", "f")
        and t.word[k] in ("C", "F")
        and t.gap[k] == 0
        and (t.kind[k + 1] in ("", SIGN) or t.gap[k + 1])
        and _TEMPERATURE.search(t.text)
    ):
        atom.unit = "celsius" if low == "c" else "fahrenheit"
        return k + 1
    if t.word[k] == "y" and t.gap[k] == 0 and k == j and lang in (None, "en"):
        atom.unit = "year"  # 1y, beside 30d
        return k + 1
    part = _PARTS_OF_MONEY.get(low)
    if low in ("cent", "cents", "ct") and lang in _CENTS_OF_THE_EURO:
        part = "eur"
    if part and (low == "¢" or k > j or t.gap[k] or low != "cent"):
        atom.unit, atom.value = part, scaled(atom.value, Decimal("0.01"))
        return k + 1
    if low == "[" and (bracketed := unit_in_brackets(t, k, lang)):
        atom.unit, end = bracketed
        return end
    found = unit_at(t, k, lang)
    if found and _fits(t, k, found, atom, lang, k > j and low != "de"):
        unit, end = found
        if t.word[k] in ("Gb", "Mb", "Tb", "Kb") and end == k + 1:
            unit = _bits_or_bytes(t, k, unit)
        elif (
            unit in _BITS
            and end == k + 1
            and t.low[end] not in ("/", "per", "pro", "par")
            and _near_network(t, k)
        ):
            unit += "/second"  # up to 25 Gigabit
        elif unit == "gbp" and t.low[k] in ("pound", "pounds") and HEAVY.search(_beside(t, k)):
            unit = "pound"
        elif (
            unit == "metre"
            and t.word[k] == "m"
            and t.gap[k] == 0
            and TIMED.search(t.text[max(0, t.start[k] - 40) : t.end[k]])
        ):
            unit = "minute"  # timeout 5m
        elif unit == "metre" and t.word[k] == "m" and t.gap[k] == 0 and SIZED.search(_before(t, atom)):
            unit = "megabyte"  # max_body_size 8m
        elif unit == "metre" and t.word[k] == "m" and t.gap[k] == 0 and CORES.search(_beside(t, k)):
            unit, atom.value = "count:CPU", scaled(atom.value, Decimal("0.001"))  # cpu: 250m
        elif unit == "gram" and t.word[k] == "g" and t.gap[k] == 0 and MEMORY.search(t.text):
            unit = "gigabyte"  # --memory 16g
        if k > j and t.word[j] == "-":
            atom.hyphen = True
        if unit == "revolution/minute" and _REQUESTS.search(t.text):
            unit = "request/minute"
        worked = _amount_of_work(t, k, end, unit, lang)
        if worked:
            atom.unit, end = worked
            return end
        atom.unit = unit
        if unit == "pixel" and atom.value >= 10000:
            atom.unit = "count:pixel"
        if word_is(t, end, "US", "CA") and is_money(unit):
            atom.unit, end = ("usd" if t.word[end] == "US" else "cad"), end + 1
        return end
    return _bare_letter(t, j, atom)


_REQUESTS = re.compile(
    r"(?i)\b(?:requests?|apis?|tokens?|TPM|RPD|TPD|rate[ -]limits?|quotas?|tiers?|models?)\b"
)


def _amount_of_work(t: Tokens, k: int, end: int, unit: str, lang: str | None) -> tuple[str, int] | None:
    """`400,000 GB-seconds`: so much, held for so long."""
    if t.low[end] != "-" or t.gap[end] or t.gap[end + 1] or not unit_dimension(unit).startswith("data"):
        return None
    period = period_at(t, end + 1, lang)
    if period is None or (t.gap[period[1]] == 0 and t.low[period[1]] == "-"):
        return None
    return f"count:{t.word[k]}-{period[0]}", period[1]


def _before(t: Tokens, atom: Atom) -> str:
    return t.text[max(0, t.start[atom.first] - 60) : t.start[atom.first]]


def _beside(t: Tokens, k: int) -> str:
    return t.text[max(0, t.start[k] - 60) : t.end[k] + 40]


_BITS = frozenset({"megabit", "gigabit", "terabit"})


def _near_network(t: Tokens, k: int) -> bool:
    return _NETWORK.search(t.text[max(0, t.start[k] - 40) : t.end[k] + 30]) is not None


def word_is(t: Tokens, i: int, *words: str) -> bool:
    """Whether token `i` is one of these, in this case."""
    return i < t.size and t.word[i] in words


def _bits_or_bytes(t: Tokens, k: int, unit: str) -> str:
    """A bare Gb: of memory it is gigabytes, beside a network word a rate."""
    if t.low[k + 1] in ("/", "per") or t.low[k + 1] == "p":
        return unit
    after = t.text[t.end[k] : t.end[k] + 16]
    if re.match(r"(?i)\s*(?:of\s)?(?:v?ram|memory|disk|ssd|storage|hdd|nvme)\b", after):
        return unit.replace("bit", "byte")
    return f"{unit}/second" if _near_network(t, k) else unit.replace("bit", "byte")


_SPEEDS = {
    "G": frozenset(map(Decimal, (10, 25, 40, 50, 56, 100, 200, 400, 800, 1600))),
    "T": frozenset(map(Decimal, ("1.6", "3.2", "6.4", "12.8", "25.6", "51.2"))),
}
"""Speeds of Ethernet and InfiniBand ports, which a bare letter after them means."""

_WEEKS = 60  # a period in weeks is seldom longer
LETTER_UNITS = frozenset("KAVWNJFCTUPtsmhgdblBo")


def _fits(t: Tokens, k: int, found: tuple[str, int], atom: Atom, lang: str | None, hyphen: bool) -> bool:
    """Whether what is spelled like a unit is one here, and not another word."""
    unit, end = found
    word = t.word[k]
    touched = t.gap[end] == 0 and t.kind[end] in (WORD, NAME, NUMBER)
    if touched and t.kind[end - 1] == WORD and t.kind[k] != CJK:
        return t.low[k] in _BEFORE_DIGITS and t.kind[end] == NUMBER  # 3h24m
    if is_money(unit) and t.kind[k] == SIGN and t.gap[k] and t.gap[end] == 0 and t.kind[end] == NUMBER:
        return False  # "5 $10": the sign belongs to the next number
    if end > k + 1:
        return True
    if word in ("Ki", "Mi", "Gi") and t.gap[k]:
        return MEMORY.search(t.text) is not None or (not t.kind[end] and atom.first <= 1)
    if word in ("Ti", "y", "w") and t.gap[k]:
        return False
    if word == "w" and atom.value > _WEEKS:
        return False  # 65w of a charger
    if word == "y" and t.low[atom.first - 1] in ("+", "-", "=", "*"):
        return False  # 2x + 3y
    if t.low[k] == "in":
        alone = t.gap[k] == 0 or hyphen or t.kind[end] in ("", SIGN)
        times = t.low[end] in ("x", "×", "by")  # 17 in x 30 in
        return times or (alone and t.kind[end] not in (WORD, NUMBER))
    if word in LETTER_UNITS and not hyphen:
        return _letter_fits(t, k, atom)
    return not (t.kind[k] == WORD and t.gap[k] == 2 and len(word) == 1)


_BEFORE_DIGITS = frozenset({"h", "hr", "min", "m", "d", "w", "ft"})


def _letter_fits(t: Tokens, k: int, atom: Atom) -> bool:
    """Whether one letter behind a number is a unit: 20 A, 5 V, and not a name's or a list's."""
    word, end = t.word[k], k + 1
    if t.low[end] == "." and t.gap[end + 1] == 0 and t.kind[end + 1] == WORD:
        return False
    if word == "B" and is_model_size(t, k, atom):
        return False
    if word == "A" and _ELECTRIC.search(t.text):
        return True
    if word == "N" and t.gap[k] == 0 and atom.value < 10:
        return False  # 2N redundancy
    if t.gap[k] and word in "KAFCTUPBbN" and t.kind[end] in (WORD, NAME):
        return False
    if t.low[end] in ("'", "-"):
        return t.kind[end + 1] != WORD or t.gap[end + 1] != 0 or word in "VWAm"
    return not (t.kind[k] == WORD and t.gap[k] == 2)


def is_model_size(t: Tokens, k: int, atom: Atom) -> bool:
    """Whether 405B counts a model's parameters: by the name before it or the words around it."""
    if t.gap[k]:
        return False
    before = t.kind[atom.first - 1] == NAME or (
        t.kind[atom.first - 1] in (WORD, NUMBER) and t.word[atom.first - 1][:1].isupper()
    )
    near = t.text[max(0, t.start[k] - 50) : t.end[k] + 30]
    return before or bool(_MODEL_WORD.search(near))


_SET_TO = [[name, sign] for name in ("default", "size", "limit", "max", "maximum", "memory") for sign in ":="]


def _bare_letter(t: Tokens, j: int, atom: Atom) -> int:
    """`400G`, `2G of swap`, `128M`: a prefix alone stands for a rate or a size by what is near."""
    word = t.word[j] if j < t.size and t.gap[j] == 0 else ""
    if word in ("G", "T") and not (t.gap[j + 1] == 0 and t.kind[j + 1] in (WORD, NAME, NUMBER)):
        near = t.text[max(0, t.start[j] - 60) : t.end[j] + 60]
        tail = t.text[t.end[j] : t.end[j] + 24]
        value = atom.value
        memory = re.match(r"\s*(?:of\s|\[)*", tail) and MEMORY.match(
            tail.lstrip(" [").removeprefix("of ").lstrip(" [")
        )
        network = _NETWORK.search(near)
        generation = value in (2, 3, 4, 5, 6) and word == "G"  # of mobile networks
        generation = generation and t.low[max(0, atom.number - 2) : atom.number] not in _SET_TO
        if generation and not memory and not _PORT.match(tail) and (network or not MEMORY.search(near)):
            return j
        rate = not memory and (value in _SPEEDS[word] or (network and not MEMORY.search(near)))
        prefix = "giga" if word == "G" else "tera"
        atom.unit = f"{prefix}bit/second" if rate else f"{prefix}byte"
        return j + 1
    return j
