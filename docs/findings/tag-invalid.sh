#!/bin/sh
. "$(dirname "$0")/steps.sh"
image "$FOLDER/m" >/dev/null
put "$FOLDER/m" good
for tag in "$(printf 'x%.0s' $(seq 129))" .x -x a%20b caf%C3%A9; do put "$FOLDER/m" "$tag"; done
seen 'GET tags/list' "$V2/tags/list"
