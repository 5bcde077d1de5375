import { resolve } from 'node:path'

/** Fixes what can be fixed by itself: format, imports, simple lint. `bun run format [path…]`. */
const paths = process.argv.slice(2)
const biome = resolve(import.meta.dir, '../../node_modules/.bin/biome')
process.exit(
  await Bun.spawn([biome, 'check', '--write', ...(paths.length > 0 ? paths : ['.'])], { stdio: ['ignore', 'inherit', 'inherit'] }).exited,
)
