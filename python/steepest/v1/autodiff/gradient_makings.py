"""What the gradient of an operation is made of: the values through which derivatives of derivatives flow."""

from __future__ import annotations

from collections.abc import Container, Iterable
from typing import Any

from ..graph.node import Operation, Tensor

__all__ = ["made_of"]

# What the gradient of a type is made of beside the arriving one: of "nothing" but shapes, indices and masks, through
# which nothing flows; of the "others" of inputs, in each of which the type is linear; of the "divisor" alone, for what
# is divided; of the "result", as a function of a program's own may make it of anything.
_MADE_OF = {
    "nothing": (
        "Add AddN AddV2 BatchToSpaceND BiasAdd BooleanMask BroadcastTo Cast Ceil central_crop CheckNumerics "
        "clip_by_value Complex Concat ConcatV2 Cond Conj Cumsum dct DepthToSpace Diag DiagPart DynamicPartition "
        "DynamicStitch EnsureShape Enter ExpandDims ExtractImagePatches FakeQuantWithMinMaxArgs FFT Fill Floor "
        "FloorDiv FloorMod frame Gather GatherNd GatherV2 Identity IdentityN IFFT Imag IndexedSlicesToDense "
        "IRFFT LinSpace LoopInput MatrixBandPart MatrixDiag MatrixDiagPart MatrixSetDiag Max Maximum Mean Merge "
        "Meshgrid Min Minimum MirrorPad Mod Neg NextAfter OneHot overlap_and_add Pack Pad pad_to_bounding_box "
        "PadV2 PlaceholderWithDefault Print QuantizeAndDequantizeV3 ReadVariableOp Real Repeat Reshape "
        "ResizeBilinear ResizeNearestNeighbor ReverseSequence ReverseV2 RFFT Rint Roll Rot90 Round SaturateCast "
        "ScatterNd SegmentMax SegmentMean SegmentMin SegmentSum Select SelectV2 Sign Slice Sort SpaceToBatchND "
        "SpaceToDepth SparseExpandDims SparseMerge SparseReduceSum SparseReorder SparseResetShape SparseReshape "
        "SparseSegmentMean SparseSegmentSqrtN SparseSegmentSum SparseSlice SparseToDense SparseTranspose Split "
        "SplitV Squeeze Stack StridedSlice Sub Sum Switch TensorScatterAdd TensorScatterSub TensorScatterUpdate "
        "Tile TopKV2 Trace Transpose Unpack UnsortedSegmentMax UnsortedSegmentMean UnsortedSegmentMin "
        "UnsortedSegmentSqrtN UnsortedSegmentSum While"
    ),
    "others": "BatchMatMul BatchMatMulV2 Cross Einsum MatMul MatVec Mul MulNoNan SparseTensorDenseMatMul Tensordot",
    "divisor": "Div DivNoNan RealDiv Xdivy Xlog1py Xlogy",
    "result": (
        "Acosh Asinh Cholesky CustomGradient Elu Exp Gradients LogSoftmax MatrixDeterminant MatrixInverse "
        "MatrixSolve MatrixTriangularSolve Reciprocal Relu Relu6 Rsqrt Selu Sigmoid Softmax Sqrt Tanh "
        "UnsortedSegmentProd"
    ),
}
_NEEDS = {name: need for need, names in _MADE_OF.items() for name in names.split()}


def made_of(gradient: Tensor) -> Iterable[Tensor]:
    """Return the tensors of which one that a gradient node returns is made.

    They are the gradients that arrive, and what the operations on the way need for theirs: of a type that is not known
    here all inputs. Where the function is linear in a source, its gradient does not depend on it.
    """
    op = gradient.op
    sources = op._attributes.get("of")
    if sources is None:  # a Hessian
        return op.operands
    between = op.get_attr("between")[gradient.value_index]
    source = sources[gradient.value_index]
    found: dict[Tensor, Any] = dict.fromkeys(op.get_attr("arriving"))
    for each in between:
        found.update(dict.fromkeys(_needed(each, source, between)))
    return found


def _needed(op: Operation, source: Tensor, between: Container[Operation]) -> list[Tensor]:
    """Return the inputs and outputs of which the gradients of the inputs on the way are made."""
    need = _NEEDS.get(op.type)
    if need == "nothing":
        return []
    follows = [tensor is source or tensor.op in between for tensor in op.operands]
    if need == "others":
        return [tensor for k, tensor in enumerate(op.operands) if any(follows[:k]) or any(follows[k + 1 :])]
    if need == "divisor" and not any(follows[1:]):
        return list(op.operands[1:])
    if op.type == "Polygamma":  # of the order as of a number that is given
        return list(op.operands[1:])
    if op.type == "logistic_loss" and not follows[0]:  # of the labels
        return list(op.operands[:1])
    if op.type == "Pow" and any(follows[1:]):  # of the exponent also the result
        return [*op.operands, *op.outputs]
    return [*op.operands, *(op.outputs if need == "result" else ())]
