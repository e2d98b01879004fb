/* bits/divm.h - only divm's own headers have this one: <divm.h> looks for it to
 * learn whether the program runs under divm. */
