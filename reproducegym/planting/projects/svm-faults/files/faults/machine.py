from sklearn.decomposition import PCA
from sklearn.model_selection import GridSearchCV, StratifiedKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC


def searched(x, y, grid, seed):
    steps = make_pipeline(
        StandardScaler(),
        PCA(10, svd_solver="randomized", random_state=seed),
        SVC(probability=False, cache_size=50),
    )
    choices = {"svc__C": grid["C"], "svc__gamma": grid["gamma"]}
    folds = StratifiedKFold(grid["folds"], shuffle=True, random_state=seed)
    return GridSearchCV(steps, choices, cv=folds, n_jobs=1).fit(x, y)
