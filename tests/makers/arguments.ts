import { readArguments } from '@filmgate/tools/stack/command/arguments'
import { StackFault } from '@filmgate/tools/stack/fault'
import { partsNamed } from '../support/suite/parts'

const parts = [
  ...(['client', 'routes', 'pipeline', 'offers', 'callbacks', 'copy', 'costs', 'matrix'] as const),
  ...(['frozen', 'uncertain', 'answers', 'gone', 'scale'] as const),
]
export type Part = (typeof parts)[number]

const goneSecondsDefault = 600

export const usage = `Usage: bun run test:makers [--gone-seconds N] [part…]

Its parts: ${parts.join(', ')}; all of them without names.
  --gone-seconds N   how long our DNS, egress and S3 are gone in \`gone\` (default ${goneSecondsDefault})`

export function readCall(words: string[]): { names: Part[]; goneSeconds: number } {
  const options = { 'gone-seconds': { type: 'string', default: String(goneSecondsDefault) } } as const
  const { values, positionals } = readArguments({ args: words, allowPositionals: true, options }, usage)
  const goneSeconds = Number(values['gone-seconds'])
  if (!Number.isInteger(goneSeconds) || goneSeconds < 30 || goneSeconds > 3_000)
    throw new StackFault(`--gone-seconds takes a whole number from 30 to 3000.\n\n${usage}`)
  return { names: partsNamed(parts, positionals), goneSeconds }
}
