"""Stories of setting models up: from `.env` or the shell and never from both, told in a line, with the key nowhere."""

import json
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from model_server import KEY, Answer, Hang, Status, least
from sample_paper import PAPER_ID, call, command_line, one_line

from reproducegym.cli.environment import model_settings, named, use_only
from reproducegym.errors import MisuseError, ModelUnavailableError
from reproducegym.pipeline.config_file import load_config

FILE = "OPENAI_API_KEY=key-of-file-1\nOPENAI_BASE_URL=https://models.example/v1\n"
SHELL = {"OPENAI_API_KEY": "key-of-shell-1", "OPENAI_BASE_URL": "http://127.0.0.1:8000/v1", "PATH": "/bin"}
NOBODY = {"OPENAI_API_KEY": "", "OPENAI_BASE_URL": "", "OPENAI_MODEL": ""}


def written(directory: Path, text: str) -> Path:
    (directory / ".env").write_text(text)
    return directory


def test_the_file_is_taken_over_the_shell_and_that_is_told(tmp_path):
    shell = {**SHELL, "OPENAI_ORG_ID": "org-of-shell", "OPENAI_LOG": "debug"}
    found = model_settings(written(tmp_path, FILE + "OPENAI_MODEL='some/model:7b'\nOTHER=1\n"), shell)
    assert (found.endpoint.base_url, found.endpoint.key) == ("https://models.example/v1", "key-of-file-1")
    assert found.model == "some/model:7b"
    assert found.line == (
        "models: base URL https://models.example/v1 from .env; key from .env; "
        "OPENAI_API_KEY, OPENAI_BASE_URL, OPENAI_ORG_ID of the shell not used"
    )
    assert set(found.variables) == {"OPENAI_API_KEY", "OPENAI_BASE_URL", "OPENAI_MODEL"}


def test_the_shell_is_used_where_no_file_is(tmp_path):
    found = model_settings(tmp_path, SHELL)
    assert found.endpoint.key == "key-of-shell-1"
    assert found.line == (
        "models: base URL http://127.0.0.1:8000/v1 from the shell's environment; key from the shell's environment"
    )


def test_a_key_alone_goes_to_openai_and_not_to_the_shells_address(tmp_path):
    found = model_settings(written(tmp_path, "OPENAI_API_KEY=key-of-file-1\n"), SHELL)
    assert found.endpoint.base_url == "https://api.openai.com/v1"
    assert found.line.startswith("models: base URL https://api.openai.com/v1 (the default); key from .env")


def test_the_shells_key_is_not_sent_to_an_address_of_the_file(tmp_path):
    with pytest.raises(ModelUnavailableError, match=r"the shell's key is not sent to an address that \.env names"):
        model_settings(written(tmp_path, "OPENAI_BASE_URL=https://elsewhere.example/v1\n"), SHELL)


def test_a_model_alone_in_the_file_leaves_key_and_address_to_the_shell(tmp_path):
    found = model_settings(written(tmp_path, "OPENAI_MODEL=small\n"), {**SHELL, "OPENAI_MODEL": "large"})
    assert (found.endpoint.key, found.model) == ("key-of-shell-1", "small")


@pytest.mark.parametrize("text", ["", "OTHER=1\n", "OPENAI_API_KEY=\n", "OPENAI_API_KEY\n", "OPENAI_API_KEY='  '\n"])
def test_a_file_that_sets_nothing_for_models_is_as_none(tmp_path, text):
    assert model_settings(written(tmp_path, text), SHELL).endpoint.key == "key-of-shell-1"


@pytest.mark.parametrize(
    "text",
    [
        "export OPENAI_API_KEY=k-1 # mine\n",
        "\ufeffOPENAI_API_KEY=k-1\n",
        "OPENAI_API_KEY = 'k-1'\r\n",
        'OPENAI_API_KEY="k-1"',
    ],
)
def test_the_file_is_read_as_such_files_are_written(tmp_path, text):
    assert model_settings(written(tmp_path, text), {}).endpoint.key == "k-1"


def test_nothing_in_the_file_is_taken_from_the_shell(tmp_path):
    found = model_settings(written(tmp_path, "OPENAI_API_KEY=${SECRET}x\n"), {"SECRET": "of-shell"})
    assert found.endpoint.key == "${SECRET}x"


def test_no_key_anywhere(tmp_path):
    with pytest.raises(ModelUnavailableError, match="no model is set up: set OPENAI_API_KEY"):
        model_settings(tmp_path, {"OPENAI_API_KEY": " "})


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("OPENAI_API_KEY='secret of two words'\n", "OPENAI_API_KEY in .env has a space or a character that no key has"),
        ('OPENAI_API_KEY="secret\\nX-Evil: 1"\n', "OPENAI_API_KEY in .env has a space"),
        ('OPENAI_MODEL=m\nOPENAI_API_KEY="secret\nOPENAI_BASE_URL=http://x/v1\n', ".env, line 2: is no NAME=value"),
        ("OPENAI_API_KEY=secretü\n", "OPENAI_API_KEY in .env has a space or a character"),
        (
            "OPENAI_API_KEY=k\nOPENAI_BASE_URL=models.example/v1\n",
            "OPENAI_BASE_URL in .env is no http or https address",
        ),
        ("OPENAI_API_KEY=k\nOPENAI_BASE_URL=ftp://secret\n", "is no http or https address"),
        ("OPENAI_API_KEY=k\nOPENAI_BASE_URL=http://secret:99999999\n", "is no http or https address"),
        ("OPENAI_API_KEY=k\nOPENAI_BASE_URL=http://[secret\n", "is no http or https address"),
        ("OPENAI_API_KEY=k\nOPENAI_BASE_URL=https://me:secret@models.example/v1\n", "holds a password"),
        ("OPENAI_API_KEY=k\nOPENAI_BASE_URL=https://models.example/v1?key=secret\n", "holds a password, a query"),
    ],
)
def test_a_setting_that_cannot_be_used_is_named_and_not_shown(tmp_path, text, words):
    with pytest.raises(MisuseError) as caught:
        model_settings(written(tmp_path, text), {})
    assert words in str(caught.value)
    assert "secret" not in str(caught.value)


def test_a_file_that_cannot_be_read_is_told(tmp_path):
    (tmp_path / ".env").mkdir()
    with pytest.raises(MisuseError, match=r"\.env: is no file"):
        model_settings(tmp_path, SHELL)
    (tmp_path / ".env").rmdir()
    (tmp_path / ".env").write_bytes(b"OPENAI_API_KEY=\xff\n")
    with pytest.raises(MisuseError, match=r"\.env: cannot be read \(UnicodeDecodeError\)"):
        model_settings(tmp_path, SHELL)


def test_an_address_without_encryption_is_told_unless_it_is_this_machine(tmp_path):
    plain = {**SHELL, "OPENAI_BASE_URL": "http://models.example/v1"}
    assert model_settings(tmp_path, plain).line.endswith("the connection is not encrypted")
    assert "not encrypted" not in model_settings(tmp_path, SHELL).line


def test_the_configurations_own_model_is_taken_first(tmp_path):
    chosen = model_settings(tmp_path, {**SHELL, "OPENAI_MODEL": "of-shell"})
    config = load_config(None).llm
    assert named(config, chosen).model == "of-shell"
    assert named(config.model_copy(update={"model": "of-config"}), chosen).model == "of-config"
    with pytest.raises(MisuseError, match="OPENAI_MODEL 'two words' is no name of a model"):
        named(config, model_settings(tmp_path, {**SHELL, "OPENAI_MODEL": "two words"}))


def test_from_then_on_the_process_sees_the_variables_of_the_source_alone():
    shell = {**SHELL, "OPENAI_ORG_ID": "org-of-shell"}
    use_only({"OPENAI_API_KEY": "k", "OPENAI_PROJECT_ID": "p"}, shell)
    assert shell == {"OPENAI_API_KEY": "k", "OPENAI_PROJECT_ID": "p", "PATH": "/bin"}


def test_nothing_of_the_shell_goes_to_the_files_endpoint(model_server, tmp_path):
    model_server.script = lambda asked: Status(401)
    env_file(tmp_path, model_server.base_url)
    heard: list[str] = []
    take = model_server.take

    def listening(headers, raw):
        heard.append(" ".join([*headers, *headers.values()]))
        return take(headers, raw)

    model_server.take = listening
    shell = {
        "OPENAI_ORG_ID": "org-of-shell",
        "OPENAI_CUSTOM_HEADERS": "x-of-shell: of-shell",
        "OPENAI_PROJECT_ID": "p-shell",
    }
    models_finding("--online", cwd=tmp_path, env={**NOBODY, **shell})
    assert heard
    assert "shell" not in heard[0]


# the commands


def env_file(directory: Path, url: str) -> Path:
    return written(directory, f"OPENAI_API_KEY={KEY}\nOPENAI_BASE_URL={url}\nOPENAI_MODEL=small-model\n")


def models_finding(*flags: str, cwd: Path, env: dict[str, str]) -> dict:
    done = call("reproducegym", "doctor", "--json", *flags, cwd=cwd, env=env)
    assert KEY not in done.stdout + done.stderr
    return next(one for one in json.loads(done.stdout)["findings"] if one["name"] == "models")


def test_doctor_says_that_no_model_is_set_up(tmp_path):
    found = models_finding(cwd=tmp_path, env=NOBODY)
    assert found["works"] is False
    assert "no model is set up" in found["found"]
    assert "--extractor rules needs no model" in found["cost"]


def test_doctor_asks_nothing_unless_it_is_told_to(model_server, tmp_path):
    model_server.script = lambda asked: Status(401)
    env_file(tmp_path, model_server.base_url)
    offline = models_finding(cwd=tmp_path, env=NOBODY)
    assert offline["works"] is True
    assert offline["found"].endswith("key from .env; model small-model; not tried, --online does")
    assert model_server.hits == 0
    online = models_finding("--online", cwd=tmp_path, env=NOBODY)
    assert online["works"] is False
    assert "refuses the key (status 401); check OPENAI_API_KEY in .env" in online["found"]


@pytest.fixture
def runs(built_sample: Path, tmp_path: Path) -> Path:
    """A place where the sample paper is parsed and not built."""
    shutil.copytree(built_sample / "00-parse", tmp_path / "runs" / PAPER_ID / "00-parse")
    return tmp_path


def no_key_in(directory: Path) -> None:
    held = [path for path in directory.rglob("*") if path.is_file() and path.name != ".env"]
    assert held
    assert [path for path in held if KEY.encode() in path.read_bytes() or KEY[-6:].encode() in path.read_bytes()] == []


def test_a_build_by_a_model_keeps_replies_and_usage_and_no_key(model_server, runs):
    model_server.script = lambda asked: Answer(least(asked.schema))
    env_file(runs, model_server.base_url)
    command = ("reproducegym", "build", "--paper", f"runs/{PAPER_ID}", "--extractor", "llm")
    done = call(*command, cwd=runs, env=NOBODY)
    assert done.returncode == 0, done.stderr
    assert model_server.refused == []
    assert KEY not in done.stdout + done.stderr
    no_key_in(runs)
    paper = runs / "runs" / PAPER_ID
    usage = json.loads((paper / "token_usage.summary.json").read_text())
    assert usage["calls"] == len(model_server.requests) > 0
    kept = list((paper / "01-extract" / "model_replies").rglob("*.json"))
    assert len(kept) == usage["calls"]
    done = call(*command, "--refresh", cwd=runs, env=NOBODY)
    assert done.returncode == 0, done.stderr
    assert len(model_server.requests) == usage["calls"]
    again = json.loads((paper / "token_usage.summary.json").read_text())
    assert (again["calls"], again["cached"]) == (0, usage["calls"])


@pytest.mark.parametrize("status", [400, 500])
def test_a_build_on_an_endpoint_that_tells_secrets_ends_in_one_line_without_them(model_server, runs, status):
    model_server.echo = status
    env_file(runs, model_server.base_url)
    config = runs / "mine.toml"
    text = (Path(__file__).parents[2] / "config" / "default.toml").read_text()
    config.write_text(text.replace("attempts = 5", "attempts = 1"))
    done = call(
        "reproducegym",
        *("build", "--paper", f"runs/{PAPER_ID}", "--extractor", "llm", "--config", config, "--json"),
        cwd=runs,
        env=NOBODY,
    )
    assert done.returncode == 13
    assert json.loads(done.stdout)["error"]["kind"] == "ModelUnavailableError"
    assert KEY not in done.stdout + done.stderr
    assert KEY[-6:] not in done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    no_key_in(runs)


def test_a_build_without_a_model_says_what_to_set(runs):
    done = call("reproducegym", "build", "--paper", f"runs/{PAPER_ID}", "--extractor", "llm", cwd=runs, env=NOBODY)
    assert done.returncode == 13
    assert one_line(done).startswith("no model is set up: set OPENAI_API_KEY")
    written(runs, "OPENAI_API_KEY=k-123\n")
    done = call("reproducegym", "build", "--paper", f"runs/{PAPER_ID}", "--extractor", "llm", cwd=runs, env=NOBODY)
    assert done.returncode == 2
    assert "no model is named" in one_line(done)


def test_a_build_without_the_extra_says_what_to_install(runs):
    hidden = (
        "import sys, importlib.metadata as m\n"
        "real = m.version\n"
        "def version(name):\n"
        "    if name == 'openai': raise m.PackageNotFoundError(name)\n"
        "    return real(name)\n"
        "m.version = version\n"
        "sys.modules['openai'] = None\n"
        "from reproducegym.cli.app import main\n"
        f"sys.argv[1:] = ['build', '--paper', 'runs/{PAPER_ID}', '--extractor', 'llm']\n"
        "main()\n"
    )
    done = subprocess.run([sys.executable, "-c", hidden], cwd=runs, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "pip install 'reproducegym[llm]'; or use --extractor rules, which needs no model" in one_line(done)


def test_a_stopped_build_does_not_wait_for_the_model(model_server, runs):
    model_server.script = lambda asked: Hang()
    env_file(runs, model_server.base_url)
    argv = command_line("reproducegym", "build", "--paper", f"runs/{PAPER_ID}", "--extractor", "llm")
    with subprocess.Popen(argv, cwd=runs, stderr=subprocess.PIPE, text=True) as process:
        ends = time.monotonic() + 60
        while not model_server.requests and time.monotonic() < ends:
            time.sleep(0.05)
        began = time.monotonic()
        process.send_signal(signal.SIGINT)
        told = process.communicate(timeout=30)[1]
    assert time.monotonic() - began < 10
    assert process.returncode == 130
    assert "error: stopped; nothing is left running" in told
