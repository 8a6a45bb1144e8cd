"""`Lobby`: all tables on a server, new games, and the available scenarios."""

from __future__ import annotations

import secrets
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import catan_env
from catan_env.engine.batch import BatchEngine
from catan_env.engine.declare import NUM_PLAYERS
from catan_env.engine.program import program_of
from catan_env.engine.scenario import Scenario
from catan_env.errors import CatanError, OptionError
from catan_training.play import pictures
from catan_training.play.game import SPECTATOR, GameSettings
from catan_training.play.seats import Sitter, agents_for, sitter_of
from catan_training.play.store import Store, StoredGame
from catan_training.play.table import Table

MOST_TABLES = 200
"""Maximum number of tables in memory."""
MOST_UNFINISHED = 2000
"""Maximum number of unfinished games that the database may hold."""
IDLE = 600.0
"""Seconds after which a table that no page is showing is dropped from memory. Its game stays in the database."""
REQUEST: dict[str, tuple[type, ...]] = {
    "scenario": (str,),
    "players": (int,),
    "seats": (list,),
    "rules": (dict,),
    "board": (str, type(None)),
    "seed": (int, type(None)),
}
"""Keys and value types of a new-game request."""


class Lobby:
    """The tables of a server.

    Args:
        store: the game database.
        pace: seconds between agents' moves.
        scenarios: references to additional scenarios to offer, such as file paths from the command line.
        agents: additional agents, from the command line.
    """

    def __init__(self, store: Store, pace: float, scenarios: Sequence[str] = (), agents: Sequence[str] = ()):
        self.store, self.pace, self._agents = store, pace, tuple(agents)
        self.scenarios: dict[str, Scenario] = dict(sorted(catan_env.scenarios().items()))
        for reference in scenarios:
            scenario = catan_env.find_scenario(reference)
            self.scenarios = {scenario.name: scenario, **self.scenarios}
        self._tables: dict[str, Table] = {}
        self._pictures: dict[str, str] = {}

    # -- choosing -------------------------------------------------------------------------------------------

    def catalog(self) -> list[dict[str, Any]]:
        """Return the title, summary and allowed numbers of players of each scenario, in JSON-serializable form."""
        return [
            {"name": name, "title": one.title, "summary": one.summary, "players": list(one.players)}
            for name, one in self.scenarios.items()
        ]

    def details(self, name: str, players: int | None) -> dict[str, Any]:
        """Return the rule numbers, boards and agents of a scenario for a given number of players.

        Rule numbers set by the scenario itself come first.

        Raises:
            CatanError: the scenario is not in the list, or the number of players is not allowed.
        """
        scenario = self.scenario(name)
        players = scenario.check_players(players)
        composition = program_of(scenario.laid(None, players)).composition
        values = scenario.values(composition.numbers, players, {})
        numbers = [
            {
                "name": number.name,
                "meaning": number.meaning,
                "value": values[number.name],
                "choices": list(number.choices),
                "low": number.low,
                "high": number.high,
            }
            for number in sorted(composition.numbers.values(), key=lambda number: number.name not in scenario.numbers)
            if number.name != NUM_PLAYERS.name
        ]
        layouts = getattr(getattr(scenario.laid(None, players).board, "map", None), "layouts", {})
        agents = agents_for(scenario.name, players, self._agents)
        return {"players": players, "numbers": numbers, "boards": list(layouts), "agents": agents}

    def scenario(self, name: str) -> Scenario:
        """Return the scenario with a given name from the list.

        Raises:
            OptionError: the scenario is not in the list.
        """
        if name not in self.scenarios:
            raise OptionError("No scenario on the list has this name.")
        return self.scenarios[name]

    def picture(self, name: str) -> str:
        """Return a drawing of a scenario's board as SVG.

        Raises:
            OptionError: the scenario is not in the list.
        """
        if name not in self._pictures:
            engine = BatchEngine(self.scenario(name), seed=1, compiled=False)
            self._pictures[name] = pictures.board_picture(engine)
        return self._pictures[name]

    # -- games ----------------------------------------------------------------------------------------------

    def create_from(self, request: Mapping[str, Any]) -> str:
        """Create the game that a page requests, and return its id.

        Raises:
            CatanError: the request is malformed, or names something that is not in the lists.
        """
        for key, kind in REQUEST.items():
            if key not in request or not isinstance(request[key], kind) or isinstance(request[key], bool):
                raise OptionError(
                    f"A request for a game has the keys {', '.join(REQUEST)}; {key!r} is missing or wrong."
                )
        scenario = self.scenario(request["scenario"])
        players = scenario.check_players(request["players"])
        details = self.details(scenario.name, players)
        if request["board"] is not None and request["board"] not in details["boards"]:
            raise OptionError(f"There is no such board; there are: {', '.join(details['boards']) or 'none to choose'}.")
        sitters = [sitter_of(wanted, seat, details["agents"]) for seat, wanted in enumerate(request["seats"])]
        seed = request["seed"] if request["seed"] is not None else secrets.randbits(63)
        return self.create(
            GameSettings(scenario.reference, players, seed, dict(request["rules"]), request["board"]), sitters
        )

    def create(self, settings: GameSettings, sitters: Sequence[Sitter]) -> str:
        """Create a game and return its id.

        Raises:
            CatanError: the settings or agents are invalid, or there are too many games.
        """
        if len(sitters) != settings.players:
            raise OptionError(f"{len(sitters)} seats for {settings.players} players; give one for each.")
        if sum(game.result is None for game in self.store.games()) >= MOST_UNFINISHED:
            raise OptionError(f"There are {MOST_UNFINISHED} unfinished games; finish one first.")
        for sitter in sitters:
            if not sitter.is_person:
                sitter.make()  # before the game exists, reject agents that cannot be created
        return self.store.create(settings, sitters, settings.engine().layout_hash)

    def play_again(self, game: str) -> str:
        """Return the next game for the players of a finished game, with the same seats and rules but a new seed.

        The first call creates it.

        Raises:
            CatanError: the game is not over, or there are too many games.
        """
        following = self.store.next_game(game)
        if following is None:
            finished = self.store.game(game)
            if finished is None or finished.result is None:
                raise OptionError("This game is not over; play again when it is.")
            following = self.create(replace(finished.settings, seed=secrets.randbits(63)), finished.sitters)
            self.store.set_next_game(game, following)
        return following

    def games(self) -> list[dict[str, Any]]:
        """Return all games with their links, for the host page."""
        return [
            {
                "id": game.id,
                "created": game.created,
                "title": self._title(game),
                "players": [sitter.name for sitter in game.sitters],
                "result": game.result,
                "links": {
                    "watch" if seat == SPECTATOR else str(seat): f"/seat/{secret}"
                    for seat, secret in self.store.links(game.id).items()
                },
            }
            for game in self.store.games()
        ]

    def _title(self, game: StoredGame) -> str:
        try:
            return catan_env.find_scenario(game.settings.scenario).title
        except CatanError:
            return game.settings.scenario

    def table(self, game: str) -> Table:
        """Return the table of a game, setting it up again if it is not in memory.

        Raises:
            CatanError: the game does not exist or cannot be resumed, or there are too many tables.
        """
        if game not in self._tables:
            self._clear()
            if len(self._tables) >= MOST_TABLES:
                raise OptionError(f"{MOST_TABLES} tables are open; try again later.")
            stored = self.store.game(game)
            if stored is None:
                raise OptionError("There is no such game.")
            self._tables[game] = Table(stored, self.store, self.pace)
        return self._tables[game]

    def wake(self, game: str) -> None:
        """Update the pages that show a game."""
        if game in self._tables:
            self._tables[game].wake()

    def _clear(self) -> None:
        """Drop tables that no page has shown for a while."""
        oldest = time.monotonic() - IDLE
        for game, table in list(self._tables.items()):
            if not table.views and table.left_at < oldest and not table.is_running:
                del self._tables[game]

    async def close(self) -> None:
        """Stop all agents and close the database."""
        for table in self._tables.values():
            await table.close()
        self.store.close()
