"""How kernels that only kernels call are compiled: as far as it takes to link them into the ones that Python calls.

numba optimises every function that it compiles, with all that this calls linked in, and makes machine code of it. For
a kernel that Python never calls both are in vain: it is optimised again, and made into machine code again, in each
kernel that it is linked into. To leave that out takes more than half off the time to compile all kernels.

It is made of parts of numba that numba does not promise. Where one is missing kernels are compiled as numba would.
"""

from __future__ import annotations

import importlib
import warnings
from typing import Any

import numba

_PARTS = {
    "numba._dynfunc": ("make_function",),
    "numba.core.base": ("BaseContext.insert_user_function",),
    "numba.core.codegen": (
        "JITCodeLibrary._finalize_dynamic_globals",
        "JITCodeLibrary._finalize_final_module",
        "JITCodeLibrary._optimize_final_module",
        "JITCodeLibrary.get_pointer_to_function",
    ),
    "numba.core.compiler": ("Compiler.define_pipelines", "CompileResult._replace", "Flags.no_compile"),
    "numba.core.compiler_machinery": ("LoweringPass", "PassManager.add_pass_after", "register_pass"),
    "numba.core.typed_passes": ("NativeLowering.run_pass",),
}


def options_to_link() -> dict[str, Any]:
    """Options of :func:`numba.njit` for a kernel that is linked in: none, with a warning, where a part is missing."""
    missing = [f"{module}.{part}" for module, parts in _PARTS.items() for part in parts if not _has(module, part)]
    if missing:
        warnings.warn(
            f"numba {numba.__version__} is not one that pegray knows ({missing[0]} is missing): "
            "its kernels take twice as long to compile",
            stacklevel=2,
        )
        return {}
    from pegray.kernels.linked import LinkedKernelCompiler

    return {"no_cpython_wrapper": True, "no_cfunc_wrapper": True, "pipeline_class": LinkedKernelCompiler}


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
