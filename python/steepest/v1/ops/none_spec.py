"""``tf.NoneTensorSpec``: the spec of no value."""

from __future__ import annotations

from typing import Any

from .type_spec import BatchableTypeSpec, register_type_spec_from_value_converter
from .type_specs import CompositeTensor

__all__ = ["NoneTensor", "NoneTensorSpec"]


class NoneTensor(CompositeTensor):
    """What stands for no value among composite ones."""

    @property
    def _type_spec(self) -> NoneTensorSpec:
        return NoneTensorSpec()


class NoneTensorSpec(BatchableTypeSpec):
    """The spec of None: it has no tensors. Source: ``tf.NoneTensorSpec``."""

    value_type = NoneTensor

    def _serialize(self) -> tuple[Any, ...]:
        return ()

    @property
    def _component_specs(self) -> Any:
        return []

    def _to_components(self, value: Any) -> Any:
        return []

    def _from_components(self, components: Any) -> None:
        return None

    def _batch(self, batch_size: int | None) -> NoneTensorSpec:
        return self

    def _unbatch(self) -> NoneTensorSpec:
        return self

    def is_compatible_with(self, spec_or_value: Any) -> bool:
        """Tell whether a value is None, or another spec is this one."""
        return spec_or_value is None or isinstance(spec_or_value, NoneTensorSpec)


register_type_spec_from_value_converter(type(None), lambda _: NoneTensorSpec())
