"""What a distribution was made with: its name, types, parameters and what they are called."""

from __future__ import annotations

from typing import Any

from ..graph.dtypes import DType, as_dtype
from ..graph.scopes import name_scope
from ..graph.shapes import TensorShape
from ..ops.sparse_ops import convert_to_tensor

__all__ = ["DescribedDistribution"]

_OTHERS = ("self", "__class__", "mu", "sigma")


class DescribedDistribution:
    """The part of ``tf.distributions.Distribution`` that needs no tensor."""

    _shaped: tuple[str, ...] = ()  # the parameters that have the shape of samples

    # set by subclasses to batch and event shapes
    batch_shape: Any
    event_shape: Any

    def __init__(
        self,
        dtype: Any,
        reparameterization_type: Any,
        validate_args: bool,
        allow_nan_stats: bool,
        parameters: dict[str, Any] | None = None,
        graph_parents: Any = None,
        name: str | None = None,
    ) -> None:
        del graph_parents
        if not name or not name.endswith("/"):  # the scope of the subclass' __init__ is entered again
            with name_scope(name or type(self).__name__) as name:
                pass
        self._dtype: Any = dtype if dtype is None else as_dtype(dtype)
        self._reparameterization_type = reparameterization_type
        self._validate_args = validate_args
        self._allow_nan_stats = allow_nan_stats
        self._made_with(parameters or {})
        self._name = f"{(name or type(self).__name__).rstrip('/')}/"

    def _made_with(self, parameters: dict[str, Any]) -> None:
        self._parameters = {key: value for key, value in parameters.items() if key not in _OTHERS}

    @property
    def name(self) -> str:
        """The scope in which nodes are made."""
        return self._name

    @property
    def dtype(self) -> DType:
        """The type of samples."""
        dtype: DType = self._dtype
        return dtype

    @property
    def parameters(self) -> dict[str, Any]:
        """What the distribution was made with."""
        return dict(self._parameters)

    @property
    def reparameterization_type(self) -> Any:
        """Whether gradients flow from samples to the parameters."""
        return self._reparameterization_type

    @property
    def allow_nan_stats(self) -> bool:
        """Whether statistics may be NaN where they are not defined."""
        return self._allow_nan_stats

    @property
    def validate_args(self) -> bool:
        """Whether parameters and values are checked when a session runs."""
        return self._validate_args

    def copy(self, **override_parameters_kwargs: Any) -> Any:
        """Return a distribution of the same class, some of whose parameters are others."""
        return type(self)(**{**self._parameters, **override_parameters_kwargs})

    @classmethod
    def param_static_shapes(cls, sample_shape: Any) -> dict[str, TensorShape]:
        """Return the shape of each parameter for samples of a shape. Raises ValueError where that is not known."""
        known = TensorShape(sample_shape)
        if not known.is_fully_defined():
            raise ValueError(f"{cls.__name__}.param_static_shapes: sample_shape must be fully defined, got {known}")
        return dict.fromkeys(cls._param_names(), known)

    @classmethod
    def param_shapes(cls, sample_shape: Any, name: str = "DistributionParamShapes") -> dict[str, Any]:
        """Return the shape of each parameter as a tensor, for samples of a shape."""
        with name_scope(name):
            sizes = sample_shape.as_list() if isinstance(sample_shape, TensorShape) else sample_shape
            return {key: convert_to_tensor(sizes, "int32") for key in cls._param_names()}

    @classmethod
    def _param_names(cls) -> tuple[str, ...]:
        if not cls._shaped:
            raise NotImplementedError(f"_param_shapes not implemented: param_shapes of {cls.__name__}")
        return cls._shaped

    def _shown(self, separator: str) -> str:
        dtype = None if self._dtype is None else self._dtype.name
        return f"batch_shape={self.batch_shape}{separator} event_shape={self.event_shape}{separator} dtype={dtype}"

    def __str__(self) -> str:
        return f'tfp.distributions.{type(self).__name__}("{self._name}", {self._shown(",")})'

    def __repr__(self) -> str:
        return f"<tfp.distributions.{type(self).__name__} {self._name!r} {self._shown('')}>"
