"""How a table is shown: what a seat may know as plain data, its answers in words, and a drawing."""
