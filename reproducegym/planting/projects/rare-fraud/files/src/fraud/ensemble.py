import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils import resample


class EasyEnsemble:
    """Averages trees; each is grown on all rare rows and on as many of the others."""

    def __init__(self, members, seed):
        self.members, self.seed = members, seed

    def fit(self, x, y):
        rare, common = np.flatnonzero(y == 1), np.flatnonzero(y == 0)
        self.trees = []
        for member in range(self.members):
            drawn = resample(common, n_samples=2 * len(rare), replace=False, random_state=self.seed + member)
            rows = np.concatenate([rare, drawn])
            tree = DecisionTreeClassifier(max_depth=4, max_features=3, random_state=self.seed + member)
            self.trees.append(tree.fit(x[rows], y[rows]))
        return self

    def score(self, x):
        return np.mean([tree.predict_proba(x)[:, 1] for tree in self.trees], axis=0)


def plain(x, y):
    return LogisticRegression().fit(x, y)
