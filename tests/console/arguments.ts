import { readArguments } from '@filmgate/tools/stack/command/arguments'
import { partsNamed } from '../support/suite/parts'

const parts = [
  'journey',
  'keyboard',
  'looks',
  'support',
  'matrix',
  'attacks',
  'passkeys',
  'starter',
  'speed',
  'payments',
  'reconcile',
] as const
export type Part = (typeof parts)[number]

export const usage = `Usage: bun run test:console [part…]

Its parts: ${parts.join(', ')}; all of them without names.`

export function readCall(words: string[]): { names: Part[] } {
  const { positionals } = readArguments({ args: words, allowPositionals: true, options: {} }, usage)
  return { names: partsNamed(parts, positionals) }
}
