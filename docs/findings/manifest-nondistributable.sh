#!/bin/sh
. "$(dirname "$0")/steps.sh"
image "$FOLDER/m" >/dev/null
sed "s/\"layers\":\[{[^}]*}/\"layers\":[{\"mediaType\":\"application\/vnd.oci.image.layer.nondistributable.v1.tar+gzip\",\"digest\":\"sha256:$ZEROS\",\"size\":2,\"urls\":[\"https:\/\/layers.example.org\/base.tar.gz\"]}/" "$FOLDER/m" >"$FOLDER/n"
put "$FOLDER/n" nondistributable
