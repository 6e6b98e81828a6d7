"""numba's compiler, cut short for kernels that only kernels call (see linking.py)."""

from __future__ import annotations

from typing import Any

from numba import _dynfunc
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler
from numba.core.compiler_machinery import LoweringPass, register_pass
from numba.core.typed_passes import NativeLowering


class LinkedKernelCompiler(Compiler):
    """A ``pipeline_class`` for :func:`numba.njit`: what it compiles can be called from compiled code alone."""

    def define_pipelines(self) -> list[Any]:
        """numba's passes, up to where it would make machine code."""
        state = self.state
        state.flags.no_compile = True
        state.library = _LinkedLibrary(state.targetctx.codegen(), state.func_id.func_qualname)
        pipelines: list[Any] = super().define_pipelines()
        for passes in pipelines:
            passes.add_pass_after(_OfferToCallers, NativeLowering)
            passes.finalize()
        return pipelines


class _LinkedLibrary(JITCodeLibrary):
    """The code of a kernel, with that of all kernels it calls, as it is before any optimisation."""

    def _optimize_final_module(self) -> None:
        pass

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        return 0


@register_pass(mutates_CFG=False, analysis_only=False)
class _OfferToCallers(LoweringPass):
    """Tell numba how a caller finds the kernel, which it tells itself only once there is machine code."""

    _name = "offer_to_callers"

    def __init__(self) -> None:
        LoweringPass.__init__(self)

    def run_pass(self, state: Any) -> bool:
        described = state.cr.fndesc
        # what numba knows the kernel by; nobody can call it
        function = _dynfunc.make_function(
            described.lookup_module(), described.qualname, described.qualname, 0, state.cr.env, (state.library,)
        )
        state.targetctx.insert_user_function(function, described, [state.library])
        state.cr = state.cr._replace(cfunc=function)
        return True
