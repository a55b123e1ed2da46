# Steps that the scripts beside share. Each script runs as it is:  REGISTRY=http://127.0.0.1:5000 sh docs/findings/NAME.sh
set -u
: "${REGISTRY:?the base of a registry, such as http://127.0.0.1:5000}"
REPO=${REPO:-findings/$(date +%s)-$$}
FOLDER=$(mktemp -d)
trap 'rm -rf "$FOLDER"' EXIT
V2=$REGISTRY/v2/$REPO
OCTETS='Content-Type: application/octet-stream'
IMAGE=application/vnd.oci.image.manifest.v1+json
INDEX=application/vnd.oci.image.index.v1+json
ZEROS=0000000000000000000000000000000000000000000000000000000000000000

# The digest of standard input.
digest() { printf 'sha256:%s' "$(sha256sum | cut -d' ' -f1)"; }
# The Location of the answer on standard input, absolute.
location() {
  found=$(tr -d '\r' | sed -n 's/^[Ll]ocation: *//p')
  case $found in http*) printf %s "$found" ;; *) printf %s "$REGISTRY$found" ;; esac
}
# A URL with one more parameter.
with() { case $1 in *\?*) printf %s "$1&$2" ;; *) printf %s "$1?$2" ;; esac; }
# Starts an upload: start [REPOSITORY]
start() { curl -s -D - -o /dev/null -X POST "$REGISTRY/v2/${1:-$REPO}/blobs/uploads/" | location; }
# Pushes a file and prints its digest: blob FILE [REPOSITORY]
blob() {
  name=$(digest <"$1")
  curl -s -o /dev/null -X PUT -H "$OCTETS" --data-binary "@$1" "$(with "$(start "${2:-}")" "digest=$name")"
  printf %s "$name"
}
# Writes the manifest of an image of one small blob, which is pushed, and prints its digest: image FILE [NOTE]
image() {
  printf '{}' >"$FOLDER/config"
  config=$(blob "$FOLDER/config")
  entry='{"mediaType":"application/vnd.oci.empty.v1+json","digest":"'$config'","size":2}'
  printf '{"schemaVersion":2,"mediaType":"%s","artifactType":"application/vnd.example","config":%s,"layers":[%s],"annotations":{"note":"%s"}}' \
    "$IMAGE" "$entry" "$entry" "${2:-one}" >"$1"
  digest <"$1"
}
# Puts a manifest: put FILE REFERENCE [TYPE]
put() { seen "PUT manifests/$2" -X PUT -H "Content-Type: ${3:-$IMAGE}" --data-binary "@$1" "$V2/manifests/$2"; }
# Sends a request and prints status, the headers that matter, and the beginning of the body: seen LABEL CURL-ARGUMENTS
seen() {
  label=$1
  shift
  curl -s -i -m 20 "$@" >"$FOLDER/answer" || echo "(the connection ended early: curl $?)"
  tr -d '\r' <"$FOLDER/answer" >"$FOLDER/text"
  printf '%s -> %s\n' "$label" "$(sed -n '1s/^HTTP[^ ]* //p' "$FOLDER/text")"
  sed -n '2,/^$/p' "$FOLDER/text" | grep -iE '^(location|range|content-range|content-type|content-length|docker-content-digest|allow|accept-ranges|link):' | sed 's/^/    /'
  sed '1,/^$/d' "$FOLDER/text" | head -c 300 | tr -c '[:print:]\n' '.'
  echo
}
