/** Functions of the script, each put in only where it is used. */

export const send = `answers=$(mktemp -d) || exit 1
trap 'rm -rf "$answers"' EXIT
trap 'exit 130' INT TERM

# send NUMBER METHOD SAW CURL-ARGUMENT...: sends one request and shows what comes back; SAW is what the run saw
send() {
  answer=$answers/$1
  printf '\\n%s. %s ' "$1" "$2"
  saw=$3
  shift 3
  for url in "$@"; do :; done
  printf '%s (the run saw: %s)\\n' "$url" "$saw"
  curl -sS --http1.1 --globoff --path-as-is -H 'Accept:' -H 'Expect:' -D "$answer" -o "$answer.body" "$@"
  [ -s "$answer" ] || return 0
  tr -d '\\r' <"$answer"
  [ -s "$answer.body" ] && ! cmp -s "$answer" "$answer.body" || return 0
  size=$(($(wc -c <"$answer.body")))
  if [ "$size" -gt 4096 ] || [ "$(($(tr -dc '\\000' <"$answer.body" | wc -c)))" -gt 0 ]; then
    sum=$( (sha256sum || shasum -a 256) 2>/dev/null <"$answer.body")
    printf '(%s bytes, sha256:%s)\\n' "$size" "\${sum%% *}"
  else
    cat "$answer.body"
    echo
  fi
}`

export const absolute = `# header NUMBER NAME: the last value of that header in that answer
header() {
  grep -i "^$2:" "$answers/$1" | tail -n 1 | tr -d '\\r' | sed 's/^[^:]*:[[:space:]]*//; s/[[:space:]]*$//'
}

# absolute BASE REFERENCE: the URL that the reference means in an answer to a request for BASE
absolute() {
  authority=\${1#*://}
  origin=\${1%%://*}://\${authority%%[/?#]*}
  path=\${1%%[?#]*}
  case $2 in
    '') echo 'The answer has no such header: what follows cannot be repeated.' >&2; return 1 ;;
    http://* | https://*) printf '%s' "$2" ;;
    //*) printf '%s:%s' "\${1%%://*}" "$2" ;;
    /*) printf '%s%s' "$origin" "$2" ;;
    \\?*) printf '%s%s' "$path" "$2" ;;
    *) printf '%s/%s' "\${path%/*}" "$2" ;;
  esac
}`

export const value = `# value NUMBER KEY: the last string with that key in the JSON of that answer
value() {
  sed -n "s/.*\\"$2\\"[[:space:]]*:[[:space:]]*\\"\\([^\\"]*\\)\\".*/\\1/p" "$answers/$1.body" | tail -n 1
}`

export const query = `# query URL PARAMETERS: the URL with these parameters added
query() {
  case $1 in
    *\\?*) printf '%s&%s' "$1" "$2" ;;
    *) printf '%s?%s' "$1" "$2" ;;
  esac
}`

export const json = `# json TEXT: the text as the inside of a JSON string
json() {
  printf '%s' "$1" | sed 's/\\\\/\\\\\\\\/g; s/"/\\\\"/g'
}`

const takeToken = `sed -n 's/.*"\\(access_\\)\\{0,1\\}token"[[:space:]]*:[[:space:]]*"\\([^"]*\\)".*/\\2/p' | head -n 1`

const token = (
  curl: string,
) => `# token USERNAME PASSWORD CURL-ARGUMENT...: the token that the token service gives
token() {
  username=$1 password=$2
  shift 2
  ${curl} |
    ${takeToken}
}`

const basic = `\${username:+-u} \${username:+"$username:$password"}`

/** How a target wants to be asked for a token. */
export type TokenRequest = 'get-basic' | 'post-json' | 'post-form' | 'post-basic'

export const tokens: Readonly<Record<TokenRequest, string>> = {
  'get-basic': token(`curl -sS ${basic} "$@"`),
  'post-basic': token(`curl -sS --data-raw '' -H 'Content-Type:' ${basic} "$@"`),
  'post-form': token(
    `curl -sS --data-raw 'grant_type=password&client_id=assay' \\
    --data-urlencode "username=$username" --data-urlencode "password=$password" "$@"`,
  ),
  'post-json': token(
    `printf '{"username":"%s","password":"%s"}' "$(json "$username")" "$(json "$password")" |
    curl -sS -H 'Content-Type: application/json' --data-binary @- "$@"`,
  ),
}
