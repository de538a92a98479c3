"""Charts drawn from their data, as SVG."""
