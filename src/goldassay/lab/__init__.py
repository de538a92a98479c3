"""Known truths, apart from users' data: simulation, the papers' experiments, the demonstration."""
