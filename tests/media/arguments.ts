import { partsNamed } from '../support/suite/parts'

const parts = [
  'urls',
  'hostile',
  'cards',
  'edges',
  'mutations',
  'answers',
  'crash',
  'speed',
  'corpus',
  'metadata',
  'readings',
  'trims',
] as const

export const usage = `Usage: bun run test:media [part…]

Its parts: ${parts.join(', ')}; all of them without names.`

export const readCall = (words: string[]) => partsNamed(parts, words)
