"""Whether the data that the code reads stays the same: committed, hashed, versioned, or whatever a server sends."""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Literal

from ml_audit.code.facts import Call
from ml_audit.code.project import Project, once
from ml_audit.signals.answer import Place, Signal, answer
from ml_audit.signals.generators import is_environment

__all__ = ["Source", "committed_data", "data_sources", "dataset_pinned", "is_reinforcement"]

Grade = Literal["pinned", "library", "unpinned"]
_HASHED = {
    "MNIST", "FashionMNIST", "KMNIST", "EMNIST", "QMNIST", "CIFAR10", "CIFAR100", "SVHN", "STL10", "CelebA",
    "Omniglot", "VOCDetection", "VOCSegmentation", "Caltech101", "Caltech256", "Flowers102", "Food101",
    "OxfordIIITPet", "USPS", "DTD", "StanfordCars", "FGVCAircraft", "GTSRB", "EuroSAT", "PCAM", "SUN397",
    "LFWPeople", "Kinetics", "Country211", "SEMEION"
}  # fmt: skip
"""Data sets that torchvision fetches and checks by a hash."""

_LOCAL_FORMATS = {"json", "csv", "text", "parquet", "imagefolder", "arrow", "audiofolder", "pandas"}
_DATA_SUFFIXES = {
    ".csv", ".tsv", ".npz", ".npy", ".jsonl", ".pkl", ".pickle", ".h5", ".hdf5", ".mat", ".arff", ".parquet",
    ".feather", ".xlsx", ".libsvm", ".conll", ".graph", ".edgelist", ".gz", ".zip", ".tgz", ".bin", ".dat",
    ".data", ".xml"
}  # fmt: skip
_NO_DATA_SUFFIXES = {
    ".py", ".md", ".sh", ".yaml", ".yml", ".gitignore", ".ipynb", ".dvc", ".rst", ""
}  # fmt: skip
_IMAGES = frozenset([".png", ".jpg", ".jpeg", ".tif", ".tiff", ".bmp", ".pgm", ".ppm"])
ENOUGH_IMAGES = 20
"""So many images in rooms of data are a data set; fewer are pictures of it."""

_DATA_ROOM = re.compile(r"(^|/)(data|datasets?|dataset_\w+|data_\w+|\w+_data|corpus|corpora|raw_data|input)/", re.I)
_NOT_DATA_ROOM = re.compile(
    r"(^|/)(results?|outputs?|logs?|runs|learning_curves|eval\w*|checkpoints?|figs?|figures|images|docs|models?|saved)/",
    re.I,
)
_DOWNLOAD = re.compile(
    r"^(requests\.(get|Session\(\)\.get)|urllib\.request\.(urlretrieve|urlopen)|urllib\.(urlretrieve|urlopen)|wget\.download|gdown\.\w+|kagglehub\.\w+|six\.moves\.urllib\.request\.urlretrieve)$"
)
_DATA_WORD = re.compile(r"data|corpus|download|prepare|fetch|glove|train|imagenet|mnist|wiki|text", re.I)
_ARCHIVE = re.compile(r"\.(zip|tar|tgz|gz|csv|txt|json|npz|h5|parquet|pkl|mat|7z|bz2)\b", re.I)
_HASHES = re.compile(r"^(hashlib\.(md5|sha256|sha1)|.*check_integrity|.*check_md5|pooch\.\w+)$")


@dataclass(frozen=True, slots=True)
class Source:
    """One place where data comes from."""

    path: str
    line: int
    grade: Grade
    what: str


@once
def data_sources(project: Project) -> list[Source]:
    """All sources of data in the main code, in shell scripts, and committed."""
    hashed = {path for path, call in project.calls() if _HASHES.match(call.name)}
    found = []
    for path, call in project.calls():
        if (told := _graded(project, path, call, hashed)) is not None:
            found.append(Source(path, call.line, told, call.name))
    for command in project.commands:
        if re.search(r"^\W*(wget|curl|gdown|aws s3 cp|gsutil)\b", command.text) and not command.path.lower().endswith(
            (".md", ".rst")
        ):
            checked = re.search(r"md5sum|sha256sum|shasum", project.texts.get(command.path, ""))
            if _DATA_WORD.search(command.path + command.text) and not re.search(
                r"\.(pth|pt|ckpt|caffemodel)\b", command.text
            ):
                found.append(Source(command.path, command.line, "pinned" if checked else "unpinned", "download"))
    found += list(_tracked(project))
    return found


def _graded(project: Project, path: str, call: Call, hashed: set[str]) -> Grade | None:
    name, last = call.name, call.last
    if name.startswith("torchvision.datasets.") and last[:1].isupper():
        return "library" if last in _HASHED else None if last == "FakeData" else "unpinned"
    if name.startswith(
        (
            "torchaudio.datasets.",
            "torchtext.datasets.",
            "tensorflow_datasets.load",
            "tensorflow_datasets.builder",
            "ogb.",
        )
    ):
        return "library"
    if last == "load_data" and ".datasets." in name:
        return "library"
    if name.startswith("sklearn.datasets.fetch_"):
        return "library"
    if name.startswith(("sklearn.datasets.load_", "seaborn.load_dataset", "vega_datasets.")) and "files" not in last:
        return "pinned" if name.startswith("sklearn") else "library"
    if name in ("datasets.load_dataset", "datasets.load.load_dataset"):
        return _hub(project, path, call)
    if (
        last in ("snapshot_download", "hf_hub_download")
        and getattr(call.keyword("repo_type"), "value", "") == "dataset"
    ):
        return "pinned" if call.keyword("revision") is not None else "unpinned"
    if last == "get_file" and re.search(r"weight|checkpoint|pretrained|\.h5|'models'", ast.unparse(call.node), re.I):
        return None
    if last in ("download_url", "download_and_extract_archive", "get_file", "cached_path"):
        sums = ("md5", "file_hash", "md5_hash", "hash_value")
        return "pinned" if any(call.keyword(n) is not None for n in sums) else "unpinned"
    if _DOWNLOAD.match(name):
        about = f"{path} {call.scope} {ast.unparse(call.node)}"
        if not _DATA_WORD.search(about) or re.search(r"api|\.pth|\.pt\b|weights|ckpt", about):
            return None
        return "pinned" if path in hashed else "unpinned"
    return None


def _hub(project: Project, path: str, call: Call) -> Grade | None:
    first = call.argument(0, "path")
    if first is not None:
        told = [v.constant for v in project.values.of(first, (path, call.scope))]
        if any(isinstance(t, str) and (t in _LOCAL_FORMATS or t.startswith((".", "/"))) for t in told):
            return None
    revision = call.keyword("revision")
    if revision is None:
        return "unpinned"
    values = project.values.of(revision, (path, call.scope))
    return "pinned" if any(v.kind != "constant" or v.constant not in (None, "main") for v in values) else "unpinned"


def _tracked(project: Project) -> Iterator[Source]:
    for path in project.sizes:
        if path.endswith(".dvc") and (
            found := re.search(r"^\s*-?\s*(md5|etag|rev_lock):\s*\w", project.texts.get(path, ""), re.M)
        ):
            text = project.texts[path]
            yield Source(path, text.count("\n", 0, found.end()) + 1, "pinned", "dvc")
            if lock := re.search(r"^\s*rev_lock:", text, re.M):
                yield Source(path, text.count("\n", 0, lock.end()) + 1, "pinned", "dvc")
            for output in re.finditer(r"^outs:\s*\n\s*-\s*md5:", text, re.M):
                yield Source(path, text.count("\n", 0, output.end()) + 1, "pinned", "dvc")
    found_data = committed_data(project)
    if sum(project.sizes[p] for p in found_data) > 50_000 or (found_data and len(project.sizes) < 40):
        yield Source(found_data[0], 0, "pinned", "committed")


@once
def committed_data(project: Project) -> list[str]:
    """Data files that are part of the repository and of some size, the largest room first."""
    found: list[str] = []
    images: list[str] = []
    for path, size in project.sizes.items():
        low = path.lower()
        if size < 300 or _NOT_DATA_ROOM.search(low) or project.role(path) != "main":
            continue
        in_room = bool(_DATA_ROOM.search(low))
        suffix = PurePosixPath(low).suffix
        if in_room and suffix in _IMAGES:
            images.append(path)
            continue
        plain = suffix in _DATA_SUFFIXES or (in_room and suffix in (".txt", ".json"))
        odd = in_room and suffix not in _NO_DATA_SUFFIXES
        if (plain and (in_room or path.count("/") == 0 or suffix in (".csv", ".tsv"))) or (odd and size > 1000):
            found.append(path)
    return [*found, *images] if len(images) >= ENOUGH_IMAGES else found


@once
def is_reinforcement(project: Project) -> bool:
    """Whether most of what trains learns from environments."""
    rooms = {p for p, f in project.main_facts.items() if any(is_environment(i.module) for i in f.imports)}
    if not rooms:
        return False
    pool = project.main_entries
    learning = sum(any(scope[0] in rooms for scope in e.maybe) for e in pool)
    return learning * 2 >= len(pool)


def dataset_pinned(project: Project) -> Signal:
    """Whether the data is fixed; `na` where there is none, as in reinforcement learning."""
    sources = data_sources(project)
    outside = [s for s in sources if s.what != "committed"]
    if is_reinforcement(project) and not [s for s in outside if "torchvision" in s.what or "dvc" in s.what]:
        return answer("na")
    if not sources:
        reads = [(p, c) for p, c in project.calls() if c.name in ("pandas.read_csv", "numpy.load", "h5py.File", "open")]
        return answer("no", project.first(reads)) if reads and project.training_steps else answer("na")
    good = [s for s in sources if s.grade != "unpinned"]
    bad = [s for s in sources if s.grade == "unpinned"]
    if not bad:
        value = (
            "yes" if any(s.grade == "pinned" for s in good) and all(s.grade == "pinned" for s in good) else "partial"
        )
        return answer(value, [Place(s.path, s.line) for s in good])
    value = "partial" if len(good) * 4 >= len(sources) else "no"
    return answer(value, [Place(s.path, s.line) for s in (*good, *bad)])
