#!/bin/sh
. "$(dirname "$0")/steps.sh"
image "$FOLDER/m" >/dev/null
put "$FOLDER/m" good >/dev/null
head -c 100 /dev/urandom >"$FOLDER/b"
elsewhere=$(blob "$FOLDER/b" "$REPO/elsewhere")
for name in "$elsewhere" "sha256:$ZEROS"; do
  sed "s/\"layers\":\[{[^}]*}/\"layers\":[{\"mediaType\":\"application\/vnd.oci.image.layer.v1.tar\",\"digest\":\"$name\",\"size\":100}/" "$FOLDER/m" >"$FOLDER/absent"
  put "$FOLDER/absent" absent
done
curl -s -o /dev/null -w 'HEAD of the blob of the other repository: %{http_code}\n' -I "$V2/blobs/$elsewhere"
