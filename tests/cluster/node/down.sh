#!/bin/bash
# down.sh [--wipe] : ends what up.sh, add-node.sh, world.sh and netpol.sh started, and nothing else; --wipe drops the cluster's data too.
R=$(cd "$(dirname "$0")" && pwd); . "$R/env.sh"
ours() { [ -n "${1-}" ] && tr '\0' ' ' < "/proc/$1/cmdline" | grep -q "$R/"; } 2>/dev/null
for f in "$W"/n?/node.pid "$W/world/pid" "$W"/netpol*.pid "$W/node.pid"; do
  [ -e "$f" ] || continue
  p=$(cat "$f"); ours "$p" && kill -9 "$p" 2>/dev/null; rm -f "$f"
done
for i in $(seq 50); do pgrep -f "$W/containerd.sock" >/dev/null || break; sleep 0.1; done
ip link del k8slab0 2>/dev/null
for c in /sys/fs/cgroup/*/k8slab*; do [ -d "$c" ] && find "$c" -depth -type d -exec rmdir {} \; 2>/dev/null; done
[ "${1-}" = --wipe ] && rm -rf "$W"
exit 0
