"""What a plain file may mean: a task proposed from its columns and cells, and what is asked.

Other rooms use `propose.propose`. It mends how ratings are written (`cells/`), looks at columns
(`profile`), finds how ratings lie in them (`layout`, with a module of `layouts/` for each way),
what the labels mean (`labels/`) and what one rating is of (`units/`). Each finding changes the
`Draft` (`draft`), with the sentence that says what was assumed; what looks like a rating and is
not read is asked about (`left_out`). At the end the whole reading is held against the data
(`second_look`): what they contradict is taken back, and the table is read once more.
"""
