#!/bin/sh
. "$(dirname "$0")/steps.sh"
image "$FOLDER/m" >/dev/null
put "$FOLDER/m" good
for body in '' null '[]' '{'; do printf %s "$body" >"$FOLDER/bad" && put "$FOLDER/bad" bad; done
sed 's/"schemaVersion":2/"schemaVersion":1/' "$FOLDER/m" >"$FOLDER/bad" && echo '- schemaVersion 1' && put "$FOLDER/bad" bad
sed 's/"size":2/"size":-1/g' "$FOLDER/m" >"$FOLDER/bad" && echo '- a negative size' && put "$FOLDER/bad" bad
