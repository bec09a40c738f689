import os
value = 9 / 2
