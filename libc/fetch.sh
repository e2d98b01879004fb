#!/bin/sh
# fetch.sh - musl's sources, from Debian's source package.
# usage: fetch.sh CACHE_DIR DEST_DIR
set -eu

tarball=musl_1.2.3.orig.tar.gz
"$(dirname "$0")/source.sh" "$1" musl=1.2.3-1 $tarball \
    7d5b0b6062521e4627e099e4c9dc8248d32a30285e959b7eecaa780cf8cfd4a4 "1 MB"
mkdir -p "$2"
tar -xzf "$1/$tarball" -C "$2" --strip-components=1

# The floating-point environment is fixed; what these pragmas ask for would only
# hide the arithmetic behind constrained intrinsics.
cd "$2/src"
grep -rl 'STDC FENV_ACCESS' math | xargs sed -i '/STDC FENV_ACCESS/d'

# Headers that ours in libc/internal replace: those beside an including file would
# be found first.
rm -f internal/lock.h internal/pthread_impl.h stdio/getc.h stdio/putc.h

# A stream's lock is looked at in the kernel only: see libc/stdio/flockfile.c.
sed -i 's/((f)->lock>=0 ? __lockfile((f)) : 0)/__lockfile((f))/' internal/stdio_impl.h
# Nor has it a list of those that a thread holds; it has a count for libc/stdio/ofl.c.
sed -i 's/FILE \*prev_locked, \*next_locked;/int flushers;/' internal/stdio_impl.h

# The first time that a format with numbered arguments is read, these have no values yet.
sed -i "s/= nl_arg\[s\[\([12]\)\]-'0'\].i;/= f ? nl_arg[s[\1]-'0'].i : 0;/" stdio/vfprintf.c stdio/vfwprintf.c
# They count from 1.
sed -i 's/\[NL_ARGMAX\]/[NL_ARGMAX+1]/' stdio/vfwprintf.c

# Numbers in base 2, which C23 has printf write (%b, %B).
sed -i "s/S('o') = \([A-Z]*\), S('u')/S('b') = \1, S('B') = \1, &/" stdio/vfprintf.c stdio/vfwprintf.c
sed -i 's/char buf\[sizeof(uintmax_t)\*3+3/char buf[sizeof(uintmax_t)*8+3/
    s/^static char \*fmt_o(.*/static char *fmt_b(uintmax_t x, char *s)\
{\
	for (; x; x>>=1) *--s = "01"[x\&1];\
	return s;\
}\
\
&/
    /^\t\tcase .o.:$/{
        s/.*/\t\tcase '"'b': case 'B'"':\
			a = fmt_b(arg.i, z);\
			if (arg.i \&\& (fl \& ALT_FORM)) prefix = t == '"'b'"' ? "0b" : "0B", pl=2;\
			} if (0) {\
&/
    }' stdio/vfprintf.c
sed -i "s/\['x'-'a'\]='j',/\['x'-'a'\]='j', \['b'-'a'\]='j',/
    s/case 'd': case 'i': case 'o': case 'u': case 'x'/case 'b': &/" stdio/vfwprintf.c
