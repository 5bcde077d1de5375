from filmgate import Filmgate

client = Filmgate()
video = client.generate(
    model="alpha-h3",
    mode="image-to-video",
    prompt="The boat drifts away",
    duration=4,
    image_url=client.uploads.create("boat.jpg"),
    save_to="video.mp4",
)
print(video.url)
