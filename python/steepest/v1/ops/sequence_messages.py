"""``tf.train.SequenceExample``: an example some of whose features are lists of features, one for each step."""

from __future__ import annotations

from ..graph.messages import Field, Message, map_of
from .example_messages import Feature, Features

__all__ = ["FeatureList", "FeatureLists", "SequenceExample"]


class FeatureList(Message):
    """A feature for each step. Source: ``tf.train.FeatureList``."""

    FIELDS = (Field("feature", 1, Feature, repeated=True),)


class FeatureLists(Message):
    """Lists of features by their names. Source: ``tf.train.FeatureLists``."""

    FIELDS = (Field("feature_list", 1, map_of(FeatureList), repeated=True),)


class SequenceExample(Message):
    """Features of a whole sequence, and lists of features. Source: ``tf.train.SequenceExample``."""

    FIELDS = (Field("context", 1, Features), Field("feature_lists", 2, FeatureLists))
