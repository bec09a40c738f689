words = ["bb", "a", "ccc"]
words.sort(lambda x, y: cmp(len(y), len(x)))
print words
words.sort(cmp=lambda x, y: cmp(x, y), reverse=True)
print words, sorted([3, 1, 2], lambda x, y: y - x)
