# divm-config.cmake - tests of CMake projects that divm verifies.
#
#   find_package(divm REQUIRED)
#   divm_add_test(NAME name SOURCES file... [OPTIONS option...] [ARGUMENTS argument...])
#   divm_add_test(NAME name TARGET executable [OPTIONS option...] [ARGUMENTS argument...])
#
# SOURCES are compiled by divm, whatever the project's compiler is: the test's file, and those of
# the project that it needs; OPTIONS are those of divm verify, -I and -D among them.  A TARGET is
# built with the project, which needs CC="divm cc" CXX="divm c++" for it.  ctest runs
# `divm verify`: the test passes if no error can be reached and the search is complete.  Of an
# error the trace is NAME.trace in the build folder.

get_filename_component(DIVM_EXECUTABLE "${CMAKE_CURRENT_LIST_DIR}/../../../bin/divm" ABSOLUTE)
get_filename_component(DIVM_INCLUDE_DIR "${CMAKE_CURRENT_LIST_DIR}/../../../include/divm" ABSOLUTE)

# <divm.h> for code that is compiled natively
if(NOT TARGET divm::divm)
  add_library(divm::divm INTERFACE IMPORTED)
  set_target_properties(divm::divm PROPERTIES INTERFACE_INCLUDE_DIRECTORIES "${DIVM_INCLUDE_DIR}")
endif()

function(divm_add_test)
  cmake_parse_arguments(TEST "" "NAME;TARGET" "SOURCES;OPTIONS;ARGUMENTS" ${ARGN})
  if(TEST_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "divm_add_test: unknown argument ${TEST_UNPARSED_ARGUMENTS}")
  endif()
  if(NOT TEST_NAME)
    message(FATAL_ERROR "divm_add_test: NAME is missing")
  endif()
  if(TEST_TARGET AND NOT TEST_SOURCES)
    string(REPLACE ";" " " compiler "${CMAKE_C_COMPILER} ${CMAKE_C_COMPILER_ARG1} ${CMAKE_CXX_COMPILER}")
    if(NOT compiler MATCHES "divm")
      message(FATAL_ERROR "divm_add_test: the TARGET ${TEST_TARGET} must be built by divm "
        "(CC=\"divm cc\" CXX=\"divm c++\"); or name SOURCES, which divm compiles itself")
    endif()
    set(files "$<TARGET_FILE:${TEST_TARGET}>")
  elseif(TEST_SOURCES AND NOT TEST_TARGET)
    set(files ${TEST_SOURCES})
  else()
    message(FATAL_ERROR "divm_add_test: it wants either SOURCES or a TARGET")
  endif()
  if(TEST_ARGUMENTS)
    list(PREPEND TEST_ARGUMENTS --)
  endif()
  add_test(NAME ${TEST_NAME}
    COMMAND "${DIVM_EXECUTABLE}" verify
      "--trace-file=${CMAKE_CURRENT_BINARY_DIR}/${TEST_NAME}.trace"
      ${TEST_OPTIONS} ${files} ${TEST_ARGUMENTS}
    WORKING_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}")
endfunction()
