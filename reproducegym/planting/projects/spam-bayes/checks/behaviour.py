import json, os, random, sys
sys.path.insert(0, os.getcwd())
from bayes import Bayes, bagged, is_spam, thinned
from letters import Mailbox

m = json.load(open("out/metrics.json"))
model = json.load(open("out/model.json"))
box = Mailbox("mail", "stopwords.txt")
assert len(box.letters) == 12 and m["held"] == 4
assert 40 < len(model["score"]) < 110 and list(model["score"]) == sorted(model["score"])
assert m["accuracy"] >= 0.5 and m["accuracy"] * 4 == int(m["accuracy"] * 4)
assert is_spam(model, ["click", "free", "cash", "offer"]) and not is_spam(model, ["lunch", "meeting", "notes", "garden"])
assert model["score"]["click"] > 0 > model["score"]["notes"]
random.seed(1)
a, b = thinned(box.letters, 0.5), thinned(box.letters, 0.5)
assert a != b and len(a) == 12, "bags are all alike"
first = [w for w, _ in box.letters]
box.deal(0.7)
assert [w for w, _ in box.letters] != first, "letters are not shuffled"
