// What cards are called where they are counted or asked for.
#pragma once

namespace houserule::cli {

// Whether they are pieces, as the rules call them that were read last.
inline bool& are_called_pieces() {
    static bool pieces = false;
    return pieces;
}

}  // namespace houserule::cli
