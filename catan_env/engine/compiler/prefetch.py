"""Prefetching of memory that will be needed soon."""

from llvmlite import ir
from numba import types

from catan_env.engine.compiler.jit import intrinsic_with

LINE = 64
"""Size of a cache line in bytes."""


def request_nothing(array, i, offset):
    """Do nothing, because plain Python cannot prefetch."""


@intrinsic_with(request_nothing)
def request_line(typing_context, array, i, offset):
    """Prefetch the cache line `offset` bytes after the start of row `i`, for writing."""

    def generate(context, builder, signature, arguments):
        array_type = signature.args[0]
        view = context.make_array(array_type)(context, builder, arguments[0])
        word_type, byte_pointer = ir.IntType(64), ir.IntType(8).as_pointer()
        start = builder.add(builder.ptrtoint(view.data, word_type), arguments[2])
        address = builder.add(start, builder.mul(arguments[1], builder.extract_value(view.strides, 0)))
        name, flag_type = "llvm.prefetch.p0", ir.IntType(32)
        function = builder.module.globals.get(name)
        if function is None:
            function = ir.Function(
                builder.module, ir.FunctionType(ir.VoidType(), [byte_pointer, flag_type, flag_type, flag_type]), name
            )
        builder.call(function, [builder.inttoptr(address, byte_pointer), flag_type(1), flag_type(3), flag_type(1)])
        return context.get_dummy_value()

    return types.none(array, types.int64, types.int64), generate


def fetch_ahead(array, i, size):
    """Prefetch the `size` bytes of row `i` of an array, without waiting for them."""
    for line in range((size + LINE - 1) // LINE):
        request_line(array, i, line * LINE)
