"""Constants: what Python and NumPy values become in a graph."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...ops.dispatch import unwrap
from ...ops.tensor import Tensor as EagerTensor
from .dimension import Dimension
from .dtypes import DType, as_dtype
from .eager_following import followed
from .graph import get_default_graph
from .mode import executing_eagerly
from .node import Node, Operation, Tensor
from .shapes import TensorShape, as_shape, text

__all__ = ["constant", "constant_array", "constant_node", "held_value", "whole_sizes"]


def _has_tuples(value: Any) -> bool:
    """Tell whether a nest of lists has tuples at its ends, which are elements of a type with fields."""
    while isinstance(value, list) and value:
        value = value[0]
    return isinstance(value, tuple)


def constant_array(value: Any, dtype: DType | None = None) -> Any:
    """Return the array for a value: Python floats become float32 and ints int32, arrays keep their type.

    Raises ValueError for None, TypeError for what does not convert, such as floats for an integer type.
    """
    value = unwrap(value)
    if isinstance(value, Node) and executing_eagerly():
        made = value.op.traceback[-1:]
        where = "".join(f", made by {each.name} in {each.filename}:{each.lineno}" for each in made)
        raise TypeError(
            f"Graph tensors have no value in eager mode, got {value!r}{where}; use a session. What a function made is "
            "out of scope and cannot be used here: return it from there"
        )
    if value is None:
        raise _unsupported(value) if executing_eagerly() else ValueError("None values not supported.")
    if isinstance(value, TensorShape):
        if not value.is_fully_defined():
            raise ValueError(f"Cannot convert a partially known TensorShape {value} to a Tensor.")
        return _sizes_array(value, dtype)
    if isinstance(value, Dimension) and value.value is None:
        raise ValueError(f"Cannot convert an unknown Dimension to a Tensor: {value}")
    if isinstance(value, Dimension) and dtype is not None and not dtype.is_integer:
        raise TypeError(f"Expected {dtype.name}, got {value!r} of type 'Dimension' instead.")
    if isinstance(value, DType):
        raise TypeError(f"Expected {dtype or 'a value'}, got the type {value!r} instead.")
    typed = isinstance(value, (np.ndarray, np.generic))
    if dtype is not None and dtype.dtype.names and not typed and not _has_tuples(value):
        raise _does_not_convert(value, dtype, type(value).__name__)
    if dtype is not None and dtype.dtype.names and not typed:
        return np.array(value, dtype.dtype)
    try:
        # As objects: NumPy's own arrays of texts lose the NULs at their ends.
        # Arrays without their class: a matrix keeps two dimensions whatever it is reshaped to.
        array = np.asarray(value, object if not typed and _are_texts(value) else None)
    except OverflowError as error:
        raise TypeError(f"Can't convert {value!r:.80} to a Tensor: {error}") from None
    except NotImplementedError:  # a tensor of a graph, in a list too
        raise TypeError(f"Expected any non-tensor type, but got a tensor instead: {value!r:.80}") from None
    except ValueError as error:  # a ragged list
        rule = "Can't convert non-rectangular Python sequence to Tensor"
        rule = rule if executing_eagerly() else "Argument must be a dense tensor"
        said = f"{rule}: {value!r:.80}; {error}"
        raise ValueError(said) from error
    if array.dtype == object and _are_texts(value):
        return _typed(_as_bytes(array), dtype, value) if dtype is not None else _as_bytes(array)
    if array.dtype.kind in "SU":
        if not typed and not all(isinstance(item, (str, bytes)) for item in np.asarray(value, object).ravel().tolist()):
            raise _unconvertible(value)
        array = _as_bytes(array)
    if array.dtype == object and array.size and all(isinstance(item, (str, bytes)) for item in array.ravel().tolist()):
        array = _as_bytes(array)
    if array.dtype == object and not _are_bytes(array):
        if not typed and any(isinstance(item, int) and not -(2**63) <= item < 2**63 for item in array.ravel().tolist()):
            array = _too_long(array, dtype)
        numbers = array if array.dtype != object else _numbers_within(array)
        if numbers is None and executing_eagerly() and not isinstance(value, (list, tuple, np.ndarray)):
            raise _unsupported(value)
        if numbers is None:
            raise _unconvertible(value)
        array = numbers
    if dtype is None:
        whole = typed or array.dtype == object or (executing_eagerly() and _begins_with_double(value, array))
        return array if whole else _narrowed(array)
    return _typed(array, dtype, value)


def _unsupported(value: Any) -> ValueError:
    """Return eager mode's error for an object that is no number, text or list."""
    return ValueError(
        f"Attempt to convert a value ({value!r:.80}) with an unsupported type ({type(value)}) to a Tensor."
    )


def _unconvertible(value: Any) -> TypeError | ValueError:
    """Return the error for a list of what has no type in common."""
    said = f"Failed to convert elements of {value!r:.80} to Tensor. Consider casting elements."
    if executing_eagerly():
        return ValueError(f"Can't convert Python sequence with mixed types to Tensor: {said}")
    return TypeError(said)


def _begins_with_double(value: Any, array: np.ndarray[Any, Any]) -> bool:
    """Tell whether the first element in a nest of lists is NumPy's double: in eager mode all are doubles then.

    Raises ValueError where it is a truth value and the others are numbers: TensorFlow's eager mode takes its type.
    """
    first = value
    while isinstance(first, (list, tuple)) and first:
        first = first[0]
    if isinstance(first, (bool, np.bool_)) and array.dtype.kind in "iufc":
        raise ValueError(f"Can't convert Python sequence with mixed types to Tensor: {value!r:.80}")
    return isinstance(first, (np.ndarray, np.generic)) and first.dtype == np.float64


def _too_long(array: np.ndarray[Any, Any], dtype: DType | None) -> Any:
    """Return integers that no type of integers has as floats, where these are asked for.

    Raises TypeError where they are not, in eager mode ValueError, OverflowError for what no float has either.
    """
    try:
        if dtype is not None and dtype.dtype.kind in "fc":
            return np.asarray([float(item) for item in array.ravel().tolist()]).reshape(array.shape)
    except OverflowError:
        if not executing_eagerly():
            raise
    if executing_eagerly():
        raise ValueError("Can't convert Python sequence with out-of-range integer to Tensor.")
    raise TypeError(f"Failed to convert elements of {array.tolist()!r:.80} to Tensor. Consider casting elements.")


def _sizes_array(shape: TensorShape, dtype: DType | None) -> Any:
    """Return the sizes of a shape as int32, int64 where one is too large; TypeError for a type that is neither."""
    sizes = np.array(shape.as_list(), np.int64)
    if dtype is None:
        return _narrowed(sizes)
    if dtype.base_dtype.name not in ("int32", "int64"):
        raise TypeError(
            f"Cannot convert TensorShape {shape} to dtype {dtype.name}. Allowed dtypes are int32 and int64."
        )
    if dtype.base_dtype.name == "int32" and _narrowed(sizes).dtype != np.int32:
        largest = int(sizes.max())
        told = f"a dimension is too large ({largest}); it fits int64"
        raise ValueError(f"Cannot convert TensorShape {shape} to dtype int32; {told}")
    return _typed(sizes, dtype, shape)


def _are_texts(value: Any) -> bool:
    """Tell whether a value is a text, or a nest of lists of nothing else."""
    if isinstance(value, (list, tuple)):
        return bool(value) and all(map(_are_texts, value))
    return isinstance(value, (str, bytes)) and not isinstance(value, np.generic)


def _as_bytes(array: np.ndarray[Any, Any]) -> Any:
    flat = [item.encode() if isinstance(item, str) else bytes(item) for item in array.ravel().tolist()]
    out = np.empty(array.size, object)
    out[:] = flat
    return out.reshape(array.shape)


def _are_bytes(array: np.ndarray[Any, Any]) -> bool:
    return all(isinstance(item, bytes) for item in array.ravel().tolist())


def _numbers_within(array: np.ndarray[Any, Any]) -> Any:
    """Return an array of objects that stand for integers (Dimensions) as one of integers."""
    try:
        return np.asarray([item.__index__() for item in array.ravel().tolist()], np.int32).reshape(array.shape)
    except (AttributeError, TypeError):
        return None


def _narrowed(array: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Give lists TensorFlow's types, those of NumPy's numbers too: float32 and, where they fit, int32."""
    if array.dtype == np.float64:
        return array.astype(np.float32)
    if array.dtype == np.int64:
        if array.size and not -(2**31) <= array.min() <= array.max() < 2**31:
            return array
        return array.astype(np.int32)
    return array


def _loses(kind: str, wanted: str) -> bool:
    """Tell whether numbers of a family lose a part in another: the fraction, or the imaginary part."""
    return (wanted in "iu" and kind in "fV") or (kind == "c" and wanted != "c")


def _does_not_convert(value: Any, dtype: DType, kind: str) -> TypeError:
    """Return the error for a value that is not of a type, as each mode of TensorFlow tells it."""
    wanted = dtype.base_dtype.name
    if executing_eagerly():
        return TypeError(f"Cannot convert {value!r:.60} to EagerTensor of dtype {wanted}")
    return TypeError(
        f"Expected {wanted}, but got {value!s:.60} of type {kind!r}. Expected {wanted}, got {value!r:.60} of type "
        f"{kind!r} instead."
    )


def _typed(array: np.ndarray[Any, Any], dtype: DType, value: Any) -> np.ndarray[Any, Any]:
    numpy_dtype = np.dtype(dtype.dtype)
    if array.dtype == numpy_dtype:
        return array
    if array.size and (array.dtype.kind == "O") != (numpy_dtype.kind == "O"):
        raise _does_not_convert(value, dtype, type(value).__name__)
    # An array is cast as NumPy casts it. What a program writes as numbers with a point is a mistake beside integers.
    typed = isinstance(value, (np.ndarray, np.generic))
    if array.size and not typed and _loses(array.dtype.kind, numpy_dtype.kind):
        number = isinstance(value, (float, complex))
        raise _does_not_convert(value, dtype, type(value).__name__ if number else array.dtype.name)
    # Truth values are the numbers 0 and 1, an array's numbers truth values; a list's are a mistake, as in TensorFlow.
    if array.size and numpy_dtype.kind == "b" and not typed:
        raise _does_not_convert(value, dtype, array.dtype.name)
    if "u" in (array.dtype.kind, numpy_dtype.kind) and array.size and not typed and executing_eagerly():
        _check_range(array, numpy_dtype, dtype, value)
    if array.dtype.kind == "i" and numpy_dtype.kind in "if" and numpy_dtype.itemsize > 2:
        return array.astype(numpy_dtype)  # which is never told of: each integer of 64 bits has a float near it
    with np.errstate(all="ignore"):
        return (array.real if array.dtype.kind == "c" and numpy_dtype.kind not in "cb" else array).astype(numpy_dtype)


def _check_range(array: np.ndarray[Any, Any], numpy_dtype: np.dtype[Any], dtype: DType, value: Any) -> None:
    """Raise ValueError for Python's integers that have no 64 bits of a sign; others lose the bits that are too many."""
    negative = numpy_dtype == np.uint64 and array.dtype.kind == "i" and int(array.min()) < 0
    if negative or (array.dtype == np.uint64 and numpy_dtype.kind in "iu" and numpy_dtype != np.uint64):
        raise ValueError(f"Can't convert {value!r:.60} to {dtype.base_dtype.name}: it is out of range.")


def constant_node(array: np.ndarray[Any, Any], name: str, dtype: DType | None = None) -> Tensor:
    """Return the tensor of a constant operation that holds ``array``."""
    graph = get_default_graph()
    own_array = np.array(array)  # the caller may go on to change it
    dtype = as_dtype(array.dtype) if dtype is None else dtype.base_dtype
    full_name = graph._operation_name(name, "Const")
    operation = Operation(
        graph, "Const", full_name, None, (), [(dtype, own_array.shape)], attributes={"value": own_array}
    )
    return operation.outputs[0]


def held_value(tensor: Any) -> Any:
    """Return the array of a tensor that is a constant's, None for any other; `static_values` knows more."""
    operation = tensor._tensor().op
    return operation.get_attr("value") if operation.type == "Const" else None


def whole_sizes(shape: Any) -> Any:
    """Return a shape that may hold floats, ``[784 / 2, 10]``, with integers for them, as TensorFlow's constants do."""
    sizes = shape.tolist() if isinstance(shape, np.ndarray) else shape
    if isinstance(sizes, (list, tuple)) and any(isinstance(size, float) for size in sizes):
        return [int(size) if isinstance(size, float) else size for size in sizes]
    return shape


def constant(value: Any, dtype: Any = None, shape: Any = None, name: str = "Const", verify_shape: bool = False) -> Any:
    """Return a constant; ``shape`` reshapes it, or fills a shape where it holds fewer elements.

    Raises TypeError for a value that is not of ``dtype``, ValueError for one that has too many elements, or, with
    ``verify_shape``, another shape. Source: ``tf.constant``.
    """
    dtype = None if dtype is None else as_dtype(dtype)
    if isinstance(value, EagerTensor) and dtype is not None and dtype.dtype != unwrap(value).dtype:
        raise TypeError(f"Expected tensor with type {dtype!r} not {as_dtype(unwrap(value).dtype)!r}")
    if isinstance(value, EagerTensor) and shape is None and executing_eagerly():
        return value  # recorded, where a tape does
    array = constant_array(value, dtype)
    if shape is not None:
        sizes: Any = as_shape(shape if executing_eagerly() else whole_sizes(shape))
        if verify_shape and array.shape != sizes:
            raise TypeError(f"Expected Tensor's shape: {sizes}, got {array.shape}.")
        total = int(np.prod(sizes, dtype=np.int64))
        if executing_eagerly() and array.size not in (1, total):
            raise TypeError(
                f"Eager execution of tf.constant with unsupported shape (value has {array.size} elements, shape is "
                f"{text(sizes)} with {total} elements)."
            )
        if array.size > total > 0:  # an empty shape takes what it is given, as TensorFlow's does
            told = f"Takes at most {total}, but got {array.size}. Needed at most {total}, but received {array.size}"
            raise ValueError(f"Too many elements provided. {told}")
        if array.size < total:
            # TensorFlow repeats the last element, 0 where there is none.
            flat = array.ravel()
            last = flat[-1] if flat.size else b"" if array.dtype == object else 0
            array = np.concatenate([flat, np.full(total - flat.size, last, array.dtype)])
        array = array.ravel()[:total].reshape([int(size or 0) for size in sizes])
    if executing_eagerly():
        return followed(EagerTensor(np.array(array)))
    return constant_node(array, name, dtype)
