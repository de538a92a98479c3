"""Where ratings come from: files of several formats, and frames in memory or on a cluster.

Every source gives the same thing, a `Source`: a lazy frame whose columns are text, which stays
where the data is. Labels stay text: `NA`, `None`, `nan`, `01` and `TRUE` are labels.
"""

from goldassay.sources.files import open_files
from goldassay.sources.frames import Source, open_frame, open_source

__all__ = ["Source", "open_files", "open_frame", "open_source"]
