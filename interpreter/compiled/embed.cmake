# Writes headers into one C++ file as text, one after the other: cmake "-DHEADERS=…;…" -DROOT=… -DOUTPUT=… -P embed.cmake
# What they include of each other is in the text by then, and left out.
set(text "// A game of cards as one function.\n")
foreach(header IN LISTS HEADERS)
  file(READ "${ROOT}/${header}" part)
  string(REGEX REPLACE "#pragma once\n" "" part "${part}")
  string(REGEX REPLACE "#include \"[^\"]*\"\n" "" part "${part}")
  string(REGEX REPLACE "(^|\n) *//[^\n]*" "\\1" part "${part}")
  string(REGEX REPLACE "\n\n+" "\n" part "${part}")
  string(APPEND text "${part}")
endforeach()
file(WRITE "${OUTPUT}" "// Made by embed.cmake from headers.
#include \"interpreter/compiled/fast_forms.hpp\"
namespace houserule {
std::string_view fast_forms() { return R\"~forms~(${text})~forms~\"; }
}  // namespace houserule
")
