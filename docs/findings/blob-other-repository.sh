#!/bin/sh
. "$(dirname "$0")/steps.sh"
head -c 100 /dev/urandom >"$FOLDER/b"
digest=$(blob "$FOLDER/b" "$REPO/source")
image "$FOLDER/m" >/dev/null
put "$FOLDER/m" good
curl -s -o /dev/null -w 'GET from a repository that does not hold it: %{http_code}\n' "$V2/blobs/$digest"
blob "$FOLDER/b" "$REPO/other" >/dev/null
curl -s -o /dev/null -w 'DELETE from the first: %{http_code}\n' -X DELETE "$REGISTRY/v2/$REPO/source/blobs/$digest"
curl -s -o /dev/null -w 'GET from the other, to which it was pushed too: %{http_code}\n' "$REGISTRY/v2/$REPO/other/blobs/$digest"
