"""``Variable`` of TensorFlow's internal modules, TensorFlow 2's: all that a call makes are resources."""

from __future__ import annotations

from typing import Any

from ...variables.variable import Variable as EagerVariable
from .variable_creators import CreatedThroughCreators
from .variables import Variable as VariableV1

__all__ = ["RefVariable", "Variable", "VariableV1"]


class _OfReferences(CreatedThroughCreators):
    """The type of `RefVariable`, of which all variables are that are no resources."""

    def __call__(cls, *args: Any, **kwargs: Any) -> Any:
        """Return a new variable; for a class of a program's that is derived from `RefVariable`, an object of that."""
        if cls is not RefVariable:
            return super().__call__(*args, **kwargs)
        return VariableV1(*args, **{**kwargs, "use_resource": False})

    def __instancecheck__(cls, instance: Any) -> bool:
        if cls is not RefVariable:
            return type.__instancecheck__(cls, instance)
        return isinstance(instance, VariableV1) and not getattr(instance, "_is_resource", True)


class RefVariable(VariableV1, metaclass=_OfReferences):
    """A variable made with ``use_resource=False``.

    Source: ``RefVariable`` of ``tensorflow/python/ops/ref_variable.py``.
    """


class _Second(CreatedThroughCreators):
    """The type of that `Variable`, of which all variables are."""

    _ORDER = (
        *("initial_value", "trainable", "validate_shape", "caching_device", "name", "variable_def", "dtype"),
        *("import_scope", "constraint", "synchronization", "aggregation", "shape"),
        "experimental_enable_variable_lifting",
    )

    def __call__(cls, *args: Any, **kwargs: Any) -> Any:
        """Return a new variable; for a class of a program's that is derived from `Variable`, an object of that."""
        if cls is not Variable:
            return super().__call__(*args, **kwargs)
        if unknown := kwargs.keys() - set(cls._ORDER):
            raise TypeError(f"Variable.__init__() got an unexpected keyword argument {min(unknown)!r}")
        given = dict(zip(cls._ORDER, args, strict=False))
        given |= kwargs
        given.pop("experimental_enable_variable_lifting", None)  # functions do as they do
        return VariableV1(**given, use_resource=True)

    def __instancecheck__(cls, instance: Any) -> bool:
        return isinstance(instance, VariableV1) if cls is Variable else type.__instancecheck__(cls, instance)

    def __subclasscheck__(cls, subclass: type) -> bool:
        if cls is not Variable:
            return type.__subclasscheck__(cls, subclass)
        return VariableV1 in subclass.__mro__ or EagerVariable in subclass.__mro__


class Variable(VariableV1, metaclass=_Second):
    """A variable made with ``use_resource=True``. It takes no ``collections``, ``expected_shape`` or ``use_resource``.

    Source: ``tensorflow.python.ops.variables.Variable``, and ``tf.compat.v2.Variable``.
    """
