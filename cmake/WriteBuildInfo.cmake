# SPDX-License-Identifier: GPL-3.0-or-later
# Script: asks git for the revision and rewrites OUTPUT only when something changed.
find_program(GIT git)
set(revision "")
set(dirty "false")
if(GIT AND EXISTS ${SOURCE}/.git)
  execute_process(COMMAND ${GIT} -C ${SOURCE} rev-parse HEAD
    OUTPUT_VARIABLE revision OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed)
  if(failed)
    set(revision "")
  endif()
  execute_process(COMMAND ${GIT} -C ${SOURCE} status --porcelain --untracked-files=no
    OUTPUT_VARIABLE changes ERROR_QUIET)
  if(changes)
    set(dirty "true")
  endif()
endif()
file(CONFIGURE OUTPUT ${OUTPUT} @ONLY CONTENT [[
#pragma once
// Generated at build time; do not edit.
inline constexpr const char* kVersionText = "@VERSION@";
inline constexpr const char* kGitRevisionText = "@revision@";
inline constexpr bool kGitDirty = @dirty@;
]])
