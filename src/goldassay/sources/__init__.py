"""Where ratings come from: files of several formats, and frames in memory or on a cluster.

Every source gives the same thing, a `Source`: a lazy frame whose columns are text, which stays
where the data is. Labels stay text: `NA`, `None`, `nan`, `01` and `TRUE` are labels.
"""
