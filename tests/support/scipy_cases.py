"""The catalogue of derivative rules of SciPy's special functions; a case is as in `tape_cases`."""

from __future__ import annotations

import numpy as np
import scipy.special as sc

from steepest.ops.registry import declare_late_rules

declare_late_rules()

UNARY = {
    (0.2, 0.9): (
        "expit logit log_expit erf erfc erfcx erfinv erfcinv ndtr log_ndtr ndtri entr j0 j1 i0 i1 spence ellipk ellipe"
    ),
    (-2.0, 2.0): (
        "expit log_expit erf erfc ndtr log_ndtr j0 j1 i0 i1 exp2 exp10 expm1 cosm1 sindg cosdg tandg erfi dawsn expi "
        "wrightomega"
    ),
    (0.5, 3.0): ("gamma gammaln rgamma digamma loggamma log1p cbrt exp1 expi y0 y1 k0 k1 i0e i1e k0e k1e i0 i1 spence"),
    (-3.0, -0.5): "ndtri_exp i0e i1e cbrt",
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
        for function in (sc.iv, sc.yv, sc.kv, sc.ive, sc.kve):
            yield function, f"{order}", lambda x, f=function, v=order: f(v, x), [(3,)], 0.5, 3.0
    for order in (0, 1, 3):
        for function in (sc.yn, sc.kn):
            yield function, f"{order}", lambda x, f=function, v=order: f(v, x), [(3,)], 0.5, 3.0
    for order in (1, 2):
        yield sc.expn, f"{order + 1}", lambda x, n=order + 1: sc.expn(n, x), [(3,)], 0.5, 3.0
    yield from _of_last()
    yield from _losses()


def _of_last():
    """Functions that are differentiated with respect to their last argument."""
    for a in (0.7, 1.0, 2.5):
        for function in (sc.gammainc, sc.gammaincc, sc.hyp0f1):
            yield function, f"{a}", lambda x, f=function, a=a: f(a, x), [(3,)], 0.3, 2.0
        for function in (sc.gammaincinv, sc.gammainccinv):
            yield function, f"{a}", lambda x, f=function, a=a: f(a, x), [(3,)], 0.2, 0.8
        for function in (sc.betainc, sc.betaincinv):
            yield function, f"{a}", lambda x, f=function, a=a: f(a, 1.7, x), [(3,)], 0.2, 0.8
        yield sc.gdtr, f"{a}", lambda s, x, a=a: sc.gdtr(s, a, x), [(3,), (3,)], 0.5, 2.0
        yield sc.hyp1f1, f"{a}", lambda x, a=a: sc.hyp1f1(a, 1.6, x), [(3,)], -0.5, 0.5
        yield sc.hyp2f1, f"{a}", lambda x, a=a: sc.hyp2f1(a, 0.4, 1.6, x), [(3,)], -0.5, 0.5
    for n in (1, 3, 4.5):
        for function in (sc.chdtr, sc.chdtrc):
            yield function, f"{n}", lambda x, f=function, n=n: f(n, x), [(3,)], 0.5, 3.0
        yield sc.stdtr, f"{n}", lambda x, n=n: sc.stdtr(n, x), [(3,)], -2.0, 2.0
        yield sc.stdtrit, f"{n}", lambda x, n=n: sc.stdtrit(n, x), [(3,)], 0.2, 0.8
    for function in (sc.pdtr, sc.pdtrc):
        for k in (0, 2, np.array([0, 1, 4])):
            yield function, f"{k}", lambda m, f=function, k=k: f(k, m), [(3,)], 0.5, 3.0


def _losses():
    for delta in (0.4, 1.3):
        yield sc.huber, f"{delta}", lambda r, d=delta: sc.huber(d, r), [(2, 3)], -2.0, 2.0
    yield sc.huber, "both", sc.huber, [(3,), (2, 3)], 0.3, 2.0
    yield sc.pseudo_huber, "both", sc.pseudo_huber, [(3,), (2, 3)], 0.3, 2.0
    for p in (-0.5, 0.0, 1.5):
        for function in (sc.boxcox, sc.boxcox1p, sc.inv_boxcox, sc.inv_boxcox1p):
            yield function, f"{p}", lambda x, f=function, p=p: f(x, p), [(3,)], 0.2, 0.6
    for function in (sc.poch, sc.powm1):
        yield function, "", function, [(3,), (2, 3)], 0.5, 2.0
    yield sc.binom, "", lambda n, k: sc.binom(n + 3, k), [(3,), (3,)], 0.5, 2.0
