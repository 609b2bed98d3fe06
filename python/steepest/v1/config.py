"""``tf.config``: the devices of this process, of which there is one CPU, and settings that change nothing here."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from ..base.errors import must
from .functions.function_internals import Options
from .graph.graph_rewrites import options_of_graphs
from .graph.missing import namespace

__all__ = [
    "LogicalDevice",
    "LogicalDeviceConfiguration",
    "PhysicalDevice",
    "VirtualDeviceConfiguration",
    "enable_tensor_float_32_execution",
    "experimental_functions_run_eagerly",
    "experimental_list_devices",
    "experimental_run_functions_eagerly",
    "functions_run_eagerly",
    "get_device_details",
    "get_device_policy",
    "get_experimental_options",
    "get_inter_op_parallelism_threads",
    "get_intra_op_parallelism_threads",
    "get_jit",
    "get_logical_device_configuration",
    "get_memory_growth",
    "get_soft_device_placement",
    "get_synchronous_execution",
    "get_virtual_device_configuration",
    "get_visible_devices",
    "list_logical_devices",
    "list_physical_devices",
    "run_functions_eagerly",
    "set_device_policy",
    "set_experimental_options",
    "set_inter_op_parallelism_threads",
    "set_intra_op_parallelism_threads",
    "set_jit",
    "set_logical_device_configuration",
    "set_memory_growth",
    "set_soft_device_placement",
    "set_synchronous_execution",
    "set_virtual_device_configuration",
    "set_visible_devices",
    "tensor_float_32_execution_enabled",
]

# TensorFlow has some of these names in `tf.config.experimental`, and the others in two more modules: this one stands
# for all of them.
__getattr__, __dir__ = namespace(__name__, "experimental optimizer threading")


class PhysicalDevice(NamedTuple):
    """A device of the machine."""

    name: str
    device_type: str


class LogicalDevice(NamedTuple):
    """A device as programs name it."""

    name: str
    device_type: str


_CPU = PhysicalDevice("/physical_device:CPU:0", "CPU")


def list_physical_devices(device_type: str | None = None) -> list[PhysicalDevice]:
    """Return the devices of a type, or all: the CPU."""
    return [_CPU] if device_type in (None, "CPU") else []


def list_logical_devices(device_type: str | None = None) -> list[LogicalDevice]:
    """Return the devices of a type, or all, by the names that programs give: the CPU."""
    parts = range(len(_chosen["parts"] or [_CPU]))
    return [LogicalDevice(f"/device:CPU:{k}", "CPU") for k in parts] if device_type in (None, "CPU") else []


def experimental_list_devices() -> list[str]:
    """Return the whole names of the devices. Source: ``tf.config.experimental_list_devices``."""
    return [f"/job:localhost/replica:0/task:0{device.name}" for device in list_logical_devices()]


def get_visible_devices(device_type: str | None = None) -> list[PhysicalDevice]:
    """Return the devices that are used: the CPU."""
    return list_physical_devices(device_type)


def set_visible_devices(devices: Any, device_type: str | None = None) -> None:
    """Accept a choice of devices, in which the CPU stays. Raises ValueError for a device that is not there."""
    for device in (
        devices if isinstance(devices, (list, tuple)) and not isinstance(devices, PhysicalDevice) else [devices]
    ):
        _checked("set_visible_devices", device)


def set_memory_growth(device: Any, enable: bool) -> None:
    """Raise ValueError: there is no GPU whose memory could grow."""
    _checked("set_memory_growth", device)
    raise ValueError("Cannot set memory growth on non-GPU and non-Pluggable devices")


def get_memory_growth(device: Any) -> bool:
    """Return False. Raises ValueError for a device that is not there."""
    _checked("get_memory_growth", device)
    return False


class LogicalDeviceConfiguration(NamedTuple):
    """A part of a device: programs name parts as devices, and here all are the CPU."""

    memory_limit: int | None = None
    experimental_priority: int | None = None
    experimental_device_ordinal: int | None = None


VirtualDeviceConfiguration = LogicalDeviceConfiguration


def get_logical_device_configuration(device: Any) -> list[LogicalDeviceConfiguration] | None:
    """Return what `set_logical_device_configuration` was given. Raises ValueError for a device that is not there."""
    _checked("get_logical_device_configuration", device)
    parts: list[LogicalDeviceConfiguration] | None = _chosen["parts"]
    return parts


def set_logical_device_configuration(device: Any, logical_devices: Sequence[LogicalDeviceConfiguration]) -> None:
    """Name parts of the CPU as devices. Operations run on the whole of it, whichever is named.

    Raises ValueError for a device that is not there, or no parts.
    """
    _checked("set_logical_device_configuration", device)
    if not logical_devices:
        raise ValueError(must("tf.config.set_logical_device_configuration", "logical_devices", "not be empty", "[]"))
    _set_before("Virtual devices", "parts", list(logical_devices))


get_virtual_device_configuration = get_logical_device_configuration
set_virtual_device_configuration = set_logical_device_configuration


def _checked(who: str, device: Any) -> None:
    if device != _CPU:
        raise ValueError(must(f"tf.config.{who}", "device", "be one of list_physical_devices()", device))


_FIRST = {"placement": True, "jit": "", "parts": None, "inter": 0, "intra": 0, "policy": "silent", "synchronous": True}
_FIRST |= {"log placement": False, "tensor float": True, "initialized": False}
_chosen: dict[str, Any] = {**_FIRST}


def forget_settings() -> None:
    """Let all settings be as they are at first."""
    _chosen.update(_FIRST)
    options_of_graphs.clear()


def initialized() -> None:
    """Let what TensorFlow cannot change once it computes stay as it is: a program said that devices are to be ready."""
    _chosen["initialized"] = True


def _set_before(what: str, key: str, value: Any) -> None:
    if _chosen["initialized"] and _chosen[key] != value:
        raise RuntimeError(f"{what} cannot be modified after initialization.")
    _chosen[key] = value


def get_soft_device_placement() -> bool:
    """Return what was set, True at first: here each operation runs on the CPU wherever it is placed."""
    return bool(_chosen["placement"])


def set_soft_device_placement(enabled: bool) -> None:
    """Keep the setting for `get_soft_device_placement`."""
    _chosen["placement"] = bool(enabled)


def run_functions_eagerly(run_eagerly: bool) -> None:
    """Say whether each call of a `tf.function` calls the Python function with the arguments as they are."""
    Options.as_python = bool(run_eagerly)


def functions_run_eagerly() -> bool:
    """Return what `run_functions_eagerly` was given, False at first."""
    return Options.as_python


experimental_run_functions_eagerly = run_functions_eagerly
experimental_functions_run_eagerly = functions_run_eagerly


def get_jit() -> str:
    """Return what `set_jit` was given; nothing is compiled here."""
    return str(_chosen["jit"])


def set_jit(enabled: Any) -> None:
    """Keep the setting for `get_jit`."""
    _chosen["jit"] = "autoclustering" if enabled is True else enabled or ""


def get_experimental_options() -> dict[str, Any]:
    """Return what `set_experimental_options` was given."""
    return dict(options_of_graphs)


def set_experimental_options(options: dict[str, Any]) -> None:
    """Keep options of an optimizer of graphs, which is not here: results are the same without."""
    options_of_graphs.update(options)


def get_inter_op_parallelism_threads() -> int:
    """Return what was set, 0 at first; operations of a run are done one after another."""
    return int(_chosen["inter"])


def set_inter_op_parallelism_threads(num_threads: int) -> None:
    """Keep the setting for `get_inter_op_parallelism_threads`. RuntimeError after `context.ensure_initialized`."""
    _set_before("Inter op parallelism", "inter", int(num_threads))


def get_intra_op_parallelism_threads() -> int:
    """Return what was set, 0 at first; `steepest.set_num_threads` sets the number that is used."""
    return int(_chosen["intra"])


def set_intra_op_parallelism_threads(num_threads: int) -> None:
    """Keep the setting for `get_intra_op_parallelism_threads`. RuntimeError after `context.ensure_initialized`."""
    _set_before("Intra op parallelism", "intra", int(num_threads))


def get_device_policy() -> str:
    """Return what `set_device_policy` was given, ``"silent"`` at first."""
    return str(_chosen["policy"])


def set_device_policy(device_policy: str | None) -> None:
    """Keep what to do with a tensor of another device, of which there is none. Raises ValueError for another word."""
    if device_policy not in (None, "explicit", "silent", "silent_for_int32", "warn"):
        raise ValueError(f"Not a valid device policy: {device_policy!r}")
    _chosen["policy"] = device_policy or "silent"


def get_log_device_placement() -> bool:
    """Return what `set_log_device_placement` was given, False at first."""
    return bool(_chosen["log placement"])


def set_log_device_placement(enabled: bool) -> None:
    """Keep whether to log on which device operations run, of which there is one."""
    _chosen["log placement"] = bool(enabled)


def tensor_float_32_execution_enabled() -> bool:
    """Return what `enable_tensor_float_32_execution` was given, True at first; it concerns GPUs."""
    return bool(_chosen["tensor float"])


def enable_tensor_float_32_execution(enabled: bool) -> None:
    """Keep whether GPUs may multiply matrices in TensorFloat-32; here there are none."""
    _chosen["tensor float"] = bool(enabled)


def get_device_details(device: Any) -> dict[str, Any]:
    """Return an empty dict: there is nothing to tell of the CPU. Raises ValueError for a device that is not there."""
    _checked("get_device_details", device)
    return {}


def get_synchronous_execution() -> bool:
    """Return what `set_synchronous_execution` was given, True at first; each operation is computed at once."""
    return bool(_chosen["synchronous"])


def set_synchronous_execution(enable: bool | None) -> None:
    """Keep the setting for `get_synchronous_execution`."""
    _chosen["synchronous"] = enable is None or enable
