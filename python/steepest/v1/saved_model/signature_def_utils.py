"""``tf.saved_model.signature_def_utils``: what a model takes and gives, by name."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

from ..graph.missing import namespace
from . import signature_constants as names
from .utils import TensorInfo, build_tensor_info

__all__ = [
    "build_signature_def",
    "classification_signature_def",
    "is_valid_signature",
    "predict_signature_def",
    "regression_signature_def",
]

__getattr__, __dir__ = namespace(__name__)


@dataclasses.dataclass
class SignatureDef:
    """Tensors by names that a user of the model knows. Source: ``SignatureDef``."""

    inputs: dict[str, TensorInfo]
    outputs: dict[str, TensorInfo]
    method_name: str = ""

    def described(self) -> list[Any]:
        """Return what JSON can have."""
        sides = [{name: info.described() for name, info in side.items()} for side in (self.inputs, self.outputs)]
        return [*sides, self.method_name]

    @classmethod
    def of(cls, described: list[Any]) -> SignatureDef:
        """Return what was described."""
        *sides, method = described
        inputs, outputs = ({name: TensorInfo.of(info) for name, info in side.items()} for side in sides)
        return cls(inputs, outputs, method)


def build_signature_def(inputs: Any = None, outputs: Any = None, method_name: str | None = None) -> SignatureDef:
    """Return a signature of what `build_tensor_info` returned. Source: ``build_signature_def``."""
    return SignatureDef(dict(inputs or {}), dict(outputs or {}), method_name or "")


def _infos(tensors: Mapping[str, Any]) -> dict[str, TensorInfo]:
    return {name: build_tensor_info(tensor) for name, tensor in tensors.items()}


def predict_signature_def(inputs: Mapping[str, Any], outputs: Mapping[str, Any]) -> SignatureDef:
    """Return the signature of tensors by name; ValueError where there are none. Source: ``predict_signature_def``."""
    for what, side in (("inputs", inputs), ("outputs", outputs)):
        if not side:
            raise ValueError(f"Prediction {what} cannot be None or empty.")
    return SignatureDef(_infos(inputs), _infos(outputs), names.PREDICT_METHOD_NAME)


def classification_signature_def(examples: Any, classes: Any, scores: Any) -> SignatureDef:
    """Return the signature of a classifier. Source: ``classification_signature_def``."""
    if examples is None or (classes is None and scores is None):
        what = "examples" if examples is None else "classes and scores"
        raise ValueError(f"Classification {what} cannot {'' if examples is None else 'both '}be None.")
    given = {names.CLASSIFY_OUTPUT_CLASSES: classes, names.CLASSIFY_OUTPUT_SCORES: scores}
    outputs = {name: tensor for name, tensor in given.items() if tensor is not None}
    return SignatureDef(_infos({names.CLASSIFY_INPUTS: examples}), _infos(outputs), names.CLASSIFY_METHOD_NAME)


def regression_signature_def(examples: Any, predictions: Any) -> SignatureDef:
    """Return the signature of a regression. Source: ``regression_signature_def``."""
    for what, given in (("examples", examples), ("predictions", predictions)):
        if given is None:
            raise ValueError(f"Regression {what} cannot be None.")
    inputs, outputs = _infos({names.REGRESS_INPUTS: examples}), _infos({names.REGRESS_OUTPUTS: predictions})
    return SignatureDef(inputs, outputs, names.REGRESS_METHOD_NAME)


def is_valid_signature(signature_def: SignatureDef | None) -> bool:
    """Tell whether a signature has tensors on both sides and one of the known methods."""
    known = (names.CLASSIFY_METHOD_NAME, names.PREDICT_METHOD_NAME, names.REGRESS_METHOD_NAME)
    return signature_def is not None and bool(
        signature_def.inputs and signature_def.outputs and signature_def.method_name in known
    )
