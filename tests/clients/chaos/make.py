"""A program of a client in Python: makes the video of each job that comes as a line, and prints what became of it."""

import json
import sys

from filmgate import Filmgate, FilmgateError

for text in sys.stdin:
    job = json.loads(text)
    with Filmgate(base_url=job["url"]) as filmgate:
        try:
            video = filmgate.generate(**job["request"], idempotency_key=job["id"], save_to=job["saveTo"])
            made = {"id": job["id"], "taskId": video.task["id"]}
        except FilmgateError as error:
            made = {"id": job["id"], "error": f"{error.code}: {error}"}
    print(json.dumps(made), flush=True)
