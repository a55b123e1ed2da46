#!/bin/sh
. "$(dirname "$0")/steps.sh"
image "$FOLDER/small" >/dev/null
{ sed 's/"note":"one"}}$/"note":"/' "$FOLDER/small"; head -c 9000000 /dev/zero | tr '\0' x; printf '"}}'; } | tr -d '\n' >"$FOLDER/m"
seen 'PUT of 9 MB' -X PUT -H 'Expect:' -H "Content-Type: $IMAGE" --data-binary "@$FOLDER/m" "$V2/manifests/large"
