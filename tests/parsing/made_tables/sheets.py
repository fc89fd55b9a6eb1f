"""The logical tables of made papers: column paths, row paths and values, before anything is set."""

import random
from dataclasses import dataclass, replace

from .plan import Plan
from .values import Scale, Value, emphasised, number

METHODS = (
    "PPO", "A2C", "SAC", "TD3", "DQN", "Rainbow", "IMPALA", "DreamerV2", "MuZero", "REINFORCE", "ResNet-50", "ViT-B/16",
    "DenseNet-121", "EfficientNet-B0", "BERT-base", "RoBERTa-large", "T5-small", "GPT-2", "LSTM", "Transformer-XL",
    "Random search", "Grid search", "BOHB", "Hyperband", "SimCLR", "MoCo v2", "BYOL", "Mean teacher", "Pseudo-label",
    "FixMatch", "Logistic regression", "Random forest", "XGBoost", "Ours", "Ours (small)", "Ours w/o pre-training",
    "+ data augmentation", "+ label smoothing", "w/o attention", "Full model", "SGD", "Adam", "AdamW", "k-NN", "SVM",
)  # fmt: skip
LONG_METHODS = (
    "Hierarchical transformer with relative attention and shared weights",
    "Ours without the auxiliary contrastive loss",
    "Deep ensembles of five independently trained networks", "Recurrent policy with distributional value head",
    "Pre-trained encoder, frozen, with linear probe on top", "Prioritised replay and multi-step returns",
    "Graph convolution over the dependency parse", "Self-training on pseudo-labels of the teacher",
    "Full model", "PPO baseline", "Majority class",
)  # fmt: skip
DATASETS = (
    "CIFAR-10", "CIFAR-100", "ImageNet", "SVHN", "MNIST", "SST-2", "MNLI", "QQP", "QNLI", "CoLA", "SQuAD", "HotpotQA",
    "WikiText-103", "PTB", "LibriSpeech", "COCO", "ADE20K", "Cityscapes", "Hopper", "Walker2d", "Ant", "HalfCheetah",
    "Humanoid", "Pong", "Breakout", "Seaquest", "GSM8K", "MATH", "HumanEval", "ARC-c", "Maze", "Chain",
)  # fmt: skip
METRICS = (
    "Acc.", "F1", "Precision", "Recall", "AUC", "BLEU", "ROUGE-L", "NLL", "ECE", "Brier", "mAP", "mIoU", "Return",
    "Regret", "FID", "IS", "PSNR", "SSIM", "EM", "Pass@1", "MAE", "RMSE", "Top-1", "Top-5", "CER", "WER",
)  # fmt: skip
LONG_HEADERS = (
    "Mean episodic return", "Wall-clock time to solve", "Expected calibration error", "Sample efficiency at 100k steps",
    "Top-1 accuracy on the test set", "Area under the curve", "Normalised human score", "Number of parameters",
)  # fmt: skip
OVER = ("In-domain", "Out-of-domain", "Seen classes", "Unseen classes", "Low data", "Full data", "Clean", "Corrupted")
GROUPS = (
    "Model-free methods", "Model-based methods", "Supervised", "Self-supervised", "Convolutional networks",
    "Transformers", "Zero-shot", "Fine-tuned", "Without augmentation", "With augmentation", "Single model", "Ensembles",
    "Small models (< 100M)", "Open weights", "Trained for 100 epochs",
)  # fmt: skip
OUTER = ("CIFAR-10", "ImageNet", "GLUE", "Atari", "MuJoCo", "ResNet-18", "Base", "Large", "LSTM", "Offline", "Online")
NUMBERS = (
    ("1", "5", "10", "20", "50", "100"), ("0.1", "0.2", "0.5", "0.8", "0.9", "0.99"), ("2", "4", "8", "16", "32", "64"),
    ("10%", "20%", "30%", "50%", "80%", "100%"), ("10³", "10⁴", "10⁵", "10⁶", "10⁷", "10⁸"),
)  # fmt: skip
TITLES = ("Number of labels", "Training steps", "Noise level", "Batch size", "Context length", "Top-k")
CORNERS = ("Method", "Model", "Algorithm", "Approach", "System", "Variant")
SCALES = (Scale(10, 99, 1), Scale(10, 99, 2), Scale(0.1, 0.99, 3), Scale(100, 990, 1), Scale(0.3, 9.9, 2))
UNITS: tuple[tuple[str, str, str | None, str | None], ...] = (
    ("Acc.", "%", "%", None), ("Latency", "ms", "ms", None), ("Memory", "GB", "GB", None), ("Time", "h", "h", None),
    ("Params", "M", None, "1000000"), ("FLOPs", "×10⁹", None, "1000000000"), ("Error", "%", "%", None),
    ("Energy", "kWh", "kWh", None), ("Throughput", "img/s", "img/s", None), ("Runtime", "s", "s", None),
    ("Steps", "×10³", None, "1000"), ("WER", "%", "%", None), ("Samples", "K", None, "1000"),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Column:
    """A column of values: its headers from outer to inner; the unit that its header prints, and what it means."""

    path: tuple[str, ...]
    printed_unit: str = ""
    unit: str | None = None
    multiplier: str | None = None


@dataclass(frozen=True, slots=True)
class Row:
    """A row: the group above it, its labels from outer to inner, its values."""

    group: str | None
    labels: tuple[str, ...]
    values: tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class Sheet:
    """One grid: names of its label columns, columns, rows; a second header and its rows where it goes on with one."""

    corners: tuple[str, ...]
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    then: "Sheet | None" = None


def sheet_of(draw: random.Random, plan: Plan) -> Sheet:
    """A table with the structure of the plan and values drawn at random."""
    columns = _columns(draw, plan)
    rows = _rows(draw, plan, len(columns))
    corners = ("Setting", draw.choice(CORNERS)) if plan.stub == 2 else (draw.choice(CORNERS),)
    if plan.corner == "empty":
        corners = ("",) * plan.stub
    sheet = Sheet(corners, columns, rows)
    if plan.arrangement != "stacked":
        return sheet
    again = replace(plan, arrangement="single")
    below = sheet_of(draw, again)
    while set(below.columns) & set(columns) or len(below.columns) != len(columns):
        below = sheet_of(draw, again)
    return replace(sheet, then=replace(below, corners=corners))


def _columns(draw: random.Random, plan: Plan) -> tuple[Column, ...]:
    wanted = {"narrow": (2, 3), "usual": (3, 5), "wide": (6, 8), "very wide": (12, 14)}[plan.width]
    count = draw.randint(*wanted)
    if plan.wrap == "header":
        return tuple(Column((name,)) for name in draw.sample(LONG_HEADERS, min(count, 5)))
    if plan.names == "units":
        return _with_units(draw, plan, count)
    if plan.names == "years":
        first = draw.randint(2012, 2018)
        return tuple(Column((str(first + i),)) for i in range(count))
    if plan.names == "numbers":
        names = draw.choice(NUMBERS)
        if plan.levels == 1:
            return tuple(Column((name,)) for name in names[: min(count, 6)])
        tops = draw.sample(TITLES, 2)
        return tuple(Column((top, name)) for top in tops for name in names[: max(2, min(count // 2, 4))])
    if plan.levels == 1:
        source = DATASETS if draw.random() < 0.5 else METRICS
        return tuple(Column((name,)) for name in draw.sample(source, min(count, len(source))))
    return _levelled(draw, plan, count)


def _levelled(draw: random.Random, plan: Plan, count: int) -> tuple[Column, ...]:
    if plan.levels == 3:
        leaves = draw.sample(METRICS, 2)
        middle = draw.sample(DATASETS, 4)
        tops = draw.sample(OVER, 2)
        return tuple(Column((tops[i // 2], middle[i], leaf)) for i in range(4) for leaf in leaves)
    tops = draw.sample(DATASETS if draw.random() < 0.6 else OVER, max(2, min(4, count // 2)))
    each = 2 if count < 9 else 3
    leaves = draw.sample(METRICS, each)
    columns = [Column((top, leaf)) for top in tops for leaf in leaves]
    if plan.lone_column:
        lone = Column((draw.choice(("Avg.", "Params", "Mean", "Rank")),))
        columns.insert(0 if draw.random() < 0.3 else len(columns), lone)
    return tuple(columns)


def _with_units(draw: random.Random, plan: Plan, count: int) -> tuple[Column, ...]:
    tops = draw.sample(DATASETS, 2) if plan.levels >= 2 else [""]
    chosen = draw.sample(UNITS, max(2, min(count // len(tops), len(UNITS))))
    return tuple(
        Column((top, name) if top else (name,), printed, unit, multiplier)
        for top in tops
        for name, printed, unit, multiplier in chosen
    )


def _rows(draw: random.Random, plan: Plan, columns: int) -> tuple[Row, ...]:
    count = draw.randint(*{"usual": (4, 7), "long": (34, 44)}[plan.length])
    scales = [draw.choice(SCALES)] * columns if draw.random() < 0.6 else [draw.choice(SCALES) for _ in range(columns)]
    names = list(LONG_METHODS if plan.wrap == "label" else METHODS)
    labels: list[tuple[str | None, tuple[str, ...]]] = []
    if plan.groups == "none" and plan.stub == 1:
        labels = [(None, (name,)) for name in draw.sample(names, min(count, len(names)))]
    else:
        groups = draw.sample(GROUPS, max(2, min(count // 4, 4))) if plan.groups != "none" else [None]
        outers = draw.sample(OUTER, max(2, min(count // 3, 4))) if plan.stub == 2 else [None]
        inner = draw.sample(names, max(2, min(4, count // (len(groups) * len(outers)) + 1)))
        for group in groups:
            for outer in outers:
                each = inner if outer is not None or draw.random() < 0.5 else draw.sample(names, len(inner))
                labels += [(group, (name,) if outer is None else (outer, name)) for name in each]
    grid = [[number(draw, plan, scales[c]) for c in range(columns)] for _ in labels]
    marked = [_emphasised(draw, plan, [row[c] for row in grid]) for c in range(columns)]
    return tuple(
        Row(group, path, tuple(marked[c][r] for c in range(columns))) for r, (group, path) in enumerate(labels)
    )


def _emphasised(draw: random.Random, plan: Plan, column: list[Value]) -> list[Value]:
    if not plan.emphasis:
        return column
    order = draw.sample(range(len(column)), len(column))
    return [emphasised(draw, plan, value, order[i]) for i, value in enumerate(column)]
