# SPDX-License-Identifier: GPL-3.0-or-later
# Writes generated/core/base/build_info.h at build time: the version and the source's git revision.

add_custom_target(plumbline_build_info
  COMMAND ${CMAKE_COMMAND}
    -DSOURCE=${CMAKE_SOURCE_DIR} -DVERSION=${PROJECT_VERSION}
    -DOUTPUT=${CMAKE_BINARY_DIR}/generated/build_info_values.h
    -P ${CMAKE_SOURCE_DIR}/cmake/WriteBuildInfo.cmake
  BYPRODUCTS ${CMAKE_BINARY_DIR}/generated/build_info_values.h
  COMMENT "Checking the source revision")
