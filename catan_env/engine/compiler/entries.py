"""Iteration over the entries of byte arrays that pass tests. Rules use it through `engine/bitset.py`.

In Numba, a set of entries is a value that consists of arrays, comparison values and tests; functions can take it as an
argument or return it. A loop over entries compares a whole block at once and keeps the block's start and remaining
entries on the stack, so it costs no more than a handwritten loop. The first block is read before the loop; if an array
has only one block, LLVM removes the rest of the code.
"""

import operator
from collections.abc import Callable, Iterator
from functools import reduce
from itertools import count
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.imputils import RefType, iternext_impl
from numba.extending import lower_builtin, models, register_model, type_callable

from catan_env.engine.compiler.bits import (
    WORD_BITS,
    common_entries_in_python,
    equal_entries_in_python,
    lowest_bit,
    lowest_in_python,
    members_in_python,
    other_entries_in_python,
    scan_block,
)
from catan_env.engine.compiler.jit import intrinsic_with

WORD = ir.IntType(64)
BLOCK = 2 * WORD_BITS
"""Number of entries that a loop reads at once."""


# -- in plain Python ---------------------------------------------------------------------------------------


class Entries:
    """The entries that pass one or more tests. `&` combines tests on arrays of the same length."""

    def __init__(self, *tests: tuple[Callable[..., int], np.ndarray, int]):
        self.tests = tests

    def __and__(self, other: "Entries") -> "Entries":
        """Return the entries that pass the tests of both operands."""
        return Entries(*self.tests, *other.tests)

    def words(self) -> Iterator[int]:
        """Yield one word per 32 entries, with a bit set for each entry that passes."""
        scan_first, first_array, _ = self.tests[0]
        word_count = len(first_array) if scan_first is members_in_python else -(-len(first_array) // WORD_BITS)
        for k in range(word_count):
            yield reduce(operator.and_, [scan(array, k, value) for scan, array, value in self.tests])

    def __iter__(self) -> Iterator[int]:
        """Yield the entries in ascending order."""
        words = self.words()
        for start, found in zip(count(0, BLOCK), words, strict=False):
            found |= next(words, 0) << WORD_BITS
            while found:
                yield start + lowest_in_python(found)
                found &= found - 1


def where_equal_in_python(array, value):
    """Return the entries that equal `value`, which must be in the range -128 to 127."""
    return Entries((equal_entries_in_python, array, int(value)))


def where_other_in_python(array, value):
    """Return the entries that differ from `value`, which must be in the range -128 to 127."""
    return Entries((other_entries_in_python, array, int(value)))


def where_bit_in_python(array, bit):
    """Return the entries in which a bit is set."""
    return Entries((common_entries_in_python, array, 1 << int(bit)))


def where_in_in_python(words):
    """Return the entries of a bitset."""
    return Entries((members_in_python, words, 0))


def members_of_in_python(word):
    """Yield the positions of a word's set bits in ascending order."""
    while word:
        yield lowest_in_python(word)
        word &= word - 1


def any_of_in_python(entries):
    """Return whether any entry passes."""
    return any(entries.words())


def number_of_in_python(entries):
    """Return the number of entries that pass."""
    return sum(found.bit_count() for found in entries.words())


# -- for Numba ---------------------------------------------------------------------------------------------


class EntriesType(types.IterableType):
    """The type of entries that pass tests. It holds the array types and the test names that `scan_block` takes."""

    def __init__(self, *tests: tuple[types.Array, str]):
        self.tests = tests
        super().__init__(f"entries{tests}")

    @property
    def iterator_type(self) -> "EntriesIterator":
        """The type of an iterator over the entries."""
        return EntriesIterator(self)


class EntriesIterator(types.SimpleIteratorType):
    """The type of an iterator over entries."""

    def __init__(self, entries: EntriesType):
        self.entries = entries
        super().__init__(f"loop over {entries}", types.int64)


class MembersType(types.IterableType):
    """The type of the positions of a word's set bits."""

    def __init__(self) -> None:
        super().__init__("members of a word")

    @property
    def iterator_type(self) -> EntriesIterator:
        """The type of an iterator over the positions, which are treated as one block of entries without arrays."""
        return EntriesIterator(EntriesType())


@register_model(MembersType)
class MembersModel(models.StructModel):
    """Data layout: only the word."""

    def __init__(self, manager: Any, members: MembersType):
        super().__init__(manager, members, [("word", types.int64)])


@register_model(EntriesType)
class EntriesModel(models.StructModel):
    """Data layout: the array and the comparison value of each test."""

    def __init__(self, manager: Any, entries: EntriesType):
        members = []
        for k, (array, _) in enumerate(entries.tests):
            members += [(f"array_{k}", array), (f"value_{k}", types.int64)]
        super().__init__(manager, entries, members)


@register_model(EntriesIterator)
class IteratorModel(models.StructModel):
    """Data layout: the entries, the start of the current block, and the entries left in the block, as bits."""

    def __init__(self, manager: Any, iterator: EntriesIterator):
        number = types.EphemeralPointer(types.int64)
        super().__init__(manager, iterator, [("entries", iterator.entries), ("start", number), ("found", number)])


def _members(builder, entries_type, entries):
    """Return the array and the value of each test."""
    members = cgutils.unpack_tuple(builder, entries, 2 * len(entries_type.tests))
    return list(zip(members[::2], members[1::2], strict=True))


def _packed(context, builder, entries_type, members):
    """Return entries packed from alternating arrays and values."""
    entries = cgutils.pack_struct(builder, members)
    if context.enable_nrt:
        context.nrt.incref(builder, entries_type, entries)
    return entries


def entry_count_of(context, builder, entries_type, entries):
    """Return the number of entries of the first array."""
    if not entries_type.tests:
        return WORD(0)
    array = context.make_array(entries_type.tests[0][0])(context, builder, builder.extract_value(entries, 0))
    length = builder.extract_value(array.shape, 0)
    return builder.mul(length, WORD(WORD_BITS)) if entries_type.tests[0][1] == "in" else length


def _scan_half(context, builder, entries_type, entries, k):
    """Return a bitmask of the entries 32k to 32k + 31 that pass all tests."""
    tests = zip(entries_type.tests, _members(builder, entries_type, entries), strict=True)
    found_by_each = [
        scan_block(context, builder, test, array_type, array, k, value) for (array_type, test), (array, value) in tests
    ]
    return reduce(builder.and_, found_by_each)


def scan_entries(context, builder, entries_type, entries, start, length):
    """Return a bitmask of the entries in a block that pass all tests."""
    if not entries_type.tests:
        return WORD(0)
    k = builder.udiv(start, WORD(WORD_BITS))
    found = _scan_half(context, builder, entries_type, entries, k)
    found_behind = _scan_half(context, builder, entries_type, entries, builder.add(k, WORD(1)))
    found_behind = builder.shl(found_behind, WORD(WORD_BITS))
    goes_on = builder.icmp_signed("<", builder.add(start, WORD(WORD_BITS)), length)
    return builder.or_(found, builder.select(goes_on, found_behind, WORD(0)))


def _where(test: str, plain_version: Callable) -> Callable[..., Any]:
    @intrinsic_with(plain_version)
    def where(typing_context, array, value):
        entries_type = EntriesType((array, test))

        def generate(context, builder, signature, arguments):
            return _packed(context, builder, entries_type, arguments)

        return entries_type(array, types.int64), generate

    return where


@intrinsic_with(where_in_in_python)
def where_in(typing_context, words):
    """Return the entries of a bitset."""
    entries_type = EntriesType((words, "in"))

    def generate(context, builder, signature, arguments):
        return _packed(context, builder, entries_type, [*arguments, WORD(0)])

    return entries_type(words), generate


@type_callable(operator.and_)
def type_and(context):
    """Infer the type of `&` between two sets of entries."""

    def entries_of_both(left, right):
        if isinstance(left, EntriesType) and isinstance(right, EntriesType):
            return EntriesType(*left.tests, *right.tests)
        return None

    return entries_of_both


@lower_builtin(operator.and_, EntriesType, EntriesType)
def and_entries(context, builder, signature, arguments):
    """Combine the tests of both operands."""
    members = [
        member
        for entries_type, entries in zip(signature.args, arguments, strict=True)
        for pair in _members(builder, entries_type, entries)
        for member in pair
    ]
    return _packed(context, builder, signature.return_type, members)


def _begun(context, builder, loop_type, entries, found):
    """Return an iterator that has already read its first block."""
    iterator = context.make_helper(builder, loop_type)
    iterator.entries = entries
    iterator.start = cgutils.alloca_once_value(builder, WORD(0))
    iterator.found = cgutils.alloca_once_value(builder, found)
    return iterator._getvalue()


@lower_builtin("getiter", EntriesType)
def begin_loop(context, builder, signature, arguments):
    """Start a loop by finding the entries in the first block."""
    length = entry_count_of(context, builder, signature.args[0], arguments[0])
    found = scan_entries(context, builder, signature.args[0], arguments[0], WORD(0), length)
    if context.enable_nrt:
        context.nrt.incref(builder, signature.args[0], arguments[0])
    return _begun(context, builder, signature.return_type, arguments[0], found)


@lower_builtin("iternext", EntriesIterator)
@iternext_impl(RefType.UNTRACKED)
def next_entry(context, builder, signature, arguments, result):
    """Yield the first entry left in the block; if there is none, search the following blocks."""
    entries_type = signature.args[0].entries
    iterator = context.make_helper(builder, signature.args[0], value=arguments[0])
    length = entry_count_of(context, builder, entries_type, iterator.entries)
    look, skip, scan, take, over, done = (
        builder.append_basic_block(f"entries.{name}") for name in ("look", "skip", "scan", "take", "over", "done")
    )
    builder.branch(look)

    builder.position_at_end(look)
    found = builder.load(iterator.found)
    builder.cbranch(builder.icmp_unsigned("!=", found, WORD(0)), take, skip)

    builder.position_at_end(skip)
    start = builder.add(builder.load(iterator.start), WORD(BLOCK))
    builder.cbranch(builder.icmp_signed("<", start, length), scan, over)

    builder.position_at_end(scan)
    builder.store(start, iterator.start)
    builder.store(scan_entries(context, builder, entries_type, iterator.entries, start, length), iterator.found)
    builder.branch(look)

    builder.position_at_end(take)
    builder.store(builder.and_(found, builder.sub(found, WORD(1))), iterator.found)
    result.set_valid(True)
    result.yield_(builder.add(builder.load(iterator.start), lowest_bit(builder, found)))
    builder.branch(done)

    builder.position_at_end(over)
    result.set_valid(False)
    builder.branch(done)
    builder.position_at_end(done)


@intrinsic_with(members_of_in_python)
def members_of(typing_context, word):
    """Return the positions of a word's set bits."""

    def generate(context, builder, signature, arguments):
        return cgutils.pack_struct(builder, arguments)

    return MembersType()(types.int64), generate


@lower_builtin("getiter", MembersType)
def begin_with_word(context, builder, signature, arguments):
    """Start a loop whose only block is the word."""
    nothing_else = cgutils.pack_struct(builder, [])
    return _begun(context, builder, signature.return_type, nothing_else, builder.extract_value(arguments[0], 0))


def _over_blocks(plain_version: Callable, join: Callable, finish: Callable, result_type: types.Type) -> Any:
    """Return an intrinsic that reduces the results of all blocks to one word."""

    @intrinsic_with(plain_version)
    def over_blocks(typing_context, entries):
        def generate(context, builder, signature, arguments):
            entries_type = signature.args[0]
            length = entry_count_of(context, builder, entries_type, arguments[0])
            total = cgutils.alloca_once_value(builder, WORD(0))
            with cgutils.for_range_slice(builder, WORD(0), length, WORD(BLOCK), inc=True) as (start, _):
                found = scan_entries(context, builder, entries_type, arguments[0], start, length)
                builder.store(join(builder, builder.load(total), found), total)
            return finish(builder, builder.load(total))

        return (result_type(entries), generate) if isinstance(entries, EntriesType) else None

    return over_blocks


where_equal = _where("equal", where_equal_in_python)
where_other = _where("other", where_other_in_python)
where_bit = _where("bit", where_bit_in_python)
any_of = _over_blocks(
    any_of_in_python,
    lambda builder, total, found: builder.or_(total, found),
    lambda builder, total: builder.icmp_unsigned("!=", total, WORD(0)),
    types.boolean,
)
number_of = _over_blocks(
    number_of_in_python,
    lambda builder, total, found: builder.add(total, builder.ctpop(found)),
    lambda builder, total: total,
    types.int64,
)
