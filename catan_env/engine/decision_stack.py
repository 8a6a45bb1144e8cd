"""The decision stack: what is to be decided next, and by whom.

The head stands at the top of the arrays, so that interrupting the current decision (`push`) is one write.
A seat of `CHANCE` means that chance decides.
"""

from catan_env.engine.declare import Field

CHANCE = -1
NO_SEAT_TO_ACT = -2
CAPACITY = 32

RUNNING, WON, TRUNCATED, FAULT = 0, 1, 2, 3

FIELDS = (
    Field("rng", (4,), "u4", 0, 2**32 - 1, "state of this game's random stream", visible="nobody"),
    Field("decision_stack", (CAPACITY,), "u1", 0, 255, "codes of the decisions to come, head last", visible="nobody"),
    Field("decision_seats", (CAPACITY,), "i1", CHANCE, 7, "who decides each of them, -1 chance", visible="nobody"),
    Field(
        "decision_arguments",
        (CAPACITY,),
        "i2",
        -(2**15),
        2**15 - 1,
        "what each of them is about: a place, a seat, a count",
        visible="nobody",
    ),
    Field("depth", (), "u1", 0, CAPACITY, "decisions in the decision stack", visible="nobody"),
    Field("ended", (), "u1", RUNNING, TRUNCATED, "0 running, 1 won, 2 cut off by a limit", visible="nobody"),
    Field("winners", (), "u1", 0, 255, "bit per seat that has won", visible="nobody"),
)


def head(game):
    """Code of the decision to be taken now."""
    return game.decision_stack[game.depth - 1]


def head_seat(game):
    """Seat that takes it, or CHANCE."""
    return game.decision_seats[game.depth - 1]


def head_argument(game):
    """What it is about: the argument it was pushed with."""
    return int(game.decision_arguments[game.depth - 1])


def current_decision(game):
    """Code of the decision to be taken now, -1 in a game that has ended or waits for nothing."""
    if game.ended != RUNNING or game.depth == 0:
        return -1
    return int(head(game))


def current_seat(game):
    """Seat that decides now, negative if none does."""
    if game.ended != RUNNING or game.depth == 0:
        return NO_SEAT_TO_ACT
    return int(head_seat(game))


def waiting(game, decision):
    """How many decisions of a kind come after the one at hand."""
    waiting_count = 0
    for position in range(int(game.depth) - 1):
        waiting_count += game.decision_stack[position] == decision
    return waiting_count


def waits_for(game, decision, seat):
    """How often a seat is asked for a decision, now or later."""
    times = 0
    for position in range(int(game.depth)):
        times += game.decision_stack[position] == decision and game.decision_seats[position] == seat
    return times


def times_in_stack(game, decision):
    """How often a decision, or a draw, is to come, the one at hand among them."""
    times = 0
    for position in range(int(game.depth)):
        times += game.decision_stack[position] == decision
    return times


def push(game, decision, seat, argument=0):
    """Puts a decision before all others, with what it is about."""
    if game.depth < CAPACITY:
        game.decision_stack[game.depth] = decision
        game.decision_seats[game.depth] = seat
        game.decision_arguments[game.depth] = argument
        game.depth += 1
    else:
        game.ended = FAULT


def push_bottom(game, decision, seat, argument=0):
    """Puts a decision behind all others."""
    push(game, decision, seat, argument)
    for position in range(game.depth - 1, 0, -1):
        game.decision_stack[position] = game.decision_stack[position - 1]
        game.decision_seats[position] = game.decision_seats[position - 1]
        game.decision_arguments[position] = game.decision_arguments[position - 1]
    game.decision_stack[0] = decision
    game.decision_seats[0] = seat
    game.decision_arguments[0] = argument


def pop(game):
    """Takes the head off, once it is decided."""
    if game.depth > 0:
        game.depth -= 1
    else:
        game.ended = FAULT


def replace(game, decision, seat, argument=0):
    """Takes the head off and puts another decision in its place."""
    game.decision_stack[game.depth - 1] = decision
    game.decision_seats[game.depth - 1] = seat
    game.decision_arguments[game.depth - 1] = argument


def set_argument(game, argument):
    """Changes what the head is about, such as a count of what is still to be done."""
    game.decision_arguments[game.depth - 1] = argument


def finish(game, winners):
    """Ends the game with a set of winners, given as bits; with none of them everybody has lost."""
    game.ended = WON
    game.winners = winners


def truncate(game):
    """Ends the game without a winner."""
    game.ended = TRUNCATED
