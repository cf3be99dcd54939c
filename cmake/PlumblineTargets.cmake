# SPDX-License-Identifier: GPL-3.0-or-later
# Helpers that give every target of the project the same language level and warnings.

add_library(plumbline_flags INTERFACE)
target_compile_features(plumbline_flags INTERFACE cxx_std_20)
target_compile_options(plumbline_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion -Wswitch
  $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict> # GCC 12 misreads std::string's operator+ (its bug 105651)
  $<$<BOOL:${PLUMBLINE_WERROR}>:-Werror>)
if(PLUMBLINE_SANITIZE)
  target_compile_options(plumbline_flags INTERFACE
    -fsanitize=${PLUMBLINE_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(plumbline_flags INTERFACE -fsanitize=${PLUMBLINE_SANITIZE})
endif()

if(PLUMBLINE_FUZZ)
  # Coverage counters in all code; the fuzz programs alone link libFuzzer's main().
  target_compile_options(plumbline_flags INTERFACE -fsanitize=fuzzer-no-link)
  target_link_options(plumbline_flags INTERFACE -fsanitize=fuzzer-no-link)
endif()

# Parsing the JSON library takes most of the compile time of small sources; together they parse it once.
function(plumbline_unite target)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${PLUMBLINE_UNITY})
endfunction()

# plumbline_install_room(NAME): the room for find_package(plumbline), as plumbline::NAME. Headers of the
# TFLite reader's own use and of the vector kernels stay here: they would ask every user for FlatBuffers and Highway.
function(plumbline_install_room name)
  set_target_properties(plumbline_${name} PROPERTIES EXPORT_NAME ${name})
  install(TARGETS plumbline_${name} EXPORT plumbline ARCHIVE COMPONENT dev)
  install(DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR}/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/plumbline/core/${name}
    COMPONENT dev FILES_MATCHING PATTERN "*.h" PATTERN "*.def"
    PATTERN flatbuffer_values.h EXCLUDE PATTERN network_builder.h EXCLUDE
    PATTERN *-inl.h EXCLUDE)
endfunction()

# plumbline_room(NAME SOURCES file... [DEPENDS target...] [PRIVATE_DEPENDS target...])
#
# One folder of core/ as a static library `plumbline_NAME`. What a room may use is what it links:
# the dependency direction of docs/architecture.md is checked by the linker.
function(plumbline_room name)
  cmake_parse_arguments(ROOM "" "" "SOURCES;DEPENDS;PRIVATE_DEPENDS" ${ARGN})
  add_library(plumbline_${name} STATIC ${ROOM_SOURCES})
  target_include_directories(plumbline_${name} PUBLIC
    $<BUILD_INTERFACE:${CMAKE_SOURCE_DIR}> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/plumbline>)
  target_link_libraries(plumbline_${name} PUBLIC ${ROOM_DEPENDS}
    PRIVATE $<BUILD_INTERFACE:plumbline_flags> ${ROOM_PRIVATE_DEPENDS})
  target_compile_features(plumbline_${name} PUBLIC cxx_std_20)
  # A program outside may put the room into a shared library. Calls within are still inlined.
  set_target_properties(plumbline_${name} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  target_compile_options(plumbline_${name} PRIVATE -fno-semantic-interposition)
  plumbline_install_room(${name})
endfunction()
