class Failure(Exception):
    pass
try:
    raise Failure(3, "three")
except Failure, (number, text):
    print number, text
try:
    raise Failure([4, 5])
except Failure, [(a, b)]:
    print a, b
