// What stands behind `read_file` and `write_file` (common.hpp) and is of use beside them.
#pragma once

#include "interpreter/app/common/common.hpp"

#include <string>

namespace houserule::cli {

// The whole text into an open file; false with errno: EINTR when Ctrl-C came while it waited for somebody who reads.
bool write_all(int file, const std::string& text);

// "houserule: PATH: WHAT: REASON" on stderr; `error`: an error number of the system.
void complain_of(const std::string& path, const char* what_en, const char* what_ja, int error, const Globals& g);

// Whether there is a pipe, a device or the like at `path`: nothing that keeps what is written there.
bool is_special(const std::string& path);

}  // namespace houserule::cli
