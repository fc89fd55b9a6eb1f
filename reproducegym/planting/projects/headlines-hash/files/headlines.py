import os


def sections(folder):
    """Names of the sections, in alphabetical order."""
    return sorted(os.path.splitext(name)[0] for name in os.listdir(folder) if name.endswith(".txt"))


def read(folder):
    texts, labels = [], []
    for section in sections(folder):
        with open(os.path.join(folder, section + ".txt"), encoding="utf-8") as lines:
            for line in lines:
                if line.strip():
                    texts.append(line.strip())
                    labels.append(section)
    return texts, labels
