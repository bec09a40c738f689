keys = {1: 2}.keys
print keys(), map(dict.values, [{1: 2}]), getattr({1: 2}, 'items')()
