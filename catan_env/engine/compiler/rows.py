"""An intrinsic that sums weighted rows, for the layers of small networks."""

from llvmlite import ir
from numba import types
from numba.core import cgutils

from catan_env.engine.compiler.jit import intrinsic_with

LANES = 16
"""Number of units that a processor adds at once. Layers are padded with units that are always 0."""
FOUR = 4
"""Number of inputs added per call."""


def add_rows_in_python(units, weights, at, inputs):
    """Add rows of weights, each multiplied by its input, to `units`. The rows start at indices `at`."""
    a, b, c, d = (factor * weights[start : start + len(units)] for start, factor in zip(at, inputs, strict=True))
    units += (a + b) + (c + d)


@intrinsic_with(add_rows_in_python)
def add_rows(typing_context, units, weights, at, inputs):
    """Add four rows of weights, each multiplied by its input, to `units`.

    `units` is 1-D float32, padded to a multiple of `LANES`. The rows start at indices `at` in `weights`.
    """

    def generate(context, builder, signature, arguments):
        target, weights = (
            context.make_array(kind)(context, builder, value)
            for kind, value in zip(signature.args[:2], arguments[:2], strict=True)
        )
        size = builder.extract_value(target.shape, 0)
        lanes_type, index_type = ir.VectorType(ir.FloatType(), LANES), ir.VectorType(ir.IntType(32), LANES)

        def all_alike(value):
            first_lane = builder.insert_element(lanes_type(ir.Undefined), value, ir.IntType(32)(0))
            return builder.shuffle_vector(first_lane, lanes_type(ir.Undefined), index_type([0] * LANES))

        def block(data, unit):
            return builder.bitcast(builder.gep(data, [unit]), lanes_type.as_pointer())

        row_pointers = [builder.gep(weights.data, [builder.extract_value(arguments[2], k)]) for k in range(FOUR)]
        factors = [all_alike(builder.extract_value(arguments[3], k)) for k in range(FOUR)]
        with cgutils.for_range_slice(builder, size.type(0), size, size.type(LANES), size.type) as (unit, _):
            a, b, c, d = (
                builder.fmul(factor, builder.load(block(row_pointer, unit), align=4))
                for factor, row_pointer in zip(factors, row_pointers, strict=True)
            )
            pointer = block(target.data, unit)
            increment = builder.fadd(builder.fadd(a, b), builder.fadd(c, d))
            builder.store(builder.fadd(builder.load(pointer, align=4), increment), pointer, align=4)
        return context.get_dummy_value()

    return types.void(units, weights, types.UniTuple(types.int64, FOUR), types.UniTuple(types.float32, FOUR)), generate
