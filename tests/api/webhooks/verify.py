"""Reads requests of webhooks, a JSON a line, and prints how many Python's own library verifies."""
import json
import sys

from standardwebhooks import Webhook

verified = 0
faults = []
for line in sys.stdin:
    request = json.loads(line)
    try:
        Webhook(request["secret"]).verify(request["body"], request["headers"])
        verified += 1
    except Exception as fault:
        faults.append(f"{request['headers'].get('webhook-id')}: {fault!r}")
print(json.dumps({"verified": verified, "faults": faults[:10]}))
