#!/bin/bash
# world.sh : a host outside the cluster, in a network namespace of its own, that every address outside leads to: the node's default
# route ends there, so nothing a pod tries leaves this machine. It holds a documentation address and the clouds' metadata address and
# answers TCP on 80 and 443, so that a policy that lets a pod out, or doesn't, can be proven by trying. No guard takes the other two for
# private ones: at silent.example.net it says nothing, and at media.example.net it serves the files of W/world/media over TLS and keeps what
# is POSTed to it.
set -euo pipefail
R=$(cd "$(dirname "$0")/.." && pwd); . "$R/env.sh"; SILENT=11.22.33.44 MEDIA=11.22.33.55; mkdir -p "$W/world/media"
[ -e "$W/world/pid" ] && kill -0 "$(cat "$W/world/pid")" 2>/dev/null && exit 0
unshare --net --fork --kill-child python3 "$R/network/world.py" "$SILENT" "$MEDIA" "$W/world/media" >"$W/world/log" 2>&1 &
U=$!; C=; for i in $(seq 100); do C=$(pgrep -P $U || true); [ -n "$C" ] && break; sleep 0.1; done; echo "$C" > "$W/world/pid"
in_world() { nsenter -t "$C" -n "$@"; }
node_net() { nsenter -t "$(cat "$W/node.pid")" -n "$@"; }
node_net ip link add world0 type veth peer name eth0 netns "$C"
node_net ip addr add 172.31.254.1/30 dev world0; node_net ip link set world0 up
in_world ip link set lo up
in_world ip addr add 172.31.254.2/30 dev eth0; in_world ip link set eth0 up; in_world ip route add default via 172.31.254.1
for a in 203.0.113.10 169.254.169.254 "$SILENT" "$MEDIA"; do in_world ip addr add $a/32 dev lo; done
node_net ip route replace default via 172.31.254.2
touch "$W/world/addressed"
