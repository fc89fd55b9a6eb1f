"""Whether pretrained weights are asked for by a revision that stays."""

import ast
import re
from dataclasses import dataclass
from typing import Literal

from ml_audit.code.facts import Call
from ml_audit.code.project import Project, once
from ml_audit.signals.answer import Place, Signal, answer

__all__ = ["Pretrained", "model_revision_pinned", "pretrained"]

Grade = Literal["pinned", "configurable", "unpinned"]
_TAGGED = re.compile(r"/releases/download/[^/]*\d[^/]*/|/resolve/[0-9a-f]{7,40}/")
_WEIGHTS = re.compile(r"weight|checkpoint|pretrained|models?[_/.]|'models'|\.h5", re.I)
_OWN = re.compile(r"checkpoint|ckpt|output_dir|save_|saved|local_|resume|tmp|out_dir|best_model", re.I)


@dataclass(frozen=True, slots=True)
class Pretrained:
    """One call that fetches weights or what belongs to them."""

    path: str
    call: Call
    grade: Grade


@once
def pretrained(project: Project) -> list[Pretrained]:
    """All such calls of the main code."""
    found = []
    for path, call in project.calls():
        if (grade := _graded(project, path, call)) is not None:
            found.append(Pretrained(path, call, grade))
    return found


def _graded(project: Project, path: str, call: Call) -> Grade | None:
    name, last = call.name, call.last
    if name.startswith(("gdown.", "kagglehub.")):
        return None
    if last == "from_pretrained":
        if project.graph.target(project.facts[path], call.raw, call.scope) is not None or name.startswith(
            ("peft.", "torch.nn.")
        ):
            return None
        first = call.argument(0, "pretrained_model_name_or_path")
        if first is None or _OWN.search(ast.unparse(first)) or _is_local(first) or call.receiver in ("cls", "super()"):
            return None
        return _revision(project, path, call)
    if (
        last in ("hf_hub_download", "snapshot_download", "cached_download")
        and getattr(call.keyword("repo_type"), "value", "") != "dataset"
    ):
        return _revision(project, path, call)
    if name == "torch.hub.load":
        first = call.argument(0, "repo_or_dir")
        if isinstance(first, ast.Constant) and isinstance(first.value, str):
            local = getattr(call.keyword("source"), "value", "") == "local"
            return None if local else "pinned" if ":" in first.value else "unpinned"
        return "unpinned"
    if last in ("load_state_dict_from_url", "load_url"):
        url = call.argument(0, "url")
        told = [v.constant for v in project.values.of(url, (path, call.scope))] if url is not None else []
        if told and all(isinstance(t, str) and _TAGGED.search(t) for t in told):
            return "pinned"
        hashed = all(isinstance(t, str) and re.search(r"-[0-9a-f]{6,}\.", t) for t in told) and bool(told)
        return "configurable" if hashed else "unpinned"
    if last == "get_file" and _WEIGHTS.search(ast.unparse(call.node)):
        return "pinned" if any(call.keyword(n) is not None for n in ("md5_hash", "file_hash")) else "unpinned"
    if name.startswith("torchvision.models.") and "." not in name[len("torchvision.models.") :].replace(
        "detection.", ""
    ).replace("segmentation.", "").replace("video.", ""):
        return "configurable" if _asks_weights(project, path, call) else None
    if name in ("timm.create_model", "timm.models.create_model", "segmentation_models_pytorch.Unet"):
        asked = call.keyword("pretrained")
        return "unpinned" if asked is not None and getattr(asked, "value", True) is True else None
    if ".keras.applications." in f".{name}" and last[:1].isupper():
        return None if getattr(call.keyword("weights"), "value", "imagenet") is None else "configurable"
    if name.startswith("tensorflow_hub.") and last in ("load", "KerasLayer"):
        told = [v.constant for v in project.values.of(call.argument(0, "handle"), (path, call.scope))]
        return "pinned" if all(re.search(r"/\d+$", str(t)) for t in told) else "unpinned"
    if name in (
        "sentence_transformers.SentenceTransformer",
        "clip.load",
        "whisper.load_model",
        "open_clip.create_model_and_transforms",
    ):
        return "unpinned" if call.keyword("revision") is None else "pinned"
    if name == "transformers.pipeline":
        return _revision(project, path, call)
    return None


def _is_local(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value.startswith((".", "/", "~"))


def _revision(project: Project, path: str, call: Call) -> Grade:
    given = call.keyword("revision")
    if any(
        call.keyword(n) is not None for n in ("md5", "sha256", "md5_hash", "file_hash", "known_hash", "hash_prefix")
    ):
        return "pinned"
    if given is None:
        return "unpinned"
    values = project.values.of(given, (path, call.scope))
    if any(v.kind == "constant" and v.constant in (None, "main", "master") for v in values):
        return "configurable"
    return "pinned"


def _asks_weights(project: Project, path: str, call: Call) -> bool:
    given = call.argument(0, "pretrained", "weights")
    if given is None:
        return False
    told = project.values.of(given, (path, call.scope))
    return any(v.kind != "constant" or v.constant not in (False, None) for v in told)


def model_revision_pinned(project: Project) -> Signal:
    """Whether weights are fixed; `na` where none are fetched."""
    found = pretrained(project)
    if not found:
        return answer("na")
    bad = [p for p in found if p.grade == "unpinned"]
    places = [Place(p.path, p.call.line) for p in found]
    if bad and len(bad) * 2 >= len(found):
        return answer("no", [Place(p.path, p.call.line) for p in bad])
    return answer("yes" if all(p.grade == "pinned" for p in found) else "partial", places)
