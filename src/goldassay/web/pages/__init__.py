"""The pages: each is a function from what the desk knows to HTML."""
