"""From anything to a table of ratings: what is declared is a fact, what is not is shown and asked.

files, frames  ->  `contents`   what each holds: records, or rows of cells
               ->  `records`    its rows and columns, through lists and records within
arguments      ->  `arguments`  the options of the command, or of Python
               ->  `claims`     whose ratings each names, by the precedence of `docs/reading.md`
both           ->  `declaring`  `Table`: a row for each rating, and all that was left out
files alone    ->  `decision`   read, ask or refuse: complete `readings`, each a set of arguments,
                                scored by what the columns hold, and shown by `preview`
"""
