npx filmgate estimate {{cli}}
