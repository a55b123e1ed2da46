#!/bin/sh
. "$(dirname "$0")/steps.sh"
digest=$(image "$FOLDER/m")
put "$FOLDER/m" one
seen 'DELETE by digest' -X DELETE "$V2/manifests/$digest"
seen 'HEAD by digest' -I "$V2/manifests/$digest"
seen 'HEAD by the tag that pointed to it' -I "$V2/manifests/one"
