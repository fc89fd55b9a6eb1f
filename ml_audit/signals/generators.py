"""What seeds each random generator and what draws from it, by resolved names of calls."""

import ast
import re
from collections.abc import Callable, Mapping
from typing import Literal, get_args

from ml_audit.code.facts import Call

__all__ = [
    "GENERATORS",
    "OWN",
    "STOCHASTIC",
    "Generator",
    "draws",
    "is_environment",
    "is_stochastic",
    "seed_given",
    "seeds",
]

Generator = Literal["python", "numpy", "torch", "cuda", "jax", "tf"]
GENERATORS: tuple[Generator, ...] = get_args(Generator)

_ALL: frozenset[Generator] = frozenset({"python", "numpy", "torch", "cuda"})
_SEEDS: Mapping[str, frozenset[Generator]] = {
    "random.seed": frozenset({"python"}),
    "numpy.random.seed": frozenset({"numpy"}),
    "numpy.random.default_rng": frozenset({"numpy"}),
    "numpy.random.RandomState": frozenset({"numpy"}),
    "torch.manual_seed": frozenset({"torch"}),
    "torch.random.manual_seed": frozenset({"torch"}),
    "torch.cuda.manual_seed": frozenset({"cuda"}),
    "torch.cuda.manual_seed_all": frozenset({"cuda"}),
    "torch.cuda.random.manual_seed_all": frozenset({"cuda"}),
    "torch.cuda.random.manual_seed": frozenset({"cuda"}),
    "jax.random.PRNGKey": frozenset({"jax"}),
    "jax.random.key": frozenset({"jax"}),
    "flax.nnx.Rngs": frozenset({"jax"}),
    "haiku.PRNGSequence": frozenset({"jax"}),
    "tensorflow.random.set_seed": frozenset({"tf"}),
    "tensorflow.set_random_seed": frozenset({"tf"}),
    "tensorflow.random.set_random_seed": frozenset({"tf"}),
    "tensorflow.keras.utils.set_random_seed": frozenset({"tf", "python", "numpy"}),
    "keras.utils.set_random_seed": frozenset({"tf", "python", "numpy"}),
    "pytorch_lightning.seed_everything": _ALL,
    "pytorch_lightning.utilities.seed.seed_everything": _ALL,
    "transformers.set_seed": _ALL,
    "transformers.trainer_utils.set_seed": _ALL,
    "transformers.enable_full_determinism": _ALL,
    "transformers.trainer_utils.enable_full_determinism": _ALL,
    "accelerate.utils.set_seed": _ALL,
    "accelerate.utils.random.set_seed": _ALL,
    "stable_baselines3.common.utils.set_random_seed": _ALL,
    "mmcv.runner.set_random_seed": _ALL,
    "mmengine.runner.set_random_seed": _ALL,
    "mmdet.apis.set_random_seed": _ALL,
    "monai.utils.set_determinism": _ALL,
    "fastai.torch_core.set_seed": _ALL,
    "fastai.vision.all.set_seed": _ALL,
    "ignite.utils.manual_seed": _ALL,
    "composer.utils.reproducibility.seed_all": _ALL,
    "torch_geometric.seed_everything": _ALL,
    "torch_geometric.seed.seed_everything": _ALL,
    "pyro.set_rng_seed": _ALL,
    "allennlp.common.util.prepare_environment": _ALL,
    "detectron2.utils.env.seed_all_rng": _ALL,
}
_TORCH_DRAWS = re.compile(
    r"torch\.(rand|randn|randint|randperm|bernoulli|multinomial|normal|poisson|rand_like|randn_like|randint_like)$"
    r"|torch\.nn\.init\.(?!constant|zeros|ones|eye)\w+|torch\.nn\.(Linear|Conv|Embedding|LSTM|GRU|RNN|Dropout|Transformer|Multihead|"
    r"Bilinear|LazyLinear|LazyConv|AlphaDropout|RReLU)\w*$|torch\.nn\.functional\.(dropout|alpha_dropout|gumbel_softmax)\w*$"
    r"|torch\.utils\.data\.(random_split|RandomSampler|WeightedRandomSampler|SubsetRandomSampler)|torch\.distributions\."
    r"|torchvision\.(transforms|transforms\.v2)\.(Random|ColorJitter|RandAugment|AutoAugment|TrivialAugment|AugMix)\w*"
    r"|torchvision\.models\.\w+$|timm\.create_model|timm\.models\.create_model|peft\.get_peft_model|\.reparameterize$"
    r"|transformers\.(Trainer|Seq2SeqTrainer)$|torch_geometric\.nn\.\w+Conv$|segmentation_models_pytorch\.\w+$"
)
_TF_DRAWS = re.compile(
    r"(tensorflow\.)?keras\.(layers|models|applications|initializers\.(?![Cc]onstant|[Zz]eros|[Oo]nes|[Ii]dentity)|Sequential|Model)\b.*|tensorflow\.(layers|random|nn\.dropout"
    r"|contrib\.(layers|slim|keras|rnn|cudnn_rnn|seq2seq|legacy_seq2seq|distributions))\b.*"
    r"|tensorflow\.(random_\w+|truncated_normal|Variable|get_variable|global_variables_initializer|random_shuffle)$|.*\.shuffle$"
)
_PYTHON_KEEPS = {"seed", "Random", "SystemRandom", "getstate", "setstate"}
_NUMPY_KEEPS = {
    "seed",
    "RandomState",
    "default_rng",
    "Generator",
    "SeedSequence",
    "get_state",
    "set_state",
    "PCG64",
    "MT19937",
}
_JAX_KEEPS = {"PRNGKey", "key", "split", "fold_in", "key_data", "wrap_key_data", "clone"}

OWN = {"numpy.random.default_rng", "numpy.random.RandomState", "numpy.random.SeedSequence", "random.Random"}
OWN |= {"numpy.random.PCG64", "numpy.random.PCG64DXSM", "numpy.random.SFC64", "numpy.random.MT19937"}
OWN |= {"numpy.random.Philox", "random.SystemRandom"}
"""What makes a generator of one's own."""

STOCHASTIC = re.compile(
    r"^sklearn\..*\b(train_test_split|ShuffleSplit|StratifiedShuffleSplit|GroupShuffleSplit|RandomForest\w+|ExtraTrees?\w*"
    r"|GradientBoosting\w+|HistGradientBoosting\w+|DecisionTree\w+|MLP\w+|SGD\w+|Bagging\w+|AdaBoost\w+|KMeans|MiniBatchKMeans"
    r"|GaussianMixture|BayesianGaussianMixture|TSNE|RandomizedSearchCV|IsolationForest|SpectralClustering|NMF|FastICA|Perceptron"
    r"|LatentDirichletAllocation|resample|shuffle|make_(classification|blobs|regression|moons|circles|friedman\d|low_rank_matrix)"
    r"|permutation_importance|PassiveAggressive\w+|RandomTreesEmbedding|KFold|StratifiedKFold|MiniBatchNMF|RANSACRegressor"
    r"|RepeatedKFold|RepeatedStratifiedKFold|QuantileTransformer|GaussianRandomProjection)$"
)
_ENVIRONMENTS = {
    "gym",
    "gymnasium",
    "gymnax",
    "brax",
    "envpool",
    "pettingzoo",
    "dm_control",
    "procgen",
    "minigrid",
    "jumanji",
}
_ENVIRONMENTS |= {
    "isaacgym",
    "isaaclab",
    "pufferlib",
    "supersuit",
    "atari_py",
    "ale_py",
    "mujoco_py",
    "dm_env",
    "popgym",
    "safety_gym",
}
_ENVIRONMENTS |= {
    "bsuite",
    "pybullet_envs",
    "metaworld",
    "stable_baselines3",
    "gym_minigrid",
    "smac",
    "retro",
    "craftax",
    "navix",
}


SOLVED = re.compile(
    r"^sklearn\.(linear_model\.(LogisticRegression|Ridge|RidgeClassifier)|decomposition\.(PCA|TruncatedSVD)|svm\.\w+)$"
)
DRAWING_SOLVERS = {"liblinear", "sag", "saga", "randomized", "arpack"}


def is_stochastic(call: Call) -> bool:
    """Whether an estimator or split of scikit-learn draws: always, or by the solver that it is given."""
    if call.last in ("KMeans", "MiniBatchKMeans") and not isinstance(
        call.keyword("init") or ast.Constant(""), ast.Constant
    ):
        return False
    if STOCHASTIC.match(call.name):
        return True
    solver = call.keyword("solver") or call.keyword("svd_solver")
    return bool(SOLVED.match(call.name)) and isinstance(solver, ast.Constant) and solver.value in DRAWING_SOLVERS


def seed_given(call: Call) -> ast.expr | None:
    """What a generator of one's own is made from; None if nothing is given, or None itself is."""
    given = call.argument(0, "seed", "x", "entropy", "key")
    return None if isinstance(given, ast.Constant) and given.value is None else given


def seeds(call: Call) -> frozenset[Generator]:
    """Which generators a call seeds."""
    found = _SEEDS.get(call.name)
    if found is None:
        if call.last == "manual_seed" and call.name.startswith(("torch.Generator", "torch.default_generator")):
            return frozenset({"torch"})
        if call.last == "seed_everything" and call.name.startswith(("pytorch_lightning", "lightning")):
            return _ALL
        return frozenset()
    if call.last in ("default_rng", "RandomState") and not call.node.args and not call.node.keywords:
        return frozenset()
    return found


def draws(call: Call, generator: Generator) -> bool:
    """Whether a call draws from a generator."""
    return _DRAWS[generator](call)


def _draws_python(call: Call) -> bool:
    return call.name.startswith("random.") and call.name.count(".") == 1 and call.last not in _PYTHON_KEEPS


def _draws_numpy(call: Call) -> bool:
    parts = call.name.split(".")
    if call.name in ("numpy.random.default_rng", "numpy.random.RandomState"):
        return not call.node.args and not call.node.keywords
    return len(parts) == 3 and parts[:2] == ["numpy", "random"] and parts[2] not in _NUMPY_KEEPS


def _draws_torch(call: Call) -> bool:
    if call.name.endswith("torch.utils.data.DataLoader"):
        shuffle = call.keyword("shuffle")
        return shuffle is not None and getattr(shuffle, "value", True) is not False
    if call.name.startswith("torchvision.models."):
        return not _is_loaded(call) and bool(_TORCH_DRAWS.match(call.name))
    return bool(_TORCH_DRAWS.match(call.name))


def _is_loaded(call: Call) -> bool:
    """Whether a model of torchvision gets weights that are read, so that none of those that were drawn stays."""
    told = call.argument(0, "pretrained", "weights")
    return told is not None and not (isinstance(told, ast.Constant) and told.value in (False, None))


def _draws_jax(call: Call) -> bool:
    return call.name.startswith("jax.random.") and call.last not in _JAX_KEEPS


def _draws_tf(call: Call) -> bool:
    return call.name.startswith(("tensorflow.", "keras.")) and bool(_TF_DRAWS.match(call.name))


_DRAWS: Mapping[Generator, Callable[[Call], bool]] = {
    "python": _draws_python,
    "numpy": _draws_numpy,
    "torch": _draws_torch,
    "cuda": _draws_torch,
    "jax": _draws_jax,
    "tf": _draws_tf,
}


def is_environment(module: str) -> bool:
    """Whether a module brings environments of reinforcement learning."""
    first = module.split(".", maxsplit=1)[0]
    return first in _ENVIRONMENTS or bool(re.search(r"(^|_)(gym|dmc)\d?(gym)?(_|$)|^(dmc2gym|dmcgym)$|gym$", first))
