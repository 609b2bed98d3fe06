"""FBGEMM's split table-batched embeddings: the backward pass that updates rows, bags of one id each."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from .. import data
from ..case import Job, Work, contender


def embeddings(full: str, by_row: str) -> Callable[[Work], Job | None]:
    def make(work: Work) -> Job | None:
        kind = by_row if work.rule == "rowwise_adagrad" else full
        if not kind or work.rule not in ("adagrad", "rowwise_adagrad", "sgd") or work.width % 4:
            return None
        import torch
        from fbgemm_gpu.split_embedding_configs import EmbOptimType
        from fbgemm_gpu.split_table_batched_embeddings_ops_common import EmbeddingLocation
        from fbgemm_gpu.split_table_batched_embeddings_ops_training import (
            ComputeDevice,
            SplitTableBatchedEmbeddingBagsCodegen,
        )

        torch.set_num_threads(work.threads)
        if work.rule == "sgd":
            kind = "EXACT_SGD"
        tables = SplitTableBatchedEmbeddingBagsCodegen(
            [(work.rows, work.width, EmbeddingLocation.HOST, ComputeDevice.CPU)],
            optimizer=getattr(EmbOptimType, kind),
            learning_rate=data.RATE,
            eps=data.EPSILON,
        )
        with torch.no_grad():
            tables.split_embedding_weights()[0].fill_(data.START)
            if work.rule != "sgd":
                for state in tables.split_optimizer_states()[0]:
                    state.fill_(data.ACCUMULATOR)
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
