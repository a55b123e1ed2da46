#!/bin/sh
. "$(dirname "$0")/steps.sh"
at=$(start)
seen 'GET of the upload' "$at"
seen 'GET after a chunk' "$(curl -s -D - -o /dev/null -X PATCH -H "$OCTETS" -H 'Content-Range: 0-1' --data-binary ab "$at" | location)"
