"""An agent for the dice game that chooses the action with the highest expected points."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from catan_agents.dice_game.sheets import FACES, GOLD, State, check_rules
from catan_agents.dice_game.solution import ANY, Solution, choose, plan, turn
from catan_agents.player_view import PlayerView
from catan_env.errors import OptionError

if TYPE_CHECKING:
    from catan_env.engine.batch import BatchEngine


class BestDiceAgent:
    """An agent that maximizes its expected points and ignores the other players.

    Args:
        solution: values of all states, computed for the rules of the games to be played.
    """

    name = "best_dice"

    def __init__(self, solution: Solution):
        self.solution = solution

    def reset(self, seed: int) -> None:
        """Do nothing, because the agent is deterministic."""

    def act(self, engine: BatchEngine, games: np.ndarray) -> np.ndarray:
        """Return the best action in each game.

        Raises:
            OptionError: the rules of the games differ from those of the solution.
        """
        check_rules(engine.rules)
        solved_rules = (self.solution.turns, self.solution.rolls, self.solution.idle)
        played_rules = tuple(engine.rules[name] for name in ("turns_each", "rolls_per_turn", "points_without_building"))
        if solved_rules != played_rules:
            raise OptionError(
                f"turns_each, rolls_per_turn and points_without_building are {played_rules}; the solution is for "
                f"{solved_rules}. Play with these rules, or use another agent."
            )
        view = PlayerView(engine, games)
        return np.array([self._best(engine, view, row) for row in range(len(games))], np.int64)

    def _best(self, engine: BatchEngine, view: PlayerView, row: int) -> int:
        legal = np.flatnonzero(view.legal[row])
        if len(legal) == 1:
            return int(legal[0])
        moment = Moment(self.solution, engine, view, row)
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
        rounds_begun = -(-int(engine.state["turn"][game]) // engine.num_players)
        self.after = solution.values[solution.turns - rounds_begun]
        self.idle = 0.0 if seen("has_built") else solution.idle
        self.decision = engine.decision(game)
        self.side = int(engine.state["decision_arguments"][game][engine.state["depth"][game] - 1])
        self.stages: np.ndarray | None = None

    def worth(self, kind: str, argument: int) -> float:
        """Return the value of an action."""
        return getattr(self, f"_{kind}")(argument)

    # -- rolling --

    def _rolling(self) -> np.ndarray:
        """Return the values within this turn, shape (rolls, multisets), as computed by `solution.turn`."""
        if self.stages is None:
            solution = self.solution
            self.stages = np.zeros((solution.rolls, len(solution.multisets.counts)))
            basket_values = np.zeros((len(solution.rules.sheets.baskets), 2 ** len(solution.sheets.joker_side)))
            state = solution.sheets.number[self.state], self.knights, self.used
            turn(solution.rules, self.after, state, solution.rolls, self.idle, self.stages, basket_values)
        return self.stages

    def _number(self, dice: np.ndarray) -> int:
        return self.solution.multisets.number[tuple(dice.tolist())]

    def _let_stand(self, argument: int) -> float:
        return float(self._rolling()[0, self._number(self.dice)])

    def _roll_again(self, argument: int) -> float:
        return float(self._rolling()[self.rolls_left - 1, self._number(self.dice)])

    def _take_up(self, face: int) -> float:
        """Return the value of picking up a die and then choosing the best dice to keep."""
        values = self._rolling()[self.rolls_left - 1]
        best = np.zeros_like(values)
        choose(values, best, self.solution.multisets.minus)
        return float(best[self.solution.multisets.minus[self._number(self.dice), face]])

    # -- spending --

    def _with(
        self,
        dice: np.ndarray,
        state: State | None = None,
        knights: int | None = None,
        used: int | None = None,
        idle: float | None = None,
    ) -> float:
        solution = self.solution
        basket_values = np.full((len(solution.rules.sheets.baskets), 2 ** len(solution.sheets.joker_side)), np.nan)
        position = (
            solution.sheets.number[self.state if state is None else state],
            self.knights if knights is None else knights,
            self.used if used is None else used,
        )
        return plan(
            solution.rules, self.after, position, self._number(dice), self.idle if idle is None else idle, basket_values
        )

    def _end_turn(self, argument: int) -> float:
        solution = self.solution
        knight_state = (1 << self.knights) - 1 + self.used
        return float(
            self.idle
            + self.after[solution.sheets.number[self.state] * solution.sheets.num_knight_states + knight_state]
        )

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
