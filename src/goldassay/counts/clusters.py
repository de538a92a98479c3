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
    # Each prompt takes the smallest prompt that it is linked to, until nothing changes. (SciPy's
    # `connected_components` says the same, and to import it costs more than the whole question.)
    unit = np.arange(int(prompt.max()) + 1)
    while True:
        first = np.full(int(cluster.max()) + 1, len(unit))
        np.minimum.at(first, cluster, unit[prompt])
        linked = unit.copy()
        np.minimum.at(linked, prompt, first[cluster])
        linked = linked[linked]
        if np.array_equal(linked, unit):
            return np.asarray(np.unique(unit, return_inverse=True)[1], np.int64)
        unit = linked
