// gmock.cpp - GoogleMock, on the GoogleTest beside it.
#include "src/gmock-all.cc"
