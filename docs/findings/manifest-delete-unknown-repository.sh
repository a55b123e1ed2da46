#!/bin/sh
. "$(dirname "$0")/steps.sh"
seen 'DELETE in a repository that does not exist' -X DELETE "$V2/never/manifests/sha256:$ZEROS"
