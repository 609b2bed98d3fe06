"""``tf.compat.v2``: functions with TensorFlow 2's arguments; where these mean something else here, an error says so."""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any

from ..graph.left_out import LeftOutModule
from ..ops.rearranging_ops import where_v2
from ..variables import initializers_v2
from . import image_names, reordered_names, second_names
from .reordered_names import reordered

__all__: list[str] = []

# Second forms by their public names, where these are not the internal ones without ``_v2``.
_FORMS = {
    "case": "case_v2",
    "cond": "cond_for_tf_v2",
    "debugging.assert_all_finite": "verify_tensor_all_finite_v2",
    "hessians": "HessiansV2",
    "nn.softmax_cross_entropy_with_logits": "softmax_cross_entropy_with_logits_v2_helper",
    "random.poisson": "random_poisson_v2",
    "strings.length": "string_length_v2",
}
# The order of the second form's arguments.
_ORDERS = {
    "image.draw_bounding_boxes": "images boxes colors name",
    "io.decode_csv": "records record_defaults field_delim use_quote_delim na_value select_cols name",
    "io.parse_example": "serialized features example_names name",
    "io.parse_single_example": "serialized features example_names name",
    "io.serialize_many_sparse": "sp_input out_type name",
    "io.serialize_sparse": "sp_input out_type name",
    "math.confusion_matrix": "labels predictions num_classes weights dtype name",
    "nn.depth_to_space": "input block_size data_format name",
    "nn.space_to_depth": "input block_size data_format name",
    "sparse.concat": "axis sp_inputs expand_nonconcat_dims name",
    "sparse.segment_mean": "data indices segment_ids num_segments name",
    "sparse.segment_sqrt_n": "data indices segment_ids num_segments name",
    "sparse.segment_sum": "data indices segment_ids num_segments name",
    "sparse.split": "sp_input num_split axis name",
}
_ORDERS |= {path.partition(".")[2]: order for path, order in _ORDERS.items() if path == "math.confusion_matrix"}
# What has a first form that takes, or does, something else.
_OTHERS = {
    *("batch_to_space", "image.resize", "image.sample_distorted_bounding_box", "io.decode_raw"),
    *("nn.space_to_batch", "space_to_batch", "strings.split", "summary"),
    *("test.assert_equal_graph_def", "test.compute_gradient"),
}
# What lies in Keras.
_OF_KERAS = ("losses", "metrics", "optimizers")
# What has no first form.
_SECOND_ONLY = {f"image.{name}": image_names for name in image_names.__all__ if name.startswith("stateless_")}
# What the first form has under another name.
_RENAMED = {"saved_model.load": "load_v2"}
_SPACES = ("", "debugging.", "linalg.", "math.", "nn.", "strings.")


class SecondSpace(ModuleType):
    """A namespace of ``tf.compat.v2``."""

    def __init__(self, path: str, first: Any) -> None:
        super().__init__(f"{__name__}.{path}", f"``tf.compat.v2.{path}``, as far as it is here.")
        self.__dict__.update(_path=path, _first=first)

    def __getattr__(self, name: str) -> Any:
        found = second(f"{self._path}.{name}", self._first, name)
        setattr(self, name, found)
        return found

    def __dir__(self) -> list[str]:
        return dir(self._first)


def second(path: str, space: Any, name: str) -> Any:
    """Return what a path below ``tf.compat.v2`` means, of which the first form is a name in a space."""
    if name.startswith("__"):
        raise AttributeError(name)
    if path in _SECOND_ONLY:
        return getattr(_SECOND_ONLY[path], name)
    if path in _OTHERS:
        raise AttributeError(f"tf.compat.v2.{path} is not here: it is not what tf.{path} is")
    if path in _OF_KERAS:
        return getattr(space.keras, name)
    if path in ("initializers", "where"):
        return initializers_v2 if path == "initializers" else where_v2
    if "." not in path and name.endswith("_initializer") and name in initializers_v2.__all__:
        return getattr(initializers_v2, name)
    if path in _RENAMED:
        return getattr(space, _RENAMED[path])
    first = getattr(space, name)
    if isinstance(first, ModuleType) and not isinstance(first, LeftOutModule):
        return SecondSpace(path, first)
    if path in _ORDERS:
        return reordered(first, _ORDERS[path])
    form = _FORMS.get(path, f"{name}_v2")
    if path in _FORMS or path.removesuffix(name) in _SPACES:
        for forms in (reordered_names, second_names):
            if form in forms.__all__:
                return getattr(forms, form)
    return first


def __getattr__(name: str) -> Any:
    found = second(name, sys.modules[__name__.removesuffix(".python.compat_v2")], name)
    globals()[name] = found
    return found
