#!/bin/sh
. "$(dirname "$0")/steps.sh"
digest=$(image "$FOLDER/m")
put "$FOLDER/m" one
seen 'GET with Accept: */*' -H 'Accept: */*' "$V2/manifests/$digest"
