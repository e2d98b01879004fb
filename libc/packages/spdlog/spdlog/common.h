/* All of spdlog is in its headers, unless the compiled library is asked for. */
#undef SPDLOG_COMPILED_LIB
#undef SPDLOG_SHARED_LIB
#include_next <spdlog/common.h>
