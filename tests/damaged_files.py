"""A valid example of each kind of file that the project reads, with a function that reads it.

`python -m tests.damaged_files TRIES` damages each kind of file TRIES times. It counts how many reads raise an error of
the project, raise another exception (which it names), or succeed. The damage is a flipped bit, a byte that is not
UTF-8, a missing end, a number of 400 digits, a value of another type, or deep nesting.
"""

import json
import re
import shutil
import sys
import tempfile
from collections import Counter
from dataclasses import asdict
from pathlib import Path

import numpy as np

import catan_env
from catan_env import BatchEngine
from catan_env.board import load_map
from catan_env.engine.random import game_seeds
from catan_env.errors import CatanError

ROOT = Path(__file__).resolve().parent.parent
RULES = {"turn_limit": 3}


# -- boards, scenarios, games ------------------------------------------------------------------------------------------


def grid_map(folder):
    """A map on the hex grid."""
    source = ROOT / "catan_env" / "games" / "base" / "maps" / "base.toml"
    shutil.copy(source, folder / "map.toml")
    return folder / "map.toml", lambda: load_map(folder / "map.toml")


def graph_map(folder):
    """A map as a graph."""
    page = (ROOT / "docs" / "reference" / "map_files.md").read_text("utf-8")
    (folder / "map.json").write_text(re.search(r"```json\n(.*?)```", page, re.DOTALL)[1], "utf-8")
    return folder / "map.json", lambda: load_map(folder / "map.json")


def layout(folder):
    """A board given by coordinates."""
    contents = catan_env.find_scenario("base").board.laid("beginner", 4).save()
    (folder / "layout.json").write_text(json.dumps(contents), "utf-8")
    return folder / "layout.json", lambda: catan_env.find_scenario("base").laid(folder / "layout.json", 4)


def scenario(folder):
    """A scenario file."""
    text = 'title = "Short"\nextends = "base"\n\n[facts]\nplayers = [2, 3]\n\n[numbers]\nvictory_points = 5\n'
    (folder / "short_game.toml").write_text(text, "utf-8")
    return folder / "short_game.toml", lambda: catan_env.find_scenario(folder / "short_game.toml")


def sheet(folder):
    """A sheet of the dice game."""
    from catan_env.games.dice_game.paper import read_sheet

    source = next((ROOT / "catan_env" / "games" / "dice_game" / "sheets").glob("*.toml"))
    shutil.copy(source, folder / "sheet.toml")
    return folder / "sheet.toml", lambda: read_sheet(folder / "sheet.toml").tables({}, {})


def replay_log(folder):
    """A replay log."""
    from catan_training.evaluation.single_games import read_log

    engine = BatchEngine("base", 1, 2, seed=3, record=True)
    for _ in range(6):
        engine.step(engine.action_mask.argmax(axis=1))
    (folder / "log.json").write_text(json.dumps(engine.replay_log()), "utf-8")
    return folder / "log.json", lambda: catan_env.replay(read_log(folder / "log.json"))


# -- agents ------------------------------------------------------------------------------------------------------------


def weights(folder):
    """Weights of evaluation terms."""
    from catan_agents.search.weights import load_weights

    shutil.copy(ROOT / "agents" / "catan_agents" / "search" / "tuned" / "base.toml", folder / "weights.toml")
    return folder / "weights.toml", lambda: load_weights(folder / "weights.toml")


def value_network(folder):
    """A value network."""
    from catan_agents.search.value_network import (
        ValueNetwork,
        load_value_network,
        save_value_network,
        signature_of,
    )

    engine = BatchEngine("base", 1, 2)
    signature, rng = signature_of(engine), np.random.default_rng(0)
    sizes = [len(signature.features), 3, 2, 1]
    layers = tuple((rng.standard_normal((i, o)), rng.standard_normal(o)) for i, o in zip(sizes, sizes[1:]))
    save_value_network(folder / "value.safetensors", ValueNetwork((signature,), layers, {"made": "by a test"}))
    return folder / "value.safetensors", lambda: load_value_network(folder / "value.safetensors").row_for(engine)


def _checkpoint(folder):
    import torch

    from catan_agents import learned, networks

    engine = BatchEngine("base", 1, 2)
    encoder = engine.encoder("flat", "uint8")
    torch.manual_seed(0)
    network, about = networks.network_for(engine, encoder, (4,), "tanh")
    learned.save_checkpoint(folder, network, learned.describe(engine, encoder, about), {})
    return lambda: learned.LearnedAgent.load(folder).act(engine, np.arange(1))


def description(folder):
    """The description of a checkpoint's network."""
    return folder / "checkpoint.json", _checkpoint(folder)


def network(folder):
    """The weights of a checkpoint."""
    read = _checkpoint(folder)
    return folder / "network.safetensors", read


# -- training ----------------------------------------------------------------------------------------------------------


def settings(folder):
    """Settings of a training run."""
    from catan_training.learning.config import read_config

    shutil.copy(next((ROOT / "configs").glob("*.toml")), folder / "train.toml")
    return folder / "train.toml", lambda: read_config(folder / "train.toml")


def run_state(folder):
    """The state from which a training run resumes."""
    from catan_training.learning.checkpoints import load_state, save_state

    rng = np.random.default_rng(0)
    state = {
        "settings": json.dumps({"seed": 3}),
        "layouts": {"action layout of base, 4 players": "abc"},
        "learner": {"network": [rng.standard_normal(200).astype(np.float32)], "games": b"snapshot" * 20},
        "spent": 1.5,
        "curve": [],
        "measured": 0,
        "deterministic": False,
    }
    save_state(folder, state)
    return folder / "training.pt", lambda: load_state(folder)


def tuning(folder):
    """The progress of weight tuning."""
    from catan_training.learning.tuning import Tuning, tune

    about = Tuning(players=2)
    terms = 0

    def read():
        return tune(about, folder, 1)

    from catan_agents.evaluation import terms_of
    from catan_training.learning import tuning as module

    probe = BatchEngine("base", 1, 2)
    names = [term.name for term in terms_of(probe.program.composition)]
    terms = len(names)
    state = {"generation": 1, "weights": np.ones(terms), "summed": 1, "sum": np.ones(terms)}
    state |= {"mean": np.zeros(terms), "square": np.zeros(terms)}
    module._save(folder, about, names, state)
    return folder / "tuning.json", read


def value_settings(folder):
    """Settings of value network training."""
    from catan_training.learning import value_learning as module
    from catan_training.learning.value_settings import ValueTraining

    settings = {**asdict(ValueTraining()), "rounds": 3, "inputs": ["a", "b"]}
    module._settle(folder, settings)
    return folder / module.SETTINGS, lambda: module._settle(folder, settings)


# -- tournaments and studies -------------------------------------------------------------------------------------------


def fixtures(folder):
    """Tournament settings, as users write them."""
    from catan_training.evaluation.fixtures import Fixtures, read_file

    text = (
        'agents = ["random", "weighted"]\nscenarios = ["base"]\nplayers = [2]\ngames = 4\n\n[rules]\nturn_limit = 3\n'
    )
    (folder / "cup.toml").write_text(text, "utf-8")
    return folder / "cup.toml", lambda: Fixtures.read(read_file(folder / "cup.toml"))


def _tournament(folder):
    from catan_training.evaluation import published
    from catan_training.evaluation.fixtures import Fixtures
    from catan_training.evaluation.journal import Journal
    from catan_training.evaluation.tournaments import counted, run_tournament

    cup = Fixtures.read(
        {"agents": ["random", "weighted"], "players": [2], "games": 4, "batch": 4, "rules": RULES, "seed": 1}
    )
    run_tournament(cup, folder, 1)
    return lambda: published.results(counted(Journal(folder)))


def tournament(folder):
    """Tournament settings, as the tournament saves them."""
    read = _tournament(folder)
    return folder / "settings.json", read


def journal(folder):
    """The journal of a tournament."""
    read = _tournament(folder)
    return folder / "journal.jsonl", read


def _study(folder):
    from catan_training.balance.plan import Condition, Plan
    from catan_training.balance.study import Study

    plan = Plan.make("study", [Condition("base", "base", 2, RULES)], ["random"], 4, batch=2)
    Study.begin(folder, plan, "catan balance").run(1)
    return Study


def study(folder):
    """The description of a study."""
    make = _study(folder)

    def read():
        from catan_training.balance import findings  # noqa: F401 (what reads it goes on from here)

        one = make(folder)
        return one.tables(), one.games_a_second, [c.engine(game_seeds(0, 1)) for c in one.plan.conditions]

    return folder / "study.json", read


def study_journal(folder):
    """The journal of a study."""
    make = _study(folder)
    return folder / "journal.jsonl", lambda: make(folder).collect()


def games_table(folder):
    """The games table of a study."""
    make = _study(folder)
    return folder / "games.parquet", lambda: make(folder).tables()


def seats_table(folder):
    """The seats table of a study."""
    make = _study(folder)
    return folder / "seats.parquet", lambda: make(folder).tables()


KINDS = (
    grid_map,
    graph_map,
    layout,
    scenario,
    sheet,
    replay_log,
    weights,
    value_network,
    description,
    network,
    settings,
    run_state,
    tuning,
    value_settings,
    fixtures,
    tournament,
    journal,
    study,
    study_journal,
    games_table,
    seats_table,
)
"""Functions that write a good file into a folder; each returns its path and what reads it."""


# -- damage ------------------------------------------------------------------------------------------------------------


def flipped(data, rng):
    """Return the data with one flipped bit."""
    at = int(rng.integers(len(data)))
    return data[:at] + bytes([data[at] ^ 1 << int(rng.integers(8))]) + data[at + 1 :]


def no_text(data, rng):
    """Return the data with one byte that is not UTF-8."""
    at = int(rng.integers(len(data)))
    return data[:at] + b"\xc0" + data[at + 1 :]


def cut(data, rng):
    """Return the data without its end."""
    return data[: int(rng.integers(len(data)))]


def digits(data, rng):
    """Return the data with a number too large for a machine word."""
    found = [m.span() for m in re.finditer(rb"(?<![\w.])\d+(?![\w.])", data)]
    if not found:
        return flipped(data, rng)
    start, end = found[int(rng.integers(len(found)))]
    return data[:start] + b"7" * 400 + data[end:]


def retyped(data, rng):
    """Return the data with a value of another type."""
    found = [m.span() for m in re.finditer(rb'(?<=[:=,\[ ])(\d+|"[^"\n]*"|true|false|null)(?=[,\]}\n])', data)]
    if not found:
        return flipped(data, rng)
    start, end = found[int(rng.integers(len(found)))]
    others = [b"7", b'"seven"', b"[]", b"{}", b"-1.5", b"true", b"[[7]]", b"99999"]
    return data[:start] + others[int(rng.integers(len(others)))] + data[end:]


def nested(data, rng):
    """Return 100,000 opening brackets."""
    return b"a = " * (rng.random() < 0.5) + b"[" * 100_000


DAMAGE = (flipped, no_text, cut, digits, retyped, nested)


def outcome(read):
    """Return "read", "refused", "terse: ..." after a short error message, or the name of another exception."""
    try:
        read()
    except CatanError as error:
        return "refused" if len(str(error)) > 20 else f"terse: {error}"
    except BaseException as error:
        if isinstance(error, KeyboardInterrupt):
            raise
        return type(error).__name__
    return "read"


def main(tries, names=()):
    """Damage every kind of file and print the counts."""
    total = Counter()
    import resource

    resource.setrlimit(resource.RLIMIT_AS, (8 * 2**30, 8 * 2**30))
    for kind in KINDS:
        if names and kind.__name__ not in names:
            continue
        with tempfile.TemporaryDirectory() as name:
            path, read = kind(Path(name))
            good, counts, rng, seen = path.read_bytes(), Counter(), np.random.default_rng(7), {}
            assert outcome(read) == "read", kind
            for k in range(tries):
                path.write_bytes(DAMAGE[k % len(DAMAGE)](good, rng))
                result = outcome(read)
                counts[result] += 1
                seen.setdefault(result, DAMAGE[k % len(DAMAGE)].__name__)
            path.write_bytes(good)
            others = {key: n for key, n in counts.items() if key not in ("read", "refused")}
            total += Counter(read=counts["read"], refused=counts["refused"], other=sum(others.values()))
            line = f"{kind.__name__:14} refused {counts['refused']:4}  read {counts['read']:4}  others {others}"
            print(line, seen if others else "", flush=True)
    print(dict(total))


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2:])
