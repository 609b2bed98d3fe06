"""What programs ask of a graph's variable by name: its message, the slice that it is, its place among resources."""

from __future__ import annotations

from typing import Any

from ..ops.type_spec import type_spec_from_value, with_shape
from .variable_defs import VariableDef, variable_def, variable_of
from .variable_slices import SaveSliceInfo, set_slice, slice_of

__all__ = ["NamedParts"]


class NamedParts:
    """The variable itself has its tensor, and its operation the name."""

    __slots__ = ()

    @property
    def name(self) -> str:
        """The name, with ``:0``; with a caching device too, where the copy that is read has another one."""
        name: str = self.op.outputs[0].name  # type: ignore[attr-defined]
        return name

    def to_proto(self, export_scope: str | None = None) -> VariableDef | None:
        """Return the names of the variable's nodes; None for a variable outside of ``export_scope``."""
        return variable_def(self, export_scope)

    from_proto = staticmethod(variable_of)
    SaveSliceInfo = SaveSliceInfo
    _save_slice_info = property(slice_of)
    _get_save_slice_info, _set_save_slice_info = slice_of, set_slice

    _type_spec = property(type_spec_from_value)
    _shape_invariant_to_type_spec = with_shape

    @property
    def _handle_name(self) -> str:
        return f"{self._shared_name}:0"

    @property
    def _unique_id(self) -> str:
        return self._shared_name

    @property
    def _shared_name(self) -> str:
        name: str = self.op.name  # type: ignore[attr-defined]
        return name

    @property
    def _graph_element(self) -> Any:
        return self._tensor()  # type: ignore[attr-defined]
