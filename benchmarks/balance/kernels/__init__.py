"""The kernels of the balance lab. They have a folder of their own so that an edit elsewhere does not make them compile again."""
