#!/bin/sh
. "$(dirname "$0")/steps.sh"
head -c 2048 /dev/urandom >"$FOLDER/b"
digest=$(blob "$FOLDER/b")
for range in bytes=0-9 bytes=-500 bytes=2000- bytes=2000-5000 bytes=500-0 bytes=5000-; do
  printf 'GET with Range: %s -> ' "$range"
  curl -s -m 5 -o "$FOLDER/part" -D "$FOLDER/head" -w '%{http_code} with %{size_download} bytes, curl %{exitcode}\n' -H "Range: $range" "$V2/blobs/$digest"
  grep -iE '^content-(range|length)' "$FOLDER/head" | sed 's/^/    /'
done
printf 'HEAD with Range: bytes=0-9 -> '
curl -s -m 5 -I -H 'Range: bytes=0-9' "$V2/blobs/$digest" | head -1
for method in -i -I; do curl -s -m 5 $method "$V2/blobs/$digest" -o - | tr -d '\r' | head -c 600 | grep -a -iE '^(HTTP|accept-ranges|content-type)'; done
