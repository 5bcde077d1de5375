import { writeFileSync } from 'node:fs'

/** Runs one bench file, whose default export measures and resolves to rows, and leaves them where bench.ts looks. */
const [file = '', output = ''] = process.argv.slice(2)
const { default: measure } = (await import(file)) as { default: () => Promise<unknown> }
writeFileSync(output, JSON.stringify(await measure()))
process.exit(0)
