"""TensorFlow's names for element types: ``tf.float32`` and its kin."""

from __future__ import annotations

import functools
import importlib
from typing import Any

import numpy as np

from .type_numbers import EXTENSIONS, NUMBERS
from .type_numbers import NAMES as TYPE_NAMES

__all__ = ["OTHERS", "TYPES", "DType", "as_dtype", "dtype_or", "name_in_messages", "of_array"]

_FAMILIES = {
    "f": "floating",
    "i": "integer",
    "u": "integer",
    "b": "bool",
    "O": "string",
    "V": "floating",
    "c": "complex",
}


class DType:
    """An element type. ``name``, ``as_numpy_dtype``, ``base_dtype``, ``is_floating`` and the like are TensorFlow's.

    The type of a variable prints as ``float32_ref`` and equals ``float32``; NumPy takes a DType wherever it takes a
    type.
    """

    __slots__ = ("_reference", "dtype", "itemsize", "kind", "name", "type")

    name: str
    dtype: np.dtype[Any]
    _reference: bool

    def __new__(cls, name: str | int, dtype: np.dtype[Any] | None = None, reference: bool = False) -> DType:
        """Return the one object of a type, where it is given by name or by TensorFlow's number."""
        return as_dtype(name) if dtype is None else super().__new__(cls)

    def __init__(self, name: str | int, dtype: np.dtype[Any] | None = None, reference: bool = False) -> None:
        if dtype is None:
            return
        self.name = str(name)
        self.dtype = dtype  # NumPy reads this attribute: np.dtype(tf.float32) works
        self._reference = reference
        self.kind, self.itemsize, self.type = dtype.kind, dtype.itemsize, dtype.type  # often asked for in eager mode

    @property
    def as_numpy_dtype(self) -> Any:
        """The NumPy scalar type; of types that stand for others an array's type."""
        return self.dtype if self.dtype.names else self.dtype.type

    @property
    def base_dtype(self) -> DType:
        """The type without ``_ref``."""
        name: str = self.name.removesuffix("_ref")
        return TYPES.get(name) or OTHERS[name]

    @property
    def is_floating(self) -> bool:
        """Whether it is a type of real numbers with a fraction."""
        return self.dtype.kind in "fV" and self._family() == "floating"

    def _family(self) -> str:
        """Return the family of numbers; NumPy has one kind for all types that it does not know."""
        if self.dtype.kind == "V" and (self.dtype.names or "int" in self.dtype.name):
            return "" if self.dtype.names else "integer"
        return _FAMILIES[self.dtype.kind]

    @property
    def has_gradients(self) -> bool:
        """Whether gradients flow through values of this type, or through tensors that they hold."""
        kept = self.dtype.kind in "fVc" and not self.dtype.names and (self.itemsize > 1)
        return kept or self.name == "variant"

    @property
    def is_integer(self) -> bool:
        """Whether it is an integer type."""
        return self._family() == "integer"

    @property
    def is_bool(self) -> bool:
        """Whether it is the type of truth values."""
        return self.dtype.kind == "b"

    @property
    def is_complex(self) -> bool:
        """Whether it is a type of complex numbers."""
        return self.dtype.kind == "c"

    @property
    def is_numeric(self) -> bool:
        """Whether its values are numbers, of not too few bits."""
        few = self.dtype.name in EXTENSIONS and self.itemsize < 2
        return self.is_quantized or (self.dtype.kind in "fiucV" and not self.dtype.names and not few)

    @property
    def is_unsigned(self) -> bool:
        """Whether it is an unsigned integer type."""
        return self.dtype.kind == "u" or (self.dtype.kind == "V" and self.dtype.name.startswith("uint"))

    @property
    def size(self) -> int:
        """Bytes of an element; 0 where elements are of different sizes."""
        return 0 if self.name.removesuffix("_ref") in ("string", "resource", "variant") else self.dtype.itemsize

    @property
    def min(self) -> Any:
        """The smallest value."""
        return self._limits("minimum").min

    @property
    def max(self) -> Any:
        """The largest value."""
        return self._limits("maximum").max

    def _limits(self, which: str) -> Any:
        if self.dtype.kind in "cOb" or self.dtype.names:
            raise TypeError(
                f"Cannot find {which} value of {self} with type {self}. Cannot find {which} value of {self}."
            )
        if self.dtype.name in EXTENSIONS:
            types = importlib.import_module("ml_dtypes")
            return types.finfo(self.dtype) if self.is_floating else types.iinfo(self.dtype)
        return np.finfo(self.dtype) if self.is_floating else np.iinfo(self.dtype)

    @property
    def limits(self) -> tuple[Any, Any]:
        """The least and the largest of the scale on which images are: 0 and 1 of floats."""
        if self.dtype.kind in "VOc" or self.dtype.name in EXTENSIONS:
            raise ValueError(f"{self} does not have defined limits.")
        return (0, 1) if self.is_floating else (0, True if self.is_bool else self.max)

    @property
    def real_dtype(self) -> DType:
        """The type of the real part: of real numbers the type itself."""
        return TYPES[_REAL_PARTS[self.dtype.name]] if self.dtype.kind == "c" else self

    @property
    def is_numpy_compatible(self) -> bool:
        """Whether NumPy has it."""
        return self.name not in ("resource", "variant")

    @property
    def is_quantized(self) -> bool:
        """Whether it stands for floats by integers: such a type has a name here, and no values."""
        return bool(self.dtype.names) and self.is_numpy_compatible

    @property
    def as_datatype_enum(self) -> int:
        """TensorFlow's number for the type."""
        return NUMBERS[self.name.removesuffix("_ref")] + (100 if self._reference else 0)

    def __int__(self) -> int:
        return self.as_datatype_enum

    def is_compatible_with(self, other: Any) -> bool:
        """Tell whether values of ``other`` fit without conversion."""
        return bool(self == other)

    def is_subtype_of(self, other: Any) -> bool:
        """Tell whether values of the type are of ``other`` too: no type is another's kind."""
        return bool(self == other)

    def most_specific_common_supertype(self, types: Any) -> DType | None:
        """Return the type of all ``types`` and this one, None where they are not the same."""
        return self if all(self == other for other in types) else None

    def __getattr__(self, name: str) -> Any:
        """Return what NumPy's type has: in eager mode functions for arrays are given tensors."""
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(self.dtype, name)

    def __eq__(self, other: object) -> bool:
        if other is None or other is int:
            return False
        try:
            return bool(self.dtype == as_dtype(other).dtype)
        except TypeError:
            return False

    def __hash__(self) -> int:
        return hash(self.dtype)

    def __repr__(self) -> str:
        return f"tf.{self.name}"

    def __str__(self) -> str:
        return f"<dtype: {self.name!r}>"

    def reference(self) -> DType:
        """Return the type as a variable's, which prints as ``..._ref``."""
        return _reference(self.base_dtype.name)

    @property
    def _as_ref(self) -> DType:
        return self.reference()

    @property
    def _is_ref_dtype(self) -> bool:
        return self._reference

    def __reduce__(self) -> Any:
        return as_dtype, (self.name,)


@functools.cache
def _reference(name: str) -> DType:
    return DType(f"{name}_ref", (TYPES.get(name) or OTHERS[name]).dtype, True)


_NAMES = ["float16", "float32", "float64", "bool", "complex64", "complex128"]
_NAMES += [f"{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64)]
_REAL_PARTS = {"complex64": "float32", "complex128": "float64"}
TYPES: dict[str, DType] = {name: DType(name, np.dtype(name)) for name in _NAMES}
TYPES["string"] = DType("string", np.dtype(object))
# Types that programs name, of which there are no values here; NumPy's fields tell them from one another.
_STORED = {"qint8": "i1", "quint8": "u1", "qint16": "i2", "quint16": "u2", "qint32": "i4"}
_STORED |= {"resource": "u1", "variant": "u1"}
OTHERS: dict[str, DType] = {name: DType(name, np.dtype([(name, kind)])) for name, kind in _STORED.items()}
_BY_NUMPY = {entry.dtype: entry for entry in [*TYPES.values(), *OTHERS.values()]}
_PYTHON: dict[type, str] = {float: "float32", int: "int32", bool: "bool"}
_ALIASES = {"half": "float16", "float": "float32", "double": "float64"}
_ALIAS_OF = {name: alias for alias, name in _ALIASES.items()}


def name_in_messages(dtype: DType) -> str:
    """Return the name that TensorFlow's errors have for a type: ``float`` for float32, ``half``, ``double``."""
    return _ALIAS_OF.get(dtype.name, dtype.name)


def _extension(name: str) -> DType | None:
    """Return a type of ml_dtypes, which is imported for the first of them; None where it has none of that name."""
    if name not in EXTENSIONS:
        return None
    if name not in TYPES:
        try:
            scalar = getattr(importlib.import_module("ml_dtypes"), name)
        except (ImportError, AttributeError):
            return None
        TYPES[name] = _BY_NUMPY[np.dtype(scalar)] = DType(name, np.dtype(scalar))
    return TYPES[name]


def of_array(dtype: np.dtype[Any]) -> DType:
    """Return the DType of an array's type."""
    return _BY_NUMPY.get(dtype) or as_dtype(dtype)


def as_dtype(type_value: Any) -> DType:
    """Return the DType for a DType, a NumPy type, a name or TensorFlow's number of it; TypeError when there is none.

    Python's ``float`` and ``int`` are float32 and int32, as in TensorFlow.
    """
    if isinstance(type_value, DType):
        return type_value
    if isinstance(type_value, (int, float)) and type_value % 100 in TYPE_NAMES:
        type_value = TYPE_NAMES[int(type_value) % 100] + "_ref" * (type_value >= 100)
    if isinstance(type_value, str):
        name = _ALIASES.get(type_value, type_value).removesuffix("_ref")
        found = TYPES.get(name) or OTHERS.get(name) or _extension(name)
        if found is not None:
            return found.reference() if type_value.endswith("_ref") else found
    elif isinstance(type_value, type) and type_value in _PYTHON:
        return TYPES[_PYTHON[type_value]]
    try:
        # NumPy makes float64 of None; TensorFlow takes neither it nor str.
        unknown = type_value is None or type_value is str or isinstance(type_value, (tuple, list))
        dtype = None if unknown else np.dtype(type_value)
    except (TypeError, ValueError):
        if isinstance(getattr(type_value, "dtype", None), (str, np.dtype)):
            return as_dtype(type_value.dtype)
        dtype = None
    if dtype is not None:
        if dtype.kind in "SU":
            return TYPES["string"]
        known = _BY_NUMPY.get(dtype) or _extension(dtype.name)
        if known is not None:
            return known
    raise TypeError(
        f"Cannot convert the argument `type_value`: {type_value!r} to a TensorFlow DType. Cannot convert value "
        f"{type_value!r} to a TensorFlow DType."
    )


def dtype_or(type_value: Any, default: str) -> DType:
    """Return what `as_dtype` does; for None, with which TensorFlow's kernels take their default, that."""
    return as_dtype(default if type_value is None else type_value)
