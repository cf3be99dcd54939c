# SPDX-License-Identifier: GPL-3.0-or-later
# plumbline::igraph: the library igraph alone. Debian's package names, as development files, libraries that
# only a static igraph needs. igraph::igraph belongs to the whole project and stays as it was found.
if(NOT TARGET plumbline::igraph)
  get_target_property(plumbline_igraph_type igraph::igraph TYPE)
  if(plumbline_igraph_type STREQUAL SHARED_LIBRARY)
    get_target_property(plumbline_igraph_file igraph::igraph LOCATION)
    get_target_property(plumbline_igraph_headers igraph::igraph INTERFACE_INCLUDE_DIRECTORIES)
    add_library(plumbline::igraph UNKNOWN IMPORTED)
    set_target_properties(plumbline::igraph PROPERTIES
      IMPORTED_LOCATION "${plumbline_igraph_file}"
      INTERFACE_INCLUDE_DIRECTORIES "${plumbline_igraph_headers}")
  else()
    add_library(plumbline::igraph INTERFACE IMPORTED)
    set_target_properties(plumbline::igraph PROPERTIES INTERFACE_LINK_LIBRARIES igraph::igraph)
  endif()
endif()
