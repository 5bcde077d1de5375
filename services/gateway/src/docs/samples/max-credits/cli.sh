npx filmgate generate {{cli}} --max-credits 1000 -o video.mp4
