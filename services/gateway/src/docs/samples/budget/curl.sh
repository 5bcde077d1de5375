curl -sS --fail-with-body "$FILMGATE_URL/keys/self" -H "Authorization: Bearer $FILMGATE_API_KEY"
