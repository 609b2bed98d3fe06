"""The element types that an operation takes, as TensorFlow declares them; one that is not listed takes any."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from .dtypes import DType, as_dtype, dtype_or
from .errors import InvalidArgumentError
from .mode import executing_eagerly

__all__ = ["check_types", "position_type"]

# By the letters that NumPy has for families of types: floating (V is bfloat16), complex, signed, unsigned, truth
# values, objects (texts).
_OP_TYPES = {
    "f": "Betainc NextAfter",
    "fV": (
        "Atan2 BesselI0 BesselI0e BesselI1 BesselI1e Ceil CheckNumerics CumulativeLogsumexp Digamma Elu Erf Erfc "
        "Erfcinv Erfinv Floor HSVToRGB IsFinite IsInf IsNan Igamma Igammac L2Loss Lgamma LinSpace LogSigmoid "
        "LogSoftmax LogSumExp Ndtri Polygamma RGBToHSV Rint Selu Softmax SoftmaxCrossEntropyWithLogits Softplus "
        "global_norm Softsign SparseSegmentMean SparseSegmentSqrtN SparseSoftmaxCrossEntropyWithLogits Swish Zeta"
    ),
    "fc": (
        "Cholesky LogMatrixDeterminant MatrixDeterminant MatrixExponential MatrixInverse MatrixSolve MatrixSolveLs "
        "MatrixSquareRoot Qr SelfAdjointEigV2 Svd"
    ),
    "fVc": (
        "Acos Acosh Asin Asinh Atan Atanh Cos Cosh Exp Expm1 Log Log1p MatrixTriangularSolve MulNoNan Norm "
        "Reciprocal ReciprocalNoNan Rsqrt Sigmoid Sin Sinh Sqrt Std Tan Tanh UnsortedSegmentSqrtN Variance Xdivy "
        "Xlog1py Xlogy"
    ),
    "fViu": (
        "Cross LeakyRelu clip_by_value FloorDiv FloorMod Greater GreaterEqual Less LessEqual Max Maximum "
        "Min Minimum NthElement Relu Relu6 Round SegmentMax SegmentMin Sort SparseSegmentSum TopKV2 TruncateDiv "
        "TruncateMod UnsortedSegmentMax UnsortedSegmentMin is_non_decreasing is_strictly_increasing"
    ),
    "fViuc": (
        "AddN Cumprod Cumsum Diag Div EuclideanNorm MatMul Mean Mul Pow Prod RealDiv Square SquaredDifference "
        "Sub Sum SegmentMean SegmentProd SegmentSum Trace UnsortedSegmentMean UnsortedSegmentProd UnsortedSegmentSum "
        "l2_normalize"
    ),
    "fVic": "Abs Neg Sign",
    "fViuOc": "Add AddV2",
    "fViub": "ArgMax ArgMin",
    "iu": "BitwiseAnd BitwiseOr BitwiseXor Invert LeftShift PopulationCount RightShift",
    "fViubc": "Where",
    "b": "All Any LogicalAnd LogicalNot LogicalOr LogicalXor",
    "O": (
        "DecodeBase64 DecodeCompressed DecodeJSONExample EncodeBase64 ReduceJoin RegexFullMatch RegexReplace "
        "StringJoin StringLength StringLower StringSplit StringStrip StringToHashBucket "
        "StringToHashBucketFast StringToHashBucketStrong StringToNumber StringUpper Substr UnicodeTranscode"
    ),
    "c": "MatrixLogarithm FFT FFT2D FFT3D IFFT IFFT2D IFFT3D IRFFT IRFFT2D IRFFT3D",
}
_FAMILIES = {op_type: families for families, op_types in _OP_TYPES.items() for op_type in op_types.split()}

# What TensorFlow calls the first input, where it is not x.
_FIRST_INPUTS = {
    "a": "Betainc Cross Igamma Igammac MatMul Polygamma",
    "bytes": "DecodeCompressed",
    "data": (
        "SegmentMax SegmentMean SegmentMin SegmentProd SegmentSum SparseSegmentMean SparseSegmentSqrtN "
        "SparseSegmentSum UnsortedSegmentMax UnsortedSegmentMin UnsortedSegmentProd UnsortedSegmentSum"
    ),
    "diagonal": "Diag",
    "features": (
        "Elu LeakyRelu Relu Relu6 Selu SoftmaxCrossEntropyWithLogits Softplus Softsign "
        "SparseSoftmaxCrossEntropyWithLogits"
    ),
    "images": "HSVToRGB RGBToHSV",
    "input": (
        "All Any ArgMax ArgMin Cholesky DecodeBase64 EncodeBase64 EuclideanNorm FFT FFT2D FFT3D IFFT IFFT2D IFFT3D "
        "IRFFT IRFFT2D IRFFT3D LogMatrixDeterminant MatrixDeterminant MatrixExponential MatrixInverse "
        "MatrixSquareRoot Max Mean Min NthElement Prod Qr RegexFullMatch RegexReplace SelfAdjointEigV2 StringLength "
        "StringLower StringSplit StringStrip StringToHashBucketFast StringToHashBucketStrong StringUpper Substr Sum "
        "Svd TopKV2 Trace UnicodeTranscode Where"
    ),
    "inputs": "AddN ReduceJoin StringJoin",
    "json_examples": "DecodeJSONExample",
    "logits": "LogSoftmax Softmax",
    "matrix": "MatrixSolve MatrixSolveLs MatrixTriangularSolve",
    "start": "LinSpace",
    "string_tensor": "StringToHashBucket StringToNumber",
    "t": "L2Loss global_norm",
    "tensor": "CheckNumerics",
    "x1": "NextAfter",
}
_NAMES = {op_type: name for name, op_types in _FIRST_INPUTS.items() for op_type in op_types.split()}

_NAMES_OF_KINDS = {
    "f": "float16, float32, float64",
    "V": "bfloat16",
    "i": "int8, int16, int32, int64",
    "u": "uint8, uint16, uint32, uint64",
    "c": "complex64, complex128",
    "b": "bool",
    "O": "string",
}
# What TensorFlow's runtime calls types.
_OF_RUNTIME = {"float16": "half", "float32": "float", "float64": "double"}


class _WrongTypeError(InvalidArgumentError, TypeError):
    """A type that an operation does not take, in eager mode: there TensorFlow's runtime refuses it."""


def check_types(op_type: str, types: Sequence[Any]) -> None:
    """Raise TypeError where an operation does not take its first input's type, in eager mode InvalidArgumentError."""
    families = _FAMILIES.get(op_type)
    if families is not None and types and np.dtype(types[0]).kind not in families:
        raise _refused(op_type, families, as_dtype(types[0]).base_dtype.name)


def position_type(op_type: str, dtype: Any) -> DType:
    """Return the type in which ``ArgMax`` or ``ArgMin`` give positions, int64 for None; raises as `check_types`."""
    found = dtype_or(dtype, "int64")
    allowed = ["int16", "uint16", "int32", "int64"] if op_type == "ArgMax" else ["int32", "int64"]
    if found.name in allowed:
        return found
    told = f"Value passed to parameter 'output_type' has DataType {found.name} not in list of allowed values: "
    raise _error("output_type", found.name, told + ", ".join(allowed), op_type)


def _error(parameter: str, got: str, told: str, op_type: str) -> Exception:
    called = _OF_RUNTIME.get(got, got)
    said = f"Value for attr {parameter!r} of {called} is not in the list of allowed values: {told} [Op:{op_type}]"
    return _WrongTypeError(None, None, said) if executing_eagerly() else TypeError(told)


def _refused(op_type: str, families: str, got: str) -> Exception:
    name, called = _NAMES.get(op_type, "x"), _OF_RUNTIME.get(got, got)
    if families in ("b", "O"):
        wanted = _NAMES_OF_KINDS[families]
        told = f"Input {name!r} of {op_type!r} Op has type {got} that does not match expected type of {wanted}."
        place = f"input #0(zero-based) was expected to be a {wanted} tensor but is a {called} tensor"
        said = f"cannot compute {op_type} as {place} [Op:{op_type}]; {told}"
    else:
        allowed = ", ".join(_NAMES_OF_KINDS[kind] for kind in families)
        more = "; Input must be either real or complex" if op_type in ("Std", "Variance") else ""
        told = f"Value passed to parameter {name!r} has DataType {got} not in list of allowed values: {allowed}{more}"
        return _error("T", got, told, op_type)
    return _WrongTypeError(None, None, said) if executing_eagerly() else TypeError(told)
