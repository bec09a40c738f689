print isinstance(5, long), isinstance(5L, int), type(5L) is type(5)
