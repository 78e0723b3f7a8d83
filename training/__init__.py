"""Training: agents that get better, by tuning their weights or by learning."""
