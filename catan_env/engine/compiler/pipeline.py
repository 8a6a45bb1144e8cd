"""Numba's compiler pipeline, reduced to the passes that rules need.

Passes added by a new Numba version also run here. This module depends on private parts of Numba; see `patches.py`.
"""

from __future__ import annotations

from typing import Any

from numba.core import typed_passes, untyped_passes
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import PassManager
from numba.core.transforms import canonicalize_cfg

from catan_env.engine.compiler.layouts import NameNumbers

NEEDLESS = (
    untyped_passes.WithLifting,
    untyped_passes.InlineClosureLikes,
    untyped_passes.RewriteDynamicRaises,
    untyped_passes.MakeFunctionToJitFunction,
    untyped_passes.InlineInlinables,
    untyped_passes.FindLiterallyCalls,
    untyped_passes.LiteralUnroll,
    untyped_passes.LiteralPropagationSubPipelinePass,
    typed_passes.InlineOverloads,
    typed_passes.NopythonRewrites,
    typed_passes.NoPythonSupportedFeatureValidation,
    typed_passes.IRLegalization,
    typed_passes.AnnotateTypes,
    typed_passes.DumpParforDiagnostics,
)
"""Passes for features that rules do not use: closures, comprehensions, `with`, exceptions, functions inlined before
LLVM, arithmetic on whole arrays, and reference counts. The list also includes the pass that annotates the source with
types."""


class RulePasses(PassManager):
    """A pass manager without Numba's checks, timers and reports around each pass."""

    def _runPass(self, index: int, step: Any, state: Any) -> None:
        step.analysis = self._analysis
        if step.run_pass(state):
            state.func_ir.blocks = canonicalize_cfg(state.func_ir.blocks)


class RuleCompiler(CompilerBase):
    """Numba's nopython pipeline without the `NEEDLESS` passes, each of which would visit every function."""

    def define_pipelines(self):
        """Return a single pipeline, so a rule that does not compile raises an error."""
        pipeline = RulePasses("rules")
        default_passes = DefaultPassBuilder.define_nopython_pipeline(self.state).passes
        needed_passes = [step for step in default_passes if step[0] not in NEEDLESS]
        first = next(k for k, step in enumerate(needed_passes) if step[0] is untyped_passes.IRProcessing) + 1
        naming = (NameNumbers, "numbers by name")
        pipeline.passes = [*needed_passes[:first], naming, *needed_passes[first:]]
        pipeline.finalize()
        return [pipeline]
