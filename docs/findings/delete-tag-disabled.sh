#!/bin/sh
. "$(dirname "$0")/steps.sh"
image "$FOLDER/m" >/dev/null
put "$FOLDER/m" one
seen 'DELETE of a tag' -X DELETE "$V2/manifests/one"
