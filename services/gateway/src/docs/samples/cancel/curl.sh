set -euo pipefail
auth="Authorization: Bearer $FILMGATE_API_KEY"
id=$(curl -sS --fail-with-body --retry 5 --max-time 260 "$FILMGATE_URL/video/generations" -H "$auth" \
  -H "Content-Type: application/json" -H "Idempotency-Key: cancel-$(date +%s)" \
  -H "Filmgate-Cancel-After: 600" -d @- <<'JSON' | jq -rs 'last.id'
{{json}}
JSON
)
# 200: it is cancelled. 202: the provider has been asked. 409: error.details.reason says why not.
curl -sS -X POST "$FILMGATE_URL/tasks/$id/cancel" -H "$auth" | jq .
