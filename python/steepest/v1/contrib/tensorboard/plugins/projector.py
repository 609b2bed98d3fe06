"""``tf.contrib.tensorboard.plugins.projector``: which variables TensorBoard shows as points, and with what labels."""

from __future__ import annotations

import json
import os
from typing import Any

from ....graph.missing import namespace

__all__ = ["EmbeddingInfo", "ProjectorConfig", "SpriteMetadata", "visualize_embeddings"]

__getattr__, __dir__ = namespace(__name__)


class SpriteMetadata:
    """An image made of small ones, one for each row of a table: its path, and the small ones' width and height."""

    def __init__(self, image_path: str = "", single_image_dim: Any = ()) -> None:
        self.image_path = image_path
        self.single_image_dim = list(single_image_dim)

    def _lines(self) -> list[str]:
        return [*_text("image_path", self.image_path), *(f"single_image_dim: {size}" for size in self.single_image_dim)]


class EmbeddingInfo:
    """A variable to be shown: its name, and the files of its rows' labels, bookmarks and images."""

    def __init__(
        self, tensor_name: str = "", metadata_path: str = "", bookmarks_path: str = "", tensor_path: str = ""
    ) -> None:
        self.tensor_name = tensor_name
        self.metadata_path = metadata_path
        self.bookmarks_path = bookmarks_path
        self.tensor_path = tensor_path
        self.tensor_shape: list[int] = []
        self.sprite = SpriteMetadata()

    def _lines(self) -> list[str]:
        lines = [*_text("tensor_name", self.tensor_name), *_text("metadata_path", self.metadata_path)]
        lines += [*_text("bookmarks_path", self.bookmarks_path), *(f"tensor_shape: {n}" for n in self.tensor_shape)]
        sprite = self.sprite._lines()
        return [*lines, *(_block("sprite", sprite) if sprite else []), *_text("tensor_path", self.tensor_path)]


class _Embeddings(list[EmbeddingInfo]):
    def add(self, **fields: Any) -> EmbeddingInfo:
        """Add a variable, and return it so that its fields can be set."""
        self.append(EmbeddingInfo(**fields))
        return self[-1]


class ProjectorConfig:
    """What TensorBoard's projector shows: ``embeddings``, to which ``embeddings.add()`` adds one.

    Source: ``tf.contrib.tensorboard.plugins.projector.ProjectorConfig``.

    Example:
        >>> from steepest.v1.contrib.tensorboard.plugins import projector
        >>> config = projector.ProjectorConfig()
        >>> config.embeddings.add().tensor_name = "words"
        >>> print(config)
        embeddings {
          tensor_name: "words"
        }
    """

    def __init__(self, model_checkpoint_path: str = "", model_checkpoint_dir: str = "") -> None:
        self.model_checkpoint_path = model_checkpoint_path
        self.model_checkpoint_dir = model_checkpoint_dir
        self.embeddings = _Embeddings()

    def __str__(self) -> str:
        lines = _text("model_checkpoint_path", self.model_checkpoint_path)
        for each in self.embeddings:
            lines += _block("embeddings", each._lines())
        return "\n".join([*lines, *_text("model_checkpoint_dir", self.model_checkpoint_dir)])


def visualize_embeddings(summary_writer: Any, config: ProjectorConfig) -> None:
    """Write ``projector_config.pbtxt``, which TensorBoard reads, into the folder of a `FileWriter`.

    Raises ValueError for a writer without a folder.
    """
    folder = summary_writer.get_logdir() if hasattr(summary_writer, "get_logdir") else summary_writer
    if folder is None:
        raise ValueError("Summary writer must have a logdir")
    with open(os.path.join(folder, "projector_config.pbtxt"), "w") as file:
        file.write(f"{config}\n")


def _text(name: str, value: str) -> list[str]:
    return [f"{name}: {json.dumps(value)}"] if value else []


def _block(name: str, lines: list[str]) -> list[str]:
    return [f"{name} {{", *(f"  {line}" for line in lines), "}"]
