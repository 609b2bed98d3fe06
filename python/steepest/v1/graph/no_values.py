"""What Python asks of a value, and a node, which has none before a session runs, refuses."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NoReturn

__all__ = ["NoValue", "OperatorNotAllowedInGraphError"]

_OF_ARRAYS = ("T", "astype", "ravel", "transpose", "reshape", "clip", "size", "tolist", "data")


class OperatorNotAllowedInGraphError(TypeError):
    """A node was used where Python needs a value."""


class NoValue:
    """The refusals of a node, in words that say what to use instead."""

    __slots__ = ()

    if TYPE_CHECKING:

        @property
        def name(self) -> str: ...

    def __bool__(self) -> NoReturn:
        raise _refusal("using a", "`tf.Tensor` as a Python `bool`", self.name, "Use tf.cond or tf.where.")

    __nonzero__ = __bool__

    def __iter__(self) -> NoReturn:
        raise _refusal("iterating over", "`tf.Tensor`", self.name, "It is not iterable: use tf.unstack.")

    def __len__(self) -> NoReturn:
        remedy = "Please call `x.shape` rather than `len(x)` for shape information."
        raise TypeError(f"len is not well defined for a symbolic Tensor ({self.name}). {remedy}")

    def __float__(self) -> NoReturn:
        raise TypeError(f"{self.name} has a value only when a session runs: no number can be made of it")

    __int__ = __float__

    def __array__(self, *args: Any, **kwargs: Any) -> NoReturn:
        why = "It has a value only when a session runs: fetch it with sess.run."
        raise NotImplementedError(f"Cannot convert a symbolic tf.Tensor ({self.name}) to a numpy array. {why}")


def _refusal(verb: str, what: str, name: str, remedy: str) -> OperatorNotAllowedInGraphError:
    # The words of TensorFlow 1 and of TensorFlow 2, old and new, are in it: programs and tests search for each.
    begun = verb[0].upper() + verb[1:]
    symbolic = f"{begun.removesuffix(' a')} a symbolic {what} is not allowed."
    return OperatorNotAllowedInGraphError(
        f"{verb} {what} is not allowed in Graph execution: {name} has a value only when a session runs. {remedy} "
        f"{begun} {what} is not allowed in Graph mode where AutoGraph did not convert the function: "
        f"AutoGraph is an unsupported feature here, to which source code need not be visible. {symbolic}"
    )


def _array_name(name: str) -> property:
    def refuse(self: NoValue) -> NoReturn:
        raise AttributeError(
            f"{type(self).__name__!r} object has no attribute {name!r}. If you are looking for numpy-related methods: "
            "a node has a value only when a session runs; use functions like tf.reshape, tf.transpose and tf.cast."
        )

    return property(refuse)


for _name in _OF_ARRAYS:
    setattr(NoValue, _name, _array_name(_name))
