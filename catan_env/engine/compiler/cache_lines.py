"""Intrinsics that write rows of floats past the processor's cache, for outputs that are larger than the cache.

An ordinary write first reads the line of memory that it changes. Writes of whole lines past the cache need not.
"""

from llvmlite import ir
from numba import types
from numba.core import cgutils

from catan_env.engine.compiler.jit import intrinsic_with
from catan_env.engine.compiler.prefetch import LINE

FLOAT, BYTE = ir.FloatType(), ir.IntType(8)
FLOAT_BYTES = 4
LANES = LINE // FLOAT_BYTES
"""Number of floats in a cache line."""


def write_past_cache_in_python(out, i, row, scale):
    """Set `out[i, k]` to `row[k] * scale[k]` for all columns."""
    out[i] = row[: out.shape[1]] * scale


@intrinsic_with(write_past_cache_in_python)
def write_past_cache(typing_context, out, i, row, scale):
    """Set `out[i, k]` to `row[k] * scale[k]` for all columns, past the cache.

    `out` is 2-D, contiguous and float32, as is `scale`; `row` consists of unsigned bytes. Call `end_writes` after the
    last row.
    """

    def generate(context, builder, signature, arguments):
        target, source, scales = (
            context.make_array(signature.args[k])(context, builder, arguments[k]) for k in (0, 2, 3)
        )
        size = builder.extract_value(target.shape, 1)
        first = builder.gep(target.data, [builder.mul(arguments[1], size)])

        def write(k, lanes):
            """Write the given number of columns from column `k`; a whole line goes past the cache."""
            floats, bytes_ = (kind if lanes == 1 else ir.VectorType(kind, lanes) for kind in (FLOAT, BYTE))

            def at(data, kind):
                return builder.bitcast(builder.gep(data, [k]), kind.as_pointer())

            values = builder.uitofp(builder.load(at(source.data, bytes_), align=1), floats)
            product = builder.fmul(values, builder.load(at(scales.data, floats), align=FLOAT_BYTES))
            store = builder.store(product, at(first, floats), align=lanes * FLOAT_BYTES)
            if lanes == LANES:
                store.set_metadata("nontemporal", builder.module.add_metadata([ir.IntType(32)(1)]))

        before_line = builder.and_(builder.neg(builder.ptrtoint(first, size.type)), size.type(LINE - 1))
        head = builder.udiv(before_line, size.type(FLOAT_BYTES))
        head = builder.select(builder.icmp_signed("<", head, size), head, size)
        lines = builder.and_(builder.sub(size, head), size.type(-LANES))
        tail = builder.add(head, lines)
        with cgutils.for_range_slice(builder, size.type(0), head, size.type(1), size.type) as (k, _):
            write(k, 1)
        with cgutils.for_range_slice(builder, head, tail, size.type(LANES), size.type) as (k, _):
            write(k, LANES)
        with cgutils.for_range_slice(builder, tail, size, size.type(1), size.type) as (k, _):
            write(k, 1)
        return context.get_dummy_value()

    return types.void(out, types.int64, row, scale), generate


def end_writes_in_python():
    """Do nothing, because plain Python writes in order."""


@intrinsic_with(end_writes_in_python)
def end_writes(typing_context):
    """Order all rows that were written past the cache before whatever is written next."""

    def generate(context, builder, signature, arguments):
        builder.fence("seq_cst")
        return context.get_dummy_value()

    return types.void(), generate
