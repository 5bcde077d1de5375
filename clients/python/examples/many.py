"""Makes a video for each prompt of a file, at most three at once, and goes on where it was stopped.

python many.py prompts.txt videos
"""

from __future__ import annotations

import asyncio
import hashlib
import sys
from pathlib import Path

from filmgate import AsyncFilmgate, FilmgateError, Progress
from filmgate.shapes import AlphaH3FastTextToVideo

at_once = 3


async def make(client: AsyncFilmgate, prompt: str, folder: Path, places: asyncio.Semaphore) -> bool:
    """Saves the video of a prompt. The same prompt has the same key, so that a second run pays for nothing twice."""
    name = hashlib.sha256(prompt.encode()).hexdigest()[:16]
    target = folder / f"{name}.mp4"
    if target.exists():
        return True

    request: AlphaH3FastTextToVideo = {"model": "alpha-h3-fast", "prompt": prompt, "duration": 5}

    def show(progress: Progress) -> None:
        print(f"{prompt[:40]:40} {progress.phase}")

    async with places:
        try:
            await client.generate(request, idempotency_key=f"many-{name}", on_progress=show, save_to=target)
        except FilmgateError as error:
            print(f"{prompt[:40]:40} {error}", file=sys.stderr)
            return False
    return True


async def main(prompts: list[str], folder: Path) -> int:
    folder.mkdir(parents=True, exist_ok=True)
    places = asyncio.Semaphore(at_once)
    async with AsyncFilmgate() as client:
        made = await asyncio.gather(*(make(client, prompt, folder, places) for prompt in prompts))
    return 0 if all(made) else 1


if __name__ == "__main__":
    _, source, target = sys.argv
    sys.exit(asyncio.run(main([line for line in Path(source).read_text().splitlines() if line], Path(target))))
