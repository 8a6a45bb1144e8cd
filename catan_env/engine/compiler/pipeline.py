"""Numba's pipeline for rules: only the passes that rules have a use for, and nothing around them.

A version of Numba that adds passes has them here as well. This builds on private parts of Numba: see `patches.py`.
"""

from __future__ import annotations

from typing import Any

from numba.core import typed_passes, untyped_passes
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import PassManager
from numba.core.transforms import canonicalize_cfg

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
"""Passes for what rules have none of: closures, comprehensions, `with`, exceptions, functions inlined before LLVM sees
them, arithmetic with whole arrays, variables whose references are counted; and the one that keeps the source with its
types for people to look at."""


class RulePasses(PassManager):
    """Passes one after the other, without the checks, timers and reports that Numba has around each."""

    def _runPass(self, index: int, step: Any, state: Any) -> None:
        step.analysis = self._analysis
        if step.run_pass(state):
            state.func_ir.blocks = canonicalize_cfg(state.func_ir.blocks)


class RuleCompiler(CompilerBase):
    """Numba's pipeline for compiled code without the `NEEDLESS` passes, each of which looks at every function."""

    def define_pipelines(self):
        """The one pipeline: rules that cannot be compiled are an error."""
        pipeline = RulePasses("rules")
        default_passes = DefaultPassBuilder.define_nopython_pipeline(self.state).passes
        pipeline.passes = [step for step in default_passes if step[0] not in NEEDLESS]
        pipeline.finalize()
        return [pipeline]
