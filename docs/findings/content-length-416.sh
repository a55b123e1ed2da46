#!/bin/sh
. "$(dirname "$0")/steps.sh"
head -c 500 /dev/urandom >"$FOLDER/b"
digest=$(blob "$FOLDER/b")
# curl waits for what Content-Length announces, so the bytes are counted on the socket.
host=${REGISTRY#http://}
{
  printf 'GET /v2/%s/blobs/%s HTTP/1.1\r\nHost: %s\r\nRange: bytes=1000-\r\nConnection: close\r\n\r\n' "$REPO" "$digest" "$host"
  sleep 1
} | curl -s -m 5 "telnet://$host" | tr -d '\r' >"$FOLDER/answer"
sed '/^$/q' "$FOLDER/answer"
echo "bytes after the header section: $(sed '1,/^$/d' "$FOLDER/answer" | wc -c)"
