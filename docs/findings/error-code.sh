#!/bin/sh
. "$(dirname "$0")/steps.sh"
seen 'GET of no endpoint' "$V2/no-such-endpoint"
at=$(start)
seen 'PATCH 100-101 first' -X PATCH -H "$OCTETS" -H 'Content-Range: 100-101' --data-binary ab "$at"
seen 'GET of an unknown blob' "$V2/blobs/sha256:$ZEROS"
at=$(start)
seen 'PUT under another digest' -X PUT -H "$OCTETS" --data-binary ab "$(with "$at" "digest=sha256:$ZEROS")"
at=$(start)
seen 'PUT under a malformed digest' -X PUT -H "$OCTETS" --data-binary ab "$(with "$at" "digest=sha256:zz")"
seen 'GET of an upload that does not exist' "$V2/blobs/uploads/no-such-upload"
