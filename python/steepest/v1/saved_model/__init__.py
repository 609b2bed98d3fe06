"""``tf.saved_model``: graphs with their variables' values in a folder, for programs that have none of the code."""

from ..graph.missing import namespace
from . import builder, constants, loader, main_op, signature_constants, signature_def_utils, tag_constants, utils
from .builder import SavedModelBuilder, simple_save
from .builder import SavedModelBuilder as Builder
from .constants import *
from .loader import load, maybe_saved_model_directory
from .loader import maybe_saved_model_directory as contains_saved_model
from .main_op import main_op_with_restore
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
    "Builder",
    "SavedModelBuilder",
    "build_signature_def",
    "build_tensor_info",
    "builder",
    "classification_signature_def",
    "constants",
    "contains_saved_model",
    "get_tensor_from_tensor_info",
    "is_valid_signature",
    "load",
    "loader",
    "main_op",
    "main_op_with_restore",
    "maybe_saved_model_directory",
    "predict_signature_def",
    "regression_signature_def",
    "signature_constants",
    "signature_def_utils",
    "simple_save",
    "tag_constants",
    "utils",
    *constants.__all__,
    *signature_constants.__all__,
    *tag_constants.__all__,
]

__getattr__, __dir__ = namespace(__name__)
