set -euo pipefail
auth="Authorization: Bearer $FILMGATE_API_KEY"
endpoint=$(jq -n --arg url "$WEBHOOK_URL" '{url: $url, events: ["task.completed", "task.failed"]}' |
  curl -sS --fail-with-body "$FILMGATE_URL/webhook-endpoints" -H "$auth" -H "Content-Type: application/json" -d @-)
jq -r '"\(.id) \(.secret)"' <<<"$endpoint"
curl -sS --fail-with-body -X POST "$FILMGATE_URL/webhook-endpoints/$(jq -r .id <<<"$endpoint")/test" -H "$auth" | jq .
