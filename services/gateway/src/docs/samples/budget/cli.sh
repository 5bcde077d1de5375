npx filmgate keys
