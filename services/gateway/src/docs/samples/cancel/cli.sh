id=$(npx filmgate generate {{cli}} --yes --no-wait --cancel-after 600)
npx filmgate tasks cancel "$id" || npx filmgate tasks show "$id"
