"""The decision queue: what is to be decided next, and by whom.

The head stands at the top of the arrays, so that interrupting the current decision (`push`) is one write.
A seat of `CHANCE` means that chance decides.
"""

from catan_env.engine.declare import Field

CHANCE = -1
NO_SEAT = -2
CAPACITY = 32

RUNNING, WON, TRUNCATED, FAULT = 0, 1, 2, 3

FIELDS = (
    Field("rng", (4,), "u4", 0, 2**32 - 1, "state of this game's random stream", visible="nobody"),
    Field("queue", (CAPACITY,), "u1", 0, 255, "codes of the decisions to come, head last", visible="nobody"),
    Field("queue_seat", (CAPACITY,), "i1", CHANCE, 7, "who decides each of them, -1 chance", visible="nobody"),
    Field("depth", (), "u1", 0, CAPACITY, "decisions in the queue", visible="nobody"),
    Field("ended", (), "u1", RUNNING, TRUNCATED, "0 running, 1 won, 2 cut off by a limit", visible="nobody"),
    Field("winner", (), "i1", -1, 7, "seat that has won, -1 nobody", default=-1, visible="nobody"),
)


def head(game):
    """Code of the decision to be taken now."""
    return game.queue[game.depth - 1]


def head_seat(game):
    """Seat that takes it, or CHANCE."""
    return game.queue_seat[game.depth - 1]


def decision_at_hand(game):
    """Code of the decision to be taken now, -1 in a game that has ended or waits for nothing."""
    if game.ended != RUNNING or game.depth == 0:
        return -1
    return int(head(game))


def seat_at_hand(game):
    """Seat that decides now, negative if none does."""
    if game.ended != RUNNING or game.depth == 0:
        return NO_SEAT
    return int(head_seat(game))


def push(game, decision, seat):
    """Puts a decision before all others."""
    if game.depth < CAPACITY:
        game.queue[game.depth] = decision
        game.queue_seat[game.depth] = seat
        game.depth += 1
    else:
        game.ended = FAULT


def enqueue(game, decision, seat):
    """Puts a decision behind all others."""
    push(game, decision, seat)
    for place in range(game.depth - 1, 0, -1):
        game.queue[place] = game.queue[place - 1]
        game.queue_seat[place] = game.queue_seat[place - 1]
    game.queue[0] = decision
    game.queue_seat[0] = seat


def pop(game):
    """Takes the head off, once it is decided."""
    if game.depth > 0:
        game.depth -= 1
    else:
        game.ended = FAULT


def replace(game, decision, seat):
    """Takes the head off and puts another decision in its place."""
    game.queue[game.depth - 1] = decision
    game.queue_seat[game.depth - 1] = seat


def finish(game, winner):
    """Ends the game with a winner."""
    game.ended = WON
    game.winner = winner


def cut_off(game):
    """Ends the game without a winner."""
    game.ended = TRUNCATED
