import sys
try:
    raise ValueError, "one"
except ValueError, e:
    print e.args
try:
    raise ValueError, (1, 2)
except ValueError, e:
    print e.args
def deep():
    raise KeyError("deep")
try:
    try:
        deep()
    except KeyError:
        kind, value, trace = sys.exc_info()
        raise kind, value, trace
except KeyError, e:
    step, names = sys.exc_info()[2], []
    while step:
        names.append(step.tb_frame.f_code.co_name)
        step = step.tb_next
    print e, names[-1]
