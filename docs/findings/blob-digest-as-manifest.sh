#!/bin/sh
. "$(dirname "$0")/steps.sh"
echo blob >"$FOLDER/b"
seen 'GET manifests/<digest of a blob>' "$V2/manifests/$(blob "$FOLDER/b")"
