"""How kernels are compiled: those that only kernels call just as far as it takes to link them into the others.

numba optimises every function that it compiles, with all that this calls linked in, and makes machine code of it. For
a kernel that Python never calls both are in vain: it is optimised again, and made into machine code again, in each
kernel that it is linked into. To leave that out takes more than half off the time to compile all kernels.

Those that Python calls own what they call, and no index of an array is asked whether it counts from the end: so kernels
take a seventh less time.

It is made of parts of numba that numba does not promise. Where one is missing kernels are compiled as numba would.
"""

from __future__ import annotations

import importlib
import warnings
from typing import Any

import numba

_PARTS = {
    "llvmlite.binding": ("Linkage.internal",),
    "numba._dynfunc": ("make_function",),
    "numba.core.base": ("BaseContext.insert_user_function",),
    "numba.core.codegen": (
        "JITCodeLibrary._finalize_dynamic_globals",
        "JITCodeLibrary._finalize_final_module",
        "JITCodeLibrary._optimize_final_module",
        "JITCodeLibrary.enable_object_caching",
        "JITCodeLibrary.get_pointer_to_function",
    ),
    "numba.core.compiler": ("Compiler.define_pipelines", "CompileResult._replace", "Flags.no_compile"),
    "numba.core.compiler_machinery": ("AnalysisPass", "LoweringPass", "PassManager.add_pass_after", "register_pass"),
    "numba.core.ir": ("Block.find_exprs", "Block.find_insts", "SetItem"),
    "numba.core.typing": ("signature",),
    "numba.core.typed_passes": ("AnnotateTypes.run_pass", "NativeLowering.run_pass"),
}


def options_to_link() -> dict[str, Any]:
    """Options of :func:`numba.njit` for a kernel that is linked in: none, with a warning, where a part is missing."""
    missing = _missing_parts()
    if missing:
        warnings.warn(
            f"numba {numba.__version__} is not one that pegray knows ({missing[0]} is missing): "
            "its kernels take twice as long to compile, and somewhat longer at work",
            stacklevel=2,
        )
        return {}
    from pegray.kernels.linked import LinkedKernelCompiler

    return {"no_cpython_wrapper": True, "no_cfunc_wrapper": True, "pipeline_class": LinkedKernelCompiler}


def options_to_enter() -> dict[str, Any]:
    """Options of :func:`numba.njit` for a kernel that only Python calls: none where a part is missing."""
    if _missing_parts():
        return {}
    from pegray.kernels.linked import EntryKernelCompiler

    return {"pipeline_class": EntryKernelCompiler}


def _missing_parts() -> list[str]:
    return [f"{module}.{part}" for module, parts in _PARTS.items() for part in parts if not _has(module, part)]


def _has(module: str, part: str) -> bool:
    try:
        owner: Any = importlib.import_module(module)
    except ImportError:
        return False
    for name in part.split("."):
        if not hasattr(owner, name):
            return False
        owner = getattr(owner, name)
    return True
