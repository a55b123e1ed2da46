#!/bin/sh
. "$(dirname "$0")/steps.sh"
image "$FOLDER/m" >/dev/null
put "$FOLDER/m" "sha512:$(sha512sum <"$FOLDER/m" | cut -d' ' -f1)"
