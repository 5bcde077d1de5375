from filmgate import Filmgate, FilmgateError

client = Filmgate()
task = client.create(
    {{python}}
    cancel_after_seconds=600,
)
try:
    ended = client.tasks.cancel(task["id"])
    print(ended["status"], ended["error"] or "the provider has been asked")
except FilmgateError as error:
    if error.code != "not_cancellable":
        raise
    print(f"It goes on: {error.details['reason']}")
