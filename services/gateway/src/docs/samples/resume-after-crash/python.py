import os

from filmgate import Filmgate

order = os.environ.get("ORDER_ID", "order-1042")
client = Filmgate()

# Started again after a crash, it finds the task by its key and goes on waiting.
task = client.tasks.find(order) or client.create(
    {{python}}
    idempotency_key=order,
)
video = client.wait(task)
video.save(f"{order}.mp4")
print(video.url)
