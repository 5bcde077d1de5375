import os

from filmgate import Filmgate

client = Filmgate()
endpoint = client.webhooks.create(
    url=os.environ.get("WEBHOOK_URL", "https://example.com/filmgate"),
    events=["task.completed", "task.failed"],
)
print(endpoint["id"], endpoint["secret"])  # The secret is told this once.
delivery = client.webhooks.test(endpoint["id"])
print(delivery["id"], delivery["status"])
