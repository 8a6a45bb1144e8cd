"""Random streams of simulations, compiled with the rules.

The n-th simulation of every action at the root uses the same stream, and a new one in each turn, so two actions meet
the same dice even if one of them drew more often before. The first draw of each turn, its dice, is stratified: among 36
simulations, each sum comes up about as often as it should. Less luck then remains in their mean (the padding of
stratified samples, see Owen, 1995, "Randomly permuted (t,m,s)-nets and (t,s)-sequences").
"""

import numpy as np

from catan_env.engine.random import WORD, next_word

GOLDEN, SILVER = 0x9E3779B1, 0x85EBCA6B
"""Odd multipliers that spread stream numbers (below 2**31) over 32 bits."""
SPREADING = 16
"""Number of initial words to discard to decorrelate streams with similar starting states."""
PER_TURN = 2**16
"""Distance between the numbers of the streams of successive turns of a simulation."""


def begin_stream(game, origin, number):
    """Set a game's random stream to stream `number` among those derived from the same origin."""
    for k in range(4):
        game.rng[k] = origin[k]
    game.rng[0] = (origin[0] ^ number * GOLDEN) & WORD
    game.rng[2] = (origin[2] ^ number * SILVER) & WORD
    for _ in range(SPREADING):
        next_word(game)


def keep_in_step(game, turn, origin, number):
    """Switch to another stream if a turn has begun since `turn`. Return the present turn.

    Two simulations with the same number then roll the same dice in each turn, even if they drew differently before.
    """
    present_turn = np.int64(game.turn)
    if present_turn != turn:
        begin_stream(game, origin, number + present_turn * PER_TURN)
        begin_with(game, stratified(number, (origin[2] + present_turn * GOLDEN) & WORD))
    return present_turn


def begin_with(game, word):
    """Change a game's random stream such that `next_word` returns `word` first."""
    a = np.int64(game.rng[0])
    rotated = (word - a) & WORD
    game.rng[3] = (((rotated >> 7) | (rotated << 25)) - a) & WORD


def stratified(number, seed):
    """Return the word, 32 bits, of a number below 2**32 in a sequence that depends on `seed`.

    The words of the numbers from `k * 2**n` up to `(k + 1) * 2**n` fall into different ones of `2**n` equal intervals,
    in random order, for every k and n.
    """
    order = reverse_bits(scramble(reverse_bits(number), (seed ^ SILVER) & WORD))
    return reverse_bits(scramble(order, seed))


def scramble(word, seed):
    """Flip each bit of a word at random, depending on `seed` and the lower bits (Laine and Karras, 2011).

    The constants are by Vegdahl (2021); even factors carry no bit to itself or to lower ones.
    """
    word = (word ^ (word * 0x3D20ADEA)) & WORD
    word = (word + seed) & WORD
    word = (word * ((seed >> 16) | 1)) & WORD
    word = (word ^ (word * 0x05526C56)) & WORD
    return (word ^ (word * 0x53A22864)) & WORD


def reverse_bits(word):
    """Return a word of 32 bits in reverse order."""
    word = ((word & 0x55555555) << 1) | ((word >> 1) & 0x55555555)
    word = ((word & 0x33333333) << 2) | ((word >> 2) & 0x33333333)
    word = ((word & 0x0F0F0F0F) << 4) | ((word >> 4) & 0x0F0F0F0F)
    word = ((word & 0x00FF00FF) << 8) | ((word >> 8) & 0x00FF00FF)
    return ((word & 0xFFFF) << 16) | (word >> 16)
