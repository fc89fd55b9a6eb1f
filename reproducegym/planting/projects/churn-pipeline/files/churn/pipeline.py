from sklearn.compose import ColumnTransformer
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler


def build(seed, **model):
    numbers = make_pipeline(SimpleImputer(strategy="median", add_indicator=True), StandardScaler())
    columns = ColumnTransformer([
        ("numbers", numbers, [0, 1]),
        ("plan", OneHotEncoder(sparse_output=False, handle_unknown="ignore"), [2]),
    ])
    return Pipeline([("columns", columns), ("model", LogisticRegression(random_state=seed, **model))])
