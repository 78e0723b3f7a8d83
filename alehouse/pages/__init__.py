"""Pages of HTML that stand alone: each is one file, which needs no network."""
