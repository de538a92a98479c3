"""Did the systems change, or the judge? Looked at as often as one likes."""
