"""What a resample draws, when systems share the prompts."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

__all__ = ["prompt_clusters"]

Ints = npt.NDArray[np.int64]


def prompt_clusters(prompt: Ints, cluster: Ints) -> Ints:
    """The resampling unit of each prompt, from the prompts and declared clusters of the rows.

    Systems answer the same prompts, so that a unit is never less than a prompt; prompts that share
    a cluster, even through others, are drawn together. Units are numbered by their first prompt.
    """
    from scipy import sparse
    from scipy.sparse.csgraph import connected_components

    n_prompts, n_clusters = int(prompt.max()) + 1, int(cluster.max()) + 1
    links = sparse.coo_array(
        (np.ones(len(prompt), np.int8), (prompt, n_prompts + cluster)),
        shape=(n_prompts + n_clusters, n_prompts + n_clusters),
    )
    _, unit = connected_components(links.tocsr(), directed=False)
    _, first, codes = np.unique(unit[:n_prompts], return_index=True, return_inverse=True)
    return np.asarray(np.argsort(np.argsort(first))[codes], np.int64)
