"""An agent for the dice game that chooses the action with the highest expected points."""

from __future__ import annotations

from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

import numpy as np

from catan_agents.dice_game.sheets import FACES, GOLD, SCENARIO, Sheets, State, check_game
from catan_agents.dice_game.solution import ANY, Solution, choose
from catan_agents.player_view import PlayerView
from catan_agents.portable import Portable
from catan_env.engine.compiler.jit import DISABLE_JIT
from catan_env.engine.registry import find_scenario
from catan_env.errors import OptionError

if TYPE_CHECKING:
    from catan_env.engine.batch import BatchEngine


TURN_RULES = ("turns_each", "rolls_per_turn", "points_without_building")
"""Numbers of a game that a solution depends on."""


def turn_rules(engine: BatchEngine) -> tuple[int, int, int]:
    turns, rolls, idle = (engine.rules[name] for name in TURN_RULES)
    return turns, rolls, idle


@lru_cache(maxsize=4)
def solved(turns: int, rolls: int, idle: int) -> Solution:
    """Return the solution for the printed sheet, which is computed only once."""
    return Solution(Sheets(find_scenario(SCENARIO)), turns, rolls, idle)


class DiceSolver(Portable):
    """An agent for the dice game that maximizes its expected points and ignores the other players.

    It solves the game when it first plays, which takes a few seconds. Numbers of turns and rolls and the points for
    turns without building may differ from the printed rules; prices and the sheet may not.

    Args:
        solution: values of all states, for the rules of the games to be played; None to solve these games.
    """

    name = "dice-solver"

    def __init__(self, solution: Solution | None = None):
        self.solution = solution

    def reset(self, seed: int) -> None:
        """Do nothing, because the agent is deterministic."""

    def act(self, engine: BatchEngine, games: np.ndarray) -> np.ndarray:
        """Return the best action in each game.

        Raises:
            OptionError: see `check_engine`.
        """
        self.check_engine(engine)
        solution = self.solution or solved(*turn_rules(engine))
        view = PlayerView(engine, games)
        return np.array([self._best(solution, engine, view, row) for row in range(len(games))], np.int64)

    def check_engine(self, engine: BatchEngine) -> None:
        """Check that the agent can play an engine's games.

        Raises:
            OptionError: the agent cannot play them; the message says why.
        """
        check_game(engine.scenario, engine.rules)
        if self.solution is None:
            if DISABLE_JIT:
                raise OptionError("Solving the dice game takes hours without the compiler. Unset NUMBA_DISABLE_JIT.")
        else:
            solved_rules = (self.solution.turns, self.solution.rolls, self.solution.idle)
            if solved_rules != turn_rules(engine):
                raise OptionError(
                    f"{', '.join(TURN_RULES)} are {turn_rules(engine)}; the solution is for {solved_rules}. Play with "
                    "these rules, or create the agent without a solution."
                )

    def _best(self, solution: Solution, engine: BatchEngine, view: PlayerView, row: int) -> int:
        legal = np.flatnonzero(view.legal[row])
        if len(legal) == 1:
            return int(legal[0])
        moment = Moment(solution, engine, view, row)
        action_values = [moment.worth(*engine.actions.pair(int(action))) for action in legal]
        return int(legal[int(np.argmax(action_values))])


class Moment:
    """A decision in one game, with methods that compute the value of each action.

    A value is the expected number of points still to be scored in this turn and in later turns.
    """

    def __init__(self, solution: Solution, engine: BatchEngine, view: PlayerView, row: int):
        self.solution = solution
        seat, game = int(view.seats[row]), int(view.games[row])

        def seen(name: str) -> np.ndarray:
            return view.public(name)[row]

        roads = sum(1 << k for k, built in enumerate(seen("roads_built")[seat].tolist()) if built)
        self.state = (roads, int(seen("settlements_built")[seat].sum()), int(seen("cities_built")[seat].sum()))
        self.knights = int(seen("knights_built")[seat].sum())
        self.used = sum(1 << k for k, used in enumerate(seen("jokers_used")[seat].tolist()) if used)
        self.dice = seen("dice_lying").astype(np.int64)
        self.rolls_left = solution.rolls - int(seen("rolls_made"))
        self.turns_left = solution.turns + -int(engine.state["turn"][game]) // engine.num_players
        self.idle = 0.0 if seen("has_built") else solution.idle
        self._spent: dict[tuple[State, int, int, float], np.ndarray] = {}
        self.side = int(engine.state["decision_arguments"][game][engine.state["depth"][game] - 1])

    def worth(self, kind: str, argument: int) -> float:
        """Return the value of an action."""
        return getattr(self, f"_{kind}")(argument)

    # -- rolling --

    @cached_property
    def _rolling(self) -> np.ndarray:
        number = self.solution.sheets.number[self.state]
        return self.solution.rolling(self.turns_left, number, self.knights, self.used, self.idle)

    def _number(self, dice: np.ndarray) -> int:
        return self.solution.multisets.number[tuple(dice.tolist())]

    def _let_stand(self, argument: int) -> float:
        return float(self._rolling[0, self._number(self.dice)])

    def _roll_again(self, argument: int) -> float:
        return float(self._rolling[self.rolls_left - 1, self._number(self.dice)])

    def _take_up(self, face: int) -> float:
        """Return the value of picking up a die and then choosing the best dice to keep."""
        return float(self._keeping[self.solution.multisets.minus[self._number(self.dice), face]])

    @cached_property
    def _keeping(self) -> np.ndarray:
        """Return the values of keeping the best dice of each multiset."""
        values = self._rolling[self.rolls_left - 1][:, None]
        best = np.empty_like(values)
        choose(values, best, self.solution.rules.minus)
        return best[:, 0]

    # -- spending --

    def _with(
        self,
        dice: np.ndarray,
        state: State | None = None,
        knights: int | None = None,
        used: int | None = None,
        idle: float | None = None,
    ) -> float:
        position = (
            self.state if state is None else state,
            self.knights if knights is None else knights,
            self.used if used is None else used,
            self.idle if idle is None else idle,
        )
        return float(self._spending(*position)[self._number(dice)])

    def _spending(self, state: State, knights: int, used: int, idle: float) -> np.ndarray:
        key = state, knights, used, idle
        if key not in self._spent:
            number = self.solution.sheets.number[state]
            self._spent[key] = self.solution.spending(self.turns_left, number, knights, used, idle)
        return self._spent[key]

    def _end_turn(self, argument: int) -> float:
        return self._with(np.zeros_like(self.dice))

    def _build(self, kind: int, price: np.ndarray, argument: int) -> float:
        for kind_built, state, points in self.solution.sheets.steps(self.state):
            if kind_built == kind and (kind or state[0] ^ self.state[0] == 1 << argument):
                return points + self._with(self.dice - price, state=state, idle=0.0)
        raise AssertionError("the sheet does not allow a legal action")

    def _build_road(self, road: int) -> float:
        return self._build(0, np.array([1, 1, 0, 0, 0, 0]), road)

    def _build_settlement(self, k: int) -> float:
        return self._build(1, np.array([1, 1, 1, 1, 0, 0]), k)

    def _build_city(self, k: int) -> float:
        return self._build(2, np.array([0, 0, 0, 2, 3, 0]), k)

    def _build_knight(self, k: int) -> float:
        dice = self.dice - np.array([0, 0, 1, 1, 1, 0])
        return self.solution.sheets.knight_points[k] + self._with(dice, knights=self.knights + 1, idle=0.0)

    def _trade_gold(self, face: int) -> float:
        dice = self.dice.copy()
        dice[GOLD] -= 2
        dice[face] += 1
        return self._with(dice)

    def _use_joker(self, joker: int) -> float:
        side, used_jokers = int(self.solution.sheets.joker_side[joker]), self.used | 1 << joker
        sides = range(FACES) if side == ANY else (side,)
        return max(self._turned(side, die, used_jokers) for side in sides for die in range(FACES))

    def _name_side(self, side: int) -> float:
        return max(self._turned(side, die, self.used) for die in range(FACES))

    def _turn_die(self, die: int) -> float:
        return self._turned(self.side, die, self.used)

    def _turned(self, side: int, die: int, used: int) -> float:
        if die == side or not self.dice[die]:
            return -np.inf
        dice = self.dice.copy()
        dice[die] -= 1
        dice[side] += 1
        return self._with(dice, used=used)
