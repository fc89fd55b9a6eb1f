import pathlib
import re

LINK = re.compile(r"\[\[([a-z ]+)\]\]")


class Graph:
    def __init__(self, links):
        """links: page -> set of pages."""
        self.pages = sorted(set(links) | {q for qs in links.values() for q in qs})
        index = {p: i for i, p in enumerate(self.pages)}
        self.out = [sorted(index[q] for q in links.get(p, ())) for p in self.pages]

    @classmethod
    def read(cls, folder):
        links = {}
        for path in sorted(pathlib.Path(folder).glob("*.wiki")):
            links[path.stem.replace("_", " ")] = set(LINK.findall(path.read_text()))
        return cls(links)

    def __len__(self):
        return len(self.pages)
