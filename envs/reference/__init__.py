"""Tiny games with known answers: templates for a new game, and the ground truth for search and learning."""
