"""Programs of images cut and framed by tensors, resized by every method, and of what such functions refuse."""

from __future__ import annotations

from typing import Any

import numpy as np
from answers import graph, run, tried
from answers_choices import kinds

IMAGE = np.arange(1, 25, dtype=np.float32).reshape(4, 6, 1)


@graph
def boxes_given_by_tensors(tf: Any) -> Any:
    x = tf.placeholder(tf.float32, [None, None, None])
    box = tf.placeholder(tf.int32, [4])
    cut = tf.image.crop_to_bounding_box(x, box[0], box[1], box[2], box[3])
    framed = tf.image.pad_to_bounding_box(x, box[0], box[1], box[2], box[3])
    both = tf.image.resize_image_with_crop_or_pad(x, box[2], box[3])
    with tf.Session() as session:
        good = [
            session.run(cut, {x: IMAGE, box: [1, 2, 2, 3]}),
            session.run(framed, {x: IMAGE, box: [1, 2, 6, 9]}),
            session.run(both, {x: IMAGE, box: [0, 0, 6, 3]}),
        ]
        bad = [
            (cut, [3, 0, 2, 2]),
            (cut, [-1, 0, 2, 2]),
            (cut, [0, 0, 2, 0]),
            (framed, [0, 0, 3, 6]),
            (both, [0, 0, 0, 1]),
        ]
        raised = kinds(tried(*(lambda f=f, b=b: session.run(f, {x: IMAGE, box: b}) for f, b in bad)))
    return good, raised


@graph
def boxes_that_the_graph_knows(tf: Any) -> Any:
    unknown = tf.placeholder(tf.float32)
    shapes = [
        tf.image.crop_to_bounding_box(unknown, 0, 0, 5, 6).shape.as_list(),
        tf.image.pad_to_bounding_box(unknown, 0, 0, 5, 6).shape.as_list(),
        tf.image.resize_image_with_crop_or_pad(unknown, 5, 6).shape.as_list(),
        tf.image.central_crop(tf.placeholder(tf.float32, [None, 60, 3]), 0.5).shape.as_list(),
    ]
    refused = kinds(
        tried(
            lambda: tf.image.crop_to_bounding_box(IMAGE, 0, 5, 2, 2),
            lambda: tf.image.pad_to_bounding_box(IMAGE, 1, 0, 4, 6),
            lambda: tf.image.crop_to_bounding_box(np.zeros([3, 5]), 0, 0, 2, 2),
            lambda: tf.image.resize_image_with_crop_or_pad(np.zeros([0, 2, 2]), 1, 1),
            lambda: tf.image.grayscale_to_rgb(tf.constant([1.0])),
            lambda: tf.image.adjust_contrast(IMAGE, [2.0]),
        )
    )
    whole = tf.constant(IMAGE)
    return shapes, refused, tf.image.central_crop(whole, 1.0).op.name == whole.op.name


@graph
def sizes_in_ratio(tf: Any) -> Any:
    x, size = tf.placeholder(tf.float32, [None, None, 1]), tf.placeholder(tf.int32, [2])
    kept = tf.image.resize_images(x, size, preserve_aspect_ratio=True)
    framed = tf.image.resize_image_with_pad(x, size[0], size[1])
    with tf.Session() as session:
        found = [session.run([kept, framed], {x: IMAGE, size: each}) for each in ([8, 8], [3, 9], [2, 2])]
    bad: list[Any] = [tf.constant(4), tf.constant([4]), [1, 2, 3], tf.constant([6.0, 4]), [6, 4.0], [None, 4]]
    return found, kinds(tried(*(lambda s=s: tf.image.resize_images(IMAGE, s) for s in bad)))


@graph
def gammas(tf: Any) -> Any:
    gamma = tf.placeholder(tf.float32, [])
    bright = tf.image.adjust_gamma(IMAGE / 24, gamma)
    with tf.Session() as session:
        good = session.run(bright, {gamma: 0.5})
        return good, kinds(tried(lambda: session.run(bright, {gamma: -1.0}), lambda: tf.image.adjust_gamma(IMAGE, -1)))


@graph
def boxes_by_chance(tf: Any) -> Any:
    whole = np.array([[[0.0, 0.0, 1.0, 1.0]]], np.float32)
    covered = tf.placeholder_with_default(0.1, [])
    begin, size, box = tf.image.sample_distorted_bounding_box(
        [40, 50, 3], whole, min_object_covered=covered, aspect_ratio_range=(0.75, 1.33), area_range=(0.05, 0.5)
    )
    with tf.Session() as session:
        drawn = [session.run([begin, size, box]) for _ in range(50)]
        none = kinds(
            tried(lambda: session.run(tf.image.sample_distorted_bounding_box([4, 5, 3], np.zeros([1, 0, 4]))[0]))
        )
        blank = tf.image.sample_distorted_bounding_box(
            [4, 5, 3], np.zeros([1, 0, 4]), area_range=(0.99, 1.0), use_image_if_no_bounding_boxes=True
        )
        entire = session.run(blank)
    areas = [part[0] * part[1] / 2000 for _, part, _ in drawn]
    inside = all((at[:2] >= 0).all() and (at[:2] + part[:2] <= [40, 50]).all() for at, part, _ in drawn)
    shares = all(np.allclose(b[0, 0, :2] * [40, 50], at[:2], atol=1e-4) for at, _, b in drawn)
    shapes = [each.shape.as_list() for each in (begin, size, box)]
    return min(areas) >= 0.05, max(areas) <= 0.5, inside, shares, shapes, drawn[0][1][2] == -1, none, entire


@graph
def boxes_of_other_shapes(tf: Any) -> Any:
    def chosen(boxes: Any, scores: Any, most: Any = 3, share: Any = 0.5) -> Any:
        return lambda: tf.image.non_max_suppression(boxes, scores, most, share)

    one = [[0.0, 0.0, 1.0, 1.0]]
    return kinds(
        tried(
            chosen(one[0], [0.9]),
            chosen([[0.0, 0.0, 1.0]], [0.9]),
            chosen(one, [0.9, 0.75]),
            chosen(one, [[0.9]]),
            chosen(one, [0.9], [3]),
            chosen(one, [0.9], 3, [[0.5]]),
        )
    ), run(tf, tf.image.non_max_suppression(one, [0.9], 3, 0.5))


@graph
def boxes_of_sizes_in_a_run(tf: Any) -> Any:
    size, corners = tf.placeholder(tf.int32, [2]), tf.constant([[0.0, 0.25, 1.0, 0.75], [0.5, -0.5, 0.0, 0.5]])
    image = tf.constant(IMAGE.astype(np.float32)[None])
    cut = tf.image.crop_and_resize(image, corners, [0, 0], size)
    fixed = tf.image.crop_and_resize(image, corners, [0, 0], tf.constant([3, 2]), "nearest", 7.0)
    with tf.Session() as session:
        found = [session.run([cut, *tf.gradients(cut, image)], {size: each}) for each in ([2, 3], [1, 4])]
        return found, session.run(fixed), fixed.shape.as_list(), cut.shape.as_list()
