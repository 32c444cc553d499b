#!/usr/bin/env bash
# Puts faults back that the program once had, and prints after how many random games each is found.
#
#   tests/random/faults.sh [--games G] [--seed S] [FOLDER]
#
# Each patch of tests/random/faults is a fault: a line about it, then what it changes where `FAULT(its_name)` holds. All are built into one
# program, in a copy of the tree, in FOLDER, made if it is not there, which has one of them by HOUSERULE_FAULT and plays up to G random games
# (20000; `--time`: seconds of CPU that a run may take, 600).
# Exit code 1: not all were found; 2: a patch no longer fits, or what it makes does not compile, or games differ without a fault.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
games=20000 time=600 seed=1 dir=
while [ $# -gt 0 ]; do
    case $1 in
        --games | --time | --seed)
            declare "${1#--}=${2:?$1 needs a number}"
            shift
            ;;
        -*)
            echo "faults.sh: \`$1\` is not an option" >&2
            exit 2
            ;;
        *) dir=$1 ;;
    esac
    shift
done
dir=${dir:-$root/build/random_faults}
# shellcheck source=tests/random/broken_tree.sh
. "$root/tests/random/broken_tree.sh"

judged_by=$seed
if [ ! -d "$tree" ]; then
    make_tree
    cat >"$tree/interpreter/fault.hpp" <<'END'
// Which fault this program has: the one that HOUSERULE_FAULT names, or none.
#pragma once
#include <cstdlib>
#include <string_view>
namespace houserule {
inline const std::string_view fault_now = std::getenv("HOUSERULE_FAULT") == nullptr ? "" : std::getenv("HOUSERULE_FAULT");
}
#define FAULT(name) (houserule::fault_now == #name)
END
    for fault in "$root"/tests/random/faults/*.patch; do patch -s -p1 --no-backup-if-mismatch -d "$tree" <"$fault" || exit 2; done
    sed -n 's#^+++ b/##p' "$root"/tests/random/faults/*.patch | sort -u | while read -r file; do
        sed -i '1i #include "interpreter/fault.hpp"' "$tree/$file"
    done
fi
build_whole
export HOUSERULE_FAULT=
[ "$(games=200 judge)" = survived ] || { echo "faults.sh: the games already differ without a fault" >&2; exit 2; }
survived=0
for fault in "$root"/tests/random/faults/*.patch; do
    HOUSERULE_FAULT=$(basename "$fault" .patch)
    result=$(judge)
    [ "$result" != survived ] || survived=$((survived + 1))
    printf '%-20s %s: %s\n' "$result" "$HOUSERULE_FAULT" "$(head -1 "$fault")"
done
[ "$survived" -eq 0 ]
