"""``tf.saved_model.constants``: where the parts of a saved model are; the graphs are in a file of this library's."""

from ..graph.missing import namespace

SAVED_MODEL_SCHEMA_VERSION = 1
SAVED_MODEL_FILENAME = "saved_model.json"
SAVED_MODEL_FILENAME_PB, SAVED_MODEL_FILENAME_PBTXT = "saved_model.pb", "saved_model.pbtxt"  # TensorFlow's, not written
ASSETS_DIRECTORY = "assets"
ASSETS_KEY = "saved_model_assets"
VARIABLES_DIRECTORY = "variables"
VARIABLES_FILENAME = "variables"
DEBUG_DIRECTORY, DEBUG_INFO_FILENAME_PB = "debug", "saved_model_debug_info.pb"  # TensorFlow's, not written
MAIN_OP_KEY = "saved_model_main_op"
TRAIN_OP_KEY = "saved_model_train_op"
INIT_OP_SIGNATURE_KEY, TRAIN_OP_SIGNATURE_KEY = "__saved_model_init_op", "__saved_model_train_op"
LEGACY_INIT_OP_KEY = "legacy_init_op"

__all__ = [
    "ASSETS_DIRECTORY",
    "ASSETS_KEY",
    "DEBUG_DIRECTORY",
    "DEBUG_INFO_FILENAME_PB",
    "INIT_OP_SIGNATURE_KEY",
    "LEGACY_INIT_OP_KEY",
    "MAIN_OP_KEY",
    "SAVED_MODEL_FILENAME",
    "SAVED_MODEL_FILENAME_PB",
    "SAVED_MODEL_FILENAME_PBTXT",
    "SAVED_MODEL_SCHEMA_VERSION",
    "TRAIN_OP_KEY",
    "TRAIN_OP_SIGNATURE_KEY",
    "VARIABLES_DIRECTORY",
    "VARIABLES_FILENAME",
]

__getattr__, __dir__ = namespace(__name__)
