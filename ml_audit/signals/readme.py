"""What documents promise and show: results, commands, weights, machines."""

import re

from ml_audit.code.project import Project
from ml_audit.signals.answer import Place, Signal, answer
from ml_audit.texts.documents import links_of, number_rows

__all__ = ["checkpoints_linked", "hardware_stated", "reproduce_commands", "results_table_in_readme"]

_WEIGHTS = re.compile(
    r"\.(pth|pt|ckpt|safetensors|h5|pkl|pth\.tar|tar|onnx|caffemodel|msgpack|npz|bin|weights)(\?.*)?$", re.I
)
_STORES = re.compile(
    r"drive\.google\.com|dropbox\.com|onedrive|1drv\.ms|zenodo\.org|box\.com|pan\.baidu|figshare|releases/download|github\.com/[\w.-]+/[\w.-]+/releases/?$|huggingface\.co|modelscope",
    re.I,
)
_WORDS = re.compile(
    r"check-?points?|pre-?trained|weights|trained models?|model zoo|\bmodels?\b.*download|download.*\bmodels?\b", re.I
)
_NAMES_WEIGHTS = re.compile(
    r"\b(pre-?trained|trained|model|our) (model )?(checkpoints?|weights)\b|^\W*(model )?checkpoints?\W*$"
    r"|^\W*weights\W*$"
    r"|\bpre-?trained models?\b",
    re.I,
)
_NO_STORE = re.compile(
    r"arxiv|\.(md|rst|py|pdf|html?)(#|$)|/(tree|blob|issues|pull)/|wikipedia|docs?\.|/docs?/|paper|openreview", re.I
)
_HUB = re.compile(r"huggingface\.co/(?!spaces|blog|docs|datasets|papers|join|settings|transformers)[\w.-]+", re.I)
_HUB_WORDS = re.compile(r"weights|models?\b|checkpoint|adapter|pre-?trained", re.I)
_GPU = re.compile(
    r"(?:\b|(?<=\d[xX])|(?<=\d[×*]))([AVHPLKT]\d{1,3}0(?:-?\w*)?|RTX[ -]?\w?\d{4}\w*|GTX[ -]?\d{3,4}\w*"
    r"|(?:Titan|TITAN)[ -]?\w*"
    r"|TPU[ -]?v\d[-\w]*|T4|M60|GH200|MI\d{3}X?|Quadro\s?\w+|Tesla\s?\w+"
    r"|Radeon\s?\w+|[23]080 ?Ti|[34]090)\b"
)
_MADE = re.compile(
    r"train|run|took|hour|days?\b|gpus?\b|tested|experiment|machine|node|single|memory|hardware|cards?", re.I
)
_MEMORY = re.compile(
    r"\b\d+\s?GB?\b[^.]{0,20}\b(GPU|VRAM)|\b(GPU|VRAM)\b[^.]{0,40}\b\d+\s?GB?\b|\b\d+\s*(x\s*)?GPUs\b", re.I
)


def results_table_in_readme(project: Project) -> Signal:
    """Whether a README shows numbers of results in a table."""
    for path in project.readmes:
        rows = number_rows(project.texts.get(path, ""))
        if len(rows) >= 2 and sum(r.numbers for r in rows) >= 3 and path.count("/") == 0:
            return answer("yes", [Place(path, r.line) for r in rows])
    return answer("no")


def checkpoints_linked(project: Project) -> Signal:
    """Whether trained weights can be fetched: links of documents, releases, tracked models."""
    found: list[Place] = []
    for path in project.documents:
        if path.count("/") > 1 or path.lower().startswith("docs/"):
            continue
        for link in links_of(project.texts[path]):
            if "badge" in link.url or "arxiv.org" in link.url or "shields.io" in link.url:
                continue
            file = _WEIGHTS.search(link.url) and re.match(r"https?://", link.url)
            stored = (
                _STORES.search(link.url)
                and _WORDS.search(f"{link.text} {link.around}")
                and "huggingface" not in link.url
            )
            named = (
                _NAMES_WEIGHTS.search(link.text) and re.match(r"https?://", link.url) and not _NO_STORE.search(link.url)
            )
            hub = _HUB.search(link.url) and _HUB_WORDS.search(link.text)
            if (
                (
                    file
                    and (_WORDS.search(link.around) or not link.url.endswith((".tar", ".bin", ".npz", ".pkl", ".h5")))
                )
                or stored
                or named
                or hub
            ):
                found.append(Place(path, link.line))
        found += _buckets(path, project.texts[path])
        found += _models_of_a_hub(path, project.texts[path])
    for path in project.sizes:
        if path.endswith(("dvc.yaml", "dvc.yml")) and ".dvc/config" in project.sizes:
            text = project.texts.get(path, "")
            for told in re.finditer(r"^\s*(?:-|path:)\s*\S*model\S*\.(pkl|pt|pth|h5|joblib|onnx)\b.*$", text, re.M):
                found.append(Place(path, text.count("\n", 0, told.start()) + 1))
    return answer("yes", found) if found else answer("no")


def _buckets(path: str, text: str) -> list[Place]:
    """Lines that name a bucket beside a word for weights."""
    lines = enumerate(text.splitlines(), 1)
    return [Place(path, n) for n, line in lines if re.search(r"\b(gs|s3)://\w", line) and _WORDS.search(line)]


def _models_of_a_hub(path: str, text: str) -> list[Place]:
    """Links whose words are the model's own name, where one owner has several."""
    found: dict[str, list[Place]] = {}
    for link in links_of(text):
        told = re.search(r"huggingface\.co/([\w.-]+)/([\w.-]+)/?$", link.url)
        if (
            told
            and told.group(2).lower() in link.text.lower()
            and told.group(1) not in ("datasets", "spaces", "blog", "papers")
        ):
            found.setdefault(told.group(1), []).append(Place(path, link.line))
    return [place for places in found.values() if len(places) > 1 for place in places]


def hardware_stated(project: Project) -> Signal:
    """`yes` if a kind of GPU or TPU is named for the runs, `partial` for memory or a number of them alone."""
    weak: list[Place] = []
    strong: list[Place] = []
    for path in project.documents:
        if path.count("/") > 1 or re.search(r"contribut|conduct|change", path, re.I):
            continue
        fenced = False
        for number, line in enumerate(project.texts[path].splitlines(), 1):
            if line.lstrip().startswith("```"):
                fenced = not fenced
            if fenced:
                continue
            if _GPU.search(line) and _MADE.search(line):
                strong.append(Place(path, number))
            elif _MEMORY.search(line):
                weak.append(Place(path, number))
    return answer("yes", strong) if strong else answer("partial", weak) if weak else answer("no")


def reproduce_commands(project: Project) -> Signal:
    """`yes` for commands of the very experiments (scripts, pipelines, settings), `partial` for generic use."""
    exact: list[Place] = []
    generic: list[Place] = []
    for command in project.commands:
        if not command.path.lower().endswith((".md", ".rst", ".txt")):
            continue
        text = command.text
        if re.search(r"\b(pip|conda|git|apt|virtualenv|docker (build|pull))\b", text) and not command.script:
            continue
        scripts = re.findall(r"[\w./*-]+\.sh\b", text)
        known = [
            s for s in scripts if any(p.endswith(s.lstrip("./").split("/")[-1]) or "*" in s for p in project.sizes)
        ]
        pipeline = re.search(r"\bdvc (repro|exp run)|^\W*make\s+\w|snakemake\b", text)
        place = Place(command.path, command.line)
        if known or pipeline:
            exact.append(place)
        elif command.script or command.module:
            named = re.search(r"\S*(config|conf|cfg|params)\S*\.(ya?ml|json|py|toml|gin)\b|config/\S+", text)
            given = len(re.findall(r"(?<=\s)--?[A-Za-z][\w-]*", text)) + len(re.findall(r"\s\w+=\S+", text))
            target = project.named_by_command(command)
            (exact if (named or given >= 3) and (target or command.module) else generic).append(place)
    for path in project.readmes[:1]:
        for link in links_of(project.texts.get(path, "")):
            if ".ipynb" in link.url and "colab" in link.url:
                generic.append(Place(path, link.line))
    return answer("yes", exact) if exact else answer("partial", generic) if generic else answer("no")
