"""What operations are called that TensorFlow makes of several: the scope of these, and the last one's name in it."""

from __future__ import annotations

__all__ = ["COMPOSED", "DEFAULTS"]

# By type: the scope's default name, and the name in it of the operation that gives the result, None for the scope's.
COMPOSED: dict[str, tuple[str, str | None]] = {
    "BooleanMask": ("boolean_mask", "GatherV2"),
    "Eye": ("eye", "diag"),
    "InTopK": ("in_top_k", "InTopKV2"),
    "LogSumExp": ("ReduceLogSumExp", "Add"),
    "Multinomial": ("multinomial", "Multinomial"),
    "Norm": ("norm", "Squeeze"),
    "NormOfAbsolutes": ("norm", "Squeeze"),
    "Repeat": ("Repeat", "Reshape"),
    "SequenceMask": ("SequenceMask", "Less"),
    "SoftmaxCrossEntropyWithLogits": ("softmax_cross_entropy_with_logits", "Reshape_2"),
    "SparseSoftmaxCrossEntropyWithLogits": ("SparseSoftmaxCrossEntropyWithLogits", None),
    "Std": ("reduce_std", "Sqrt"),
    "UnsortedSegmentMean": ("UnsortedSegmentMean", "truediv"),
    "UnsortedSegmentSqrtN": ("UnsortedSegmentSqrtN", "truediv"),
    "Variance": ("reduce_variance", "Mean_1"),
    "global_norm": ("global_norm", None),
}

# The default names of operations that are not called as their type is.
DEFAULTS = {"AddV2": "Add", "Div": "div", "DivNoNan": "div_no_nan", "FloorDiv": "floordiv"}
