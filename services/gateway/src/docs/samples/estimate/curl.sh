set -euo pipefail
curl -sS --fail-with-body "$FILMGATE_URL/video/estimate" \
  -H "Authorization: Bearer $FILMGATE_API_KEY" -H "Content-Type: application/json" -d @- <<'JSON' | jq .
{{json}}
JSON
