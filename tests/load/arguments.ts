import { StackFault } from '@filmgate/tools/stack/fault'

export const usage = `Usage: bun run test:load [generations] [seed]
       bun run test:load limits [arrivals] [a second]

Whole numbers, of at most nine digits; 600 generations and seed 1, 1000000 arrivals and 3000 a second without them.`

export type Call = { limits: false; generations: number; seed: number } | { limits: true; arrivals: number; perSecond: number }

export function readCall(words: string[]): Call {
  const limits = words[0] === 'limits'
  const given = limits ? words.slice(1) : words
  const [first, second] = given.map(Number)
  if (given.length > 2 || !given.every(word => /^\d{1,9}$/.test(word)) || first === 0 || (limits && second === 0))
    throw new StackFault(`This is neither a number of generations and a seed nor limits: ${words.join(' ')}\n\n${usage}`)
  return limits
    ? { limits, arrivals: first ?? 1_000_000, perSecond: second ?? 3_000 }
    : { limits, generations: first ?? 600, seed: second ?? 1 }
}
