try:
    {}["k"]
except KeyError, e:
    print e, e.args
try:
    int("x")
except (TypeError, ValueError), e: print e
