#!/bin/sh
. "$(dirname "$0")/steps.sh"
for name in UPPER a..b -a; do
  seen "POST $REPO/$name" -X POST -H 'Content-Length: 0' "$V2/$name/blobs/uploads/"
done
