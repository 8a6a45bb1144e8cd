"""Sets of actions, stored as one bit per action in a row of 64-bit words.

Rules see such a set as their `mask`: they read and write its entries like those of a bool array. Bits are faster than
bytes: a few words are cleared, counted and searched at once, and a whole block of entries is marked with one shift.
Rules and kernels use this module through `engine/marks.py` and `engine/bitset.py`.
"""

from __future__ import annotations

import operator
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.typing import signature
from numba.core.typing.templates import AbstractTemplate, infer_global
from numba.extending import lower_builtin, models, register_model

from catan_env.engine.compiler.bits import WORD_BITS
from catan_env.engine.compiler.entries import BLOCK, EntriesType, entry_count_of, scan_entries
from catan_env.engine.compiler.jit import intrinsic_with

MARK_BITS = 64
"""Number of actions per word."""
ALL_BITS = 2**MARK_BITS - 1
WORD = ir.IntType(MARK_BITS)


# -- in plain Python ---------------------------------------------------------------------------------------


class Marks:
    """A set of actions in plain Python."""

    def __init__(self, words: Any):
        self.words = words

    def __getitem__(self, action: int) -> bool:
        """Return whether an action is marked."""
        k, position = divmod(int(action), MARK_BITS)
        return word_in_python(self, k) >> position & 1 != 0

    def __setitem__(self, action: int, value: Any) -> None:
        """Mark an action, or remove its mark."""
        k, position = divmod(int(action), MARK_BITS)
        word = word_in_python(self, k) & ~(1 << position) | bool(value) << position
        self.words[k] = word - (word >> MARK_BITS - 1 << MARK_BITS)  # as a signed number


def marks_in_python(words, i):
    """Return row `i` of an array of words as a set of actions."""
    return Marks(words[i])


def word_in_python(marks, k):
    """Return word `k` of a set: actions 64k to 64k + 63."""
    return int(marks.words[k]) & ALL_BITS


def mark_in_python(entries, first, mask):
    """Set `mask[first + entry]` for every entry that passes."""
    for entry in entries:
        mask[first + entry] = True


def unpack_in_python(marks, masks, i, blocks):
    """Write a set to row `i` of an array of bytes, 32 actions per block."""
    for k in range(WORD_BITS * blocks):
        masks[i, k] = marks[k]


# -- for Numba ---------------------------------------------------------------------------------------------


class MarksType(types.Type):
    """The type of a set of actions."""

    def __init__(self) -> None:
        super().__init__("marks")


MARKS = MarksType()


@register_model(MarksType)
class MarksModel(models.StructModel):
    """Data layout: a pointer to the words, and their number."""

    def __init__(self, manager: Any, marks: MarksType):
        super().__init__(manager, marks, [("words", types.CPointer(types.int64)), ("count", types.int64)])


@intrinsic_with(marks_in_python)
def marks_of(typing_context, words, i):
    """Return row `i` of an int64 array of words, shape (rows, count), as a set of actions."""

    def generate(context, builder, signature, arguments):
        array = context.make_array(signature.args[0])(context, builder, arguments[0])
        count = builder.extract_value(array.shape, 1)
        marks = context.make_helper(builder, MARKS)
        marks.words = builder.gep(array.data, [builder.mul(arguments[1], count)])
        marks.count = count
        return marks._getvalue()

    return MARKS(words, types.int64), generate


@intrinsic_with(word_in_python)
def word_of(typing_context, marks, k):
    """Return word `k` of a set: actions 64k to 64k + 63.

    An atomic load is an ordinary one that LLVM never widens. A wider one would have to wait until all recent changes to
    the words it covers have reached the cache.
    """

    def generate(context, builder, signature, arguments):
        words = context.make_helper(builder, MARKS, value=arguments[0]).words
        return builder.load_atomic(builder.gep(words, [arguments[1]]), "unordered", align=8)

    return (types.int64(MARKS, types.int64), generate) if isinstance(marks, MarksType) else None


@infer_global(operator.getitem)
class ReadMark(AbstractTemplate):
    """The type of `mask[action]`."""

    def generic(self, args, kws):
        """Return a signature for sets of actions."""
        is_mark = isinstance(args[0], MarksType) and isinstance(args[1], types.Integer)
        return signature(types.boolean, MARKS, types.int64) if is_mark else None


@infer_global(operator.setitem)
class WriteMark(AbstractTemplate):
    """The type of `mask[action] = value`."""

    def generic(self, args, kws):
        """Return a signature for sets of actions."""
        is_mark = isinstance(args[0], MarksType) and isinstance(args[1], types.Integer)
        return signature(types.none, MARKS, types.int64, types.boolean) if is_mark else None


def _place(context, builder, marks, action):
    """Return a pointer to the word of an action, and its position in the word. Negative actions count from the end."""
    marks = context.make_helper(builder, MARKS, value=marks)
    last = builder.add(action, builder.mul(marks.count, WORD(MARK_BITS)))
    action = builder.select(builder.icmp_signed("<", action, WORD(0)), last, action)
    word = builder.gep(marks.words, [builder.lshr(action, WORD(6))])
    return word, builder.and_(action, WORD(MARK_BITS - 1))


@lower_builtin(operator.getitem, MarksType, types.int64)
def read_mark(context, builder, signature, arguments):
    """Return whether an action is marked."""
    word, position = _place(context, builder, *arguments)
    return builder.trunc(builder.lshr(builder.load(word), position), ir.IntType(1))


@lower_builtin(operator.setitem, MarksType, types.int64, types.boolean)
def write_mark(context, builder, signature, arguments):
    """Mark an action, or remove its mark."""
    marks, action, value = arguments
    word, position = _place(context, builder, marks, action)
    others = builder.and_(builder.load(word), builder.not_(builder.shl(WORD(1), position)))
    builder.store(builder.or_(others, builder.shl(builder.zext(value, WORD), position)), word)
    return context.get_dummy_value()


@intrinsic_with(mark_in_python)
def mark(typing_context, entries, first, mask):
    """Set `mask[first + entry]` for every entry that passes, a block at a time.

    A block may reach beyond its last word, so sets have a word more than they need.
    """

    def generate(context, builder, signature, arguments):
        found_type = signature.args[0]
        words = context.make_helper(builder, MARKS, value=arguments[2]).words
        length = entry_count_of(context, builder, found_type, arguments[0])
        with cgutils.for_range_slice(builder, WORD(0), length, WORD(BLOCK), inc=True) as (start, _):
            found = scan_entries(context, builder, found_type, arguments[0], start, length)
            place = builder.add(arguments[1], start)
            shift = builder.and_(place, WORD(MARK_BITS - 1))
            word = builder.gep(words, [builder.lshr(place, WORD(6))])
            builder.store(builder.or_(builder.load(word), builder.shl(found, shift)), word)
            # Shifting twice moves all bits out if `shift` is 0.
            rest = builder.lshr(builder.lshr(found, WORD(1)), builder.sub(WORD(MARK_BITS - 1), shift))
            word = builder.gep(word, [WORD(1)])
            builder.store(builder.or_(builder.load(word), rest), word)
        return context.get_dummy_value()

    fits = isinstance(entries, EntriesType) and isinstance(mask, MarksType)
    return (types.none(entries, types.int64, MARKS), generate) if fits else None


@intrinsic_with(unpack_in_python)
def unpack(typing_context, marks, masks, i, blocks):
    """Write a set to row `i` of an array of bytes, 32 actions per block."""

    def generate(context, builder, signature, arguments):
        flags_type, bytes_type = ir.VectorType(ir.IntType(1), WORD_BITS), ir.VectorType(ir.IntType(8), WORD_BITS)
        array = context.make_array(signature.args[1])(context, builder, arguments[1])
        words = context.make_helper(builder, MARKS, value=arguments[0]).words
        width = builder.extract_value(array.shape, 1)
        row = builder.gep(builder.bitcast(array.data, ir.IntType(8).as_pointer()), [builder.mul(arguments[2], width)])
        halves = builder.bitcast(words, ir.IntType(WORD_BITS).as_pointer())
        with cgutils.for_range(builder, arguments[3]) as loop:
            flags = builder.bitcast(builder.load(builder.gep(halves, [loop.index])), flags_type)
            place = builder.gep(row, [builder.mul(loop.index, WORD(WORD_BITS))])
            builder.store(builder.zext(flags, bytes_type), builder.bitcast(place, bytes_type.as_pointer()), align=1)
        return context.get_dummy_value()

    fits = isinstance(marks, MarksType) and isinstance(masks, types.Array)
    return (types.none(MARKS, masks, types.int64, types.int64), generate) if fits else None
