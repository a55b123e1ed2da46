#!/bin/sh
. "$(dirname "$0")/steps.sh"
image "$FOLDER/m" >/dev/null
put "$FOLDER/m" one
seen 'GET manifests/sha256:baddigeststring' "$V2/manifests/sha256:baddigeststring"
seen 'GET tags/list?last=%00' "$V2/tags/list?last=%00"
seen 'GET tags/list?n=-1' "$V2/tags/list?n=-1"
