npx filmgate generate 'The boat drifts away' -m alpha-h3 --duration 4 --image boat.jpg --yes -o video.mp4
