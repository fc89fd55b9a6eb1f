"""Commands that people are told to run: in documents, shell scripts, Makefiles and pipelines."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

__all__ = ["Command", "commands_of_document", "commands_of_pipeline", "commands_of_script"]

_FENCE = re.compile(r"^\s*(?:```+|~~~+)\s*([\w+-]*)")
_RUN = re.compile(
    r"(?:^|[\s;&|(\"'`])(?:python[\d.]*|torchrun|pythonw|deepspeed|accelerate\s+launch|mpirun|horovodrun|streamlit\s+run"
    r"|uv\s+run|poetry\s+run\s+python[\d.]*|python[\d.]*\s+-m\s+torch\.distributed\.(?:launch|run))\s+(?P<rest>.+)"
)
_FILE = re.compile(r"[\w./${}-]+\.py\b")
_MODULE = re.compile(r"(?:^|\s)-m\s+([\w.]+)")
_RUN_STARTS = (
    "./",
    "bash ",
    "sh ",
    "make ",
    "dvc ",
    "snakemake",
    "source ",
    "pip ",
    "conda ",
    "poetry ",
    "docker ",
    "uv ",
)


@dataclass(frozen=True, slots=True)
class Command:
    """One command line: where it stands, and the script or module it runs, if it runs Python."""

    path: str
    line: int
    text: str
    script: str = ""
    module: str = ""
    loop: bool = False


def commands_of_document(path: str, text: str) -> Iterator[Command]:
    """Command lines in code blocks, after prompts, and in `inline code` that runs a script."""
    fenced = False
    shell = False
    held, first = "", 0
    for number, line in enumerate(text.splitlines(), 1):
        if (found := _FENCE.match(line)) and "```" not in line.strip().strip("`"):
            fenced = not fenced
            shell = fenced and found.group(1).lower() in {
                "",
                "bash",
                "sh",
                "shell",
                "console",
                "zsh",
                "text",
                "shell-session",
            }
            continue
        if fenced and not shell:
            continue
        shown = line.strip()
        if not fenced:
            inline = re.findall(r"`+(?:bash\s|sh\s)?([^`]+)`+", line)
            if line.startswith(("    ", "\t")) and not inline:
                yield from _read(path, number, shown, only_runs=True)
            for code in inline:
                yield from _read(path, number, code, only_runs=True)
            yield from (_command(path, number, m, False) for m in re.findall(r"<code>(python[^<]+)</code>", line))
            continue
        if shown.startswith(("$ ", "> ", "% ")):
            shown = shown[2:]
        held, first = (held + " " + shown, first) if held else (shown, number)
        if held.endswith("\\"):
            held = held[:-1]
            continue
        yield from _read(path, first, held.strip(), only_runs=False)
        held = ""


def commands_of_script(path: str, text: str) -> Iterator[Command]:
    """Command lines of a shell script or Makefile, with continued lines joined."""
    held, first, depth = "", 0, 0
    for number, line in enumerate(text.splitlines(), 1):
        shown = line.strip()
        if not shown or shown.startswith("#"):
            continue
        held, first = (f"{held} {shown}", first) if held else (shown, number)
        if held.endswith("\\"):
            held = held[:-1].rstrip()
            continue
        depth += len(re.findall(r"^(?:for|while|until)\b", held))
        yield _command(path, first, held, depth > 0)
        depth -= len(re.findall(r"(?:^|;\s*)done\b", held))
        held = ""


def commands_of_pipeline(path: str, text: str) -> Iterator[Command]:
    """The `cmd:` lines of a DVC pipeline."""
    for number, line in enumerate(text.splitlines(), 1):
        if found := re.match(r"\s*(?:-\s*)?cmd:\s*(.+)", line):
            yield _command(path, number, found.group(1).strip("'\" "), False)
        elif re.match(r"\s*-?\s*python[\d.]*\s", line):
            yield _command(path, number, line.strip(" -"), False)


def _read(path: str, line: int, text: str, *, only_runs: bool) -> Iterator[Command]:
    if not text or text.startswith("#"):
        return
    command = _command(path, line, text, False)
    if command.script or command.module or (not only_runs) or text.startswith(_RUN_STARTS):
        yield command


def _command(path: str, line: int, text: str, loop: bool) -> Command:
    found = _RUN.search(text)
    if found is None:
        return Command(path, line, text, loop=loop)
    rest = found.group("rest")
    script = _FILE.search(rest)
    modules = [m for m in _MODULE.findall(f" {text}") if not m.startswith(("torch.", "pip", "venv"))]
    if modules and (script is None or f"-m {modules[-1]}" in text):
        return Command(path, line, text, module=modules[-1], loop=loop)
    return Command(path, line, text, script=script.group() if script else "", loop=loop)
