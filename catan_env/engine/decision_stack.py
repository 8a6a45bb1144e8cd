"""The decision stack: pending decisions and the seats that make them.

The head is the last entry of the arrays, so interrupting the current decision (`push`) takes one write. The seat
`CHANCE` represents chance.
"""

from catan_env.engine.compiler.bits import equal_entries
from catan_env.engine.compiler.entries import members_of
from catan_env.engine.declare import Field

CHANCE = -1
NO_SEAT_TO_ACT = -2
CAPACITY = 32

RUNNING, WON, TRUNCATED, FAULT = 0, 1, 2, 3

FIELDS = (
    Field("rng", (4,), "u4", 0, 2**32 - 1, "state of this game's random stream", visible="nobody"),
    Field(
        "decision_stack", (CAPACITY,), "u1", 0, 255, "codes of pending decisions and draws, head last", visible="nobody"
    ),
    Field(
        "decision_seats", (CAPACITY,), "i1", CHANCE, 7, "seat that makes each decision, -1 for chance", visible="nobody"
    ),
    Field(
        "decision_arguments",
        (CAPACITY,),
        "i2",
        -(2**15),
        2**15 - 1,
        "argument of each decision: a place, a seat or a count",
        visible="nobody",
    ),
    Field("depth", (), "u1", 0, CAPACITY, "number of decisions in the decision stack", visible="nobody"),
    Field("ended", (), "u1", RUNNING, TRUNCATED, "0 running, 1 won, 2 truncated by a limit", visible="nobody"),
    Field("winners", (), "u1", 0, 255, "bit set of the seats that have won", visible="nobody"),
)


def head(game):
    """Return the code of the current decision."""
    return game.decision_stack[game.depth - 1]


def head_seat(game):
    """Return the seat that makes the current decision, or CHANCE."""
    return game.decision_seats[game.depth - 1]


def head_argument(game):
    """Return the argument that the current decision was pushed with."""
    return int(game.decision_arguments[game.depth - 1])


def current_decision(game):
    """Return the code of the current decision, or -1 if the game has ended or nothing is pending."""
    if game.ended != RUNNING or game.depth == 0:
        return -1
    return int(head(game))


def current_seat(game):
    """Return the seat that makes the current decision, or a negative value if there is none."""
    if game.ended != RUNNING or game.depth == 0:
        return NO_SEAT_TO_ACT
    return int(head_seat(game))


def waiting(game, decision):
    """Return the number of decisions of a kind that are pending below the current decision."""
    waiting_count = 0
    for position in range(int(game.depth) - 1):
        waiting_count += game.decision_stack[position] == decision
    return waiting_count


def waits_for(game, decision, seat):
    """Return the number of decisions of a kind that are pending for a seat, including the current one."""
    times = 0
    for position in range(int(game.depth)):
        times += game.decision_stack[position] == decision and game.decision_seats[position] == seat
    return times


def times_in_stack(game, decision):
    """Return the number of times a decision or draw is on the stack, including the head."""
    times = 0
    for position in range(int(game.depth)):
        times += game.decision_stack[position] == decision
    return times


def pending(game, decision):
    """Return the stack positions of a kind of decision or draw, from the bottom of the stack to the head.

    `for position in pending(game, DISCARD)` visits every pending discard; its seat is `game.decision_seats[position]`
    and its argument `game.decision_arguments[position]`. Nothing is pending in a game that has ended.
    """
    stack = (1 << int(game.depth)) - 1 if game.ended == RUNNING else 0
    return members_of(equal_entries(game.decision_stack, 0, int(decision)) & stack)


def push(game, decision, seat, argument=0):
    """Push a decision with its argument and make it the current decision."""
    if game.depth < CAPACITY:
        game.decision_stack[game.depth] = decision
        game.decision_seats[game.depth] = seat
        game.decision_arguments[game.depth] = argument
        game.depth += 1
    else:
        game.ended = FAULT


def push_bottom(game, decision, seat, argument=0):
    """Insert a decision at the bottom of the stack, to be made last."""
    push(game, decision, seat, argument)
    for position in range(game.depth - 1, 0, -1):
        game.decision_stack[position] = game.decision_stack[position - 1]
        game.decision_seats[position] = game.decision_seats[position - 1]
        game.decision_arguments[position] = game.decision_arguments[position - 1]
    game.decision_stack[0] = decision
    game.decision_seats[0] = seat
    game.decision_arguments[0] = argument


def pop(game):
    """Remove the current decision after it has been made."""
    if game.depth > 0:
        game.depth -= 1
    else:
        game.ended = FAULT


def replace(game, decision, seat, argument=0):
    """Replace the current decision with another."""
    game.decision_stack[game.depth - 1] = decision
    game.decision_seats[game.depth - 1] = seat
    game.decision_arguments[game.depth - 1] = argument


def set_argument(game, argument):
    """Set the current decision's argument, such as the number of cards left."""
    game.decision_arguments[game.depth - 1] = argument


def finish(game, winners):
    """End the game with a set of winners, encoded as bits. If the set is empty, everybody loses."""
    game.ended = WON
    game.winners = winners


def truncate(game):
    """End the game without a winner."""
    game.ended = TRUNCATED
