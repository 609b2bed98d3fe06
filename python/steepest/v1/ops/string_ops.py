"""Operations on strings: joined, cut, replaced, made of numbers and read as numbers."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np

from ..graph import shape_inference
from ..graph.arguments import as_axes, call_with
from ..graph.bound_names import name_functions
from ..graph.build import call, dtype_of
from ..graph.dtypes import dtype_or
from ..graph.errors import InvalidArgumentError
from ..graph.run_values import array_of

__all__ = [
    "as_string",
    "reduce_join",
    "string_join",
    "string_lower",
    "string_strip",
    "string_to_number",
    "string_upper",
]


def as_bytes(value: Any) -> bytes:
    return value.encode() if isinstance(value, str) else bytes(value)


def each(function: Callable[..., Any], dtype: Any = "O") -> Callable[..., Any]:
    """Return the function of arrays that calls one for each string."""

    def of_arrays(x: Any, *others: Any) -> Any:
        strings = array_of(x)
        made = [function(as_bytes(item), *others) for item in strings.reshape(-1).tolist()]
        out = np.empty(len(made), dtype)
        out[:] = made
        return out.reshape(strings.shape)

    return of_arrays


def _of_strings(op_type: str, function: Callable[..., Any], text: str) -> Callable[..., Any]:
    def operation(input: Any, name: str | None = None) -> Any:
        return call(
            op_type,
            each(function),
            (input,),
            name=name,
            shape=shape_inference.same,
            dtype="string",
            differentiable=False,
        )

    operation.__doc__ = text
    return operation


string_strip = _of_strings("StringStrip", bytes.strip, "Return strings without white space at their ends.")
_lower = _of_strings("StringLower", bytes.lower, "Return strings in small letters, of ASCII's.")
_upper = _of_strings("StringUpper", bytes.upper, "Return strings in capital letters, of ASCII's.")


def string_lower(input: Any, encoding: str = "", name: str | None = None) -> Any:
    """Return strings in small letters: ASCII's, or all for the encoding ``"utf-8"``."""
    return _cased(_lower, str.lower, input, encoding, name)


def string_upper(input: Any, encoding: str = "", name: str | None = None) -> Any:
    """Return strings in capital letters: ASCII's, or all for the encoding ``"utf-8"``."""
    return _cased(_upper, str.upper, input, encoding, name)


def _cased(plain: Any, of_text: Callable[[str], str], input: Any, encoding: str, name: str | None) -> Any:
    if not encoding:
        return plain(input, name)
    if encoding != "utf-8":
        raise InvalidArgumentError(None, None, f"only utf-8 or '' (no encoding) is supported, received {encoding}")
    return _of_strings("StringCase", lambda s: of_text(s.decode(encoding, "replace")).encode(encoding), "")(input, name)


def string_join(inputs: Any, separator: str | bytes = "", name: str | None = None) -> Any:
    """Return strings joined element by element; a scalar is joined to each.

    Raises TypeError for what is no list of strings, or a separator that is no text.
    """
    if not isinstance(inputs, (list, tuple)):
        raise TypeError(f"Expected list for 'inputs' argument to 'string_join' Op, not {inputs!r:.80}.")
    if not isinstance(separator, (str, bytes)):
        raise TypeError(f"Expected string for argument 'separator' not {separator!r}.")

    def joined(*parts: Any) -> Any:
        arrays = np.broadcast_arrays(*(array_of(part) for part in parts))
        out = np.empty(arrays[0].size, object)
        rows = zip(*(array.reshape(-1).tolist() for array in arrays), strict=True)
        out[:] = [as_bytes(separator).join(map(as_bytes, row)) for row in rows]
        return out.reshape(arrays[0].shape)

    def shape_fn(*shapes: Any) -> Any:
        if any(shape is None for shape in shapes):
            return None
        return shape_inference.merged(*(shape for shape in shapes if shape)) if any(shapes) else ()

    parts = list(inputs) or [np.array(b"", object)]
    return call("StringJoin", joined, parts, name=name, shape=shape_fn, dtype="string", differentiable=False)


def reduce_join(
    inputs: Any,
    axis: Any = None,
    keep_dims: Any = None,
    separator: str | bytes = "",
    name: str | None = None,
    reduction_indices: Any = None,
    keepdims: Any = None,
) -> Any:
    """Return the strings along axes joined, all of them by default; of several axes the first one first."""
    keep = bool(keep_dims if keepdims is None else keepdims)
    if axis is not None and reduction_indices is not None:
        raise ValueError("Cannot specify both 'reduction_indices' and 'axis'.")
    given = reduction_indices if axis is None else axis

    def joined(along: Any, x: Any) -> Any:
        strings = array_of(x)
        asked = range(strings.ndim) if along is None else np.atleast_1d(along).tolist()
        axes = list(shape_inference.axes_of(asked, strings.ndim))
        if len(set(axes)) < len(axes):
            again = next(axis for k, axis in enumerate(axes) if axis in axes[:k])
            raise ValueError(f"Duplicate reduction dimension {again}")
        rest = [k for k in range(strings.ndim) if k not in axes]
        order = axes if given is None else axes[::-1]  # what is joined first varies fastest
        count = int(np.prod([strings.shape[k] for k in axes], dtype=int))
        flat = np.transpose(strings, [*rest, *order]).reshape(*(strings.shape[k] for k in rest), count)
        out = np.empty(int(np.prod(flat.shape[:-1], dtype=int)), object)
        out[:] = [as_bytes(separator).join(map(as_bytes, row)) for row in flat.reshape(out.size, count).tolist()]
        sizes = [1 if k in axes else size for k, size in enumerate(strings.shape) if keep or k not in axes]
        return out.reshape(sizes)

    settings = [(given, as_axes)]
    shape = shape_inference.reduced(keep)
    return call_with(
        "ReduceJoin", settings, joined, (inputs,), name=name, shape=shape, dtype="string", differentiable=False
    )


def as_string(
    input: Any,
    precision: int = -1,
    scientific: bool = False,
    shortest: bool = False,
    width: int = -1,
    fill: str = "",
    name: str | None = None,
) -> Any:
    """Return numbers as strings: integers by their digits, floats with six places or ``precision`` of them."""
    kind = "e" if scientific else "g" if shortest else "f"
    digits = "" if precision < 0 else f".{precision}"
    dtype = dtype_of(input)

    def written(value: Any) -> bytes:
        if dtype.is_bool:
            return b"true" if value else b"false"
        size = "" if width < 0 else f"{fill}{width}"
        if dtype.name == "string":
            return f"%{size}s".encode() % as_bytes(value)
        if dtype.is_complex:
            return (f"(%{size}{digits}{kind},%{size}{digits}{kind})" % (value.real, value.imag)).encode()
        form = f"%{size}d" if dtype.is_integer else f"%{size}{digits}{kind}"
        return str(form % value).encode()

    def strings(x: Any) -> Any:
        if scientific and shortest:
            raise ValueError("Cannot select both scientific and shortest notation")
        if not (dtype.is_floating or dtype.is_complex) and (scientific or shortest):
            raise ValueError(f"scientific and shortest format not supported for datatype {dtype.name}")
        if not (dtype.is_floating or dtype.is_complex or dtype.name == "string") and precision >= 0:
            raise ValueError(f"precision not supported for datatype {dtype.name}")
        if len(fill) > 1:
            raise ValueError(f"Fill string must be one or fewer characters, got {fill!r}")
        if fill and fill not in " +-0#":
            raise ValueError(f"Fill argument not supported: {fill!r}")
        array = array_of(x)
        out = np.empty(array.size, object)
        out[:] = [written(value) for value in array.reshape(-1).tolist()]
        return out.reshape(array.shape)

    return call(
        "AsString", strings, (input,), name=name, shape=shape_inference.same, dtype="string", differentiable=False
    )


_WHOLE = re.compile(rb"\s*[+-]?[0-9]+\s*")
_NUMBER = re.compile(rb"\s*[+-]?(?:(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?|(?i:nan|inf))\s*|\s+")
_HEXADECIMAL = re.compile(rb"\s*([+-]?)0[xX]([0-9a-fA-F]+)\s*")


def _whole(text: bytes) -> int:
    if not _WHOLE.fullmatch(text):
        raise ValueError(text)
    return int(text)


def _number(text: bytes) -> float:
    found = _HEXADECIMAL.fullmatch(text)
    if found:
        return float(int(found[1] + found[2], 16))
    if not _NUMBER.fullmatch(text):
        raise ValueError(text)
    return float(text.strip() or 0)


_NUMBERS = ("float32", "float64", "int32", "int64", "uint32", "uint64")


def string_to_number(
    string_tensor: Any = None, out_type: Any = "float32", name: str | None = None, input: Any = None
) -> Any:
    """Return the numbers that strings say. InvalidArgumentError, when a session runs, for one that says none."""
    dtype = dtype_or(out_type, "float32")
    if dtype.name not in _NUMBERS:
        told = f"Value passed to parameter 'out_type' has DataType {dtype.name}"
        raise TypeError(f"{told} not in list of allowed values: {', '.join(_NUMBERS)}")

    def number(text: bytes) -> Any:
        try:
            found = (_whole if dtype.is_integer else _number)(text)
            if dtype.is_integer and not dtype.min <= found <= dtype.max:
                raise OverflowError(found)  # NumPy 1 would wrap it
            with np.errstate(over="ignore"):
                return dtype.as_numpy_dtype(found)
        except (ValueError, OverflowError):
            told = f"StringToNumberOp could not correctly convert string: {text.decode(errors='replace')}"
            raise ValueError(told) from None

    read = each(number, dtype.dtype)
    strings = input if string_tensor is None else string_tensor
    return call(
        "StringToNumber", read, (strings,), name=name, shape=shape_inference.same, dtype=dtype, differentiable=False
    )


name_functions(__name__)
