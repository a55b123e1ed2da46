#!/bin/sh
. "$(dirname "$0")/steps.sh"
image "$FOLDER/m" >/dev/null
put "$FOLDER/m" one "$IMAGE; charset=utf-8"
seen 'HEAD' -I -H "Accept: $IMAGE" "$V2/manifests/one"
