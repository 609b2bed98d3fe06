"""``ResourceVariable``: the variables of which a program asked, or a default says, that they be resources."""

from __future__ import annotations

from typing import Any

from ..graph.graph import get_default_graph
from .handles import variable_of
from .variable_creators import CreatedThroughCreators
from .variable_defs import another_of
from .variables import Variable

__all__ = ["BaseResourceVariable", "ResourceVariable"]


class _Resources(CreatedThroughCreators):
    """The type of `ResourceVariable`: a call of it is one of `Variable`, and `isinstance` asks the variable."""

    _ORDER = (
        *("initial_value", "trainable", "collections", "validate_shape", "caching_device", "name", "dtype"),
        *("variable_def", "import_scope", "constraint", "distribute_strategy", "synchronization", "aggregation"),
        "shape",
    )

    def __call__(cls, *args: Any, **kwargs: Any) -> Any:
        """Return a new variable; for a class of a program's, derived from `ResourceVariable`, an object of that.

        As in TensorFlow, the program's ``variable_creator_scope`` has no part in it, nor the check of `tf.function`
        that variables are made at the first call.
        """
        given = {**dict(zip(cls._ORDER, args, strict=False)), **kwargs}
        given.pop("distribute_strategy", None)
        handle = given.pop("handle", None)
        if handle is not None:
            return another_of(variable_of(handle), given.get("trainable"))
        if cls is not ResourceVariable:
            return super().__call__(**given, use_resource=True)
        if given.get("variable_def") is not None:
            return Variable(**given)
        creators = get_default_graph()._context.resource_creators
        return Variable._made_through(creators, (), {**given, "use_resource": True})

    def __instancecheck__(cls, instance: Any) -> bool:
        """Tell whether a variable was made as a resource; every variable of eager mode was."""
        if cls is not ResourceVariable:
            return type.__instancecheck__(cls, instance)
        return isinstance(instance, Variable) and bool(getattr(instance, "_is_resource", False))


class ResourceVariable(Variable, metaclass=_Resources):
    """A variable made with ``use_resource=True``; in eager mode any. All variables here are read as resources are.

    With ``handle`` it is the variable whose handle that is.

    Source: ``resource_variable_ops.ResourceVariable``.
    """


class _Written(_Resources):
    def __instancecheck__(cls, instance: Any) -> bool:
        return isinstance(instance, ResourceVariable) or "_assign_next" in getattr(instance, "__dict__", ())


class BaseResourceVariable(ResourceVariable, metaclass=_Written):
    """What has the methods of a resource: one, and what its changes return."""
