npx filmgate generate {{cli}} --yes -o video.mp4
