#!/bin/sh
. "$(dirname "$0")/steps.sh"
head -c 100 /dev/urandom >"$FOLDER/b"
digest=sha512:$(sha512sum <"$FOLDER/b" | cut -d' ' -f1)
seen 'PUT under sha512' -X PUT -H "$OCTETS" --data-binary "@$FOLDER/b" "$(with "$(start "$REPO/source")" "digest=$digest")"
seen 'GET from the source' "$REGISTRY/v2/$REPO/source/blobs/$digest"
seen 'POST mount' -X POST -H 'Content-Length: 0' "$V2/blobs/uploads/?mount=$digest&from=$REPO/source"
seen 'GET what was mounted' "$V2/blobs/$digest"
