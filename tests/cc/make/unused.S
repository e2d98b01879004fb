.globl unused
unused:
    ret
