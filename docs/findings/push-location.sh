#!/bin/sh
. "$(dirname "$0")/steps.sh"
echo one >"$FOLDER/b"
digest=$(digest <"$FOLDER/b")
seen 'closing PUT' -X PUT -H "$OCTETS" --data-binary "@$FOLDER/b" "$(with "$(start)" "digest=$digest")"
echo two >"$FOLDER/c"
seen 'single POST' -X POST -H "$OCTETS" --data-binary "@$FOLDER/c" "$V2/blobs/uploads/?digest=$(digest <"$FOLDER/c")"
image "$FOLDER/m" >/dev/null
put "$FOLDER/m" one
