#!/bin/sh
. "$(dirname "$0")/steps.sh"
last=$(start)
seen 'PATCH of an upload that was never started' -X PATCH -H "$OCTETS" --data-binary ab "${last%?}8"
at=$(start)
name=$(printf ab | digest)
curl -s -o /dev/null -w 'closing PUT: %{http_code}\n' -X PUT -H "$OCTETS" --data-binary ab "$(with "$at" "digest=$name")"
seen 'PATCH of the closed upload' -X PATCH -H "$OCTETS" --data-binary ab "$at"
at=$(start "$REPO" | sed "s|$REPO|$REPO/elsewhere|")
seen 'closing PUT under another repository' -X PUT -H "$OCTETS" --data-binary cd "$(with "$at" "digest=$(printf cd | digest)")"
