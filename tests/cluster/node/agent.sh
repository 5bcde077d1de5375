#!/bin/bash
# Extra worker node N (2 or 3): pid 1 of its own namespaces. env: BIN W N
set -euo pipefail
A=$W/n$N; IP=172.31.25$((N-1)).2; GW=172.31.25$((N-1)).1; SUB=10.244.$((N-1)).0/24; LOG=$A/log; P=$W/pki; H=$BIN/hyperkube
mkdir -p $LOG $A/containerd $A/state $A/kubelet $A/cni $A/cg $A/manifests
mount --make-rshared /; mkdir -p /run/netns; mount -t tmpfs netns /run/netns; mount --rbind /sys/fs/cgroup $A/cg; mount -t sysfs sysfs /sys; mount --rbind $A/cg /sys/fs/cgroup
hostname node$N; ip link set lo up
for i in $(seq 50); do ip link show eth0 >/dev/null 2>&1 && break; sleep 0.1; done
ip addr add $IP/30 dev eth0; ip link set eth0 up; ip route add default via $GW
sysctl -qw net.ipv4.ip_forward=1 net.bridge.bridge-nf-call-iptables=1 || true
nft 'table ip pods { chain leaving { type nat hook postrouting priority 100; ip saddr 10.244.0.0/16 ip daddr != 10.244.0.0/16 masquerade; }; }'
for c in /sys/fs/cgroup/*/; do mkdir -p $c/k8slab$N 2>/dev/null || true; done
if [ -e /sys/fs/cgroup/cpu/k8slab$N/cpu.shares ]; then echo 2048 > /sys/fs/cgroup/cpu/k8slab$N/cpu.shares; echo $$ > /sys/fs/cgroup/cpu/k8slab-system/cgroup.procs; fi
for f in cpus mems; do cat /sys/fs/cgroup/cpuset/cpuset.$f > /sys/fs/cgroup/cpuset/k8slab$N/cpuset.$f; done
sed "s|$W/containerd\"|$A/containerd\"|;s|$W/state|$A/state|;s|$W/containerd.sock|$A/containerd.sock|;s|$W/cni|$A/cni|" $W/containerd.toml > $A/containerd.toml
sed "s|10.244.0.0/24|$SUB|;s|$W/ipam|$A/ipam|" $W/cni/10-bridge.conflist > $A/cni/10-bridge.conflist
sed "s|$W/containerd.sock|$A/containerd.sock|;s|/k8slab|/k8slab$N|;s|kubelet-serving|kubelet-serving$N|;s|$W/manifests|$A/manifests|;s|$W/pod-logs|$A/pod-logs|" $W/kubelet.yaml > $A/kubelet.yaml
sed "s|node1|node$N|" $W/proxy.yaml > $A/proxy.yaml
containerd --config $A/containerd.toml >$LOG/containerd.log 2>&1 &
for i in $(seq 100); do ctr -a $A/containerd.sock version >/dev/null 2>&1 && break; sleep 0.1; done
for f in $W/images/*.tar; do ctr -a $A/containerd.sock -n k8s.io images import $f >>$LOG/import.log 2>&1; done
$H kubelet --config $A/kubelet.yaml --kubeconfig $P/node$N.conf --hostname-override node$N --node-ip $IP --root-dir $A/kubelet --cert-dir $A/kubelet/pki >$LOG/kubelet.log 2>&1 &
$H kube-proxy --config $A/proxy.yaml >$LOG/proxy.log 2>&1 &
while :; do wait -n 2>/dev/null || sleep 1; done
