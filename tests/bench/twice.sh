#!/usr/bin/env bash
# Whether `validate` finds the same again on a busy machine: each game twice, the second time beside loops that take what they get.
#
#   tests/bench/twice.sh PROGRAM [GAME…]
#
# Without games, all that ship. A line a game: the CPU seconds of both runs, and `same` or `DIFFERENT`; 1 if any differs.
set -euo pipefail

program=${1:?a houserule program}
shift
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
games=("$@")
if [ ${#games[@]} -eq 0 ]; then
    for file in "$root"/games/*.rules; do games+=("$(basename "$file" .rules)"); done
fi
folder=$(mktemp -d)
loops=()
cleanup() {
    for loop in "${loops[@]}"; do kill "$loop" 2> /dev/null || true; done
    rm -rf "$folder"
}
trap cleanup EXIT

# The CPU seconds of validating a game; what was found goes to a file. An exit code of 1 says that something was found.
validate() {
    local code=0
    TIMEFORMAT='%U'
    { time "$program" validate "$root/games/$1.rules" --json > "$2" 2> "$folder/error" || code=$?; } 2> "$folder/time"
    [ "$code" -le 1 ] || [ "$code" -eq 3 ] || { cat "$folder/error" >&2; exit 2; }
    cat "$folder/time"
}

different=0
for game in "${games[@]}"; do
    quiet=$(validate "$game" "$folder/quiet")
    loops=()
    for _ in 1 2 3; do
        (while :; do :; done) &
        loops+=($!)
    done
    busy=$(validate "$game" "$folder/busy")
    for loop in "${loops[@]}"; do kill "$loop" && wait "$loop" 2> /dev/null || true; done
    loops=()
    said=same
    cmp -s "$folder/quiet" "$folder/busy" || { said=DIFFERENT different=1; }
    printf '%-16s %8s %8s  %s\n' "$game" "$quiet" "$busy" "$said"
done
exit "$different"
