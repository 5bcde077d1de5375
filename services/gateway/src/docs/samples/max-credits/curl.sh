set -euo pipefail
auth="Authorization: Bearer $FILMGATE_API_KEY"
request=$(cat <<'JSON'
{{json}}
JSON
)
price=$(curl -sS --fail-with-body "$FILMGATE_URL/video/estimate" -H "$auth" -H "Content-Type: application/json" -d "$request" | jq .credits)
id=$(jq --argjson price "$price" '. + {max_credits: $price}' <<<"$request" |
  curl -sS --fail-with-body --retry 5 --max-time 260 "$FILMGATE_URL/video/generations" -H "$auth" \
    -H "Content-Type: application/json" -H "Idempotency-Key: capped-$(date +%s)" -d @- | jq -rs 'last.id')
while task=$(curl -sS --fail-with-body --retry 5 "$FILMGATE_URL/tasks/$id" -H "$auth" -H "Prefer: wait=60") &&
  jq -e '.status == "processing"' <<<"$task" >/dev/null
do :; done
jq . <<<"$task"
curl -sSL --fail -o video.mp4 "$FILMGATE_URL/tasks/$id/download" -H "$auth"
