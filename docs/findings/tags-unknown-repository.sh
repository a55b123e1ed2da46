#!/bin/sh
. "$(dirname "$0")/steps.sh"
seen 'GET tags/list of a repository that nobody pushed to' "$V2/never/tags/list"
