"""``tensorflow.python.layers.utils``: what layers of a program's own ask about their arguments."""

from __future__ import annotations

from typing import Any

import pytest

from steepest.v1.layers import utils


@pytest.mark.parametrize(
    ("order", "ndim", "named"),
    [
        ("channels_first", 4, "NCHW"),
        ("channels_last", 4, "NHWC"),
        ("channels_last", 3, "NWC"),
        ("channels_first", 5, "NCDHW"),
    ],
)
def test_orders_of_axes_have_names(order, ndim, named):
    assert utils.convert_data_format(order, ndim) == named


@pytest.mark.parametrize(("order", "ndim"), [("other", 4), ("channels_last", 2)])
def test_other_orders_are_refused(order, ndim):
    with pytest.raises(ValueError, match=r"nvalid|not supported"):
        utils.convert_data_format(order, ndim)


@pytest.mark.parametrize(("value", "found"), [(2, (2, 2, 2)), ([2, 1, 2], (2, 1, 2))])
def test_numbers_become_tuples(value, found):
    assert utils.normalize_tuple(value, 3, "strides") == found


@pytest.mark.parametrize("value", [[2, 1], None, ["a", "b", "c"], [0.5, 1, 2]])
def test_other_tuples_are_refused(value):
    with pytest.raises(ValueError, match="tuple of 3 integers"):
        utils.normalize_tuple(value, 3, "strides")


def test_words_are_small():
    assert (utils.normalize_padding("SAME"), utils.normalize_data_format("Channels_Last")) == ("same", "channels_last")


@pytest.mark.parametrize("normalize", [utils.normalize_padding, utils.normalize_data_format])
def test_other_words_are_refused(normalize: Any):
    with pytest.raises(ValueError, match="must be one of"):
        normalize("other")


@pytest.mark.parametrize(
    ("padding", "stride", "dilation", "length"),
    [
        ("same", 1, 1, 4),
        ("same", 2, 1, 2),
        ("valid", 1, 1, 3),
        ("valid", 2, 1, 2),
        ("full", 1, 1, 5),
        ("valid", 1, 2, 2),
    ],
)
def test_lengths_of_convolutions(padding, stride, dilation, length):
    assert utils.conv_output_length(4, 2, padding, stride, dilation) == length


@pytest.mark.parametrize(("padding", "stride", "length"), [("valid", 1, 4), ("valid", 2, 6), ("full", 1, 2)])
def test_lengths_before_convolutions(padding, stride, length):
    assert utils.conv_input_length(3, 2, padding, stride) == length


@pytest.mark.parametrize(("padding", "stride", "length"), [("same", 2, 8), ("valid", 1, 5), ("full", 1, 3)])
def test_lengths_after_transposed_convolutions(padding, stride, length):
    assert utils.deconv_output_length(4, 2, padding, stride) == length


@pytest.mark.parametrize("ask", [utils.conv_output_length, utils.conv_input_length, utils.deconv_output_length])
def test_unknown_lengths_stay_unknown(ask: Any):
    assert ask(None, 3, "same", 1) is None
