set -euo pipefail
order=${ORDER_ID:-order-1042}
# Sent again, it returns the same task.
id=$(curl -sS --fail-with-body --retry 5 --retry-all-errors --max-time 260 "$FILMGATE_URL/video/generations" \
  -H "Authorization: Bearer $FILMGATE_API_KEY" -H "Content-Type: application/json" \
  -H "Idempotency-Key: $order" -d @- <<'JSON' | jq -rs 'last.id'
{{json}}
JSON
)
while task=$(curl -sS --fail-with-body --retry 5 "$FILMGATE_URL/tasks/$id" \
  -H "Authorization: Bearer $FILMGATE_API_KEY" -H "Prefer: wait=60") && jq -e '.status == "processing"' <<<"$task" >/dev/null
do :; done
curl -sSL --fail -o "$order.mp4" "$FILMGATE_URL/tasks/$id/download" -H "Authorization: Bearer $FILMGATE_API_KEY"
