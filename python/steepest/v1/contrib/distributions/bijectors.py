"""``tf.contrib.distributions.bijectors``: functions with an inverse, and by what they stretch."""

from ...graph.missing import namespace
from .affine_bijectors import Affine, AffineLinearOperator
from .autoregressive_bijectors import MaskedAutoregressiveFlow, masked_autoregressive_default_template, masked_dense
from .autoregressive_bijectors import _gen_mask as _gen_mask
from .bijector import Bijector
from .composed_bijectors import Chain, Invert
from .curve_bijectors import Exp, Gumbel, Kumaraswamy, PowerTransform, SinhArcsinh
from .elementwise_bijectors import AbsoluteValue, AffineScalar, Identity, Sigmoid, Softplus, Softsign, Square
from .matrix_bijectors import CholeskyOuterProduct, FillTriangular, MatrixInverseTriL
from .real_nvp import BatchNormalization, RealNVP, real_nvp_default_template
from .reshape_bijector import Reshape
from .vector_bijectors import Ordered, Permute, SoftmaxCentered
from .wrapped_bijectors import ConditionalBijector, Inline, ScaleTriL, TransformDiagonal

__all__ = [
    "AbsoluteValue",
    "Affine",
    "AffineLinearOperator",
    "AffineScalar",
    "BatchNormalization",
    "Bijector",
    "Chain",
    "CholeskyOuterProduct",
    "ConditionalBijector",
    "Exp",
    "FillTriangular",
    "Gumbel",
    "Identity",
    "Inline",
    "Invert",
    "Kumaraswamy",
    "MaskedAutoregressiveFlow",
    "MatrixInverseTriL",
    "Ordered",
    "Permute",
    "PowerTransform",
    "RealNVP",
    "Reshape",
    "ScaleTriL",
    "Sigmoid",
    "SinhArcsinh",
    "SoftmaxCentered",
    "Softplus",
    "Softsign",
    "Square",
    "TransformDiagonal",
    "masked_autoregressive_default_template",
    "masked_dense",
    "real_nvp_default_template",
]

__getattr__, __dir__ = namespace(
    __name__,
    "absolute_value affine affine_linear_operator affine_scalar batch_normalization chain cholesky_outer_product "
    "conditional_bijector exp fill_triangular gumbel inline invert kumaraswamy masked_autoregressive "
    "matrix_inverse_tril ordered permute power_transform real_nvp reshape scale_tril sigmoid sinh_arcsinh "
    "softmax_centered softplus softsign square transform_diagonal",
)
