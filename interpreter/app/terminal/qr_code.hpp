// A link as a QR code of block characters, for a phone that looks at the terminal.
#pragma once

#include <string>

namespace houserule::cli {

// Two rows of squares a line, with their quiet zone; empty for a text that is too long for a code.
std::string qr_code(const std::string& text);

}  // namespace houserule::cli
