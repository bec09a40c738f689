leaf = 1 / 2
