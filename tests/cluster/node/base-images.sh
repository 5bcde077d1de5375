#!/bin/bash
# base-images.sh OUTDIR : look-alikes of the base images that the Dockerfiles name, for a machine that reaches no image registry:
# Debian roots from apt (mmdebstrap) and Bun from npm, as docker-archives tagged oven/bun:<version>-slim and -distroless.
set -euo pipefail
R=$(cd "$(dirname "$0")" && pwd); O=$1; V=${BUN_VERSION:-1.4.5}; mkdir -p "$O"; cd "$O"
X=(--dpkgopt='path-exclude=/usr/share/doc/*' --dpkgopt='path-exclude=/usr/share/man/*' --dpkgopt='path-exclude=/usr/share/locale/*' --dpkgopt='path-exclude=/usr/lib/x86_64-linux-gnu/gconv/*' --dpkgopt='path-exclude=/usr/share/zoneinfo/right/*')
[ -s distroless.tar ] || mmdebstrap --variant=extract --include=base-files,libc6,ca-certificates,netbase,tzdata "${X[@]}" bookworm distroless.tar
[ -s slim.tar ] || mmdebstrap --variant=essential --include=apt,ca-certificates "${X[@]}" bookworm slim.tar
[ -x "bun-$V/package/bin/bun" ] || { npm pack --silent "@oven/bun-linux-x64@$V" >/dev/null; mkdir -p "bun-$V"; tar xzf "oven-bun-linux-x64-$V.tgz" -C "bun-$V"; rm -f "oven-bun-linux-x64-$V.tgz"; }
# The host's certificates travel in the build image only: RUN steps that reach a package registry may need them.
CA=/etc/ssl/certs/ca-certificates.crt
[ -s "bun-$V-slim.tar" ] || "$R/mkimage.py" "oven/bun:$V-slim" "bun-$V-slim.tar" --base-tar slim.tar --env NODE_EXTRA_CA_CERTS=$CA $CA:$CA "bun-$V/package/bin/bun:/usr/local/bin/bun"
[ -s "bun-$V-distroless.tar" ] || "$R/mkimage.py" "oven/bun:$V-distroless" "bun-$V-distroless.tar" --base-tar distroless.tar --entrypoint /usr/local/bin/bun "bun-$V/package/bin/bun:/usr/local/bin/bun"
