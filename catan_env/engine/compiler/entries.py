"""Loops over the entries of a byte array that pass a test. Rules use them through `engine/bitset.py`.

For Numba, each function is an intrinsic that returns an iterator. The iterator compares a block of entries at once and
keeps the number of the block and the entries left in it on the stack, so a loop costs no more than one written by hand.
"""

from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.imputils import RefType, iternext_impl
from numba.extending import lower_builtin, models, register_model

from catan_env.engine.compiler.bits import (
    WORD_BITS,
    common_entries_in_python,
    equal_entries_in_python,
    lowest_bit,
    lowest_in_python,
    other_entries_in_python,
    scan_block,
)
from catan_env.engine.compiler.jit import intrinsic_with

WORD = ir.IntType(64)


class EntriesType(types.SimpleIteratorType):
    """The type of an iterator over entries of an array that pass one of the tests of `scan_block`."""

    def __init__(self, array: types.Array, test: str):
        self.array, self.test = array, test
        super().__init__(f"entries({array}, {test})", types.int64)


@register_model(EntriesType)
class EntriesModel(models.StructModel):
    """The array, the value to compare with, the number of the block, and the entries left in it, as bits."""

    def __init__(self, manager: Any, entries: EntriesType):
        members = [
            ("array", entries.array),
            ("value", types.int64),
            ("block", types.EphemeralPointer(types.int64)),
            ("found", types.EphemeralPointer(types.int64)),
        ]
        super().__init__(manager, entries, members)


def _iterator_over(test: str, plain_version: Callable) -> Callable[..., Any]:
    @intrinsic_with(plain_version)
    def where(typing_context, array, value):
        entries_type = EntriesType(array, test)

        def generate(context, builder, signature, arguments):
            entries = context.make_helper(builder, entries_type)
            entries.array, entries.value = arguments
            entries.block = cgutils.alloca_once_value(builder, WORD(-1))
            entries.found = cgutils.alloca_once_value(builder, WORD(0))
            if context.enable_nrt:
                context.nrt.incref(builder, array, arguments[0])
            return entries._getvalue()

        return entries_type(array, types.int64), generate

    return where


@lower_builtin("iternext", EntriesType)
@iternext_impl(RefType.UNTRACKED)
def next_entry(context, builder, signature, arguments, result):
    """Look for the next block with entries that pass, and yield its first entry left."""
    entries_type = signature.args[0]
    entries = context.make_helper(builder, entries_type, value=arguments[0])
    length = builder.extract_value(context.make_array(entries_type.array)(context, builder, entries.array).shape, 0)
    look, scan, over = (builder.append_basic_block(name) for name in ("entries.look", "entries.scan", "entries.over"))
    builder.branch(look)

    builder.position_at_end(look)
    found_left = builder.icmp_unsigned("!=", builder.load(entries.found), WORD(0))
    block = builder.add(builder.load(entries.block), WORD(1))
    blocks_left = builder.icmp_signed("<", builder.mul(block, WORD(WORD_BITS)), length)
    builder.cbranch(builder.or_(found_left, builder.not_(blocks_left)), over, scan)

    builder.position_at_end(scan)
    builder.store(block, entries.block)
    scanned = scan_block(context, builder, entries_type.test, entries_type.array, entries.array, block, entries.value)
    builder.store(scanned, entries.found)
    builder.branch(look)

    builder.position_at_end(over)
    result.set_valid(found_left)
    with builder.if_then(found_left):
        found = builder.load(entries.found)
        first = builder.mul(builder.load(entries.block), WORD(WORD_BITS))
        result.yield_(builder.add(first, lowest_bit(builder, found)))
        builder.store(builder.and_(found, builder.sub(found, WORD(1))), entries.found)


def _entries(array, scan, value):
    for k in range(-(-len(array) // WORD_BITS)):
        found = scan(array, k, int(value))
        while found:
            yield WORD_BITS * k + lowest_in_python(found)
            found &= found - 1


def where_equal_in_python(array, value):
    """Yield the entries that equal a value in -128 .. 127."""
    return _entries(array, equal_entries_in_python, value)


def where_other_in_python(array, value):
    """Yield the entries that differ from a value in -128 .. 127."""
    return _entries(array, other_entries_in_python, value)


def where_bit_in_python(array, bit):
    """Yield the entries in which a bit is set."""
    return _entries(array, common_entries_in_python, 1 << int(bit))


where_equal = _iterator_over("equal", where_equal_in_python)
where_other = _iterator_over("other", where_other_in_python)
where_bit = _iterator_over("bit", where_bit_in_python)
