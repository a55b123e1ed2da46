#!/bin/sh
. "$(dirname "$0")/steps.sh"
head -c 300 /dev/urandom >"$FOLDER/whole"
head -c 100 "$FOLDER/whole" >"$FOLDER/chunk"
patch() { seen "PATCH $2" -X PATCH -H "$OCTETS" -H "Content-Range: $2" --data-binary "@$FOLDER/chunk" "$1"; }
echo '- the first chunk does not begin with 0'
patch "$(start)" 100-199
echo '- a gap'
at=$(start)
at=$(curl -s -D - -o /dev/null -X PATCH -H "$OCTETS" -H 'Content-Range: 0-99' --data-binary "@$FOLDER/chunk" "$at" | location)
patch "$at" 200-299
echo '- the same chunk again'
at=$(start)
at=$(curl -s -D - -o /dev/null -X PATCH -H "$OCTETS" -H 'Content-Range: 0-99' --data-binary "@$FOLDER/chunk" "$at" | location)
patch "$at" 0-99
echo '- not the length that Content-Range tells'
patch "$(start)" 0-199
echo '- no range at all'
patch "$(start)" 'bytes 0-99/100'
patch "$(start)" '0-'
