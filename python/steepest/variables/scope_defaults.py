"""The defaults of a variable scope that may be set after it was opened."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

__all__ = ["ScopeDefaults"]


class ScopeDefaults:
    """What `get_variable` takes from a scope where its arguments do not say it; None of what nobody set.

    The resource, the device, the partitioner and the getter are those of `steepest.v1`'s ``get_variable``.
    """

    initializer: Any = None
    regularizer: Callable[..., Any] | None = None
    dtype: Any = None
    use_resource: Any = None
    caching_device: Any = None
    partitioner: Any = None
    custom_getter: Callable[..., Any] | None = None

    def set_initializer(self, initializer: Any) -> None:
        """Set the initializer that ``get_variable`` uses by default."""
        self.initializer = initializer

    def set_regularizer(self, regularizer: Callable[..., Any] | None) -> None:
        """Set the regularizer that ``get_variable`` uses by default."""
        self.regularizer = regularizer

    def set_dtype(self, dtype: Any) -> None:
        """Set the type that ``get_variable`` uses by default."""
        self.dtype = dtype

    def set_use_resource(self, use_resource: bool) -> None:
        """Set whether variables of graphs are resources by default."""
        self.use_resource = use_resource

    def set_caching_device(self, caching_device: Any) -> None:
        """Set the device on which values of graphs' variables are read by default."""
        self.caching_device = caching_device

    def set_partitioner(self, partitioner: Any) -> None:
        """Set the function that says into which parts variables are cut by default."""
        self.partitioner = partitioner

    def set_custom_getter(self, custom_getter: Callable[..., Any] | None) -> None:
        """Set the function that takes part in ``get_variable`` by default."""
        self.custom_getter = custom_getter
