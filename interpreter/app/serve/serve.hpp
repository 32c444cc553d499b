// The command `serve`: opens a table in the browser, or one that is kept, and prints its links.
#pragma once

#include "interpreter/app/common/common.hpp"
#include "interpreter/app/play/arguments.hpp"

#include <optional>
#include <string>

namespace houserule::cli {

struct ServeArgs : TableArgs {
    bool lan = false;
    std::string host;  // a further name by which pages call this machine
    int port = 7117;
    std::string dir;             // where the table is kept; empty: a new folder among the user's files
    std::optional<double> pace;  // seconds; else longer where people may act when they want to
    bool hints = false;
};
int run_serve(const ServeArgs& args, const Globals& g);

}  // namespace houserule::cli
