set -euo pipefail
id=$(npx filmgate generate {{cli}} --yes --no-wait)
npx filmgate tasks events "$id"
npx filmgate tasks wait "$id" -o video.mp4
