# find_package(kron) defines kron::kron, the shared library, and kron::static, the static one, each where it is installed.
# This file is in <libdir>/cmake/kron or <prefix>/share/kron/cmake; it looks for the library in the folders above.

set(_kron_prefix "${CMAKE_CURRENT_LIST_DIR}")
set(_kron_include_dir "_kron_include_dir-NOTFOUND")
foreach(_kron_step RANGE 5)
  get_filename_component(_kron_prefix "${_kron_prefix}" DIRECTORY)
  if(EXISTS "${_kron_prefix}/include/kron.h")
    set(_kron_include_dir "${_kron_prefix}/include")
    break()
  endif()
endforeach()
if(NOT _kron_include_dir)
  set(kron_FOUND FALSE)
  set(kron_NOT_FOUND_MESSAGE "no include/kron.h above ${CMAKE_CURRENT_LIST_DIR}")
  return()
endif()

get_filename_component(_kron_libdir "${CMAKE_CURRENT_LIST_DIR}/../.." ABSOLUTE)
set(_kron_places "${_kron_libdir}" "${_kron_prefix}/lib" "${_kron_prefix}/lib64")
if(CMAKE_LIBRARY_ARCHITECTURE)
  list(APPEND _kron_places "${_kron_prefix}/lib/${CMAKE_LIBRARY_ARCHITECTURE}")
endif()

find_file(_kron_shared NAMES libkron.so.0.1.0 libkron.0.1.0.dylib PATHS ${_kron_places} NO_DEFAULT_PATH NO_CACHE)
if(_kron_shared AND NOT TARGET kron::kron)
  add_library(kron::kron SHARED IMPORTED)
  get_filename_component(_kron_soname "${_kron_shared}" NAME)
  set_target_properties(kron::kron PROPERTIES
    IMPORTED_LOCATION "${_kron_shared}"
    IMPORTED_SONAME "${_kron_soname}"
    INTERFACE_INCLUDE_DIRECTORIES "${_kron_include_dir}")
endif()

find_file(_kron_static NAMES libkron.a PATHS ${_kron_places} NO_DEFAULT_PATH NO_CACHE)
if(_kron_static AND NOT TARGET kron::static)
  add_library(kron::static STATIC IMPORTED)
  set_target_properties(kron::static PROPERTIES
    IMPORTED_LOCATION "${_kron_static}"
    IMPORTED_LINK_INTERFACE_LANGUAGES "C"
    INTERFACE_INCLUDE_DIRECTORIES "${_kron_include_dir}")
  if(NOT APPLE)
    # What `rustc --print native-static-libs` names; kept equal by scripts/test_ffi.sh.
    set_property(TARGET kron::static PROPERTY INTERFACE_LINK_LIBRARIES gcc_s util rt pthread m dl c)
  endif()
endif()

if(NOT TARGET kron::kron AND NOT TARGET kron::static)
  set(kron_FOUND FALSE)
  set(kron_NOT_FOUND_MESSAGE "neither libkron.so.0.1.0 nor libkron.a is in ${_kron_places}")
endif()
