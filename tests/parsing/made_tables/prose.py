"""Words around made tables: titles, headings, paragraphs with numbers and references, captions."""

import random

from .plan import Plan

_TITLES = (
    "On the Sample Efficiency of Simple Baselines", "Revisiting Label Noise in Small Benchmarks",
    "Scaling Sparse Attention to Long Documents", "Calibrated Ensembles for Offline Control",
    "A Reproduction of Contrastive Pre-training", "What Matters in Distilling Small Language Models",
)  # fmt: skip
_HEADINGS = (
    ("Introduction", "Background", "Related Work"), ("Experiments", "Results", "Empirical Evaluation", "Main Results"),
    ("Discussion", "Ablations", "Conclusion", "Limitations"),
)  # fmt: skip
_SENTENCES = (
    "We train every model for {n} epochs with a batch size of {m} and report the mean over five seeds.",
    "Table {label} shows that the gap between both methods shrinks as the number of labels grows.",
    "The learning rate is tuned on a held-out set of {m} examples and decayed by a factor of 10 twice.",
    "Our method reaches its best score after {n} thousand updates, which is consistent with earlier findings.",
    "All baselines use the hyperparameters of the original publications unless stated otherwise.",
    "In contrast, the variant without pre-training is unstable and fails on two of the {m} tasks.",
    "Following prior work, we evaluate on the test split and select checkpoints on validation data only.",
    "This suggests that capacity alone does not explain the improvement of {n}.{k} points.",
    "The results in Table {label} are in line with the hypothesis that regularisation matters most.",
    "We use a single GPU with {m} GB of memory; one run takes about {k} hours.",
    "Differences below 0.{k} are within one standard error and should not be over-interpreted.",
    "For completeness, further results with larger models are given in the appendix.",
)
_CAPTIONS = (
    "Comparison of methods on the test sets.", "Main results.", "Performance of all variants; higher is better.",
    "Ablation study of the components of our method.", "Test performance after training.",
    "Results of our re-implementation against reported scores.",
)  # fmt: skip
_MORE = (
    "We report the mean over five runs with different random seeds.",
    "Best results are printed in bold.",
    "All models share the same backbone and are trained for 100 epochs with identical data augmentation.",
    "Baselines marked as such were run by us with the official code and default settings.",
)


def title(draw: random.Random) -> str:
    return draw.choice(_TITLES)


def heading(draw: random.Random, place: int) -> str:
    return draw.choice(_HEADINGS[place])


def paragraph(draw: random.Random, label: str) -> str:
    """Four to seven sentences; some refer to the table."""
    chosen = draw.sample(_SENTENCES, draw.randint(4, 7))
    return " ".join(
        sentence.format(n=draw.randint(10, 90), m=draw.choice((16, 32, 64, 128)), k=draw.randint(1, 9), label=label)
        for sentence in chosen
    )


def caption_text(draw: random.Random, plan: Plan) -> str:
    """The caption without its label; it says the unit where the plan wants so."""
    parts = [draw.choice(_CAPTIONS), *draw.sample(_MORE, plan.caption_length)]
    if plan.units == "caption":
        parts[0] = draw.choice(("Accuracy (%) on the test sets.", "Test error in %.", "Accuracy in percent."))
    if plan.spread == "plain":
        parts.append("± denotes one standard deviation.")
    return " ".join(parts)
