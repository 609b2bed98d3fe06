"""Devices as TensorFlow names them: what programs ask for is recorded on each node; everything runs on the CPU."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

__all__ = [
    "LOCAL_CPU",
    "Beside",
    "DeviceSpec",
    "DeviceSpecV1",
    "DeviceSpecV2",
    "Places",
    "canonical_name",
    "check_valid",
    "merge_device",
]

LOCAL_CPU = "/job:localhost/replica:0/task:0/device:CPU:0"
"""Where everything runs, by its whole name."""

_PARTS = ("job", "replica", "task", "device_type", "device_index")


class DeviceSpecV2:
    """The parts of a device's name, ``/job:ps/replica:0/task:1/device:CPU:0``; each may be None.

    Source: ``tf.compat.v2.DeviceSpec``.
    """

    def __init__(
        self,
        job: str | None = None,
        replica: int | None = None,
        task: int | None = None,
        device_type: str | None = None,
        device_index: int | None = None,
    ) -> None:
        self.job = job or None
        self.replica = None if replica is None else int(replica)
        self.task = None if task is None else int(task)
        self.device_type = device_type
        self.device_index = None if device_index is None else int(device_index)

    @property
    def device_type(self) -> str | None:
        """The kind of device; ``cpu`` and ``gpu`` are written in capitals."""
        return self._device_type

    @device_type.setter
    def device_type(self, kind: str | None) -> None:
        self._device_type = kind.upper() if kind and kind.lower() in ("cpu", "gpu") else kind or None

    def parse_from_string(self, spec: str) -> Any:
        """Return the parts of a name. ValueError for a part that is not known."""
        return self.from_string(spec)

    @classmethod
    def from_string(cls, spec: str) -> Any:
        """Return the parts of a name. ValueError for a part that is not known, or two types of device."""
        found = cls()
        for part in spec.split("/"):
            key, *values = part.split(":")
            if len(values) == 1 and key == "job":
                found.job = values[0]
            elif len(values) == 1 and key in ("replica", "task"):
                setattr(found, key, int(values[0]))
            elif (len(values) <= 1 and key.upper() in ("CPU", "GPU")) or (len(values) == 2 and key == "device"):
                if found.device_type is not None:
                    told = "Multiple device types are not allowed while parsing the device spec"
                    raise ValueError(f"{told}: {spec}. Cannot specify multiple device types: {spec}")
                kind, *index = values if key == "device" else [key, *values]
                found.device_type = kind
                found.device_index = int(index[0]) if index and index[0] != "*" else None
            elif key:
                told = f"Unknown attribute '{key}' is encountered while parsing the device spec"
                raise ValueError(f"{told}: '{spec}'. Unknown attribute: '{key}' in '{spec}'")
        return found

    def replace(self, **parts: Any) -> Any:
        """Return a specification with other parts."""
        return type(self)(**{**{part: getattr(self, part) for part in _PARTS}, **parts})

    def make_merged_spec(self, dev: Any) -> Any:
        """Return a specification with those parts of another that it has, and this one's others."""
        return self.replace(**{part: getattr(dev, part) for part in _PARTS if getattr(dev, part) is not None})

    def to_string(self) -> str:
        """Return the name; an index that is not given is ``*``."""
        text = f"/job:{self.job}" if self.job is not None else ""
        text += f"/replica:{self.replica}" if self.replica is not None else ""
        text += f"/task:{self.task}" if self.task is not None else ""
        if self.device_type is not None:
            text += f"/device:{self.device_type}:{'*' if self.device_index is None else self.device_index}"
        return text

    def __eq__(self, other: object) -> bool:
        return isinstance(other, DeviceSpecV2) and self.to_string() == other.to_string()

    def __hash__(self) -> int:
        return hash(self.to_string())

    def __repr__(self) -> str:
        return f"<tf.DeviceSpec {self.to_string()!r}>"


class DeviceSpec(DeviceSpecV2):
    """The parts of a device's name, ``/job:ps/replica:0/task:1/device:CPU:0``; each may be None.

    Example:
        >>> from steepest import v1 as tf
        >>> tf.DeviceSpec.from_string("/job:ps/cpu:0").to_string()
        '/job:ps/device:CPU:0'

    Source: ``tf.DeviceSpec``.
    """

    def parse_from_string(self, spec: str) -> DeviceSpec:
        """Take the parts from a name, and return the object. ValueError for a part that is not known."""
        self.__dict__.update(self.from_string(spec).__dict__)
        return self

    def merge_from(self, dev: DeviceSpec) -> None:
        """Take those parts of another that it has."""
        self.__dict__.update(self.make_merged_spec(dev).__dict__)


DeviceSpecV1 = DeviceSpec


def check_valid(spec: str) -> None:
    """Raise ValueError for what is no name of a device."""
    DeviceSpec.from_string(spec)


def canonical_name(device: Any) -> str:
    """Return a device's name in its full form."""
    if device is None:
        return ""
    spec: DeviceSpecV2 = device if isinstance(device, DeviceSpecV2) else DeviceSpec.from_string(device)
    return spec.to_string()


def merge_device(spec: Any) -> Any:
    """Return what `tf.device` takes for a device inside which others may be given."""
    return spec if isinstance(spec, DeviceSpecV2) else DeviceSpec.from_string(spec or "")


@dataclass(frozen=True)
class Beside:
    """Stands for an operation that is yet to be made, for what is to be near to it."""

    name: str
    device = ""

    def colocation_groups(self) -> list[bytes]:
        """Return the group of the operation."""
        return [f"loc:@{self.name}".encode()]


class Places:
    """What a graph's new nodes are told of devices: names and functions in force, and what they are to be near to."""

    def __init__(self) -> None:
        self.devices: list[Any] = []
        self.near: list[Any] = []

    @contextmanager
    def device(self, place: Any) -> Iterator[None]:
        """Put new nodes at a device: a name, a `DeviceSpec`, a function of the operation; None forgets those outside.

        Raises ValueError for a name with a part that is not known, RuntimeError when others that are inside it are
        still open at its end.
        """
        spec = DeviceSpec.from_string(place) if isinstance(place, str) else place
        before, within = self.devices, [*self.devices, spec]
        self.devices = within
        try:
            yield
        finally:
            if self.devices is not within:
                raise RuntimeError("Exiting device scope without proper scope nesting: leave the inner ones first")
            self.devices = before

    @contextmanager
    def colocated(self, op: Any, ignore_existing: bool) -> Iterator[None]:
        """Put new nodes near to an operation. ValueError for None, unless it is to forget those outside."""
        if op is None and not ignore_existing:
            raise ValueError("Trying to reset colocation (op is None) but ignore_existing is not True")
        before = (self.devices, self.near)
        near = getattr(op, "op", op)
        added = [near] if hasattr(near, "colocation_groups") else []  # a tensor of eager mode is near to nothing
        self.devices, self.near = [], [*([] if ignore_existing else self.near), *added]
        try:
            yield
        finally:
            self.devices, self.near = before

    def put(self, op: Any) -> None:
        """Record on a new operation where it was asked to be."""
        for spec in reversed(self.devices):
            if spec is None:
                break
            op._attributes["_device"] = _placed(spec, op)
        groups = set()
        for near in self.near:
            groups.update(near.colocation_groups())
            if near.device:
                op._attributes["_device"] = near.device
        if groups:
            op._attributes["_class"] = sorted(groups)


def _placed(spec: DeviceSpecV2 | Callable[[Any], Any], op: Any) -> str:
    """Return the name of the device of an operation that is put at another one outside of its own."""
    if not callable(spec):
        return canonical_name(spec.make_merged_spec(DeviceSpec.from_string(op.device)))
    chosen = spec(op)
    return chosen if isinstance(chosen, str) else canonical_name(chosen)  # a function's name stays as it is
