"""``tf.saved_model.signature_def_utils``: what a model takes and gives, by name."""

from __future__ import annotations

import base64
import dataclasses
from collections.abc import Iterable, Mapping
from typing import Any

from ..graph.array_protos import TensorProto
from ..graph.dtypes import as_dtype
from ..graph.errors import NotFoundError
from ..graph.missing import namespace
from ..graph.static_values import constant_value
from ..graph.tensor_protos import make_tensor_proto
from . import signature_constants as names
from .utils import TensorInfo, build_tensor_info, build_tensor_info_from_op, get_element_from_tensor_info

__all__ = [
    "build_signature_def",
    "classification_signature_def",
    "is_valid_signature",
    "load_op_from_signature_def",
    "op_signature_def",
    "predict_signature_def",
    "regression_signature_def",
    "supervised_eval_signature_def",
    "supervised_train_signature_def",
]

__getattr__, __dir__ = namespace(__name__)


@dataclasses.dataclass
class SignatureDef:
    """Tensors by names that a user of the model knows. Source: ``SignatureDef``."""

    inputs: dict[str, TensorInfo] = dataclasses.field(default_factory=dict)
    outputs: dict[str, TensorInfo] = dataclasses.field(default_factory=dict)
    method_name: str = ""
    defaults: dict[str, TensorProto] = dataclasses.field(default_factory=dict)

    def described(self) -> list[Any]:
        """Return what JSON can have."""
        sides = [{name: info.described() for name, info in side.items()} for side in (self.inputs, self.outputs)]
        texts = {name: base64.b64encode(each.SerializeToString()).decode() for name, each in self.defaults.items()}
        return [*sides, self.method_name, *([texts] if texts else [])]

    @classmethod
    def of(cls, described: list[Any]) -> SignatureDef:
        """Return what was described."""
        *sides, method = described[:3]
        inputs, outputs = ({name: TensorInfo.of(info) for name, info in side.items()} for side in sides)
        texts = described[3] if len(described) > 3 else {}
        return cls(inputs, outputs, method, {name: _proto_of(text) for name, text in texts.items()})


def _proto_of(text: str) -> TensorProto:
    return TensorProto.FromString(base64.b64decode(text))


def build_signature_def(
    inputs: Any = None, outputs: Any = None, method_name: str | None = None, defaults: Any = None
) -> SignatureDef:
    """Return a signature of what `build_tensor_info` returned; ``defaults`` are constants for inputs by name.

    Raises ValueError for a default that is no constant. Source: ``build_signature_def``.
    """
    values = {name: _constant(name, tensor) for name, tensor in (defaults or {}).items()}
    return SignatureDef(dict(inputs or {}), dict(outputs or {}), method_name or "", values)


def _constant(name: str, tensor: Any) -> TensorProto:
    if isinstance(tensor, TensorProto):
        return tensor
    value = constant_value(tensor)
    if value is None:
        raise ValueError(f"Unable to convert object {tensor!r} of default '{name}' to TensorProto: it is no constant.")
    return make_tensor_proto(value, tensor.dtype)


def _infos(tensors: Mapping[str, Any]) -> dict[str, TensorInfo]:
    return {name: build_tensor_info(tensor) for name, tensor in tensors.items()}


def op_signature_def(op: Any, key: str) -> SignatureDef:
    """Return a signature whose output ``key`` is an operation, or a tensor. Source: ``op_signature_def``."""
    return SignatureDef(outputs={key: build_tensor_info_from_op(op)})


def load_op_from_signature_def(signature_def: SignatureDef, key: str, import_scope: str | None = None) -> Any:
    """Return what `op_signature_def` was given, in the default graph, below a scope; NotFoundError where it is not.

    Source: ``load_op_from_signature_def``.
    """
    try:
        return get_element_from_tensor_info(signature_def.outputs[key], import_scope=import_scope)
    except KeyError as error:
        raise NotFoundError(
            None,
            None,
            f'The key "{key}" could not be found in the graph. Please make sure the SavedModel was created by the '
            "internal _SavedModelBuilder. If you are using the public API, please make sure the SignatureDef in the "
            f'SavedModel does not contain the key "{key}".',
        ) from error


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
    made = SignatureDef(_infos({names.CLASSIFY_INPUTS: examples}), _infos(outputs), names.CLASSIFY_METHOD_NAME)
    _check(made.inputs, names.CLASSIFY_INPUTS, "string", "Classification examples must be a string Tensor.")
    _check(made.outputs, names.CLASSIFY_OUTPUT_CLASSES, "string", "Classification classes must be a string Tensor.")
    _check(made.outputs, names.CLASSIFY_OUTPUT_SCORES, "float32", "Classification scores must be a float Tensor.")
    return made


def _check(infos: Mapping[str, TensorInfo], name: str, dtype: str, told: str) -> None:
    if name in infos and infos[name].dtype != as_dtype(dtype).as_datatype_enum:
        raise ValueError(told)


def regression_signature_def(examples: Any, predictions: Any) -> SignatureDef:
    """Return the signature of a regression. Source: ``regression_signature_def``."""
    for what, given in (("examples", examples), ("predictions", predictions)):
        if given is None:
            raise ValueError(f"Regression {what} cannot be None.")
    inputs, outputs = _infos({names.REGRESS_INPUTS: examples}), _infos({names.REGRESS_OUTPUTS: predictions})
    _check(inputs, names.REGRESS_INPUTS, "string", "Regression examples must be a string Tensor.")
    _check(outputs, names.REGRESS_OUTPUTS, "float32", "Regression output must be a float Tensor.")
    return SignatureDef(inputs, outputs, names.REGRESS_METHOD_NAME)


def supervised_train_signature_def(
    inputs: Mapping[str, Any],
    loss: Mapping[str, Any] | None,
    predictions: Mapping[str, Any] | None = None,
    metrics: Mapping[str, Any] | None = None,
) -> SignatureDef:
    """Return the signature of training: inputs, and losses, predictions and metrics as outputs.

    Raises ValueError without inputs. Source: ``supervised_train_signature_def``.
    """
    return _supervised(names.SUPERVISED_TRAIN_METHOD_NAME, inputs, (loss, predictions, metrics))


def supervised_eval_signature_def(
    inputs: Mapping[str, Any],
    loss: Mapping[str, Any] | None,
    predictions: Mapping[str, Any] | None = None,
    metrics: Mapping[str, Any] | None = None,
) -> SignatureDef:
    """Return the signature of an evaluation: inputs, and losses, predictions and metrics as outputs.

    Raises ValueError without inputs. Source: ``supervised_eval_signature_def``.
    """
    return _supervised(names.SUPERVISED_EVAL_METHOD_NAME, inputs, (loss, predictions, metrics))


def _supervised(method: str, inputs: Mapping[str, Any], outputs: Iterable[Mapping[str, Any] | None]) -> SignatureDef:
    if not inputs:
        raise ValueError(f"{method} inputs cannot be None or empty.")
    given = {name: info for each in outputs if each is not None for name, info in _infos(each).items()}
    return SignatureDef(_infos(inputs), given, method)


def is_valid_signature(signature_def: SignatureDef | None) -> bool:
    """Tell whether a server can take a signature: of a prediction any tensors, else those that its method names.

    Source: ``is_valid_signature``.
    """
    if signature_def is None or not signature_def.inputs or not signature_def.outputs:
        return False
    method, outputs = signature_def.method_name, signature_def.outputs
    if method == names.PREDICT_METHOD_NAME:
        return True
    text, real = as_dtype("string").as_datatype_enum, as_dtype("float32").as_datatype_enum
    wanted = {
        names.REGRESS_METHOD_NAME: (names.REGRESS_INPUTS, {names.REGRESS_OUTPUTS: real}),
        names.CLASSIFY_METHOD_NAME: (
            names.CLASSIFY_INPUTS,
            {names.CLASSIFY_OUTPUT_CLASSES: text, names.CLASSIFY_OUTPUT_SCORES: real},
        ),
    }
    if method not in wanted:
        return False
    key, types = wanted[method]
    given = {name: info.dtype for name, info in signature_def.inputs.items()}
    return given == {key: text} and all(types.get(name) == info.dtype for name, info in outputs.items())
