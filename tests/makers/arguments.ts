import { partsNamed } from '../support/suite/parts'

const parts = ['client', 'routes', 'pipeline', 'offers', 'callbacks', 'costs', 'matrix', 'scale'] as const

export const usage = `Usage: bun run test:makers [part…]

Its parts: ${parts.join(', ')}; all of them without names.`

export const readCall = (words: string[]) => partsNamed(parts, words)
