"""The words by which papers speak of metrics, set-ups, comparisons and sections; every vocabulary of the rules."""

import re
from dataclasses import dataclass
from typing import Literal

from reproducegym.schema.claim import Direction, MetricKind

__all__ = [
    "CARDINALS",
    "MetricWord",
    "SectionRole",
    "claims_something",
    "is_placeholder",
    "is_prose",
    "metric_word",
    "section_role",
    "slug",
]

SectionRole = Literal["abstract", "conclusion", "results", "introduction", "other", "setup", "aside"]

CARDINALS = {
    "two": 2,
    "three": 3,
    "four": 4,
    "five": 5,
    "six": 6,
    "seven": 7,
    "eight": 8,
    "nine": 9,
    "ten": 10,
    "twelve": 12,
    "twenty": 20,
    "fifty": 50,
}

_HIGHER: Direction = "higher_is_better"
_LOWER: Direction = "lower_is_better"


@dataclass(frozen=True)
class MetricWord:
    """A metric as papers name it: `percent` says that its bare numbers above 1 are percentages."""

    name: str
    kind: MetricKind
    direction: Direction | None
    percent: bool = False


_METRICS: tuple[tuple[str, MetricWord], ...] = (
    (r"error rate|misclassification|\bWER\b|\bCER\b|\bEER\b", MetricWord("error rate", "rate", _LOWER, percent=True)),
    (r"failure rate|collision rate|rejection rate", MetricWord("failure rate", "rate", _LOWER, percent=True)),
    (r"optimal (?:pulls|arms?|actions?)", MetricWord("optimal pulls", "rate", _HIGHER, percent=True)),
    (
        r"goals? reached|solved|success(?: rate)?|win[ -]?rate|completion rate",
        MetricWord("success rate", "rate", _HIGHER, percent=True),
    ),
    (
        r"accurac(?:y|ies)|\bacc\b|top-?1|top-?5|exact match|\bEM\b|pass@\d+|avg@\d+|cons@\d+",
        MetricWord("accuracy", "rate", _HIGHER, percent=True),
    ),
    (r"\bF-?1\b|F1-?score|f-?measure|\bF-score", MetricWord("F1", "score", _HIGHER, percent=True)),
    (
        r"\bprecision\b|\brecall\b|specificity|sensitivity|\bAUC\b|AUROC|AUPRC|\bm?AP\b|\bm?IoU\b|\bDice\b",
        MetricWord("precision", "rate", _HIGHER, percent=True),
    ),
    (
        (
            r"\bBLEU\b|ROUGE(?:-?[\dL]+)?|METEOR|chrF|\bCIDEr\b|\bSPICE\b|\bPSNR\b|\bSSIM\b|R2\b|R²"
            r"|NDCG|\bMRR\b|\bNMI\b|\bARI\b|Spearman|Pearson|correlation"
        ),
        MetricWord("score", "score", _HIGHER),
    ),
    (
        r"speed-?ups?|throughput|tokens? per second|frames per second|\bFPS\b",
        MetricWord("throughput", "ratio", _HIGHER),
    ),
    (
        r"perplexity|\bPPL\b|cross-?entropy|\bNLL\b|negative log|\bbits per|\bBPC\b|\bloss\b",
        MetricWord("loss", "loss", _LOWER),
    ),
    (
        r"\bRMSE\b|\bMAE\b|\bMSE\b|\bMAPE\b|\bFID\b|\bLPIPS\b|\bKL\b|squared error|absolute error|\berrors?\b",
        MetricWord("error", "loss", _LOWER),
    ),
    (r"\bregret\b", MetricWord("regret", "loss", _LOWER)),
    (r"\breturns?\b|\brewards?\b|episode score|human-normali[sz]ed", MetricWord("return", "return", _HIGHER)),
    (
        r"wall[- ]?clock|run[- ]?time|latency|training time|inference time|\btime\b|\bseconds\b|\bhours\b",
        MetricWord("time", "time", _LOWER),
    ),
    (
        r"iterations? to|steps to|episodes to|samples to|#\s?iterations|\biterations\b|\bFLOPs?\b|\bFLOPS\b|memory",
        MetricWord("cost", "count", _LOWER),
    ),
    (r"\brates?\b|\bpercentage\b|fraction of|share of|\(%\)|\[%\]", MetricWord("rate", "rate", None, percent=True)),
    (r"\bscores?\b", MetricWord("score", "score", _HIGHER)),
    (r"\blength\b|number of|\bcount\b|#", MetricWord("count", "count", None)),
)
_COMPILED = tuple((re.compile(pattern, re.IGNORECASE), word) for pattern, word in _METRICS)

_ROLES: tuple[tuple[SectionRole, str], ...] = (
    (
        "aside",
        (
            r"related work|background|prior work|previous work|literature|reference|bibliograph"
            r"|acknowledg|broader impact|checklist|ethic|author contribution|preliminar|notation"
            r"|limitation|future work$|reproducibility"
        ),
    ),
    ("abstract", r"^abstract|^summary$"),
    ("conclusion", r"conclu|discussion and|closing|takeaway"),
    (
        "setup",
        (
            r"set-?up|implementation|training details|hyper-?param|architecture|^(?:\w+ )?datasets?$|^data$"
            r"|^method|methodolog|^approach|our (?:method|approach|model)|evaluation protocol|protocol"
            r"|optimi[sz]er|hardware|baselines?$|environments?$|problem (?:statement|formulation)"
            r"|^training$"
        ),
    ),
    (
        "results",
        (
            r"result|experiment|evaluation|ablation|analys[ie]s|discussion|finding|comparison"
            r"|performance|empirical|benchmark|case study|what matters"
        ),
    ),
    ("introduction", r"^introduction|^overview"),
)
_CLAIMING = re.compile(
    (
        r"outperform|surpass|exceed|easier|harder|simpler|advantage|effective|efficien|\bbeat|improv|better|worse|higher|lower|reduc|increas|decreas"
        r"|achiev|reach|attain|state.of.the.art"
        r"|faster|slower|fewer|more .{1,40} than|less .{1,40} than|superior|inferior|compar(?:ed"
        r"|able)|best|worst|significant|gain|\bdrops?\b"
        r"|no (?:notable|significant|measurable) difference|similar|identical|robust|stable"
        r"|we (?:find|show|observe|demonstrate)|help|hurt|raise|\bcuts?\b|match(?:es)?\b"
    ),
    re.IGNORECASE,
)
_ASKS = re.compile(r"\?\s*$|\bwhy (?:is|does|do|are)\b|^(?:how|why|what|which) ", re.IGNORECASE)
_PLACEHOLDER = re.compile(r"\b[XY]{2,}(?:\.X+)?\s?%?|\?\?|\bTBD\b|\bTODO\b")


def metric_word(text: str) -> MetricWord | None:
    """The first metric named in a text, with the paper's own word for it; None when none is."""
    found: list[tuple[int, int, MetricWord]] = []
    for order, (pattern, word) in enumerate(_COMPILED):
        match = pattern.search(text)
        if match:
            named = match.group().strip() if word.kind != "rate" or word.name == "precision" else word.name
            keep = word.name if word.name in {"rate", "cost", "count"} else named
            found.append((order, match.start(), MetricWord(keep, word.kind, word.direction, word.percent)))
    return min(found, key=lambda entry: entry[:2])[2] if found else None


def section_role(title: str) -> SectionRole | None:
    """What kind of section a title heads; None when the title does not say."""
    bare = re.sub(r"^[\dA-Z.]*\d[.\d]*\s+|^[IVX]+\.\s+|^[A-Z]\.\s+", "", title.strip()).strip()
    for role, pattern in _ROLES:
        if re.search(pattern, bare, re.IGNORECASE):
            return role
    return None


def claims_something(text: str) -> bool:
    """Whether a sentence has the words of a finding."""
    return bool(_CLAIMING.search(text))


def is_placeholder(text: str) -> bool:
    """Whether the authors left a blank ("XX%") instead of a number."""
    return bool(_PLACEHOLDER.search(text))


def is_prose(text: str) -> bool:
    """Whether a text is a statement in words: neither a question nor mostly symbols."""
    words = re.findall(r"[^\W\d_]{2,}", text)
    return len(words) >= 6 and 2 * sum(map(len, words)) > len(text.replace(" ", "")) and not _ASKS.search(text)


def slug(text: str) -> str:
    """A name of `[a-z][a-z0-9_]*` for a label; `x` stands before a leading digit."""
    bare = re.sub(r"[^a-z0-9]+", "_", text.casefold()).strip("_") or "x"
    return bare if bare[0].isalpha() else f"x{bare}"
