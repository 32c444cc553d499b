#!/usr/bin/env bash
# Random play of another commit's interpreter beside this one's, and beside compiled games: in turn, on one core, as ratios.
#
#   tests/bench/beside.sh [--seconds S] [--built FILE] COMMIT [GAME…]   games that both have, for the fewest players; else all of them
#
# The commit's houserule_bench is built in build/beside/ and stays there; --built FILE takes one that is built already, and then COMMIT
# only names it. All figures are games a second: of the interpreters without winners and scores, which the commit's benchmark does not
# work out, of compiled games with them. The fastest of three slices each counts.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
seconds=0.5 built=
while [ $# -gt 0 ]; do
    case $1 in
        --seconds | --built)
            [ $# -gt 1 ] || {
                echo "beside.sh: $1 needs a value" >&2
                exit 2
            }
            if [ "$1" = --built ]; then built=$2; else seconds=$2; fi
            shift 2
            ;;
        -*)
            echo "beside.sh: \`$1\` is not an option" >&2
            exit 2
            ;;
        *) break ;;
    esac
done
commit=${1:?beside.sh needs a commit}
shift

new=$root/build/release/houserule_bench
[ -x "$new" ] || {
    echo "beside.sh: $new is not built: ./run bench kuhn" >&2
    exit 2
}
if [ -z "$built" ]; then
    tree=$root/build/beside/$commit
    built=$tree/build/release/houserule_bench
    if [ ! -x "$built" ]; then
        mkdir -p "$tree"
        git -C "$root" archive "$commit" | tar -x -C "$tree"
        cmake -S "$tree" -B "$tree/build/release" -G Ninja -DCMAKE_BUILD_TYPE=Release >"$tree/configure.log"
        nice cmake --build "$tree/build/release" -j "${HOUSERULE_JOBS:-2}" --target houserule_bench >"$tree/build.log"
    fi
fi
[ -x "$built" ] || {
    echo "beside.sh: $built is not there" >&2
    exit 2
}
if [ $# -eq 0 ]; then
    for file in "$root"/games/*.rules; do set -- "$@" "$(basename "$file" .rules)"; done
fi

# fewest BENCH ARGUMENT…: players and games a second of the first row, which is for the fewest players; nothing if it has no such game.
fewest() { { "$@" 2>/dev/null || true; } | awk 'NR == 2 {print $2, $4}'; }
for game in "$@"; do
    for _ in 1 2 3; do
        fewest "$built" --seconds "$seconds" "$game" | sed "s/^/$game then /"
        fewest "$new" --seconds "$seconds" "$game" | sed "s/^/$game now /"
        fewest "$new" --compiled --seconds "$seconds" "$game" | sed "s/^/$game compiled /"
    done
done | awk -v commit="$commit" '
    NF == 4 && $4 + 0 > best[$1, $2] {best[$1, $2] = $4}
    NF == 4 && !($1 in players) {players[$1] = $3; order[++games] = $1}
    END {
        printf "%-16s %2s %12s %12s %6s %12s %6s\n", "game", "n", commit, "interpreted", "x", "compiled", "x"
        for (i = 1; i <= games; ++i) {
            g = order[i]; then_ = best[g, "then"]; now = best[g, "now"]; fast = best[g, "compiled"]
            if (then_ == 0 || now == 0 || fast == 0) continue
            printf "%-16s %2d %12d %12d %6.2f %12d %6.2f\n", g, players[g], then_, now, now / then_, fast, fast / then_
            a += log(now / then_); b += log(fast / then_); ++n
        }
        if (n > 0) printf "geometric mean of %d games: interpreted %.2f, compiled %.2f\n", n, exp(a / n), exp(b / n)
    }'
