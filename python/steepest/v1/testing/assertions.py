"""Comparisons that ``tf.test.TestCase`` has besides those of `unittest` and of arrays with a tolerance."""

# ruff: noqa: PT009, PT027 - it is the base class of unittest's style
from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from ..graph.devices import canonical_name
from .absl_assertions import AbslAssertions
from .in_functions import py_func_if_in_function
from .proto_texts import fields_of, parsed
from .protobuf_messages import is_protobuf, like, rounded

__all__ = ["MoreAssertions"]


class MoreAssertions(AbslAssertions):
    """Comparisons of arrays with bounds, of containers, and of errors."""

    def _evaluated_or_given(self, value: Any) -> Any:
        return value

    def _evaluated_together(self, a: Any, b: Any) -> tuple[Any, Any]:
        """Return two values of one run: what is drawn at random is the same in both."""
        return a, b

    def _array(self, value: Any) -> Any:
        return np.asarray(self._evaluated_or_given(value))

    @py_func_if_in_function
    def assertAllGreater(self, a: Any, comparison_target: Any) -> None:
        """Fail where an element is not larger."""
        self.assertGreater(self._array(a).min(), comparison_target)

    @py_func_if_in_function
    def assertAllGreaterEqual(self, a: Any, comparison_target: Any) -> None:
        """Fail where an element is smaller."""
        self.assertGreaterEqual(self._array(a).min(), comparison_target)

    @py_func_if_in_function
    def assertAllLess(self, a: Any, comparison_target: Any) -> None:
        """Fail where an element is not smaller."""
        self.assertLess(self._array(a).max(), comparison_target)

    @py_func_if_in_function
    def assertAllLessEqual(self, a: Any, comparison_target: Any) -> None:
        """Fail where an element is larger."""
        self.assertLessEqual(self._array(a).max(), comparison_target)

    @py_func_if_in_function
    def assertAllInRange(
        self,
        target: Any,
        lower_bound: Any,
        upper_bound: Any,
        open_lower_bound: bool = False,
        open_upper_bound: bool = False,
    ) -> None:
        """Fail where an element is not between the bounds."""
        values = self._array(target)
        if values.dtype.kind not in "fiu":
            self.fail(f"The value of {values} does not have an ordered numeric type; it has type: {values.dtype}")
        self.assertFalse(np.any(np.isnan(values)), f"some of {values} are NaN")
        below = values <= lower_bound if open_lower_bound else values < lower_bound
        above = values >= upper_bound if open_upper_bound else values > upper_bound
        self.assertFalse(np.any(below | above), f"not all of {values} are in [{lower_bound}, {upper_bound}]")

    @py_func_if_in_function
    def assertAllInSet(self, target: Any, expected_set: Any) -> None:
        """Fail where an element is not in the set."""
        self.assertEmpty(set(self._array(target).ravel().tolist()) - set(expected_set))

    @py_func_if_in_function
    def assertNDArrayNear(self, ndarray1: Any, ndarray2: Any, err: float, msg: str | None = None) -> None:
        """Fail where the norm of the difference exceeds ``err``."""
        self.assertTrue(self._NDArrayNear(self._array(ndarray1), self._array(ndarray2), err), msg)

    def _NDArrayNear(self, ndarray1: Any, ndarray2: Any, err: float) -> bool:
        """Tell whether the norm of the difference of two arrays is below ``err``."""
        return bool(np.linalg.norm(ndarray1 - ndarray2) < err)

    def _GetNdArray(self, a: Any) -> Any:
        """Return a value as an array."""
        return self._array(a)

    def assertDTypeEqual(self, target: Any, expected_dtype: Any) -> None:
        """Fail where an array has another type."""
        self.assertEqual(self._array(target).dtype, np.dtype(expected_dtype))

    def assertDeviceEqual(self, device1: Any, device2: Any, msg: str | None = None) -> None:
        """Fail where two names of devices mean others."""
        one, other = canonical_name(device1), canonical_name(device2)
        self.assertEqual(one, other, f"Devices {one} and {other} are not equal. {msg}")

    def assertProtoEquals(self, expected_message_maybe_ascii: Any, message: Any, msg: str | None = None) -> None:
        """Fail where a message of a graph is not another one, or what a text in protobuf's text form says."""
        expected = expected_message_maybe_ascii
        if isinstance(expected, (str, bytes)):
            text = expected.decode() if isinstance(expected, bytes) else expected
            if is_protobuf(message):
                expected = like(message, text)
            else:
                message, expected = fields_of(message, parsed(text))
        if is_protobuf(message) and is_protobuf(expected):
            message, expected = rounded(message), rounded(expected)
        self.assertEqual(expected, message, msg)

    def assertProtoEqualsVersion(
        self, expected: Any, actual: Any, producer: int = 0, min_consumer: int = 0, msg: str | None = None
    ) -> None:
        """Fail where a graph's message is another one; the version is not compared."""
        self.assertProtoEquals(expected, actual, msg)

    def assertEmpty(self, container: Any, msg: str | None = None) -> None:
        """Fail where something is in a container."""
        self.assertEqual(len(container), 0, msg or f"{container!r:.200} is not empty")

    def assertNotEmpty(self, container: Any, msg: str | None = None) -> None:
        """Fail where nothing is in a container."""
        self.assertGreater(len(container), 0, msg)

    def assertLen(self, container: Any, expected_len: int, msg: str | None = None) -> None:
        """Fail where a container has another length."""
        self.assertEqual(len(container), expected_len, msg)

    def assertBetween(self, value: Any, minv: Any, maxv: Any, msg: str | None = None) -> None:
        """Fail where a value is not between two others."""
        self.assertTrue(minv <= value <= maxv, msg or f"{value!r} is not between {minv!r} and {maxv!r}")

    def assertItemsEqual(self, first: Any, second: Any, msg: str | None = None) -> None:
        """Fail where two lists, sorted, differ."""
        self.assertCountEqual(first, second, msg)

    def assertSameElements(self, expected_seq: Any, actual_seq: Any, msg: str | None = None) -> None:
        """Fail where one of two lists has what the other has not."""
        self.assertEqual(set(expected_seq), set(actual_seq), msg)

    def assertSequenceAlmostEqual(
        self,
        expected_seq: Any,
        actual_seq: Any,
        places: int | None = None,
        msg: str | None = None,
        delta: float | None = None,
    ) -> None:
        """Fail where numbers of two lists differ."""
        self.assertEqual(len(expected_seq), len(actual_seq), msg)
        for first, second in zip(expected_seq, actual_seq, strict=True):
            self.assertAlmostEqual(first, second, places, msg, delta)  # type: ignore[arg-type]  # one of the two

    def assertEndsWith(self, actual: str, expected_end: str, msg: str | None = None) -> None:
        """Fail where a text ends otherwise."""
        self.assertTrue(actual.endswith(expected_end), msg or f"{actual!r} does not end with {expected_end!r}")

    def assertRegexMatch(self, actual_str: str, regexes: Any, message: str | None = None) -> None:
        """Fail where a text matches none of the patterns."""
        self.assertTrue(any(re.search(regex, actual_str) for regex in regexes), message)

    @contextmanager
    def assertRaisesWithPredicateMatch(self, exception_type: Any, expected_err_re_or_predicate: Any) -> Iterator[None]:
        """Expect an error whose text matches, or for which a function returns true."""
        try:
            yield
        except exception_type as error:
            match = expected_err_re_or_predicate
            # TensorFlow's errors name the operation that failed.
            op = getattr(error, "op", None)
            said = str(getattr(error, "message", error))  # without the lines of the program that made it
            while op is not None:
                said += f"\nCaused by: {op.name}"
                op = getattr(op, "_original_op", None)
            fits = match(error) if callable(match) else re.search(match, said)
            self.assertTrue(fits, f"Exception of type {type(error)}: {error}")
        else:
            self.fail(f"{exception_type} not raised")

    def assertRaisesRegexp(self, *args: Any, **kwargs: Any) -> Any:
        """Do what ``assertRaisesRegex`` does."""
        return self.assertRaisesRegex(*args, **kwargs)

    def assertRegexpMatches(self, *args: Any, **kwargs: Any) -> None:
        """Do what ``assertRegex`` does."""
        self.assertRegex(*args, **kwargs)

    def assertEquals(self, *args: Any, **kwargs: Any) -> None:
        """Do what ``assertEqual`` does."""
        self.assertEqual(*args, **kwargs)

    def assertNotEquals(self, *args: Any, **kwargs: Any) -> None:
        """Do what ``assertNotEqual`` does."""
        self.assertNotEqual(*args, **kwargs)

    def assertAlmostEquals(self, *args: Any, **kwargs: Any) -> None:
        """Do what ``assertAlmostEqual`` does."""
        self.assertAlmostEqual(*args, **kwargs)

    def assertNotRegexpMatches(self, *args: Any, **kwargs: Any) -> None:
        """Do what ``assertNotRegex`` does."""
        self.assertNotRegex(*args, **kwargs)

    def assertDictContainsSubset(self, subset: Any, dictionary: Any, msg: object = None) -> None:
        """Fail where a dict has not all items of another one."""
        self.assertEqual({**dictionary, **subset}, dictionary, msg)
