#include "interpreter/app/terminal/qr_code.hpp"

#include <memory>

#include <qrencode.h>

namespace houserule::cli {

std::string qr_code(const std::string& text) {
    constexpr int quiet = 2;  // squares around it; four are asked for, terminals have margins of their own
    const std::unique_ptr<QRcode, decltype(&::QRcode_free)> code(::QRcode_encodeString8bit(text.c_str(), 0, QR_ECLEVEL_L), &::QRcode_free);
    if (!code) return "";
    const auto dark = [&](int x, int y) {
        return x >= 0 && y >= 0 && x < code->width && y < code->width && (code->data[y * code->width + x] & 1) != 0;
    };
    // Light squares are drawn: most terminals are dark, and a phone reads either.
    std::string all;
    for (int y = -quiet; y < code->width + quiet; y += 2) {
        for (int x = -quiet; x < code->width + quiet; ++x) all += dark(x, y) ? (dark(x, y + 1) ? " " : "▄") : (dark(x, y + 1) ? "▀" : "█");
        all += "\n";
    }
    return all;
}

}  // namespace houserule::cli
