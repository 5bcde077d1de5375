import { partsNamed } from '../support/suite/parts'

const parts = ['table', 'agreement', 'charges', 'deliveries', 'description', 'clients', 'page', 'new-card', 'speed'] as const

export const usage = `Usage: bun run test:catalog [part…]

Its parts: ${parts.join(', ')}; all of them without names.`

export const readCall = (words: string[]) => partsNamed(parts, words)
