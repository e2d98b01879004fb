// doctest.h - doctest as it is installed, and where it is implemented, a listener that
// makes each failure an error where it happens: on the thread that failed, in the state
// that it failed in.  It may be included twice, to be implemented the second time.
#include "../installed/doctest/doctest.h"

#if defined(DOCTEST_LIBRARY_IMPLEMENTATION) && !defined(DOCTEST_CONFIG_DISABLE)
#include "../listen_doctest.hpp"
#endif
