import os

from openai import OpenAI

client = OpenAI(
    api_key=os.environ["FILMGATE_API_KEY"],
    base_url=os.environ["FILMGATE_URL"].replace("/api/v1", "/openai/v1"),
    timeout=260,
)
video = client.videos.create_and_poll(
    {{openai}}
)
if video.status != "completed":
    raise SystemExit(f"{video.id} failed: {video.error}")
client.videos.download_content(video.id).write_to_file("video.mp4")
