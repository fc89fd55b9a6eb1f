"""Spells what siunitx prints for numbers and units."""

import re

__all__ = ["spelled_number", "spelled_unit"]

_SUPERSCRIPTS = str.maketrans("0123456789+-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻")
_UNITS = {
    "percent": "%", "second": "s", "milli": "m", "micro": "µ", "nano": "n", "kilo": "k", "mega": "M", "giga": "G",
    "tera": "T", "centi": "c", "deci": "d", "meter": "m", "metre": "m", "gram": "g", "hour": "h", "minute": "min",
    "byte": "B", "bit": "bit", "hertz": "Hz", "watt": "W", "joule": "J", "volt": "V", "per": "/", "degree": "°",
    "degreeCelsius": "°C", "celsius": "°C", "newton": "N", "pascal": "Pa", "day": "d", "ms": "ms", "us": "µs",
    "s": "s", "GB": "GB", "MB": "MB", "kilogram": "kg", "squared": "²", "cubed": "³", "decibel": "dB", "%": "%",
    "px": "px", "fps": "fps", "radian": "rad", "ampere": "A", "kelvin": "K", "liter": "l", "litre": "l", "mole": "mol",
}  # fmt: skip


def spelled_number(text: str) -> str:
    """A number as printed: `1.2e-3` is 1.2 × 10⁻³, `1.2 +- 0.1` is 1.2 ± 0.1; others as they are."""
    shown = text.strip().replace("\\pm", "+-").replace("{", "").replace("}", "")
    shown = re.sub(r"\s*(?:\+-|±)\s*", " ± ", shown)
    match = re.fullmatch(r"(?P<digits>.*?)[eEdD](?P<power>[+-]?\d+)", shown)
    if match:
        power = match["power"].lstrip("+").translate(_SUPERSCRIPTS)
        shown = f"{match['digits']} × 10{power}" if match["digits"] else f"10{power}"
    return re.sub(r"(?<![\d.])-(?=\d)", "−", shown)


def spelled_unit(text: str) -> str:
    """A unit as printed: `\\milli\\second` is ms."""
    return re.sub(r"\\([A-Za-z]+|%)\s*", lambda m: _UNITS.get(m[1], m[1]), text).replace("~", " ").strip()
