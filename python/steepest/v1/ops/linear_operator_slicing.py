"""Parts of a batch of operators: what an operator is made of is kept, and its subscripts go to each of that."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from typing import Any, ClassVar

from ..graph.static_values import constant_value
from .array_ops import shape, size
from .concat_ops import concat
from .creation_ops import ones, ones_like
from .gather_ops import where
from .pad_ops import broadcast_to
from .rearranging_ops import broadcast_dynamic_shape
from .sparse_ops import convert_to_tensor

__all__ = ["SlicedOperator", "_slice_single_param", "batch_slice"]


def _chosen(narrow: Any, there: int, value: Any) -> Any:
    """Return one of two numbers, at once where all is known."""
    known = [constant_value(convert_to_tensor(each)) for each in (narrow, value)]
    if None not in known:
        return there if known[0] else int(known[1])
    return where(narrow, there, value)


def _fitting(slices: Sequence[Any], whole: Any, own: Any) -> list[Any]:
    """Return subscripts of a batch for a parameter whose batch has the size 1 where the whole one has more."""
    found: list[Any] = []
    axis = 0
    for at, each in enumerate(slices):
        if each is Ellipsis:
            if axis < 0:
                raise ValueError(f"Found multiple `...` in slices {slices}")
            axis = -sum(other is not None for other in slices[at + 1 :])
        elif each is not None:
            narrow = whole[axis] > own[axis]
            if isinstance(each, slice):
                bounds = zip((0, 1, 1), (each.start, each.stop, each.step), strict=True)
                each = slice(*(None if value is None else _chosen(narrow, there, value) for there, value in bounds))
            else:
                each = _chosen(narrow, 0, each)
            axis += 1
        found.append(each)
    return found


def _in_full_rank(param: Any, ndims: int, batch: Any) -> Any:
    """Return a parameter whose batch has as many axes as ``batch``, which is a shape of ones."""
    if isinstance(param, SlicedOperator):
        return param.with_parts(lambda part, its: _in_full_rank(part, its, batch))
    count = constant_value(size(batch))
    if count is not None and param.shape.ndims is not None:
        missing = max(int(count) + ndims - param.shape.ndims, 0)
        return param[(None,) * missing] if missing else param
    base = concat([batch, ones([ndims], dtype="int32")], 0)
    return broadcast_to(param, broadcast_dynamic_shape(base, shape(param)))


def _slice_single_param(param: Any, param_ndims_to_matrix_ndims: int, slices: Sequence[Any], batch_shape: Any) -> Any:
    """Return a part of what an operator is made of: a tensor, or an operator.

    Args:
        param: The tensor or operator.
        param_ndims_to_matrix_ndims: How many of its last axes are no batch of the whole operator.
        slices: Subscripts of the whole operator's batch.
        batch_shape: The shape of that batch, to which the parameter's own may have to be broadcast.
    """
    ndims = param_ndims_to_matrix_ndims
    batch_shape = convert_to_tensor(batch_shape)
    param = _in_full_rank(param, ndims, ones_like(batch_shape))
    own = param.batch_shape_tensor() if isinstance(param, SlicedOperator) else shape(param)
    rank = constant_value(size(own))
    own = own[: (size(own) if rank is None else int(rank)) - ndims]
    if constant_value(size(batch_shape)) != 0 and constant_value(size(own)) == 0:
        return param
    parts = _fitting(slices, batch_shape, own)
    if ndims:
        if not any(each is Ellipsis for each in slices):
            parts.append(Ellipsis)
        parts += [slice(None)] * ndims
    return param[tuple(parts)]


def _part(value: Any) -> Any:
    return value if isinstance(value, SlicedOperator) else convert_to_tensor(value)


def _changed(value: Any, ndims: int, change: Any) -> Any:
    """Return what ``change`` makes of a tensor or an operator, or of each operator in a row of them."""
    if isinstance(value, (list, tuple)) and any(isinstance(each, SlicedOperator) for each in value):
        return [change(each, ndims) for each in value]
    return change(_part(value), ndims)


class SlicedOperator:
    """An operator that knows its own arguments, and so makes another one of parts of them."""

    __signature__: ClassVar[inspect.Signature]  # that of `__init__`: some versions of Python show that of `__new__`
    _parts: ClassVar[dict[str, Any]] = {}
    """The arguments with a batch, and how many of their last axes are none of it."""

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        takes = inspect.signature(cls.__init__)
        cls.__signature__ = takes.replace(parameters=list(takes.parameters.values())[1:])

    def __new__(cls, *args: Any, **kwargs: Any) -> Any:
        """Keep the arguments."""
        made = super().__new__(cls)
        vars(made)["_arguments"] = args, kwargs
        return made

    @property
    def parameters(self) -> dict[str, Any]:
        """The arguments of which the operator was made."""
        args, kwargs = vars(self)["_arguments"]
        bound = inspect.signature(type(self)).bind(*args, **kwargs)
        bound.apply_defaults()
        return dict(bound.arguments)

    def _are_many(self, name: str) -> bool:
        """Tell whether an argument is a list of tensors or operators."""
        return name == "operators"

    def batch_shape_tensor(self, name: str = "batch_shape_tensor") -> Any:
        """Return the shape of the batch of matrices as a tensor."""
        raise NotImplementedError

    def with_parts(self, change: Any, **overrides: Any) -> Any:
        """Return an operator of the same class, of ``change(argument, axes)`` for each argument with a batch."""
        given = self.parameters
        for name, ndims in self._parts.items():
            part = given[name]
            if part is None:
                continue
            if self._are_many(name):
                given[name] = [_changed(one, ndims, change) for one in part]
            else:
                given[name] = change(_part(part), ndims)
        return type(self)(**given | overrides)

    def __getitem__(self, slices: Any) -> Any:
        """Return the operators of a part of the batch."""
        return batch_slice(self, {}, slices)


def of_other_batch(linop: Any, slices: Any) -> Any:
    """Return the operators of a part of the batch, for a class whose batch is an argument."""
    part = ones(linop.batch_shape_tensor())[tuple(slices) if isinstance(slices, Sequence) else slices]
    batch = part.shape.as_list() if part.shape.is_fully_defined() else shape(part)
    return type(linop)(**linop.parameters | {"batch_shape": batch})


def batch_slice(linop: Any, params_overrides: dict[str, Any], slices: Any) -> Any:
    """Return the operators of a part of the batch, with other arguments where ``params_overrides`` has some."""
    slices = slices if isinstance(slices, Sequence) else (slices,)
    if len(slices) == 1 and slices[0] is Ellipsis:
        return type(linop)(**linop.parameters | params_overrides)
    batch = linop.batch_shape_tensor()
    return linop.with_parts(lambda part, ndims: _slice_single_param(part, ndims, slices, batch), **params_overrides)
