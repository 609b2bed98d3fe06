"""FBGEMM's split table-batched embeddings: the backward pass that updates rows, bags of one id each."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .. import data
from ..case import Job, Work, contender


def batched(shapes: list[tuple[int, int]], kind: str = "EXACT_ADAGRAD", **more: Any) -> Any:
    """Return tables of these rows and widths as one module, whose backward pass updates them; sums are ACCUMULATOR."""
    import torch
    from fbgemm_gpu.split_embedding_configs import EmbOptimType
    from fbgemm_gpu.split_table_batched_embeddings_ops_common import EmbeddingLocation
    from fbgemm_gpu.split_table_batched_embeddings_ops_training import (
        ComputeDevice,
        SplitTableBatchedEmbeddingBagsCodegen,
    )

    tables = SplitTableBatchedEmbeddingBagsCodegen(
        [(rows, width, EmbeddingLocation.HOST, ComputeDevice.CPU) for rows, width in shapes],
        optimizer=getattr(EmbOptimType, kind),
        **{"learning_rate": data.RATE, "eps": data.EPSILON, **more},
    )
    with torch.no_grad():
        for weights in tables.split_embedding_weights():
            weights.fill_(data.START)
        for states in tables.split_optimizer_states() if kind != "EXACT_SGD" else ():
            for state in states:
                state.fill_(data.ACCUMULATOR)
    return tables


def embeddings(full: str, by_row: str) -> Callable[[Work], Job | None]:
    def make(work: Work) -> Job | None:
        kind = by_row if work.rule == "rowwise_adagrad" else full
        if not kind or work.rule not in ("adagrad", "rowwise_adagrad", "sgd") or work.width % 4:
            return None
        import torch

        torch.set_num_threads(work.threads)
        tables = batched([(work.rows, work.width)], "EXACT_SGD" if work.rule == "sgd" else kind)
        ids = torch.from_numpy(data.ids(work.rows, work.batch, work.law))
        offsets = torch.arange(work.batch + 1)
        gradient = torch.from_numpy(data.row_gradient(work.batch, work.width))
        out = tables(ids, offsets)  # one forward pass; its graph serves every backward pass

        def step() -> None:
            out.backward(gradient, retain_graph=True)

        from ..sparse import moved

        def answer() -> np.ndarray:
            return moved(tables.split_embedding_weights()[0].detach().numpy(), work)

        return Job(step, answer, keep=(tables, out))

    return make


contender("FBGEMM", "sparse", runtime="fbgemm")(embeddings("EXACT_ADAGRAD", "EXACT_ROWWISE_ADAGRAD"))
