import { partsNamed } from '../support/suite/parts'

const parts = ['strings', 'wire', 'slow'] as const

export const usage = `Usage: bun run test:edge [part…]

Its parts: ${parts.join(', ')}; all of them without names.`

export const readCall = (words: string[]) => partsNamed(parts, words)
