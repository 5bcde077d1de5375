set -euo pipefail
auth="Authorization: Bearer $FILMGATE_API_KEY"
id=$(curl -sS --fail-with-body --retry 5 --max-time 260 "$FILMGATE_URL/video/generations" -H "$auth" \
  -H "Content-Type: application/json" -H "Idempotency-Key: follow-$(date +%s)" -d @- <<'JSON' | jq -rs 'last.id'
{{json}}
JSON
)
curl -sSN --fail "$FILMGATE_URL/tasks/$id/events" -H "$auth" -H "Accept: text/event-stream"
curl -sSL --fail -o video.mp4 "$FILMGATE_URL/tasks/$id/download" -H "$auth"
