from qi.logging import *
