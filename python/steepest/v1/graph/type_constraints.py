"""The element types that an operation takes, as TensorFlow declares them; one that is not listed takes any."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from .dtypes import as_dtype

__all__ = ["check_types"]

# By the letters that NumPy has for families of types: floating (V is bfloat16), signed, unsigned, truth values, objects
# (texts).
_OP_TYPES = {
    "fV": (
        "Acos Acosh Asin Asinh Atan Atan2 Atanh Betainc Ceil Cos Cosh Digamma Elu Erf Erfc Exp Expm1 Floor IsFinite "
        "IsInf IsNan Igamma Igammac Lgamma Log Log1p LogSigmoid LogSoftmax LogSumExp Norm Polygamma Rint Rsqrt Selu "
        "Sigmoid Sin Sinh Softmax Softplus Softsign Sqrt Std Swish Tan Tanh Variance Xdivy Xlogy Zeta"
    ),
    "fViu": (
        "Abs LeakyRelu Cumprod Cumsum Div DivNoNan FloorDiv FloorMod Greater GreaterEqual L2Loss Less "
        "LessEqual MatMul Max Maximum Mean Min Minimum Mul Neg Pow Prod RealDiv Reciprocal Relu Relu6 Round Sign "
        "Square SquaredDifference Sub Sum TruncateDiv TruncateMod"
    ),
    "fViuO": "Add AddN",
    "fViub": "ArgMax ArgMin",
    "b": "All Any LogicalAnd LogicalNot LogicalOr LogicalXor",
}
_FAMILIES = {op_type: families for families, op_types in _OP_TYPES.items() for op_type in op_types.split()}


def check_types(op_type: str, types: Sequence[Any]) -> None:
    """Raise TypeError where an operation does not take its first input's type."""
    families = _FAMILIES.get(op_type)
    if families is not None and types and np.dtype(types[0]).kind not in families:
        got = as_dtype(types[0]).base_dtype.name
        raise TypeError(
            f"Value passed to parameter 'x' of {op_type!r} has DataType {got} not in list of allowed values"
        )
