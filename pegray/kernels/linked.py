"""numba's compiler, made to fit kernels (see linking.py)."""

from __future__ import annotations

from typing import Any

from llvmlite.binding import Linkage
from numba import _dynfunc, types
from numba.core import ir, typing
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler
from numba.core.compiler_machinery import AnalysisPass, LoweringPass, register_pass
from numba.core.typed_passes import AnnotateTypes, NativeLowering

_OWN = ".own"


class _EntryLibrary(JITCodeLibrary):
    """The code of a kernel that Python calls, which nothing else is linked to.

    All kernels that it calls are its own, so that they need not be callable as numba compiled them: LLVM may leave out
    arguments and results that are always the same, and paste in what is called from one place. For that they get names
    of their own too: where code of numba's is loaded later that has the same function, its loader takes one of that
    name which is there already, though it is internal (LLVM's RuntimeDyld), and it may be called in another way.
    """

    def __init__(self, codegen: Any, name: str) -> None:
        super().__init__(codegen, name)
        self.enable_object_caching()

    def _optimize_final_module(self) -> None:
        for function in self._final_module.functions:
            is_numbas = function.name.startswith("NRT_")  # counts references
            if function.linkage == Linkage.linkonce_odr and not function.is_declaration and not is_numbas:
                function.linkage = Linkage.internal
                function.name += _OWN
        super()._optimize_final_module()


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
class _IndicesAsTheyAre(AnalysisPass):
    """Let an index into an array be one without a sign, for which numba does not ask whether it counts from the end.

    That costs a tenth of all time. No kernel has a negative index; with ``NUMBA_BOUNDSCHECK=1`` one is an error.
    """

    _name = "indices_as_they_are"

    def __init__(self) -> None:
        AnalysisPass.__init__(self)

    def run_pass(self, state: Any) -> bool:
        for block in state.func_ir.blocks.values():
            for access in (*block.find_exprs(op="getitem"), *block.find_insts(ir.SetItem)):
                signature = state.calltypes.pop(access)
                array, index, *value = signature.args
                if isinstance(array, types.Buffer):
                    signature = typing.signature(signature.return_type, array, _without_sign(index), *value)
                state.calltypes[access] = signature
        return True


def _without_sign(index: Any) -> Any:
    """The type of an index, or of several, whose integers have no sign."""
    if isinstance(index, types.Integer):
        return types.uintp
    if isinstance(index, types.BaseTuple):
        return types.Tuple([_without_sign(part) for part in index])
    return index


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


class _KernelCompiler(Compiler):
    """numba's passes, with indices as they are; the code goes to a library of the kind ``_library``."""

    _library: type[JITCodeLibrary]

    def define_pipelines(self) -> list[Any]:
        self.state.library = self._library(self.state.targetctx.codegen(), self.state.func_id.func_qualname)
        pipelines: list[Any] = super().define_pipelines()
        _add_pass(pipelines, _IndicesAsTheyAre, after=AnnotateTypes)
        return pipelines


class EntryKernelCompiler(_KernelCompiler):
    """A ``pipeline_class`` for :func:`numba.njit`: for a kernel that Python calls, and no other kernel."""

    _library = _EntryLibrary


class LinkedKernelCompiler(_KernelCompiler):
    """A ``pipeline_class`` for :func:`numba.njit`: what it compiles can be called from compiled code alone."""

    _library = _LinkedLibrary

    def define_pipelines(self) -> list[Any]:
        """The passes up to where numba would make machine code."""
        self.state.flags.no_compile = True
        pipelines = super().define_pipelines()
        _add_pass(pipelines, _OfferToCallers, after=NativeLowering)
        return pipelines


def _add_pass(pipelines: list[Any], added: type, after: type) -> None:
    for passes in pipelines:
        passes.add_pass_after(added, after)
        passes.finalize()
