#!/bin/sh
# A registry that asks for a login.
. "$(dirname "$0")/steps.sh"
seen 'GET /v2/ without credentials' "$REGISTRY/v2/"
seen 'GET tags/list without credentials' "$V2/tags/list"
