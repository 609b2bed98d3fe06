"""``tf.train.SequenceExample``: an example some of whose features are lists of features, one for each step."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ..graph.wire_format import field_of, fields_in
from .example_messages import Feature, Features, Message
from .string_ops import as_bytes

__all__ = ["FeatureList", "FeatureLists", "SequenceExample"]


class FeatureList(Message):
    """A feature for each step. Source: ``tf.train.FeatureList``."""

    def __init__(self, feature: Iterable[Feature] = ()) -> None:
        self.feature = list(feature)

    def SerializeToString(self) -> bytes:
        """Return the message's bytes."""
        return b"".join(field_of(1, each.SerializeToString()) for each in self.feature)

    def ParseFromString(self, serialized: bytes) -> int:
        """Become what the bytes say."""
        parts = [data for number, data in fields_in(serialized) if number == 1 and isinstance(data, bytes)]
        self.feature = [Feature.FromString(part) for part in parts]
        return len(serialized)


class _ListsByName(dict[str, FeatureList]):
    """Lists by their names: one that is asked for is made."""

    def __missing__(self, key: str) -> FeatureList:
        return self.setdefault(key, FeatureList())


class FeatureLists(Message):
    """Lists of features by their names. Source: ``tf.train.FeatureLists``."""

    def __init__(self, feature_list: Mapping[str, FeatureList] | None = None) -> None:
        self.feature_list = _ListsByName(feature_list or {})

    def SerializeToString(self) -> bytes:
        """Return the message's bytes, the lists in the order of their names."""
        entries = (
            (field_of(1, name.encode()), each.SerializeToString()) for name, each in sorted(self.feature_list.items())
        )
        return b"".join(field_of(1, name + field_of(2, data)) for name, data in entries)

    def ParseFromString(self, serialized: bytes) -> int:
        """Become what the bytes say."""
        self.feature_list = _ListsByName()
        for number, entry in fields_in(serialized):
            if number == 1 and isinstance(entry, bytes):
                parts = dict(fields_in(entry))
                name = as_bytes(parts.get(1, b"")).decode()
                self.feature_list[name] = FeatureList.FromString(as_bytes(parts.get(2, b"")))
        return len(serialized)


class SequenceExample(Message):
    """Features of a whole sequence, and lists of features. Source: ``tf.train.SequenceExample``."""

    def __init__(self, context: Features | None = None, feature_lists: FeatureLists | None = None) -> None:
        self.context = Features() if context is None else context
        self.feature_lists = FeatureLists() if feature_lists is None else feature_lists

    def SerializeToString(self) -> bytes:
        """Return the message's bytes."""
        parts = enumerate((self.context.SerializeToString(), self.feature_lists.SerializeToString()), 1)
        return b"".join(field_of(number, data) for number, data in parts if data)

    def ParseFromString(self, serialized: bytes) -> int:
        """Become what the bytes say."""
        parts = {1: b"", 2: b""}
        for number, data in fields_in(serialized):
            if number in parts and isinstance(data, bytes):
                parts[number] += data
        self.context, self.feature_lists = Features.FromString(parts[1]), FeatureLists.FromString(parts[2])
        return len(serialized)
