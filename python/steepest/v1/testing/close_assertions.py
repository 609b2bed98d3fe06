"""Comparisons of arrays, and of nests of them, element by element: equal, or as close as tolerances say."""

# ruff: noqa: PT009 - it is the base class of unittest's style
from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from .assertions import MoreAssertions
from .in_functions import py_func_if_in_function

__all__ = ["CloseAssertions"]


class CloseAssertions(MoreAssertions):
    """Comparisons that tell where arrays differ, and which part of a nest does."""

    @py_func_if_in_function
    def assertAllEqual(self, a: Any, b: Any, msg: str | None = None) -> None:
        """Fail where shapes or elements differ."""
        values = self._evaluated_together(a, b)
        try:
            left, right = (_with_whole_strings(each) for each in values)
            if left.dtype == right.dtype == object and {*map(type, left.flat)} != {*map(type, right.flat)}:
                left, right = _as_bytes(left), _as_bytes(right)  # a text equals its bytes
        except ValueError:  # lists of lists of different lengths
            left, right = ([_listed(item) for item in each] for each in values)
            self.assertEqual(left, right, msg)
            return
        told = f"Shape mismatch: expected {left.shape}, got {right.shape}. {_contents(right)}{msg or ''}"
        self.assertEqual(left.shape, right.shape, told)
        try:
            np.testing.assert_array_equal(left, right)
        except AssertionError:
            differ = np.asarray(left != right)
            if left.dtype.kind == right.dtype.kind == "f":
                differ &= ~(np.isnan(left) & np.isnan(right))
            details = "\n".join([msg or "", *_details("equal", left, right, differ)])
            np.testing.assert_array_equal(left, right, err_msg=details)

    @py_func_if_in_function
    def assertAllClose(self, a: Any, b: Any, rtol: float = 1e-6, atol: float = 1e-6, msg: str | None = None) -> None:
        """Fail where shapes differ, or elements by more than ``atol + rtol * |b|``; dicts and lists by their parts.

        ValueError where one of two parts is a dict and the other is none, or lists have different lengths.
        """
        self._assert_parts_close(*self._evaluated_together(a, b), rtol, atol, "", msg or "")

    def _assert_parts_close(self, a: Any, b: Any, rtol: float, atol: float, path: str, msg: str) -> None:
        a, b = (each._asdict() if hasattr(each, "_asdict") else each for each in (a, b))
        if isinstance(a, Mapping) != isinstance(b, Mapping):
            raise ValueError(f"Can't compare dict to non-dict, a{path} vs b{path}. {msg}")
        different = f"Mismatched value: a{path} is different from b{path}. {msg}"
        if isinstance(a, Mapping):
            told = f"mismatched keys: a{path} has keys {a.keys()}, but b{path} has keys {b.keys()}. {msg}"
            self.assertCountEqual(a.keys(), b.keys(), told)
            for key in a:
                self._assert_parts_close(a[key], b[key], rtol, atol, f"{path}[{key}]", msg)
        elif isinstance(a, (list, tuple)):
            try:
                self._assert_arrays_close(np.asarray(a), np.asarray(b), rtol, atol, different)
            except (ValueError, TypeError) as error:  # no array can be made of it: part by part then
                if len(a) != len(b):
                    told = f"Mismatched length: a{path} has {len(a)} items, but b{path} has {len(b)} items. {msg}"
                    raise ValueError(told) from error
                for k, (left, right) in enumerate(zip(a, b, strict=True)):
                    self._assert_parts_close(left, right, rtol, atol, f"{path}[{k}]", msg)
        else:
            try:
                self._assert_arrays_close(np.asarray(a), np.asarray(b), rtol, atol, different)
            except TypeError as error:
                told = f"Error: a{path} has {type(a)}, but b{path} has {type(b)}. {msg}"
                raise TypeError(f"{error} : {told}") from error

    def _assert_arrays_close(self, left: Any, right: Any, rtol: float, atol: float, msg: str) -> None:
        told = f"Shape mismatch: expected {left.shape}, got {right.shape}. {_contents(right)}"
        self.assertEqual(left.shape, right.shape, told)
        if np.ndim(rtol) + np.ndim(atol) and np.allclose(left, right, rtol, atol, equal_nan=True):
            return  # of arrays of tolerances NumPy makes no message
        try:
            np.testing.assert_allclose(left, right, rtol, atol)
        except AssertionError:
            with np.errstate(all="ignore"):
                differ = np.abs(left - right) > atol + rtol * np.abs(right)
                differ |= np.isnan(left) != np.isnan(right)
            x, y = (left[differ], right[differ]) if left.ndim else (left, right)
            with np.errstate(all="ignore"):
                sizes = [f"not close dif = {np.abs(x - y)}", f"not close tol = {atol + rtol * np.abs(y)}"]
            kind = f"dtype = {left.dtype}, shape = {left.shape}"
            details = "\n".join([msg, *_details("close", left, right, differ), *sizes, kind])
            np.testing.assert_allclose(left, right, rtol, atol, err_msg=details)

    @py_func_if_in_function
    def assertAllCloseAccordingToType(
        self,
        a: Any,
        b: Any,
        rtol: float = 1e-6,
        atol: float = 1e-6,
        float_rtol: float = 1e-6,
        float_atol: float = 1e-6,
        half_rtol: float = 1e-3,
        half_atol: float = 1e-3,
        bfloat16_rtol: float = 1e-2,
        bfloat16_atol: float = 1e-2,
        msg: str | None = None,
    ) -> None:
        """Do what `assertAllClose` does, with tolerances for the shorter types."""
        left, right = self._array(a), self._array(b)
        given = {
            "float32": (float_rtol, float_atol),
            "complex64": (float_rtol, float_atol),
            "float16": (half_rtol, half_atol),
            "bfloat16": (bfloat16_rtol, bfloat16_atol),
        }
        for name in {str(left.dtype), str(right.dtype)} & set(given):
            rtol, atol = max(rtol, given[name][0]), max(atol, given[name][1])
        self.assertAllClose(left, right, rtol, atol, msg)

    @py_func_if_in_function
    def assertNotAllEqual(self, a: Any, b: Any, msg: str | None = None) -> None:
        """Fail where all elements are equal."""
        try:
            self.assertAllEqual(a, b, msg)
        except AssertionError:
            return
        raise AssertionError(f"The two values are equal at all elements. {msg or ''}")

    def assertDictEqual(self, d1: Any, d2: Any, msg: str | None = None) -> None:
        """Fail where two dicts have other keys, or at a key values that are not equal; those of floats, not close."""
        try:
            super().assertDictEqual(d1, d2, msg)
        except Exception:  # values that cannot be compared as a whole
            self.assertSameElements(d1, d2)
            for key, value in d1.items():
                floats = self._array(value).dtype.kind == "f"
                (self.assertAllClose if floats else self.assertAllEqual)(value, d2[key], msg=key)

    def assertShapeEqual(self, input_a: Any, input_b: Any, msg: str | None = None) -> None:
        """Fail where arrays or tensors have other static shapes. Raises TypeError for what is none of them."""
        shapes: list[Any] = []
        for each in (input_a, input_b):
            if not hasattr(each, "get_shape") and not isinstance(each, (np.ndarray, np.generic)):
                raise TypeError(f"{each!r:.80} must be a Numpy ndarray, Numpy scalar, or a Tensor")
            known = each.get_shape() if hasattr(each, "get_shape") else each.shape
            shapes.append(None if getattr(known, "ndims", 0) is None else tuple(known))
        self.assertEqual(shapes[0], shapes[1], msg)

    @py_func_if_in_function
    def assertNotAllClose(self, a: Any, b: Any, **kwargs: Any) -> None:
        """Fail where all elements are close."""
        try:
            self.assertAllClose(a, b, **kwargs)
        except AssertionError:
            return
        self.fail("The two values are close at all elements")


def _with_whole_strings(value: Any) -> Any:
    """Return an array; strings as objects, since NumPy's own types of them lose trailing NULs."""
    array = np.asarray(value)
    if array.dtype.kind == "V" and array.dtype.name == "bfloat16":  # whose NaNs NumPy does not see
        return array.astype(np.float32)
    return np.asarray(value, object) if array.dtype.kind in "SU" else array


def _as_bytes(array: Any) -> Any:
    found = np.empty(array.size, object)
    found[:] = [item.encode() if isinstance(item, str) else item for item in array.flat]
    return found.reshape(array.shape)


def _listed(item: Any) -> Any:
    return item.tolist() if isinstance(item, (np.ndarray, np.generic)) else item


def _contents(array: Any) -> str:
    """Return a small array as a part of a message."""
    return f"Contents: {array}. " if array.ndim <= 3 or array.size < 500 else ""


def _details(what: str, left: Any, right: Any, differ: Any) -> list[str]:
    """Return where two arrays differ, and what they hold there."""
    if not left.ndim:
        return [f"not {what} lhs = {left}", f"not {what} rhs = {right}"]
    where = np.where(differ)
    return [f"not {what} where = {where}", f"not {what} lhs = {left[where]}", f"not {what} rhs = {right[where]}"]
