#!/bin/sh
. "$(dirname "$0")/steps.sh"
image "$FOLDER/m" >/dev/null
put "$FOLDER/m" one
seen 'GET referrers/sha256:xyz' "$V2/referrers/sha256:xyz"
