"""``tf.contrib.training.HParams``: hyperparameters that keep their types, and the texts that change them."""

from __future__ import annotations

import json
import numbers
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

__all__ = ["HParamDef", "HParams", "parse_values"]

_CLAUSE = re.compile(
    r"(?P<name>[a-zA-Z][\w.]*)(\[\s*(?P<index>\d+)\s*\])?\s*=\s*((?P<value>[^,\[]*)|\[(?P<list>[^\]]*)\])($|,\s*)"
)


@dataclass
class HParamDef:
    """What `HParams.to_proto` gives: the values by name. Source: ``hparam_pb2.HParamDef``."""

    hparam: dict[str, Any] = field(default_factory=dict)


class HParams:
    """Hyperparameters as attributes, which keep their types. Source: ``tf.contrib.training.HParams``.

    Example:
        >>> from steepest.v1.contrib.training import HParams
        >>> hparams = HParams(rate=0.1, layers=[3, 4], name="a").parse("rate=0.5,layers=[7]")
        >>> hparams.rate, hparams.layers, "name" in hparams
        (0.5, [7], True)
    """

    def __init__(self, hparam_def: Any = None, model_structure: Any = None, **kwargs: Any) -> None:
        self._hparam_types: dict[str, tuple[type, bool]] = {}
        self._model_structure = model_structure
        if hparam_def and not isinstance(hparam_def, HParamDef):
            raise AssertionError(f"HParams: hparam_def must be what to_proto() gives, got {hparam_def!r:.80}")
        if hparam_def and kwargs:
            raise ValueError("hparam_def and initialization values are mutually exclusive")
        for name, value in (hparam_def.hparam if hparam_def else kwargs).items():
            self.add_hparam(name, value)

    def add_hparam(self, name: str, value: Any) -> None:
        """Add one. Raises ValueError for a name that is taken, or an empty list."""
        if getattr(self, name, None) is not None:
            raise ValueError(f"Hyperparameter name is reserved: {name}")
        if isinstance(value, (list, tuple)):
            if not value:
                raise ValueError(f"Multi-valued hyperparameters cannot be empty: {name}")
            self._hparam_types[name] = (type(value[0]), True)
        else:
            self._hparam_types[name] = (type(value), False)
        setattr(self, name, value)

    def set_hparam(self, name: str, value: Any) -> None:
        """Give one another value of its type. Raises KeyError for an unknown name, ValueError for another type."""
        kind, several = self._hparam_types[name]
        if isinstance(value, (list, tuple)):
            if not several:
                raise ValueError(f"Must not pass a list for single-valued parameter: {name}")
            setattr(self, name, [_as(kind, name, each) for each in value])
            return
        if several:
            raise ValueError(f"Must pass a list for multi-valued parameter: {name}.")
        setattr(self, name, _as(kind, name, value))

    def del_hparam(self, name: str) -> None:
        """Remove one, if it is there."""
        if hasattr(self, name):
            delattr(self, name)
            del self._hparam_types[name]

    def override_from_dict(self, values_dict: dict[str, Any]) -> HParams:
        """Set several; see `set_hparam`."""
        for name, value in values_dict.items():
            self.set_hparam(name, value)
        return self

    set_from_map = override_from_dict

    def parse(self, values: str) -> HParams:
        """Set those of ``name=value,name=[value,value]``; see `parse_values`."""
        return self.override_from_dict(parse_values(values, {name: kind for name, (kind, _) in self._types()}))

    def _types(self) -> list[tuple[str, tuple[type, bool]]]:
        return list(self._hparam_types.items())

    def parse_json(self, values_json: str) -> HParams:
        """Set those of a JSON object."""
        return self.override_from_dict(json.loads(values_json))

    def values(self) -> dict[str, Any]:
        """Return all by name."""
        return {name: getattr(self, name) for name in self._hparam_types}

    def to_json(self, indent: Any = None, separators: Any = None, sort_keys: bool = False) -> str:
        """Return all as a JSON object; functions are left out."""
        plain = {name: value for name, value in self.values().items() if not callable(value)}
        return json.dumps(plain, indent=indent, separators=separators, sort_keys=sort_keys)

    def to_proto(self, export_scope: str | None = None) -> HParamDef:
        """Return the values as the message that ``HParams(hparam_def=...)`` takes."""
        return HParamDef(self.values())

    @staticmethod
    def from_proto(hparam_def: HParamDef, import_scope: str | None = None) -> HParams:
        """Return the hyperparameters of a message."""
        return HParams(hparam_def=hparam_def)

    def get(self, key: str, default: Any = None) -> Any:
        """Return one, or the default where there is none; ValueError for a default of another type than it has."""
        if key not in self._hparam_types:
            return default
        kind, several = self._hparam_types[key]
        if default is not None:
            said = f"Hparam '{key}' of type '{f'list<{kind}>' if several else kind}' is incompatible with {default=}"
            if isinstance(default, list) != several:
                raise ValueError(said)
            for each in default if several else [default]:
                _as(kind, key, each)
        return getattr(self, key)

    def get_model_structure(self) -> Any:
        """Return what was given as ``model_structure``."""
        return self._model_structure

    def set_model_structure(self, model_structure: Any) -> None:
        """Keep an object that programs keep here."""
        self._model_structure = model_structure

    def __contains__(self, key: str) -> bool:
        return key in self._hparam_types

    def __str__(self) -> str:
        return ",".join(f"{name}={value}" for name, value in self.values().items())

    def __repr__(self) -> str:
        return f"{type(self).__name__}({sorted(self.values().items())})"


def _as(kind: type, name: str, value: Any) -> Any:
    """Return a value as one of a type, if nothing is lost."""
    if type(value) is kind or kind is type(None):
        return value
    wrong = issubclass(kind, (str, bytes)) and not isinstance(value, (str, bytes))
    wrong = wrong or issubclass(kind, bool) != isinstance(value, bool)
    for family in (numbers.Integral, numbers.Number):
        wrong = wrong or (issubclass(kind, family) and not isinstance(value, family))
    if wrong:
        raise ValueError(f"Could not cast hparam '{name}' of type '{kind}' from value {value!r}")
    make: Callable[[Any], Any] = kind
    return make(value)


def parse_values(values: str, type_map: dict[str, type], ignore_unknown: bool = False) -> dict[str, Any]:
    """Return what a text such as ``"a=1,b=[2,3],c[4]=5"`` says: values, lists, and of elements their dicts.

    Args:
        values: the text.
        type_map: the types of the names; those of lists are the types of their elements.
        ignore_unknown: names without a type are left out.

    Raises:
        ValueError: for a text of another form, values of other types, unknown names, and names that come twice.

    Source: ``tf.contrib.training.parse_values``.
    """
    found: dict[str, Any] = {}
    at = 0
    while at < len(values):
        clause = _CLAUSE.match(values, at)
        if clause is None:
            raise ValueError(f"Malformed hyperparameter value: {values[at:]}")
        at = clause.end()
        if clause["name"] in type_map:
            _take(clause, type_map[clause["name"]], values, found)
        elif not ignore_unknown:
            raise ValueError(f"Unknown hyperparameter type for {clause['name']}")
    return found


def _take(clause: re.Match[str], kind: type, values: str, found: dict[str, Any]) -> None:
    """Put what one clause says with what others said."""
    name, index = clause["name"], clause["index"]
    if clause["list"] is not None:
        if index is not None:
            raise ValueError("Assignment of a list to a list index.")
        parsed: Any = [_read(kind, name, text, values) for text in re.split("[ ,]", clause["list"]) if text]
    else:
        parsed = _read(kind, name, clause["value"], values)
    again = name
    if index is not None and isinstance(found.setdefault(name, {}), dict):
        found, name, again = found[name], int(index), f"{name}[{index}]"
    if name in found:
        raise ValueError(f"Multiple assignments to variable '{again}' in {values}")
    found[name] = parsed


def _read(kind: type, name: str, text: str, values: str) -> Any:
    try:
        if kind is bool:
            return text in ("true", "True") or (text not in ("false", "False") and bool(int(text)))
        return text if kind is type(None) else kind(text)
    except ValueError:
        said = f"Could not parse hparam '{name}' of type '{kind.__name__}' with value '{text}' in {values}"
        raise ValueError(said) from None
