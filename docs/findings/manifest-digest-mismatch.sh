#!/bin/sh
. "$(dirname "$0")/steps.sh"
image "$FOLDER/m" >/dev/null
put "$FOLDER/m" "sha256:$ZEROS"
seen 'GET under that digest' -H "Accept: $IMAGE" "$V2/manifests/sha256:$ZEROS"
