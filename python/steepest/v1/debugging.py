"""``tf.debugging``: checks of tensors."""

from .config import get_log_device_placement, set_log_device_placement
from .graph.missing import namespace
from .ops import check_ops, compare_checks
from .ops.check_ops import *
from .ops.compare_checks import *
from .ops.math_ops import is_finite, is_inf, is_nan
from .ops.script_ops import Assert, check_numerics
from .ops.shape_checks import assert_shapes
from .ops.special_math_ops import is_non_decreasing, is_strictly_increasing

assert_all_finite = check_ops.verify_tensor_all_finite

__all__ = [
    "Assert",
    "assert_all_finite",
    "assert_shapes",
    "check_numerics",
    "disable_traceback_filtering",
    "enable_traceback_filtering",
    "get_log_device_placement",
    "is_finite",
    "is_inf",
    "is_nan",
    "is_non_decreasing",
    "is_strictly_increasing",
    "is_traceback_filtering_enabled",
    "set_log_device_placement",
    *check_ops.__all__,
    *compare_checks.__all__,
]

__getattr__, __dir__ = namespace(__name__)

_settings = {"filters": True}


def is_traceback_filtering_enabled() -> bool:
    """Tell what was set last, True at first; Python's tracebacks show all there is in either case."""
    return _settings["filters"]


def enable_traceback_filtering() -> None:
    """Set what `is_traceback_filtering_enabled` tells."""
    _settings["filters"] = True


def disable_traceback_filtering() -> None:
    """Set what `is_traceback_filtering_enabled` tells."""
    _settings["filters"] = False
