"""Stacks, hands and other rows of cards or tokens, stored as arrays with a count for each kind."""


def weigh_stack(stack, weights):
    """Set a draw's weights so that all cards in a stack are equally likely."""
    for kind in range(len(stack)):
        weights[kind] = stack[kind]


def move_card(giver, receiver, kind, number=1):
    """Move `number` cards of a kind from one row to another."""
    giver[kind] -= number
    receiver[kind] += number


def clear_row(row):
    """Remove all cards from a row."""
    for kind in range(len(row)):
        row[kind] = 0


def copy_row(row, other):
    """Copy the counts of another row into this row."""
    for kind in range(len(row)):
        row[kind] = other[kind]


def count_differences(row, other):
    """Return the number of cards by which two rows differ."""
    card_count = 0
    for kind in range(len(row)):
        card_count += abs(int(row[kind]) - int(other[kind]))
    return card_count


def mark_kinds(row, first, mask):
    """For every kind, set `mask[first + kind]` to whether a row has a card of this kind."""
    for kind in range(len(row)):
        mask[first + kind] = row[kind] > 0
