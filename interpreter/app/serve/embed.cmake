# Writes the files of the page, compressed, into one C++ file: cmake -DFOLDER=… -DOUTPUT=… -P embed.cmake
set(rows "")
foreach(name_and_type "index.html=text/html" "licences.txt=text/plain")
  string(REGEX MATCH "^[^=]+" name "${name_and_type}")
  string(REGEX REPLACE "^[^=]+=" "" type "${name_and_type}")
  file(ARCHIVE_CREATE OUTPUT "${OUTPUT}.gz" PATHS "${FOLDER}/${name}" FORMAT raw COMPRESSION GZip COMPRESSION_LEVEL 9 MTIME 0)
  file(READ "${OUTPUT}.gz" bytes HEX)
  file(REMOVE "${OUTPUT}.gz")
  string(REGEX REPLACE "(..)" "\\\\x\\1" bytes "${bytes}")
  # A literal is told its length; in pieces, so that none is longer than every compiler takes.
  string(LENGTH "${bytes}" length)
  set(pieces "")
  foreach(at RANGE 0 ${length} 16000)
    string(SUBSTRING "${bytes}" ${at} 16000 piece)
    string(APPEND pieces "\n     \"${piece}\"")
  endforeach()
  math(EXPR size "${length} / 4")
  string(APPEND rows "    {\"/${name}\", \"${type}; charset=utf-8\", std::string_view(${pieces}, ${size})},\n")
endforeach()
file(READ "${FOLDER}/policy.txt" policy)
string(STRIP "${policy}" policy)
file(WRITE "${OUTPUT}" "// Made by embed.cmake from the files in interpreter/app/serve/page/dist.
#include \"interpreter/app/serve/page_files.hpp\"
namespace houserule::cli {
const std::vector<PageFile>& page_files() {
    static const std::vector<PageFile> all = {
${rows}    };
    return all;
}
std::string_view page_policy() { return \"${policy}\"; }
}  // namespace houserule::cli
")
