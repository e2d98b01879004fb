#!/bin/sh
# Functions of up to 60 lines (the labels of a switch do not count), files of up to
# 700, also those of Python.  The machine's dispatch loop is the exception: one function with a label for each
# instruction, so that each has a jump of its own to the next.
set -u
cd "$(dirname "$0")/../.."
find vm store checker os libpthread libc tests/unit -name '*.[ch]' -print0 |
    xargs -0 awk '
        FNR == 1 { open = 0 }
        FNR == 701 { print FILENAME ": more than 700 lines"; bad = 1 }
        /^{/ && !open { open = FNR; name = last; labels = 0 }
        /^ *(case .*|default):$/ { labels++ }
        /^}/ && open {
            if (FNR - open - 1 - labels > 60 && name !~ /^enum vm_stop vm_interpret\(/) {
                print FILENAME ":" open ": a function of " FNR - open - 1 - labels " lines: " name
                bad = 1
            }
            open = 0
        }
        /^[^ \t{}#\/*]/ { last = $0 }
        END { exit bad }' || exit 1
git ls-files '*.py' | xargs awk '
    FNR == 701 { print FILENAME ": more than 700 lines"; bad = 1 }
    END { exit bad }' || exit 1
echo ok
