#!/usr/bin/env bash
# Judges the judge: breaks the engine at one token at a time and counts how often random games find it.
#
#   tests/random/engine_mutants.sh [--mutants N] [--seed S] [--games G] [FOLDER]
#
# Each of N mutants (200), drawn from the fast forms, the stepper and the plain stepper, is built and plays up to G random games (20000).
# FOLDER holds the trees and results.txt, a line a mutant, and a run goes on where one was broken off: the same folder, the same seed. What
# does not compile, and what compiles to the same code, is drawn again. A mutant is found when games differ, break off or do not end
# (`--time`: seconds of CPU that a run may take, 600).
# Exit code 1: fewer than 95 % were found. The survivors are printed as differences.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
mutants=200 seed=1 games=20000 time=600 dir=
while [ $# -gt 0 ]; do
    case $1 in
        --mutants | --seed | --games | --time)
            declare "${1#--}=${2:?$1 needs a number}"
            shift
            ;;
        -*)
            echo "engine_mutants.sh: \`$1\` is not an option" >&2
            exit 2
            ;;
        *) dir=$1 ;;
    esac
    shift
done
dir=${dir:-$root/build/engine_mutants}
# shellcheck source=tests/random/broken_tree.sh
. "$root/tests/random/broken_tree.sh"
files='engine/expressions.hpp engine/filters.hpp engine/stepper.hpp engine/piles.hpp engine/offer.hpp engine/piece_sets.hpp engine/mask.hpp engine/engine.hpp
       engine/expressions_of_splits.hpp engine/overlap.hpp engine/several.hpp
       plain/plain_steps.cpp plain/plain_values.cpp plain/plain_table.cpp plain/plain_overlap.cpp plain/plain_offer.cpp'

# The places where a token can be broken: FILE LINE COLUMN LENGTH REPLACEMENT, one a line. What stands in a comment is none.
sites() {
    for name in $files; do
        awk -v file="interpreter/$name" '
            function site(at, length_, by) { print file, NR, at, length_, by }
            function each(token, by,   at, from, code) {
                code = $0
                from = 0
                while ((at = index(code, token)) > 0) {
                    if (token != "~!" || substr(code, at + 2, 1) != "=") site(from + at, length(token), by)
                    from += at + length(token) - 1
                    code = substr(code, at + length(token))
                }
            }
            {
                comment = index($0, "//")
                if (comment > 0) $0 = substr($0, 1, comment - 1)
                if ($0 ~ /^ *(#|template|using|static_assert|friend)/ || $0 ~ /stop_on_bug/) next
                gsub(/ /, "~")  # so that a replacement is one word
                each("~<~", "~<=~"); each("~<=~", "~<~"); each("~>~", "~>=~"); each("~>=~", "~>~")
                each("~==~", "~!=~"); each("~!=~", "~==~"); each("~&&~", "~||~"); each("~||~", "~&&~")
                each("~+~", "~-~"); each("~-~", "~+~"); each("~*~", "~+~"); each("~&~", "~|~"); each("~|~", "~&~")
                each("~+=~", "~-=~"); each("(!", "("); each("~!", "~"); each("++", "--")
                each("~0;", "~1;"); each("~1;", "~2;"); each("(0)", "(1)"); each("~0)", "~1)"); each("~1)", "~0)")
                each("[0]", "[1]"); each("true", "false"); each("false", "true"); each("std::max(", "std::min("); each("std::min(", "std::max(")
                each("continue;", "break;"); each("break;", "continue;"); each("lowest", "highest")
                each("~?~", "~?~!"); each("has(", "!has(")
            }' "$root/interpreter/$name"
    done
}

# mutate SITE: writes it into the tree.
mutate() {
    local file line at length by
    read -r file line at length by <<<"$1"
    awk -v line="$line" -v at="$at" -v length_="$length" -v by="$by" '
        BEGIN { gsub(/~/, " ", by) }
        NR == line { $0 = substr($0, 1, at - 1) by substr($0, at + length_) }
        { print }' "$root/$file" >"$tree/$file"
}
restore() { cp "$root/$1" "$tree/$1"; }

code() { find "$dir/build" -name '*.o' \( -path '*houserule_interpreter*' -o -path '*houserule_plain*' \) -exec sha1sum {} + | sort | sha1sum; }

make_tree
for name in $files; do cmp -s "$root/interpreter/$name" "$tree/interpreter/$name" || restore "interpreter/$name"; done
build_whole
plain=$(code)
touch "$dir/results.txt"
sites | awk -v seed="$seed" 'BEGIN { srand(seed) } { printf "%.9f %s\n", rand(), $0 }' | sort | cut -d' ' -f2- >"$dir/sites"

counted() { grep -cE '^(found|survived)' "$dir/results.txt" || true; }
while read -r site; do
    [ "$(counted)" -lt "$mutants" ] || break
    grep -qF -- " | $site" "$dir/results.txt" && continue
    mutate "$site"
    if ! build; then
        result='not compiled'
    elif [ "$(code)" = "$plain" ]; then
        result='same code'
    else
        result=$(judge)
    fi
    restore "${site%% *}"
    echo "$result | $site" >>"$dir/results.txt"
    echo "$result | $site"
done <"$dir/sites"

found=$(grep -c '^found' "$dir/results.txt" || true)
all=$(counted)
echo "$found of $all mutants were found; $(grep -c '^same' "$dir/results.txt" || true) made no other code, $(grep -c '^not' "$dir/results.txt" || true) did not compile"
sed -n 's/^survived | //p' "$dir/results.txt" | while read -r site; do
    mutate "$site"
    diff -U0 --label "${site%% *}" --label "${site%% *}" "$root/${site%% *}" "$tree/${site%% *}" || true
    restore "${site%% *}"
done
[ $((found * 100)) -ge $((all * 95)) ]
