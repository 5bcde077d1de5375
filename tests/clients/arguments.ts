import { Glob } from 'bun'
import { partsNamed } from '../support/suite/parts'

/** Clients go from a gateway that is killed to the other. */
export const gateways = 2

/** A part is a folder here with a `suite.ts`, which exports `prove(report)`. */
const parts = [...new Glob('*/suite.ts').scanSync(import.meta.dir)].map(file => file.slice(0, file.indexOf('/'))).sort()

export const usage = `Usage: bun run test:clients [part…]

Its parts: ${parts.join(', ')}; all of them without names.`

export const readCall = (words: string[]) => partsNamed(parts, words)
