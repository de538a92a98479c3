"""A local page to label items, watch the interval narrow, and read where judge and people differ.

Model texts, names and labels are hostile here. Text becomes HTML in `rendering.markup` alone;
`guard` stands before every request; the pages are drawn on the server and need no script.
"""
