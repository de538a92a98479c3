"""Text, Markdown, HTML and PDF: pure functions of the JSON document.

Other rooms use `text.render_text`, `markdown.render_markdown`, `html.render_html` and `fragment`,
`pdf.render_pdf`, `charts.svg.draw`, and `markup`, the only way in which text becomes HTML.
"""
