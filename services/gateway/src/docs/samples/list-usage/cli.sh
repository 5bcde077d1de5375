npx filmgate usage --csv >usage.csv
