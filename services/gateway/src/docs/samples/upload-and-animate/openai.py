import os

from openai import OpenAI

client = OpenAI(
    api_key=os.environ["FILMGATE_API_KEY"],
    base_url=os.environ["FILMGATE_URL"].replace("/api/v1", "/openai/v1"),
    timeout=260,
)
with open("boat.jpg", "rb") as image:
    video = client.videos.create_and_poll(
        model="alpha-h3", prompt="The boat drifts away", seconds="4", input_reference=image
    )
if video.status != "completed":
    raise SystemExit(f"{video.id} failed: {video.error}")
client.videos.download_content(video.id).write_to_file("video.mp4")
