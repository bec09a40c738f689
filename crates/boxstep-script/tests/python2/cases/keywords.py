class Qi(object):
    pass
qi = Qi()
setattr(qi, "async", lambda f, x: f(x))
print qi.async(abs, -3)
nonlocal = 1
def async(await):
    return await + nonlocal
print async(2), async(await=3)
print getattr(qi, "async") is qi.async
