"""How experiments are run: seeds, configuration, training, machines, paths."""

import ast
import re

from ml_audit.code.facts import Call
from ml_audit.code.project import Project, once
from ml_audit.code.training import is_update
from ml_audit.signals.answer import Place, Signal, answer

__all__ = ["absolute_paths", "config_driven", "machine_paths", "multi_seed_eval", "training_loop", "updates"]
__all__ += ["uses_all_reduce", "uses_distributed"]

_DISTRIBUTED = re.compile(
    r"^(torch\.nn\.parallel\.(distributed\.)?DistributedDataParallel|torch\.distributed\.(init_process_group|fsdp\.\w+|launch|run)"
    r"|jax\.pmap|jax\.experimental\.(shard_map|multihost_utils)\.\w+|jax\.shard_map|jax\.distributed\.initialize|tensorflow\.distribute\.\w+"
    r"|horovod\.\w+\.init|mpi4py\.\w+|deepspeed\.(initialize|init_distributed)|tensorflow\.tpu\.\w+|tensorflow\.contrib\.tpu\.\w+"
    r"|torch_xla\.\w+|apex\.parallel\.DistributedDataParallel|torch\.multiprocessing\.spawn|fairscale\.\w+|ray\.train\.\w+)"
)
_REDUCES = {"all_reduce", "pmean", "psum", "allreduce", "Allreduce", "all_reduce_coalesced", "pmax", "pmin"}
_SEEDS = re.compile(
    r"(^|_)(n|num|total)_?(seeds?|runs?|repeats?|repetitions?|trials?|restarts)$|^(repeats?|repetitions?|seeds|runs)$",
    re.I,
)
_MACHINE = re.compile(
    r"^(?:file://)?(?:/(?:home|Users|mnt|data\d*|datasets?\d*|scratch\w*|nfs\w*|shared?\w*|checkpoints?|private|media|storage\w*|gpfs\w*"
    r"|lustre|work\w*|net|raid\w*|ssd\w*|hdd\w*|disk\w*|vol\w*|root|export|projects?|cluster|fast\w*|local\w*|ceph\w*|efs|fsx|cache|kaggle"
    r"|gdrive|userhome|hpc\w*|groups?|ibex|srv|afs|tmpdir|content/drive|DATA|cvhci|proj\w*|cephfs|glusterfs|opt/ml|u)/|/datasets?\d*_?\w*/|[A-Za-z]:[\\/]{1,2}\w)"
)
_CONFIGS = re.compile(
    r"(^|/)(configs?|conf|cfgs?|hparams|params)/.*\.(ya?ml|json|toml|gin|py|ini)$|(^|/)experiments/.*\.(ya?ml|toml|gin)$"
    r"|(^|/)(params|config|hparams)\.(ya?ml|json|toml)$"
)
_AROUND = re.compile(
    r"__init__\.py$|(^|/)\.|appveyor|travis|azure-pipelines|compose|docker|gitpod|devcontainer|codecov", re.I
)
"""Settings of services around the code, not of experiments."""

_ROUTE = re.compile(r"route$|\.(get|post|put|delete)$|urljoin$|add_url_rule$")
"""What takes paths of a web site, not of a machine."""

_PLACEHOLDER = re.compile(r"path[/_]to|/your|/my[_/]|<\w+>|xxx|/some/|\byour[_-]|/username/|/user/", re.I)


@once
def machine_paths(project: Project) -> tuple[list[Place], list[Place]]:
    """Absolute paths of a machine, and placeholders for them, in code, settings and scripts."""
    real: list[Place] = []
    placeholders: list[Place] = []
    for path, facts in project.main_facts.items():
        for text in facts.texts:
            if _ROUTE.search(text.used_as):
                continue
            if _PLACEHOLDER.search(text.value):
                placeholders.append(Place(path, text.line))
            elif _MACHINE.match(text.value) and "\n" not in text.value:
                real.append(Place(path, text.line))
    for told in project.settings.all():
        if _AROUND.search(told.path):
            continue
        if (
            isinstance(told.value, str)
            and project.role(told.path) == "main"
            and told.value.startswith(("/", "C:", "D:"))
        ):
            (placeholders if _PLACEHOLDER.search(told.value) else real if _MACHINE.match(told.value) else []).append(
                Place(told.path, told.line)
            )
    for command in project.commands:
        if (
            command.path.lower().endswith((".md", ".rst", "makefile"))
            or "docker" in command.path.lower()
            or project.role(command.path) != "main"
        ):
            continue
        for found in re.findall(r"(?<![\w.$}/:-])/[\w.-]+/[\w./-]+", command.text):
            if _PLACEHOLDER.search(found):
                placeholders.append(Place(command.path, command.line))
            elif _MACHINE.match(found):
                real.append(Place(command.path, _line_of(project, command.path, command.line, found)))
    return real, placeholders


def absolute_paths(project: Project) -> Signal:
    """`yes` for paths of somebody's machine, `partial` for placeholders."""
    real, placeholders = machine_paths(project)
    return answer("yes", real) if real else answer("partial", placeholders) if placeholders else answer("no")


def training_loop(project: Project) -> Signal:
    """Where parameters are updated."""
    found = project.training_steps
    steps = {id(c.node) for _, c in found}
    near = [(p, c) for p, c in project.calls() if c.last == "zero_grad" or id(c.node) in steps]
    return answer("yes", project.first(near, 120)) if found else answer("no")


def uses_distributed(project: Project) -> Signal:
    """`yes` for processes that train together, `partial` for `DataParallel` or what a framework does by itself."""
    found = [(p, c) for p, c in project.calls() if _DISTRIBUTED.match(c.name) or _by_strategy(c)]
    if found:
        return answer("yes", project.first(found))
    weak = [
        (p, c)
        for p, c in project.calls()
        if c.name.endswith(("nn.DataParallel", "accelerate.Accelerator", "multi_gpu_model")) or _reads_rank(c)
    ]
    return answer("partial", project.first(weak)) if weak else answer("no")


def _by_strategy(call: Call) -> bool:
    if call.last != "Trainer" or not call.name.startswith("pytorch_lightning"):
        return False
    told = [getattr(call.keyword(n), "value", "") for n in ("strategy", "accelerator", "distributed_backend")]
    return any(isinstance(t, str) and re.search(r"ddp|deepspeed|fsdp|horovod|tpu", t) for t in told)


def _reads_rank(call: Call) -> bool:
    first = call.argument(0)
    return call.name in ("os.environ.get", "os.getenv") and getattr(first, "value", "") in (
        "LOCAL_RANK",
        "WORLD_SIZE",
        "RANK",
    )


def uses_all_reduce(project: Project) -> Signal:
    """Whether the code reduces over processes by an explicit call."""
    found = [
        (p, c) for p, c in project.calls() if c.last in _REDUCES and not c.name.startswith(("numpy.", "torch.Tensor"))
    ]
    return answer("yes", project.first(found)) if found else answer("no")


def multi_seed_eval(project: Project) -> Signal:
    """Whether scripts or code run two or more seeds, or could."""
    strong: list[Place] = []
    weak: list[Place] = []
    by_script: dict[str, set[str]] = {}
    for command in project.commands:
        if re.search(r"seed[= ]+[\"']?\$\{?\w+", command.text, re.I) or (
            command.loop and re.search(r"seed", command.text, re.I)
        ):
            strong.append(Place(command.path, command.line))
        if found := re.search(r"--?(?:num|n)[-_](?:seeds?|runs?|repeats?|trials?)[ =]+(\d+)", command.text):
            place = Place(
                command.path, _line_of(project, command.path, command.line, found.group().split()[0].split("=")[0])
            )
            (strong if int(found.group(1)) > 1 else weak).append(place)
        if re.search(r"for\s+\(?\(?\w*seed\w*\s*(in|=)", command.text, re.I):
            strong.append(Place(command.path, command.line))
        if (seed := re.search(r"--?seed[ =]+(\d+)", command.text)) and command.script:
            by_script.setdefault(command.script, set()).add(seed.group(1))
    for path, facts in project.main_facts.items():
        for assigned in facts.assigned:
            if (
                isinstance(assigned.value, ast.List | ast.Tuple)
                and len(assigned.value.elts) > 1
                and re.search(r"seeds$", assigned.name, re.I)
            ):
                strong.append(Place(path, assigned.line))
            elif isinstance(assigned.value, ast.Constant) and _SEEDS.search(assigned.name):
                many = isinstance(assigned.value.value, int) and assigned.value.value > 1
                (strong if many else weak).append(Place(path, assigned.line))
        for told in facts.defaults:
            if _SEEDS.search(told.key) and isinstance(told.value, ast.Constant) and type(told.value.value) is int:
                (strong if told.value.value > 1 else weak).append(Place(path, told.line))
        for loop in facts.iterations:
            if isinstance(loop.target, ast.Name) and re.search(r"^(random_?)?seed$", loop.target.id):
                strong.append(Place(path, loop.line))
    if any(len(s) > 1 for s in by_script.values()):
        strong += [Place(c.path, c.line) for c in project.commands if re.search(r"--?seed[ =]+\d", c.text)]
    return answer("yes", strong) if strong else answer("partial", weak) if weak else answer("no")


def _line_of(project: Project, path: str, first: int, word: str) -> int:
    """The line of a word in a command that goes on over several lines."""
    for number, line in enumerate(project.texts[path].splitlines()[first - 1 : first + 40], first):
        if word in line:
            return number
    return first


def config_driven(project: Project) -> Signal:
    """`yes` for configuration files or full flags, `partial` for a few of them or a dictionary in the code."""
    places: list[Place] = []
    for path in project.sizes:
        if _CONFIGS.search(path) and not _AROUND.search(path) and project.role(path) == "main":
            places.append(Place(path))
    flags: list[Place] = []
    parsers: list[Place] = []
    dictionary: list[Place] = []
    for path, facts in project.main_facts.items():
        parses = any(
            c.last in ("parse_args", "parse_known_args", "cli", "parse_args_into_dataclasses", "DEFINE_string", "Fire")
            for c in facts.calls
        )
        parses = parses or any(
            c.last in ("ArgumentParser", "command", "DEFINE_integer", "HfArgumentParser") for c in facts.calls
        )
        kinds = {"flag", "field"} if parses else set()
        told = [Place(path, d.line) for d in facts.defaults if d.kind in kinds]
        for call in facts.calls:
            if call.name in ("fire.Fire", "typer.run", "tyro.cli", "jsonargparse.CLI", "defopt.run", "plac.call"):
                given = call.argument(0)
                function = facts.functions.get(given.id) if isinstance(given, ast.Name) else None
                named = function.parameters() if function is not None else []
                told += [Place(path, call.line)] * sum(1 for n in named if function and function.default(n) is not None)
        if told:
            parsers += [
                Place(path, c.line) for c in facts.calls if c.last in ("HfArgumentParser", "ArgumentParser", "cli")
            ]
            parsers += told[:1]
        flags += told
        entries = [d for d in facts.defaults if d.kind == "dictionary"]
        if any(re.search(r"(^|_)lr|learning_rate|batch|gamma|epochs|hidden", d.key) for d in entries):
            dictionary += [Place(path, d.line) for d in entries]
    if places or len(flags) >= 5:
        return answer("yes", [*places, *parsers, *flags])
    if flags or dictionary:
        return answer("partial", [*flags, *dictionary])
    return answer("no")


def updates(project: Project) -> list[tuple[str, Call]]:
    """Steps of optimizers that are written out."""
    return [(p, c) for p, c in project.training_steps if is_update(c)]
