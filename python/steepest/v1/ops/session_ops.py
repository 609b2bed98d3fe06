"""Values that stay in a session from one run to later ones; a handle, whose name is a text, stands for each."""

from __future__ import annotations

from itertools import count
from typing import Any

import numpy as np

from ...ops.dispatch import unwrap
from ..graph.build import call, convert
from ..graph.devices import LOCAL_CPU
from ..graph.dtypes import DType, as_dtype
from ..graph.errors import InvalidArgumentError
from ..graph.mode import executing_eagerly
from ..graph.node import Operation
from .creation_ops import placeholder

__all__ = ["TensorHandle", "delete_session_tensor", "get_session_handle", "get_session_tensor"]

_numbers = count()


class TensorHandle:
    """Stands for a value that a session keeps; the value is forgotten with it, unless its raw name was asked for.

    It can be fed for a tensor of the value's type. Source: ``tensorflow.python.ops.session_ops.TensorHandle``.
    """

    def __init__(self, handle: str, dtype: Any, session: Any) -> None:
        self._handle, self._dtype, self._session = handle, as_dtype(dtype), session
        self._forgets = True

    @property
    def handle(self) -> str:
        """The name of the value in its session."""
        return self._handle

    @property
    def dtype(self) -> DType:
        """The type of the value."""
        return self._dtype

    def eval(self) -> Any:
        """Return the value. Raises TypeError where it has been deleted."""
        if self._handle not in self._session._handles:
            raise TypeError(f"Persistent tensor {self._handle} may have already been deleted.")
        return _kept(self._session, self._handle)

    def delete(self) -> None:
        """Forget the value. Raises InvalidArgumentError where it is forgotten already."""
        self._forgets = False
        _forget(self._session, self._handle)

    def get_raw_handle(self) -> str:
        """Return the name of the value, which the session keeps from now on until it is deleted."""
        self._forgets = False
        return self._handle

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        value = self.eval()
        if dtype is not None and np.dtype(dtype) != value.dtype:
            raise TypeError(f"a handle of {value.dtype} stands for no value of {np.dtype(dtype)}")
        return value.copy() if copy else value

    def __str__(self) -> str:
        return self._handle

    def __del__(self) -> None:
        if self._forgets:
            self._session._handles.pop(self._handle, None)


def get_session_handle(data: Any, name: str | None = None) -> Any:
    """Return the tensor whose value after a run is the `TensorHandle` of what ``data`` was in it.

    Raises RuntimeError in eager mode. Source: ``tf.get_session_handle``.
    """
    _refuse_eagerly()
    tensor = convert(data)
    called: list[str] = []

    def keep(session: Any, value: Any) -> Any:
        handle = f"{called[0]};{next(_numbers)};{LOCAL_CPU}"
        session._handles[handle] = np.array(unwrap(value))
        result = np.empty((), object)
        result[()] = TensorHandle(handle, tensor.dtype, session)
        return result

    made = call(
        "GetSessionHandle",
        keep,
        (tensor,),
        name=name,
        shape=(),
        dtype="string",
        contextual=True,
        differentiable=False,
    )
    called.append(made.op.name)
    return made


def get_session_tensor(handle: Any, dtype: Any, name: str | None = None) -> tuple[Any, Any]:
    """Return a placeholder for the name of a handle, and the value that it stands for; ``handle`` is one of them.

    Raises InvalidArgumentError, in a run, where the session keeps no such value. Source: ``tf.get_session_tensor``.
    """
    _refuse_eagerly()
    del handle  # the place where it lies: there is one
    holder = placeholder("string", ())
    dtype = as_dtype(dtype)

    def kept(session: Any, name_of: Any) -> Any:
        value = _kept(session, _text(name_of))
        if value.dtype != dtype.dtype:
            raise InvalidArgumentError(
                None, None, f"the handle stands for {value.dtype}, but {dtype.name} is asked for"
            )
        return value

    value = call(
        "GetSessionTensor",
        kept,
        (holder,),
        name=name,
        shape=None,
        dtype=dtype,
        contextual=True,
        differentiable=False,
    )
    return holder, value


def delete_session_tensor(handle: Any, name: str | None = None) -> tuple[Any, Operation]:
    """Return a placeholder for the name of a handle, and the operation that forgets its value.

    Raises InvalidArgumentError, in a run, where the session keeps no such value. Source: ``tf.delete_session_tensor``.
    """
    _refuse_eagerly()
    del handle
    holder = placeholder("string", ())
    graph = holder.graph
    full = graph._operation_name(name, "DeleteSessionTensor")

    def forget(session: Any, name_of: Any) -> None:
        _forget(session, _text(name_of))

    return holder, Operation(graph, "DeleteSessionTensor", full, forget, [holder], (), True, differentiable=False)


def _refuse_eagerly() -> None:
    if executing_eagerly():
        raise RuntimeError(
            "Handles of a session are not supported when eager execution is enabled: there is no session."
        )


def _text(name_of: Any) -> str:
    found = np.asarray(unwrap(name_of)).item()
    return found.decode() if isinstance(found, bytes) else str(found)


def _kept(session: Any, handle: str) -> Any:
    if handle not in session._handles:
        raise InvalidArgumentError(None, None, f"The tensor with handle '{handle}' is not in the session store.")
    return session._handles[handle]


def _forget(session: Any, handle: str) -> None:
    _kept(session, handle)
    session._handles.pop(handle, None)
