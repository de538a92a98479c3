"""Is system B better than A? Differences of true rates, paired by prompt, all at once."""
