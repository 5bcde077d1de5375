#!/bin/bash
# Runs as pid 1 of its own pid+net+mount+uts+ipc namespaces: killing it kills the whole cluster and leaves no iptables rule, mount or interface behind.
# env: BIN (dir with hyperkube) W (state dir) IP (node ip) GW
set -euo pipefail
LOG=$W/log; mkdir -p $LOG $W/etcd $W/containerd $W/state $W/kubelet $W/cni $W/manifests
t0=$(date +%s%3N); say() { echo "$(( $(date +%s%3N) - t0 )) ms $*"; }
mount --make-rshared /
# What names the pods' network namespaces ends with the node.
mkdir -p /run/netns; mount -t tmpfs netns /run/netns
# sysfs of this network namespace, with the same cgroup mounts
mkdir -p $W/cg; mount --rbind /sys/fs/cgroup $W/cg; mount -t sysfs sysfs /sys; mount --rbind $W/cg /sys/fs/cgroup
hostname node1; ip link set lo up
for i in $(seq 50); do ip link show eth0 >/dev/null 2>&1 && break; sleep 0.1; done
ip addr add $IP/30 dev eth0; ip link set eth0 up
# Nowhere else to go: what a pod tries to reach outside must not leave this machine (world.sh gives it a world of its own).
ip route add unreachable default
sysctl -qw net.ipv4.ip_forward=1 net.ipv4.conf.all.route_localnet=1 || true
sysctl -qw net.bridge.bridge-nf-call-iptables=1 2>/dev/null || say "no bridge-nf"
# Only what leaves the cluster takes the node's address: between nodes a pod keeps its own, or no policy could know it.
nft -f - <<N
table ip pods { chain leaving { type nat hook postrouting priority 100; ip saddr 10.244.0.0/16 ip daddr != 10.244.0.0/16 masquerade; }; }
N
H=$BIN/hyperkube P=$W/pki
# cgroup parent, so that cleaning up is one rmdir tree
for c in /sys/fs/cgroup/*/; do mkdir -p $c/k8slab 2>/dev/null || true; done
# Processor time as systemd's slices share it out: all pods have two thirds, what the node itself runs one. Else every process of the node is a rival of all
# pods together, and the end of one pod keeps the others waiting for 70 ms.
if [ -e /sys/fs/cgroup/cpu/k8slab/cpu.shares ]; then mkdir -p /sys/fs/cgroup/cpu/k8slab-system; echo 2048 > /sys/fs/cgroup/cpu/k8slab/cpu.shares; echo $$ > /sys/fs/cgroup/cpu/k8slab-system/cgroup.procs; fi
[ -e /sys/fs/cgroup/cpuset/k8slab/cpuset.cpus ] && { cat /sys/fs/cgroup/cpuset/cpuset.cpus > /sys/fs/cgroup/cpuset/k8slab/cpuset.cpus; cat /sys/fs/cgroup/cpuset/cpuset.mems > /sys/fs/cgroup/cpuset/k8slab/cpuset.mems; }

$H etcd --data-dir $W/etcd --listen-client-urls http://127.0.0.1:2379 --advertise-client-urls http://127.0.0.1:2379 --listen-peer-urls http://127.0.0.1:2380 --unsafe-no-fsync --log-level warn >$LOG/etcd.log 2>&1 &

cat > $W/containerd.toml <<C
version = 2
root = "$W/containerd"
state = "$W/state"
disabled_plugins = ["io.containerd.snapshotter.v1.btrfs","io.containerd.snapshotter.v1.devmapper","io.containerd.snapshotter.v1.zfs","io.containerd.snapshotter.v1.aufs","io.containerd.tracing.processor.v1.otlp","io.containerd.internal.v1.tracing"]
[grpc]
  address = "$W/containerd.sock"
[plugins."io.containerd.grpc.v1.cri"]
  sandbox_image = "lab.local/pause:1"
  restrict_oom_score_adj = true
  [plugins."io.containerd.grpc.v1.cri".registry]
    config_path = "$W/registries"
  [plugins."io.containerd.grpc.v1.cri".cni]
    bin_dir = "/usr/lib/cni"
    conf_dir = "$W/cni"
  [plugins."io.containerd.grpc.v1.cri".containerd]
    snapshotter = "overlayfs"
    [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc]
      runtime_type = "io.containerd.runc.v2"
C
cat > $W/cni/10-bridge.conflist <<C
{"cniVersion":"1.0.0","name":"lab","plugins":[
 {"type":"bridge","bridge":"cni0","isGateway":true,"ipMasq":false,"hairpinMode":true,"ipam":{"type":"host-local","ranges":[[{"subnet":"10.244.0.0/24"}]],"routes":[{"dst":"0.0.0.0/0"}],"dataDir":"$W/ipam"}},
 {"type":"portmap","capabilities":{"portMappings":true}}]}
C
containerd --config $W/containerd.toml >$LOG/containerd.log 2>&1 &
CTR="ctr -a $W/containerd.sock -n k8s.io"
( for i in $(seq 100); do $CTR version >/dev/null 2>&1 && break; sleep 0.1; done; say containerd up
  for f in $W/images/*.tar; do $CTR images import --all-platforms $f >>$LOG/import.log 2>&1 || $CTR images import $f >>$LOG/import.log 2>&1; done; say images imported ) &
imp=$!

$H kube-apiserver --etcd-servers http://127.0.0.1:2379 --secure-port 6443 --advertise-address $IP --service-cluster-ip-range 10.96.0.0/16 \
  --tls-cert-file $P/apiserver.crt --tls-private-key-file $P/apiserver.key --client-ca-file $P/ca.crt \
  --service-account-key-file $P/sa.pub --service-account-signing-key-file $P/sa.key --service-account-issuer https://kubernetes.default.svc.cluster.local \
  --kubelet-client-certificate $P/kubelet-client.crt --kubelet-client-key $P/kubelet-client.key --kubelet-preferred-address-types InternalIP \
  --requestheader-client-ca-file $P/fp.crt --requestheader-allowed-names front-proxy-client --requestheader-extra-headers-prefix X-Remote-Extra- --requestheader-group-headers X-Remote-Group --requestheader-username-headers X-Remote-User \
  --proxy-client-cert-file $P/fpc.crt --proxy-client-key-file $P/fpc.key --enable-aggregator-routing=true \
  --authorization-mode Node,RBAC --enable-admission-plugins NodeRestriction --allow-privileged=true >$LOG/apiserver.log 2>&1 &
K="$H kubectl --kubeconfig $P/admin.conf"
for i in $(seq 600); do curl -sfo /dev/null --cacert $P/ca.crt --cert $P/admin.crt --key $P/admin.key https://127.0.0.1:6443/readyz && break; sleep 0.2; done
say apiserver ready
$H kube-controller-manager --kubeconfig $P/kcm.conf --authentication-kubeconfig $P/kcm.conf --authorization-kubeconfig $P/kcm.conf --service-account-private-key-file $P/sa.key --root-ca-file $P/ca.crt \
  --cluster-signing-cert-file $P/ca.crt --cluster-signing-key-file $P/ca.key --use-service-account-credentials --leader-elect=false --horizontal-pod-autoscaler-sync-period 5s --horizontal-pod-autoscaler-downscale-stabilization 15s --horizontal-pod-autoscaler-initial-readiness-delay 5s --horizontal-pod-autoscaler-cpu-initialization-period 10s >$LOG/kcm.log 2>&1 &
$H kube-scheduler --kubeconfig $P/sched.conf --authentication-kubeconfig $P/sched.conf --authorization-kubeconfig $P/sched.conf --leader-elect=false >$LOG/scheduler.log 2>&1 &
cat > $W/proxy.yaml <<C
apiVersion: kubeproxy.config.k8s.io/v1alpha1
kind: KubeProxyConfiguration
mode: ${PROXY_MODE:-nftables}
clientConnection: {kubeconfig: $P/proxy.conf}
clusterCIDR: 10.244.0.0/16
hostnameOverride: node1
conntrack: {maxPerCore: 0, min: 0, tcpEstablishedTimeout: 0s, tcpCloseWaitTimeout: 0s}
C
cat > $W/kubelet.yaml <<C
apiVersion: kubelet.config.k8s.io/v1beta1
kind: KubeletConfiguration
failCgroupV1: false
cgroupDriver: cgroupfs
cgroupRoot: /k8slab
containerRuntimeEndpoint: unix://$W/containerd.sock
clusterDNS: [10.96.0.10]
clusterDomain: cluster.local
resolvConf: $W/resolv.conf
failSwapOn: false
authentication: {anonymous: {enabled: false}, webhook: {enabled: true}, x509: {clientCAFile: $P/ca.crt}}
authorization: {mode: Webhook}
tlsCertFile: $P/kubelet-serving.crt
tlsPrivateKeyFile: $P/kubelet-serving.key
staticPodPath: $W/manifests
imageGCHighThresholdPercent: 100
imageGCLowThresholdPercent: 99
evictionHard: {memory.available: 100Mi, nodefs.available: 1%, imagefs.available: 1%}
nodeStatusUpdateFrequency: 5s
syncFrequency: 10s
maxPods: 110
podLogsDir: $W/pod-logs
C
echo "nameserver $GW" > $W/resolv.conf
wait $imp || true
$H kubelet --config $W/kubelet.yaml --kubeconfig $P/node1.conf --hostname-override node1 --node-ip $IP --root-dir $W/kubelet --cert-dir $W/kubelet/pki >$LOG/kubelet.log 2>&1 &
$H kube-proxy --config $W/proxy.yaml >$LOG/proxy.log 2>&1 &
for i in $(seq 300); do $K get node node1 -o 'jsonpath={.status.conditions[?(@.type=="Ready")].status}' 2>/dev/null | grep -q True && break; sleep 0.3; done
say node Ready
for f in $W/addons/*.yaml; do [ -e "$f" ] && $K apply --server-side -f $f >>$LOG/addons.log 2>&1; done
touch $W/up
say addons applied
# pid 1 duty: reap forever (bash reaps on wait)
while :; do wait -n 2>/dev/null || sleep 1; done
