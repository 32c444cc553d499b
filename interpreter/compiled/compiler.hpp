// Has a printed game compiled by the user's C++ compiler, in a process of its own, and keeps what it makes in a folder.
//
// The folder must be the user's own and closed to others; a file in it is used only if it is the user's, too, and its checksum is right.
// Where there is no such folder, or nothing can be run from it, a private temporary folder serves for this once. Files are written aside
// and renamed, so two processes may do so at once.
#pragma once

#include "interpreter/compiled/compiled_game.hpp"
#include "interpreter/compiled/emit.hpp"
#include "interpreter/run/stop.hpp"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace houserule {

enum class NotCompiled : std::uint8_t {
    no,           // it is compiled
    form,         // the game cannot be printed
    no_compiler,  // neither $CXX nor `c++` is found
    failed,       // the compiler says no
    late,         // it took too long
    no_folder,    // there is nowhere to put what it makes
    unloaded,     // what it made cannot be run
    stopped,      // somebody wanted no more
};

struct Compiled {
    std::vector<std::shared_ptr<const CompiledGame>> games;  // empty, and why:
    NotCompiled why = NotCompiled::no;
    std::string compiler;
    std::string detail;  // what it said: its first line

    std::shared_ptr<const CompiledGame> game() const { return games.empty() ? nullptr : games.front(); }
};

struct CompilerSetting {
    std::vector<std::string> command;             // the compiler as it is called, found in PATH; empty: there is none
    std::optional<std::filesystem::path> folder;  // where compiled games are kept; nothing: nowhere
    std::vector<std::string> flags;               // how fast the code is to be; how it must be compiled is added
    int limit_s = 60;                             // for one text
    std::uint64_t kept_bytes = 64 << 20;          // of compiled games in the folder; the oldest go first
};
// As the environment says it.
CompilerSetting compiler_setting();

// Whether a file for it lies in the folder: then no compiler is started, and it takes a moment.
bool is_kept(const Emitted& emitted, const CompilerSetting& setting);
Compiled compile(const Emitted& emitted, const CompilerSetting& setting, const Stop* stop);

}  // namespace houserule
