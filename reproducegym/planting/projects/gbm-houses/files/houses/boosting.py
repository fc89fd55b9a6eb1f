from sklearn.ensemble import GradientBoostingRegressor


def boost(x, y, *, stages, subsample, seed):
    model = GradientBoostingRegressor(
        loss="absolute_error",
        n_estimators=stages,
        subsample=subsample,
        max_features=3,
        learning_rate=0.15,
        max_depth=3,
        random_state=seed,
    )
    return model.fit(x, y)


def dump(model):
    trees = [t.tree_ for t in model.estimators_[:, 0]]
    return [{"feature": t.feature.tolist(), "threshold": t.threshold.tolist(), "value": t.value.ravel().tolist()} for t in trees]
