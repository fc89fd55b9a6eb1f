from sklearn.ensemble import ExtraTreesClassifier, StackingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold
from sklearn.neighbors import KNeighborsClassifier


def stack(seeds):
    parts = [
        ("trees", ExtraTreesClassifier(12, max_depth=5, random_state=seeds["trees"])),
        ("neighbours", KNeighborsClassifier(9)),
    ]
    folds = StratifiedKFold(3, shuffle=True, random_state=seeds["folds"])
    return StackingClassifier(parts, LogisticRegression(max_iter=300), cv=folds, n_jobs=1)
