import json
from glob import glob
from os.path import join


def load_questions(folder):
    """Texts, sets of tags as a 0/1 table, names of the tags in order."""
    texts, sets = [], []
    for path in sorted(glob(join(folder, "*.json"))):
        with open(path) as handle:
            for question in json.load(handle):
                texts.append(question["text"])
                sets.append(set(question["tags"]))
    tags = sorted(set().union(*sets))
    table = [[int(tag in given) for tag in tags] for given in sets]
    return texts, table, tags
