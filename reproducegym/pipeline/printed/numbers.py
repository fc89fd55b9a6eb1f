"""Reads numbers as papers print them; the only number reader of the house."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache

__all__ = ["Number", "read_number", "read_numbers", "spellings"]


@dataclass(frozen=True)
class Number:
    """One printed number: `text` is `source[start:end]`, spread and unit included.

    `unit` is `""`, `%`, `pp` (percentage points), `×` (a ratio), or a unit of time or size glued to the digits.
    `resolution` is one unit of the last printed digit, scaled like the value (100 for `1.2k`).
    `spread` is the printed uncertainty in the same unit (half the width of a printed interval).
    """

    value: Decimal
    unit: str
    resolution: Decimal
    spread: Decimal | None
    text: str
    start: int
    end: int


_MINUS = "-−–‐‑﹣－"
_SUPERSCRIPT = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺", "0123456789-+")
_MAX_DIGITS = 24
_SCALE = {"": 0, "k": 3, "K": 3, "M": 6, "B": 9, "thousand": 3, "million": 6, "billion": 9}

_DIGITS = r"(?:\d{1,3}(?:,\d{3})+(?!\d)|\d{1,3}(?:[\u2009\u202f]\d{3})+(?!\d)|\d+)(?:\.\d+)?|(?<!\d)\.\d+"
_POWER = (
    rf"10(?:\^\s?\{{?\s?[{_MINUS}+]?\s?\d{{1,3}}\s?\}}?|\*\*[{_MINUS}+]?\d{{1,3}}|[⁻⁺]?[⁰¹²³⁴⁵⁶⁷⁸⁹]{{1,3}}"
    r"|−\d{1,2})"
)
_FLAT_POWER = rf"10(?:[{_MINUS}]\d{{1,2}}|(?!24(?!\d))[1-9]\d?)(?![\d.,]*\d|\s?%)"
_TIMES = r"(?:[×x*·⋅∙]|\\times|\\cdot)"
_SCALES = (
    rf"(?:[eE][{_MINUS}+]?\d{{1,3}}|\s?{_TIMES}\s?(?:{_POWER}|{_FLAT_POWER})|[kKMB](?![\w])"
    r"|\s(?:thousand|million|billion)\b)"
)
_UNITS = (
    r"(?:\s?\\?%(?:\s?-?(?:age\s)?points?\b)?|\s(?:percentage|percent|per\scent)(?:[\s-]points?)?\b|\s?pp\b"
    r"|\s?(?:ms|min|GB|MB|KB|TB|GiB|MiB)\b|\s?[sh](?![\w'’-])|\s?[×xX](?!\s?\d)(?![\w]))"
)


def _one(name: str) -> str:
    return (
        rf"(?P<{name}sign>[{_MINUS}+]?)(?P<{name}digits>{_DIGITS})(?P<{name}scale>{_SCALES})?(?P<{name}unit>{_UNITS})?"
    )


_PLUS_MINUS = r"(?:±|\+/[-−–]|\$?\s?\\pm\s?\$?)"
_NUMBER = re.compile(
    rf"""
      (?P<open>\()\s?(?P<osign>[{_MINUS}+]?)(?P<odigits>{_DIGITS})\s?{_PLUS_MINUS}\s?(?P<ospread>{_DIGITS})\s?\)
        (?P<oscale>{_SCALES})?(?P<ounit>{_UNITS})?
    | (?P<bare>(?P<bsign>[{_MINUS}+]?){_POWER})(?P<bunit>{_UNITS})?
    | {_one("v")}
      (?: \s?[_^]?\{{?\s?{_PLUS_MINUS}\s?{_one("s")}(?:\s?\}})?
        | \s?\(\s?{_PLUS_MINUS}?\s?{_one("p")}\s?\)
        | \s?\[\s?{_one("l")}\s?[,;]\s?{_one("h")}\s?\]
      )?
    """,
    re.VERBOSE,
)

_LIST = r"(?:\s?(?:,|and|&|to|or|[-–])\s?\(?{item}\)?[a-z]?(?![\w.%]*[\d%]))*"
_WORD_INTEGERS = r"[Tt]ables?|Tabs?\.|[Ff]igures?|Figs?\.?|TABLE|FIGURE|FIG\.|Algorithms?|Alg\.|[Ee]quations?|Eqs?\."
_WORD_SECTIONS = (
    r"[Ss]ections?|[Ss]ecs?\.|Sect\.|§|[Aa]ppendix|[Aa]ppendices|App\.|Chapters?|Theorems?|Lemmas?|Propositions?"
    r"|Corollary|Definitions?|Assumptions?|Remarks?|Examples?|Listings?|[Pp]ages?|pp?\.|Footnotes?|Lines?|Vol\.|No\."
    r"|Step|Steps|Phase|Part|Panel|Version|version|Experiment|Task|Type|Row|Column|Stage|Level|Case|Question|Problem"
)
_YEAR = r"(?:19[5-9]\d|20[0-4]\d)"
_NOT_QUANTITIES = (
    re.compile(rf"\b(?:{_WORD_INTEGERS})\s?\(?\d{{1,3}}\)?[a-z]?(?![\w.]*\d)" + _LIST.format(item=r"\d{1,3}")),
    re.compile(
        rf"(?:\b(?:{_WORD_SECTIONS})|§)\s?\(?(?:[A-Z]\.)?\d{{1,4}}(?:\.\d+)*\)?"
        + _LIST.format(item=r"(?:[A-Z]\.)?\d{1,3}(?:\.\d+)+")
    ),
    re.compile(r"\[\s?\d{1,3}(?:\s?[,;–-]\s?\d{1,3})*\s?\]"),
    re.compile(
        r"(?:\bet\s?al\.?,?\s?[(\[]?|[A-Z][\w’'-]+(?:,\s?|\s?[(\[])|\b[A-Z]{3,}[\w-]*\s|\b[A-Z][a-z]{2,8}\s(?=\d{4}\s?[.,;)]))"
        rf"{_YEAR}[a-z]?(?:\s?[,;]\s?{_YEAR}[a-z]?(?=\s?[,;)\]]))*(?![\d.,]*\d|\s?%)"
    ),
    re.compile(rf"\(\s?{_YEAR}[a-z]?\s?\)"),
    re.compile(rf"\b(?:[Ii]n|[Ss]ince|[Uu]ntil|[Bb]efore|[Aa]fter)\s{_YEAR}(?=\s?[.,;:)]|\s?$)"),
    re.compile(r"(?<![\w.,:±-])\d{1,2}:(?=\s+[A-Za-z])"),
    re.compile(r"\barXiv:?\s?\d+\.\d+(?:v\d+)?", re.IGNORECASE),
    re.compile(r"\bhttps?://\S+|\bdoi:?\s?\S+|\b\d+\.\d+\.\d+(?:\.\d+)*\b"),
    re.compile(r"\b\d+(?:\s?[×x]\s?\d+)+(?![\d.^⁻⁰¹²³⁴⁵⁶⁷⁸⁹])(?!\s?%)"),
)
_POWER_OF_TEN = re.compile(rf"{_TIMES}\s?10[^\d\s.,)]")
_INTERVAL_BEFORE = re.compile(r"\d{4,}\s?$")


@lru_cache(maxsize=8192)
def read_numbers(text: str) -> tuple[Number, ...]:
    """All quantities printed in a text, in order.

    Names that hold digits (UCB1, Qwen2.5-7B, 5-fold), references (Table 3, Section 4.1, [9]), years of citations,
    versions and dimensions (256×256) are not quantities.
    """
    seen = _without_names(text)
    return tuple(number for match in _NUMBER.finditer(seen) for number in _numbers_of(match, text))


def read_number(text: str) -> Number | None:
    """The one number that a whole string (a table cell) is, marks and emphasis aside; None for anything else."""
    start, end = _without_marks(text)
    core = text[start:end]
    found = read_numbers(core)
    if len(found) != 1 or found[0].start != 0 or found[0].end != len(core):
        return None
    one = found[0]
    return Number(one.value, one.unit, one.resolution, one.spread, one.text, start, end)


def spellings(value: Decimal, unit: str) -> frozenset[str]:
    """All ways to write a quantity that a leak scan looks for: unit changes, trailing zeros, exponents, separators.

    A negative one also without its sign, since prose says "falls by 0.3".
    """
    scales = [Decimal(1)]
    if unit in {"%", "pp"}:
        scales.append(Decimal("0.01"))
    elif unit in {"", "×"} and abs(value) <= 1:
        scales.append(Decimal(100))
    found: set[str] = set()
    for scale in scales:
        scaled = value * scale
        for digits in _plain_spellings(abs(scaled)):
            for sign in ("",) if scaled >= 0 else ("", "-", "−", "–"):
                found.add(sign + digits)
                if digits[-1].isdigit() and (scale == 1) == (unit in {"%", "pp"}) and not set(digits) & set("eE×"):
                    found.update({f"{sign}{digits}%", f"{sign}{digits} %"})
                if unit == "×" and scale == 1:
                    found.update({f"{sign}{digits}×", f"{sign}{digits}x"})
    return frozenset(found)


def _without_names(text: str) -> str:
    """The text with everything that is no quantity blanked out, every other character at its place."""
    blanked = list(text)
    for pattern in _NOT_QUANTITIES:
        for match in pattern.finditer(text):
            interval = match.group().startswith("[") and _INTERVAL_BEFORE.search(text, 0, match.start())
            if not _POWER_OF_TEN.search(match.group()) and not interval:
                blanked[match.start() : match.end()] = "\0" * (match.end() - match.start())
    return "".join(blanked)


def _plain_spellings(value: Decimal) -> Iterator[str]:
    plain = format(value.normalize(), "f")
    yield plain
    whole, _, fraction = plain.partition(".")
    yield f"{whole}.{fraction}0"
    if not fraction:
        yield f"{whole}.00"
    if whole == "0" and fraction:
        yield f".{fraction}"
        yield f".{fraction}0"
    if len(whole) > 3:
        grouped = f"{int(whole):,}"
        yield grouped + (f".{fraction}" if fraction else "")
    if value:
        exponent = value.adjusted()
        mantissa = format(value.scaleb(-exponent).normalize(), "f")
        for printed in (f"{exponent}", f"{exponent:+03d}", f"{exponent:+d}"):
            yield f"{mantissa}e{printed}"
            yield f"{mantissa}E{printed}"
        yield f"{mantissa}×10^{exponent}"
        yield f"{mantissa} × 10^{exponent}"
    for suffix, power in (("k", 3), ("K", 3), ("M", 6), ("B", 9)):
        if value >= Decimal(1).scaleb(power):
            yield format(value.scaleb(-power).normalize(), "f") + suffix


_LEADING_MARKS = re.compile(
    r"(?:[\s*†‡§¶+↑↓~≈_`$]|\\(?:textbf|underline|mathbf|bf)\{?)*(?=[\s]*[(\[]?[-−–‐‑﹣－+]?\.?\d)"
)
_TRAILING_MARKS = re.compile(
    r"(?:\s|[*†‡§¶_`$↑↓•⋆★◦]|\^\{?[*†‡§¶a-z]\}?|(?<=[*†‡§¶\d%])[ᵃᵇᶜᵈ]|(?<=\d)\s?\((?:ours|best|\*|†)\)|\})*$"
)


def _without_marks(text: str) -> tuple[int, int]:
    leading = _LEADING_MARKS.match(text)
    start = leading.end() if leading else 0
    while start > 0 and text[start - 1] in "+" + _MINUS:
        start -= 1
    trailing = _TRAILING_MARKS.search(text, start)
    end = trailing.start() if trailing else len(text)
    if text[start:end].count("{") > text[start:end].count("}") and text[end : end + 1] == "}":
        end += 1
    return start, end


def _numbers_of(match: re.Match[str], text: str) -> Iterator[Number]:
    """The number of one match, or two where a bracket after it is another number and no spread of it."""
    if match["open"]:
        yield from _guarded(_grouped(match), text)
        return
    if match["bare"]:
        yield from _guarded(_bare_power(match), text)
        return
    first = _plain(match, "v")
    if first is None:
        return
    if match["sdigits"] is not None:
        second = _plain(match, "s")
        if second is not None:
            yield from _guarded(_with_plus_minus(match, first, second), text)
        return
    others = [other for name in "plh" if match[f"{name}digits"] is not None for other in [_plain(match, name)] if other]
    spread = _bracket_spread(match, first, others)
    if spread is not None:
        joined = Number(first.value, first.unit, first.resolution, spread, match.group(), match.start(), match.end())
        yield from _guarded(joined, text)
        return
    for number in (first, *others):
        yield from _guarded(number, text)


def _guarded(number: Number | None, text: str) -> Iterator[Number]:
    """The number itself unless its neighbours make it part of a name."""
    if number is None:
        return
    trimmed = _without_joining_sign(number, text)
    if _left_is_free(trimmed, text) and _right_is_free(trimmed, text):
        yield trimmed


def _without_joining_sign(number: Number, text: str) -> Number:
    """In "100-200" and "5 – 3" the dash is no sign; after a letter ("ResNet-50") it keeps the name together."""
    if not number.text or number.text[0] not in _MINUS or number.start == 0:
        return number
    before = text[number.start - 1]
    if not (before.isalnum() or before in ")]%_"):
        return number
    return Number(
        -number.value, number.unit, number.resolution, number.spread, number.text[1:], number.start + 1, number.end
    )


def _left_is_free(number: Number, text: str) -> bool:
    if number.start == 0:
        return True
    before = text[: number.start]
    last = before[-1]
    if last.isalpha() and last not in "×":
        return False
    if last.isdigit() or last in "^#":
        return False
    if last in _MINUS:
        return bool(_RANGE_START.search(before))
    if last in "._":
        return len(before) < 2 or not before[-2].isalnum()
    if last == "{":
        return not before.endswith(("^{", "_{"))
    return last != "×" or len(before) < 2 or not before[-2].isdigit()


_RANGE_START = re.compile(rf"(?:(?:^|[\s(\[~≈=,;:])[{_MINUS}]?\.?\d[\d.,]*[kKMB%×]?|[)\]%\s]|^)\s?[{_MINUS}]$")
_COUNTED = re.compile(
    rf"[{_MINUS}](?:points?|percent|percentage|times|steps?|episodes?|epochs?|seeds?|runs?|trials?|iterations?|hours?)\b"
)


def _right_is_free(number: Number, text: str) -> bool:
    after = text[number.end :]
    if not after:
        return True
    if after[0].isalnum() and after[0] not in "²³¹⁰⁴⁵⁶⁷⁸⁹":
        return False
    if after[0] in _MINUS and len(after) > 1 and after[1].isalpha():
        return number.unit == "%" or bool(_COUNTED.match(after))
    if after[0] == "_" and len(after) > 1 and after[1].isalnum():
        return False
    return not (after[0] == "." and len(after) > 1 and after[1].isdigit())


def _plain(match: re.Match[str], name: str) -> Number | None:
    digits = match[f"{name}digits"]
    value = _decimal(match[f"{name}sign"], digits)
    if value is None:
        return None
    scale = match[f"{name}scale"] or ""
    power = _power(scale)
    unit = match[f"{name}unit"] or ""
    start = match.start(f"{name}sign")
    end = match.end(f"{name}digits") + len(scale) + len(unit)
    return Number(
        _flat(value.scaleb(power)), _unit(unit), _resolution(digits, power), None, match.string[start:end], start, end
    )


def _grouped(match: re.Match[str]) -> Number | None:
    """`(4.7 ± 0.1) × 10⁻³`; without a scale or unit after it, the parentheses are not part of the number."""
    value = _decimal(match["osign"], match["odigits"])
    spread = _decimal("", match["ospread"])
    if value is None or spread is None:
        return None
    power = _power(match["oscale"] or "")
    scaled = match["oscale"] or match["ounit"]
    start = match.start() if scaled else match.start("osign")
    end = match.end() if scaled else match.end("ospread")
    return Number(
        _flat(value.scaleb(power)),
        _unit(match["ounit"] or ""),
        _resolution(match["odigits"], power),
        _flat(spread.scaleb(power)),
        match.string[start:end],
        start,
        end,
    )


def _bare_power(match: re.Match[str]) -> Number:
    """`10^18`: the mantissa is 1."""
    power = _exponent(match["bare"].lstrip("+" + _MINUS)[2:])
    sign = -1 if match["bsign"] and match["bsign"] in _MINUS else 1
    size = _flat(Decimal(1).scaleb(power))
    return Number(sign * size, _unit(match["bunit"] or ""), size, None, match.group(), match.start(), match.end())


def _with_plus_minus(match: re.Match[str], first: Number, second: Number) -> Number:
    """A scale or unit printed only once, after the spread, belongs to both."""
    power = _power(match["sscale"] or "") if match["sscale"] and not match["vscale"] else 0
    return Number(
        _flat(first.value.scaleb(power)),
        first.unit or second.unit,
        _flat(first.resolution.scaleb(power)),
        abs(second.value),
        match.group(),
        match.start(),
        match.end(),
    )


def _bracket_spread(match: re.Match[str], first: Number, others: list[Number]) -> Decimal | None:
    """`47.3 (0.4)` and `47.3 [45.1, 49.2]`, where the bracket can be a spread of the number and nothing else."""
    if len(others) == 1:
        (inside,) = others
        unsigned = match["psign"] == "" and (inside.unit in {"", first.unit})
        decimals = "." in match["pdigits"] and inside.resolution == first.resolution
        return inside.value if unsigned and decimals and inside.value < abs(first.value) / 2 else None
    if len(others) == 2:
        low, high = others
        printed_finely = "." in low.text or "." in high.text or abs(high.value) >= 1000
        if low.value <= first.value <= high.value and low.value < high.value and printed_finely:
            return (high.value - low.value) / 2
    return None


def _decimal(sign: str, digits: str) -> Decimal | None:
    bare = re.sub(r"[,\u2009\u202f]", "", digits)
    if len(bare) > _MAX_DIGITS:
        return None
    value = Decimal("0" + bare if bare.startswith(".") else bare)
    return -value if sign and sign in _MINUS else value


def _power(scale: str) -> int:
    stripped = scale.strip()
    if stripped in _SCALE:
        return _SCALE[stripped]
    if stripped[0] in "eE":
        return _exponent(stripped[1:])
    return _exponent(re.sub(rf"^{_TIMES}\s?10", "", stripped))


def _exponent(text: str) -> int:
    bare = re.sub(r"[\s^{}*]", "", text.translate(_SUPERSCRIPT))
    return int(re.sub(rf"^[{_MINUS}]", "-", bare))


def _resolution(digits: str, power: int) -> Decimal:
    _, _, fraction = digits.partition(".")
    return _flat(Decimal(1).scaleb(power - len(fraction)))


def _flat(value: Decimal) -> Decimal:
    """Without a positive exponent, so that values print as plain digits."""
    return Decimal(format(value, "f"))


def _unit(text: str) -> str:
    bare = text.strip().lstrip("\\")
    if bare in {"", "s", "h", "ms", "min", "GB", "MB", "KB", "TB", "GiB", "MiB", "pp"}:
        return bare
    if bare in {"×", "x", "X"}:
        return "×"
    return "pp" if "point" in bare or bare == "percentage" else "%"
