"""Machine code is made only of kernels that Python calls.

Numba by itself turns every kernel into machine code, together with copies of all kernels that it calls, and gives each a way in from
Python. Kernels that only other kernels call need neither, because their callers contain copies of them.
"""

import contextlib
from collections.abc import Callable, Iterator
from typing import Any

from numba.core import sigutils
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler_lock import global_compiler_lock
from numba.core.environment import lookup_environment
from numba.core.registry import cpu_target

INNER = [False]  # whether each kernel that is being compiled is for another kernel, not for Python; the innermost comes last


class Library(JITCodeLibrary):  # type: ignore[misc]
    """The code of a kernel, which becomes machine code when the address of one of its functions is asked for."""

    made = False  # whether there is machine code

    @property
    def codegen(self) -> Any:
        """The object that numba gives a kernel's environment to: this library itself as long as there is no machine code to use it."""
        return self._codegen if self.made else self

    def set_env(self, name: str, environment: Any) -> None:
        """Ignore the environment of a kernel without machine code."""

    def get_pointer_to_function(self, name: str) -> Any:
        """Return the address of a function, or 0 if there is none of this name; kernels for kernels have no function for Python."""
        if not self.made and any(f.name == name and not f.is_declaration for f in self._final_module.functions):
            self.made = True
            if self._finalized:
                self._finalize_final_module()
        return super().get_pointer_to_function(name)

    def serialize_using_object_code(self) -> Any:
        """Return the code in the form in which files keep it."""
        return super().serialize_using_object_code() if self.made else self.serialize_using_bitcode()

    def _finalize_final_module(self) -> None:
        """Make the machine code, if somebody wants it or a file holds it."""
        self.made = self.made or bool(getattr(self, "_compiled_object", None))
        if self.made:
            super()._finalize_final_module()
            for variable in self._final_module.global_variables:
                environment = lookup_environment(variable.name)
                if environment is not None:
                    self._codegen.set_env(variable.name, environment)
        else:
            self._finalize_dynamic_globals()
            self._finalized = True


@contextlib.contextmanager
def compiling(inner: bool) -> Iterator[None]:
    """Compile kernels into a Library each, for another kernel or for Python."""
    with global_compiler_lock:
        codegen = cpu_target.target_context.codegen()
        before, codegen._library_class = codegen._library_class, Library
        INNER.append(inner)
        try:
            yield
        finally:
            INNER.pop()
            codegen._library_class = before


def only_for_python(kernel: Any) -> None:
    """Let a kernel become machine code only if Python calls it."""
    compile_, for_kernel, for_python, add = kernel.compile, kernel.get_call_template, kernel._compile_for_args, kernel.add_overload

    def compiled(signature: Any) -> Any:
        """Compile the kernel for a signature, or find it compiled; without machine code it is not for Python."""
        with global_compiler_lock:
            kinds, _ = sigutils.normalize_signature(signature)
            found = kernel.overloads.get(tuple(kinds))
            if found is not None and not INNER[-1] and not found.library.made:
                del kernel.overloads[tuple(kinds)]
            return compile_(signature)

    def added(found: Any) -> None:
        """Add a compiled version to those that kernels call, and to those that Python calls if there is machine code."""
        if found.library.made:
            add(found)
        else:
            kernel.overloads[tuple(found.signature.args)] = found

    def customized(flags: Any) -> Any:
        """Leave out the function for Python where another kernel calls."""
        flags.no_cpython_wrapper = INNER[-1]
        return flags

    kernel.compile, kernel.add_overload, kernel._compiler._customize_flags = compiled, added, customized
    kernel.get_call_template, kernel._compile_for_args = within(True, for_kernel), within(False, for_python)


def within(inner: bool, compile_: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that compiles for kernels or for Python."""

    def compiled(*args: Any, **kws: Any) -> Any:
        with compiling(inner):
            return compile_(*args, **kws)

    return compiled
