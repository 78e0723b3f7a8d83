"""`alehouse serve`: play in a browser, and look at what lies in the folder of runs."""
