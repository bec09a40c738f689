print round(2.5), round(-2.5), round(0.5), round(1.25, 1), round(7)
