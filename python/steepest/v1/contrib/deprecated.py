"""``tf.contrib.deprecated``: summaries as before TensorFlow 1.0, with the tag as it is given."""

from ..graph.missing import namespace
from ..summaries.old_names import (
    audio_summary,
    histogram_summary,
    image_summary,
    merge_all_summaries,
    merge_summary,
    scalar_summary,
)

__all__ = [
    "audio_summary",
    "histogram_summary",
    "image_summary",
    "merge_all_summaries",
    "merge_summary",
    "scalar_summary",
]

__getattr__, __dir__ = namespace(__name__)
