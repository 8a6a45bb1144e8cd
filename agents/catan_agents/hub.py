"""Trained agents on the Hugging Face Hub, or in folders with the same contents.

A repository contains the files of one agent and a model card, `README.md`. Agent files are all JSON or safetensors, so
reading them does not execute code. A repository is written "user/name"; a folder starts with "./", "../", "/" or "~".
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from catan_agents.bundled import CHECKPOINT_FILE, VALUE_FILE, WEIGHTS_FILE, trained_folder
from catan_env.errors import CatanError, MissingExtraError, OptionError
from catan_env.text_files import read_bytes, read_text
from catan_env.whole_files import write_whole

PREFIX = "hf:"
"""Prefix of agent names that refer to a repository, as in "hf:user/name"."""
LIBRARY, CARD = "catan-env", "README.md"
KINDS = {VALUE_FILE: (VALUE_FILE,), CHECKPOINT_FILE: (CHECKPOINT_FILE, WEIGHTS_FILE)}
"""The files of an agent, keyed by the file that identifies the kind of agent."""
FILES = tuple(name for names in KINDS.values() for name in names)
MOST_BYTES = 2**32


class HubError(CatanError):
    """The hub refused a request or could not be reached, or a repository contains no agent."""


def push(
    agent: str | Path, repo: str | Path, license: str | None = None, private: bool = False, message: str | None = None
) -> str:
    """Upload the files of a trained agent and a model card to a repository, and return the repository's address.

    The repository is created if needed, and everything is uploaded in one commit. Log in with `hf auth login`, or set
    the environment variable `HF_TOKEN`.

    Args:
        agent: name of a bundled agent, or the folder of a checkpoint, training run or value network.
        repo: repository "user/name", or a folder.
        license: license to state in the model card, such as "mit".
        private: whether to make the repository private if it is created.
        message: commit message.

    Raises:
        HubError: the hub refuses the request, or cannot be reached.
        OptionError: `agent` is not a trained agent.
        CheckpointError, WeightsError: the agent's files are corrupt.
        MissingExtraError: the `hub` extra is not installed.
    """
    hub = _library()
    folder = trained_folder(agent)
    names = _files_of(folder)
    name = Path(agent).expanduser().resolve().name
    contents: dict[str, bytes] = {file: read_bytes(folder / file, "agent", CatanError, MOST_BYTES) for file in names}
    contents[CARD] = _card(hub, folder, name, repo, license).encode()
    others = [file for file in FILES if file not in names]
    if _is_folder(repo):
        target = Path(repo).expanduser()
        for file, data in contents.items():
            write_whole(target / file, data)
        for file in others:
            (target / file).unlink(missing_ok=True)
        return str(target)
    with tempfile.TemporaryDirectory() as draft, _asking(hub, str(repo)):
        for file, data in contents.items():
            write_whole(Path(draft) / file, data)
        api = hub.HfApi(library_name=LIBRARY)
        address = api.create_repo(str(repo), private=private, exist_ok=True)
        api.upload_folder(
            repo_id=str(repo),
            folder_path=draft,
            commit_message=message or f"Agent {name} of {LIBRARY}",
            delete_patterns=others,
        )
        return str(address)


def pull(repo: str | Path, folder: str | Path, revision: str | None = None) -> Path:
    """Check an agent's files in a repository, copy them to a folder, and return the folder.

    Args:
        repo: repository "user/name", or a folder.
        folder: the folder to write to.
        revision: branch, tag or commit; None for the latest.

    Raises:
        HubError: the repository does not exist, contains no agent, or cannot be reached.
        CheckpointError, WeightsError: the files are corrupt.
        OptionError: `folder` exists and is not empty.
        MissingExtraError: the `hub` extra is not installed.
    """
    folder = Path(folder).expanduser()
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise OptionError(f"{folder} exists already; give a new folder.")
    source = cached(repo, revision)
    card = (CARD,) if (source / CARD).is_file() else ()
    contents = {file: read_bytes(source / file, "agent", CatanError, MOST_BYTES) for file in _files_of(source) + card}
    for file, data in contents.items():
        write_whole(folder / file, data)
    return folder


def cached(repo: str | Path, revision: str | None = None) -> Path:
    """Check a repository's files and return the library's cache folder that holds them. Arguments are as for `pull`.

    Raises:
        HubError, CheckpointError, WeightsError, MissingExtraError: see `pull`.
    """
    if _is_folder(repo):
        if revision is not None:
            raise OptionError(f"revision is {revision!r}; the folder {repo} has no revisions.")
        folder = Path(repo).expanduser()
    else:
        hub = _library()
        with _asking(hub, str(repo)):
            wanted = [*FILES, CARD]
            folder = Path(
                hub.snapshot_download(str(repo), revision=revision, allow_patterns=wanted, library_name=LIBRARY)
            )
    if not any((folder / name).is_file() for name in KINDS):
        raise HubError(f"{repo} holds no agent of {LIBRARY}: it has neither {' nor '.join(KINDS)}.")
    _files_of(folder)
    return folder


def _library() -> Any:
    try:
        import huggingface_hub
        import huggingface_hub.errors
    except ImportError as error:
        raise MissingExtraError(
            f"The Hugging Face hub needs {error.name!r}, which is not installed: pip install 'catan-env[hub]'."
        ) from None
    return huggingface_hub


def _is_folder(repo: str | Path) -> bool:
    """Return whether `repo` is a folder rather than a repository on the hub.

    Raises:
        OptionError: it names neither.
    """
    if isinstance(repo, Path) or Path(repo).is_absolute() or repo.startswith(("./", "../", "~", ".\\", "..\\")):
        return True
    if repo.count("/") != 1 or not all(repo.split("/")):
        raise OptionError(f"repo is {repo!r}; it must be user/name, or a folder that begins with ./ or /.")
    return False


@contextmanager
def _asking(hub: Any, repo: str) -> Iterator[None]:
    """Convert hub and connection errors to errors that name the repository.

    Raises:
        HubError: the block raised such an error.
    """
    try:
        yield
    except (OSError, hub.errors.HFValidationError, hub.errors.HfHubHTTPError) as error:
        lines = [line.strip() for line in str(error).splitlines() if line.strip()]
        reason = lines[0] if lines else type(error).__name__
        raise HubError(
            f"{repo}: {reason} Check the name and the connection, and log in with `hf auth login` for private "
            "repositories and for writing."
        ) from None


def _files_of(folder: Path) -> tuple[str, ...]:
    """Check the contents of the agent's files in a folder, and return their names.

    Raises:
        CheckpointError, WeightsError: a file is corrupt.
    """
    if (folder / VALUE_FILE).is_file():
        from catan_agents.search.value_network import load_value_network

        load_value_network(folder / VALUE_FILE)
        return KINDS[VALUE_FILE]
    from catan_agents.learned import LearnedAgent

    LearnedAgent.load(folder)
    return KINDS[CHECKPOINT_FILE]


# -- the model card ----------------------------------------------------------------------------------------


def _card(hub: Any, folder: Path, name: str, repo: str | Path, license: str | None) -> str:
    """Return the model card: the one in the folder, or a new one that includes the text of the folder's `README.md`."""
    own = read_text(folder / CARD, "model card", CatanError) if (folder / CARD).is_file() else ""
    if own.startswith("---") and hub.ModelCard(own).data.library_name == LIBRARY:
        return own
    facts, scenarios = _facts(folder)
    data = hub.ModelCardData(
        library_name=LIBRARY,
        pipeline_tag="reinforcement-learning",
        license=license,
        tags=["catan", "reinforcement-learning", "board-game", *scenarios],
    )
    rows = "\n".join(f"| {key} | {value} |" for key, value in facts.items())
    place = str(repo) if _is_folder(repo) else f"{PREFIX}{repo}"
    text = own.partition("\n")[2].strip() if own.startswith("# ") else own.strip()
    return (
        f"---\n{data.to_yaml()}\n---\n\n"
        + CARD_TEXT.format(name=name, place=place, rows=rows, text=text).rstrip()
        + "\n"
    )


CARD_TEXT = """# {name}

An agent for the board game Catan, trained with [catan-env](https://pypi.org/project/catan-env/).

| | |
|---|---|
{rows}

```sh
pip install 'catan-env[train,hub]'
catan evaluate --agent {place} --opponents heuristic
```

In Python: `catan_agents.make_agent("{place}")`.

{text}
"""


def _facts(folder: Path) -> tuple[dict[str, str], list[str]]:
    """Return facts about an agent for its model card, and the list of scenarios that it plays."""
    if (folder / VALUE_FILE).is_file():
        from catan_agents.search.value_network import load_value_network

        network = load_value_network(folder / VALUE_FILE)
        games = [(game.scenario, game.version, game.players) for game in network.all_games]
        units = (" and ".join(str(len(biases)) for _, biases in one.layers[:-1]) for one in network.networks)
        features = (str(len(one.inputs)) for one in network.networks)
        facts = {
            "Plays": _games(games),
            "Kind": f"`{network.agent}` with a value network" + (" for each game" if network.others else ""),
            "Sees": f"{', '.join(dict.fromkeys(features))} features of a position",
            "Network": f"layers of {', '.join(dict.fromkeys(units))} units"
            + (", which corrects the sum of terms" if network.terms else " and a logistic output"),
        }
        return facts | _training(network.made), sorted({scenario for scenario, *_ in games})
    from catan_agents.learned import read_description

    about = read_description(folder)
    game = about["scenario"], about["version"], about["num_players"]
    network_about = about["network"]
    sees = f"the observation `{about['encoder']}`" + (", lookahead features" if "terms" in network_about else "")
    facts = {
        "Plays": _games([game]),
        "Kind": "policy network with masked actions" + (", deterministic" if about["deterministic"] else ""),
        "Sees": sees,
        "Network": ", ".join(
            f"{key} {network_about[key]}"
            for key in ("kind", "hidden", "channels", "width", "rounds")
            if key in network_about
        ),
    }
    return facts | _training(about.get("training", {})), [about["scenario"]]


def _games(games: list[tuple[str, int, int]]) -> str:
    return "; ".join(f"`{scenario}`, version {version}, {players} players" for scenario, version, players in games)


def _training(facts: Mapping[str, Any]) -> dict[str, str]:
    """Return the training statistics as a row for the model card."""
    numbers = [f"{key} {value:,.6g}" for key, value in facts.items() if type(value) in (int, float)]
    return {"Training": ", ".join(numbers)} if numbers else {}
