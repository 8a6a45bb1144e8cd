"""An intrinsic that writes one flag per entry of a byte array, for encoders."""

from llvmlite import ir
from numba import types
from numba.core import cgutils

from catan_env.engine.compiler.bits import WORD_BITS, all_alike
from catan_env.engine.compiler.jit import intrinsic_with

BYTE = ir.IntType(8)


def write_flags_in_python(row, at, values, code):
    """Set `row[at + i]` to 1 if `values[i] == code` and to 0 otherwise, for all entries of `values`."""
    row[at : at + len(values)] = values == code


@intrinsic_with(write_flags_in_python)
def write_flags(typing_context, row, at, values, code):
    """Set `row[at + i]` to 1 if `values[i] == code` and to 0 otherwise, for all entries of `values`.

    Both arrays are 1-D, contiguous and consist of bytes.
    """

    def generate(context, builder, signature, arguments):
        target, source = (context.make_array(signature.args[k])(context, builder, arguments[k]) for k in (0, 2))
        first, size = builder.gep(target.data, [arguments[1]]), builder.extract_value(source.shape, 0)
        code = builder.trunc(arguments[3], BYTE)

        def compare(start, width):
            """Write the flags of `width` entries."""
            lanes = ir.VectorType(BYTE, width)
            place, written = (
                builder.bitcast(builder.gep(data, [start]), lanes.as_pointer()) for data in (source.data, first)
            )
            found = builder.icmp_signed("==", builder.load(place, align=1), all_alike(builder, code, lanes))
            builder.store(builder.zext(found, lanes), written, align=1)

        def in_blocks(width):
            """Write all flags; if there are fewer than `width`, in narrower blocks. The last block may overlap."""
            if width == 1:
                with cgutils.for_range(builder, size) as loop:
                    compare(loop.index, 1)
                return
            with builder.if_else(builder.icmp_signed(">=", size, size.type(width))) as (enough, fewer):
                with enough:
                    last = builder.sub(size, size.type(width))
                    with cgutils.for_range_slice(builder, size.type(0), last, size.type(width), size.type) as (k, _):
                        compare(k, width)
                    compare(last, width)
                with fewer:
                    in_blocks(width // 2)

        in_blocks(WORD_BITS)
        return context.get_dummy_value()

    return types.void(row, types.int64, values, types.int64), generate
