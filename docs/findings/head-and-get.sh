#!/bin/sh
. "$(dirname "$0")/steps.sh"
echo '{"some":"text"}' >"$FOLDER/b"
digest=$(blob "$FOLDER/b")
seen 'GET' "$V2/blobs/$digest"
seen 'HEAD' -I "$V2/blobs/$digest"
