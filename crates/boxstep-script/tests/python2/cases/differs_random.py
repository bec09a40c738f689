import random
random.seed(1)
print random.randint(1, 1000)
print {"b": 1, "a": 2, "c": 3}.keys()
