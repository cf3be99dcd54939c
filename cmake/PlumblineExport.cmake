# SPDX-License-Identifier: GPL-3.0-or-later
# What find_package(plumbline) reads.
include(CMakePackageConfigHelpers)
set(plumbline_package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/plumbline)
configure_package_config_file(
  ${CMAKE_CURRENT_LIST_DIR}/plumblineConfig.cmake.in ${CMAKE_BINARY_DIR}/plumblineConfig.cmake
  INSTALL_DESTINATION ${plumbline_package_folder}
  NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/plumblineConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(EXPORT plumbline NAMESPACE plumbline:: FILE plumblineTargets.cmake
  DESTINATION ${plumbline_package_folder} COMPONENT dev)
install(FILES ${CMAKE_BINARY_DIR}/plumblineConfig.cmake ${CMAKE_BINARY_DIR}/plumblineConfigVersion.cmake
  ${CMAKE_CURRENT_LIST_DIR}/PlumblineIgraph.cmake
  DESTINATION ${plumbline_package_folder} COMPONENT dev)
