"""The element types that an operation takes, as TensorFlow declares them; one that is not listed takes any."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from .dtypes import as_dtype

__all__ = ["check_types"]

# By the letters that NumPy has for families of types: floating (V is bfloat16), complex, signed, unsigned, truth
# values, objects (texts).
_OP_TYPES = {
    "fV": (
        "Atan2 Betainc Ceil Digamma Elu Erf Erfc Floor IsFinite IsInf IsNan Igamma Igammac L2Loss "
        "Lgamma LinSpace LogSigmoid LogSoftmax LogSumExp Polygamma Rint Selu Softmax "
        "SoftmaxCrossEntropyWithLogits Softplus Softsign SparseSoftmaxCrossEntropyWithLogits Swish Zeta"
    ),
    "fVc": (
        "Acos Acosh Asin Asinh Atan Atanh Cholesky Cos Cosh Exp Expm1 Log Log1p MatrixDeterminant MatrixInverse Norm "
        "Reciprocal ReciprocalNoNan Rsqrt Sigmoid Sin Sinh Sqrt Std Tan Tanh UnsortedSegmentSqrtN Variance Xdivy Xlogy"
    ),
    "fViu": (
        "LeakyRelu clip_by_value global_norm FloorDiv FloorMod Greater GreaterEqual Less LessEqual Max Maximum "
        "Min Minimum Relu Relu6 Round SegmentMax SegmentMin Sort TopKV2 TruncateDiv TruncateMod UnsortedSegmentMax "
        "UnsortedSegmentMin"
    ),
    "fViuc": (
        "Cumprod Cumsum Div MatMul Mean Mul Pow Prod RealDiv Square SquaredDifference "
        "Sub Sum SegmentMean SegmentProd SegmentSum UnsortedSegmentMean UnsortedSegmentProd UnsortedSegmentSum"
    ),
    "fVic": "Abs Neg Sign",
    "fViuOc": "Add AddN",
    "fViub": "ArgMax ArgMin",
    "iu": "BitwiseAnd BitwiseOr BitwiseXor Invert LeftShift PopulationCount RightShift",
    "fViubc": "Where",
    "b": "All Any LogicalAnd LogicalNot LogicalOr LogicalXor",
    "c": "MatrixLogarithm FFT FFT2D FFT3D IFFT IFFT2D IFFT3D IRFFT IRFFT2D IRFFT3D",
}
_FAMILIES = {op_type: families for families, op_types in _OP_TYPES.items() for op_type in op_types.split()}

# What TensorFlow calls the first input, where it is not x.
_FIRST_INPUTS = {
    "a": "Betainc Igamma Igammac MatMul Polygamma",
    "data": (
        "SegmentMax SegmentMean SegmentMin SegmentProd SegmentSum UnsortedSegmentMax UnsortedSegmentMin "
        "UnsortedSegmentProd UnsortedSegmentSum"
    ),
    "features": (
        "Elu LeakyRelu Relu Relu6 Selu SoftmaxCrossEntropyWithLogits Softplus Softsign "
        "SparseSoftmaxCrossEntropyWithLogits"
    ),
    "input": (
        "All Any ArgMax ArgMin Cholesky FFT FFT2D FFT3D IFFT IFFT2D IFFT3D IRFFT IRFFT2D IRFFT3D MatrixDeterminant "
        "MatrixInverse Max Mean Min Prod Sum TopKV2 Where"
    ),
    "inputs": "AddN",
    "logits": "LogSoftmax Softmax",
    "start": "LinSpace",
    "t": "L2Loss",
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


def check_types(op_type: str, types: Sequence[Any]) -> None:
    """Raise TypeError where an operation does not take its first input's type."""
    families = _FAMILIES.get(op_type)
    if families is not None and types and np.dtype(types[0]).kind not in families:
        got = as_dtype(types[0]).base_dtype.name
        name = _NAMES.get(op_type, "x")
        if families == "b":
            told = f"Input {name!r} of {op_type!r} Op has type {got} that does not match expected type of bool."
            raise TypeError(told)
        allowed = ", ".join(_NAMES_OF_KINDS[kind] for kind in families)
        more = "; Input must be either real or complex" if op_type in ("Std", "Variance") else ""
        raise TypeError(
            f"Value passed to parameter {name!r} has DataType {got} not in list of allowed values: {allowed}{more}"
        )
