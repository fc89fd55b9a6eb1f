"""What an inventory may say, and the one line about each thing that it may not."""

from pathlib import Path

import pytest
from sample_paper import call, one_line

from reproducegym.errors import MisuseError
from reproducegym.nodes.inventory import local_inventories, read_nodes

HEAD = "schema_version: 1\nnodes:\n"
LEAST = "  - {name: a, host: h, user: u, known_hosts: known, workdir: /w"


def test_the_example_is_an_inventory(root: Path):
    (node,) = read_nodes([root / "config" / "nodes.example.yaml"])
    assert (node.name, node.gpus) == ("gpu-1", ("0", "1"))
    assert node.key == str(root / "config" / "keys" / "gpu-1")


def test_every_local_inventory_counts_and_the_example_does_not(tmp_path: Path):
    (tmp_path / "config").mkdir()
    for name in ("nodes.yaml", "nodes.lab.yaml", "nodes.example.yaml", "other.yaml"):
        (tmp_path / "config" / name).write_text(HEAD + LEAST + "}\n")
    assert [path.name for path in local_inventories(tmp_path)] == ["nodes.yaml", "nodes.lab.yaml"]
    with pytest.raises(MisuseError, match=r"node a stands in .*nodes.yaml and in .*nodes.lab.yaml; rename one"):
        read_nodes(local_inventories(tmp_path))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (HEAD + LEAST + ", prot: 22}\n", "$.nodes[0]: Additional properties are not allowed ('prot' was unexpected)"),
        (HEAD + LEAST + ", port: '22'}\n", "$.nodes[0].port: '22' is not of type 'integer'"),
        (HEAD + LEAST + ", port: 0}\n", "$.nodes[0].port: 0 is less than the minimum of 1"),
        (HEAD + LEAST.replace("host: h", "host: -oProxyCommand=x") + "}\n", "$.nodes[0].host: '-oProxyCommand=x'"),
        (HEAD + LEAST.replace("/w", "work") + "}\n", "$.nodes[0].workdir: 'work' does not match"),
        (HEAD + LEAST + ", gpus: ['0', '0']}\n", "node a lists a GPU twice"),
        (HEAD + LEAST + "}\n" + LEAST + "}\n", "two nodes have the name a"),
        (HEAD + LEAST.replace(", known_hosts: known", "") + "}\n", "$.nodes[0]: 'known_hosts' is a required property"),
        ("schema_version: 1\nnodes: []\n", "there is no node in it"),
        ("nodes: [\n", "is not YAML"),
        ("schema_version: 9\nnodes: []\n", "newer reproducegym"),
    ],
)
def test_what_does_not_fit_is_one_line_with_its_place(tmp_path: Path, text: str, words: str):
    file = tmp_path / "nodes.yaml"
    file.write_text(text)
    with pytest.raises(MisuseError) as refused:
        read_nodes([file])
    assert words in str(refused.value)
    assert str(file) in str(refused.value)
    assert "\n" not in str(refused.value)


def test_without_an_inventory_the_command_says_how_to_make_one(tmp_path: Path):
    done = call("reproducegym", "nodes", "probe", cwd=tmp_path)
    assert done.returncode == 2
    assert "copy config/nodes.example.yaml to config/nodes.yaml" in one_line(done)
