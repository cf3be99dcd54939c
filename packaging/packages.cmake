# SPDX-License-Identifier: GPL-3.0-or-later
# The Debian packages that cpack makes, one per component.
set(PLUMBLINE_CONTACT "Plumbline developers <developers@plumbline.example>" CACHE STRING
  "Maintainer of the packages, a name and an address")

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME plumbline)
# Each package has a summary of its own, the first line of its description.
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "")
set(CPACK_PACKAGE_CONTACT ${PLUMBLINE_CONTACT})
set(CPACK_STRIP_FILES ON)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_COMPONENTS_ALL cli dev doc)
if(PLUMBLINE_GUI)
  list(APPEND CPACK_COMPONENTS_ALL workbench)
endif()

set(CPACK_DEBIAN_CLI_PACKAGE_NAME plumbline-cli)
set(CPACK_DEBIAN_CLI_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_CLI_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_CLI_PACKAGE_SUGGESTS "plumbline, plumbline-doc")
set(CPACK_COMPONENT_CLI_DESCRIPTION
"Command line of the workbench for NPU compilers
plumb lowers INT8 TFLite models to the records of the NPU-P0 target, checks
and executes them bit for bit, compares layers with a reference, and explains
why an element has its value. It needs no display and no device.")

set(CPACK_DEBIAN_WORKBENCH_PACKAGE_NAME plumbline)
set(CPACK_DEBIAN_WORKBENCH_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_WORKBENCH_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_WORKBENCH_PACKAGE_RECOMMENDS "fonts-dejavu-core, plumbline-cli, shared-mime-info")
set(CPACK_DEBIAN_WORKBENCH_PACKAGE_SUGGESTS plumbline-doc)
set(CPACK_COMPONENT_WORKBENCH_DESCRIPTION
"Workbench for NPU compilers
plumbline opens an INT8 TFLite model, a package or a trace and shows what
became of it on the NPU-P0 target: the operator graph, every record with its
fields and bytes, the arena over time, tiles, costs, and verdicts per layer,
all on one selection, down to why an element has its value.")

set(CPACK_DEBIAN_DEV_PACKAGE_NAME libplumbline-dev)
set(CPACK_DEBIAN_DEV_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEV_PACKAGE_DEPENDS "libfmt-dev (>= 9), nlohmann-json3-dev, libssl-dev, libigraph-dev, libtbb-dev")
set(CPACK_DEBIAN_DEV_PACKAGE_SUGGESTS plumbline-doc)
set(CPACK_COMPONENT_DEV_DESCRIPTION
"Engine of the workbench for NPU compilers, development files
The C++20 library under plumb and plumbline: import of TFLite models, lowering
to NPU-P0, validator, executor, reference kernels, packages, traces and their
comparison. Static libraries, headers and a CMake package.")

set(CPACK_DEBIAN_DOC_PACKAGE_NAME plumbline-doc)
set(CPACK_DEBIAN_DOC_PACKAGE_SECTION doc)
set(CPACK_DEBIAN_DOC_PACKAGE_ARCHITECTURE all)
set(CPACK_COMPONENT_DOC_DESCRIPTION
"Documentation of the workbench for NPU compilers
User guide with pictures, the reference of plumb, file formats, records,
diagnostic codes, the filter language, and how the source is laid out.")

include(CPack)
