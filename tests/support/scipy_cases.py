"""The catalogue of derivative rules of SciPy's special functions; a case is as in `tape_cases`."""

from __future__ import annotations

import scipy.special as sc

from steepest.ops.registry import declare_late_rules

declare_late_rules()

UNARY = {
    (0.2, 0.9): "expit logit log_expit erf erfc erfcx erfinv erfcinv ndtr log_ndtr ndtri entr j0 j1 i0 i1",
    (-2.0, 2.0): "expit log_expit erf erfc ndtr log_ndtr j0 j1 i0 i1",
    (0.5, 3.0): "gamma gammaln rgamma digamma",
    (-0.9, -0.1): "gamma rgamma digamma gammaln erfinv",
}
BINARY = "beta betaln xlogy xlog1py rel_entr kl_div"


def scipy_cases():
    for (low, high), names in UNARY.items():
        for name in names.split():
            yield getattr(sc, name), f"{low}", getattr(sc, name), [(2, 3)], low, high
    for name in BINARY.split():
        for shapes in ([(3,), ()], [(2, 3), (3,)]):
            yield getattr(sc, name), "", getattr(sc, name), shapes, 0.4, 2.0
    for order in (0, 1.5, 2):
        yield sc.jv, f"{order}", lambda x, v=order: sc.jv(v, x), [(3,)], 0.5, 3.0
        yield sc.iv, f"{order}", lambda x, v=order: sc.iv(v, x), [(3,)], 0.5, 3.0
