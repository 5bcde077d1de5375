set -euo pipefail
auth="Authorization: Bearer $FILMGATE_API_KEY"
bytes=$(wc -c <boat.jpg | tr -d ' ')
upload=$(curl -sS --fail-with-body "$FILMGATE_URL/uploads" -H "$auth" -H "Content-Type: application/json" \
  -d "{\"type\":\"image/jpeg\",\"bytes\":$bytes}")
# The PUT has its own signature: the API key is not sent there.
jq -r '.put_headers | to_entries[] | "\(.key): \(.value)"' <<<"$upload" >headers.txt
curl -sS --fail-with-body -X PUT -H @headers.txt --data-binary @boat.jpg "$(jq -r .put_url <<<"$upload")"

id=$(jq '{model: "alpha-h3", mode: "image-to-video", prompt: "The boat drifts away", duration: 4, image_url: .url}' <<<"$upload" |
  curl -sS --fail-with-body --retry 5 --max-time 260 "$FILMGATE_URL/video/generations" -H "$auth" \
    -H "Content-Type: application/json" -H "Idempotency-Key: boat-$(date +%s)" -d @- | jq -rs 'last.id')
while task=$(curl -sS --fail-with-body --retry 5 "$FILMGATE_URL/tasks/$id" -H "$auth" -H "Prefer: wait=60") &&
  jq -e '.status == "processing"' <<<"$task" >/dev/null
do :; done
jq . <<<"$task"
curl -sSL --fail -o video.mp4 "$FILMGATE_URL/tasks/$id/download" -H "$auth"
