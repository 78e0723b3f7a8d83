"""The kernels of the balance lab, in a folder of their own so that edits outside it compile nothing again."""
