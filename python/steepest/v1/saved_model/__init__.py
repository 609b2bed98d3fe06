"""``tf.saved_model``: graphs with their variables' values in a folder, for programs that have none of the code."""

from typing import TYPE_CHECKING

from ..graph.missing import namespace
from ..saving.assets import Asset
from . import builder, constants, loader, main_op, signature_constants, signature_def_utils, tag_constants, utils
from .builder import SavedModelBuilder, simple_save
from .builder import SavedModelBuilder as Builder
from .constants import *
from .loader import load, maybe_saved_model_directory
from .loader import maybe_saved_model_directory as contains_saved_model
from .main_op import main_op_with_restore
from .options import LoadOptions, SaveOptions
from .signature_constants import *
from .signature_def_utils import (
    build_signature_def,
    classification_signature_def,
    is_valid_signature,
    predict_signature_def,
    regression_signature_def,
)
from .tag_constants import *
from .utils import build_tensor_info, get_tensor_from_tensor_info

__all__ = [
    "Asset",
    "Builder",
    "LoadOptions",
    "SaveOptions",
    "SavedModelBuilder",
    "build_signature_def",
    "build_tensor_info",
    "builder",
    "classification_signature_def",
    "constants",
    "contains_saved_model",
    "experimental",
    "get_tensor_from_tensor_info",
    "is_valid_signature",
    "load",
    "load_v2",
    "loader",
    "main_op",
    "main_op_with_restore",
    "maybe_saved_model_directory",
    "predict_signature_def",
    "regression_signature_def",
    "save",
    "signature_constants",
    "signature_def_utils",
    "simple_save",
    "tag_constants",
    "utils",
    *constants.__all__,
    *signature_constants.__all__,
    *tag_constants.__all__,
]

if TYPE_CHECKING:
    from . import experimental
    from .object_loading import load_v2
    from .object_saving import save

_LATE = {"experimental": ["experimental"], "object_loading": ["load_v2"], "object_saving": ["save"]}
__getattr__, __dir__ = namespace(__name__, late=_LATE)  # few programs save objects
