#!/bin/sh
# Needs xargs -P. Each of ROUNDS rounds has a subject of its own; WIDTH requests go side by side.
. "$(dirname "$0")/steps.sh"
ROUNDS=${ROUNDS:-10}
WIDTH=${WIDTH:-8}
export IMAGE V2 FOLDER

# Pushes a subject of its own: subject NOTE
subject() {
  name=$(image "$FOLDER/m" "$1")
  put "$FOLDER/m" "$1" >/dev/null
  own='{"mediaType":"'$IMAGE'","digest":"'$name'","size":'$(wc -c <"$FOLDER/m" | tr -d ' ')'}'
}
# Writes so many referrers of it, one type each, and pushes them; prints the statuses: referrers COUNT SIDE-BY-SIDE
referrers() {
  for i in $(seq "$1"); do
    sed "s|\"artifactType\":\"[^\"]*\"|\"artifactType\":\"application/vnd.example.$i\",\"subject\":$own|" "$FOLDER/m" >"$FOLDER/r$i"
    printf '%s %s/manifests/%s\n' "$FOLDER/r$i" "$V2" "$(digest <"$FOLDER/r$i")"
  done >"$FOLDER/pushes"
  xargs -P "$2" -n 2 sh -c 'curl -s -o /dev/null -w "%{http_code}\n" -X PUT -H "Content-Type: $IMAGE" --data-binary "@$0" "$1"' <"$FOLDER/pushes"
}
# How many descriptors a list has.
count() { tr '{' '\n' | grep -c vnd.example.; }

echo 'A filtered list, asked for twice'
subject twice
referrers 2 1 >/dev/null
for time in first second; do
  curl -s -D "$FOLDER/headers" -o "$FOLDER/list" "$V2/referrers/$name?artifactType=application/vnd.example.1"
  filters=$(tr -d '\r' <"$FOLDER/headers" | sed -n 's/^[Oo][Cc][Ii]-[Ff]ilters-[Aa]pplied: *//p')
  echo "    $time answer: $(count <"$FOLDER/list") of 2 referrers, OCI-Filters-Applied: ${filters:-none}"
done

echo "$WIDTH referrers pushed side by side to one subject, then $WIDTH whole and filtered lists side by side; $ROUNDS times"
short=0 lost=0 wrong=0
for round in $(seq "$ROUNDS"); do
  subject "round-$round"
  taken=$(referrers "$WIDTH" "$WIDTH" | grep -c 201)
  at=$V2/referrers/$name
  export at
  seq "$WIDTH" | xargs -P "$WIDTH" -I{} sh -c '
    curl -s "$at?artifactType=application/vnd.example.{}" >"$FOLDER/filtered.{}"; curl -s "$at" >"$FOLDER/whole.{}"'
  listed=$(curl -s "$at" | count)
  [ "$listed" -lt "$taken" ] && short=$((short + 1)) lost=$((lost + taken - listed))
  for i in $(seq "$WIDTH"); do
    [ "$(count <"$FOLDER/whole.$i")" -eq "$listed" ] && [ "$(count <"$FOLDER/filtered.$i")" -le 1 ] || wrong=$((wrong + 1))
  done
done
echo "    rounds in which not all that were answered 201 are listed: $short of $ROUNDS, $lost of $((ROUNDS * WIDTH)) referrers lost"
echo "    whole and filtered lists that were mixed up: $wrong of $((ROUNDS * WIDTH))"
