#!/bin/sh
. "$(dirname "$0")/steps.sh"
image "$FOLDER/m" >/dev/null
put "$FOLDER/m" good
seen 'DELETE of an unknown blob' -X DELETE "$V2/blobs/sha256:$ZEROS"
