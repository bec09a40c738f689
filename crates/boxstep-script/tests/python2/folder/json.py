raise RuntimeError("the standard library comes first")
