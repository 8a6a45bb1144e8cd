"""`Table`: a game, its players, and the pages that show it."""

from __future__ import annotations

import asyncio
import contextlib
import math
import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import anyio.to_thread
import numpy as np

from catan_env.engine.replay import annotated
from catan_env.errors import CatanError
from catan_env.render.legend import card_symbols, legend
from catan_env.render.palette import paint_of
from catan_env.render.view import Reading
from catan_training.play import pictures
from catan_training.play.game import SPECTATOR, PlayedGame, Taken
from catan_training.play.messages import Message, MessageError
from catan_training.play.store import Store, StoredGame
from catan_training.play.thinking import Thinker

COMPILING = "{} thinks; the rules compile in the background, once per machine, and until then long searches wait."
SLOW = 3.0
"""Seconds of thinking time after which pages explain why an agent is slow."""
MOST_PAGES = 32
"""Maximum number of pages that can show a table at once."""
GAME = np.zeros(1, np.int64)


async def in_thread(function: Callable[..., Any], *arguments: Any) -> Any:
    """Run a function in a thread for which the server does not wait on shutdown, since compiling can take a minute."""
    return await anyio.to_thread.run_sync(partial(function, *arguments), abandon_on_cancel=True)


class View:
    """What one page shows: the view of a seat, or of spectators.

    Attributes:
        seat: the seat, or `SPECTATOR`.
        wake: set when the page needs updating.
    """

    def __init__(self, seat: int):
        self.seat = seat
        self.wake = asyncio.Event()
        self.wake.set()
        self._shown: dict[str, str] = {}

    def changed(self, regions: dict[str, str]) -> dict[str, str]:
        """Return the regions that have changed since they were last sent."""
        different = {name: svg for name, svg in regions.items() if self._shown.get(name) != svg}
        self._shown = regions
        return different


class Table:
    """A game, its seats and its pages. Agents move automatically, `pace` seconds after the previous move.

    Raises:
        CatanError: the game cannot be resumed, for example because its rules have changed.
    """

    def __init__(self, stored: StoredGame, store: Store, pace: float):
        self.id, self.sitters, self.pace, self._store = stored.id, stored.sitters, pace, store
        self.names = [sitter.name for sitter in self.sitters]
        self.game = PlayedGame(stored.settings, store.taken(stored.id))
        if self.game.engine.layout_hash != stored.layout:
            raise CatanError("This game was started with other rules, so this version cannot continue it.")
        self.views: set[View] = set()
        self.left_at = time.monotonic()
        """Time at which the last page was closed or, before that, the table was set up."""
        self.trouble = ""
        """Why an agent cannot continue; "" if it can."""
        self._moved_at = -math.inf
        self._lock = asyncio.Lock()
        self._agents: dict[int, Any] = {}
        self._thinker = Thinker(self.game)
        self._runner: asyncio.Task | None = None

    # -- pages ----------------------------------------------------------------------------------------------

    def join(self, seat: int) -> View:
        """Add a page and return its view.

        Raises:
            MessageError: too many pages already show this table.
        """
        if len(self.views) >= MOST_PAGES:
            raise MessageError(f"{MOST_PAGES} pages show this table already.")
        view = View(seat)
        self.views.add(view)
        self.wake()
        self.run_agents()
        return view

    def leave(self, view: View) -> None:
        """Remove a page."""
        self.views.discard(view)
        self.left_at = time.monotonic()
        self.wake()

    def wake(self) -> None:
        """Update all pages."""
        for view in self.views:
            view.wake.set()

    def greeting(self, view: View) -> dict[str, Any]:
        """Return the data that stays constant for a page: names, colors, and the positions of places."""
        engine = self.game.engine
        paints = [paint_of(seat, engine.num_players) for seat in range(engine.num_players)]
        return {
            "type": "hello",
            "title": engine.scenario.title,
            "summary": engine.scenario.summary,
            "seat": view.seat,
            "players": [
                {"name": sitter.name, "person": sitter.is_person, "fill": paint.fill, "ink": paint.ink}
                for sitter, paint in zip(self.sitters, paints, strict=True)
            ],
            "geometry": pictures.geometry(engine),
            "legend": legend(Reading(engine, [0]).layout),
            "symbols": card_symbols(engine.program.composition),
            "advisers": self._thinker.advisers(),
        }

    def update(self, view: View) -> dict[str, Any]:
        """Return the current state for a page, including the picture regions that have changed."""
        game = self.game
        return {
            "type": "state",
            "version": game.version,
            "turn": game.seat_to_act,
            "on_turn": game.seat_on_turn,
            "headline": game.headline(),
            "regions": view.changed(game.regions(view.seat, self.names)),
            "choices": game.choices(view.seat),
            "undo": game.undoable(view.seat),
            "recent": game.moves_since_own(view.seat),
            "present": sorted({other.seat for other in self.views if other.seat != SPECTATOR}),
            "result": game.result(),
            "next": self._next_link(view.seat) if game.is_over else None,
            "trouble": self.trouble,
        }

    def _next_link(self, seat: int) -> str | None:
        following = self._store.next_game(self.id)
        return f"/seat/{self._store.links(following)[seat]}" if following else None

    # -- messages -------------------------------------------------------------------------------------------

    async def answer(self, view: View, message: Message) -> dict[str, Any] | None:
        """Carry out a message from a page, and return the reply, if there is one besides the new state.

        Raises:
            CatanError: the message is not valid for the game, which is left unchanged.
        """
        if message.type == "look":
            return {
                "type": "look",
                "move": message.move,
                "regions": self.game.look_back(view.seat, message.move, self.names),
            }
        if view.seat == SPECTATOR:
            raise MessageError("Spectators watch; they do not act.")
        async with self._lock:
            if message.version != self.game.version:
                raise MessageError("The game has moved on. Look at the current position and choose again.")
            if message.type == "try":
                draft = self.game.attempt(view.seat, message.actions, self.names)
                return {"type": "draft", "version": message.version, "actions": message.actions, **draft}
            if message.type == "think":
                thoughts = await in_thread(self._thinker.think, view.seat, message.agent)
                return {"type": "thoughts", "version": message.version, **thoughts}
            if message.type == "undo":
                self.game.undo(view.seat)
                self._store.drop(self.id, len(self.game.taken))
            else:
                self._kept(self.game.act(view.seat, message.actions))
        self.wake()
        self.run_agents()
        return None

    def _kept(self, taken: Sequence[Taken]) -> None:
        """Store actions and, when the game is over, its log."""
        self._moved_at = time.monotonic()
        result = self.game.result()
        ending = None
        if result is not None:
            ending = result, annotated(self.game.engine.replay_log(0), players=self.names)
        self._store.add(self.id, len(self.game.taken) - len(taken), taken, ending)

    # -- agents ---------------------------------------------------------------------------------------------

    def run_agents(self) -> None:
        """Let agents move until it is a person's turn to act."""
        if self._runner is None or self._runner.done():
            self._runner = asyncio.create_task(self._run())

    async def _run(self) -> None:
        """Let agents move. `mcts` waits until the rules are compiled, which happens once per machine."""
        while not self.game.is_over and not self.sitters[self.game.seat_to_act].is_person:
            await asyncio.sleep(max(0.0, self._moved_at + self.pace - time.monotonic()))
            async with self._lock:
                seat = self.game.seat_to_act
                if seat < 0 or self.sitters[seat].is_person:
                    continue  # someone has undone a move
                explaining = asyncio.create_task(self._explain_waiting(seat))
                try:
                    action = await in_thread(self._choose, seat)
                    self._kept([self.game.act_as_agent(action)])
                    self.trouble = ""
                except Exception as error:  # a user-supplied agent may raise anything
                    self.trouble = f"{self.names[seat]} cannot go on: {error}"
                    self.wake()
                    return
                finally:
                    explaining.cancel()
            self.wake()

    async def _explain_waiting(self, seat: int) -> None:
        """If the rules are still being compiled after `SLOW` seconds, tell the pages."""
        await asyncio.sleep(SLOW)
        if not self.game.engine.is_compiled:
            self.trouble = COMPILING.format(self.names[seat])
            self.wake()

    def _choose(self, seat: int) -> int:
        if seat not in self._agents:
            self._agents[seat] = self.sitters[seat].make()
            self._agents[seat].reset(self.game.settings.seed + seat)
        return int(self._agents[seat].act(self.game.engine, GAME)[0])

    @property
    def is_running(self) -> bool:
        """Whether any agents are moving."""
        return self._runner is not None and not self._runner.done()

    async def close(self) -> None:
        """Stop the agents."""
        if self._runner is not None:
            self._runner.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._runner
