# Parts that check-examples and check-older share: a box for developers in a temporary folder, and apps that sign in and play there.
# The daemon's programs are in $programs.
# shellcheck shell=bash

export no_proxy=127.0.0.1,localhost NO_PROXY=127.0.0.1,localhost PYTHONDONTWRITEBYTECODE=1
folder=$(mktemp -d)
self=${0##*/}
children=()
clean_up() {
    for child in "${children[@]}"; do
        kill "$child" 2> /dev/null || true
        wait "$child" 2> /dev/null || true
    done
    rm -rf "$folder"
}
trap clean_up EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

# Waits until a file contains the words, or its program has ended.
await() {
    for _ in $(seq 600); do
        grep -qs "$1" "$2" && return
        kill -0 "$3" 2> /dev/null || break
        sleep 0.05
    done
    grep -qs "$1" "$2" && return
    echo "$self: $4: there is no '$1' in: $(cat "$2")" >&2
    exit 1
}

"$programs/pass-sandbox" box --listen 127.0.0.1:0 --catalog Config/sandbox/catalog.json > "$folder/box" 2>&1 &
children+=($!)
await '^export PATH=' "$folder/box" $! pass-sandbox
eval "$(grep '^export ' "$folder/box")"

# Starts an app and plays the viewer's part.
sign_in() {
    local name=$1
    shift
    out=$folder/$name
    "$@" > "$out" 2>&1 &
    app=$!
    children+=("$app")
    await 'Code: ' "$out" "$app" "$name"
    "$programs/pass-sandbox" log-in "$(sed -n 's/^Open \([^ ]*\) .*/\1/p' "$out")" --provider NorthCable --user ada \
        --password - <<< lovelace > /dev/null
}

play() {
    local name=$1
    sign_in "$@"
    await 'lumen-sports-1: token' "$out" "$app" "$name"
    "$programs/passd-cli" --requestor LUMENTV logout > /dev/null
    await 'Signed out' "$out" "$app" "$name"
    kill "$app"
    echo "$self: $name signed in, played and heard of the logout"
}
