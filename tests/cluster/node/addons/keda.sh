#!/bin/bash
# keda.sh : needs bin/keda (cmd/operator) and bin/keda-adapter (cmd/adapter) built from tools/keda, and img/distroless.tar. Applies upstream's own kustomize from the Go module.
set -euo pipefail
R=$(cd "$(dirname "$0")/.." && pwd); . $R/env.sh
KD=$(cd $R/tools/keda && go list -m -f '{{.Dir}}' github.com/kedacore/keda/v2)
$R/mkimage.py ghcr.io/kedacore/keda:main $W/images/k-keda.tar --base-tar ${IMG:-${XDG_CACHE_HOME:-$HOME/.cache}/filmgate/k8s/img}/distroless.tar --entrypoint /keda --user 1000:1000 $BIN/keda:/keda
$R/mkimage.py ghcr.io/kedacore/keda-metrics-apiserver:main $W/images/k-adapter.tar --base-tar ${IMG:-${XDG_CACHE_HOME:-$HOME/.cache}/filmgate/k8s/img}/distroless.tar --entrypoint /keda-adapter --user 1000:1000 $BIN/keda-adapter:/keda-adapter
for n in keda adapter; do load_image $W/images/k-$n.tar; done
kubectl kustomize $KD/config/default > $W/keda.yaml
python3 - $W/keda.yaml <<'P'
import re,sys
f=sys.argv[1]; docs=open(f).read().split('\n---\n')
def keep(d):  # the admission webhook is left out; its Deployment, Service and webhook configuration only
    k=re.search(r'^kind: (\S+)',d,re.M).group(1); n=re.search(r'^metadata:\n(?:  .*\n)*?  name: (\S+)',d,re.M)
    return not (k in('Deployment','Service','ValidatingWebhookConfiguration') and n and 'admission' in n.group(1))
open(f,'w').write('\n---\n'.join(d.replace('imagePullPolicy: Always','imagePullPolicy: IfNotPresent') for d in docs if keep(d)))
P
kubectl apply --server-side -f $W/keda.yaml
for d in keda-operator keda-metrics-apiserver; do kubectl -n keda rollout status deploy/$d --timeout 90s; done
