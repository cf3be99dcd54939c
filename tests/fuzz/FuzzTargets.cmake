# SPDX-License-Identifier: GPL-3.0-or-later
# What the fuzzers and their regression tests have in common.

set(PLUMBLINE_FUZZ_TARGETS import package record trace npy filter edit)
set(PLUMBLINE_FUZZ_FOLDER ${CMAKE_CURRENT_LIST_DIR})

# The program that writes every target's seed inputs.
function(plumbline_add_make_seeds)
  if(NOT TARGET make_seeds)
    add_executable(make_seeds ${PLUMBLINE_FUZZ_FOLDER}/make_seeds.cpp)
    target_link_libraries(make_seeds PRIVATE
      plumbline_flags plumbline::core plumbline_test_support)
  endif()
endfunction()
