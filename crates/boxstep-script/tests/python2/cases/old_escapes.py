print "\RSPD=80\ hello"
print "\u00e9", len("\u00e9"), len(u"\u00e9")
print len(ur"\d+"), ur"\d+"
