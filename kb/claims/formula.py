"""Our own calculations: a small grammar over claims, numbers and units, read without `eval`.

    sum     = product { (+ | -) product }
    product = sign { (* | /) sign }
    sign    = [-] atom
    atom    = number [unit] | {claim} [.high] | function ( sum {, sum} ) | ( sum )

Values carry their units; a count, ratio, multiple or fraction is a plain number.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache

from kb.errors import ClaimsError
from kb.quantity import FigureError, Quantity, parse_figure

FUNCTIONS = {"min": (1, 99), "max": (1, 99), "ceil": (1, 1), "floor": (1, 1), "round": (1, 2)}
"""What a formula may call, with the least and most arguments."""

LONGEST = 2000  # characters; no calculation that a person can check is longer
_DEEPEST = 50
_REACH = 30  # powers of ten


class FormulaError(ClaimsError):
    """A formula that cannot be read or computed; `facts` has `at` (offset), `remedy` and `rule`."""

    def __init__(self, message: str, **facts: object) -> None:
        super().__init__(message, **facts)
        self.at = int(str(facts.get("at", 0)))
        self.remedy = str(facts.get("remedy", ""))
        self.rule = str(facts.get("rule", "bad-formula"))


@dataclass(frozen=True, slots=True)
class Literal:
    """A number, with its unit where it has one."""

    quantity: Quantity
    text: str


@dataclass(frozen=True, slots=True)
class Ref:
    """Another claim's figure; `high` asks for the upper end of a range."""

    id: str
    high: bool


@dataclass(frozen=True, slots=True)
class Operation:
    """Two terms and what is done with them."""

    sign: str
    left: Term
    right: Term


@dataclass(frozen=True, slots=True)
class Minus:
    """A term with its sign changed."""

    term: Term


@dataclass(frozen=True, slots=True)
class Call:
    """A function of terms."""

    name: str
    arguments: tuple[Term, ...]


Term = Literal | Ref | Operation | Minus | Call

_REF = re.compile(r"\{([^{}]*)\}")
_TOKEN = re.compile(
    r"""\s*(?:
      \{(?P<ref>[^{}]*)\}(?P<high>\s*\.\s*high\b)?
    | (?P<function>[A-Za-z_]\w*)\s*(?=\()
    | (?P<number>[$€£¥]?\s?(?:(?:\d{1,3}(?:,\d{3})+(?!\d)|\d+)(?:\.\d+)?|\.\d+)(?:[eE][+-]?\d+\b)?)
      (?P<unit>
        (?:\s*(?:thousand|million|billion|trillion)\b)?
        (?:\s*%
          |\s*[^\W\d_]\w*(?:-[^\W\d_]\w*)*(?:/[^\W\d_]\w*(?!\w*\s*\())?
          |/[^\W\d_]\w*(?!\w*\s*\())?
      )
    | (?P<sign>[-+*/(),])
    )""",
    re.VERBOSE,
)
_MEANT = {"×": "*", "x": "*", "÷": "/", ":": "/", "−": "-", "–": "-", "^": "*", "[": "(", "]": ")", ";": ","}


def full_formula(formula: str, file: str) -> str:
    """The formula with each claim's id in full; `file` is the id of the source that it stands in."""

    def full(match: re.Match[str]) -> str:
        name = match[1].strip()
        if name.count(".") == 2 and name.endswith(".high"):
            return "{" + name.removesuffix(".high") + "}.high"
        return "{" + (name if "." in name else f"{file}.{name}") + "}"

    return _REF.sub(full, formula)


@lru_cache(8192)
def formula_inputs(formula: str) -> tuple[str, ...]:
    """The ids that a formula names, each once, in order."""
    return tuple(dict.fromkeys(m[1].strip() for m in _REF.finditer(formula)))


@lru_cache(8192)
def parse_formula(formula: str) -> Term:
    """Read a formula.

    Raises:
        FormulaError: it is none; the message says where and what would be right.
    """
    if len(formula) > LONGEST:
        raise FormulaError("the formula is too long to be checked", remedy="split it into several claims")
    return _Parser(formula).read()


class _Parser:
    def __init__(self, formula: str) -> None:
        self.formula = formula
        self.tokens: list[tuple[re.Match[str], int]] = []
        self.next = 0
        self.calls = 0  # brackets of functions that are open: there a comma separates
        self.depth = 0
        at = 0
        end = len(formula.rstrip())
        while at < end:
            match = _TOKEN.match(formula, at)
            if not match:
                raise self.strange(at)
            self.tokens.append((match, match.end() - len(match[0].lstrip())))
            at = match.end()

    def strange(self, at: int) -> FormulaError:
        at += len(self.formula[at:]) - len(self.formula[at:].lstrip())
        rest = self.formula[at:]
        if rest[0] in "{}":
            return FormulaError(
                "a brace is not closed" if rest[0] == "{" else "a brace closes nothing",
                at=at,
                remedy="write claims as {source.claim}",
            )
        word = re.match(r"[\w.-]+", rest)
        if word and rest[0] not in _MEANT:
            return FormulaError(
                f'"{word[0]}" means nothing in a formula', at=at, remedy="write claims as {source.claim}"
            )
        meant = _MEANT.get(rest[0])
        remedy = f'write "{meant}"' if meant else "it knows + - * / ( ) min max ceil floor round"
        return FormulaError(f'"{rest[0]}" means nothing in a formula', at=at, remedy=remedy)

    def read(self) -> Term:
        if not self.tokens:
            raise FormulaError("the formula is empty", remedy="write a calculation, as in {a.b} / 8")
        term = self.sum()
        if self.next < len(self.tokens):
            raise self.unexpected()
        return term

    def peek(self) -> str:
        """The sign at hand, or "" for anything else."""
        return (self.tokens[self.next][0]["sign"] or "") if self.next < len(self.tokens) else ""

    def unexpected(self) -> FormulaError:
        if self.next >= len(self.tokens):
            return FormulaError(
                "the formula ends where a value should stand", at=len(self.formula), remedy="complete it"
            )
        match, at = self.tokens[self.next]
        text = match[0].strip()
        if text in (")", ","):
            remedy = "leave it out, or open a bracket before it"
        elif match["sign"]:
            remedy = "a value should stand before it"
        else:
            remedy = "a sign (+ - * /) should stand before it"
        return FormulaError(f'"{text}" is out of place', at=at, remedy=remedy)

    def expect(self, sign: str) -> None:
        if self.peek() != sign:
            if self.next >= len(self.tokens):
                raise FormulaError("a bracket is not closed", at=len(self.formula), remedy='add ")"')
            raise self.unexpected()
        self.next += 1

    def sum(self) -> Term:
        self.depth += 1
        if self.depth > _DEEPEST:
            raise FormulaError("the formula is nested too deep", remedy="split it into several claims")
        left = self.product()
        while (sign := self.peek()) in ("+", "-"):
            self.next += 1
            left = Operation(sign, left, self.product())
        self.depth -= 1
        return left

    def product(self) -> Term:
        left = self.sign()
        while (sign := self.peek()) in ("*", "/"):
            self.next += 1
            left = Operation(sign, left, self.sign())
        return left

    def sign(self) -> Term:
        minus = False
        while self.peek() == "-":
            self.next += 1
            minus = not minus
        term = self.atom()
        return Minus(term) if minus else term

    def atom(self) -> Term:
        if self.next >= len(self.tokens):
            raise self.unexpected()
        match, at = self.tokens[self.next]
        if match["sign"] == "(":
            self.next += 1
            calls, self.calls = self.calls, 0
            term = self.sum()
            self.calls = calls
            self.expect(")")
            return term
        if match["sign"]:
            raise self.unexpected()
        self.next += 1
        if match["ref"] is not None:
            return Ref(self.id(match["ref"].strip(), at), bool(match["high"]))
        if match["function"]:
            return self.call(match["function"], at)
        return self.literal(match, at)

    def id(self, name: str, at: int) -> str:
        if not re.fullmatch(r"[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)?", name):
            raise FormulaError(f'"{{{name}}}" names no claim', at=at, remedy="write {source.claim}")
        return name

    def call(self, name: str, at: int) -> Term:
        limits = FUNCTIONS.get(name)
        if not limits:
            raise FormulaError(
                f'"{name}" is no function', at=at, remedy=f"the functions are {' '.join(FUNCTIONS)}"
            )
        self.expect("(")
        self.calls += 1
        arguments = [self.sum()]
        while self.peek() == ",":
            self.next += 1
            arguments.append(self.sum())
        self.expect(")")
        self.calls -= 1
        if not limits[0] <= len(arguments) <= limits[1]:
            raise FormulaError(
                f"{name} has {len(arguments)} values", at=at, remedy=f"it takes {limits[1]} at most"
            )
        return Call(name, tuple(arguments))

    def literal(self, match: re.Match[str], at: int) -> Term:
        number, unit = match["number"], (match["unit"] or "").strip()
        if "," in number and self.calls:
            raise FormulaError(
                f'"{number}" may be one number or several',
                at=at,
                remedy=f'write "{number.replace(",", "")}" or "{number.replace(",", ", ")}"',
            )
        if not unit and number[0] not in "$€£¥":
            plain = Decimal(number.replace(",", ""))
            if abs(plain.adjusted()) > _REACH:
                raise FormulaError(f'"{number}" is out of reach', at=at, remedy="30 digits are enough")
            return Literal(Quantity(plain, None, "number", text=number, end=len(number)), number)
        text = f"{number.replace(',', '')}{'' if unit.startswith('/') else ' '}{unit}".strip()
        try:
            quantity = parse_figure(_decimal(text))
        except FigureError as error:
            what, _, remedy = str(error).partition("; ")
            raise FormulaError(what, at=at, remedy=remedy, rule="unknown-unit") from None
        return Literal(quantity, f"{number}{'' if unit.startswith(('/', '%')) else ' '}{unit}".strip())


def _decimal(text: str) -> str:
    """`1e12 byte` written out, as people's figures are."""
    match = re.match(r"([$€£¥]?\s?)([\d.]+)([eE][+-]?\d+)(.*)", text)
    if not match:
        return text
    if abs(int(match[3][1:])) > _REACH:
        raise FormulaError(f'"{match[2]}{match[3]}" is out of reach', remedy="30 digits are enough")
    return f"{match[1]}{Decimal(match[2] + match[3]):f}{match[4]}"
