#!/bin/bash
# netpol.sh : starts netpol.py on every node that is up.
set -euo pipefail
R=$(cd "$(dirname "$0")/.." && pwd); . "$R/env.sh"
start() { # NODE PID_OF_ITS_NAMESPACES
  local f=$W/netpol-$1.pid; [ -e "$f" ] && kill -0 "$(cat "$f")" 2>/dev/null && return
  nsenter -t "$2" -n python3 "$R/network/netpol.py" "$1" "$W/pki" 172.31.250.2:6443 >"$W/log/netpol-$1.log" 2>&1 & echo $! > "$f"
  for i in $(seq 100); do grep -q applied "$W/log/netpol-$1.log" && return; sleep 0.1; done; cat "$W/log/netpol-$1.log"; return 1; }
start node1 "$(cat "$W/node.pid")"
for n in "$W"/n[0-9]; do [ -e "$n/node.pid" ] && start "node${n##*/n}" "$(cat "$n/node.pid")"; done; exit 0
