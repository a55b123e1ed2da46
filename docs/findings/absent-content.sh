#!/bin/sh
. "$(dirname "$0")/steps.sh"
image "$FOLDER/m" >/dev/null
put "$FOLDER/m" good
sed "s/\"layers\":\[{[^}]*}/\"layers\":[{\"mediaType\":\"application\/vnd.oci.image.layer.v1.tar\",\"digest\":\"sha256:$ZEROS\",\"size\":2}/" "$FOLDER/m" >"$FOLDER/absent"
put "$FOLDER/absent" absent-blob
printf '{"schemaVersion":2,"mediaType":"%s","manifests":[{"mediaType":"%s","digest":"sha256:%s","size":2}]}' "$INDEX" "$IMAGE" "$ZEROS" >"$FOLDER/index"
put "$FOLDER/index" absent-manifest "$INDEX"
