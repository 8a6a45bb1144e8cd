"""Records whose layout the linker fills in, so that scenarios share the compiled code of their rules.

The code of a rule refers to the offset of each field and the lengths of its axes by name. When a kernel is linked,
each name becomes a constant with the value for that kernel's records, which LLVM folds like any other constant. The
same code therefore serves records with further fields, other boards and other numbers of players.

This module depends on private parts of Numba; see `patches.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from typing import Any, NamedTuple

import llvmlite.binding as llvm
import numpy as np
from llvmlite import ir
from numba.core import ir as ir_of_numba
from numba.core import types
from numba.core.cgutils import pack_array
from numba.core.compiler_machinery import FunctionPass, register_pass
from numba.core.datamodel import register_default
from numba.core.datamodel.models import RecordModel
from numba.core.ir_utils import build_definitions, mk_unique_var
from numba.core.types.containers import BaseTuple
from numba.extending import intrinsic, lower_getattr_generic, lower_setattr_generic
from numba.np import numpy_support
from numba.np.arrayobj import make_array, populate_array

from catan_env.engine.binding import ROLE_MARK, ROLES

WORD, BYTES = ir.IntType(64), ir.IntType(8).as_pointer()
PREFIX = "layout."
"""Prefix of the names that stand for numbers of a layout."""


class NamedNumber(np.int64):
    """A number of a composition that its rules refer to by name, such as the code of a decision or a size."""

    name: str
    intrinsic: Callable
    """Returns the number. Numba finds only intrinsics that were made before a kernel compiles."""

    def __new__(cls, name: str, value: int):
        """Return the number with this name."""
        number = super().__new__(cls, value)
        number.name, number.intrinsic = name, number_named(name, value)
        return number


class Layout(NamedTuple):
    """The numbers that the linker fills in for one kernel."""

    numbers: dict[str, int]
    by_name: bool
    """Whether the code being compiled refers to them by name."""
    copies: dict[Any, llvm.ModuleRef]
    """Parts of the kernel in which they are filled in; see `linker.joined`."""


LAYOUTS = [Layout({}, False, {})]
"""The layouts of the kernels being compiled, the innermost one last."""


class LayoutRecord(types.Record):
    """A record type of a composition: the game record or the parameters. `role` tells which."""

    def __init__(self, record: types.Record):
        fields: list[Any] = [(name, field._asdict()) for name, field in record.fields.items()]
        self.role = fields[0][0].partition(ROLE_MARK)[0]
        super().__init__(fields, record.size, record.aligned)

    def numbers(self) -> Iterator[tuple[str, int]]:
        """Yield the name and value of each number that code may refer to by name."""
        for name, field in self.fields.items():
            yield self.name_of(name, "offset"), field.offset
            for axis, length in enumerate(getattr(field.type, "shape", ())):
                yield self.name_of(name, axis), length

    def name_of(self, field_name: str, what: str | int) -> str:
        """Return the name that stands for the offset of a field or for the length of an axis."""
        return f"{PREFIX}{self.role}.{field_name}.{what}"

    def text_without_layout(self, names: frozenset[str]) -> str:
        """Return a text for all that code depends on which uses no other fields than those with these names."""
        used = sorted((name, text_without_lengths(self.fields[name].type)) for name in names & self.fields.keys())
        return f"{self.role} {used} {self.aligned}"


@register_default(LayoutRecord)
class LayoutRecordModel(RecordModel):
    """How LLVM sees such a record: as a pointer whose type is the same for records of all sizes."""

    def __init__(self, manager: Any, record: LayoutRecord):
        super().__init__(manager, record)
        self._be_ptr_type = BYTES

    def as_data(self, builder: ir.IRBuilder, value: ir.Value) -> ir.Value:
        """Load the whole record."""
        return builder.load(builder.bitcast(value, self._be_type.as_pointer()))


def text_without_lengths(field_type: Any) -> str:
    """Return a text for a field's type that does not depend on the lengths of its axes."""
    is_array = isinstance(field_type, types.NestedArray)
    return f"{field_type.ndim} axes of {field_type.dtype}" if is_array else str(field_type)


def with_layouts(record_type_of: Callable) -> Callable:
    """Let Numba's function that returns the type of a record dtype tell records of compositions from others."""

    def type_of(dtype: np.dtype) -> types.Record:
        record = record_type_of(dtype)
        role = (dtype.names or ("",))[0].partition(ROLE_MARK)[0]
        return LayoutRecord(record) if role in ROLES else record

    return type_of


numpy_support.from_struct_dtype = with_layouts(numpy_support.from_struct_dtype)


def numbers_of(argument_types: Iterable[types.Type]) -> dict[str, int]:
    """Return the numbers of all records among a kernel's argument types, by name."""
    numbers: dict[str, int] = {}
    for argument_type in argument_types:
        if isinstance(argument_type, BaseTuple):
            numbers |= numbers_of(argument_type)
        else:
            record = getattr(argument_type, "dtype", argument_type)
            numbers |= record.numbers() if isinstance(record, LayoutRecord) else {}
    return numbers


@contextmanager
def layout_of(signature: Iterable[types.Type], numbers: Mapping[str, int], by_name: bool) -> Iterator[None]:
    """Fill in the layout of the records of a kernel, and other numbers of its rules, inside the `with` block.

    `by_name` tells whether code that is compiled inside the block refers to them by name.
    """
    named = {PREFIX + name: value for name, value in numbers.items()}
    LAYOUTS.append(Layout(numbers_of(signature) | named, by_name, {}))
    try:
        yield
    finally:
        LAYOUTS.pop()


def fill_in(program: llvm.ModuleRef) -> None:
    """Define all names of layouts that a program uses."""
    names = [variable.name for variable in program.global_variables if variable.name.startswith(PREFIX)]
    if names:
        definitions = "\n".join(f'@"{name}" = constant i64 {LAYOUTS[-1].numbers[name]}' for name in names)
        program.link_in(llvm.parse_assembly(definitions))
        for name in names:
            program.get_global_variable(name).linkage = "internal"


def _number(builder: ir.IRBuilder, symbol: str, value: int) -> ir.Value:
    """Return a number: by name if the linker fills it in."""
    if not LAYOUTS[-1].by_name:
        return WORD(value)
    variable = builder.module.globals.get(symbol)
    if variable is None:
        variable = ir.GlobalVariable(builder.module, WORD, symbol)
        variable.global_constant = True
    return builder.load(variable)


def _place(context: Any, builder: ir.IRBuilder, record_type: Any, record: ir.Value, name: str, kind: Any) -> ir.Value:
    """Return a pointer to a field."""
    offset = _number(builder, record_type.name_of(name, "offset"), record_type.offset(name))
    place = builder.gep(builder.bitcast(record, BYTES), [offset], inbounds=True)
    return builder.bitcast(place, context.get_data_type(kind).as_pointer())


@lower_getattr_generic(LayoutRecord)
def get_field(context, builder, record_type, record, name):
    """Return a field: a number, or an array that shares the record's memory."""
    kind = record_type.typeof(name)
    if not isinstance(kind, types.NestedArray):
        return context.unpack_value(builder, kind, _place(context, builder, record_type, record, name, kind))
    lengths = [_number(builder, record_type.name_of(name, axis), length) for axis, length in enumerate(kind.shape)]
    item_size = kind.strides[-1]
    strides = [WORD(item_size)]
    for length in lengths[:0:-1]:
        strides.insert(0, builder.mul(strides[0], length, flags=("nuw", "nsw")))
    array = make_array(kind)(context, builder)
    populate_array(
        array,
        data=_place(context, builder, record_type, record, name, kind.dtype),
        shape=pack_array(builder, lengths),
        strides=pack_array(builder, strides),
        itemsize=WORD(item_size),
        meminfo=None,
        parent=None,
    )
    return array._getvalue()


@lower_setattr_generic(LayoutRecord)
def set_field(context, builder, signature, arguments, name):
    """Assign a field that holds one number."""
    record_type, given = signature.args
    kind = record_type.typeof(name)
    if isinstance(kind, types.NestedArray):
        raise TypeError(f"{name} has several entries: assign to one of them, or to all by {name}[:] = ...")
    place = _place(context, builder, record_type, arguments[0], name, kind)
    context.pack_value(builder, kind, context.cast(builder, arguments[1], given, kind), place)


@cache
def number_named(name: str, value: int) -> Callable:
    """Return an intrinsic that returns the number with this name."""

    @intrinsic
    def named(typing_context):
        def generate(context, builder, signature, arguments):
            return _number(builder, PREFIX + name, value)

        return types.int64(), generate

    return named


@register_pass(mutates_CFG=False, analysis_only=False)
class NameNumbers(FunctionPass):
    """Replaces each use of a `NamedNumber` by a call, so that no other pass takes it for a constant."""

    _name = "name_numbers"

    def __init__(self):
        FunctionPass.__init__(self)

    def run_pass(self, state: Any) -> bool:
        """Return whether the function uses any."""
        changed = False
        for block in state.func_ir.blocks.values():
            body = []
            for statement in block.body:
                given = statement.value if isinstance(statement, ir_of_numba.Assign) else None
                number = given.value if isinstance(given, ir_of_numba.Global | ir_of_numba.FreeVar) else None
                if isinstance(number, NamedNumber):
                    called = ir_of_numba.Var(block.scope, mk_unique_var("$named"), statement.loc)
                    intrinsic_value = ir_of_numba.Global("named", number.intrinsic, statement.loc)
                    body.append(ir_of_numba.Assign(intrinsic_value, called, statement.loc))
                    call = ir_of_numba.Expr.call(called, (), (), statement.loc)
                    statement = ir_of_numba.Assign(call, statement.target, statement.loc)
                    changed = True
                body.append(statement)
            block.body = body
        if changed:
            state.func_ir._definitions = build_definitions(state.func_ir.blocks)
        return changed
