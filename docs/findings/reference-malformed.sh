#!/bin/sh
. "$(dirname "$0")/steps.sh"
digest=$(image "$FOLDER/m")
put "$FOLDER/m" good
for reference in sha256:zz "SHA256:${digest#sha256:}"; do
  seen "GET manifests/$reference" -H "Accept: $IMAGE" "$V2/manifests/$reference"
  put "$FOLDER/m" "$reference"
done
seen 'GET tags/list' "$V2/tags/list"
