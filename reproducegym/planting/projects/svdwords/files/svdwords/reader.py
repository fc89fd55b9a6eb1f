import pathlib
from collections import Counter


def sentences(folder):
    for path in sorted(pathlib.Path(folder).rglob("*.txt"), key=lambda p: p.as_posix()):
        for line in path.read_text().splitlines():
            if line.strip():
                yield line.lower().split()


def vocabulary(lines, at_least):
    counts = Counter(w for line in lines for w in line)
    kept = [(w, c) for w, c in counts.most_common() if c >= at_least]
    return dict(sorted(kept, key=lambda wc: (-wc[1], wc[0])))


def subsampled(lines, counts, threshold, rng):
    """Frequent words are dropped with the probability 1 - sqrt(t / f)."""
    total = sum(counts.values())
    keep = {w: min(1.0, (threshold * total / c) ** 0.5) for w, c in counts.items()}
    return [[w for w in line if w in keep and rng.random() < keep[w]] for line in lines]
