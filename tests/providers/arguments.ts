import { readArguments } from '@filmgate/tools/stack/command/arguments'
import { StackFault } from '@filmgate/tools/stack/fault'
import { partsNamed } from '../support/suite/parts'

const parts = [
  ...(['client', 'routes', 'pipeline', 'offers', 'callbacks', 'copy', 'costs', 'matrix'] as const),
  ...(['frozen', 'uncertain', 'answers', 'holds', 'gone', 'scale'] as const),
]
export type Part = (typeof parts)[number]

const goneSecondsDefault = 600
const holdSecondsDefault = 600
const submitsDefault = 10_000

export const usage = `Usage: bun run test:providers [--gone-seconds N] [--hold-seconds N] [--submits N] [part…]

Its parts: ${parts.join(', ')}; all of them without names.
  --gone-seconds N   how long our DNS, egress and S3 are gone in \`gone\` (default ${goneSecondsDefault})
  --hold-seconds N   how long a provider answers nothing in \`holds\` (default ${holdSecondsDefault})
  --submits N        how many answers \`uncertain\` loses (default ${submitsDefault})`

export function readCall(words: string[]): { names: Part[]; goneSeconds: number; holdSeconds: number; submits: number } {
  const options = {
    'gone-seconds': { type: 'string', default: String(goneSecondsDefault) },
    'hold-seconds': { type: 'string', default: String(holdSecondsDefault) },
    submits: { type: 'string', default: String(submitsDefault) },
  } as const
  const { values, positionals } = readArguments({ args: words, allowPositionals: true, options }, usage)
  const whole = (name: keyof typeof options, min: number, max: number): number => {
    const value = Number(values[name])
    if (Number.isInteger(value) && value >= min && value <= max) return value
    throw new StackFault(`--${name} takes a whole number from ${min} to ${max}.\n\n${usage}`)
  }
  return {
    names: partsNamed(parts, positionals),
    goneSeconds: whole('gone-seconds', 30, 3_000),
    holdSeconds: whole('hold-seconds', 200, 3_000),
    submits: whole('submits', 100, 100_000),
  }
}
