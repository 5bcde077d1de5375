from filmgate import Filmgate

Filmgate().generate(
    {{python}}
    on_progress=lambda progress: print(progress.phase, progress.percent or ""),
    save_to="video.mp4",
)
