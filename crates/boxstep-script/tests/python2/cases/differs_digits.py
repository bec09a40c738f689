x = 0.1 + 0.2
form = "{0}"
print map(str, [x]), form.format(x)
print repr(2 ** 64), 10L .__repr__()
