import { readArguments } from '@filmgate/tools/stack/command/arguments'
import { StackFault } from '@filmgate/tools/stack/fault'

export const usage = `Usage: bun run test:soak [--minutes N] [--per-second N[,N…]]

  --minutes N      how long videos are bought, at each rate (default 60)
  --per-second N   how many a second (default: half of what this machine makes, which is measured first);
                   several rates are measured one after another on the same stack`

const options = { minutes: { type: 'string', default: '60' }, 'per-second': { type: 'string' } } as const

export type Call = { minutes: number; perSecond: number[] | undefined }

export function readCall(words: string[]): Call {
  const { values } = readArguments({ args: words, options }, usage)
  const perSecond = values['per-second']
  return {
    minutes: positive('--minutes', values.minutes),
    perSecond: perSecond?.split(',').map(rate => positive('--per-second', rate)),
  }
}

function positive(name: string, text: string): number {
  const value = Number(text)
  if (!(value > 0 && value < 10_000)) throw new StackFault(`${name} is a number above 0, not ${text}\n\n${usage}`)
  return value
}
