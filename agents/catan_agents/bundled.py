"""Paths of bundled files, names of the files of a trained agent, and numbers of players that value networks play."""

from pathlib import Path

from catan_env.errors import OptionError

PRETRAINED = Path(__file__).parent / "pretrained"
CHECKPOINT_FILE, WEIGHTS_FILE, VALUE_FILE = "checkpoint.json", "network.safetensors", "value.safetensors"
"""Files of a trained agent: either the description and weights of a policy network, or a value network."""
TUNED = Path(__file__).parent / "search" / "tuned"
STRENGTH = Path(__file__).parent / "strength.json"
"""Measured agent rankings for each game."""


def trained_folder(agent: str | Path) -> Path:
    """Return the folder that holds a trained agent's network.

    Args:
        agent: name of a bundled agent, or the folder of a checkpoint, training run or value network.

    Raises:
        OptionError: the folder is missing or contains no network.
    """
    bundled = PRETRAINED / agent
    folder = bundled if bundled.is_dir() else Path(agent).expanduser()
    for place in (folder, folder / "checkpoint"):
        if any((place / name).is_file() for name in (CHECKPOINT_FILE, VALUE_FILE)):
            return place
    raise OptionError(
        f"{str(agent)!r} is neither a bundled trained agent nor the folder of one. Give a name such as 'base-value', "
        "or the folder of a checkpoint, training run or value network."
    )


def value_file(network: str | Path) -> Path:
    """Return the file of a value network, given as this file, as its folder, or as the name of a bundled agent.

    Raises:
        OptionError: it is none of them.
    """
    file = Path(network).expanduser()
    if file.is_file():
        return file
    try:
        return trained_folder(network) / VALUE_FILE
    except OptionError:
        raise OptionError(
            f"{str(network)!r} is neither a bundled agent, nor a folder or file with a value network. Give a name such "
            f"as 'base-value', the folder of a training run, or a file such as 'runs/value/{VALUE_FILE}'."
        ) from None


def plays_with_one_less(trained_players: int, players: int) -> bool:
    """Return whether a value network trained for `trained_players` also plays with one player less, but at least three.

    With two players, a network for three is much weaker than `greedy`.
    """
    return trained_players == players + 1 and players >= 3
