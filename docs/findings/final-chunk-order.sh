#!/bin/sh
. "$(dirname "$0")/steps.sh"
head -c 200 /dev/urandom >"$FOLDER/whole"
head -c 100 "$FOLDER/whole" >"$FOLDER/first"
tail -c 100 "$FOLDER/whole" >"$FOLDER/last"
at=$(curl -s -D - -o /dev/null -X PATCH -H "$OCTETS" -H 'Content-Range: 0-99' --data-binary "@$FOLDER/first" "$(start)" | location)
seen 'closing PUT with Content-Range: 110-209 after 0-99' -X PUT -H "$OCTETS" -H 'Content-Range: 110-209' \
  --data-binary "@$FOLDER/last" "$(with "$at" "digest=$(digest <"$FOLDER/whole")")"
