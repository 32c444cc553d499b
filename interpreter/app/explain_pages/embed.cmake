# Writes the pages of `houserule explain` into one C++ file: cmake -DFOLDER=… -DOUTPUT=… -P embed.cmake
file(GLOB pages "${FOLDER}/*.md")
list(REMOVE_ITEM pages "${FOLDER}/README.md")
list(SORT pages)
set(rows "")
foreach(page IN LISTS pages)
  get_filename_component(name "${page}" NAME_WE)
  file(READ "${page}" text)
  string(APPEND rows "    {\"${name}\", R\"~page~(${text})~page~\"},\n")
endforeach()
file(WRITE "${OUTPUT}" "// Made by embed.cmake from the pages in interpreter/app/explain_pages.
#include \"interpreter/app/explain_pages/explain_pages.hpp\"
namespace houserule::cli {
const std::vector<ExplainPage>& explain_pages() {
    static const std::vector<ExplainPage> all = {
${rows}    };
    return all;
}
}  // namespace houserule::cli
")
