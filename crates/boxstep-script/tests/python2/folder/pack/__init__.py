import sibling
from sibling import value
import sub.leaf
