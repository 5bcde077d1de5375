from filmgate import Filmgate

video = Filmgate().generate(
    {{python}}
    save_to="video.mp4",
)
print(video.url)
