"""Where ratings come from, files of several formats and frames in memory or on a cluster; and how
files are written.

`frames.open_source` gives the same thing for every source, a `Source`: a lazy frame whose columns
are text, which stays where the data is. Labels stay text: `NA`, `None`, `nan`, `01` and `TRUE` are
labels. Beside it other rooms use `toml.read_toml`, `writing.write_atomically`, `spreadsheet`
(cells that no spreadsheet runs) and `importers` (other tools' logs). Nothing is imported here: a
task is read without the engine.
"""
