from pathlib import Path


def read(folder):
    """Sequences of word ids, one per file, and the words in alphabetical order."""
    pages = [p.read_text().split() for p in sorted(Path(folder).glob("*.page"))]
    words = sorted({w for page in pages for w in page})
    number = {w: i for i, w in enumerate(words)}
    return [[number[w] for w in page] for page in pages], words
