#!/bin/sh
. "$(dirname "$0")/steps.sh"
digest=$(image "$FOLDER/m")
put "$FOLDER/m" one
seen 'PUT /v2/' -X PUT "$REGISTRY/v2/"
seen 'PATCH of a manifest' -X PATCH "$V2/manifests/$digest"
