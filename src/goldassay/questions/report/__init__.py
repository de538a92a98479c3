"""Everything the data allows, in one document."""
