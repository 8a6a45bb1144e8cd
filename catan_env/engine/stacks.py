"""Stacks, hands and other rows of cards or tokens: an array with a count for each kind."""


def weigh_stack(stack, weights):
    """Makes every card of a stack equally likely to be drawn."""
    for kind in range(len(stack)):
        weights[kind] = stack[kind]


def move_card(giver, receiver, kind, number=1):
    """Moves cards of a kind from one row to another."""
    giver[kind] -= number
    receiver[kind] += number


def clear_row(row):
    """Takes everything out of a row."""
    for kind in range(len(row)):
        row[kind] = 0


def copy_row(row, other):
    """Makes a row the same as another."""
    for kind in range(len(row)):
        row[kind] = other[kind]


def count_differences(row, other):
    """How many cards two rows differ by."""
    card_count = 0
    for kind in range(len(row)):
        card_count += abs(int(row[kind]) - int(other[kind]))
    return card_count


def mark_kinds(row, first, mask):
    """Marks those of an action for each kind, from the id `first` on, of which a row has a card."""
    for kind in range(len(row)):
        mask[first + kind] = row[kind] > 0
