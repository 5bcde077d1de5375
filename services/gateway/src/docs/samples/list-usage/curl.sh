set -euo pipefail
curl -sS --fail-with-body "$FILMGATE_URL/usage?limit=100" -H "Authorization: Bearer $FILMGATE_API_KEY" \
  -H "Accept: text/csv" -o usage.csv
curl -sS --fail-with-body "$FILMGATE_URL/usage/summary?by=day,model" -H "Authorization: Bearer $FILMGATE_API_KEY" | jq .data
