#!/usr/bin/env bash
# Puts faults back that the program once had, one at a time, and prints after how many random games each is found.
#
#   tests/random/faults.sh [--games G] [FOLDER]
#
# Each patch of tests/random/faults is a fault: a line about it, then what it changes. It is built in a copy of the tree, in FOLDER, and
# plays up to G random games (20000; `--time`: seconds of CPU that a run may take, 600).
# Exit code 1: not all were found; 2: a patch no longer fits, or what it makes does not compile.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
games=20000 time=600 dir=
while [ $# -gt 0 ]; do
    case $1 in
        --games | --time)
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

make_tree
build_whole
survived=0
for fault in "$root"/tests/random/faults/*.patch; do
    patch -s -p1 -d "$tree" <"$fault" || exit 2
    build_whole
    result=$(judge)
    patch -s -R -p1 -d "$tree" <"$fault"
    [ "$result" != survived ] || survived=$((survived + 1))
    printf '%-20s %s: %s\n' "$result" "$(basename "$fault" .patch)" "$(head -1 "$fault")"
done
[ "$survived" -eq 0 ]
