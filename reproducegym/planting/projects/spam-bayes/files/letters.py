import os
import random
import re


def words_of(text, stop):
    return [w for w in re.findall(r"[a-z]+", text.lower()) if w not in stop]


class Mailbox:
    def __init__(self, folder, stopwords):
        with open(stopwords) as lines:
            self.stop = set(lines.read().split())
        self.letters = []
        for kind in ("ham", "spam"):
            for root, folders, names in os.walk(os.path.join(folder, kind)):
                folders.sort()
                for name in sorted(names):
                    with open(os.path.join(root, name)) as letter:
                        self.letters.append((words_of(letter.read(), self.stop), kind == "spam"))

    def deal(self, share):
        """Shuffles the letters and gives (training, held back)."""
        random.shuffle(self.letters)
        cut = int(len(self.letters) * share)
        return self.letters[:cut], self.letters[cut:]

    @property
    def longest(self):
        return max({len(words) for words, _ in self.letters})
