"""What every sandbox backend must keep, tried on a living one: run by the tests on each, and by `doctor`."""

import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from reproducegym.errors import ReproduceGymError
from reproducegym.pipeline.judging.transfer import RefusedFileError
from reproducegym.ports import CopyLimits, ExecOutcome, Sandbox, SandboxBox, SandboxSpec

__all__ = ["CHECKS", "Check", "Finding", "check_sandbox"]

_LIMITS = CopyLimits(max_files=50, max_bytes=1 << 20, max_file_bytes=1 << 19)
_UID = "12345"
_ONE = "/workspace/out/m"
_SOCKET = "import socket; socket.socket(1).bind('m')"


@dataclass(frozen=True)
class Finding:
    """One promise and whether it was kept; `detail` says what was seen when it was not."""

    promise: str
    kept: bool
    detail: str


@dataclass(frozen=True)
class Check:
    """A promise and the trial of it, on a fresh sandbox; the trial returns what is wrong.

    `/given` is a directory of the host, read-only, and `/given/covered.txt` another file over one of it.
    """

    promise: str
    trial: Callable[[SandboxBox], str]


def check_sandbox(sandbox: Sandbox, image: str) -> Iterator[Finding]:
    """Try every promise in turn, each on a sandbox of its own."""
    for check in CHECKS:
        yield _try(sandbox, image, check)


def _try(sandbox: Sandbox, image: str, check: Check) -> Finding:
    with tempfile.TemporaryDirectory(prefix="reproducegym-check-") as made:
        given = Path(made) / "given"
        given.mkdir()
        (given / "note.txt").write_text("from outside\n", "utf-8")
        covered, cover = given / "covered.txt", Path(made) / "cover"
        covered.write_text("underneath\n", "utf-8")
        cover.write_text("on top\n", "utf-8")
        spec = SandboxSpec(
            run_id="self-check",
            image=image,
            env={"REPRODUCEGYM_MARK": "set"},
            read_only={"/given": given, "/given/covered.txt": cover},
            memory_mib=192,
            cpus=1.0,
            pids=48,
            workspace_mib=16,
            file_mib=8,
        )
        try:
            with sandbox.create(spec) as box:
                wrong = check.trial(box)
        except ReproduceGymError as error:
            wrong = f"{type(error).__name__}: {error}"
        if covered.read_text("utf-8") != "underneath\n":
            wrong = f"{wrong}; a file of the host was written to".removeprefix("; ")
    return Finding(check.promise, not wrong, wrong)


def _run(box: SandboxBox, script: str, *, timeout_s: float = 30.0, output_bytes: int = 65536) -> ExecOutcome:
    return box.exec(["/bin/bash", "-c", script], timeout_s=timeout_s, output_bytes=output_bytes)


def _said(ended: ExecOutcome) -> str:
    return ended.output.decode("utf-8", "replace").strip()


def _unless(kept: bool, ended: ExecOutcome) -> str:
    return "" if kept else f"exit code {ended.exit_code}, output {_said(ended)[:300]!r}"


def _files_and_exit_code(box: SandboxBox) -> str:
    box.put({"a/one.txt": b"1\n", "go.sh": b"#!/bin/bash\ncat a/one.txt; exit 3\n"}, executable=["go.sh"])
    ended = box.exec(["./go.sh"], timeout_s=30.0, output_bytes=100)
    if ended.exit_code != 3 or ended.output != b"1\n":
        return _unless(False, ended)
    got = box.get("/workspace", _LIMITS)
    return "" if set(got) == {"a/one.txt", "go.sh"} and got["a/one.txt"] == b"1\n" else f"got {sorted(got)}"


def _directories(box: SandboxBox) -> str:
    box.put({"given/note.txt": b"1\n"}, directories=["made", "given/inside"])
    ended = _run(box, "echo 2 > made/a && echo 3 > given/inside/b && stat -c %u%a made given/inside | sort -u")
    return _unless(_said(ended) == f"{_UID}755", ended)


def _same_workspace(box: SandboxBox) -> str:
    _run(box, "echo kept > left.txt")
    ended = _run(box, "cat left.txt")
    return _unless(_said(ended) == "kept", ended)


def _environment(box: SandboxBox) -> str:
    ended = box.exec(["/usr/bin/env"], env={"EXTRA": "1"}, timeout_s=30.0, output_bytes=65536)
    names = {line.partition("=")[0] for line in _said(ended).splitlines()}
    wanted = {"PATH", "HOME", "LANG", "REPRODUCEGYM_MARK", "EXTRA"}
    return "" if wanted <= names <= wanted | {"HOSTNAME"} else f"the names are {sorted(names)}"


def _unprivileged(box: SandboxBox) -> str:
    ended = _run(box, "id -u; id -g; grep -E '^(CapEff|CapPrm|CapAmb|NoNewPrivs)' /proc/self/status | tr -d '\\n\\t'")
    wanted = f"{_UID}\n{_UID}\nCapPrm:{'0' * 16}CapEff:{'0' * 16}CapAmb:{'0' * 16}NoNewPrivs:1"
    return _unless(_said(ended) == wanted, ended)


def _no_network(box: SandboxBox) -> str:
    probe = (
        "import socket\n"
        "for family, where in ((socket.AF_INET, ('192.0.2.1', 80)), (socket.AF_INET, ('169.254.169.254', 80)),\n"
        "                      (socket.AF_INET, ('127.0.0.1', 2375))):\n"
        "    s = socket.socket(family); s.settimeout(3)\n"
        "    try: s.connect(where); print('reached', where)\n"
        "    except OSError: pass\n"
        "print(sorted(name for _, name in socket.if_nameindex() if name != 'lo'))\n"
    )
    ended = box.exec(["python3", "-c", probe], timeout_s=30.0, output_bytes=4096)
    return _unless(_said(ended) == "[]", ended)


def _no_user_namespace(box: SandboxBox) -> str:
    ended = _run(box, "unshare --user --map-root-user echo made 2>/dev/null; true")
    return _unless(_said(ended) == "" and ended.exit_code == 0, ended)


def _no_kernel_keys(box: SandboxBox) -> str:
    probe = (
        "import ctypes, os\n"
        "first = {'x86_64': 248, 'aarch64': 217}[os.uname().machine]\n"
        "call = ctypes.CDLL(None).syscall\n"
        "print([call(first + n, *(ctypes.c_long(0) for _ in range(5))) for n in range(3)])\n"
    )
    ended = box.exec(["python3", "-c", probe], timeout_s=30.0, output_bytes=4096)
    shown = _run(box, "cat /proc/keys 2>/dev/null")
    return _unless(_said(ended) == "[-1, -1, -1]", ended) or _unless(_said(shown) == "", shown)


def _read_only_root(box: SandboxBox) -> str:
    write = "for p in / /usr /etc /given /bin /dev; do (echo x > $p/probe) 2>/dev/null && echo wrote $p; done"
    ended = _run(box, f"{write}; (echo x > /proc/sys/kernel/hostname) 2>/dev/null && echo named; cat /given/note.txt")
    return _unless(_said(ended) == "from outside", ended)


def _file_over_a_directory(box: SandboxBox) -> str:
    ended = _run(box, "(echo x > /given/covered.txt) 2>/dev/null; cat /given/covered.txt /given/note.txt")
    return _unless(_said(ended) == "on top\nfrom outside", ended)


def _host_unseen(box: SandboxBox) -> str:
    with tempfile.NamedTemporaryFile(prefix="reproducegym-secret-") as secret:
        secret.write(b"secret of the host\n")
        secret.flush()
        Path(secret.name).chmod(0o644)
        places = f"{secret.name} /etc/shadow /proc/1/root{secret.name} /proc/1/environ"
        ended = _run(
            box,
            f"cat {places} 2>/dev/null | tr '\\0' '\\n'; ls /var/run/docker.sock /run/docker.sock 2>/dev/null; true",
        )
    return _unless(not any(word in _said(ended) for word in ("secret", "docker.sock", "root:", "USER=")), ended)


def _own_processes_only(box: SandboxBox) -> str:
    ended = _run(box, "ls /proc | grep -c '^[0-9]'")
    return _unless(_said(ended).isdecimal() and int(_said(ended)) < 12, ended)


def _time_out_kills(box: SandboxBox) -> str:
    began = time.monotonic()
    ended = _run(box, "(while :; do date +%s%N > beat; sleep 0.05; done) & setsid sleep 300 & sleep 300", timeout_s=1.0)
    if not ended.timed_out or ended.exit_code is not None or time.monotonic() - began > 25:
        return f"timed_out={ended.timed_out} after {time.monotonic() - began:.1f} s, {_unless(False, ended)}"
    return _still(box)


def _nothing_survives_stop(box: SandboxBox) -> str:
    stubborn = "trap '' TERM HUP INT; while :; do date +%s%N > beat; sleep 0.05; done"
    ended = _run(box, f"({stubborn}) >/dev/null 2>&1 & sleep 0.3")
    if ended.exit_code != 0:
        return _unless(False, ended)
    box.stop_processes()
    return _still(box)


def _still(box: SandboxBox) -> str:
    """Whether nothing writes to `beat` any more."""
    before = box.get("/workspace/beat", _LIMITS)
    time.sleep(0.3)
    return "" if box.get("/workspace/beat", _LIMITS) == before else "a process is still writing"


def _output_is_cut(box: SandboxBox) -> str:
    seen: list[int] = []
    ended = box.exec(
        ["/bin/bash", "-c", "head -c 3000000 /dev/zero"],
        timeout_s=30.0,
        output_bytes=1000,
        on_output=lambda chunk: seen.append(len(chunk)),
    )
    kept = ended.exit_code == 0 and ended.truncated and len(ended.output) == 1000 == sum(seen)
    return "" if kept else f"{len(ended.output)} bytes, truncated={ended.truncated}, exit code {ended.exit_code}"


def _workspace_is_sized(box: SandboxBox) -> str:
    fill = "for i in 1 2 3 4 5 6 7 8; do head -c 6000000 /dev/zero > fill$i || echo full; done 2>/dev/null"
    ended = _run(box, f"{fill}; du -sm . | cut -f1")
    size = _said(ended).splitlines()[-1:]
    return _unless("full" in _said(ended) and size != [] and size[0].isdecimal() and int(size[0]) <= 17, ended)


def _files_are_sized(box: SandboxBox) -> str:
    ended = _run(box, "{ head -c 12000000 /dev/zero > big; } 2>/dev/null; stat -c %s big")
    size = _said(ended).splitlines()[-1:]
    return _unless(size != [] and size[0].isdecimal() and int(size[0]) <= 8 * 2**20, ended)


def _memory_is_limited(box: SandboxBox) -> str:
    ended = box.exec(["python3", "-c", "x = bytearray(700 << 20); print('held')"], timeout_s=30.0, output_bytes=4096)
    return _unless("held" not in _said(ended) and ended.exit_code not in (0, None), ended)


def _processes_are_limited(box: SandboxBox) -> str:
    forks = (
        "import os, time\n"
        "for n in range(200):\n"
        "    try:\n"
        "        if os.fork() == 0: time.sleep(20); os._exit(0)\n"
        "    except OSError: print(n, flush=True); os._exit(0)\n"
        "print('all')\n"
    )
    ended = box.exec(["python3", "-c", forks], timeout_s=10.0, output_bytes=4096)
    box.stop_processes()
    after = _run(box, "echo alive")
    few = _said(ended).isdecimal() and int(_said(ended)) < 48
    return _unless(few, ended) or _unless(_said(after) == "alive", after)


def _refuses(make: str, reason: str, place: str = "/workspace/out") -> Callable[[SandboxBox], str]:
    """The trial that `get` refuses what a script makes in `out`, for a reason."""

    def trial(box: SandboxBox) -> str:
        made = _run(box, f"mkdir out && cd out && {make}")
        if made.exit_code != 0:
            return _unless(False, made)
        try:
            got = box.get(place, _LIMITS)
        except RefusedFileError as error:
            return "" if error.reason == reason else f"refused for {error.reason}: {error}"
        return f"copied out {sorted(got)[:5]}"

    return trial


def _absent(box: SandboxBox) -> str:
    try:
        got = box.get("/workspace/nothing", _LIMITS)
    except RefusedFileError as error:
        return "" if error.reason == "absent" else f"refused for {error.reason}"
    return f"copied out {sorted(got)}"


def _linked_directory(box: SandboxBox) -> str:
    _run(box, "ln -s /given out")
    try:
        got = box.get("/workspace/out", _LIMITS)
    except RefusedFileError as error:
        return "" if error.reason == "link" else f"refused for {error.reason}"
    return f"copied out {sorted(got)}"


def _broken_pipe(box: SandboxBox) -> str:
    ended = _run(box, "yes | head -n 1; exit ${PIPESTATUS[0]}")
    return _unless(ended.exit_code == 141 and _said(ended) == "y", ended)


def _no_such_program(box: SandboxBox) -> str:
    ended = box.exec(["/no/such/program"], timeout_s=20.0, output_bytes=4096)
    return _unless(ended.exit_code in (126, 127), ended)


def _python(box: SandboxBox) -> str:
    script = "import sys; print(sys.version_info >= (3, 11))"
    ended = box.exec(["python3", "-c", script], timeout_s=20.0, output_bytes=99)
    return _unless(_said(ended) == "True", ended)


CHECKS: tuple[Check, ...] = (
    Check("files go in and out, and the exit code comes back", _files_and_exit_code),
    Check("directories are made, and the user may write there", _directories),
    Check("commands of one sandbox see the same workspace", _same_workspace),
    Check("python3 is there", _python),
    Check("a program that does not exist is the command's failure", _no_such_program),
    Check("a pipe that nobody reads ends its writer", _broken_pipe),
    Check("the environment is what was given and nothing of the host's", _environment),
    Check("the user is 12345 with no capability and no way to one", _unprivileged),
    Check("no user namespace can be made", _no_user_namespace),
    Check("the kernel's keys are out of reach", _no_kernel_keys),
    Check("there is no network", _no_network),
    Check("everything but the workspace and /tmp is read-only", _read_only_root),
    Check("a file mounted over one of a directory covers it, and neither can be written", _file_over_a_directory),
    Check("nothing of the host's private files is seen", _host_unseen),
    Check("no process of the host is seen", _own_processes_only),
    Check("a time-out kills all that was started", _time_out_kills),
    Check("nothing runs after stop_processes", _nothing_survives_stop),
    Check("a flood of output is cut", _output_is_cut),
    Check("the workspace cannot be overfilled", _workspace_is_sized),
    Check("a single file cannot grow past its limit", _files_are_sized),
    Check("memory is limited", _memory_is_limited),
    Check("the number of processes is limited", _processes_are_limited),
    Check("what is not there is refused as absent", _absent),
    Check("a directory replaced by a link is refused", _linked_directory),
    Check("symbolic links are refused", _refuses("ln -s /etc/passwd m.csv", "link")),
    Check("hard links are refused", _refuses("echo 1 > a && ln a b", "link")),
    Check("pipes are refused", _refuses("mkfifo m.csv", "device")),
    Check("sockets are refused", _refuses(f'python3 -c "{_SOCKET}"', "device")),
    Check("a file that is a socket is refused", _refuses(f'python3 -c "{_SOCKET}"', "device", _ONE)),
    Check("a file that its owner may not read is refused", _refuses("touch m && chmod 0 m", "unreadable", _ONE)),
    Check("a file behind a closed directory is refused", _refuses("touch m && chmod 0 .", "unreadable", _ONE)),
    Check("set-uid files are refused", _refuses("echo 1 > a && chmod 4755 a", "set_id")),
    Check("names that are not UTF-8 are refused", _refuses("touch $'\\xff'", "name")),
    Check("names with control characters are refused", _refuses("touch $'a\\nb'", "name")),
    Check("too many files are refused", _refuses("touch $(seq 60)", "count")),
    Check("a file past the size limit is refused", _refuses("head -c 600000 /dev/zero > a", "size")),
    Check("files past the total limit are refused", _refuses("truncate -s 500000 a b c", "size")),
    Check("a sparse file counts by its length", _refuses("truncate -s 7M a", "size")),
)
