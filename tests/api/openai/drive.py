"""Drives OpenAI's published client: a journey of a video, or creates one video a prompt. Prints what came of it as JSON."""

import json
import sys
from concurrent.futures import ThreadPoolExecutor

import openai

asked = json.load(sys.stdin)
client = openai.OpenAI(max_retries=asked.get("max_retries", 2), timeout=asked.get("timeout", 120))


def journey(request, picture):
    made = client.videos.create_and_poll(**request)
    content = client.videos.download_content(made.id).read()
    listed = [video.id for video in client.videos.list(limit=5)]
    framed = client.videos.create(
        model="alpha-h3", prompt=request["prompt"] + " framed", seconds="4", input_reference=open(picture, "rb")
    )
    deleted = client.videos.delete(made.id)
    try:
        after = client.videos.retrieve(made.id).status
    except openai.NotFoundError as error:
        after = error.code
    return {
        "version": openai.__version__,
        "video": made.to_dict(),
        "kind": content[4:8].decode("latin1"),
        "listed": made.id in listed,
        "framed": framed.id,
        "deleted": deleted.deleted,
        "after": after,
    }


def create(request):
    try:
        return {"id": client.videos.create(**request).id}
    except openai.APIError as error:
        return {"error": repr(error)}


def create_all(requests, clients_at_once):
    with ThreadPoolExecutor(clients_at_once) as pool:
        return list(pool.map(create, requests))


if "request" in asked:
    print(json.dumps(journey(asked["request"], asked["picture"])))
else:
    print(json.dumps(create_all(asked["requests"], asked["clients_at_once"])))
