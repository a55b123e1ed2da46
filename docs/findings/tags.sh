#!/bin/sh
. "$(dirname "$0")/steps.sh"
image "$FOLDER/m" >/dev/null
for tag in b d f h k B 10; do put "$FOLDER/m" "$tag" >/dev/null; done
for query in '' '?n=1' '?n=0' '?last=d' '?n=2&last=b' '?last=e' '?last=zz' '?n=100&last=zz' '?n=-1' '?n=7'; do
  seen "GET tags/list$query" "$V2/tags/list$query"
done
