"""What the labels mean: a scale, its options and their order, labels that are hardly ratings."""
