# For scripts that break the program and count how often random games find it: a copy of the tree, built apart. To be sourced.
#
# Wants: root (the tree), dir (a folder of its own), games and time (see `judge`).
tree=$dir/tree

# make_tree: copies what `houserule_random` is made of, once.
make_tree() {
    mkdir -p "$dir"
    [ ! -d "$tree" ] || return 0
    mkdir "$tree"
    (cd "$root" && tar cf - CMakeLists.txt dsl interpreter solver tests games examples README.md run) | tar xf - -C "$tree"
    cmake -S "$tree" -B "$dir/build" -G Ninja -DCMAKE_BUILD_TYPE=Mutants -DCMAKE_CXX_FLAGS="-O1 -w" \
        -DCCACHE= >"$dir/build.log" 2>&1
}

build() { nice cmake --build "$dir/build" -j "$(nproc)" --target houserule_random >"$dir/build.log" 2>&1; }

# build_whole: the tree as it is, or the end of it all.
build_whole() {
    build && return
    cat "$dir/build.log" >&2
    exit 2
}

# judge: prints after how many games it was found, or `survived`. Up to `games` are played, in `time` seconds of CPU, of seed `judged_by`.
judge() {
    if (ulimit -t "$time" && exec nice "$dir/build/houserule_random" --games "$games" --seed "${judged_by:-1}" --first) >"$dir/judged" 2>&1; then
        echo survived
        return
    fi
    local first
    first=$(sed -n '/^faults:/,$s/.*(game \([0-9]*\))$/\1/p' "$dir/judged" | sort -n | sed -n 1p)
    echo "found ${first:-without an end}"
}
