"""An agent that shows a person the seat's view in the terminal and asks what to play."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from catan_agents.human_draft import Draft
from catan_agents.human_trades import add_trade, is_trade, words_for
from catan_env.engine.random import check_seed
from catan_env.errors import CatanError, OptionError
from catan_env.render.ansi import text_of
from catan_env.render.moves import moves_of
from catan_env.render.view import Reading
from catan_env.text.choices import ActionChoice, groups_of

if TYPE_CHECKING:
    from catan_env.engine.batch import BatchEngine

FEW = 8
"""Action kinds with more actions than this get a list of their own instead of appearing in full in the first list."""
MOST_NEWS = 40
"""Maximum number of other players' moves to show."""
WIDTH = 100
"""Width of multi-column lists, in characters, if the width of the terminal is unknown."""
HELP = """  a number          choose it
  words             choose by words, such as "6 hills"; with several matches, a shorter list
  2 wool for 1 ore  trade with the bank, or make this offer; "offer 2 wool for 1 ore" always asks the players
  map               show the table again
  news              show again what others did
  undo              undo your last action, unless chance was drawn, another seat acted or a card was revealed
  back              leave a list
  quit              leave the game; its log is kept"""


class GameLeft(CatanError):
    """The person at the terminal has left a game."""


class Entry(NamedTuple):
    """A line in a list: its text and its actions. Choosing a line with several actions opens another list."""

    words: str
    options: list[ActionChoice]


class HumanAgent:
    """An agent that asks a person for actions, but takes forced actions without asking.

    The person tries out actions in a copy of the game and can undo them. As soon as an action brings chance, another
    seat or hidden information into play, the agent returns the actions chosen so far, one at a time.

    Args:
        ask: function that shows a prompt and returns the typed line.
        tell: function that shows a message.
        seed: unused; accepted because every agent takes one.
    """

    name = "human"

    def __init__(self, ask: Callable[[str], str] = input, tell: Callable[[str], None] = print, seed: int = 0):
        for name, function in (("ask", ask), ("tell", tell)):
            if not callable(function):
                raise OptionError(f"{name} is {function!r}; it must be a function that takes a string.")
        check_seed(seed)
        self._ask, self._tell = ask, tell
        self._plans: dict[int, list[tuple[bytes, int]]] = {}
        """The actions to return next in each game, each with the record before it."""

    def reset(self, seed: int) -> None:
        """Discard actions that were chosen but not yet returned."""
        self._plans.clear()

    def act(self, engine: BatchEngine, games: np.ndarray) -> np.ndarray:
        """Return the actions that the person chooses.

        Raises:
            GameLeft: the person has left the game.
            CatanError: the input has ended.
        """
        return np.array([self._choose(engine, int(game)) for game in games], np.int64)

    def _choose(self, engine: BatchEngine, game: int) -> int:
        record, plan = engine.state[game].tobytes(), self._plans.pop(game, [])
        if not plan or plan[0][0] != record:  # no plan, or one for another game
            legal = np.flatnonzero(engine.action_mask[game])
            if len(legal) == 1:
                return int(legal[0])
            plan = self._compose(engine, game).plan()
        self._plans[game] = plan[1:]
        return plan[0][1]

    def _compose(self, engine: BatchEngine, game: int) -> Draft:
        """Keep asking until the actions in a draft can no longer be undone."""
        draft, news = Draft(engine, game), news_for(engine, game)
        for text in (text_of(engine, game, viewer=draft.seat), news):
            if text:
                self._tell(text)
        while not draft.is_final:
            forced = draft.forced() if draft.actions else None
            if forced is not None:
                self._carry_out(draft, [forced])
                continue
            answer = self._decide(draft)
            if answer == "map":
                self._tell(text_of(draft.engine, 0, viewer=draft.seat))
            elif answer == "news":
                self._tell(news or "Nobody has acted since your last move.")
            elif answer == "undo":
                self._undo(draft)
        return draft

    def _carry_out(self, draft: Draft, actions: list[int]) -> None:
        for action in actions:
            self._tell(f"You: {words_for(draft.engine, action)}")
            draft.add([action])

    def _undo(self, draft: Draft) -> None:
        while draft.undo():
            if len(draft.legal) > 1:
                self._tell("Your last action is undone.")
                return
        self._tell(
            "Nothing can be undone: chance has been drawn, another seat has acted, or a hidden card was revealed."
        )

    # -- lists ----------------------------------------------------------------------------------------------

    def _decide(self, draft: Draft) -> str:
        """Ask for the next action and add it to the draft, or return the command entered instead."""
        groups = groups_of(draft.engine)
        self._tell(Reading(draft.engine, [0]).game().decision + ":")
        everything, entries = [], []
        for group in groups:
            options = [option._replace(words=words_for(draft.engine, option.action)) for option in group.options]
            everything += options
            if len(options) > FEW and len(groups) > 1:
                entries.append(Entry(f"{group.title} ({len(options)})", options))
            else:
                entries += [Entry(option.words, [option]) for option in options]
        return self._from_list(draft, entries, everything)

    def _from_list(self, draft: Draft, entries: list[Entry], everything: list[ActionChoice]) -> str:
        """Ask for an entry, opening further lists until a single action is chosen, and add that action to the draft.

        Returns:
            A command unrelated to lists, or "" if an action was added or the person left the first list.
        """
        lists = [entries]
        while True:
            entries = lists[-1]
            if len(entries) == 1 and len(entries[0].options) == 1 and len(lists) > 1:
                chosen: Entry | str = entries[0]
            else:
                self._tell(listed([entry.words for entry in entries]))
                chosen = self._answer(draft, entries, everything, len(lists) > 1)
            if isinstance(chosen, str):
                if chosen != "back":
                    return chosen
                lists.pop()
            elif len(chosen.options) == 1:
                self._carry_out(draft, [chosen.options[0].action])
                return ""
            else:
                lists.append([Entry(option.words, [option]) for option in chosen.options])

    def _answer(self, draft: Draft, entries: list[Entry], everything: list[ActionChoice], opened: bool) -> Entry | str:
        """Return the entry that the person chooses, a command, or "" if a trade was entered."""
        while True:
            answer = self._line(len(entries))
            if answer.isascii() and answer.isdigit():
                if 1 <= int(answer) <= len(entries):
                    return entries[int(answer) - 1]
                self._tell(f"{answer!r} is not a number from 1 to {len(entries)}.")
            elif answer in ("map", "news", "undo") or (answer == "back" and opened):
                return answer
            elif answer in ("help", "h", "?"):
                self._tell(HELP)
            elif is_trade(answer):
                try:
                    add_trade(draft, answer)
                except ValueError as error:
                    self._tell(str(error))
                    continue
                self._tell(f"You: {answer}")
                return ""
            else:
                searched = [option for entry in entries for option in entry.options] if opened else everything
                found = [option for option in searched if all(word in option.words for word in answer.split())]
                if answer and 0 < len(found) < max(len(searched), 2):
                    return Entry(answer, found)
                self._tell(f"Nothing fits {answer!r}. Type a number from 1 to {len(entries)}, words, or help.")

    def _line(self, count: int) -> str:
        try:
            answer = self._ask(f"Your choice, 1 to {count}, or help: ")
        except EOFError:
            raise CatanError("The input has ended. Run the game in a terminal, or choose another agent.") from None
        answer = " ".join(answer.lower().split())
        if answer in ("quit", "q", "exit"):
            raise GameLeft("You have left the game.")
        return answer


def listed(texts: list[str]) -> str:
    """Return a numbered list. Long lists use several columns, and a prefix shared by all entries is shown only once."""
    common = os.path.commonprefix(texts).rpartition(" ")[0] if len(texts) > FEW else ""
    if common:
        texts = [text[len(common) + 1 :] for text in texts]
    width = max(map(len, texts)) + 8
    columns = max(min(shutil.get_terminal_size((WIDTH, 24)).columns // width, -(-len(texts) // FEW)), 1)
    rows = -(-len(texts) // columns)
    numbered = [f"{number:4d}  {text}" for number, text in enumerate(texts, 1)]
    lines = ["".join(text.ljust(width) for text in numbered[row::rows]).rstrip() for row in range(rows)]
    return "\n".join([f"{common} ...", *lines] if common else lines)


def news_for(engine: BatchEngine, game: int) -> str:
    """Describe the moves since the seat to act last acted, showing only what it may know; "" if there are none.

    Engines without a log have no news.
    """
    seat, moves = int(engine.seat_to_act[game]), moves_of(engine, game)
    begun = next((number for number, move in enumerate(moves) if move.seat >= 0), len(moves))
    own = max((number for number, move in enumerate(moves) if move.seat == seat), default=begun - 1)
    lines = [
        f"  {f'Seat {move.seat}' if move.seat >= 0 else 'Chance'}: {move.words(seat)}" for move in moves[own + 1 :]
    ]
    return "\n".join(["Since your last move:", *lines[-MOST_NEWS:]]) if lines else ""
