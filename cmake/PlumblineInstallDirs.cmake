# SPDX-License-Identifier: GPL-3.0-or-later
# Where files go below the prefix. Debian's folder for libraries is taken on Debian whatever the prefix:
# its packages are made from the same build as other installations.
if(EXISTS /etc/debian_version AND CMAKE_LIBRARY_ARCHITECTURE)
  set(CMAKE_INSTALL_LIBDIR lib/${CMAKE_LIBRARY_ARCHITECTURE} CACHE PATH "Folder of libraries")
endif()
include(GNUInstallDirs)
