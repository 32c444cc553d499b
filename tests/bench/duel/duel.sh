#!/usr/bin/env bash
# Duplicate matches between players who deduce: this tree's against another commit's, at equal processor time for a decision.
#
#   tests/bench/duel/duel.sh [--deals D] [--think MS] COMMIT [GAME SEATS]…
#
# Each deal is played twice, the second time with the seats exchanged; SEATS has a letter a seat: `m` for this tree's, `o` for the other's
# (`mom` is three players). The rules files are the commit's. `--think` is what the other commit's players are given (50); a few deals tell
# what that takes them, and this tree's are given what takes them as long, compiled as in `simulate`. Prints the share of games that
# this tree's players won, with a 95 % interval over deals: with equal players it is 0.5, whatever the seats are worth.
# The commit is built in build/beside/ and stays there.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../.." && pwd)
deals=50 think=50
while [ $# -gt 0 ]; do
    case $1 in
        --deals | --think)
            declare "${1#--}=${2:?$1 needs a number}"
            shift 2
            ;;
        -*)
            echo "duel.sh: \`$1\` is not an option" >&2
            exit 2
            ;;
        *) break ;;
    esac
done
commit=${1:?duel.sh needs a commit}
shift
[ $# -gt 0 ] || set -- kuhn mo hearts momo cogito mo euchre momo jiji momo

new=$root/build/release/houserule_duel
cmake --build "$root/build/release" --target houserule_duel >"$root/build/release/duel.log"
tree=$root/build/beside/$commit
old=$tree/build/release/houserule_duel
if [ ! -x "$old" ]; then
    if [ ! -d "$tree" ]; then
        mkdir -p "$tree"
        git -C "$root" archive "$commit" | tar -x -C "$tree"
    fi
    cp "$root/tests/bench/duel/half.cpp" "$tree/half.cpp"
    # What half.cpp asks for, by the names that things had when there was a file `solver/player.hpp`.
    mkdir -p "$tree/solver/players" "$tree/tests/bench"
    echo '#include "solver/player.hpp"' >"$tree/solver/players/deducing_player.hpp"
    cat >"$tree/tests/bench/positions.hpp" <<'END'
#pragma once
#include "dsl/check.hpp"
#include "dsl/parse.hpp"
#include "interpreter/machine.hpp"
#include <fstream>
#include <memory>
#include <sstream>
namespace houserule::bench {
inline std::shared_ptr<const Machine> machine_of(const std::string& path, int players) {
    std::ostringstream text;
    text << std::ifstream(path, std::ios::binary).rdbuf();
    Diagnostics diagnostics;
    const Syntax syntax = parse({{path, text.str()}}, 0, diagnostics);
    if (has_errors(diagnostics)) return nullptr;
    Game game = check(syntax, players, {}, diagnostics);
    return has_errors(diagnostics) ? nullptr : compile(std::move(game));
}
}  // namespace houserule::bench
END
    cat >>"$tree/CMakeLists.txt" <<'END'
add_executable(houserule_duel EXCLUDE_FROM_ALL half.cpp)
target_compile_definitions(houserule_duel PRIVATE HOUSERULE_INTERPRETED)
target_link_libraries(houserule_duel PRIVATE houserule_options ${houserule_libraries} Boost::headers fmt::fmt z3::z3)
END
    cmake -S "$tree" -B "$tree/build/release" -G Ninja -DCMAKE_BUILD_TYPE=Release >"$tree/configure.log"
    nice cmake --build "$tree/build/release" -j "${HOUSERULE_JOBS:-2}" --target houserule_duel >"$tree/duel.log"
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# play GAME SEATS DEALS MINE OTHERS: lines `mine` and `others` with what half.cpp tells at its end.
play() {
    local file=$tree/games/$1.rules players=${#2} its
    its=$(tr mo om <<<"$2")
    rm -f "$work/a" "$work/b"
    mkfifo "$work/a" "$work/b"
    "$old" "$file" "$players" "$its" "$3" "$5" <"$work/a" >"$work/b" 2>"$work/others" &
    "$new" "$file" "$players" "$2" "$3" "$4" --compiled >"$work/a" <"$work/b" 2>"$work/mine"
    wait
    awk 'NF != 4 {exit 1}' "$work/mine" "$work/others" || {
        cat "$work/mine" "$work/others" >&2
        exit 2
    }
}

printf '%-14s %6s %6s %8s %8s %8s  %s\n' game seats deals 'ms then' 'ms now' think 'won by today'"'"'s (95 %)'
while [ $# -gt 1 ]; do
    play "$1" "$2" 3 "$think" "$think"
    mine=$(awk -v think="$think" 'NR == FNR {is = $4; next} {m = think * $4 / (is > 0 ? is : 1); printf "%d", m < 1 ? 1 : m}' "$work/mine" "$work/others")
    play "$1" "$2" "$deals" "$mine" "$think"
    awk -v game="$1" -v seats="$2" -v deals="$deals" -v think="$mine" 'NR == FNR {then_ = $4; next} {
        half = 1.96 * sqrt(($3 - $2 * $2) / (deals - 1))
        printf "%-14s %6s %6d %8.1f %8.1f %8d  %.3f ± %.3f\n", game, seats, deals, then_, $4, think, $2, half
    }' "$work/others" "$work/mine"
    shift 2
done
