#!/bin/sh
. "$(dirname "$0")/steps.sh"
name=$REPO/$(printf 'x%.0s' $(seq 1000))
seen 'POST to a name of 1000 characters' -X POST -H 'Content-Length: 0' "$REGISTRY/v2/$name/blobs/uploads/"
