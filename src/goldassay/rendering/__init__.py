"""Text, Markdown and HTML: pure functions of the JSON document."""
