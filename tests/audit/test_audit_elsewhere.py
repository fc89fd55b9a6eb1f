"""Kinds of faults that showed on repositories which were not at hand when the rules were written, each made anew."""

from tests.audit.repositories import asked, report_on

TRAINS = "import torch\n\nmodel = torch.nn.Linear(2, 1)\noptimizer = torch.optim.SGD(model.parameters(), lr=0.1)\n"


def test_an_old_optimizer_of_flax_trains():
    step = "def step(state, grad):\n    return state.optimizer.apply_gradient(grad, learning_rate=0.1)\n"
    assert asked({"losses.py": step})["training_loop"] == "yes"


def test_a_file_for_older_python_is_read_but_for_what_it_breaks():
    old = 'import torch\n\nprint "starts"\ntorch.manual_seed(1)\nsend(x, async=True)\n'
    old += "try:\n    pass\nexcept OSError, e:\n    pass\n"
    report = report_on({"train.py": old + "print torch.nn.Linear(2, 1)\n"})
    assert report.signals["seed_torch"].value == "yes"
    assert report.signals["seed_torch"].evidence[0].line == 4
    assert [f.line for f in report.findings if f.rule == "broken-syntax"] == [3]


def test_lines_that_nothing_can_read_are_left_out():
    told = asked({"train.py": f"import torch\n<<<<<<< ours\ntorch.manual_seed(3)\n=======\n{TRAINS}"})
    assert told["seed_torch"] == "yes"


def test_layers_of_a_star_import_draw():
    model = "from keras.models import *\nfrom keras.layers import *\n\nm = Model(Input((2,)), Dense(1))\n"
    assert asked({"model.py": model})["seed_tf"] == "no"


def test_training_a_keras_model_draws_wherever_it_was_made():
    code = "import keras\nimport zoo\n\nmodel = zoo.Unet()\nmodel.fit_generator(rows, steps_per_epoch=3)\n"
    assert asked({"train.py": code})["seed_tf"] == "no"


def test_environments_of_dm_control_are_seeded_by_their_task():
    code = 'from dm_control import suite\n\nenv = suite.load("cartpole", "swingup"{})\nenv.reset()\n'
    assert asked({"run.py": code.format("")})["seed_env"] == "no"
    assert asked({"run.py": code.format(', task_kwargs={"random": 3}')})["seed_env"] == "yes"


def test_workers_that_are_seeded_count_without_a_shuffle():
    loader = "from torch.utils.data import DataLoader\n\nDataLoader(rows, num_workers=4{})\n"
    assert asked({"data.py": loader.format("")})["dataloader_worker_seeding"] == "na"
    assert asked({"data.py": loader.format(", worker_init_fn=f")})["dataloader_worker_seeding"] == "yes"


def test_a_flag_of_absl_that_must_be_given_turns_no_seed_off():
    code = (
        "import jax\nfrom absl import app, flags\n\nFLAGS = flags.FLAGS\n"
        'flags.DEFINE_enum("mode", None, ["train", "eval"], "")\n{}\n\ndef train():\n    key = jax.random.PRNGKey(1)\n'
        '    print(jax.random.normal(key))\n\n\ndef main(_):\n    if FLAGS.mode == "train":\n        train()\n\n\n'
        'if __name__ == "__main__":\n    app.run(main)\n'
    )
    assert asked({"main.py": code.format("")})["seed_jax"] == "partial"
    assert asked({"main.py": code.format('flags.mark_flags_as_required(["mode"])')})["seed_jax"] == "yes"


def test_data_of_tensorflow_datasets_is_kept_by_the_library():
    assert (
        asked({"data.py": 'import tensorflow_datasets as tfds\n\nb = tfds.builder("cifar10")\n'})["dataset_pinned"]
        == "partial"
    )


def test_many_pictures_in_a_room_of_data_are_a_data_set_and_few_are_not():
    def rooms(n: int) -> dict[str, str]:
        return {"train.py": TRAINS, **{f"data/train/image/{i}.png": "x" * 400 for i in range(n)}}

    assert asked(rooms(30))["dataset_pinned"] == "yes"
    assert asked(rooms(3))["dataset_pinned"] != "yes"


def test_weights_behind_a_tag_or_a_number_are_pinned():
    hub = 'import torch\n\nURL = "https://github.com/a/b/releases/download/{}/w.pth"\ntorch.hub.load_state_dict_from_url(URL)\n'
    assert asked({"hubconf.py": hub.format("v3.0")})["model_revision_pinned"] == "yes"
    tf = 'import tensorflow_hub as hub\n\nTFHUB = "https://tfhub.dev/a/b{}"\nhub.load(TFHUB)\n'
    assert asked({"m.py": tf.format("/1")})["model_revision_pinned"] == "yes"
    assert asked({"m.py": tf.format("")})["model_revision_pinned"] == "no"


def test_weights_that_keras_fetches_are_no_data_set():
    code = 'from keras.utils import get_file\n\nget_file("resnet_weights.h5", BASE_WEIGHT_URL, file_hash="1a")\n'
    told = asked({"models/resnet.py": code})
    assert (told["dataset_pinned"], told["model_revision_pinned"]) == ("na", "yes")


def test_words_for_checkpoints_are_a_link_to_them():
    assert (
        asked({"README.md": "We publish [model checkpoints](https://www.example.org/models).\n"})["checkpoints_linked"]
        == "yes"
    )
    assert asked({"README.md": "See [model checkpoints](https://arxiv.org/abs/1).\n"})["checkpoints_linked"] == "no"


def test_services_around_the_code_configure_no_experiments():
    files = {
        "train.py": TRAINS,
        ".circleci/config.yml": "version: 2\n",
        "appveyor.yml": "env:\n  PYTHON: C:\\Python27\n",
    }
    told = asked(files)
    assert (told["config_driven"], told["absolute_paths"]) == ("no", "no")


def test_settings_alone_that_import_a_framework_use_it_in_part():
    assert asked({"configs/a.py": "import torch\n", "main.py": "import jax\n"})["uses_pytorch"] == "partial"


def test_a_seed_in_a_notebook_beside_unseeded_scripts_is_part_of_the_way():
    cell = "import torch\\n\\ntorch.manual_seed(0)\\nm = torch.nn.Linear(2, 1)\\n"
    cell += "optimizer = torch.optim.SGD(m.parameters(), 1)\\noptimizer.step()"
    book = f'{{"cells": [{{"cell_type": "code", "source": ["{cell}"], "execution_count": 1}}], "nbformat": 4}}'
    step = f"{TRAINS}optimizer.step()\n"
    assert asked({"train.py": step, "demo.ipynb": book})["seed_torch"] == "partial"
    assert asked({"train.py": step})["seed_torch"] == "no"


def test_evaluation_is_no_word_for_data():
    code = 'import glob\n\n\ndef summarize(eval_dir):\n    stats = glob.glob(eval_dir + "/*.npz")\n    return stats\n'
    assert asked({"evaluate.py": code})["iteration_order_hazard"] == "no"


def test_a_loop_over_a_listing_that_builds_a_list_keeps_its_order_and_one_that_counts_does_not():
    def loop(body: str, listed: str = "os.listdir(folder)") -> str:
        code = f"import os\n\n\ndef collect(folder):\n    rows, n = [], 0\n    for name in {listed}:\n        {body}\n"
        return asked({"a.py": f"{code}    return rows, n\n"})["iteration_order_hazard"]

    assert loop("rows.append(name)") == "yes"
    assert loop("rows += [name]") == "yes"
    assert loop("n += len(name)") == "no"
    assert loop("rows.append(name)", "sorted(os.listdir(folder))") == "no"


def test_a_walk_whose_directories_and_files_are_sorted_has_an_order():
    code = (
        "import os\n\n\ndef read(folder):\n    rows = []\n    for root, folders, names in os.walk(folder):\n"
        "        folders.sort()\n        for name in {}:\n            rows.append(name)\n    return rows\n"
    )
    assert asked({"a.py": code.format("sorted(names)")})["iteration_order_hazard"] == "no"
    assert asked({"a.py": code.format("names")})["iteration_order_hazard"] == "yes"


def test_a_generator_with_a_seed_does_not_seed_the_global_one():
    code = "import numpy as np\n\nrng = np.random.default_rng(1)\nprint(rng.normal()"
    told = report_on({"train.py": code + ", np.random.permutation(3))\n"})
    assert told.signals["seed_numpy"].value == "partial"
    assert [f.line for f in told.findings if f.rule == "numpy-seed-missing"] == [4]
    assert asked({"train.py": code + ")\n"})["seed_numpy"] == "yes"


def test_a_seed_made_of_anything_that_was_drawn_is_drawn():
    code = "import os\n\nimport numpy as np\n\n"
    code += 'np.random.seed(int.from_bytes(os.urandom(4), "little"))\nprint(np.random.rand())\n'
    assert [f.line for f in report_on({"train.py": code}).findings if f.rule == "seed-from-clock"] == [5]


def test_a_flag_that_is_none_by_default_is_named_once_where_it_stands():
    code = (
        "import argparse\n\nfrom sklearn.cluster import KMeans\n"
        "from sklearn.model_selection import train_test_split\n\n"
        'p = argparse.ArgumentParser()\np.add_argument("--seed", type=int)\nargs = p.parse_args()\n'
        "a, b = train_test_split(rows, random_state=args.seed)\nKMeans(3, random_state=args.seed).fit(a)\n"
    )
    told = report_on({"fit.py": code}).findings
    assert [f.line for f in told if f.rule == "seed-off-by-default"] == [7]
    assert [f for f in told if f.rule == "sklearn-random-state-missing"] == []


def test_sets_by_other_names_have_no_order_either():
    def told(line: str) -> str:
        code = f"def prepare(text, more):\n    {line}\n    return [f(x) for x in names]\n"
        return asked({"a.py": code})["iteration_order_hazard"]

    assert told("names = tuple(set().union(text, more))") == "yes"
    assert told("names = list(set(text) | set(more))") == "yes"
    assert told("names = sorted(set(text) | set(more))") == "no"


def test_a_generator_that_is_made_anew_only_when_asked_to_is_not_off():
    code = (
        "import numpy as np\n\n\nclass World:\n    def __init__(self):\n        self.rng = np.random.default_rng(0)\n\n"
        "    def reset(self, seed=None):\n        if seed is not None:\n"
        "            self.rng = np.random.default_rng(seed)\n"
        "        return self.rng.normal()\n\n\nprint(World().reset())\n"
    )
    assert "seed-off-by-default" not in {f.rule for f in report_on({"world.py": code}).findings}


def test_weights_below_models_and_a_page_of_releases():
    code = "import keras\n\nkeras.utils.get_file(name, url, cache_subdir='models', md5_hash=sums[name])\n"
    told = asked({"backbone.py": code})
    assert (told["dataset_pinned"], told["model_revision_pinned"]) == ("na", "yes")
    page = "All models can be downloaded from the [releases page](https://github.com/a/b/releases).\n"
    assert asked({"README.md": page})["checkpoints_linked"] == "yes"


def test_a_helper_of_a_library_that_nobody_knows_seeds_and_one_of_the_project_is_read():
    code = f"from zoo import tools\n{TRAINS}tools.random_seed(42, 0)\noptimizer.step()\n"
    assert asked({"train.py": code})["seed_torch"] == "yes"
    assert asked({"train.py": code, "zoo/tools.py": "def random_seed(seed, rank):\n    pass\n"})["seed_torch"] == "no"
