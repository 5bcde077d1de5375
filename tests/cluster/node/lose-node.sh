#!/bin/bash
# lose-node.sh N : worker node N ends as if its power went, and what is sent to it gets no answer, not even a refusal.
set -euo pipefail
R=$(cd "$(dirname "$0")" && pwd); . "$R/env.sh"; N=$1
h() { nsenter -t "$(cat "$W/node.pid")" -n "$@"; }
kill -9 "$(cat "$W/n$N/node.pid")"; rm -f "$W/n$N/node.pid"
for i in $(seq 100); do h ip link show "eth$N" >/dev/null 2>&1 || break; sleep 0.1; done
h ip route replace blackhole "10.244.$((N-1)).0/24"; h ip route replace blackhole "172.31.25$((N-1)).0/30"
